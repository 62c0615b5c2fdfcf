//! Photos on cards: which homes name which photo, and which of them were fetched. A card is written anew when one of its photos comes or
//! is taken down.

use std::collections::{HashMap, HashSet};

use domain::id::{InventoryId, PhotoId};
use domain::inventory::media::{Media, PhotoKind};
use domain::photo::sizes::{PhotoSize, list_widths};
use domain::photo::{ContentHash, PhotoEvent};
use serde_json::{Value, json};

/// Photos of a card.
const CARD_PHOTOS: usize = 5;
/// Photos of one description that may come onto a card: some may never be had.
const LOOKED_AT: usize = 12;
/// The widest size of a photo on a card.
const WIDEST: u32 = 720;

/// A photo that a home or a room type names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NamedPhoto {
    id: PhotoId,
    kind: Option<PhotoKind>,
}

/// A photo that was fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fetched {
    content: ContentHash,
    width: u32,
    height: u32,
}

/// The photos that may come onto a card, a room before what is around it; `unsaid` is the kind of those whose source says none.
pub(super) fn name_photos(media: &Media, unsaid: Option<PhotoKind>) -> Box<[NamedPhoto]> {
    let mut named: Vec<NamedPhoto> = media
        .photos
        .iter()
        .map(|photo| NamedPhoto {
            id: PhotoId::of_place(&photo.place),
            kind: photo.kind.or(unsaid),
        })
        .collect();
    named.sort_by_key(is_no_room);
    named.truncate(LOOKED_AT);
    named.into_boxed_slice()
}

fn is_no_room(photo: &NamedPhoto) -> bool {
    photo.kind != Some(PhotoKind::Room)
}

/// Photos of all homes, as far as cards need them.
#[derive(Debug, Default)]
pub(super) struct CardPhotos {
    fetched: HashMap<PhotoId, Fetched>,
    taken_down: HashSet<ContentHash>,
    homes: HashMap<PhotoId, Vec<InventoryId>>,
}

impl CardPhotos {
    /// Notes which photos a home names: it is written anew when one of them comes.
    pub(super) fn note_home(&mut self, home: InventoryId, named: impl Iterator<Item = NamedPhoto>) {
        for photo in named {
            let homes = self.homes.entry(photo.id).or_default();
            if !homes.contains(&home) {
                homes.push(home);
            }
        }
    }

    /// Takes in an event of a photo; gives the homes whose cards it may change.
    pub(super) fn evolve(&mut self, id: PhotoId, event: &PhotoEvent) -> Vec<InventoryId> {
        match event {
            PhotoEvent::Fetched { taken, .. } => {
                let fetched = Fetched {
                    content: taken.content,
                    width: taken.width,
                    height: taken.height,
                };
                self.fetched.insert(id, fetched);
                self.homes_of(id)
            }
            PhotoEvent::TakenDown { content, .. } => {
                self.taken_down.insert(*content);
                self.homes_with(*content)
            }
            PhotoEvent::Restored { content, .. } => {
                self.taken_down.remove(content);
                self.homes_with(*content)
            }
            PhotoEvent::Refused { .. } | PhotoEvent::AskedAgain { .. } => Vec::new(),
        }
    }

    fn homes_with(&self, content: ContentHash) -> Vec<InventoryId> {
        let of_content = self.fetched.iter().filter(|(_, photo)| photo.content == content);
        of_content.flat_map(|(id, _)| self.homes_of(*id)).collect()
    }

    fn homes_of(&self, id: PhotoId) -> Vec<InventoryId> {
        self.homes.get(&id).cloned().unwrap_or_default()
    }

    /// The photos of a card as the contract shows them: a room first, each picture once.
    pub(super) fn write_card(&self, named: impl Iterator<Item = NamedPhoto>, name: &str) -> Vec<Value> {
        let mut ordered: Vec<NamedPhoto> = named.collect();
        ordered.sort_by_key(is_no_room);
        let mut seen = HashSet::new();
        let shown = ordered.into_iter().filter_map(|photo| {
            let fetched = self.fetched.get(&photo.id)?;
            let is_shown = !self.taken_down.contains(&fetched.content) && seen.insert(fetched.content);
            is_shown.then(|| describe(photo.kind, *fetched, name))
        });
        shown.take(CARD_PHOTOS).collect()
    }
}

/// Without a preview, of which a page of cards would carry fifty.
fn describe(kind: Option<PhotoKind>, photo: Fetched, name: &str) -> Value {
    let widths = list_widths(photo.width, photo.height).into_iter();
    let sources = widths.filter(|size| size.width <= WIDEST).map(|size: PhotoSize| {
        json!({
            "width": size.width,
            "webp": size.path(photo.content, "webp"),
            "jpeg": size.path(photo.content, "jpg"),
        })
    });
    json!({
        "kind": kind.map(PhotoKind::key),
        "alt": name,
        "caption": "",
        "width": photo.width,
        "height": photo.height,
        "preview": "",
        "sources": sources.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use domain::inventory::media::SaidPhoto;
    use domain::photo::{PhotoFormat, Taken};
    use domain::wording::Wording;
    use uuid::Uuid;

    use super::*;

    const HOME: InventoryId = InventoryId(Uuid::from_u128(1));

    fn media(photos: &[(&str, Option<PhotoKind>)]) -> Media {
        let said = photos.iter().map(|(place, kind)| SaidPhoto {
            place: (*place).to_owned(),
            kind: *kind,
            caption: Wording::default(),
            alt: Wording::default(),
        });
        Media {
            photos: said.collect(),
            ..Media::default()
        }
    }

    fn fetch(photos: &mut CardPhotos, place: &str, content: &str) -> Vec<InventoryId> {
        let event = PhotoEvent::Fetched {
            place: place.to_owned(),
            taken: Box::new(Taken {
                content: ContentHash::of_bytes(content.as_bytes()),
                width: 1_600,
                height: 1_200,
                format: PhotoFormat::Jpeg,
                bytes: 7,
                preview: String::new(),
            }),
        };
        photos.evolve(PhotoId::of_place(place), &event)
    }

    fn hashes(photos: &CardPhotos, named: &[NamedPhoto]) -> Vec<String> {
        let card = photos.write_card(named.iter().copied(), "Bloomsbury Row");
        let path = |photo: &Value| photo["sources"][0]["jpeg"].as_str().unwrap().to_owned();
        card.iter().map(path).collect()
    }

    fn path(content: &str) -> String {
        format!("/pictures/{}/80.jpg", ContentHash::of_bytes(content.as_bytes()))
    }

    #[test]
    fn card_shows_what_was_fetched_a_room_first_and_each_once() {
        let mut photos = CardPhotos::default();
        let home = media(&[
            ("front", Some(PhotoKind::Exterior)),
            ("twice", None),
            ("dead", None),
            ("bed", Some(PhotoKind::Room)),
        ]);
        let named = name_photos(&home, None);
        photos.note_home(HOME, named.iter().copied());
        assert_eq!(hashes(&photos, &named), [""; 0]);
        for place in ["front", "twice", "bed"] {
            assert_eq!(
                fetch(&mut photos, place, place.trim_start_matches("twice")),
                [HOME]
            );
        }
        assert_eq!(hashes(&photos, &named), [path("bed"), path("front"), path("")]);
        fetch(&mut photos, "dead", "front");
        assert_eq!(
            hashes(&photos, &named).len(),
            3,
            "the same picture from two places"
        );
    }

    #[test]
    fn picture_that_was_taken_down_leaves_the_card() {
        let mut photos = CardPhotos::default();
        let named = name_photos(&media(&[("front", None), ("bed", None)]), Some(PhotoKind::Room));
        photos.note_home(HOME, named.iter().copied());
        fetch(&mut photos, "front", "front");
        fetch(&mut photos, "bed", "bed");
        let event = PhotoEvent::TakenDown {
            content: ContentHash::of_bytes(b"front"),
            by: domain::id::UserId(Uuid::from_u128(2)),
            reason: domain::sealed::Sealed::new("It shows a tenant".to_owned()),
            keeps_original: true,
        };
        assert_eq!(photos.evolve(PhotoId::of_place("front"), &event), [HOME]);
        assert_eq!(hashes(&photos, &named), [path("bed")]);
        let event = PhotoEvent::Restored {
            content: ContentHash::of_bytes(b"front"),
            by: domain::id::UserId(Uuid::from_u128(2)),
            reason: domain::sealed::Sealed::new("It shows nobody".to_owned()),
        };
        assert_eq!(photos.evolve(PhotoId::of_place("front"), &event), [HOME]);
        assert_eq!(hashes(&photos, &named), [path("front"), path("bed")]);
    }
}
