//! What is read for a command, told by a log of which nothing can be read.

use std::path::Path;
use std::pin::pin;

use domain::moment::Moment;
use eventlog::grouped::Grouped;
use eventlog::{Actor, CommitError, Context, EventLog, HandleHasher, commit};
use eventlog_conformance::{Account, AccountCommand as Command, AccountId};
use uuid::Builder;

use super::open;
use crate::Sqlite;
use crate::keyfile::keyring;
use crate::read::Readers;

fn at(seconds: i64) -> Context {
    let at = Moment::from_timestamp(seconds, 0).expect("a time of our calendar");
    Context::new(at, Actor::VISITOR)
}

/// A log in `dir`, and those who read for it.
fn on_readers(dir: &Path) -> (EventLog, Readers) {
    let path = dir.join("log.db");
    let keys = keyring(&dir.join("keys.db")).expect("keys");
    let engine = Sqlite::open(&path).expect("a log");
    let (head, readers) = (engine.end().expect("its end"), Readers::new(&path, keys.clone()));
    let backend = Grouped::start(engine, readers.clone(), keys.clone(), head);
    (EventLog::on(backend, keys, HandleHasher::random()), readers)
}

/// An account that was named in that second.
fn named(second: u64) -> AccountId {
    AccountId(Builder::from_unix_timestamp_millis(second * 1_000 + 500, &[7; 10]).into_uuid())
}

/// A stream that was named just now is not read before its first event.
#[tokio::test]
async fn new_stream_is_not_read_before_its_first_event() {
    let dir = tempfile::tempdir().expect("a folder");
    let (log, readers) = on_readers(dir.path());
    let nobody_reads = readers.nobody().await.expect("a turn");
    let now = at(6_000);
    let unread = commit::<Account>(&log, named(5_000), Command::Deposit(1), &now);
    let mut unread = pin!(unread);
    let done = commit::<Account>(&log, named(6_000), Command::Deposit(1), &now);
    let done = tokio::select! {
        biased;
        _ = &mut unread => panic!("it may have events"),
        done = done => done,
    };
    assert_eq!(done.expect("nothing was read").revision, 1);
    let done = commit::<Account>(&log, named(6_000), Command::Deposit(1), &at(6_000)).await;
    assert_eq!(done.expect("it is at hand").revision, 2);
    drop(nobody_reads);
    assert_eq!(unread.await.expect("it has none").revision, 1);
}

#[tokio::test]
async fn what_another_process_made_of_it_meanwhile_is_read_after_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (open(dir.path()).await, open(dir.path()).await);
    let (account, now) = (named(6_000), at(6_000));
    let made = commit::<Account>(&theirs, account, Command::Deposit(10), &now).await;
    made.expect("a new account");
    let taken = commit::<Account>(&ours, account, Command::Withdraw(4), &now).await;
    assert_eq!(taken.expect("there is enough").state.balance, 6);
    // Evicted by what was written at once, it is known to be there.
    let more = commit::<Account>(&theirs, account, Command::Withdraw(7), &now).await;
    assert!(matches!(more, Err(CommitError::Rejected(_))), "{more:?}");
}
