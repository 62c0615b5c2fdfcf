//! What one append promises: all or nothing, in the order of arrival, without harm to its neighbours.

use futures::future::join_all;

use super::account::AccountEvent::Deposited;
use super::{Ground, account, count, direct, every_engine, part, places, somebody, stored, stream};
use eventlog::AppendError;
use eventlog::EventLog;
use eventlog::append::{Append, Expected};
use eventlog::port::Pending;

every_engine![($) appending;
    first_of_two_equal_expectations_in_a_batch_wins,
    a_guard_on_a_stream_that_moved_stops_the_whole_append,
    events_for_several_streams_are_written_all_or_not_at_all,
    a_stream_may_be_named_at_its_end_only,
    many_appends_at_once_are_all_written,
];

/// Of two who expect the same end in one batch the first wins and neighbours are unharmed.
async fn first_of_two_equal_expectations_in_a_batch_wins(ground: Ground) {
    let log = ground.log().await;
    let send = |number, amount| {
        log.send(direct(
            account(number),
            Expected::Revision(0),
            &[Deposited { amount }],
        ))
        .expect("there is room")
    };
    // Sent without waiting, so that they share a batch.
    let pending: Vec<_> = (0..200).map(|it| send(it % 100, 1)).collect();
    let answers = join_all(pending.into_iter().map(|it| log.settled(it))).await;
    for (place, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(appended) => assert!(place < 100 && appended.last > 0, "number {place} won"),
            Err(AppendError::Conflict {
                current,
                stream: which,
            }) => {
                assert!(place >= 100, "number {place} lost");
                assert_eq!((current, which), (1, stream(account(place as u128 % 100))));
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(count(&log).await, 100);
}

async fn a_guard_on_a_stream_that_moved_stops_the_whole_append(ground: Ground) {
    let log = ground.log().await;
    let guarded = stream(account(1));
    log.append(direct(account(1), Expected::Any, &[Deposited { amount: 1 }]))
        .await
        .expect("appended");

    let stale =
        direct(account(2), Expected::Any, &[Deposited { amount: 2 }]).guard(guarded, Expected::Revision(0));
    let refused = log.append(stale).await.expect_err("the guarded stream has moved");
    assert!(matches!(refused, AppendError::Conflict { stream, current: 1 } if stream == guarded));
    assert!(
        log.read_stream(&stream(account(2)), 0, 10)
            .await
            .expect("readable")
            .is_empty()
    );

    let current =
        direct(account(2), Expected::Any, &[Deposited { amount: 2 }]).guard(guarded, Expected::Revision(1));
    let done = log.append(current).await.expect("the guarded stream stands");
    assert_eq!(vec![done.last], places(&log).await[1..]);
}

async fn events_for_several_streams_are_written_all_or_not_at_all(ground: Ground) {
    let log = ground.log().await;
    log.append(direct(account(2), Expected::Any, &[Deposited { amount: 1 }]))
        .await
        .expect("appended");
    let both = |second| {
        let mut append = Append::new(&somebody());
        append.streams.push(part(
            account(1),
            Expected::Revision(0),
            vec![stored(&Deposited { amount: 1 })],
        ));
        let events = vec![stored(&Deposited { amount: 1 }), stored(&Deposited { amount: 2 })];
        append.streams.push(part(account(2), second, events));
        append
    };
    let refused = log
        .append(both(Expected::Revision(0)))
        .await
        .expect_err("the second stream has moved");
    assert!(matches!(refused, AppendError::Conflict { current: 1, .. }));
    assert_eq!(count(&log).await, 1);
    assert!(
        log.read_stream(&stream(account(1)), 0, 10)
            .await
            .expect("readable")
            .is_empty()
    );

    let done = log
        .append(both(Expected::Revision(1)))
        .await
        .expect("both stand where expected");
    let places = places(&log).await;
    assert_eq!((done.first, done.last, places.len()), (places[1], places[3], 4));
    let revisions: Vec<_> = log
        .read_all(places[0], 10)
        .await
        .expect("readable")
        .iter()
        .map(|it| (it.stream, it.revision))
        .collect();
    assert_eq!(
        revisions,
        [
            (stream(account(1)), 1),
            (stream(account(2)), 2),
            (stream(account(2)), 3)
        ]
    );
}

async fn a_stream_may_be_named_at_its_end_only(ground: Ground) {
    let log = ground.log().await;
    let first = stored(&Deposited { amount: 1 });
    let id = first.event_id;
    let mut append = Append::new(&somebody());
    append
        .streams
        .push(part(account(1), Expected::Revision(0), vec![first]));
    log.append(append).await.expect("appended");

    let after = |last| {
        direct(
            account(1),
            Expected::After { revision: 1, last },
            &[Deposited { amount: 1 }],
        )
    };
    let refused = log.append(after(Some(uuid::Uuid::from_u128(9)))).await;
    assert!(
        matches!(refused, Err(AppendError::Conflict { .. })),
        "another event lies there: {refused:?}"
    );
    log.append(after(Some(id))).await.expect("this event lies there");
}

async fn many_appends_at_once_are_all_written(ground: Ground) {
    let log = ground.log().await;
    let appends = (0..10_000)
        .map(|it| direct(account(it), Expected::Revision(0), &[Deposited { amount: 1 }]))
        .collect();
    let last = log.append_many(appends).await.expect("all are written");
    assert_eq!(
        (last, count(&log).await),
        (log.head().await.expect("readable"), 10_000)
    );
}

/// A request that the storage refuses fails alone.
pub async fn one_of_four_is_refused(log: &EventLog) {
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
    let answers = join_all(pending.into_iter().map(|it| log.settled(it))).await;
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

/// Sends until there is no more room.
pub fn fill(log: &EventLog) -> Vec<Pending> {
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

/// Waits for all that [`fill`] sent.
pub async fn all_are_written(log: &EventLog, taken: Vec<Pending>) {
    let count = taken.len() as u64;
    let answers = join_all(taken.into_iter().map(|it| log.settled(it))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(log.head().await.expect("readable"), count);
}
