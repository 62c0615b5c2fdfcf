//! Ids of demo things: shaped like UUIDv7, so that they sort by making order and sit together in the log's indexes, but
//! decided by the seed alone.

use uuid::{Builder, Uuid};

use crate::dice::Dice;

/// 2026-01-01T00:00:00Z in milliseconds: the demo catalogue's first instant.
const EPOCH_MS: u64 = 1_767_225_600_000;

/// Gives out ids in order.
#[derive(Debug)]
pub struct Ids {
    dice: Dice,
    made: u64,
}

impl Ids {
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed, "ids"),
            made: 0,
        }
    }

    /// The next id; a later one is always greater.
    pub fn next_id(&mut self) -> Uuid {
        self.made += 1;
        let mut random = [0_u8; 10];
        let bits = self.dice.bits().to_be_bytes();
        random[..8].copy_from_slice(&bits);
        Builder::from_unix_timestamp_millis(EPOCH_MS + self.made, &random).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_version_seven_and_rise() {
        let mut ids = Ids::new(1);
        let (first, second) = (ids.next_id(), ids.next_id());
        assert_eq!(first.get_version_num(), 7);
        assert!(first < second);
        assert_eq!(Ids::new(1).next_id(), first);
    }
}
