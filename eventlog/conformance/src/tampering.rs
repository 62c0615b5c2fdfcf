//! A log that is worth changing behind its back.

use domain::id::UserId;
use domain::sealed::Sealed;
use eventlog::{Append, EventLog, Expected};
use uuid::Uuid;

use super::{Account, AccountEvent, account, somebody};

/// Writes an event for each number; every column is filled in some of them and empty in others.
pub async fn fill(log: &EventLog, numbers: std::ops::Range<u64>) {
    let event = |it: u64| AccountEvent::Noted {
        about: UserId(Uuid::from_u128(u128::from(it % 5))),
        note: Sealed::new(format!("note {it}")),
    };
    let context = |it: u64| {
        let id = |kind: u64| {
            it.is_multiple_of(3)
                .then(|| Uuid::from_u128(u128::from(it * 10 + kind)))
        };
        let mut context = somebody();
        context.actor.id = id(1);
        context.command_id = id(2);
        context.causation_id = id(3);
        context
    };
    let append = |it: u64| {
        let append = Append::new(&context(it));
        append
            .events::<Account>(account(u128::from(it % 17)), Expected::Any, &[event(it)])
            .expect("a stored form")
    };
    let appends = numbers.map(append).collect();
    log.append_many(appends).await.expect("written");
}
