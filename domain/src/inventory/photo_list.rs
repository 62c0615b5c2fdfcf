//! The photos and plans of a home or of a room type as a person arranges them, and what of that stands where its source changes its own
//! (U6, decision 0054): of each photo alone, so that one new photo of a feed takes nobody's order, words or uploads away.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::media::{Media, SaidPhoto};

/// Photos and floor plans, each in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoList {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub photos: Vec<SaidPhoto>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<SaidPhoto>,
}

/// A photo with the list that it stands in.
type Placed<'p> = (&'p SaidPhoto, bool);

impl PhotoList {
    /// The pictures of media.
    pub fn of(media: &Media) -> Self {
        Self {
            photos: media.photos.clone(),
            plans: media.plans.clone(),
        }
    }

    /// Puts these pictures in place of those of media.
    pub fn write_to(&self, media: &mut Media) {
        media.photos.clone_from(&self.photos);
        media.plans.clone_from(&self.plans);
    }

    /// All of them, photos first.
    pub fn pictures(&self) -> impl Iterator<Item = &SaidPhoto> {
        self.photos.iter().chain(&self.plans)
    }

    pub fn len(&self) -> usize {
        self.photos.len() + self.plans.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let photos = self.photos.iter().map(|photo| (photo, false));
        photos.chain(self.plans.iter().map(|plan| (plan, true)))
    }

    fn find(&self, place: &str) -> Option<Placed<'_>> {
        self.placed().find(|(photo, _)| photo.place == place)
    }

    /// The places that another list has too, in this one's order.
    fn list_common(&self, other: &Self) -> Vec<&str> {
        let common = self.pictures().map(|photo| photo.place.as_str());
        common.filter(|place| other.find(place).is_some()).collect()
    }

    /// This arrangement of a person once its source, which said `before`, says `now`. A photo that the source describes otherwise, has
    /// dropped or has added is as the source says; in another order of its own the source's photos come first and in that order. What
    /// the source never named is the person's, and stays.
    #[must_use]
    pub(super) fn meet(&self, before: &Self, now: &Self) -> Self {
        let mut kept: Vec<Placed<'_>> = Vec::new();
        for (photo, is_plan) in self.placed() {
            let place = photo.place.as_str();
            match (before.find(place), now.find(place)) {
                (None, _) => kept.push((photo, is_plan)),
                (Some(_), None) => {}
                (Some(known), Some(said)) if known == said => kept.push((photo, is_plan)),
                (Some(_), Some(said)) => kept.push(said),
            }
        }
        let mut seen: BTreeSet<&str> = kept.iter().map(|(photo, _)| photo.place.as_str()).collect();
        for said in now.placed() {
            let place = said.0.place.as_str();
            if before.find(place) != Some(said) && seen.insert(place) {
                kept.push(said);
            }
        }
        if before.list_common(now) != now.list_common(before) {
            let order: Vec<&str> = now.pictures().map(|photo| photo.place.as_str()).collect();
            kept.sort_by_key(|(photo, _)| {
                let found = order.iter().position(|place| *place == photo.place);
                found.unwrap_or(order.len())
            });
        }
        let of = |plans: bool| {
            let some = kept.iter().filter(|(_, is_plan)| *is_plan == plans);
            some.map(|(photo, _)| (*photo).clone()).collect()
        };
        Self {
            photos: of(false),
            plans: of(true),
        }
    }
}

#[cfg(test)]
mod tests;
