//! Personal data is readable while its subject's key exists, nowhere else, and never after.

use domain::id::UserId;
use domain::sealed::Sealed;
use uuid::Uuid;

use super::account::{Account, AccountEvent};
use super::{Ground, account, direct, every_engine, stream};
use eventlog::CodecError;
use eventlog::EventLog;
use eventlog::append::Expected;
use eventlog::event::RecordedEvent;
use eventlog::verify::{Anchor, Verdict};

every_engine![($) sealing;
    personal_data_comes_back_with_its_event,
    a_forgotten_person_is_unreadable_and_everybody_else_is_not,
    nothing_personal_is_kept_of_somebody_forgotten_before,
    sealed_data_opens_at_its_own_place_only,
];

/// A name that nobody else has, so that it can be searched for.
pub const SECRET: &str = "Zuleikha Okonkwo-Brandt";

/// The person with a number.
pub fn person(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

/// A note about a person.
pub fn note(about: UserId, text: &str) -> AccountEvent {
    AccountEvent::Noted {
        about,
        note: Sealed::new(text.to_owned()),
    }
}

/// Writes an event of an account.
pub async fn add(log: &EventLog, event: AccountEvent) {
    log.append(direct(account(1), Expected::Any, &[event]))
        .await
        .expect("appended");
}

async fn records(log: &EventLog) -> Vec<RecordedEvent> {
    log.read_stream(&stream(account(1)), 0, 100)
        .await
        .expect("readable")
}

/// What is readable of the notes.
pub async fn notes(log: &EventLog) -> Vec<Option<String>> {
    let text = |event: RecordedEvent| match event.decode::<Account>().expect("an event of this aggregate") {
        AccountEvent::Noted { note, .. } => note.0,
        other @ (AccountEvent::Deposited { .. } | AccountEvent::Withdrawn { .. }) => panic!("{other:?}"),
    };
    records(log).await.into_iter().map(text).collect()
}

async fn personal_data_comes_back_with_its_event(ground: Ground) {
    let log = ground.log().await;
    add(&log, note(person(1), SECRET)).await;
    drop(log);
    let log = ground.log().await;
    assert_eq!(notes(&log).await, [Some(SECRET.to_owned())]);
    let record = &records(&log).await[0];
    assert_eq!(record.subject_id, Some(person(1)));
    let readable = String::from_utf8_lossy(&record.payload);
    assert!(
        !readable.contains(SECRET),
        "the readable payload holds nothing personal: {readable}"
    );
}

async fn a_forgotten_person_is_unreadable_and_everybody_else_is_not(ground: Ground) {
    let log = ground.log().await;
    for number in 1..=3 {
        add(&log, note(person(number), SECRET)).await;
    }
    let read_before = records(&log).await;
    log.forget_subject(person(2)).await.expect("forgotten");
    let kept = [Some(SECRET.to_owned()), None, Some(SECRET.to_owned())];
    assert_eq!(notes(&log).await, kept);
    assert_eq!(
        read_before[1].personal().expect("whole"),
        None,
        "not even by those who read it before"
    );
    if log.capabilities().chain {
        let verdict = log.verify(Anchor::GENESIS).await;
        assert!(
            matches!(verdict, Ok(Verdict::Intact(_))),
            "every hash stays valid"
        );
    }
    drop((read_before, log));
    assert_eq!(notes(&ground.log().await).await, kept, "and not after a restart");
}

async fn nothing_personal_is_kept_of_somebody_forgotten_before(ground: Ground) {
    let log = ground.log().await;
    log.forget_subject(person(1)).await.expect("forgotten");
    add(&log, note(person(1), SECRET)).await;
    assert_eq!(notes(&log).await, [None]);
    assert!(records(&log).await[0].sealed.is_none());
}

async fn sealed_data_opens_at_its_own_place_only(ground: Ground) {
    let log = ground.log().await;
    add(&log, note(person(1), "first")).await;
    add(&log, note(person(1), "second")).await;
    let events = records(&log).await;
    let moved = |change: fn(&mut RecordedEvent)| {
        let mut event = events[0].clone();
        change(&mut event);
        event.decode::<Account>()
    };
    assert!(moved(|_| {}).is_ok());
    assert!(matches!(moved(|it| it.revision = 2), Err(CodecError::Seal)));
    assert!(matches!(
        moved(|it| it.stream.id = Uuid::from_u128(9)),
        Err(CodecError::Seal)
    ));
    assert!(matches!(
        moved(|it| "AccountWithdrawn".clone_into(&mut it.event_type)),
        Err(CodecError::Seal)
    ));
    let mut swapped = events[0].clone();
    swapped.sealed.clone_from(&events[1].sealed);
    assert!(matches!(swapped.decode::<Account>(), Err(CodecError::Seal)));
}
