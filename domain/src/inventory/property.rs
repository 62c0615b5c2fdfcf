//! What is known about a property as a whole.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::let_room::LeaseTerms;
use super::media::Media;
use crate::booking_form::definition::FormDefinition;
use crate::country::Country;
use crate::id::{ProviderId, RegionId};
use crate::money::{Currency, Period};
use crate::place::{Address, Coordinates, PlaceName, slug};
use crate::wording::Wording;

/// Everything about a property but its rooms, offers, reviews and prices over time. An absent fact was said by nobody, and nothing
/// shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyDetails {
    pub name: String,
    /// Names in languages that have another one for it. A person who sets the name leaves them.
    #[serde(default, skip_serializing_if = "Wording::is_unwritten")]
    pub local_names: Wording,
    pub canonical_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PropertyKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_type: Option<UnitType>,
    pub country: Country,
    /// The city the property is found under.
    pub region: RegionId,
    /// The area of the city, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<RegionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderId>,
    /// Who lets it, as its source names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_name: Option<String>,
    /// Where an imported listing came from; importing it again finds it by this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    pub address: Address,
    /// `None` where nobody said a point: it is found under its city, without a pin and distances (decision 0047).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Coordinates>,
    pub currency: Currency,
    /// What its prices are for; wins over the country's period on its own card (D32).
    pub period: Period,
    pub description: Wording,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// Who may stand surety; `None` where nothing is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantor: Option<Guarantor>,
    /// Whether two may live in one of its rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dual_occupancy: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// Photos, plans, videos and tours.
    #[serde(default, skip_serializing_if = "Media::is_empty")]
    pub media: Media,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faqs: Vec<Faq>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NearbyPlace>,
    pub terms: PaymentTerms,
    #[serde(default)]
    pub policy: Policy,
    #[serde(default)]
    pub facts: PropertyFacts,
    /// Numbers of the house's office, in E.164.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phones: Vec<String>,
    /// Address of the house's office; for staff alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Its page at its source; for staff alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_link: Option<String>,
    /// Its own booking form, where the default one does not fit (D89).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_form: Option<FormDefinition>,
}

impl PropertyDetails {
    /// Its name in the language of that tag, where it has one there.
    pub fn name_in(&self, tag: &str) -> &str {
        self.local_names.written_in(tag).unwrap_or(&self.name)
    }

    /// Whether amounts mean the same in both: currency, and what a price is for.
    pub fn has_money_of(&self, other: &Self) -> bool {
        (self.currency, self.period) == (other.currency, other.period)
    }

    /// Its name and address without case, accents and punctuation: two homes of one key may be doubles. Where no postcode tells streets of
    /// one name apart, the city does. `None` where no street is said.
    pub fn alike_key(&self) -> Option<String> {
        let address = &self.address;
        let long = |part: &Option<PlaceName>| part.as_ref().map(|name| slug(&name.long_name));
        let street = long(&address.route).filter(|street| !street.is_empty())?;
        let number = long(&address.street_number).unwrap_or_default();
        let code = long(&address.postal_code).unwrap_or_default().replace('-', "");
        let place = if code.is_empty() {
            self.region.to_string()
        } else {
            code
        };
        let (country, name) = (self.country.key(), slug(&self.name));
        Some(format!("{country}/{name}/{number}/{street}/{place}"))
    }
}

/// What kind of house it is; `student_accommodation` in a list also brings apartments and university halls (A4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKind {
    StudentAccommodation,
    Apartment,
    UniversityHall,
    House,
}

impl PropertyKind {
    pub const ALL: [Self; 4] = [
        Self::StudentAccommodation,
        Self::Apartment,
        Self::UniversityHall,
        Self::House,
    ];

    pub const fn key(self) -> &'static str {
        match self {
            Self::StudentAccommodation => "student_accommodation",
            Self::Apartment => "apartment",
            Self::UniversityHall => "university_hall",
            Self::House => "house",
        }
    }
}

/// The two answers of the Housing Type filter (`meta_unit_types`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitType {
    IndependentHouse,
    StudentAccommodation,
}

impl UnitType {
    pub const fn key(self) -> &'static str {
        match self {
            Self::IndependentHouse => "independent_house",
            Self::StudentAccommodation => "student_accommodation",
        }
    }
}

/// Who may stand surety (`guarantor` filter: local, international, false).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guarantor {
    Local,
    International,
    NotRequired,
}

impl Guarantor {
    /// The filter's word; `false` means that none is needed.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::International => "international",
            Self::NotRequired => "false",
        }
    }

    /// Whether one is asked for, as the specification writes it: a string (Spec §5, D42).
    pub const fn required(self) -> &'static str {
        match self {
            Self::Local | Self::International => "true",
            Self::NotRequired => "false",
        }
    }
}

/// Marks of a property that rules and badges read (Spec §3, D59).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    NotAvailable,
    DualOccupancy,
    Exclusive,
    StudentsChoice,
    BreakfastIncluded,
    LocalNonCommissionable,
}

impl Tag {
    pub const fn key(self) -> &'static str {
        match self {
            Self::NotAvailable => "not_available",
            Self::DualOccupancy => "dual_occupancy",
            Self::Exclusive => "exclusive",
            Self::StudentsChoice => "students_choice",
            Self::BreakfastIncluded => "breakfast_included",
            Self::LocalNonCommissionable => "local_non_commissionable",
        }
    }
}

/// One amenity; `key` names its text in the message catalogues (`feature.<key>`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Feature {
    pub group: FeatureGroup,
    pub key: String,
}

/// Where a page lists an amenity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureGroup {
    Bills,
    Property,
    Room,
    Community,
    Security,
}

impl FeatureGroup {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Bills => "bills",
            Self::Property => "property",
            Self::Room => "room",
            Self::Community => "community",
            Self::Security => "security",
        }
    }
}

/// A picture is drawn from its seed and kind; `variant` is another room of the same house.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Picture {
    pub seed: String,
    pub kind: PictureKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureKind {
    Exterior,
    Bedroom,
    Studio,
    Kitchen,
    Bathroom,
    Lounge,
    Gym,
    Study,
    Courtyard,
}

impl PictureKind {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Exterior => "exterior",
            Self::Bedroom => "bedroom",
            Self::Studio => "studio",
            Self::Kitchen => "kitchen",
            Self::Bathroom => "bathroom",
            Self::Lounge => "lounge",
            Self::Gym => "gym",
            Self::Study => "study",
            Self::Courtyard => "courtyard",
        }
    }
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faq {
    pub question: Wording,
    pub answer: Wording,
}

/// Something of daily life close by; `kind` names its text (`place.<kind>`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearbyPlace {
    pub kind: String,
    pub distance_m: u32,
}

/// What is asked for before a student moves in, in minor units of the property's currency (Spec §3, D37, D38, D41).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentTerms {
    /// `meta.payment`: `false` turns booking off.
    pub booking_allowed: bool,
    pub payment_before_bookform: bool,
    /// 0 = not said, unless `asks_no_deposit`: then the house's default is asked for (Spec §9), which is no term of the home.
    pub deposit_minor: u64,
    /// Said of a home that takes no deposit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_no_deposit: bool,
    pub refundable_token_minor: u64,
    pub platform_fee_minor: u64,
    /// Cap of a deposit worked out by the multiplier; 0 = no cap.
    pub max_deposit_minor: u64,
    /// Hundredths of one period's price: 150 = one and a half weeks or months; 0 = not used.
    pub deposit_multiplier_percent: u32,
}

impl PaymentTerms {
    /// Says whether a booking of a lease can be paid for: it is on, and something is due first. A lease that asks nothing is enquired about,
    /// since a booking begins with a payment.
    pub const fn takes_bookings(&self, lease: &LeaseTerms) -> bool {
        self.booking_allowed && self.asks_something(lease)
    }

    /// Says whether something is paid through the house before moving in: a deposit, a holding fee or the platform's.
    pub const fn asks_something(&self, lease: &LeaseTerms) -> bool {
        let is_deposit_due = match lease.deposit_minor {
            Some(deposit_minor) => deposit_minor > 0,
            None => !self.asks_no_deposit,
        };
        is_deposit_due || self.refundable_token_minor > 0 || self.platform_fee_minor > 0
    }

    /// Whether the home says what its deposit is: none, an amount, or a multiple of its rent.
    pub const fn names_deposit(&self) -> bool {
        self.asks_no_deposit || self.deposit_minor > 0 || self.deposit_multiplier_percent > 0
    }
}

impl Default for PaymentTerms {
    fn default() -> Self {
        Self {
            booking_allowed: true,
            payment_before_bookform: false,
            deposit_minor: 0,
            asks_no_deposit: false,
            refundable_token_minor: 0,
            platform_fee_minor: 0,
            max_deposit_minor: 0,
            deposit_multiplier_percent: 0,
        }
    }
}

/// What a tenant may expect when plans change. 0 and `false` mean that nothing is promised, so nothing shows them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Policy {
    /// Days after booking in which it can be given back for nothing.
    pub cooling_off_days: u16,
    /// Money back when the university place is refused.
    pub no_place_no_pay: bool,
    /// Money back when the visa is refused.
    pub no_visa_no_pay: bool,
    /// Number of rent instalments.
    pub instalments: u8,
}

/// Plain facts for the overview.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PropertyFacts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_year: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residents: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floors: Option<u8>,
    /// Whether the rent includes all bills; `false` where some are apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bills_included: Option<bool>,
    /// When the marketplace's own people last looked at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_on: Option<NaiveDate>,
}

/// Where an imported listing came from: the feed and the listing's id there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    pub feed: String,
    pub id: String,
}
