//! What one append promises on engines that can be disturbed from outside.

use futures::future::join_all;

use super::super::account::AccountEvent::Deposited;
use super::super::{Databases, Ground, account, connected, direct, open, part, server, somebody, stored};
use crate::append::{Append, Expected};
use crate::error::AppendError;
use crate::log::{EventLog, settled};
use crate::port::Pending;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_the_database_refuses_fails_alone() {
    for ground in [Ground::sqlite(), Ground::postgres()] {
        one_of_four_is_refused(&ground).await;
    }
}

async fn one_of_four_is_refused(ground: &Ground) {
    let log = ground.log().await;
    let twin = stored(&Deposited { amount: 1 });
    let with = |number, event| {
        let mut append = Append::new(&somebody());
        append
            .streams
            .push(part(account(number), Expected::Any, vec![event]));
        log.send(append).expect("there is room")
    };
    // Two events of one name: the second cannot be stored.
    let pending = [
        with(1, twin.clone()),
        with(2, stored(&Deposited { amount: 2 })),
        with(3, twin),
        with(4, stored(&Deposited { amount: 4 })),
    ];
    let answers = join_all(pending.into_iter().map(settled)).await;
    let done: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(done, [true, true, false, true], "{answers:?}");
    let positions: Vec<u64> = log
        .read_all(0, 10)
        .await
        .expect("readable")
        .iter()
        .map(|it| it.position)
        .collect();
    assert_eq!(positions, [1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_says_busy_and_loses_nothing_that_it_took() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let log = open(dir.path()).await;
    let blocker = rusqlite::Connection::open(dir.path().join("log.db")).expect("a second connection");
    blocker.execute_batch("begin immediate").expect("the write lock");
    let taken = fill(&log);
    blocker.execute_batch("rollback").expect("the lock is let go");
    all_are_written(&log, taken).await;

    let databases = Databases::of(server());
    let log = databases.open().await;
    let blocker = connected(&databases.log).await;
    blocker
        .batch_execute("begin; select * from log_head for update")
        .await
        .expect("the head's lock");
    let taken = fill(&log);
    blocker
        .batch_execute("rollback")
        .await
        .expect("the lock is let go");
    all_are_written(&log, taken).await;
}

/// Sends until there is no more room.
fn fill(log: &EventLog) -> Vec<Pending> {
    let mut taken = Vec::new();
    let refused = loop {
        match log.send(direct(
            account(taken.len() as u128),
            Expected::Any,
            &[Deposited { amount: 1 }],
        )) {
            Ok(pending) => taken.push(pending),
            Err(refused) => break refused,
        }
        assert!(taken.len() < 100_000, "the queue has no end");
    };
    assert!(matches!(refused, AppendError::Busy));
    taken
}

async fn all_are_written(log: &EventLog, taken: Vec<Pending>) {
    let count = taken.len() as u64;
    let answers = join_all(taken.into_iter().map(settled)).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(log.head().await.expect("readable"), count);
}

#[test]
fn nothing_is_acknowledged_before_it_is_synced() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let file = crate::sqlite::Sqlite::open(&dir.path().join("log.db")).expect("the log opens");
    assert_eq!(
        file.durability().expect("readable"),
        ("wal".to_owned(), 2),
        "synchronous = full"
    );
}
