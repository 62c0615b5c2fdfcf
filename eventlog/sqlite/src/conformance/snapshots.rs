//! What the shelf may do, and what it must never do: answer for the log.

use std::path::Path;
use std::time::{Duration, Instant};

use domain::id::UserId;
use domain::sealed::Sealed;
use eventlog::{EventLog, Expected};
use eventlog_conformance::{Account, AccountEvent, AccountId, account, direct};
use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;

use super::open;

/// Long enough to be kept.
const EVENTS: i64 = 1_500;

fn shelf(dir: &Path) -> Connection {
    let shelf = Connection::open(dir.join("snapshots.db")).expect("the file opens");
    shelf.busy_timeout(Duration::from_secs(5)).expect("a setting");
    shelf
}

fn kept(dir: &Path) -> i64 {
    let count = shelf(dir).query_row("select count(*) from snapshot", [], |row| row.get(0));
    count.expect("a number")
}

async fn deposits(log: &EventLog, of: AccountId) {
    let events: Vec<AccountEvent> = (0..EVENTS)
        .map(|_| AccountEvent::Deposited { amount: 1 })
        .collect();
    log.append(direct(of, Expected::Revision(0), &events))
        .await
        .expect("it is written");
}

async fn balance(log: &EventLog, of: AccountId) -> i64 {
    log.load::<Account>(of)
        .await
        .expect("it is readable")
        .state
        .balance
}

/// Loads until `settled`, because states are kept and compared in the background.
async fn until(log: &EventLog, of: AccountId, settled: impl Fn() -> bool) {
    let begun = Instant::now();
    while !settled() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing happened");
        balance(log, of).await;
        tokio::task::yield_now().await;
    }
}

/// A long account of which a state is kept, closed again.
async fn long_account() -> (TempDir, AccountId) {
    let (dir, of) = (TempDir::new().expect("a folder"), account(1));
    let log = open(dir.path()).await;
    deposits(&log, of).await;
    until(&log, of, || kept(dir.path()) == 1).await;
    (dir, of)
}

/// A long stream is folded from where it was kept and a wrong state is found out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn snapshot_shortens_folding_and_a_wrong_state_is_found() {
    let (dir, of) = long_account().await;
    let wrong = shelf(dir.path()).execute(
        "update snapshot set state = cast(replace(cast(state as text), '1500', '7') as blob)",
        [],
    );
    assert_eq!(wrong, Ok(1));
    let log = open(dir.path()).await;
    assert_eq!(
        balance(&log, of).await,
        7,
        "the kept state is what a load begins with"
    );
    until(&log, of, || kept(dir.path()) == 0).await;
    assert_eq!(balance(&log, of).await, EVENTS);
    assert_eq!(kept(dir.path()), 0, "its kind is not trusted any more");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_came_after_is_folded_on_top() {
    let (dir, of) = long_account().await;
    let log = open(dir.path()).await;
    let later = [AccountEvent::Withdrawn { amount: 500 }];
    log.append(direct(of, Expected::Any, &later))
        .await
        .expect("it is written");
    assert_eq!(balance(&log, of).await, EVENTS - 500);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_of_other_events_or_other_rules_is_not_used() {
    for strange in [
        "update snapshot set last_event = zeroblob(16), state = cast('{\"balance\":7,\"entries\":7}' as blob)",
        "update snapshot set rules = 'of yesterday', state = cast('{\"balance\":7,\"entries\":7}' as blob)",
        "update snapshot set state = cast('{\"balance\":' as blob)",
    ] {
        let (dir, of) = long_account().await;
        assert_eq!(shelf(dir.path()).execute(strange, []), Ok(1));
        let log = open(dir.path()).await;
        assert_eq!(balance(&log, of).await, EVENTS, "{strange}");
    }
}

/// A state with personal data is sealed and goes with the person.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn snapshot_of_personal_state_is_sealed_and_erased() {
    let (dir, of, person) = (
        TempDir::new().expect("a folder"),
        account(1),
        UserId(Uuid::from_u128(9)),
    );
    let log = open(dir.path()).await;
    deposits(&log, of).await;
    let note = AccountEvent::Noted {
        about: person,
        note: Sealed::new("Ada".to_owned()),
    };
    log.append(direct(of, Expected::Any, &[note]))
        .await
        .expect("it is written");
    until(&log, of, || kept(dir.path()) == 1).await;
    let state: Vec<u8> = shelf(dir.path())
        .query_row("select state from snapshot", [], |row| row.get(0))
        .expect("a state");
    assert!(!state.windows(7).any(|bytes| bytes == b"balance"), "it lies open");
    log.forget_subject(person).await.expect("they are forgotten");
    assert_eq!(kept(dir.path()), 0);
    assert_eq!(balance(&log, of).await, EVENTS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_people_nothing_is_kept() {
    let (dir, of) = (TempDir::new().expect("a folder"), account(1));
    let log = open(dir.path()).await;
    deposits(&log, of).await;
    let about = |person| AccountEvent::Noted {
        about: UserId(Uuid::from_u128(person)),
        note: Sealed::new("Ada".to_owned()),
    };
    log.append(direct(of, Expected::Any, &[about(1), about(2)]))
        .await
        .expect("it is written");
    let other = account(2);
    deposits(&log, other).await;
    // What is kept is kept in order, so once the second is there the first would be.
    balance(&log, of).await;
    until(&log, other, || kept(dir.path()) >= 1).await;
    assert_eq!(kept(dir.path()), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_file_is_moved_aside_and_begun_anew() {
    let (dir, of) = long_account().await;
    let (file, aside) = (
        dir.path().join("snapshots.db"),
        dir.path().join("snapshots.db.damaged"),
    );
    std::fs::write(&file, vec![7; 20_000]).expect("it is spoilt");
    let log = open(dir.path()).await;
    assert_eq!(balance(&log, of).await, EVENTS);
    until(&log, of, || kept(dir.path()) == 1).await;
    assert_eq!(std::fs::read(&aside).expect("it lies aside"), vec![7; 20_000]);
    std::fs::remove_file(&aside).expect("it lies aside");

    // Damage under an open file: what was written last is read again, and all pages but the first are gone.
    shelf(dir.path())
        .execute_batch("update snapshot set revision = revision; pragma wal_checkpoint(truncate);")
        .expect("it is in the file");
    let mut spoilt = std::fs::read(&file).expect("a file");
    spoilt[4_096..].fill(7);
    std::fs::write(&file, spoilt).expect("it is spoilt");
    assert_eq!(balance(&log, of).await, EVENTS);
    assert!(aside.exists(), "the damage was not noticed");
    until(&log, of, || kept(dir.path()) == 1).await;
}
