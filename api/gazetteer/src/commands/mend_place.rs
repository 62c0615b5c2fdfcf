//! Corrects a place: its names, its centre, how far it reaches, and the words and postcodes by which it is found. It stays what it is and
//! where in the tree, so that its homes stay its own; searches count them anew. No import takes a correction back.

use std::collections::BTreeMap;

use atlas::atlas;
use domain::aggregate::Decide as _;
use domain::contact::seen_length;
use domain::country::Country;
use domain::id::{RegionId, UserId};
use domain::language::Language;
use domain::place::{Bounds, Coordinates};
use domain::region::{Region, RegionCommand, RegionDetails, RegionType};
use domain::wording::Wording;
use eventlog::{Append, Appended, CommitError, Context, EventLog, Revision, commit_together};

use crate::error::PlaceError;

/// A reason is a sentence or two.
const REASON_LEAST: usize = 3;
const REASON_MAX: usize = 500;
/// Names of places fit into a line of a page.
const NAME_MAX: usize = 120;
/// More words than any place is looked for by; the largest cities have a few hundred postcodes.
const WORDS_MAX: usize = 500;

/// Corrections of a place; a fact that is absent stays as it is.
#[derive(Debug, Clone)]
pub struct MendPlace {
    pub place_id: RegionId,
    /// Where the place stood when its editor read it.
    pub revision: Revision,
    pub name: Option<String>,
    /// Names in languages by their tags; `None` takes one away.
    pub local_names: BTreeMap<String, Option<String>>,
    /// Other names and postcodes by which it is found; all that there are.
    pub found_by: Option<Vec<String>>,
    pub centre: Option<Coordinates>,
    /// Without it the box moves with the centre.
    pub bounds: Option<Bounds>,
    pub reason: String,
    pub by: UserId,
}

/// Corrects a place.
///
/// # Errors
/// The reason as a [`PlaceError`], and whatever else stands against an append.
pub async fn mend_place(
    log: &EventLog,
    mend: &MendPlace,
    context: &Context,
) -> Result<Appended, CommitError<PlaceError>> {
    check_words(mend).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, mend, append)).await
}

async fn compose(
    log: &EventLog,
    mend: &MendPlace,
    append: Append,
) -> Result<Append, CommitError<PlaceError>> {
    let read = log.load::<Region>(mend.place_id).await?;
    let Some(known) = read.state.details.as_deref() else {
        return Err(CommitError::Rejected(PlaceError::UnknownPlace));
    };
    if read.revision != mend.revision {
        return Err(CommitError::Rejected(PlaceError::ChangedMeanwhile));
    }
    let region = correct(known, mend).map_err(CommitError::Rejected)?;
    let command = RegionCommand::Mend {
        region: Box::new(region),
        by: mend.by,
        reason: mend.reason.trim().to_owned(),
    };
    let decided = read.state.decide(command);
    let events = decided.map_err(|rejection| CommitError::Rejected(PlaceError::from(rejection)))?;
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(mend.place_id, &read, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// The place as it is after the correction.
fn correct(known: &RegionDetails, mend: &MendPlace) -> Result<RegionDetails, PlaceError> {
    let mut after = known.clone();
    if let Some(name) = &mend.name {
        rename(&mut after, name.trim());
    }
    for (tag, name) in &mend.local_names {
        name_locally(&mut after, tag, name.as_deref().map(str::trim))?;
    }
    if let Some(words) = &mend.found_by {
        after.aliases = list_words(words, &after.name);
    }
    if let Some(centre) = mend.centre {
        check_country(known.country, centre)?;
        after.centre = centre;
        after.bounds = move_box(known.bounds, centre);
        after.is_without_campus = false;
    }
    if let Some(bounds) = mend.bounds {
        after.bounds = bounds;
    }
    Ok(after)
}

fn rename(after: &mut RegionDetails, name: &str) {
    if after.region_type == RegionType::Locality {
        after.locality = Some(name.to_owned());
    }
    if let Some(names) = after.local_name.take() {
        after.local_name = Some(names.with(Language::default().code(), name));
    }
    name.clone_into(&mut after.name);
}

fn name_locally(after: &mut RegionDetails, tag: &str, name: Option<&str>) -> Result<(), PlaceError> {
    let language = Language::written_as(tag).filter(|language| *language != Language::default());
    let Some(language) = language else {
        return Err(PlaceError::UnknownLanguage(tag.to_owned()));
    };
    let names = after.local_name.take();
    let mut names = names.unwrap_or_else(|| Wording::english(after.name.clone()));
    names.write(language.code(), name);
    let is_named = names.texts().any(|(tag, _)| tag != Language::default().code());
    after.local_name = is_named.then_some(names);
    Ok(())
}

/// Each word once, without the place's own name.
fn list_words(words: &[String], own: &str) -> Vec<String> {
    let mut listed: Vec<String> = Vec::new();
    for word in words.iter().map(|word| word.trim()) {
        if !word.is_empty() && word != own && !listed.iter().any(|known| known == word) {
            listed.push(word.to_owned());
        }
    }
    listed
}

/// A point outside its country is a slip of the keys: swapped numbers, a lost minus.
fn check_country(country: Country, centre: Coordinates) -> Result<(), PlaceError> {
    let known = atlas().find_country(country.iso());
    let can_hold = known.is_none_or(|known| known.can_hold(centre));
    can_hold
        .then_some(())
        .ok_or_else(|| PlaceError::OutsideCountry(country.name()))
}

/// A box of the same size around another point.
const fn move_box(bounds: Bounds, centre: Coordinates) -> Bounds {
    let half_lat = (bounds.northeast.lat_e6 - bounds.southwest.lat_e6) / 2;
    let half_lng = (bounds.northeast.lng_e6 - bounds.southwest.lng_e6) / 2;
    Bounds::around(centre, half_lat, half_lng)
}

fn check_words(mend: &MendPlace) -> Result<(), PlaceError> {
    let reason = mend.reason.trim();
    if seen_length(reason) < REASON_LEAST || reason.chars().count() > REASON_MAX {
        return Err(PlaceError::NoReason { max: REASON_MAX });
    }
    let words = mend.found_by.iter().flatten();
    if words.clone().count() + mend.local_names.len() > WORDS_MAX {
        return Err(PlaceError::TooMany { max: WORDS_MAX });
    }
    let names = mend.name.iter().map(|name| ("name", name));
    let local = mend.local_names.values().flatten();
    let local = local.map(|name| ("local_names", name));
    let words = words.map(|word| ("found_by", word));
    let mut all = names.chain(local).chain(words);
    let too_long = all.find(|(_, text)| text.chars().count() > NAME_MAX);
    match too_long {
        Some((field, _)) => Err(PlaceError::TooLong { field, max: NAME_MAX }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
