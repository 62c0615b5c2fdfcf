//! People who come for the first time, one after the other, from several processes, and after things went wrong.

use std::path::Path;
use std::sync::Arc;

use domain::id::UserId;
use domain::sealed::Sealed;
use eventlog::port::Place;
use eventlog::{EventLog, Expected, LogError};
use eventlog_conformance::newcomers::{add, both_give, note, person, readable};
use eventlog_conformance::{Account, AccountEvent, account, direct};
use rusqlite::Connection;
use uuid::Uuid;

use super::open;

fn handed_over(log: &EventLog) {
    log.keys().hand_over().expect("handed over");
}

/// Those keys of the stock that people were given.
fn given_in_stock(dir: &Path) -> i64 {
    let keys = Connection::open(dir.join("keys.db")).expect("the keys");
    keys.execute("attach ?1 as log", [dir.join("log.db").to_string_lossy()])
        .expect("the log");
    let count = "select count(*) from stock_key where id in (select key_id from log.key_given)";
    keys.query_row(count, [], |row| row.get(0)).expect("a count")
}

/// A thousand newcomers one after the other wait for the keys' disk once.
#[tokio::test]
async fn thousand_new_people_in_turn_cost_one_key_sync() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    for number in 0..300 {
        add(&log, number).await;
    }
    assert_eq!(log.keys().waited(), 1, "for the first of them alone");
    for batch in 0..7 {
        let notes = (0..100).map(|number| note(300 + 100 * batch + number));
        log.append_many(notes.collect()).await.expect("appended");
    }
    assert!(log.keys().waited() <= 2, "{} times", log.keys().waited());
    assert!(readable(&log, 0..1_000).await.into_iter().all(|it| it));
}

/// A newcomer's key stays in memory until it is durable however many others are looked up.
#[tokio::test]
async fn new_key_stays_in_memory_until_durable() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    for number in 1..=300 {
        add(&log, number).await;
    }
    handed_over(&log);
    let newcomers = log.keys().newcomers(&[person(0)]).expect("nobody knows them");
    let given = log
        .keys()
        .assign(newcomers, |_, _| Ok(Vec::new()))
        .expect("a key");
    // Somebody reads meanwhile about more people than there is room for.
    for number in 1..=300 {
        log.keys().fetch(&[person(number)]).expect("found");
    }
    let place = Place {
        stream: eventlog::stream::StreamId::of::<Account>(account(0)),
        revision: 1,
        event_type: "Noted",
    };
    let sealed = log.keys().seal(person(0), &place, b"of 0").expect("sealed");
    assert!(
        sealed.is_some() && given.len() == 1,
        "what was said of them is kept"
    );
}

/// Newcomers named just now do not fill the memory with their keys.
#[tokio::test]
async fn recently_named_new_people_do_not_fill_the_key_cache() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    let newcomer = |number: u128| {
        let note = AccountEvent::Noted {
            about: UserId(Uuid::now_v7()),
            note: Sealed::new(format!("of {number}")),
        };
        direct(account(number), Expected::Any, &[note])
    };
    for batch in 0..10 {
        let notes = (0..100).map(|number| newcomer(100 * batch + number));
        log.append_many(notes.collect()).await.expect("appended");
    }
    // As many as there is room for, and the last batch.
    assert!(log.keys().held() <= 256 + 100, "{} keys", log.keys().held());
    assert!(readable(&log, 0..1_000).await.into_iter().all(|it| it));
}

#[tokio::test]
async fn whoever_reads_finds_keys_that_are_not_handed_over_yet() {
    let dir = tempfile::tempdir().expect("a folder");
    let (here, there) = (open(dir.path()).await, open(dir.path()).await);
    for number in 0..50 {
        add(&here, number).await;
        let stranger = there.without_keys().await.expect("looked at");
        assert_eq!(stranger, None, "the keys are this log's");
        assert_eq!(readable(&there, number..number + 1).await, [true], "{number}");
    }
    handed_over(&here);
    assert_eq!(given_in_stock(dir.path()), 0);
    let later = open(dir.path()).await;
    assert!(readable(&later, 0..50).await.into_iter().all(|it| it));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_give_nobody_two_keys_and_no_key_to_two_people() {
    let dir = tempfile::tempdir().expect("a folder");
    let [here, there, later] = [(); 3].map(|()| open(dir.path()));
    both_give(here.await, there.await, later.await).await;
}

/// A key given to somebody who is forgotten in that moment is destroyed.
#[tokio::test]
async fn key_given_to_a_person_being_forgotten_is_destroyed() {
    let dir = tempfile::tempdir().expect("a folder");
    let (here, there) = (open(dir.path()).await, open(dir.path()).await);
    add(&here, 0).await;
    let newcomers = here.keys().newcomers(&[person(1)]).expect("nobody knows them");
    there.forget_subject(person(1)).await.expect("forgotten");
    let given = here
        .keys()
        .assign(newcomers, |_, _| Ok(Vec::new()))
        .expect("a key");
    // As the writer does with the first event.
    let file = Connection::open(dir.path().join("log.db")).expect("the log");
    for (subject, key) in &given {
        file.execute(
            "insert into key_given values (?1, ?2)",
            [subject.0.as_bytes(), key.as_bytes()],
        )
        .expect("given");
    }
    assert!(given.len() == 1 && given_in_stock(dir.path()) >= 1);
    handed_over(&here);
    assert_eq!(given_in_stock(dir.path()), 0, "nothing is left of it");
    let later = open(dir.path()).await;
    add(&later, 1).await;
    assert_eq!(readable(&later, 0..2).await, [true, false]);
}

/// What a process had given when it ended is handed over by the next.
#[tokio::test]
async fn keys_given_before_a_crash_are_handed_over_at_restart() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    let notes = (0..100).map(note).collect();
    log.append_many(notes).await.expect("appended");
    // It writes no more, and what it owes is not paid.
    let copy = tempfile::tempdir().expect("a folder");
    crate::back_up(dir.path(), copy.path()).expect("copied");
    let owed = given_in_stock(copy.path());
    let next = open(copy.path()).await;
    let settled = async {
        while given_in_stock(copy.path()) > 0 {
            tokio::task::yield_now().await;
        }
    };
    let settled = tokio::time::timeout(std::time::Duration::from_mins(1), settled).await;
    settled.unwrap_or_else(|_| panic!("{owed} were owed"));
    assert!(readable(&next, 0..100).await.into_iter().all(|it| it));
}

/// A folder of before the stock opens and a lost key gets a successor.
#[tokio::test]
async fn old_folder_without_a_pool_opens_and_replaces_a_lost_key() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    add(&log, 1).await;
    handed_over(&log);
    drop(log);
    let before = "drop table key_given; pragma user_version = 3";
    let file = Connection::open(dir.path().join("log.db")).expect("the log");
    file.execute_batch(before).expect("as it was");
    let keys = Connection::open(dir.path().join("keys.db")).expect("the keys");
    keys.execute_batch("drop table stock_key; drop table key_change")
        .expect("as it was");
    drop((file, keys));
    let log = open(dir.path()).await;
    add(&log, 2).await;
    assert_eq!(readable(&log, 1..3).await, [true, true]);
    drop(log);
    for name in ["keys.db", "keys.db-wal", "keys.db-shm"] {
        drop(std::fs::remove_file(dir.path().join(name)));
    }
    let log = open(dir.path()).await;
    assert_eq!(readable(&log, 1..3).await, [false, false], "their keys are lost");
    add(&log, 2).await;
    assert_eq!(
        readable(&log, 2..3).await,
        [true],
        "what is written from now on is not"
    );
}

/// A file of somebody the log does not know is sealed under a key of the stock.
#[tokio::test]
async fn file_of_an_unknown_person_is_sealed_with_a_pool_key() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = open(dir.path()).await;
    let file = Uuid::from_u128(9);
    let sealed = log.seal_file(person(1), file, b"scan".to_vec()).await;
    let sealed = sealed.expect("sealed").expect("a key");
    let there = open(dir.path()).await;
    let opened = there.open_file(person(1), file, sealed.clone()).await;
    assert_eq!(opened.expect("a key").as_deref(), Some(b"scan".as_slice()));
    assert_eq!(log.head().await.expect("readable"), 0, "it is no event");
    there.forget_subject(person(1)).await.expect("forgotten");
    assert_eq!(
        there.open_file(person(1), file, sealed).await.expect("no key"),
        None
    );
    handed_over(&log);
    let again = open(dir.path())
        .await
        .seal_file(person(1), file, b"scan".to_vec())
        .await;
    assert_eq!(again.expect("heard"), None);
}

#[tokio::test]
async fn keys_that_cannot_be_kept_stop_nobody_who_has_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = Arc::new(open(dir.path()).await);
    add(&log, 1).await;
    let keys = Connection::open(dir.path().join("keys.db")).expect("the keys");
    keys.execute_batch("drop table stock_key").expect("dropped");
    let refused: Result<(), LogError> = log.keys().hand_over();
    assert!(refused.is_err());
    add(&log, 1).await;
    add(&log, 2).await;
}
