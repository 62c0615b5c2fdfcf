//! One event that cannot be taken in holds up its own stream, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use chrono::DateTime;
use domain::id::{InventoryId, ShortlistEntryId, UserId};
use domain::shortlist::{Shortlist, ShortlistCommand};
use eventlog::{Actor, Context, commit};
use tables::Place;
use uuid::Uuid;

use super::nodes::Begins;
use super::*;
use crate::trial::places;

/// Keeps who has a shortlist, in a table of another read model; while it is confused it takes nothing in about one person.
struct Keepers {
    confused_by: Uuid,
    confused: Arc<AtomicBool>,
    version: u32,
    per_stream: bool,
}

impl Keepers {
    fn of_version(version: u32) -> Vec<Box<dyn Projection>> {
        vec![Box::new(Self {
            confused_by: Uuid::nil(),
            confused: Arc::default(),
            version,
            per_stream: true,
        })]
    }
}

impl Projection for Keepers {
    fn name(&self) -> &'static str {
        "keepers_of_a_test"
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn folds_per_stream(&self) -> bool {
        self.per_stream
    }

    fn tables(&self) -> &'static [&'static str] {
        &["inventory_name"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["shortlist"]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for event in events {
                let confused = self.confused.load(Relaxed) && event.stream.id == self.confused_by;
                let name = (!confused).then(|| event.position.to_string());
                sqlx::query("insert into inventory_name (name, inventory, root) values ($1, $2, '')")
                    .bind(name)
                    .bind(event.stream.id.to_string())
                    .execute(&mut *connection)
                    .await?;
            }
            Ok(())
        })
    }
}

/// Two events of one person.
async fn keep_two(log: &EventLog, person: u128) {
    for home in 1..=2 {
        keep(log, person, home).await;
    }
}

async fn keep(log: &EventLog, person: u128, home: u128) {
    let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    let command = ShortlistCommand::Add {
        entry_id: ShortlistEntryId(Uuid::from_u128(person * 100 + home)),
        inventory_id: InventoryId(Uuid::from_u128(home)),
        at,
    };
    let context = Context::new(at, Actor::SYSTEM);
    commit::<Shortlist>(log, UserId(Uuid::from_u128(person)), command, &context)
        .await
        .unwrap();
}

async fn people(store: &ReadStore) -> Vec<String> {
    sqlx::query_scalar("select distinct inventory from inventory_name order by inventory")
        .fetch_all(store.readers())
        .await
        .unwrap()
}

fn id(person: u128) -> String {
    Uuid::from_u128(person).to_string()
}

/// Folds a read model that the second person confuses for as long as that is said.
fn confused_by_two(
    (log, store): (&EventLog, &ReadStore),
    confused: &Arc<AtomicBool>,
    per_stream: bool,
) -> Projector {
    let keepers = Keepers {
        confused_by: Uuid::from_u128(2),
        confused: confused.clone(),
        version: 1,
        per_stream,
    };
    Projector::new(log.clone(), store.clone(), vec![Box::new(keepers)])
}

/// An event that cannot be taken in is parked with its stream until the next start.
#[tokio::test]
async fn poison_event_is_parked_with_its_stream_until_restart() {
    for ((place, _folder), per_stream) in places().into_iter().zip([true, false]) {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        let confused = Arc::new(AtomicBool::new(true));
        let projector = || confused_by_two((&log, &store), &confused, per_stream);
        let mut running = projector();
        let applied = running.applied();
        for person in 1..=3 {
            keep_two(&log, person).await;
        }
        running.catch_up().await.unwrap();
        assert_eq!(people(&store).await, [id(1), id(3)]);
        assert_eq!(applied.position(), log.head().await.unwrap());
        assert_eq!(applied.progress()[0].parked, 1);
        let left_out = running.left_out("keepers_of_a_test", 10).await.unwrap();
        let positions: Vec<_> = left_out.iter().map(|parked| parked.position).collect();
        assert_eq!(positions, [3, 4]);

        // Though it could be taken in now, what came before it in its stream is missing.
        confused.store(false, Relaxed);
        keep(&log, 2, 3).await;
        keep_two(&log, 4).await;
        running.catch_up().await.unwrap();
        assert_eq!(people(&store).await, [id(1), id(3), id(4)]);
        running.leave().await.unwrap();

        let mut restarted = projector();
        restarted.catch_up().await.unwrap();
        assert_eq!(people(&store).await, [id(1), id(2), id(3), id(4)]);
        assert_eq!(restarted.applied().progress()[0].parked, 0);
    }
}

#[tokio::test]
async fn what_would_leave_out_more_than_what_serves_does_not_serve() {
    for ((place, _folder), per_stream) in places().into_iter().zip([true, false]) {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        let confused = Arc::new(AtomicBool::new(false));
        let mut running = confused_by_two((&log, &store), &confused, per_stream);
        keep_two(&log, 1).await;
        keep_two(&log, 2).await;
        running.catch_up().await.unwrap();
        confused.store(true, Relaxed);
        for ways in [crate::run::Ways::Compare, crate::run::Ways::Switch] {
            let refused = running.rebuild(None, ways).await;
            assert!(
                matches!(
                    refused,
                    Err(ProjectionError::LeavesOut {
                        more: 2,
                        first: 3,
                        ..
                    })
                ),
                "{refused:?}"
            );
        }
        assert_eq!(people(&store).await, [id(1), id(2)]);
        confused.store(false, Relaxed);
        running.rebuild(None, crate::run::Ways::Switch).await.unwrap();
        assert_eq!(people(&store).await, [id(1), id(2)]);
    }
}

/// What was left out is tried again on demand and stays left out as long as it must.
#[tokio::test]
async fn parked_events_are_retried_on_demand() {
    for ((place, _folder), per_stream) in places().into_iter().zip([false, true]) {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        let confused = Arc::new(AtomicBool::new(true));
        let keepers = Keepers {
            confused_by: Uuid::from_u128(2),
            confused: confused.clone(),
            version: 1,
            per_stream,
        };
        let mut running = Projector::new(log.clone(), store.clone(), vec![Box::new(keepers)]);
        keep_two(&log, 2).await;
        keep_two(&log, 1).await;
        running.catch_up().await.unwrap();
        let retried = running.retry("keepers_of_a_test").await.unwrap();
        assert_eq!((retried.rebuilt, retried.parked), (!per_stream, 1));
        assert_eq!(people(&store).await, [id(1)]);
        confused.store(false, Relaxed);
        let retried = running.retry("keepers_of_a_test").await.unwrap();
        assert_eq!(retried.parked, 0);
        assert_eq!(people(&store).await, [id(1), id(2)]);
        assert!(
            running
                .left_out("keepers_of_a_test", 10)
                .await
                .unwrap()
                .is_empty()
        );
    }
}

#[tokio::test]
async fn what_another_process_has_built_anew_is_not_taken_in_twice() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        running.catch_up().await.unwrap();
        // It has looked where it stands, and read what comes next; then the other one builds anew up to the end.
        keep_two(&log, 2).await;
        let events = log.read_all(2, BATCH).await.unwrap();
        let other = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        other.rebuild(None, Ways::Switch).await.unwrap();
        assert!(running.apply_batch((&events, 2, 4), &[]).await.unwrap().is_some());
        assert_eq!(running.applied().progress()[0].parked, 0);
        assert_eq!(people(&store).await, [id(1), id(2)]);
        assert_eq!(running.catch_up().await.unwrap(), 4);
    }
}

/// Longer than a follower rests between two attempts, many times over.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test]
async fn asked_to_stop_it_stops_though_the_database_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let store = ReadStore::open(&Place::Folder(folder.path().to_owned()))
        .await
        .unwrap();
    let projector = Projector::new(EventLog::memory(), store.clone(), vec![]);
    store.close().await;
    let stop = watch::Sender::new(false);
    let following = tokio::spawn(projector.follow(stop.subscribe()));
    stop.send_replace(true);
    tokio::time::timeout(SOON, following).await.unwrap().unwrap();
}

/// Asked to stop behind an import, it ends with the batch that it is at, and goes on there at the next start.
#[tokio::test]
async fn asked_to_stop_it_folds_no_batch_more() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_owned());
    let store = ReadStore::open(&place).await.unwrap();
    let log = EventLog::memory();
    let all = 2 * BATCH as u64 + 1;
    for person in 1..=u128::from(all) {
        keep(&log, person, 1).await;
    }
    let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
    let stopped = watch::Sender::new(true);
    let reached = running.fold(Begins::Process, Some(&stopped.subscribe())).await;
    assert_eq!(reached.unwrap(), Some(BATCH as u64));
    assert_eq!(running.catch_up().await.unwrap(), all);
    assert_eq!(people(&store).await.len() as u64, all);
}

mod anew;
mod several;
