//! From commands to what a search finds.

use chrono::{DateTime, NaiveDate};
use domain::id::{HoldId, PaymentId, UserId};
use domain::inventory::InventoryCommand;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::on_offer::OnOffer;
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::RoomOffer;
use domain::place::Coordinates;
use domain::region::{RegionCommand, RegionDetails, RegionEvent};
use domain::room_stock::{HoldRequest, RoomStockCommand};
use eventlog::{Actor, ActorKind, Context, commit};
use serde_json::Value as Json;
use uuid::Uuid;

use super::super::index::active;
use super::super::item::Occasion;
use super::super::names::Spelling;
use super::super::places::PlaceGroup;
use super::super::query::{Clause, Search};
use super::super::value::Value;
use super::*;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn context() -> Context {
    let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    Context::new(
        at,
        Actor {
            kind: ActorKind::System,
            id: None,
        },
    )
}

fn sample<E: serde::de::DeserializeOwned>(json: &str) -> E {
    let sample: Json = serde_json::from_str(json).unwrap();
    serde_json::from_value(sample["payload"].clone()).unwrap()
}

fn london() -> RegionDetails {
    let RegionEvent::RegionOpened { region } = sample(include_str!(
        "../../../../domain/events/region/RegionOpened.v1.json"
    )) else {
        panic!("the sample is a RegionOpened")
    };
    RegionDetails {
        name: "London".to_owned(),
        canonical_name: "london".to_owned(),
        region_type: domain::region::RegionType::Locality,
        subtype: None,
        aliases: vec!["伦敦".to_owned()],
        ..*region
    }
}

fn bloomsbury_row() -> PropertyDetails {
    let InventoryEvent::PropertyListed { property } = sample(include_str!(
        "../../../../domain/events/inventory/PropertyListed.v1.json"
    )) else {
        panic!("the sample is a PropertyListed")
    };
    *property
}

fn room(rooms_available: u32) -> (RoomDetails, RoomOffer) {
    let InventoryEvent::RoomListed { room, .. } = sample(include_str!(
        "../../../../domain/events/inventory/RoomListed.v1.json"
    )) else {
        panic!("the sample is a RoomListed")
    };
    let InventoryEvent::RoomPriced { leases, .. } = sample(include_str!(
        "../../../../domain/events/inventory/RoomPriced.v1.json"
    )) else {
        panic!("the sample is a RoomPriced")
    };
    let leases: Vec<LeaseOption> = leases
        .into_iter()
        .map(|lease| LeaseOption {
            rooms_available,
            ..lease
        })
        .collect();
    (room, leases.into())
}

async fn listed() -> (EventLog, IndexFollower) {
    let log = EventLog::memory();
    let region = RegionCommand::Describe {
        region: Box::new(london()),
    };
    commit::<Region>(&log, RegionId(id(1)), region, &context())
        .await
        .unwrap();
    let adopt = InventoryCommand::Adopt {
        property: Box::new(bloomsbury_row()),
        rooms: vec![room(1)],
    };
    commit::<Inventory>(&log, InventoryId(id(17)), adopt, &context())
        .await
        .unwrap();
    commit::<Inventory>(&log, InventoryId(id(17)), InventoryCommand::Activate, &context())
        .await
        .unwrap();
    let mut follower = IndexFollower::new(log.clone());
    follower.catch_up().await.unwrap();
    (log, follower)
}

fn available(index: &SearchIndex) -> u64 {
    let clauses = vec![active(), Clause::any(None, vec![Value::AVAILABLE])];
    index
        .search(
            &index.snapshot(),
            &Search {
                clauses,
                limit: 10,
                ..Search::default()
            },
        )
        .total
}

#[tokio::test]
async fn a_listed_property_is_found_with_its_card() {
    let (log, follower) = listed().await;
    let index = follower.search_index();
    assert_eq!(index.position(), log.head().await.unwrap());
    let search = Search {
        clauses: vec![active()],
        limit: 10,
        ..Search::default()
    };
    let found = index.search(&index.snapshot(), &search);
    let items = index.items(&found);
    assert_eq!((found.total, items.len()), (1, 1));
    let today = NaiveDate::from_ymd_opt(2027, 9, 1).unwrap();
    let origin = Coordinates::new(51_527_000, -135_000);
    let mut json = Vec::new();
    items[0].write_card(
        &Occasion {
            today,
            lang: "en",
            origin: Some(origin),
        },
        false,
        &mut json,
    );
    let card: Json = serde_json::from_slice(&json).unwrap();
    assert_eq!(card["price"]["amount_minor"], 28_900);
    assert_eq!(card["region"]["canonical_name"], "london");
    assert_eq!(card["room_kinds"], serde_json::json!(["ensuite_room"]));
    assert_eq!(card["distance_m"].as_u64().unwrap(), 692);
    let badges: Vec<&str> = card["badges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|badge| badge["kind"].as_str().unwrap())
        .collect();
    assert_eq!(badges, ["exclusive", "immediate_move_in", "breakfast_included"]);
}

/// Somebody holds the room for the payment `n` while there are so many of it.
fn hold(n: u128, rooms: u32) -> RoomStockCommand {
    let stay = room(1).1.leases[0].stay();
    RoomStockCommand::Hold(HoldRequest {
        hold_id: HoldId(id(n)),
        payment_id: PaymentId(id(n)),
        continues: None,
        lead_id: None,
        identity: UserId(id(n)),
        stay,
        proved: true,
        offer: OnOffer::only(stay, rooms),
        own_elsewhere: 0,
        at: context().at,
        until: context().at + chrono::TimeDelta::minutes(10),
    })
}

/// More bookings than rooms: the type is closed and named with them, until one ends.
#[tokio::test]
async fn oversold_room_is_named_with_its_bookings() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    let booked = [4, 6].map(|n| PaymentId(id(n)));
    for payment_id in booked {
        let sell = RoomStockCommand::Sell {
            payment_id,
            continues: None,
        };
        for command in [hold(payment_id.0.as_u128(), 2), sell] {
            commit::<RoomStock>(&log, InventoryId(id(2)), command, &context())
                .await
                .unwrap();
        }
    }
    follower.catch_up().await.unwrap();
    let oversold = index.oversold();
    assert_eq!(oversold.len(), 1, "{oversold:?}");
    assert_eq!((oversold[0].room, oversold[0].rooms), (InventoryId(id(2)), 1));
    assert_eq!(oversold[0].bookings, booked);
    assert_eq!(available(&index), 0);
    let back = RoomStockCommand::TakeBack {
        payment_id: booked[0],
    };
    commit::<RoomStock>(&log, InventoryId(id(2)), back, &context())
        .await
        .unwrap();
    follower.catch_up().await.unwrap();
    assert_eq!(index.oversold(), []);
}

/// The last room held makes a property unavailable and released available again.
#[tokio::test]
async fn last_room_held_makes_a_property_unavailable_until_released() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    assert_eq!(available(&index), 1);
    let hold = hold(4, 1);
    commit::<RoomStock>(&log, InventoryId(id(2)), hold, &context())
        .await
        .unwrap();
    follower.catch_up().await.unwrap();
    assert_eq!(available(&index), 0);
    let release = RoomStockCommand::Release {
        payment_id: PaymentId(id(4)),
    };
    commit::<RoomStock>(&log, InventoryId(id(2)), release, &context())
        .await
        .unwrap();
    follower.catch_up().await.unwrap();
    assert_eq!(available(&index), 1);
}

/// Names and places are suggested and a renamed property is found by its new name at once.
#[tokio::test]
async fn renamed_property_is_suggested_by_its_new_name_at_once() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    assert_eq!(
        index.suggest_properties("blomsbury", Spelling::OneTypo, 5).len(),
        1
    );
    let places = index.places();
    let cities = places.suggest(PlaceGroup::Cities, "伦敦", Spelling::AsTyped, 5);
    assert_eq!(
        cities.iter().map(|place| place.name()).collect::<Vec<_>>(),
        ["London"]
    );
    assert_eq!(places.homes(RegionId(id(1))), 1);
    let mut property = bloomsbury_row();
    property.name = "Gower Mews".to_owned();
    property.canonical_name = "gower-mews-london".to_owned();
    let rename = InventoryCommand::ChangeDetails {
        property: Box::new(property),
    };
    commit::<Inventory>(&log, InventoryId(id(17)), rename, &context())
        .await
        .unwrap();
    follower.catch_up().await.unwrap();
    assert_eq!(index.suggest_properties("gower", Spelling::OneTypo, 5).len(), 1);
    assert!(
        index
            .suggest_properties("bloomsbury", Spelling::OneTypo, 5)
            .is_empty()
    );
    assert!(index.item_by_canonical_name("bloomsbury-row-london").is_none());
    assert!(index.item_by_canonical_name("gower-mews-london").is_some());
}

#[tokio::test]
async fn a_live_follower_shows_what_was_written_at_its_position() {
    let (log, follower) = listed().await;
    let index = follower.search_index();
    let stop = watch::Sender::new(false);
    let task = tokio::spawn(follower.follow(stop.subscribe()));
    let committed = commit::<Inventory>(
        &log,
        InventoryId(id(17)),
        InventoryCommand::Deactivate,
        &context(),
    )
    .await
    .unwrap();
    assert!(index.wait_for(committed.position, Duration::from_secs(5)).await);
    assert_eq!(available(&index), 0);
    stop.send_replace(true);
    task.await.unwrap();
}

#[tokio::test]
async fn asked_to_stop_it_stops_though_the_log_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let log = eventlog_sqlite::open(folder.path()).await.unwrap();
    // Readers open the file when they first need it.
    folder.close().unwrap();
    let stop = watch::Sender::new(false);
    let following = tokio::spawn(IndexFollower::new(log).follow(stop.subscribe()));
    stop.send_replace(true);
    let soon = Duration::from_secs(10);
    tokio::time::timeout(soon, following).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_renamed_city_shows_on_the_cards_below_it() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    let renamed = RegionDetails {
        name: "Greater London".to_owned(),
        ..london()
    };
    let describe = RegionCommand::Describe {
        region: Box::new(renamed),
    };
    commit::<Region>(&log, RegionId(id(1)), describe, &context())
        .await
        .unwrap();
    follower.catch_up().await.unwrap();
    let item = index.item(InventoryId(id(17))).unwrap();
    let today = NaiveDate::from_ymd_opt(2027, 9, 1).unwrap();
    let mut json = Vec::new();
    item.write_card(
        &Occasion {
            today,
            lang: "en",
            origin: None,
        },
        false,
        &mut json,
    );
    let card: Json = serde_json::from_slice(&json).unwrap();
    assert_eq!(card["region"]["name"], "Greater London");
    assert_eq!(
        index
            .places()
            .suggest(PlaceGroup::Cities, "greater", Spelling::AsTyped, 5)
            .len(),
        1
    );
    assert_eq!(index.places().homes(RegionId(id(1))), 1);
}

/// Homes of each region by the number of its id.
fn homes(index: &SearchIndex) -> Vec<u64> {
    let places = index.places();
    (1..=3).map(|number| places.homes(RegionId(id(number)))).collect()
}

#[tokio::test]
async fn the_numbers_of_homes_are_of_the_position_that_is_told() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    let near = bloomsbury_row().coordinates.unwrap();
    let country = RegionDetails {
        region_type: domain::region::RegionType::Country,
        canonical_name: "united-kingdom".to_owned(),
        ..london()
    };
    let university = RegionDetails {
        region_type: domain::region::RegionType::Establishment,
        canonical_name: "ucl".to_owned(),
        centre: near,
        ..london()
    };
    let city = RegionDetails {
        parent: Some(RegionId(id(2))),
        ..london()
    };
    let told = async |follower: &mut IndexFollower, log: &EventLog| {
        follower.catch_up().await.unwrap();
        let mut anew = IndexFollower::new(log.clone());
        anew.catch_up().await.unwrap();
        assert_eq!(homes(&follower.search_index()), homes(&anew.search_index()));
        homes(&follower.search_index())
    };
    for (number, region) in [(2, country), (3, university), (1, city)] {
        let region = RegionCommand::Describe {
            region: Box::new(region),
        };
        commit::<Region>(&log, RegionId(id(number)), region, &context())
            .await
            .unwrap();
        told(&mut follower, &log).await;
    }
    assert_eq!(homes(&index), [1, 1, 1]);
    let mut second = bloomsbury_row();
    second.canonical_name = "gower-mews-london".to_owned();
    let (mut second_room, leases) = room(1);
    second_room.id = InventoryId(id(19));
    let mut far = second.clone();
    far.coordinates = Some(Coordinates::new(near.lat_e6 - 130_000, near.lng_e6));
    let adopted = InventoryCommand::Adopt {
        property: Box::new(second),
        rooms: vec![(second_room, leases)],
    };
    let moved = InventoryCommand::ChangeDetails {
        property: Box::new(far),
    };
    for (command, then) in [
        (adopted, [1, 1, 1]),
        (InventoryCommand::Activate, [2, 2, 2]),
        (moved, [2, 2, 1]),
        (InventoryCommand::Deactivate, [1, 1, 1]),
    ] {
        commit::<Inventory>(&log, InventoryId(id(18)), command, &context())
            .await
            .unwrap();
        assert_eq!(told(&mut follower, &log).await, then);
    }
}

/// Exactly as many events of the listed home as are folded at once; the last of them take it out of searches.
async fn a_whole_batch(log: &EventLog) {
    let withdrawn = [InventoryCommand::Deactivate, InventoryCommand::Activate]
        .into_iter()
        .cycle()
        .take(BATCH - 1);
    let country = RegionCommand::Describe {
        region: Box::new(RegionDetails {
            region_type: domain::region::RegionType::Country,
            canonical_name: "united-kingdom".to_owned(),
            ..london()
        }),
    };
    let before = log.head().await.unwrap();
    commit::<Region>(log, RegionId(id(2)), country, &context())
        .await
        .unwrap();
    for command in withdrawn {
        commit::<Inventory>(log, InventoryId(id(17)), command, &context())
            .await
            .unwrap();
    }
    assert_eq!(log.head().await.unwrap() - before, BATCH as Position);
}

#[tokio::test]
async fn homes_are_counted_though_the_events_end_where_a_batch_ends() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    assert_eq!(homes(&index), [1, 0, 0]);
    a_whole_batch(&log).await;
    follower.catch_up().await.unwrap();
    assert_eq!(homes(&index), [0, 0, 0]);
}

/// What was folded before the log failed is shown and counted once it is read again.
#[tokio::test]
async fn folded_state_before_a_log_failure_is_shown_after_recovery() {
    let (log, mut follower) = listed().await;
    let index = follower.search_index();
    // A batch was shown of which more was to follow.
    let withdrawn = InventoryCommand::Deactivate;
    commit::<Inventory>(&log, InventoryId(id(17)), withdrawn, &context())
        .await
        .unwrap();
    for event in log.read_all(follower.position, BATCH).await.unwrap() {
        follower.take(&event);
        follower.position = event.position;
    }
    follower.publish(Numbers::Later);
    follower.catch_up().await.unwrap();
    assert_eq!(homes(&index), [0, 0, 0]);

    // Nothing had been shown yet.
    let mut anew = IndexFollower::new(log.clone());
    for event in log.read_all(0, BATCH).await.unwrap() {
        anew.take(&event);
        anew.position = event.position;
    }
    anew.catch_up().await.unwrap();
    assert_eq!(anew.search_index().position(), log.head().await.unwrap());
    assert_eq!(anew.search_index().places().all().count(), 1);
}
