//! Additions to several streams are made in steps. A process that dies between any two of them leaves all or nothing, and a
//! repetition of its command finishes what it began, once.

use std::time::Duration;

use domain::aggregate::Decide as _;
use eventlog::{
    Actor, Append, Appended, CommitError, Context, EventLog, Expected, LogError, StreamId, commit,
    commit_together, load,
};
use eventlog_conformance::{Account, AccountCommand, AccountId, TooLittle, places};
use tempfile::TempDir;
use uuid::Uuid;

use super::{Place, log_at, standin};

fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

fn context() -> Context {
    Context::new(chrono::DateTime::UNIX_EPOCH, Actor::SYSTEM)
}

/// Moves 1 from the first account to the second while the third stands still.
async fn transfer(log: &EventLog, context: &Context) -> Result<Appended, CommitError<TooLittle>> {
    commit_together(log, context, |append| async move {
        let (from, to) = (
            load::<Account>(log, account(1)).await?,
            load::<Account>(log, account(2)).await?,
        );
        let looked_at = load::<Account>(log, account(3)).await?;
        let out = from
            .state
            .decide(AccountCommand::Withdraw(1))
            .map_err(CommitError::Rejected)?;
        let into = to
            .state
            .decide(AccountCommand::Deposit(1))
            .map_err(CommitError::Rejected)?;
        let append = append
            .guard(StreamId::of::<Account>(account(3)), looked_at.expected())
            .decision(account(1), &from, &out)
            .map_err(LogError::from)?;
        Ok(append
            .decision(account(2), &to, &into)
            .map_err(LogError::from)?
            .reply(b"moved".to_vec()))
    })
    .await
}

async fn balances(log: &EventLog) -> [i64; 2] {
    let balance = async |number| {
        let loaded = load::<Account>(log, account(number)).await.expect("readable");
        loaded.state.balance
    };
    [balance(1).await, balance(2).await]
}

async fn deposit(log: &EventLog, number: u128, amount: i64) {
    commit::<Account>(log, account(number), AccountCommand::Deposit(amount), &context())
        .await
        .expect("a deposit always goes");
}

/// A process that dies between any two steps leaves all or nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kurrentdb_commit_killed_between_steps_is_all_or_nothing() {
    let mut left = Vec::new();
    for steps in 1.. {
        let (server, keys) = (standin(), TempDir::new().expect("a directory"));
        let (healthy, doomed) = (
            server.open().await.expect("a port"),
            server.open().await.expect("a port"),
        );
        let other = log_at(&healthy.url(), &keys, "").await;
        deposit(&other, 1, 10).await;
        let command = context().command(Uuid::from_u128(7), b"1 to 2");
        let log = log_at(&doomed.url(), &keys, "").await;
        doomed.cut_after(steps);
        let survived = tokio::select! {
            done = transfer(&log, &command) => {
                assert_eq!(done.expect("moved").reply.as_deref(), Some(b"moved".as_slice()));
                true
            }
            () = doomed.was_cut() => false,
        };
        drop((log, doomed));
        if survived {
            break;
        }
        // Who was there all along is not held up, and neither is who comes new.
        let next = log_at(&healthy.url(), &keys, "").await;
        let found = balances(&next).await;
        assert!(
            found == [10, 0] || found == [9, 1],
            "after {steps} steps: {found:?}"
        );
        let written = places(&next).await.len();
        assert_eq!(written == 3, found == [9, 1], "what does not count is not read");
        let done = tokio::time::timeout(Duration::from_secs(5), transfer(&next, &command)).await;
        let done = done
            .expect("nobody waits for the dead")
            .expect("done now at the latest");
        assert_eq!(
            (done.repeated, done.reply.as_deref()),
            (found == [9, 1], Some(b"moved".as_slice()))
        );
        deposit(&other, 1, 1).await;
        for log in [&next, &other] {
            assert_eq!(balances(log).await, [10, 1]);
            assert_eq!(places(log).await.len(), 4, "each effect once");
        }
        left.push(found);
    }
    println!("left after each step: {left:?}");
    assert_eq!(
        left.first(),
        Some(&[10, 0]),
        "before the last step nothing counts"
    );
    assert_eq!(left.last(), Some(&[9, 1]), "after it all does");
    assert_eq!(left.len(), 4, "a shape, two events and the end: {left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_that_look_at_what_the_other_writes_never_both_go_through() {
    let place = Place::new().await;
    let logs = [place.open().await, place.open().await];
    for round in 0..40_u128 {
        let (one, two) = (account(2 * round), account(2 * round + 1));
        let only_if_still = |writes: AccountId, looks: AccountId| {
            Append::new(&context())
                .guard(StreamId::of::<Account>(looks), Expected::Revision(0))
                .events::<Account>(
                    writes,
                    Expected::Revision(0),
                    &[eventlog_conformance::AccountEvent::Deposited { amount: 1 }],
                )
                .expect("events have a stored form")
        };
        let (first, second) = tokio::join!(
            logs[0].append(only_if_still(one, two)),
            logs[1].append(only_if_still(two, one))
        );
        assert!(
            first.is_err() || second.is_err(),
            "round {round}: both went through"
        );
        assert!(
            first.is_ok() || second.is_ok(),
            "round {round}: {first:?} {second:?}"
        );
    }
}
