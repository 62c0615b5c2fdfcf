use chrono::{DateTime, NaiveDate};
use domain::country::Country;
use domain::id::RegionId;
use domain::inventory::InventoryCommand;
use domain::inventory::let_room::{Bed, LeaseOption, LeaseTerms, RoomDetails};
use domain::inventory::media::Media;
use domain::inventory::property::{Guarantor, PaymentTerms, Policy, PropertyFacts, Source, UnitType};
use domain::lease::Lease;
use domain::money::{Currency, Period};
use domain::place::{Address, Coordinates};
use domain::room::{RoomAttributes, Sharing};
use domain::wording::Wording;
use eventlog::{Actor, Context, EventLog, commit};
use tables::Place;

use super::*;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

pub(crate) fn property(canonical_name: &str) -> Box<PropertyDetails> {
    Box::new(PropertyDetails {
        name: "Bloomsbury Row".into(),
        canonical_name: canonical_name.into(),
        kind: Some(PropertyKind::Apartment),
        unit_type: Some(UnitType::StudentAccommodation),
        country: Country::Uk,
        region: RegionId(Uuid::from_u128(1)),
        area: None,
        provider: None,
        provider_name: None,
        local_names: Wording::default(),
        source: Some(Source {
            feed: "listings".into(),
            id: "bristol-00001".into(),
        }),
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
        facts: PropertyFacts::default(),
        phones: Vec::new(),
        email: None,
        source_link: None,
        custom_form: None,
    })
}

pub(crate) fn room() -> RoomDetails {
    RoomDetails {
        id: InventoryId(Uuid::from_u128(9)),
        canonical_name: "bloomsbury-row-london-ensuite".into(),
        name: Wording::english("Ensuite Room"),
        attributes: RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Shared),
        bedrooms: Some(1),
        bathrooms: Some(1),
        area_sqm: None,
        bed: Some(Bed::Single),
        floor: None,
        sleeps: None,
        kitchen_shared_by: None,
        dual_occupancy: Some(false),
        asked_minor: None,
        pictures: vec![],
        media: Media::default(),
    }
}

pub(crate) fn at(month: u32) -> Context {
    let day = NaiveDate::from_ymd_opt(2026, month, 3)
        .unwrap()
        .and_hms_opt(9, 0, 0)
        .unwrap();
    Context::new(
        DateTime::from_naive_utc_and_offset(day, chrono::Utc),
        Actor::SYSTEM,
    )
}

fn listing(canonical_name: &str, price_minor: u64) -> InventoryCommand {
    let lease = LeaseOption {
        move_in: NaiveDate::from_ymd_opt(2027, 9, 11).unwrap(),
        length: Lease::weeks(44),
        price_minor,
        rooms_available: 4,
        terms: LeaseTerms::default(),
    };
    InventoryCommand::Adopt {
        property: property(canonical_name),
        rooms: vec![(room(), vec![lease].into())],
    }
}

const ID: InventoryId = InventoryId(Uuid::from_u128(5));

async fn read(place: &Place, commands: Vec<(InventoryCommand, Context)>) -> ReadStore {
    let log = EventLog::memory();
    for (command, context) in commands {
        commit::<Inventory>(&log, ID, command, &context).await.unwrap();
    }
    let store = ReadStore::open(place).await.unwrap();
    Projector::new(log, store.clone(), vec![Box::new(InventoryPages)])
        .catch_up()
        .await
        .unwrap();
    store
}

/// A property is found by id by every name it had and by its feed's id.
#[tokio::test]
async fn property_is_found_by_id_former_names_and_feed_id() {
    for (place, _folder) in places() {
        let store = read(
            &place,
            vec![
                (listing("old-name", 28_900), at(1)),
                (listing("new-name", 28_900), at(2)),
            ],
        )
        .await;
        let property = Some(Named {
            inventory: ID,
            root: ID,
        });
        for key in [ID.to_string().as_str(), "old-name", "new-name", "bristol-00001"] {
            assert_eq!(find(store.readers(), key).await.unwrap(), property, "{key}");
        }
        let child = find(store.readers(), "bloomsbury-row-london-ensuite")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            child,
            Named {
                inventory: room().id,
                root: ID
            }
        );
        assert_eq!(find(store.readers(), "nowhere").await.unwrap(), None);
    }
}

/// An id of a feed that is written as another home's address, or as its id, leads to that home whichever was listed first.
#[tokio::test]
async fn id_of_a_feed_is_no_address_of_another_home() {
    const OTHER: InventoryId = InventoryId(Uuid::from_u128(6));
    let called = |feed_id: &str, name: &str| {
        let mut property = property(name);
        property.source = Some(Source {
            feed: "south".into(),
            id: feed_id.into(),
        });
        InventoryCommand::Adopt {
            property,
            rooms: Vec::new(),
        }
    };
    for (place, _folder) in places() {
        for order in [[ID, OTHER], [OTHER, ID]] {
            let log = EventLog::memory();
            for id in order {
                let command = if id == ID {
                    called("s-1", "aspen-hall")
                } else {
                    called("aspen-hall", "birch-hall")
                };
                commit::<Inventory>(&log, id, command, &at(1)).await.unwrap();
            }
            let third = InventoryId(Uuid::from_u128(7));
            let command = called(&ID.to_string(), "cedar-hall");
            commit::<Inventory>(&log, third, command, &at(2)).await.unwrap();
            let store = ReadStore::open(&place).await.unwrap();
            Projector::new(log, store.clone(), vec![Box::new(InventoryPages)])
                .catch_up()
                .await
                .unwrap();
            for key in ["aspen-hall", "s-1", ID.to_string().as_str()] {
                let found = find(store.readers(), key).await.unwrap().unwrap();
                assert_eq!(found.root, ID, "{key}");
            }
        }
    }
}

#[tokio::test]
async fn a_price_that_changed_stays_in_the_trend_of_its_month() {
    for (place, _folder) in places() {
        let store = read(
            &place,
            vec![(listing("name", 28_900), at(1)), (listing("name", 30_900), at(4))],
        )
        .await;
        let trends = page(store.readers(), ID)
            .await
            .unwrap()
            .unwrap()
            .price_trends(at(4).at);
        let months: Vec<(u32, u64)> = trends[0]
            .months
            .iter()
            .map(|month| (chrono::Datelike::month(&month.month), month.min_minor))
            .collect();
        assert_eq!(months, vec![(1, 28_900), (4, 30_900)]);
    }
}

/// Prices a week say nothing beside prices a month: the trend begins anew, and the last price of before is no month of it.
#[tokio::test]
async fn trend_begins_anew_with_another_period() {
    let monthly = |price_minor| {
        let InventoryCommand::Adopt { mut property, rooms } = listing("name", price_minor) else {
            panic!("a listing is adopted");
        };
        property.period = Period::Monthly;
        InventoryCommand::Adopt { property, rooms }
    };
    for (place, _folder) in places() {
        let told = vec![
            (listing("name", 28_900), at(1)),
            (listing("name", 30_900), at(2)),
            (monthly(120_000), at(4)),
            (monthly(125_000), at(5)),
        ];
        let store = read(&place, told).await;
        let found = page(store.readers(), ID).await.unwrap().unwrap();
        let months: Vec<u64> = found.price_trends(at(5).at)[0]
            .months
            .iter()
            .map(|month| month.min_minor)
            .collect();
        assert_eq!(months, vec![120_000, 125_000]);
    }
}

#[tokio::test]
async fn a_list_of_student_accommodation_also_brings_apartments() {
    for (place, _folder) in places() {
        let store = read(
            &place,
            vec![
                (listing("name", 28_900), at(1)),
                (InventoryCommand::Activate, at(1)),
            ],
        )
        .await;
        let filter = |kind| ListFilter {
            kinds: kinds_of(kind),
            statuses: vec![Status::Active],
            region: None,
        };
        let student = filter(PropertyKind::StudentAccommodation);
        assert_eq!(list(store.readers(), &student, 10, 0).await.unwrap().0, 1);
        let house = filter(PropertyKind::House);
        assert_eq!(list(store.readers(), &house, 10, 0).await.unwrap().0, 0);
    }
}

#[tokio::test]
async fn home_without_a_kind_is_in_lists_of_every_kind_alone() {
    for (place, _folder) in places() {
        let InventoryCommand::Adopt { mut property, rooms } = listing("name", 28_900) else {
            panic!("a listing is adopted");
        };
        property.kind = None;
        let adopt = InventoryCommand::Adopt { property, rooms };
        let store = read(&place, vec![(adopt, at(1)), (InventoryCommand::Activate, at(1))]).await;
        for (kinds, found) in [
            (vec![], 1),
            (PropertyKind::ALL.to_vec(), 0),
            (kinds_of(PropertyKind::House), 0),
        ] {
            let filter = ListFilter {
                kinds,
                statuses: vec![Status::Active],
                region: None,
            };
            assert_eq!(list(store.readers(), &filter, 10, 0).await.unwrap().0, found);
        }
    }
}
