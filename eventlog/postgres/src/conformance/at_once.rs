//! Batches that PostgreSQL holds against a forecast while it writes them (decision 0005).

use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use domain::sealed::Sealed;
use eventlog::engine::{BatchOutcome, Engine as _};
use eventlog::forecast::Forecast;
use eventlog::plan::{Plan, plan};
use eventlog::port::Keyring;
use eventlog::{Append, AppendError, Expected, commit};
use eventlog_conformance::AccountEvent::{Deposited, Noted};
use eventlog_conformance::{Account, AccountCommand as Command, account, direct, noon, somebody, stream};

use super::nodes::intact;
use super::{Databases, connected, server};
use crate::Postgres;
use crate::open::opened;

fn deposit(number: u128, at: u64) -> Append {
    direct(
        account(number),
        Expected::Revision(at),
        &[Deposited { amount: 1 }],
    )
}

/// Sends an append on what the engine foresees.
fn send(engine: &mut Postgres, append: &Append) -> Arc<Plan> {
    let head = engine.foreseen().expect("the engine has written before");
    let forecast = Forecast::of(&[append], head).expect("it says enough");
    let (planned, _) = plan(&[append], forecast.standing(), &Keyring::memory(), noon());
    let planned = Arc::new(planned);
    engine.send(&forecast, &planned).expect("sent");
    planned
}

/// An engine that has written an event of its own, of the account with this number.
fn begun(mut engine: Postgres, number: u128) -> Postgres {
    let append = deposit(number, 0);
    let standing = engine.begin(&[stream(account(number))], &[]).expect("begun");
    let (planned, _) = plan(&[&append], standing, &Keyring::memory(), noon());
    engine.commit(&planned).expect("written");
    engine
}

async fn engine(databases: &Databases) -> Postgres {
    let opened = opened(&databases.log, &databases.keys).await;
    opened.expect("the log opens").engine
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("nobody panics")
}

/// A batch is one question once the writer knows where the log ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batch_takes_one_round_trip_once_the_end_is_known() {
    let databases = Databases::of(server());
    let watcher = connected(&databases.log).await;
    let counting = "do $$ begin execute format('alter database %I set track_functions = pl', current_database()); end $$";
    watcher.batch_execute(counting).await.expect("the server counts");
    let log = databases.open().await;
    for _ in 0..3 {
        let done = commit::<Account>(&log, account(1), Command::Deposit(1), &somebody()).await;
        done.expect("written");
    }
    // A guard, a new stream and one that has moved.
    let many = deposit(2, 0).guard(stream(account(1)), Expected::Revision(3));
    log.append(many).await.expect("written");
    log.append(deposit(2, 1)).await.expect("written");
    // The first one asked how things stand; the server counts the calls of the others, a little later.
    let calls = "select calls from pg_stat_user_functions where funcname = 'write_batch' and calls = 4";
    let counted = async { while watcher.query(calls, &[]).await.expect("readable").is_empty() {} };
    let counted = tokio::time::timeout(Duration::from_secs(30), counted).await;
    counted.expect("four batches were one question each");
    intact(&log, 5).await;
}

/// Two batches are on their way and the second stands and falls with the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pipelined_batch_fails_with_the_one_before_it() {
    let databases = Databases::of(server());
    let (here, there) = (engine(&databases).await, engine(&databases).await);
    blocking(move || {
        let mut here = begun(here, 1);
        send(&mut here, &deposit(1, 1));
        send(&mut here, &deposit(1, 2));
        assert!(matches!(here.outcome(), BatchOutcome::Written));
        assert!(matches!(here.outcome(), BatchOutcome::Written));
        // Another node writes, which nobody here has heard of.
        begun(there, 2);
        send(&mut here, &deposit(1, 3));
        send(&mut here, &deposit(3, 0));
        assert!(matches!(here.outcome(), BatchOutcome::Otherwise));
        assert!(matches!(here.outcome(), BatchOutcome::Otherwise));
        assert!(
            here.foreseen().is_none(),
            "it asks before it sends anything again"
        );
    })
    .await;
    intact(&databases.open().await, 4).await;
}

/// What the server reads after somebody looked for it is not written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batch_read_after_its_outcome_was_checked_is_not_written() {
    let databases = Databases::of(server());
    let (here, there) = (engine(&databases).await, engine(&databases).await);
    blocking(move || {
        let (mut here, mut there) = (begun(here, 1), there);
        // As the writer does when the connection is lost with a batch that the server has not read yet.
        assert_eq!(there.chain_at(2).expect("looked"), None);
        send(&mut here, &deposit(1, 1));
        assert!(matches!(here.outcome(), BatchOutcome::Otherwise));
    })
    .await;
    intact(&databases.open().await, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_foresees_wrongly_is_told_what_is_so() {
    let databases = Databases::of(server());
    let (here, there) = (databases.open().await, databases.open().await);
    here.append(deposit(1, 0)).await.expect("written");
    let context = somebody().command(uuid::Uuid::now_v7(), b"deposit");
    let done = commit::<Account>(&there, account(2), Command::Deposit(5), &context).await;
    done.expect("written");
    there.append(deposit(1, 1)).await.expect("written");
    let late = here.append(deposit(1, 1)).await;
    assert!(
        matches!(late, Err(AppendError::Conflict { current: 2, .. })),
        "{late:?}"
    );
    // Long enough that it sends without asking again.
    for at in 2..22 {
        here.append(deposit(1, at)).await.expect("written");
    }
    let again = commit::<Account>(&here, account(2), Command::Deposit(5), &context).await;
    assert!(again.expect("known").repeated);
    for wrong in [deposit(1, 3), deposit(2, 0), deposit(4, 7)] {
        let told = here.append(wrong).await;
        assert!(matches!(told, Err(AppendError::Conflict { .. })), "{told:?}");
        for _ in 0..17 {
            let any = direct(account(9), Expected::Any, &[Deposited { amount: 1 }]);
            here.append(any).await.expect("written");
        }
    }
    intact(&here, 3 + 20 + 3 * 17).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_looks_for_the_key_of_a_person_who_was_named_just_now() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    let about = |number| {
        let about = UserId(uuid::Uuid::now_v7());
        let noted = Noted {
            about,
            note: Sealed::new("personal".to_owned()),
        };
        direct(account(number), Expected::Revision(0), &[noted])
    };
    log.append(about(1)).await.expect("the first one fills the stock");
    let stranger = connected(&databases.keys).await;
    let lock = "begin; lock table subject_key in access exclusive mode";
    stranger.batch_execute(lock).await.expect("nobody reads");
    log.append(about(2)).await.expect("nobody is asked");
    stranger.batch_execute("rollback").await.expect("let go");
    intact(&log, 2).await;
}
