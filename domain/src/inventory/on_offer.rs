//! The catalogue's word about a room type at one moment: how many rooms there are, and for which stays they are let.

use std::collections::BTreeMap;

use crate::lease::Stay;

/// Rooms of one type, and the stays that share them. Empty: nothing is let.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OnOffer {
    /// How many rooms of this type there are (N): each night is let so many times.
    pub rooms: u32,
    /// How many of them each stay may take at most; one that does not stand here is not let.
    pub stays: BTreeMap<Stay, u32>,
}

impl OnOffer {
    /// So many rooms, for one stay alone.
    pub fn only(stay: Stay, rooms: u32) -> Self {
        Self {
            rooms,
            stays: BTreeMap::from([(stay, rooms)]),
        }
    }

    /// How many rooms of this stay there are to be held or sold; 0 when it is not let.
    pub fn capacity(&self, stay: Stay) -> u32 {
        let most = self.stays.get(&stay).copied().unwrap_or(0);
        most.min(self.rooms)
    }
}
