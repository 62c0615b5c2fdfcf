//! The modules that several threads use at once, each run in ten thousand random orders of their steps (R21), beside a control
//! that makes a mistake in the order and must be found: `make schedules`.

use std::collections::HashMap;
use std::sync::Arc;

use domain::id::UserId;
use domain::moment::Moment;
use shuttle::{future, thread};
use threads::Slip;
use threads::schedules::tell;
use uuid::Uuid;

use crate::account::{Account, AccountCommand, AccountEvent, AccountId};
use crate::error::LogError;
use crate::event::RecordedEvent;
use crate::key_store::{KeyId, KeyState, KeyStore, Pair, SubjectKey};
use crate::ring::Ring;
use crate::seal::{Keyring, Place};
use crate::{Actor, Append, Context, EventLog, Expected, StreamId, commit};

fn somebody() -> Context {
    Context::new(now(), Actor::SYSTEM)
}

fn now() -> Moment {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

const HOUSE: AccountId = AccountId(Uuid::from_u128(1));
const PERSON: UserId = UserId(Uuid::from_u128(2));

fn event(position: u64, keys: &Keyring) -> RecordedEvent {
    RecordedEvent {
        position,
        stream: StreamId {
            kind: "account",
            id: HOUSE.0,
        },
        revision: position,
        event_id: Uuid::from_u128(position.into()),
        event_type: String::new(),
        schema_version: 1,
        recorded_at: now(),
        occurred_at: now(),
        actor: Actor::SYSTEM,
        command_id: None,
        correlation_id: Uuid::nil(),
        causation_id: None,
        subject_id: None,
        payload: Arc::from([]),
        sealed: None,
        payload_digest: [0; 32],
        sealed_digest: None,
        leaf: [0; 32],
        chain: [0; 32],
        keys: keys.clone(),
    }
}

#[test]
fn the_latest_events_are_found_without_a_gap_or_not_at_all() {
    tell(Slip::RingAskedTwice, || {
        let ring = Arc::new(Ring::default());
        let keys = Keyring::memory();
        ring.push(0, &[event(1, &keys), event(2, &keys)]);
        let writer = thread::spawn({
            let ring = ring.clone();
            move || {
                ring.push(2, &[event(3, &keys)]);
                // Another node has written 4 and 5.
                ring.clear();
                ring.push(5, &[event(6, &keys), event(7, &keys)]);
            }
        });
        for after in [1, 2, 3, 5] {
            let found = ring.after(after, 10);
            for (event, expected) in found.into_iter().flatten().zip(after + 1..) {
                assert_eq!(event.position, expected, "after {after}");
            }
        }
        writer.join().unwrap();
    });
}

/// Who was answered finds what was written, who is told of events finds them, and nothing that was decided is lost.
#[test]
fn whoever_commits_or_follows_finds_what_is_said_to_be_there() {
    tell(Slip::BellBeforeEvents, three_deposit_and_one_follows);
}

/// The same, beside a mistake with batches that are sent without asking how things stand.
#[test]
fn whoever_is_told_of_what_was_sent_finds_it() {
    tell(Slip::BellBeforeLanding, three_deposit_and_one_follows);
}

fn three_deposit_and_one_follows() {
    future::block_on(async {
        let log = EventLog::memory();
        let deposits = [
            future::spawn(deposited_and_found(log.clone())),
            future::spawn(deposited_and_found(log.clone())),
            future::spawn(added_and_found(log.clone())),
        ];
        let follower = future::spawn(followed(log.clone(), 3));
        for deposit in deposits {
            deposit.await.unwrap();
        }
        follower.await.unwrap();
        let account = log.load::<Account>(HOUSE).await.unwrap();
        assert_eq!((account.state.balance, account.revision), (3, 3));
    });
}

/// Wherever the stream stands: the writer has to ask.
async fn added_and_found(log: EventLog) {
    let append = Append::new(&somebody());
    let deposit = [AccountEvent::Deposited { amount: 1 }];
    let append = append.events::<Account>(HOUSE, Expected::Any, &deposit).unwrap();
    let id = append.streams[0].events[0].event_id;
    let done = log.append(append).await.unwrap();
    assert!(log.head().await.unwrap() >= done.last);
    let found = log.read_all(done.last - 1, 1).await.unwrap();
    assert_eq!(found[0].event_id, id);
}

async fn deposited_and_found(log: EventLog) {
    let done = commit::<Account>(&log, HOUSE, AccountCommand::Deposit(1), &somebody()).await;
    let done = done.unwrap();
    assert_eq!(done.state.balance, i64::try_from(done.revision).unwrap());
    assert!(log.head().await.unwrap() >= done.position);
    let found = log.read_all(done.position - 1, 1).await.unwrap();
    assert_eq!(found[0].event_id, done.event_ids[0]);
}

async fn followed(log: EventLog, last: u64) {
    let mut bell = log.watch();
    let mut seen = 0;
    while seen < last {
        let head = *bell.wait_for(|head| *head > seen).await.unwrap();
        let events = log.read_all(seen, 10).await.unwrap();
        assert!(events.len() as u64 >= head - seen, "{head} was told");
        for event in events {
            seen += 1;
            assert_eq!(event.position, seen);
        }
    }
}

/// Keys that another process has kept before.
#[derive(Default)]
struct Stored(HashMap<UserId, KeyState>);

impl KeyStore for Stored {
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let known = |(subject, key): &(UserId, SubjectKey)| {
            (*subject, *self.0.entry(*subject).or_insert(KeyState::Kept(*key)))
        };
        Ok(fresh.iter().map(known).collect())
    }

    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let known = subjects.iter().filter_map(|it| Some((*it, *self.0.get(it)?)));
        Ok(known.collect())
    }

    fn destroy(&mut self, subject: UserId, _given: &[KeyId]) -> Result<(), LogError> {
        self.0.insert(subject, KeyState::Destroyed);
        Ok(())
    }

    fn find_given(&mut self, given: &[Pair]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        self.find(&given.iter().map(|(subject, _)| *subject).collect::<Vec<_>>())
    }

    fn stock(&mut self) -> Result<Vec<(KeyId, SubjectKey)>, LogError> {
        Ok(Vec::new())
    }

    fn hand_over(&mut self, _given: &[Pair], _fresh: &[(KeyId, SubjectKey)]) -> Result<(), LogError> {
        Ok(())
    }

    fn again(&self) -> Result<Box<dyn KeyStore>, LogError> {
        Ok(Box::new(Self(self.0.clone())))
    }

    fn changed_elsewhere(&mut self) -> Result<bool, LogError> {
        Ok(true)
    }
}

#[test]
fn a_key_that_was_destroyed_never_comes_back() {
    tell(Slip::KeyHeldLate, || {
        let store = Stored(HashMap::from([(PERSON, KeyState::Kept([7; 32]))]));
        let keys = Keyring::stored(Box::new(store), None);
        let sealed = |keys: &Keyring| {
            let place = Place {
                stream: StreamId {
                    kind: "account",
                    id: HOUSE.0,
                },
                revision: 1,
                event_type: "",
            };
            keys.seal(PERSON, &place, b"a note").unwrap()
        };
        let work: [fn(&Keyring); 3] = [
            |keys| keys.forget(PERSON).unwrap(),
            |keys| keys.refresh().unwrap(),
            |keys| keys.prepare(&[PERSON]).unwrap(),
        ];
        let hands = work.map(|work| {
            let keys = keys.clone();
            thread::spawn(move || work(&keys))
        });
        sealed(&keys);
        for hand in hands {
            hand.join().unwrap();
        }
        assert_eq!(sealed(&keys), None);
    });
}
