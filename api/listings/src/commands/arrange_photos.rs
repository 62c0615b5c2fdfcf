//! Adds a photo to a home or a room type, and arranges those that it has: their order, words and kinds, and the room that each shows (U6,
//! decision 0054). Like any edit it stands over what a feed says, and can be undone.

use std::collections::BTreeSet;

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, PhotoId, UserId};
use domain::inventory::facts::Fact;
use domain::inventory::media::{PhotoKind, SaidPhoto};
use domain::inventory::photo_list::PhotoList;
use domain::inventory::values::FactEdit;
use domain::inventory::{Inventory, InventoryCommand, InventoryRejection};
use domain::wording::Wording;
use eventlog::{Append, Appended, CommitError, Context, EventLog, Loaded, Position, commit_together};

use super::edit_home::{check_bounds, check_reason, reject};
use crate::error::{ListingsError, Meanwhile, Misplaced};
use crate::questions::home_photos::{HomePhotos, NamedPhoto, PhotoHolder, list_lists, read_home_photos};

/// Photos and plans of one home, its room types included.
pub const PHOTOS_MAX: usize = 200;

/// A photo to be added at the end.
#[derive(Debug, Clone)]
pub struct AddPhoto {
    pub home_id: InventoryId,
    pub holder: PhotoHolder,
    pub photo: SaidPhoto,
    pub by: UserId,
}

/// All photos of a home as they are to be.
#[derive(Debug, Clone)]
pub struct ArrangePhotos {
    pub home_id: InventoryId,
    /// Where the home stood when its photos were read.
    pub position: Position,
    /// In their order; those that are left out are shown no more.
    pub photos: Vec<PlacedPhoto>,
    pub reason: String,
    pub by: UserId,
}

/// Subject that an arrangement gives a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenKind {
    AsItIs,
    NotSaid,
    Kind(PhotoKind),
}

/// A photo with its place among the others; what is `None` stays as it is.
#[derive(Debug, Clone)]
pub struct PlacedPhoto {
    pub photo_id: PhotoId,
    pub holder: PhotoHolder,
    pub kind: GivenKind,
    pub caption: Option<Wording>,
    pub alt: Option<Wording>,
}

/// Adds a photo; one that is there stays as it is.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn add_photo(
    log: &EventLog,
    asked: &AddPhoto,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    commit_together(log, context, |append| compose_addition(log, asked, append)).await
}

/// Arranges the photos of a home.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn arrange_photos(
    log: &EventLog,
    asked: &ArrangePhotos,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose_arrangement(log, asked, append)).await
}

async fn compose_addition(
    log: &EventLog,
    asked: &AddPhoto,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let home = log.load::<Inventory>(asked.home_id).await?;
    let mut lists = list_lists(&home.state);
    if lists.is_empty() {
        return Err(CommitError::Rejected(ListingsError::UnknownHome));
    }
    let found = lists.iter_mut().find(|(holder, _)| *holder == asked.holder);
    let Some((_, list)) = found else {
        let room = asked.holder.unwrap_or(asked.home_id);
        return Err(reject(InventoryRejection::UnknownRoom(room)));
    };
    if list.pictures().any(|known| known.place == asked.photo.place) {
        return Ok(append);
    }
    put(list, asked.photo.clone());
    edit(&home, lists, (asked.by, String::new()), append, asked.home_id)
}

async fn compose_arrangement(
    log: &EventLog,
    asked: &ArrangePhotos,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let read = read_home_photos(log, asked.home_id).await?;
    let read = read.ok_or(CommitError::Rejected(ListingsError::UnknownHome))?;
    if read.changed_at > asked.position {
        let meanwhile = Meanwhile {
            position: read.position,
            changed: Vec::new(),
            gone: Vec::new(),
        };
        let refused = ListingsError::ChangedMeanwhile(Box::new(meanwhile));
        return Err(CommitError::Rejected(refused));
    }
    let lists = place_all(&read, &asked.photos).map_err(CommitError::Rejected)?;
    let why = (asked.by, asked.reason.trim().to_owned());
    edit(&read.home, lists, why, append, asked.home_id)
}

/// The lists of an arrangement.
fn place_all(
    read: &HomePhotos,
    photos: &[PlacedPhoto],
) -> Result<Vec<(PhotoHolder, PhotoList)>, ListingsError> {
    let mut lists = list_lists(&read.home.state);
    for (_, list) in &mut lists {
        *list = PhotoList::default();
    }
    let mut seen = BTreeSet::new();
    for (index, placed) in photos.iter().enumerate() {
        let refuse = |why| ListingsError::PhotoMisplaced { index, why };
        if !seen.insert((placed.photo_id, placed.holder)) {
            return Err(refuse(Misplaced::Twice));
        }
        let known = find_known(read, placed).ok_or_else(|| refuse(Misplaced::Unknown))?;
        let mut said = known.said.clone();
        match placed.kind {
            GivenKind::AsItIs => {}
            GivenKind::NotSaid => said.kind = None,
            GivenKind::Kind(kind) => said.kind = Some(kind),
        }
        if let Some(caption) = &placed.caption {
            said.caption.clone_from(caption);
        }
        if let Some(alt) = &placed.alt {
            said.alt.clone_from(alt);
        }
        let list = lists.iter_mut().find(|(holder, _)| *holder == placed.holder);
        let (_, list) = list.ok_or_else(|| refuse(Misplaced::UnknownRoom))?;
        put(list, said);
    }
    Ok(lists)
}

/// The photo as it is where it stands now, else as it is somewhere else in the home, or was.
fn find_known<'p>(read: &'p HomePhotos, placed: &PlacedPhoto) -> Option<&'p NamedPhoto> {
    let same = |photo: &&NamedPhoto| PhotoId::of_place(&photo.said.place) == placed.photo_id;
    let mut all = read.named.iter().filter(same);
    let here = all.find(|photo| photo.room == placed.holder);
    here.or_else(|| read.all().find(same))
}

/// Puts a photo at the end of the photos, or of the plans.
fn put(list: &mut PhotoList, said: SaidPhoto) {
    if said.kind == Some(PhotoKind::Plan) {
        list.plans.push(said);
    } else {
        list.photos.push(said);
    }
}

fn edit(
    home: &Loaded<Inventory>,
    lists: Vec<(PhotoHolder, PhotoList)>,
    (by, reason): (UserId, String),
    append: Append,
    home_id: InventoryId,
) -> Result<Append, CommitError<ListingsError>> {
    let count: usize = lists.iter().map(|(_, list)| list.len()).sum();
    if count > PHOTOS_MAX {
        let (fact, max) = ("photos".to_owned(), PHOTOS_MAX as u64);
        return Err(CommitError::Rejected(ListingsError::TooLarge { fact, max }));
    }
    let said = list_lists(&home.state);
    lists
        .iter()
        .try_for_each(|of| check_new_words(&said, of))
        .map_err(CommitError::Rejected)?;
    let set: Vec<Fact> = lists.into_iter().map(name_fact).collect();
    let edit = FactEdit {
        set,
        unset: Vec::new(),
        by,
        reason,
        taken_above: Vec::new(),
    };
    let command = InventoryCommand::EditFacts { edit: Box::new(edit) };
    let events = home.state.decide(command).map_err(reject)?;
    if events.is_empty() {
        return Ok(append);
    }
    let decided = append.decision(home_id, home, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}

/// Holds the words of photos to their bounds, those alone that the home does not say yet: a feed may say more of its own.
fn check_new_words(
    said: &[(PhotoHolder, PhotoList)],
    (holder, list): &(PhotoHolder, PhotoList),
) -> Result<(), ListingsError> {
    let is_said = |photo: &SaidPhoto| {
        let mut known = said.iter().flat_map(|(_, list)| list.pictures());
        known.any(|known| {
            (&known.place, &known.caption, &known.alt) == (&photo.place, &photo.caption, &photo.alt)
        })
    };
    let new = list.pictures().filter(|photo| !is_said(photo));
    let new = PhotoList {
        photos: new.cloned().collect(),
        plans: Vec::new(),
    };
    check_bounds(&name_fact((*holder, new)))
}

fn name_fact((holder, list): (PhotoHolder, PhotoList)) -> Fact {
    match holder {
        None => Fact::Photos(list),
        Some(room) => Fact::RoomPhotos { room, list },
    }
}

#[cfg(test)]
mod tests;
