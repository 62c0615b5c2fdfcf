//! An address under which pages and links know a home belongs to one home for ever, whoever claims it first. The stream is named after
//! the address, and the claim is one append with the home's listing, so that of two homes that are listed at one moment one gets it.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Builder;

use crate::aggregate::Decide;
use crate::id::{HomeAddressId, InventoryId};
use crate::sealed::Sealable;
use crate::{aggregate, event_names};

/// Bytes of an address of a home, so that those of its rooms are addresses too.
pub const ADDRESS_MAX: usize = 110;
/// Digits of a home's own id behind an address that another home has.
const DIGITS: usize = 8;

impl HomeAddressId {
    /// The claim to an address.
    pub fn of(address: &str) -> Self {
        let digest = Sha256::digest(address.as_bytes());
        let mut bytes = [0_u8; 16];
        for (to, from) in bytes.iter_mut().zip(digest) {
            *to = from;
        }
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }
}

/// The addresses that a home may get, best first: the wanted one, the same with digits of the home's own id behind it, and with all of
/// them.
pub fn list_choices(wanted: &str, home: InventoryId) -> [String; 3] {
    let own = home.0.simple().to_string();
    let with_digits = |count: usize| {
        let digits = own.get(..count).unwrap_or(&own);
        let room = ADDRESS_MAX - digits.len() - 1;
        // Letters of other scripts take several bytes, and none is cut in two.
        let ends = wanted.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let end = ends.take_while(|end| *end <= room).last().unwrap_or_default();
        let begins = wanted.get(..end).unwrap_or_default();
        format!("{}-{digits}", begins.trim_end_matches('-'))
    };
    [wanted.to_owned(), with_digits(DIGITS), with_digits(own.len())]
}

/// Commands to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeAddressCommand {
    /// Gives it to a home, unless it has an owner already: the answer is in the state.
    Claim { home: InventoryId },
}

/// Events of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HomeAddressEvent {
    Claimed { home: InventoryId },
}

event_names!(HomeAddressEvent { Claimed => "HomeAddressClaimed" 1 });

impl Sealable for HomeAddressEvent {}

/// An address turns nothing down: whoever comes second learns who was first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HomeAddressRejection {}

/// The home that has an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeAddress {
    pub owner: Option<InventoryId>,
}

impl HomeAddress {
    /// Says that no other home has it.
    pub fn is_free_for(&self, home: InventoryId) -> bool {
        self.owner.is_none_or(|owner| owner == home)
    }
}

impl Decide for HomeAddress {
    const KIND: &'static str = "home_address";
    type Command = HomeAddressCommand;
    type Event = HomeAddressEvent;
    type Rejection = HomeAddressRejection;

    fn decide(&self, command: HomeAddressCommand) -> Result<Vec<HomeAddressEvent>, HomeAddressRejection> {
        let HomeAddressCommand::Claim { home } = command;
        Ok(match self.owner {
            None => vec![HomeAddressEvent::Claimed { home }],
            Some(_) => vec![],
        })
    }

    fn evolve(&mut self, event: &HomeAddressEvent) {
        let HomeAddressEvent::Claimed { home } = event;
        self.owner = Some(*home);
    }
}

aggregate!(HomeAddress);

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    const FIRST: InventoryId = InventoryId(Uuid::from_u128(1));
    const SECOND: InventoryId = InventoryId(Uuid::from_u128(2));

    #[test]
    fn home_that_comes_second_learns_who_was_first() {
        let first = HomeAddressEvent::Claimed { home: FIRST };
        let address = crate::aggregate::fold::<HomeAddress>([&first]);
        let second = HomeAddressCommand::Claim { home: SECOND };
        assert_eq!(address.decide(second), Ok(vec![]));
        assert!(address.is_free_for(FIRST));
        assert!(!address.is_free_for(SECOND));
        assert!(HomeAddress::default().is_free_for(SECOND));
        assert_kept::<HomeAddress>(&[first]);
    }

    #[test]
    fn choices_differ_and_stay_within_their_bytes() {
        let [wanted, short, long] = list_choices("aspen-hall", SECOND);
        assert_eq!(wanted, "aspen-hall");
        assert_eq!(short, "aspen-hall-00000000");
        assert_eq!(long, format!("aspen-hall-{}", SECOND.0.simple()));
        // A letter of one byte, of two, and of three.
        for letter in ["x", "\u{436}", "\u{6811}"] {
            let long = letter.repeat(ADDRESS_MAX / letter.len());
            for choice in list_choices(&long, SECOND) {
                assert!(choice.len() <= ADDRESS_MAX, "{choice}");
            }
        }
        assert_eq!(HomeAddressId::of("a-1"), HomeAddressId::of("a-1"));
        assert_ne!(HomeAddressId::of("a-1"), HomeAddressId::of("a-2"));
    }
}
