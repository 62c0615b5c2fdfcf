//! People who come for the first time.

use domain::id::UserId;
use domain::sealed::Sealed;
use eventlog::{Append, EventLog, Expected, StreamId};
use futures::future::join_all;
use uuid::Uuid;

use super::{Account, AccountEvent, account, direct};

/// The person with a number.
pub fn person(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

/// A note about the person with a number, in the account of that number.
pub fn note(number: u128) -> Append {
    let note = AccountEvent::Noted {
        about: person(number),
        note: Sealed::new(format!("of {number}")),
    };
    direct(account(number), Expected::Any, &[note])
}

/// Writes it.
pub async fn add(log: &EventLog, number: u128) {
    log.append(note(number)).await.expect("appended");
}

/// What is known of so many people, each asked for what was noted last.
pub async fn readable(log: &EventLog, people: std::ops::Range<u128>) -> Vec<bool> {
    let mut readable = Vec::new();
    for number in people {
        let stream = StreamId::of::<Account>(account(number));
        let notes = log.read_stream(&stream, 0, 100).await.expect("readable");
        let last = notes
            .last()
            .map(|event| event.decode::<Account>().expect("an event"));
        let wanted = Some(format!("of {number}"));
        readable.push(matches!(last, Some(AccountEvent::Noted { note, .. }) if note.0 == wanted));
    }
    readable
}

/// Both give keys to the same newcomers and to some of their own.
pub async fn both_give(here: EventLog, there: EventLog, later: EventLog) {
    add(&here, 1_000).await;
    let writers = (0..64).flat_map(|number| {
        let own = 100 + number;
        [(here.clone(), number, own), (there.clone(), number, own + 100)]
    });
    let writers = writers.map(|(log, shared, own)| {
        tokio::spawn(async move {
            add(&log, shared).await;
            add(&log, own).await;
        })
    });
    for done in join_all(writers).await {
        done.expect("written");
    }
    for log in [here, there, later] {
        for people in [0..64, 100..164, 200..264] {
            assert!(readable(&log, people).await.into_iter().all(|it| it));
        }
    }
}
