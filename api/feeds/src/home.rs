//! Homes as a feed says them. Every fact is optional but the id: what no row says is absent here, and nothing is filled in.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use domain::place::Coordinates;
use domain::room::RoomAttributes;

/// A text by its language: a tag such as `en` or `zh`, or [`UNDETERMINED`].
pub type Texts = BTreeMap<String, String>;

/// The tag of a text whose language the feed does not say.
pub const UNDETERMINED: &str = "und";

/// A property with its rooms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Home {
    /// The line on which it begins.
    pub line: u64,
    /// Its id in the feed, as the feed writes it.
    pub id: String,
    pub name: Texts,
    /// Its kind in the feed's own words: `Student residence`.
    pub kind: Option<String>,
    pub provider: Option<String>,
    pub description: Texts,
    pub house_rules: Texts,
    pub cancellation: Texts,
    pub refund_policy: Texts,
    pub directions: Texts,
    pub place: Place,
    pub facilities: Vec<Facility>,
    pub bills: Option<Bills>,
    pub guarantor: Option<Guarantor>,
    pub terms: Terms,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub photos: Vec<Picture>,
    pub floor_plans: Vec<Picture>,
    pub videos: Vec<String>,
    pub tours: Vec<String>,
    pub questions: Vec<Question>,
    pub source_link: Option<String>,
    pub status: Option<Status>,
    pub bedrooms: Option<u32>,
    /// Halves of bathrooms: 3 is one and a half.
    pub half_bathrooms: Option<u32>,
    pub rooms: Vec<Room>,
    /// Rooms that it has and that cannot be used, as far as they are read: their faults say nothing about what was read of them before.
    pub rejected_rooms: Vec<Room>,
}

/// Where a property stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// ISO 3166 code of two letters.
    pub country: Option<&'static str>,
    pub state: Option<String>,
    /// The city by its one name, where the caller's knowledge has it; else as the feed writes it.
    pub city: Option<String>,
    pub area: Option<String>,
    pub street: Option<String>,
    pub postal_code: Option<String>,
    pub point: Option<Coordinates>,
    /// The middle of the file's other homes in a city that the caller does not know, where this one says no point.
    pub middle: Option<Coordinates>,
}

/// A facility in the feed's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facility {
    pub words: String,
    /// False where the feed says that there is none.
    pub is_there: bool,
}

/// Whether a bill is part of the rent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillState {
    Included,
    Apart,
}

/// One bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bill {
    /// Such as `electricity`, in the feed's own words.
    pub words: String,
    pub state: BillState,
    /// A month's amount, in minor units of the home's currency.
    pub amount_minor: Option<u64>,
}

/// Bills beside the rent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bills {
    /// Of all bills together.
    pub all: Option<BillState>,
    pub items: Vec<Bill>,
}

/// Rules about a guarantor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guarantor {
    pub required: Option<bool>,
    pub kinds: Vec<String>,
    /// The feed's own sentence, where it says more than yes or no.
    pub words: Option<String>,
}

/// Terms of payment of a property.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    pub holding_fee: Option<Amount>,
    pub platform_fee: Option<Amount>,
    pub instalments: Option<u32>,
    pub no_visa_no_pay: Option<bool>,
    pub no_place_no_pay: Option<bool>,
}

/// A photo or a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// A URL, or a path beside the file.
    pub place: String,
    pub caption: Texts,
    /// Such as `exterior`, in the feed's own words.
    pub kind: Option<String>,
}

/// A question that students ask, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub question: Texts,
    pub answer: Texts,
}

/// Whether a home is let at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Active,
    Paused,
    /// Let for now: it is shown and cannot be booked.
    Let,
    Closed,
}

/// A room type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Room {
    pub line: u64,
    /// Its id in the property; `None` where the feed has none.
    pub key: Option<String>,
    pub name: Texts,
    pub kind: Option<RoomKind>,
    pub size_cm2: Option<u64>,
    pub bed: Option<String>,
    pub floor: Option<String>,
    pub sleeps: Option<u32>,
    pub gender: Option<String>,
    pub bedrooms: Option<u32>,
    /// How many rooms of this type there are.
    pub total: Option<u32>,
    /// How many of them are free, where the feed says it of the room and not of its leases.
    pub free: Option<u32>,
    pub facilities: Vec<Facility>,
    pub photos: Vec<Picture>,
    pub floor_plans: Vec<Picture>,
    pub leases: Vec<LeaseOption>,
    /// Leases that it has and that cannot be used, as far as they are read. Those whose time is over are not among them.
    pub rejected_leases: Vec<LeaseOption>,
}

/// The thing that is let: a room with its bathroom and kitchen, or the whole place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoomKind {
    /// The whole flat or house.
    pub is_entire: bool,
    pub attributes: RoomAttributes,
}

/// A way to rent a room.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeaseOption {
    pub line: u64,
    pub key: Option<String>,
    pub move_in: Option<MoveIn>,
    pub end: Option<NaiveDate>,
    pub length: Option<Length>,
    pub price: Option<Price>,
    pub deposit: Option<Deposit>,
    /// Bills of a month beside the rent.
    pub bills: Option<LeaseBills>,
    pub rooms_free: Option<u32>,
    pub booking_deadline: Option<NaiveDate>,
    /// Nights that are not let, each from its first to its last day.
    pub blocked: Vec<(NaiveDate, NaiveDate)>,
    pub is_bookable: Option<bool>,
}

/// When a student can move in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveIn {
    Now,
    Day(NaiveDate),
    Window(NaiveDate, NaiveDate),
    /// A term in the feed's own words: `WS 2027/28`.
    Words(String),
}

/// A unit of lengths of stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StayUnit {
    Night,
    Week,
    Month,
    Year,
}

/// How long a stay lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Length {
    Exactly(u32, StayUnit),
    Between {
        least: Option<(u32, StayUnit)>,
        most: Option<(u32, StayUnit)>,
    },
    OpenEnded,
    /// In the feed's own words: `1 Semester`.
    Words(String),
}

/// Money of any currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    pub minor: u64,
    /// ISO 4217 code.
    pub currency: &'static str,
}

/// The time that a price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PricePeriod {
    Night,
    Week,
    Month,
    Quarter,
    Year,
}

/// A rent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    pub amount: Amount,
    /// The upper end of a rent from–to, in minor units.
    pub most_minor: Option<u64>,
    pub period: PricePeriod,
    pub is_per_person: Option<bool>,
}

/// A deposit of a lease or, where the feed says it once, of all leases of the home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deposit {
    Amount(Amount),
    /// So many months' rent.
    Months(u32),
    /// So many weeks' rent.
    Weeks(u32),
}

/// Bills of one lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseBills {
    Included,
    Monthly(Amount),
}
