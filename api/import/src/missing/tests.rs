use eventlog::{Actor, Context, Expected, commit};
use platform::clock;
use uuid::Uuid;

use super::*;

const FEED: &str = "north";

fn home(number: u128) -> InventoryId {
    InventoryId(Uuid::from_u128(number))
}

fn listed(feed: &str, id: &str) -> InventoryEvent {
    let text = include_str!("../../../../domain/events/inventory/PropertyListed.v2.json");
    let sample: serde_json::Value = serde_json::from_str(text).unwrap();
    let event: InventoryEvent = serde_json::from_value(sample["payload"].clone()).unwrap();
    let InventoryEvent::PropertyListed { mut property, .. } = event else {
        panic!("the sample is a PropertyListed");
    };
    property.source = Some(Source {
        feed: feed.to_owned(),
        id: id.to_owned(),
    });
    InventoryEvent::PropertyListed { property }
}

async fn tell(log: &EventLog, number: u128, events: &[InventoryEvent]) {
    let context = Context::new(clock::now(), Actor::SYSTEM);
    let append = Append::new(&context)
        .events::<Inventory>(home(number), Expected::Any, events)
        .unwrap();
    log.append(append).await.unwrap();
}

async fn open(log: &EventLog, number: u128, feed: &str) {
    let id = format!("h-{number}");
    let events = [listed(feed, &id), InventoryEvent::PropertyActivated {}];
    tell(log, number, &events).await;
}

async fn close(log: &EventLog, number: u128, by: ClosedBy) {
    let context = Context::new(clock::now(), Actor::SYSTEM);
    commit::<Inventory>(log, home(number), InventoryCommand::Close { by }, &context)
        .await
        .unwrap();
}

fn named(ids: &[&str]) -> NamedHomes {
    let mut named = NamedHomes::default();
    for id in ids {
        named.note(FEED, id);
    }
    named
}

#[test]
fn limit_and_share_decide_what_may_close() {
    let too_many = |missing, homes, limit| {
        Permission::Refused(RunRefusal::TooManyMissing {
            missing,
            homes,
            limit,
        })
    };
    for (missing, homes, limit, permission) in [
        (0, 0, None, Permission::Granted),
        (0, 3, None, Permission::Granted),
        // A fifth goes, more does not.
        (40, 200, None, Permission::Granted),
        (41, 200, None, too_many(41, 200, None)),
        (6, 29, None, too_many(6, 29, None)),
        (6, 30, None, Permission::Granted),
        (41, 200, Some(41), Permission::Granted),
        (41, 200, Some(50), Permission::Granted),
        (41, 200, Some(40), too_many(41, 200, Some(40))),
        // A limit that is said holds for a small share too.
        (11, 200, Some(10), too_many(11, 200, Some(10))),
        // Few of few: the very number.
        (1, 3, None, Permission::Asked),
        (5, 5, None, Permission::Asked),
        (1, 3, Some(1), Permission::Granted),
        (1, 3, Some(5), Permission::Asked),
        (2, 3, Some(1), too_many(2, 3, Some(1))),
        // Few of many need none.
        (1, 5, None, Permission::Granted),
        (5, 200, None, Permission::Granted),
        (5, 200, Some(10), Permission::Granted),
    ] {
        let found = check_limit(missing, homes, limit);
        assert_eq!(found, permission, "{missing} of {homes}, limit {limit:?}");
    }
}

#[test]
fn entries_without_an_id_are_counted() {
    let mut named = named(&["h-1", " h-1 ", "", "  "]);
    named.note_unreadable();
    assert_eq!((named.homes.len(), named.unnamed), (1, 3));
}

#[tokio::test]
async fn homes_of_the_feed_alone_are_compared() {
    let log = EventLog::memory();
    for number in 1..=4 {
        open(&log, number, FEED).await;
    }
    open(&log, 5, "south").await;
    tell(&log, 6, &[listed(FEED, "h-6")]).await;
    close(&log, 4, ClosedBy::Staff).await;
    tell(&log, 3, &[InventoryEvent::PropertyPaused { reopens_on: None }]).await;
    let compared = compare_homes(&log, FEED, &named(&["h-2", "new"])).await.unwrap();
    let ids: Vec<&str> = compared.missing.iter().map(|home| home.id.as_str()).collect();
    assert_eq!((compared.homes, ids), (3, vec!["h-1", "h-3"]));
    let other = compare_homes(&log, "west", &NamedHomes::default()).await.unwrap();
    assert_eq!(other, ComparedHomes::default());
}

#[tokio::test]
async fn missing_homes_are_closed_once_by_their_feed() {
    let log = EventLog::memory();
    for number in 1..=3 {
        open(&log, number, FEED).await;
    }
    let compared = compare_homes(&log, FEED, &named(&["h-3"])).await.unwrap();
    // Staff close one between the reading and the writing.
    close(&log, 2, ClosedBy::Staff).await;
    let mark = RunMark::new();
    let closed = close_homes(&log, &compared.missing, mark).await.unwrap();
    assert_eq!(closed, HashSet::from([home(1)]));
    let mut states = Vec::new();
    for number in 1..=3 {
        states.push(log.load::<Inventory>(home(number)).await.unwrap().state.state);
    }
    let by = |by| HomeState::Closed { by };
    assert_eq!(
        states,
        [by(ClosedBy::Feed), by(ClosedBy::Staff), HomeState::Active]
    );
    let events = log.read_correlated(mark.run_id.0, 0, 10).await.unwrap();
    assert_eq!(events.len(), 1, "the event names its run");
    assert_eq!(
        close_homes(&log, &compared.missing, mark).await,
        Ok(HashSet::new())
    );
}

/// Staff pause one and close another after the run has decided on all, and before it writes: the first is closed, the other stays theirs.
#[tokio::test]
async fn home_that_staff_act_on_while_it_waits_is_decided_anew() {
    let (log, mark) = (EventLog::memory(), RunMark::new());
    let (mut ids, mut appends) = (Vec::new(), Vec::new());
    for number in 1..=3 {
        open(&log, number, FEED).await;
        ids.push(home(number));
        appends.extend(close_home(&log, home(number), mark).await.unwrap());
    }
    assert_eq!(appends.len(), 3);
    tell(&log, 1, &[InventoryEvent::PropertyPaused { reopens_on: None }]).await;
    close(&log, 2, ClosedBy::Staff).await;
    let closed = write_closings(&log, mark, (ids, appends)).await.unwrap();
    assert_eq!(closed, [home(1), home(3)]);
    let mut states = Vec::new();
    for number in 1..=3 {
        states.push(log.load::<Inventory>(home(number)).await.unwrap().state.state);
    }
    let by = |by| HomeState::Closed { by };
    assert_eq!(
        states,
        [by(ClosedBy::Feed), by(ClosedBy::Staff), by(ClosedBy::Feed)]
    );
}
