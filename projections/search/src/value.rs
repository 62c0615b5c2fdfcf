//! What a listing can have: values the specification fixes are bit numbers below [`FIXED`]; open ones (features, tags,
//! regions, owners) are numbered in the order they are first seen.

use std::collections::HashMap;
use std::ops::Range;

use domain::inventory::Status;
use domain::inventory::property::{Guarantor, PropertyKind, UnitType};
use domain::lease::StayBucket;
use domain::room::{Configuration, RoomAttributes, Sharing};

use super::query::Group;

/// One value a listing has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

/// Number of values fixed by the specification.
pub const FIXED: usize = 89;

const ATTRIBUTES: u32 = 0;
const CONFIGURATION: u32 = 27;
const BEDROOMS: u32 = 35;
const BATHROOMS: u32 = 41;
const MOVE_IN: u32 = 47;
pub(super) const UNIT_TYPE: u32 = 59;
const PROPERTY_KIND: u32 = 61;
const GUARANTOR: u32 = 65;
const STAY: u32 = 69;
const STATUS: u32 = 77;
/// Values below this say what a room is.
pub(super) const OF_A_ROOM: u32 = MOVE_IN;
/// First stay bucket, and the value behind the last one.
pub(super) const STAYS: (u32, u32) = (STAY, STATUS);
/// The two answers about dual occupancy.
pub(super) const OCCUPANCY: (u32, u32) = (82, 84);

impl Value {
    pub const DUAL_OCCUPANCY: Self = Self(82);
    pub const SINGLE_OCCUPANCY: Self = Self(83);
    pub const AVAILABLE: Self = Self(84);
    pub const UNAVAILABLE: Self = Self(85);
    /// Priced by the month; all others by the week.
    pub const MONTHLY: Self = Self(86);
    /// Somebody said where it stands.
    pub const PLACED: Self = Self(87);
    /// Nobody said it: found by its city, by no distance (decision 0047).
    pub const UNPLACED: Self = Self(88);

    /// At least one room of the listing has just these attributes.
    pub const fn room(attributes: RoomAttributes) -> Self {
        let kitchen = answer(attributes.kitchen);
        Self(ATTRIBUTES + answer(attributes.room) + 3 * answer(attributes.bathroom) + 9 * kitchen)
    }

    /// At least one room of the listing bears this configuration name.
    pub const fn configuration(configuration: Configuration) -> Self {
        Self(CONFIGURATION + configuration as u32)
    }

    /// Has a unit with this many bedrooms; 5 stands for five or more, 0 for a studio.
    pub const fn bedrooms(count: u8) -> Self {
        Self(BEDROOMS + if count > 5 { 5 } else { count as u32 })
    }

    /// Has a unit with this many bathrooms; 5 stands for five or more.
    pub const fn bathrooms(count: u8) -> Self {
        Self(BATHROOMS + if count > 5 { 5 } else { count as u32 })
    }

    /// A room can be moved into in this month, 1 to 12.
    pub const fn move_in(month: u32) -> Self {
        Self(MOVE_IN + (month + 11) % 12)
    }

    pub const fn unit_type(unit: UnitType) -> Self {
        Self(UNIT_TYPE + unit as u32)
    }

    pub const fn property_kind(kind: PropertyKind) -> Self {
        Self(PROPERTY_KIND + kind as u32)
    }

    /// The guarantor that is asked for, as it is said; that nothing is said is a value of its own, neither yes nor no.
    pub const fn guarantor(said: Option<Guarantor>) -> Self {
        Self(match said {
            Some(guarantor) => GUARANTOR + guarantor as u32,
            None => STAY - 1,
        })
    }

    pub const fn status(status: Status) -> Self {
        Self(STATUS + status as u32)
    }

    /// The listing's leases reach into this bucket.
    pub fn stay(bucket: StayBucket) -> Self {
        let before = StayBucket::ALL
            .iter()
            .take_while(|known| **known != bucket)
            .zip(0_u32..8);
        Self(STAY + before.last().map_or(0, |(_, place)| (place + 1).min(7)))
    }

    /// A room can be moved into in this very month, counted from the year 0.
    pub const fn dated_move_in(month: u16) -> Self {
        Self::named(Kind::DatedMonth, month as u32)
    }

    /// The month of [`Self::dated_move_in`].
    pub(super) fn as_dated_move_in(self) -> Option<u16> {
        let dated = Self::range_of(Kind::DatedMonth).contains(&self);
        u16::try_from(self.0 & 0x00ff_ffff).ok().filter(|_| dated)
    }

    /// Bit number of a fixed value, `None` for a named one.
    pub(super) const fn fixed(self) -> Option<usize> {
        if (self.0 as usize) < FIXED {
            Some(self.0 as usize)
        } else {
            None
        }
    }

    /// The bit of a fixed value in a row; none for a named one.
    pub const fn bit(self) -> u128 {
        match self.fixed() {
            Some(number) => 1 << number,
            None => 0,
        }
    }

    const fn named(kind: Kind, number: u32) -> Self {
        Self((kind as u32) << 24 | number)
    }

    /// Where the values of one kind begin and end in sorted order.
    pub(super) const fn range_of(kind: Kind) -> Range<Self> {
        Self::named(kind, 0)..Self((kind as u32 + 1) << 24)
    }
}

const fn answer(sharing: Option<Sharing>) -> u32 {
    match sharing {
        None => 0,
        Some(Sharing::Private) => 1,
        Some(Sharing::Shared) => 2,
    }
}

/// All answers to the three questions about a room, unknown ones included.
pub fn all_attributes() -> impl Iterator<Item = RoomAttributes> {
    let answers = [None, Some(Sharing::Private), Some(Sharing::Shared)];
    (0..27).map(move |number| RoomAttributes {
        room: answers[number % 3],
        bathroom: answers[number / 3 % 3],
        kitchen: answers[number / 9],
    })
}

/// Bit numbers of the fixed values that a group's facet shows.
pub(super) const fn shown_by(group: Group) -> Range<usize> {
    let (from, to) = match group {
        Group::RoomType => (ATTRIBUTES, MOVE_IN),
        Group::MoveIn => (MOVE_IN, UNIT_TYPE),
        Group::Accommodation => (UNIT_TYPE, GUARANTOR),
        Group::Guarantor => (GUARANTOR, STAY),
        Group::Stay => (STAY, STATUS),
        Group::DualOccupancy => OCCUPANCY,
        Group::Availability => (84, 86),
        Group::Features | Group::Budget | Group::Distance => (0, 0),
    };
    from as usize..to as usize
}

/// Kinds of values with open names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Feature = 1,
    Tag = 2,
    Region = 3,
    Owner = 4,
    /// Months with their year; numbers, not names.
    DatedMonth = 5,
}

/// Numbers given to named values, and back. Only ever grows.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    kinds: [Names; 5],
}

#[derive(Debug, Clone, Default)]
struct Names {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Vocabulary {
    /// The value of a name; `None` when no listing ever had it.
    pub fn find(&self, kind: Kind, name: &str) -> Option<Value> {
        let number = self.kinds[kind as usize].numbers.get(name)?;
        Some(Value::named(kind, *number))
    }

    /// All values of a kind with their names, in the order first seen.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (Value, &str)> {
        (0_u32..)
            .zip(&self.kinds[kind as usize].names)
            .map(move |(number, name)| (Value::named(kind, number), name.as_ref()))
    }

    /// The value of a name, numbered now when it is new.
    pub(super) fn intern(&mut self, kind: Kind, name: &str) -> Value {
        if let Some(known) = self.find(kind, name) {
            return known;
        }
        let names = &mut self.kinds[kind as usize];
        let number = u32::try_from(names.names.len()).unwrap_or(u32::MAX) & 0x00ff_ffff;
        names.names.push(name.into());
        names.numbers.insert(name.into(), number);
        Value::named(kind, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_values_do_not_overlap() {
        use {Configuration as C, Guarantor as G, Status as S};
        let mut values: Vec<Value> = all_attributes().map(Value::room).collect();
        let names = [C::EnsuiteRoom, C::StudioRoom, C::SharedRoom, C::PrivateRoom];
        values.extend(names.map(Value::configuration));
        let flats = [C::Studio, C::OneBedroom, C::TwoBedrooms, C::ThreeBedrooms];
        values.extend(flats.map(Value::configuration));
        values.extend((0..6).flat_map(|n| [Value::bedrooms(n), Value::bathrooms(n)]));
        values.extend((1..=12).map(Value::move_in));
        values.extend([UnitType::IndependentHouse, UnitType::StudentAccommodation].map(Value::unit_type));
        values.extend(PropertyKind::ALL.map(Value::property_kind));
        values.extend(
            [Some(G::Local), Some(G::International), Some(G::NotRequired), None].map(Value::guarantor),
        );
        values.extend(StayBucket::ALL.map(Value::stay));
        values.extend([S::Draft, S::InReview, S::Active, S::Inactive, S::Deleted].map(Value::status));
        values.extend([Value::DUAL_OCCUPANCY, Value::SINGLE_OCCUPANCY, Value::AVAILABLE]);
        values.extend([Value::UNAVAILABLE, Value::MONTHLY, Value::PLACED, Value::UNPLACED]);
        values.sort_unstable();
        let numbers: Vec<_> = values.iter().filter_map(|value| value.fixed()).collect();
        assert_eq!(numbers, (0..FIXED).collect::<Vec<_>>());
    }

    #[test]
    fn a_name_keeps_its_number() {
        let mut vocabulary = Vocabulary::default();
        let wifi = vocabulary.intern(Kind::Feature, "wifi");
        vocabulary.intern(Kind::Feature, "gym");
        vocabulary.intern(Kind::Tag, "wifi");
        assert_eq!(vocabulary.intern(Kind::Feature, "wifi"), wifi);
        assert_eq!(
            vocabulary
                .of_kind(Kind::Feature)
                .map(|(_, name)| name)
                .collect::<Vec<_>>(),
            ["wifi", "gym"]
        );
        assert!(Value::range_of(Kind::Feature).contains(&wifi));
    }
}
