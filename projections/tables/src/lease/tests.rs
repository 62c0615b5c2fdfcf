//! One node at a time, whatever becomes of it.

use std::time::{Duration, Instant};

use sqlx::Executor as _;

use super::*;
use crate::trial::{opened, shared};
use crate::{Database, Place};

/// The engine issue's bound for a node that is killed.
const TAKEN_OVER: Duration = Duration::from_secs(5);

fn nodes(database: &Database) -> (Lease, Lease) {
    let lease = |owner| Lease::new(database, "work", owner);
    (lease("a"), lease("b"))
}

async fn taken_by(lease: &Lease) -> Duration {
    let began = Instant::now();
    while !lease.take().await.unwrap() {
        assert!(began.elapsed() < TAKEN_OVER, "nobody took over");
        tokio::time::sleep(ASKED).await;
    }
    began.elapsed()
}

/// One node holds it and the next takes over at once or within five seconds.
#[tokio::test]
async fn lease_moves_at_once_or_within_five_seconds() {
    let database = opened(&shared()).await;
    let (a, b) = nodes(&database);
    assert!(a.take().await.unwrap() && a.take().await.unwrap());
    assert!(!b.take().await.unwrap());
    assert_eq!(b.owner().await.unwrap().as_deref(), Some("a"));
    a.release().await.unwrap();
    assert!(b.take().await.unwrap());
    // B is killed: it says nothing any more.
    let took = taken_by(&a).await;
    assert!(took > LASTS / 2, "taken from its owner after {took:?}");
    let mut late = database.begin().await.unwrap();
    assert!(
        !b.guard(&mut late).await.unwrap(),
        "a node without the lease may write"
    );
}

/// Nobody takes it from a transaction under way and one that stands still is ended.
#[tokio::test]
async fn lease_is_safe_during_a_transaction_and_ends_a_stalled_one() {
    let place = shared();
    let (database, other) = (opened(&place).await, opened(&place).await);
    let (a, _) = nodes(&database);
    let (_, b) = nodes(&other);
    assert!(a.take().await.unwrap());
    let mut writing = database.begin().await.unwrap();
    assert!(a.guard(&mut writing).await.unwrap());
    assert!(!b.take().await.unwrap());
    writing
        .execute("insert into journey (person, property, document) values ('p', 'h', '')")
        .await
        .unwrap();
    // It stands still for as long as it takes: the database ends it, and what it wrote is gone.
    taken_by(&b).await;
    assert!(writing.commit().await.is_err());
    let rows: i64 = sqlx::query_scalar("select count(*) from journey")
        .fetch_one(other.pool())
        .await
        .unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn whoever_is_asked_to_stop_gives_it_back() {
    let place = shared();
    let (database, other) = (opened(&place).await, opened(&place).await);
    let (a, _) = nodes(&database);
    let (_, b) = nodes(&other);
    let (held_by_a, held_by_b) = (watch::Sender::new(false), watch::Sender::new(false));
    let (mut a_holds, mut b_holds) = (held_by_a.subscribe(), held_by_b.subscribe());
    let stop = watch::Sender::new(false);
    let never = watch::Sender::new(false);
    let keeping = tokio::spawn(a.keep(held_by_a, stop.subscribe()));
    a_holds.wait_for(|held| *held).await.unwrap();
    tokio::spawn(b.keep(held_by_b, never.subscribe()));
    stop.send_replace(true);
    keeping.await.unwrap();
    let at_once = tokio::time::timeout(LASTS / 2, b_holds.wait_for(|held| *held));
    assert!(
        at_once.await.is_ok(),
        "the next node waits though the lease was given back"
    );
}

#[tokio::test]
async fn a_server_with_a_folder_of_its_own_always_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = opened(&Place::Folder(folder.path().to_owned())).await;
    let (a, b) = nodes(&database);
    assert!(a.take().await.unwrap() && b.take().await.unwrap());
    let mut writing = database.begin().await.unwrap();
    assert!(b.guard(&mut writing).await.unwrap());
}
