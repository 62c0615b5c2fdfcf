use chrono::NaiveDate;
use domain::id::{InventoryId, UserId};
use domain::inventory::let_room::{LeaseOption, LeaseTerms};
use domain::inventory::state::ClosedBy;
use domain::inventory::{InventoryCommand, Reasoned};
use domain::moment::Moment;
use eventlog::{Actor, Context, EventLog, commit};
use uuid::Uuid;

use super::query::{HomeFilter, Lacking, Place, count, list, list_alike};
use super::*;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

const STAFF: UserId = UserId(Uuid::from_u128(7));

fn at(seconds: i64) -> Moment {
    Moment::from_timestamp(1_795_000_000 + seconds, 0).unwrap()
}

fn home(number: u128) -> InventoryId {
    InventoryId(Uuid::from_u128(number * 1_000))
}

fn details(name: &str) -> PropertyDetails {
    let sample = include_str!("../../../domain/events/inventory/PropertyListed.v2.json");
    let sample: serde_json::Value = serde_json::from_str(sample).unwrap();
    let listed = sample["payload"]["PropertyListed"]["property"].clone();
    let mut property: PropertyDetails = serde_json::from_value(listed).unwrap();
    name.clone_into(&mut property.name);
    property.pictures.clear();
    property
}

fn room(number: u128) -> RoomDetails {
    let sample = include_str!("../../../domain/events/inventory/RoomListed.v2.json");
    let sample: serde_json::Value = serde_json::from_str(sample).unwrap();
    let listed = sample["payload"]["RoomListed"]["room"].clone();
    let mut room: RoomDetails = serde_json::from_value(listed).unwrap();
    room.id = InventoryId(Uuid::from_u128(number));
    room.pictures.clear();
    room
}

fn lease(price_minor: u64) -> LeaseOption {
    LeaseOption {
        move_in: NaiveDate::from_ymd_opt(2027, 9, 11).unwrap(),
        length: domain::lease::Lease::weeks(44),
        price_minor,
        rooms_available: 4,
        terms: LeaseTerms::default(),
    }
}

async fn tell(log: &EventLog, number: u128, second: i64, command: InventoryCommand) {
    let context = Context::new(at(second), Actor::staff(STAFF.0));
    commit::<Inventory>(log, home(number), command, &context)
        .await
        .unwrap();
}

async fn listed(log: &EventLog, number: u128, name: &str, leases: Vec<LeaseOption>) {
    let adopt = InventoryCommand::Adopt {
        property: Box::new(details(name)),
        rooms: vec![(room(number * 1_000 + 1), leases.into())],
    };
    tell(log, number, i64::try_from(number).unwrap(), adopt).await;
}

async fn fold(log: &EventLog, store: &ReadStore) {
    let models: Vec<Box<dyn Projection>> = vec![Box::new(StaffHomes)];
    let mut projector = Projector::new(log.clone(), store.clone(), models);
    projector.catch_up().await.unwrap();
}

fn names(rows: &[HomeRow]) -> Vec<&str> {
    rows.iter().map(|row| row.name.as_str()).collect()
}

#[tokio::test]
async fn homes_are_found_counted_and_paged_in_every_state() {
    let log = EventLog::memory();
    listed(&log, 1, "Aspen Court", vec![lease(20_000), lease(19_000)]).await;
    listed(&log, 2, "Birch House", vec![]).await;
    listed(&log, 3, "Cedar Yard", vec![lease(21_000)]).await;
    for number in [1, 3] {
        tell(&log, number, 10, InventoryCommand::Activate).await;
    }
    let close = InventoryCommand::Close { by: ClosedBy::Staff };
    let asked = Reasoned {
        command: close,
        by: STAFF,
        reason: "Sold".into(),
    };
    tell(&log, 3, 20, InventoryCommand::Reasoned(Box::new(asked))).await;
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        fold(&log, &store).await;
        let pool = store.readers();
        let all = HomeFilter::default();
        let rows = list(pool, &all, 10).await.unwrap();
        assert_eq!(names(&rows), ["Cedar Yard", "Aspen Court", "Birch House"]);
        let [cedar, aspen, birch] = rows.as_slice() else {
            panic!("{rows:?}")
        };
        assert_eq!(
            (cedar.state.as_str(), cedar.changed_what.as_str()),
            ("closed", "closed")
        );
        assert_eq!(cedar.changed_by_id, Some(STAFF.to_string()));
        assert_eq!(
            (aspen.leases, aspen.from_minor, aspen.rooms),
            (2, Some(19_000), 4)
        );
        assert_eq!(
            (birch.state.as_str(), birch.leases, birch.photos),
            ("draft", 0, 0)
        );
        let counts = count(pool, &all).await.unwrap();
        let states: Vec<(&str, u64)> = counts.states.iter().map(|(s, n)| (s.as_str(), *n)).collect();
        assert_eq!(states, [("active", 1), ("closed", 1), ("draft", 1)]);
        assert_eq!((counts.lacking["photos"], counts.lacking["leases"]), (3, 1));
        let words = |text: &str| HomeFilter {
            words: text.split(' ').map(str::to_owned).collect(),
            ..HomeFilter::default()
        };
        let found = list(pool, &words("court ASPEN"), 10).await.unwrap();
        assert_eq!(names(&found), ["Aspen Court"]);
        let found = list(pool, &words("asp%court"), 10).await.unwrap();
        assert_eq!(names(&found), Vec::<&str>::new(), "a sign is no pattern");
        let bare = HomeFilter {
            lacking: Some(Lacking::Leases),
            ..HomeFilter::default()
        };
        assert_eq!(names(&list(pool, &bare, 10).await.unwrap()), ["Birch House"]);
        let next = HomeFilter {
            after: Some(Place {
                changed_at: aspen.changed_at,
                home_id: aspen.home_id.clone(),
            }),
            ..HomeFilter::default()
        };
        assert_eq!(names(&list(pool, &next, 10).await.unwrap()), ["Birch House"]);
    }
}

#[tokio::test]
async fn homes_of_one_name_and_address_are_alike_until_one_is_merged() {
    let log = EventLog::memory();
    for number in [1, 2] {
        let mut property = details("Aspen Court");
        let part = |name: &str| Some(domain::place::PlaceName::plain(name));
        property.address.route = part("Park Lane");
        property.address.postal_code = part(if number == 1 { "LS1 1AA" } else { "ls11aa" });
        let adopt = InventoryCommand::Adopt {
            property: Box::new(property),
            rooms: vec![(room(number * 1_000 + 1), vec![lease(20_000)].into())],
        };
        tell(&log, number, 1, adopt).await;
    }
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        fold(&log, &store).await;
        let alike = list_alike(store.readers(), home(1)).await.unwrap();
        assert_eq!(alike.len(), 1, "{alike:?}");
        assert_eq!(alike[0].home_id, home(2).to_string());
    }
}

/// The price of a lease that is let no longer is no price of the home; a rent on request is.
#[tokio::test]
async fn home_without_a_lease_has_its_rent_on_request_or_no_price() {
    let log = EventLog::memory();
    let asked = RoomDetails {
        asked_minor: Some(17_000),
        ..room(2_001)
    };
    for (number, room) in [(1, room(1_001)), (2, asked)] {
        for leases in [vec![lease(19_000)], vec![]] {
            let adopt = InventoryCommand::Adopt {
                property: Box::new(details("Aspen Court")),
                rooms: vec![(room.clone(), leases.into())],
            };
            tell(&log, number, 1, adopt).await;
        }
    }
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        fold(&log, &store).await;
        let mut rows = list(store.readers(), &HomeFilter::default(), 10).await.unwrap();
        rows.sort_by(|one, other| one.home_id.cmp(&other.home_id));
        let prices: Vec<_> = rows.iter().map(|row| (row.leases, row.from_minor)).collect();
        assert_eq!(prices, [(0, None), (0, Some(17_000))]);
    }
}
