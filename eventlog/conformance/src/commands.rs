//! A command counts once, however often it is sent.

use std::convert::Infallible;
use std::sync::Arc;

use eventlog::EventLog;
use eventlog::engine::Engine;
use futures::future::join_all;
use parking_lot::Mutex;
use uuid::Uuid;

use super::account::{Account, AccountCommand as Command, AccountEvent::Deposited};
use super::{Ground, account, count, direct, every_engine, somebody};
use eventlog::AppendError;
use eventlog::append::{Append, Expected};
use eventlog::commit::{CommitError, commit, done_before, done_before_on};
use eventlog::context::Context;

every_engine![($) commands;
    repeated_command_gets_the_first_answer,
    repeated_command_is_answered_against_later_rules,
    a_command_id_used_for_something_else_is_refused,
    sixty_four_at_once_with_one_command_id_have_one_effect,
    a_command_without_effect_is_remembered_too,
    a_reply_is_given_back_byte_for_byte,
    a_reply_without_events_is_given_back_to_all_who_came_at_once,
    command_done_at_another_node_is_answered_here,
    a_command_of_one_stream_is_known_again,
];

/// A command with an id, and what it was sent with.
pub fn named(id: u128, body: &str) -> Context {
    somebody().command(Uuid::from_u128(id), body.as_bytes())
}

/// A repeated command gets the first one's answer and writes nothing.
async fn repeated_command_gets_the_first_answer(ground: Ground) {
    let log = ground.log().await;
    let first = commit::<Account>(&log, account(1), Command::Deposit(5), &named(7, "5"))
        .await
        .expect("committed");
    commit::<Account>(&log, account(1), Command::Deposit(1), &somebody())
        .await
        .expect("committed");
    drop(log);

    let log = ground.log().await;
    let again = commit::<Account>(&log, account(1), Command::Deposit(5), &named(7, "5"))
        .await
        .expect("answered");
    assert!(again.repeated && !first.repeated);
    assert_eq!(again.events, first.events);
    assert_eq!(again.event_ids, first.event_ids);
    assert_eq!(
        (again.revision, again.position, &again.state),
        (first.revision, first.position, &first.state)
    );
    assert_eq!(count(&log).await, 2);
}

/// A repeated command is answered though the rules now stand against it.
async fn repeated_command_is_answered_against_later_rules(ground: Ground) {
    let log = ground.log().await;
    commit::<Account>(&log, account(1), Command::Deposit(5), &somebody())
        .await
        .expect("committed");
    let first = commit::<Account>(&log, account(1), Command::Withdraw(5), &named(7, "w"))
        .await
        .expect("committed");
    let again = commit::<Account>(&log, account(1), Command::Withdraw(5), &named(7, "w"))
        .await
        .expect("answered");
    assert!(again.repeated);
    assert_eq!(again.event_ids, first.event_ids);
    let other = commit::<Account>(&log, account(1), Command::Withdraw(5), &named(8, "w")).await;
    assert!(matches!(other, Err(CommitError::Rejected(_))), "{other:?}");
}

async fn a_command_id_used_for_something_else_is_refused(ground: Ground) {
    let log = ground.log().await;
    commit::<Account>(&log, account(1), Command::Deposit(5), &named(7, "5"))
        .await
        .expect("committed");
    let other_body = commit::<Account>(&log, account(1), Command::Deposit(6), &named(7, "6")).await;
    assert!(
        matches!(other_body, Err(CommitError::CommandReused)),
        "{other_body:?}"
    );
    let other_stream = commit::<Account>(&log, account(2), Command::Deposit(5), &named(7, "5")).await;
    assert!(
        matches!(other_stream, Err(CommitError::CommandReused)),
        "{other_stream:?}"
    );
    let rejected = commit::<Account>(&log, account(1), Command::Withdraw(99), &named(7, "99")).await;
    assert!(
        matches!(rejected, Err(CommitError::CommandReused)),
        "{rejected:?}"
    );
    assert_eq!(count(&log).await, 1);
}

async fn sixty_four_at_once_with_one_command_id_have_one_effect(ground: Ground) {
    let log = ground.log().await;
    for round in 0..20_u128 {
        let context = named(100 + round, "5");
        let tries = (0..64).map(|_| commit::<Account>(&log, account(round), Command::Deposit(5), &context));
        let answers = join_all(tries).await;
        let ids: Vec<_> = answers
            .iter()
            .map(|it| it.as_ref().expect("answered").event_ids.clone())
            .collect();
        assert!(
            ids.iter().all(|it| *it == ids[0] && it.len() == 1),
            "everybody hears of the same event"
        );
        assert_eq!(
            answers
                .iter()
                .filter(|it| matches!(it, Ok(done) if !done.repeated))
                .count(),
            1
        );
    }
    assert_eq!(count(&log).await, 20);
}

async fn a_command_without_effect_is_remembered_too(ground: Ground) {
    let log = ground.log().await;
    let first = commit::<Account>(&log, account(1), Command::Look, &named(7, "look"))
        .await
        .expect("committed");
    assert!(first.events.is_empty() && !first.repeated);
    let again = commit::<Account>(&log, account(1), Command::Look, &named(7, "look"))
        .await
        .expect("answered");
    assert!(again.events.is_empty() && again.repeated);
    let reused = commit::<Account>(&log, account(1), Command::Deposit(1), &named(7, "1")).await;
    assert!(matches!(reused, Err(CommitError::CommandReused)), "{reused:?}");
}

async fn a_reply_is_given_back_byte_for_byte(ground: Ground) {
    let log = ground.log().await;
    let append = |reply: &[u8]| {
        let mut append = direct(account(1), Expected::Any, &[Deposited { amount: 1 }]).reply(reply.to_vec());
        append.context = named(7, "same");
        append
    };
    log.append(append(b"the first answer")).await.expect("appended");
    let again = log.append(append(b"a later answer")).await.expect("answered");
    assert_eq!(
        (again.repeated, again.reply.as_deref()),
        (true, Some(b"the first answer".as_slice()))
    );
    let mut other = append(b"");
    other.context = named(7, "other");
    assert!(matches!(log.append(other).await, Err(AppendError::CommandReused)));
}

async fn a_reply_without_events_is_given_back_to_all_who_came_at_once(ground: Ground) {
    let log = ground.log().await;
    let reply = |number: u8| {
        let append = Append::new(&named(7, "same")).reply(vec![number]);
        let log = &log;
        async move { log.append(append).await.expect("answered") }
    };
    let answers = join_all((0..64).map(reply)).await;
    let firsts: Vec<_> = answers.iter().filter(|it| !it.repeated).collect();
    assert_eq!(firsts.len(), 1);
    assert!(answers.iter().all(|it| it.reply == firsts[0].reply));
    let known = done_before::<Infallible>(&log, &named(7, "same")).await;
    assert_eq!(known.expect("asked").and_then(|it| it.reply), firsts[0].reply);
    let other = done_before::<Infallible>(&log, &named(7, "other")).await;
    assert!(matches!(other, Err(CommitError::CommandReused)), "{other:?}");
    assert!(
        done_before::<Infallible>(&log, &named(8, "same"))
            .await
            .expect("asked")
            .is_none()
    );
    assert_eq!(count(&log).await, 0);
}

/// A command done at another node is answered here with its events.
async fn command_done_at_another_node_is_answered_here(ground: Ground) {
    let (here, there) = (ground.log().await, ground.log().await);
    for number in 0..20 {
        // What is kept in memory here ends before what the other writes.
        commit::<Account>(&here, account(number), Command::Deposit(1), &somebody())
            .await
            .expect("committed");
        let context = named(number, "5");
        let first = commit::<Account>(&there, account(99), Command::Deposit(5), &context)
            .await
            .expect("committed");
        let again = commit::<Account>(&here, account(99), Command::Deposit(5), &context)
            .await
            .expect("answered");
        assert!(again.repeated && !first.repeated);
        assert_eq!(
            (again.event_ids, again.revision, again.position),
            (first.event_ids, first.revision, first.position)
        );
    }
}

/// A command of one stream is known again before it is decided; for another stream or another body its id is refused.
async fn a_command_of_one_stream_is_known_again(ground: Ground) {
    let log = ground.log().await;
    let asked = named(7, "5");
    let unknown = done_before_on::<Account>(&log, account(1), &asked).await;
    assert!(unknown.expect("asked").is_none());
    let first = commit::<Account>(&log, account(1), Command::Deposit(5), &asked)
        .await
        .expect("committed");
    let known = done_before_on::<Account>(&log, account(1), &asked).await;
    let known = known.expect("asked").expect("known");
    assert_eq!((known.repeated, known.last), (true, first.position));
    let other_stream = done_before_on::<Account>(&log, account(2), &asked).await;
    assert!(
        matches!(other_stream, Err(CommitError::CommandReused)),
        "{other_stream:?}"
    );
    let other_body = done_before_on::<Account>(&log, account(1), &named(7, "6")).await;
    assert!(
        matches!(other_body, Err(CommitError::CommandReused)),
        "{other_body:?}"
    );
    let without_id = done_before_on::<Account>(&log, account(1), &somebody()).await;
    assert!(without_id.expect("asked").is_none());
    assert_eq!(count(&log).await, 1);
}

/// A command id is forgotten after ninety days and not before; `second` is another writer of the same log.
pub async fn forgets_in_time(log: &EventLog, second: impl Engine) {
    let second = Arc::new(Mutex::new(second));
    let context = named(7, "5");
    let once = || commit::<Account>(log, account(1), Command::Deposit(5), &context);
    once().await.expect("committed");
    let now = domain::moment::Moment::from(std::time::SystemTime::now());
    let tidy = async |days| {
        let second = second.clone();
        let work = move || second.lock().tidy(now + chrono::TimeDelta::days(days));
        let tidied = tokio::task::spawn_blocking(work).await;
        tidied.expect("the second writer works").expect("tidied")
    };
    let many = (1_000..1_500).map(|number| async move {
        let context = named(number, "5");
        commit::<Account>(log, account(number), Command::Deposit(5), &context).await
    });
    futures::future::try_join_all(many).await.expect("committed");
    assert!(!tidy(89).await, "nothing has expired");
    assert!(once().await.expect("answered").repeated);
    assert!(tidy(91).await, "of 501, one is left");
    assert!(!tidy(91).await, "and none then");
    assert!(!once().await.expect("committed anew").repeated);
}
