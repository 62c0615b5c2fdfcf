//! Turns a home of a feed into a property with its rooms. What the feed does not say stays unsaid (decision 0042), and what it says in a
//! form that the house cannot keep is told in the report.

use chrono::NaiveDate;
use domain::contact::{Email, Phone, shown_name};
use domain::country::Country;
use domain::home_address::ADDRESS_MAX;
use domain::inventory::property::{
    Faq, Guarantor, PaymentTerms, Policy, PropertyDetails, PropertyFacts, PropertyKind, Source, UnitType,
};
use domain::money::{Currency, Period};
use domain::place::{Address, PlaceName, slug};
use feeds::{Amount, Deposit, Fault, Home, Status, Verdict};

use crate::facilities::{read_bills, read_facilities};
use crate::leases::{Pricing, find_period};
use crate::media::read_home_media;
use crate::places::{Gazetteer, Named, Spot, named_id};
use crate::report::note;
use crate::rooms::{OfferedRoom, offer_rooms};
use crate::texts::{choose_text, write_description, write_other_names, write_wording};

/// Longer names are cut: no page could show them.
const NAME_MAX: usize = 120;
/// Bytes of a name that its address carries.
const SLUG_MAX: usize = 80;
/// Bytes of a link; no page of a home needs more.
const LINK_MAX: usize = 2_000;
/// Bytes of an id that its address carries.
const ID_MAX: usize = 48;

/// The feed of a home, and the day on which it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'o> {
    pub(crate) feed: &'o str,
    pub(crate) today: NaiveDate,
}

/// A home ready to be adopted.
pub(crate) struct Listing {
    pub(crate) property: Box<PropertyDetails>,
    pub(crate) rooms: Vec<OfferedRoom>,
    /// Remarks for the writer of its feed.
    pub(crate) notes: Vec<Fault>,
}

/// Turns a home into a listing; its city is opened where it is not known yet.
///
/// # Errors
/// Why it cannot be listed, and what would be right.
pub(crate) fn read_listing(
    home: &Home,
    origin: Origin<'_>,
    places: &mut Gazetteer,
) -> Result<Listing, Fault> {
    let name = shown_name(choose_text(&home.name), NAME_MAX);
    if name.is_empty() {
        return Err(refuse(home, "name", "", "the name has no letters to show"));
    }
    let country = read_country(home)?;
    let (currency, pricing) = read_pricing(home, country)?;
    let spot = find_spot(home, country, places)?;
    let mut notes = Vec::new();
    let rooms = offer_rooms(home, country, pricing, origin.today, &mut notes);
    let terms = read_terms(home, pricing, &mut notes);
    let (mut features, words) = read_facilities(home);
    let (bills_included, bills) = read_bills(home);
    features.extend(bills);
    let kind = home.kind.as_deref().and_then(read_kind);
    let property = PropertyDetails {
        canonical_name: write_address(&name, origin.feed, &home.id),
        name,
        local_names: write_other_names(&home.name, NAME_MAX),
        kind,
        unit_type: kind.and_then(find_unit_type),
        country,
        region: spot.city,
        area: spot.area,
        provider: None,
        provider_name: home
            .provider
            .as_deref()
            .map(|name| shown_name(name, NAME_MAX))
            .filter(|name| !name.is_empty()),
        source: Some(Source {
            feed: origin.feed.to_owned(),
            id: home.id.clone(),
        }),
        address: read_address(home, country),
        coordinates: home.place.point,
        currency,
        period: pricing.period,
        description: write_description(home, &words),
        features,
        tags: Vec::new(),
        guarantor: read_guarantor(home),
        dual_occupancy: count_dual(&rooms),
        // Nothing is drawn for a home of a feed: nobody said that it looks so.
        pictures: Vec::new(),
        media: read_home_media(home, &mut notes),
        faqs: read_faqs(home),
        places: Vec::new(),
        terms,
        policy: read_policy(home),
        facts: PropertyFacts {
            bills_included,
            ..PropertyFacts::default()
        },
        phones: read_phones(home, &mut notes),
        email: read_email(home, &mut notes),
        source_link: read_source_link(home, &mut notes),
        custom_form: None,
    };
    Ok(Listing {
        property: Box::new(property),
        rooms,
        notes,
    })
}

fn refuse(home: &Home, path: &str, value: &str, reason: impl Into<String>) -> Fault {
    Fault {
        verdict: Verdict::HomeRejected,
        ..note(home.line, path, value, reason)
    }
}

fn read_country(home: &Home) -> Result<Country, Fault> {
    let said = home.place.country.unwrap_or_default();
    Country::find(said).ok_or_else(|| refuse(home, "country", said, "no homes are let in this country"))
}

/// The currency of the first price, which holds for the home, and the period of all of them.
fn read_pricing(home: &Home, country: Country) -> Result<(Currency, Pricing), Fault> {
    let mut leases = home.rooms.iter().flat_map(|room| &room.leases);
    let said = leases
        .find_map(|lease| lease.price)
        .map(|price| price.amount.currency);
    let said = said.unwrap_or_else(|| country.currency().code());
    let currency = Currency::from_code(said).ok_or_else(|| {
        refuse(
            home,
            "currency",
            said,
            "the house takes no money in this currency",
        )
    })?;
    let pricing = Pricing {
        currency: currency.code(),
        period: find_period(&home.rooms, country.period()),
        is_let_out: home.status == Some(Status::Let),
        has_own_deposits: list_deposits(home).len() > 1,
    };
    Ok((currency, pricing))
}

fn find_spot(home: &Home, country: Country, places: &mut Gazetteer) -> Result<Spot, Fault> {
    let named = Named {
        country,
        city: home.place.city.as_deref().unwrap_or_default(),
        area: home.place.area.as_deref().unwrap_or_default(),
        state: home.place.state.as_deref().unwrap_or_default(),
        middle: home.place.middle,
    };
    places.spot(&named, home.place.point).map_err(|(path, reason)| {
        let value = match path {
            "city" => named.city,
            _ => "",
        };
        refuse(home, path, value, reason)
    })
}

fn read_address(home: &Home, country: Country) -> Address {
    let named = |text: &Option<String>| text.as_deref().map(PlaceName::plain);
    let place = &home.place;
    Address {
        route: named(&place.street),
        locality: named(&place.city),
        district: named(&place.area),
        state: named(&place.state),
        country: Some(PlaceName {
            long_name: country.name().into(),
            short_name: country.iso().into(),
        }),
        postal_code: named(&place.postal_code),
        ..Address::default()
    }
}

/// Name and id by which pages and links know a home, unless another one has that address.
fn write_address(name: &str, feed: &str, id: &str) -> String {
    let own = slug(id);
    // An id of signs alone, or a long one, still needs an address of its own.
    let own = if own.is_empty() || own.len() > ID_MAX {
        named_id(&["address", feed, id]).simple().to_string()
    } else {
        own
    };
    let most = SLUG_MAX.min(ADDRESS_MAX - own.len() - 1);
    let mut name = slug(name);
    while name.len() > most {
        name.pop();
    }
    [name.trim_matches('-'), &own]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// The kind of house by the feed's words.
fn read_kind(words: &str) -> Option<PropertyKind> {
    match slug(&words.replace('_', " ")).as_str() {
        "student-accommodation"
        | "student-residence"
        | "student-housing"
        | "pbsa"
        | "studentenwohnheim"
        | "residencia-de-estudiantes"
        | "residence-etudiante"
        | "studentato" => Some(PropertyKind::StudentAccommodation),
        "university-hall" | "university-halls" | "hall-of-residence" | "halls-of-residence" => {
            Some(PropertyKind::UniversityHall)
        }
        "apartment" | "flat" | "condo" | "wohnung" | "apartamento" | "piso" | "appartement"
        | "appartamento" => Some(PropertyKind::Apartment),
        "house"
        | "detached-house"
        | "semi-detached-house"
        | "terraced-house"
        | "townhouse"
        | "haus"
        | "casa"
        | "maison" => Some(PropertyKind::House),
        _ => None,
    }
}

/// The answer of the Housing Type filter, where the kind gives one.
const fn find_unit_type(kind: PropertyKind) -> Option<UnitType> {
    match kind {
        PropertyKind::StudentAccommodation | PropertyKind::UniversityHall => {
            Some(UnitType::StudentAccommodation)
        }
        PropertyKind::House => Some(UnitType::IndependentHouse),
        PropertyKind::Apartment => None,
    }
}

/// Reads who may stand surety, where the feed says it, or that no guarantor is needed.
fn read_guarantor(home: &Home) -> Option<Guarantor> {
    let said = home.guarantor.as_ref()?;
    if said.required == Some(false) {
        return Some(Guarantor::NotRequired);
    }
    let kinds: Vec<String> = said.kinds.iter().map(|kind| slug(kind)).collect();
    let names = |word: &str| kinds.iter().any(|kind| kind.split('-').any(|part| part == word));
    if names("international") || names("overseas") {
        Some(Guarantor::International)
    } else if names("local") || names("domestic") || names("uk") {
        Some(Guarantor::Local)
    } else {
        None
    }
}

/// Whether two may live in one of the rooms, where it is said of some.
fn count_dual(rooms: &[OfferedRoom]) -> Option<bool> {
    let taken = rooms.iter().filter(|room| !room.is_rejected);
    let mut said = taken.filter_map(|room| room.details.dual_occupancy);
    let first = said.next()?;
    Some(first || said.any(|is_for_two| is_for_two))
}

/// The deposits of a home's leases, each once where neighbours agree.
fn list_deposits(home: &Home) -> Vec<Option<Deposit>> {
    let leases = home.rooms.iter().flat_map(|room| &room.leases);
    let mut deposits: Vec<Option<Deposit>> = leases.map(|lease| lease.deposit).collect();
    deposits.dedup();
    deposits
}

/// Reads the amounts that are asked for before a student moves in. A deposit that all leases name is the home's.
fn read_terms(home: &Home, pricing: Pricing, notes: &mut Vec<Fault>) -> PaymentTerms {
    let deposits = list_deposits(home);
    let mut terms = PaymentTerms {
        platform_fee_minor: amount_in(home.terms.platform_fee, pricing),
        ..PaymentTerms::default()
    };
    let per_cent = |count: u32| count.checked_mul(100).unwrap_or_default();
    let is_kept = match (&deposits[..], pricing.period) {
        ([] | [None], _) => true,
        ([Some(Deposit::Amount(Amount { minor: 0, .. }) | Deposit::Months(0) | Deposit::Weeks(0))], _) => {
            terms.asks_no_deposit = true;
            true
        }
        ([Some(Deposit::Amount(amount))], _) if amount.currency == pricing.currency => {
            terms.deposit_minor = amount.minor;
            true
        }
        ([Some(Deposit::Months(count))], Period::Monthly)
        | ([Some(Deposit::Weeks(count))], Period::Weekly) => {
            terms.deposit_multiplier_percent = per_cent(*count);
            true
        }
        // Each lease has its own.
        _ => deposits.len() > 1,
    };
    if !is_kept {
        let reason = "the deposit is in another currency or period than the rent, and is not shown";
        notes.push(note(home.line, "deposit", "", reason));
    }
    terms
}

fn amount_in(amount: Option<Amount>, pricing: Pricing) -> u64 {
    amount
        .filter(|amount| amount.currency == pricing.currency)
        .map_or(0, |amount| amount.minor)
}

fn read_policy(home: &Home) -> Policy {
    let terms = &home.terms;
    Policy {
        cooling_off_days: 0,
        no_place_no_pay: terms.no_place_no_pay == Some(true),
        no_visa_no_pay: terms.no_visa_no_pay == Some(true),
        instalments: terms
            .instalments
            .and_then(|count| u8::try_from(count).ok())
            .unwrap_or_default(),
    }
}

fn read_faqs(home: &Home) -> Vec<Faq> {
    let faqs = home.questions.iter().map(|asked| Faq {
        question: write_wording(&asked.question),
        answer: write_wording(&asked.answer),
    });
    faqs.filter(|faq| !faq.question.is_blank() && !faq.answer.is_blank())
        .collect()
}

fn read_phones(home: &Home, notes: &mut Vec<Fault>) -> Vec<String> {
    let Some(said) = &home.phone else {
        return Vec::new();
    };
    if let Ok(phone) = Phone::parse(said) {
        return vec![phone.e164().to_owned()];
    }
    let reason =
        "it is no number that can be called from abroad, and is not shown: write it as +44 113 496 0000";
    notes.push(note(home.line, "phone", said, reason));
    Vec::new()
}

/// The mail address of the house's office.
fn read_email(home: &Home, notes: &mut Vec<Fault>) -> Option<String> {
    let said = home.email.as_deref()?;
    let address = Email::parse(said);
    if address.is_err() {
        let reason = "it is no mail address, and is not kept: write it as office@home.example";
        notes.push(note(home.line, "email", said, reason));
    }
    address.ok().map(|address| address.as_str().to_owned())
}

/// The page of the home at its source.
fn read_source_link(home: &Home, notes: &mut Vec<Fault>) -> Option<String> {
    let said = home.source_link.as_deref()?;
    let is_page = said.starts_with("https://") || said.starts_with("http://");
    if is_page && said.len() <= LINK_MAX {
        return Some(said.to_owned());
    }
    let reason = "it is no address of a page, and is not kept: write it as https://home.example/1";
    notes.push(note(home.line, "source_link", said, reason));
    None
}

#[cfg(test)]
mod tests {
    use domain::inventory::let_room::LeaseTerms;
    use feeds::{LeaseOption, Room};

    use super::*;

    #[test]
    fn addresses_are_of_bounded_length_and_end_with_the_id() {
        assert_eq!(write_address("Aspen Hall", "feed", "A-1"), "aspen-hall-a-1");
        assert_eq!(write_address("🏠", "feed", "A-1"), "a-1");
        let long = write_address(&"x".repeat(120), "feed", &"y".repeat(120));
        assert!(long.len() <= ADDRESS_MAX, "{long}");
        assert_ne!(
            write_address("Loft", "feed", "***"),
            write_address("Loft", "feed", "+++")
        );
    }

    #[test]
    fn home_has_one_deposit_or_none_is_shown() {
        let amount = |minor| {
            Some(Deposit::Amount(Amount {
                minor,
                currency: "GBP",
            }))
        };
        let read = |deposits: &[Option<Deposit>], period| {
            let leases = deposits.iter().map(|deposit| LeaseOption {
                deposit: *deposit,
                ..LeaseOption::default()
            });
            let room = Room {
                leases: leases.collect(),
                ..Room::default()
            };
            let home = Home {
                rooms: vec![room],
                ..Home::default()
            };
            let pricing = Pricing {
                currency: "GBP",
                period,
                is_let_out: false,
                has_own_deposits: list_deposits(&home).len() > 1,
            };
            let mut notes = Vec::new();
            (read_terms(&home, pricing, &mut notes), notes.len())
        };
        let terms = |deposits: &[Option<Deposit>], period| {
            let (terms, notes) = read(deposits, period);
            (terms.deposit_minor, terms.deposit_multiplier_percent, notes)
        };
        assert_eq!(
            terms(&[amount(25_000), amount(25_000)], Period::Weekly),
            (25_000, 0, 0)
        );
        assert_eq!(
            terms(&[amount(25_000), amount(30_000)], Period::Weekly),
            (0, 0, 0),
            "each lease has its own"
        );
        assert_eq!(terms(&[None, None], Period::Weekly), (0, 0, 0));
        assert!(read(&[amount(0), amount(0)], Period::Weekly).0.names_deposit());
        assert!(
            read(&[Some(Deposit::Months(0))], Period::Weekly)
                .0
                .asks_no_deposit
        );
        assert!(!read(&[None, None], Period::Weekly).0.names_deposit());
        let silent = LeaseTerms::default();
        assert!(
            !read(&[amount(0)], Period::Weekly).0.takes_bookings(&silent),
            "nothing is due"
        );
        assert!(read(&[None], Period::Weekly).0.takes_bookings(&silent));
        assert_eq!(terms(&[Some(Deposit::Months(2))], Period::Monthly), (0, 200, 0));
        assert_eq!(terms(&[Some(Deposit::Months(2))], Period::Weekly), (0, 0, 1));
    }

    #[test]
    fn guarantor_is_said_where_the_feed_says_who() {
        let guarantor = |required, kinds: &[&str]| {
            let said = feeds::Guarantor {
                required,
                kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
                words: None,
            };
            read_guarantor(&Home {
                guarantor: Some(said),
                ..Home::default()
            })
        };
        assert_eq!(guarantor(Some(false), &[]), Some(Guarantor::NotRequired));
        assert_eq!(guarantor(Some(true), &["UK homeowner"]), Some(Guarantor::Local));
        assert_eq!(
            guarantor(Some(true), &["uk", "International"]),
            Some(Guarantor::International)
        );
        assert_eq!(guarantor(Some(true), &[]), None, "it is not said who");
        assert_eq!(read_guarantor(&Home::default()), None);
    }
}
