//! Shapes of events: the log knows which it holds, and older ones are read as today's.

use std::collections::BTreeSet;

use super::account::AccountEvent::{Deposited, Withdrawn};
use super::{Account, Ground, account, direct, every_engine, part, places, somebody, stored};
use eventlog::EventLog;
use eventlog::StoredShape;
use eventlog::append::{Append, Expected, NewEvent};
use eventlog::commit::load;
use eventlog::error::{CodecError, LogError};

every_engine![($) shapes;
    the_log_tells_the_shapes_it_holds_and_those_alone,
    an_older_shape_is_read_as_todays,
    an_event_of_a_newer_program_is_not_read_and_says_so,
];

/// The stored form of an event that another version of the program wrote.
fn of_then(event_type: &str, schema_version: u32, payload: &str) -> NewEvent {
    NewEvent {
        event_type: event_type.to_owned(),
        schema_version,
        payload: payload.as_bytes().to_vec(),
        ..stored(&Deposited { amount: 1 })
    }
}

/// Writes events of an account.
pub async fn append(log: &EventLog, events: Vec<NewEvent>) {
    let mut append = Append::new(&somebody());
    append.streams.push(part(account(1), Expected::Any, events));
    log.append(append).await.expect("appended");
}

/// The log's shapes, each as `type version`.
/// The shapes that a log says it holds.
pub async fn shapes(log: &EventLog) -> BTreeSet<String> {
    let shapes = log.shapes().await.expect("readable");
    let shown = |shape: StoredShape| {
        assert_eq!(shape.kind, "account");
        format!("{} {}", shape.event_type, shape.schema_version)
    };
    shapes.into_iter().map(shown).collect()
}

/// Shapes by name and version.
pub fn these(shapes: &[&str]) -> BTreeSet<String> {
    shapes.iter().map(|shape| (*shape).to_owned()).collect()
}

async fn the_log_tells_the_shapes_it_holds_and_those_alone(ground: Ground) {
    let log = ground.log().await;
    assert_eq!(shapes(&log).await, these(&[]));
    let refused = direct(account(1), Expected::Revision(7), &[Withdrawn { amount: 1 }]);
    log.append(refused).await.expect_err("the account is empty");
    for amount in 1..3 {
        append(&log, vec![stored(&Deposited { amount })]).await;
        assert_eq!(shapes(&log).await, these(&["AccountDeposited 2"]));
    }
    append(
        &log,
        vec![
            stored(&Withdrawn { amount: 1 }),
            of_then("AccountPaidIn", 1, r#"{"PaidIn":{"sum":1}}"#),
        ],
    )
    .await;
    let all = these(&["AccountDeposited 2", "AccountPaidIn 1", "AccountWithdrawn 1"]);
    assert_eq!(shapes(&log).await, all);
    assert_eq!(shapes(&ground.log().await).await, all);
}

async fn an_older_shape_is_read_as_todays(ground: Ground) {
    let log = ground.log().await;
    append(
        &log,
        vec![
            of_then("AccountPaidIn", 1, r#"{"PaidIn":{"sum":100}}"#),
            of_then("AccountDeposited", 1, r#"{"Deposited":{"sum":20}}"#),
            of_then("AccountDeposited", 2, r#"{"Deposited":{"amount":3}}"#),
        ],
    )
    .await;
    let loaded = load::<Account>(&log, account(1)).await.expect("readable");
    assert_eq!((loaded.state.balance, loaded.state.entries), (123, 3));
}

async fn an_event_of_a_newer_program_is_not_read_and_says_so(ground: Ground) {
    let log = ground.log().await;
    // It would fit today's shape, and mean something else.
    append(
        &log,
        vec![of_then("AccountDeposited", 3, r#"{"Deposited":{"amount":1}}"#)],
    )
    .await;
    let error = load::<Account>(&log, account(1))
        .await
        .expect_err("of a newer program");
    let LogError::Unreadable { position, source } = error else {
        panic!("{error}");
    };
    assert_eq!(vec![position], places(&log).await);
    assert!(matches!(&source, CodecError::Strange(_)), "{source}");
    assert_eq!(
        source.to_string(),
        "AccountDeposited version 3 in streams of the kind `account`, newer than this program, which knows version 2: \
         use the newer program that wrote it"
    );
}
