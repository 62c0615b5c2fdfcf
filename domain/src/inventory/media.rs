//! Photos, plans, videos and tours of a home or of a room type, as its source says them. Pictures that are drawn from a seed are no media:
//! they are illustrations of the demo.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::wording::Wording;

/// Everything to look at that somebody said of a home or of a room type, each kind in the order of its source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<SaidPhoto>,
    /// Floor plans.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<SaidPhoto>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recordings: Vec<Recording>,
}

impl Media {
    pub fn is_empty(&self) -> bool {
        self.photos.is_empty() && self.plans.is_empty() && self.recordings.is_empty()
    }

    /// Photos and plans: all that is fetched.
    pub fn pictures(&self) -> impl Iterator<Item = &SaidPhoto> {
        self.photos.iter().chain(&self.plans)
    }
}

/// A photo or a plan before it is fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidPhoto {
    /// The address where it is, or `sha256:` and the hash of its bytes for one that an import found beside its file.
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PhotoKind>,
    #[serde(default, skip_serializing_if = "Wording::is_blank")]
    pub caption: Wording,
    /// Words for those who do not see it.
    #[serde(default, skip_serializing_if = "Wording::is_blank")]
    pub alt: Wording,
}

/// The subject of a photo; its text is `photo.<key>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhotoKind {
    Exterior,
    Room,
    Bathroom,
    Kitchen,
    Common,
    Plan,
}

impl PhotoKind {
    pub const ALL: [Self; 6] = [
        Self::Exterior,
        Self::Room,
        Self::Bathroom,
        Self::Kitchen,
        Self::Common,
        Self::Plan,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Exterior => "exterior",
            Self::Room => "room",
            Self::Bathroom => "bathroom",
            Self::Kitchen => "kitchen",
            Self::Common => "common",
            Self::Plan => "plan",
        }
    }
}

/// A video or a tour on a platform of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    pub kind: RecordingKind,
    pub url: String,
    #[serde(default, skip_serializing_if = "Wording::is_blank")]
    pub title: Wording,
}

/// The two kinds of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordingKind {
    Video,
    Tour,
}

impl RecordingKind {
    pub const ALL: [Self; 2] = [Self::Video, Self::Tour];

    pub const fn key(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Tour => "tour",
        }
    }
}

/// The photos of a home in the order of its card: a room before what is around it. Photos of room types follow those of the home, and
/// each place comes once.
pub fn order_for_card<'m>(home: &'m Media, rooms: impl IntoIterator<Item = &'m Media>) -> Vec<&'m SaidPhoto> {
    let of_rooms = rooms.into_iter().flat_map(|media| &media.photos);
    let mut seen = BTreeSet::new();
    let all = home.photos.iter().map(|photo| (photo, photo.kind));
    // A photo of a room type shows a room, unless its source says otherwise.
    let all = all.chain(of_rooms.map(|photo| (photo, photo.kind.or(Some(PhotoKind::Room)))));
    let mut ordered: Vec<(&SaidPhoto, Option<PhotoKind>)> = all
        .filter(|(photo, _)| seen.insert(photo.place.as_str()))
        .collect();
    ordered.sort_by_key(|(_, kind)| *kind != Some(PhotoKind::Room));
    ordered.into_iter().map(|(photo, _)| photo).collect()
}

#[cfg(test)]
impl SaidPhoto {
    /// A photo of which nothing else is said.
    pub(crate) fn bare(place: &str, kind: Option<PhotoKind>) -> Self {
        Self {
            place: place.to_owned(),
            kind,
            caption: Wording::default(),
            alt: Wording::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_shows_a_room_first_and_each_photo_once() {
        let home = Media {
            photos: vec![
                SaidPhoto::bare("https://a.example/front.jpg", Some(PhotoKind::Exterior)),
                SaidPhoto::bare("https://a.example/1.jpg", None),
                SaidPhoto::bare("https://a.example/bed.jpg", Some(PhotoKind::Room)),
            ],
            ..Media::default()
        };
        let room = Media {
            photos: vec![
                SaidPhoto::bare("https://a.example/1.jpg", None),
                SaidPhoto::bare("https://a.example/desk.jpg", None),
                SaidPhoto::bare("https://a.example/bath.jpg", Some(PhotoKind::Bathroom)),
            ],
            ..Media::default()
        };
        let places = |home: &Media, rooms: &[Media]| -> Vec<String> {
            let ordered = order_for_card(home, rooms);
            let name = |photo: &SaidPhoto| photo.place.trim_start_matches("https://a.example/").to_owned();
            ordered.into_iter().map(name).collect()
        };
        assert_eq!(places(&home, &[]), ["bed.jpg", "front.jpg", "1.jpg"]);
        assert_eq!(
            places(&home, std::slice::from_ref(&room)),
            ["bed.jpg", "desk.jpg", "front.jpg", "1.jpg", "bath.jpg"]
        );
        assert_eq!(
            places(&Media::default(), &[room]),
            ["1.jpg", "desk.jpg", "bath.jpg"]
        );
    }

    #[test]
    fn media_without_anything_is_not_written() {
        let said = Media {
            plans: vec![SaidPhoto::bare(
                "https://a.example/plan.png",
                Some(PhotoKind::Plan),
            )],
            ..Media::default()
        };
        assert_eq!(
            serde_json::to_value(&said).unwrap(),
            serde_json::json!({ "plans": [{ "place": "https://a.example/plan.png", "kind": "plan" }] })
        );
        assert!(Media::default().is_empty() && !said.is_empty());
        assert_eq!(said.pictures().count(), 1);
    }
}
