use chrono::NaiveDate;
use uuid::Uuid;

use super::let_room::{Bed, LeaseOption, LeaseTerms};
use super::market::{OfferKind, PartRatings};
use super::media::Media;
use super::property::{Guarantor, PaymentTerms, Policy, PropertyFacts, PropertyKind, UnitType};
use super::*;
use crate::aggregate::fold;
use crate::country::Country;
use crate::id::RegionId;
use crate::lease::Lease;
use crate::money::{Currency, Period};
use crate::place::{Address, Coordinates, PlaceName};
use crate::room::{RoomAttributes, Sharing};
use crate::wording::Wording;

pub(crate) fn property() -> Box<PropertyDetails> {
    Box::new(PropertyDetails {
        name: "Bloomsbury Row".into(),
        canonical_name: "bloomsbury-row-london".into(),
        kind: Some(PropertyKind::StudentAccommodation),
        unit_type: Some(UnitType::StudentAccommodation),
        country: Country::Uk,
        region: RegionId(Uuid::from_u128(1)),
        area: None,
        provider: None,
        provider_name: None,
        local_names: Wording::default(),
        source: None,
        address: Address::default(),
        coordinates: Some(Coordinates::new(51_527_000, -125_000)),
        currency: Currency::Gbp,
        period: Period::Weekly,
        description: Wording::english("A brick building"),
        features: vec![],
        tags: vec![],
        guarantor: Some(Guarantor::Local),
        dual_occupancy: Some(false),
        pictures: vec![],
        media: Media::default(),
        faqs: vec![],
        places: vec![],
        terms: PaymentTerms::default(),
        policy: Policy::default(),
        facts: PropertyFacts {
            bills_included: Some(false),
            ..PropertyFacts::default()
        },
        phones: Vec::new(),
        email: None,
        source_link: None,
        custom_form: None,
    })
}

pub(crate) fn room(id: u128) -> RoomDetails {
    RoomDetails {
        id: InventoryId(Uuid::from_u128(id)),
        canonical_name: format!("bloomsbury-row-london-room-{id}"),
        name: Wording::english("Ensuite Room").with("zh", "独立卫浴房"),
        attributes: RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Shared),
        bedrooms: Some(1),
        bathrooms: Some(1),
        area_sqm: Some(14),
        bed: Some(Bed::SmallDouble),
        floor: None,
        sleeps: None,
        kitchen_shared_by: Some(6),
        dual_occupancy: Some(false),
        asked_minor: None,
        pictures: vec![],
        media: Media::default(),
    }
}

pub(crate) fn lease(price_minor: u64, rooms_available: u32) -> LeaseOption {
    LeaseOption {
        move_in: NaiveDate::from_ymd_opt(2027, 9, 11).unwrap(),
        length: Lease::weeks(44),
        price_minor,
        rooms_available,
        terms: LeaseTerms::default(),
    }
}

pub(super) fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

pub(super) fn review() -> Review {
    Review {
        id: "r1".into(),
        author: "Ananya S.".into(),
        course: None,
        rating: 5,
        parts: PartRatings {
            location: 5,
            staff: 5,
            room: 4,
            value: 4,
        },
        stayed_from: day(2025, 9, 1),
        stayed_to: day(2026, 7, 1),
        text: Wording::english("Quiet"),
    }
}

pub(super) fn adopt(rooms: Vec<(RoomDetails, Vec<LeaseOption>)>) -> InventoryCommand {
    let offered = rooms.into_iter().map(|(room, leases)| (room, leases.into()));
    InventoryCommand::Adopt {
        property: property(),
        rooms: offered.collect(),
    }
}

pub(super) fn after(commands: Vec<InventoryCommand>) -> Inventory {
    commands
        .into_iter()
        .fold(Inventory::default(), |mut state, command| {
            let events = state.decide(command).unwrap();
            for event in &events {
                state.evolve(event);
            }
            state
        })
}

#[test]
fn adopting_the_same_listing_twice_changes_nothing() {
    let listing = adopt(vec![(room(2), vec![lease(28_900, 4)])]);
    assert_eq!(after(vec![listing.clone()]).decide(listing), Ok(vec![]));
}

#[test]
fn adopting_a_new_price_records_the_price_alone() {
    let state = after(vec![adopt(vec![(room(2), vec![lease(28_900, 4)])])]);
    let dearer = vec![lease(29_900, 4)];
    let events = state.decide(adopt(vec![(room(2), dearer.clone())])).unwrap();
    assert_eq!(
        events,
        vec![InventoryEvent::RoomPriced {
            room: room(2).id,
            rooms: Some(4),
            is_count_said: Some(true),
            leases: dearer,
            set: vec![],
        }]
    );
}

#[test]
fn a_room_missing_from_its_source_is_withdrawn() {
    let two = adopt(vec![(room(2), vec![lease(1, 1)]), (room(3), vec![lease(1, 1)])]);
    let events = after(vec![two])
        .decide(adopt(vec![(room(2), vec![lease(1, 1)])]))
        .unwrap();
    assert_eq!(events, vec![InventoryEvent::RoomWithdrawn { room: room(3).id }]);
}

/// A property is available only while active untagged and not marked otherwise.
#[test]
fn property_is_available_only_when_active_untagged_and_unmarked() {
    let listed = adopt(vec![(room(2), vec![lease(1, 1)])]);
    let active = after(vec![listed.clone(), InventoryCommand::Activate]);
    assert!(active.available());
    assert!(!after(vec![listed.clone()]).available(), "a draft");
    let marked = after(vec![
        listed.clone(),
        InventoryCommand::Activate,
        InventoryCommand::MarkUnavailable,
    ]);
    assert!(!marked.available());
    let mut tagged = property();
    tagged.tags = vec![Tag::NotAvailable];
    let change = InventoryCommand::ChangeDetails { property: tagged };
    assert!(!after(vec![listed, InventoryCommand::Activate, change]).available());
}

#[test]
fn a_deleted_property_takes_no_more_commands() {
    let deleted = after(vec![
        adopt(vec![(room(2), vec![lease(1, 1)])]),
        InventoryCommand::Delete,
    ]);
    assert_eq!(
        deleted.decide(InventoryCommand::Activate),
        Err(InventoryRejection::Deleted)
    );
    assert_eq!(deleted.decide(adopt(vec![])), Err(InventoryRejection::Deleted));
    assert_eq!(deleted.decide(InventoryCommand::Delete), Ok(vec![]));
}

#[test]
fn a_lease_without_a_price_is_turned_down() {
    let rejected = Inventory::default().decide(adopt(vec![(room(2), vec![lease(0, 1)])]));
    assert_eq!(rejected, Err(InventoryRejection::NoPrice(room(2).id)));
}

#[test]
fn the_same_review_counts_once() {
    let publish = InventoryCommand::PublishReviews {
        written: vec![review()],
        unwritten: RatingSums::default(),
    };
    let state = after(vec![adopt(vec![]), publish.clone()]);
    assert_eq!(state.ratings.count, 1);
    assert_eq!(state.decide(publish), Ok(vec![]));
}

fn offer_until(first: NaiveDate, last: NaiveDate) -> Offer {
    Offer {
        id: "o1".into(),
        title: Wording::english("£150 back"),
        description: Wording::default(),
        kind: OfferKind::Cashback,
        value_minor: 15_000,
        valid_from: Some(first),
        valid_to: Some(last),
        terms: Wording::default(),
        stackable: false,
    }
}

/// 150 pounds are not 150 euros; a price a month has the same money as one a week.
#[test]
fn offer_ends_when_the_home_asks_in_another_currency() {
    let publish = InventoryCommand::PublishOffer {
        offer: Box::new(offer_until(day(2027, 1, 2), day(2027, 1, 4))),
    };
    let with = |change: fn(&mut PropertyDetails)| {
        let mut changed = property();
        change(&mut changed);
        let details = InventoryCommand::ChangeDetails { property: changed };
        after(vec![adopt(vec![]), publish.clone(), details]).offers.len()
    };
    assert_eq!(with(|home| home.period = Period::Monthly), 1);
    assert_eq!(with(|home| home.name = "Row House".into()), 1);
    assert_eq!(with(|home| home.currency = Currency::Eur), 0);
}

#[test]
fn an_offer_holds_on_its_first_and_last_day() {
    let day = |d| NaiveDate::from_ymd_opt(2027, 1, d).unwrap();
    let offer = offer_until(day(2), day(4));
    assert_eq!(
        [1, 2, 4, 5].map(|d| offer.valid_on(day(d))),
        [false, true, true, false]
    );
}

#[test]
fn a_fold_of_the_events_is_the_state_they_came_from() {
    let listing = adopt(vec![(room(2), vec![lease(28_900, 4)])]);
    let events = Inventory::default().decide(listing.clone()).unwrap();
    assert_eq!(fold::<Inventory>(&events), after(vec![listing]));
}

/// A street of one name is in many towns: without a postcode the city tells them apart, and a country always does.
#[test]
fn homes_of_one_name_and_street_in_two_towns_are_not_alike() {
    let home = |code: Option<&str>, region: u128, country| {
        let mut home = *property();
        home.address.route = Some(PlaceName::plain("High Street"));
        home.address.postal_code = code.map(PlaceName::plain);
        (home.region, home.country) = (RegionId(Uuid::from_u128(region)), country);
        home.alike_key().unwrap()
    };
    let uk = Country::Uk;
    assert_eq!(home(None, 1, uk), home(None, 1, uk));
    assert_ne!(home(None, 1, uk), home(None, 2, uk));
    assert_eq!(home(Some("LS1 1AA"), 1, uk), home(Some("ls11aa"), 2, uk));
    assert_ne!(home(Some("10001"), 1, uk), home(Some("10001"), 1, Country::Pt));
}
