use domain::id::UserId;
use domain::import_run::{ImportRunCommand, MissingRule, RunBy};
use domain::inventory::InventoryEvent;
use eventlog::{Actor, Append, Context, EventLog, Expected, commit};
use uuid::Uuid;

use super::*;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

const HOME: InventoryId = InventoryId(Uuid::from_u128(1_000));
const OTHER: InventoryId = InventoryId(Uuid::from_u128(2_000));

fn run_id(number: u128) -> ImportRunId {
    ImportRunId(Uuid::from_u128(number))
}

fn at(seconds: i64) -> Moment {
    Moment::from_timestamp(1_795_000_000 + seconds, 0).unwrap()
}

async fn begin(log: &EventLog, number: u128, feed: &str, by: RunBy) {
    let source = RunSource {
        feed: feed.to_owned(),
        by,
        file: "homes.csv".to_owned(),
        digest: "9f".to_owned(),
        map_digest: None,
        missing: MissingRule::Report,
    };
    let command = ImportRunCommand::Begin { source, at: at(0) };
    command_run(log, number, command).await;
}

async fn end(log: &EventLog, number: u128, counts: RunCounts, outcome: RunOutcome) {
    let command = ImportRunCommand::End {
        counts,
        outcome,
        at: at(60),
    };
    command_run(log, number, command).await;
}

async fn command_run(log: &EventLog, number: u128, command: ImportRunCommand) {
    let context = Context::new(at(0), Actor::SYSTEM);
    commit::<ImportRun>(log, run_id(number), command, &context)
        .await
        .unwrap();
}

/// An event of a home, caused by what has this id.
async fn touch(log: &EventLog, home: InventoryId, cause: Uuid) {
    let append = Append::new(&Context::new(at(1), Actor::SYSTEM).correlated(cause));
    let event = InventoryEvent::PropertyMarkedUnavailable {};
    let append = append.events::<Inventory>(home, Expected::Any, &[event]).unwrap();
    log.append(append).await.unwrap();
}

#[tokio::test]
async fn runs_are_listed_with_how_they_ended() {
    let log = EventLog::memory();
    let staff = UserId(Uuid::from_u128(7));
    begin(&log, 1, "north", RunBy::Operator).await;
    let counts = RunCounts {
        added: 3,
        missing: 2,
        ..RunCounts::default()
    };
    end(&log, 1, counts, RunOutcome::Complete).await;
    begin(&log, 2, "south", RunBy::Staff(staff)).await;
    let refusal = RunRefusal::TooManyMissing {
        missing: 9,
        homes: 12,
        limit: Some(8),
    };
    end(&log, 2, RunCounts::default(), RunOutcome::Refused(refusal)).await;
    begin(&log, 3, "north", RunBy::Schedule).await;
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let runs: Vec<Box<dyn Projection>> = vec![Box::new(ImportRuns)];
        Projector::new(log.clone(), store.clone(), runs)
            .catch_up()
            .await
            .unwrap();
        let pool = store.readers();
        let listed = list(pool, &RunFilter::default(), 10).await.unwrap();
        let [third, second, first] = &listed[..] else {
            panic!("three runs")
        };
        assert_eq!(
            (third.by_kind.as_str(), third.ended_at.as_deref()),
            ("schedule", None)
        );
        assert_eq!(second.by_id, Some(staff.to_string()));
        assert_eq!(second.outcome.as_deref(), Some("too_many_missing"));
        assert_eq!((second.homes, second.allowed), (Some(12), Some(8)));
        assert_eq!((first.added, first.missing, first.withdrawn), (3, 2, 0));
        assert_eq!(first.ended_at, Some(instant(at(60))));
        let north = RunFilter {
            feed: Some("north".to_owned()),
            before: Some(third.position),
        };
        assert_eq!(list(pool, &north, 10).await.unwrap(), std::slice::from_ref(first));
        assert_eq!(find(pool, run_id(2)).await.unwrap().as_ref(), Some(second));
        assert_eq!(find(pool, run_id(9)).await.unwrap(), None);
        assert_eq!(list_feeds(pool).await.unwrap(), ["north", "south"]);
    }
}

/// A person's edit comes after the run, and the run stays the last that changed the home.
#[tokio::test]
async fn home_keeps_the_run_that_changed_it_last() {
    let log = EventLog::memory();
    for number in 1..3 {
        begin(&log, number, "north", RunBy::Operator).await;
        touch(&log, HOME, run_id(number).0).await;
    }
    touch(&log, HOME, Uuid::from_u128(99)).await;
    touch(&log, OTHER, Uuid::from_u128(99)).await;
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let runs: Vec<Box<dyn Projection>> = vec![Box::new(ImportRuns)];
        Projector::new(log.clone(), store.clone(), runs)
            .catch_up()
            .await
            .unwrap();
        let pool = store.readers();
        assert_eq!(last_run(pool, HOME).await.unwrap(), Some(run_id(2)));
        assert_eq!(last_run(pool, OTHER).await.unwrap(), None);
    }
}
