//! What a listing can have: values the specification fixes are bit numbers below [`FIXED`]; open ones (features, tags,
//! regions, owners, partners) are numbered in the order they are first seen.

use std::collections::HashMap;

/// One value a listing has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

/// Number of values fixed by the specification.
pub const FIXED: usize = 56;

const ROOM_KIND: u32 = 0;
const BEDROOMS: u32 = 8;
const BATHROOMS: u32 = 14;
const MOVE_IN: u32 = 20;
const UNIT: u32 = 32;
const GUARANTOR: u32 = 36;
const STAY_WEEKS: u32 = 39;
const STAY_MONTHS: u32 = 44;
const STATUS: u32 = 47;

impl Value {
    pub const DUAL_OCCUPANCY: Self = Self(50);
    pub const SINGLE_OCCUPANCY: Self = Self(51);
    pub const AVAILABLE: Self = Self(52);
    pub const UNAVAILABLE: Self = Self(53);
    /// Priced by the month; all others by the week.
    pub const MONTHLY: Self = Self(54);

    /// At least one room of the listing is of this kind.
    pub const fn room(kind: RoomKind) -> Self {
        Self(ROOM_KIND + kind.number())
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

    pub const fn unit(unit: UnitType) -> Self {
        Self(UNIT + unit as u32)
    }

    pub const fn guarantor(guarantor: Guarantor) -> Self {
        Self(GUARANTOR + guarantor as u32)
    }

    pub const fn status(status: Status) -> Self {
        Self(STATUS + status as u32)
    }

    pub const fn stay(bucket: StayBucket) -> Self {
        Self(bucket.first_value() + bucket.place())
    }

    /// Bit number of a fixed value, `None` for a named one.
    pub(super) const fn fixed(self) -> Option<usize> {
        if (self.0 as usize) < FIXED {
            Some(self.0 as usize)
        } else {
            None
        }
    }

    const fn named(kind: Kind, number: u32) -> Self {
        Self((kind as u32) << 24 | number)
    }

    /// Where the values of one kind begin and end in sorted order.
    pub(super) const fn range_of(kind: Kind) -> std::ops::Range<Self> {
        Self::named(kind, 0)..Self((kind as u32 + 1) << 24)
    }
}

/// A private or shared room, bathroom and kitchen: the three room attributes of Spec §5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RoomKind {
    pub shared_room: bool,
    pub shared_bathroom: bool,
    pub shared_kitchen: bool,
}

impl RoomKind {
    /// Private room, private bathroom, shared kitchen.
    pub const ENSUITE: Self = Self::new(false, false, true);
    /// Private room, private bathroom, private kitchen.
    pub const STUDIO: Self = Self::new(false, false, false);
    /// Shared room, shared bathroom, shared kitchen.
    pub const SHARED: Self = Self::new(true, true, true);
    /// Private room, shared bathroom, shared kitchen.
    pub const PRIVATE: Self = Self::new(false, true, true);

    pub const fn new(shared_room: bool, shared_bathroom: bool, shared_kitchen: bool) -> Self {
        Self {
            shared_room,
            shared_bathroom,
            shared_kitchen,
        }
    }

    /// All eight.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8_u8).map(|bits| Self::new(bits & 1 > 0, bits & 2 > 0, bits & 4 > 0))
    }

    const fn number(self) -> u32 {
        self.shared_room as u32 | (self.shared_bathroom as u32) << 1 | (self.shared_kitchen as u32) << 2
    }
}

/// Housing type (Spec §9; A4 adds the last two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitType {
    StudentAccommodation,
    IndependentHouse,
    Apartment,
    UniversityHall,
}

impl UnitType {
    pub const ALL: [Self; 4] = [
        Self::StudentAccommodation,
        Self::IndependentHouse,
        Self::Apartment,
        Self::UniversityHall,
    ];

    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::StudentAccommodation => "student_accommodation",
            Self::IndependentHouse => "independent_house",
            Self::Apartment => "apartment",
            Self::UniversityHall => "university_hall",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.word() == word)
    }
}

/// Whether a guarantor is asked for, and from where (Spec §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Guarantor {
    Local,
    International,
    NotRequired,
}

impl Guarantor {
    pub const ALL: [Self; 3] = [Self::Local, Self::International, Self::NotRequired];

    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::International => "international",
            Self::NotRequired => "false",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|guarantor| guarantor.word() == word)
    }
}

/// Where a listing is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    Active,
    Inactive,
    Deleted,
}

impl Status {
    pub const ALL: [Self; 3] = [Self::Active, Self::Inactive, Self::Deleted];

    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Deleted => "deleted",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// Stay durations as the filter offers them (Spec §9); no stay lies in two (D49).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StayBucket {
    Weeks0To4,
    Weeks5To25,
    Weeks26To40,
    Weeks41To45,
    WeeksOver45,
    Months0To4,
    Months5To8,
    MonthsOver8,
}

impl StayBucket {
    pub const WEEKS: [Self; 5] = [
        Self::Weeks0To4,
        Self::Weeks5To25,
        Self::Weeks26To40,
        Self::Weeks41To45,
        Self::WeeksOver45,
    ];
    pub const MONTHS: [Self; 3] = [Self::Months0To4, Self::Months5To8, Self::MonthsOver8];

    /// The words of Spec §9.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Weeks0To4 | Self::Months0To4 => "0-4",
            Self::Weeks5To25 => "5-25",
            Self::Weeks26To40 => "26-40",
            Self::Weeks41To45 => "41-45",
            Self::WeeksOver45 => "45+",
            Self::Months5To8 => "5-8",
            Self::MonthsOver8 => "8+",
        }
    }

    const fn first_value(self) -> u32 {
        match self {
            Self::Weeks0To4
            | Self::Weeks5To25
            | Self::Weeks26To40
            | Self::Weeks41To45
            | Self::WeeksOver45 => STAY_WEEKS,
            Self::Months0To4 | Self::Months5To8 | Self::MonthsOver8 => STAY_MONTHS,
        }
    }

    const fn place(self) -> u32 {
        match self {
            Self::Weeks0To4 | Self::Months0To4 => 0,
            Self::Weeks5To25 | Self::Months5To8 => 1,
            Self::Weeks26To40 | Self::MonthsOver8 => 2,
            Self::Weeks41To45 => 3,
            Self::WeeksOver45 => 4,
        }
    }
}

/// Kinds of values with open names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Feature = 1,
    Tag = 2,
    Region = 3,
    Owner = 4,
    Partner = 5,
}

/// Numbers given to named values, and back. Only ever grows.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    kinds: [Names; 6],
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
        let mut values: Vec<Value> = RoomKind::all().map(Value::room).collect();
        values.extend((0..6).flat_map(|n| [Value::bedrooms(n), Value::bathrooms(n)]));
        values.extend((1..=12).map(Value::move_in));
        values.extend(UnitType::ALL.map(Value::unit));
        values.extend(Guarantor::ALL.map(Value::guarantor));
        values.extend(Status::ALL.map(Value::status));
        values.extend(StayBucket::WEEKS.map(Value::stay));
        values.extend(StayBucket::MONTHS.map(Value::stay));
        values.extend([Value::DUAL_OCCUPANCY, Value::SINGLE_OCCUPANCY, Value::AVAILABLE]);
        values.extend([Value::UNAVAILABLE, Value::MONTHLY]);
        let count = values.len();
        assert!(values.iter().all(|value| value.fixed().is_some()));
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), count);
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
