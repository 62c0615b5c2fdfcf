//! Every event shape ever stored, told: from the samples beside the domain.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use domain::aggregate::Decide;
use domain::approval::{Approval, ApprovalEvent, Asked};
use domain::booking_form::BookingForm;
use domain::id::{ApprovalId, BookingFormId, LeadId, PaymentId, StreamKey, UserId};
use domain::lead::{Lead, LeadEvent, LeadVariant};
use domain::moment::Moment;
use domain::money::Currency;
use domain::payment::decline::DeclineCode;
use domain::payment::event::BookingChoice;
use domain::payment::{Payment, PaymentEvent};
use domain::sealed::Sealable;
use domain::shape::Shaped as _;
use domain::user::{User, UserEvent};
use eventlog::{Actor, Append, Context, EventLog, Expected};
use serde_json::Value;
use tables::Place;
use uuid::Uuid;

use super::UNSHOWN;
use super::query::{Placed, history};
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

/// The samples speak of one lead and one person by these ids.
const LEAD: LeadId = LeadId(Uuid::from_u128(1));
const PERSON: UserId = UserId(Uuid::from_u128(2));
const PAYMENT: PaymentId = PaymentId(Uuid::from_u128(7));

/// Older shapes take their steps when they are read from a log; here they are written.
fn is_written_today<A: Decide>(name: &str) -> bool {
    let mut parts = name.split('.');
    let event_type = parts.next().unwrap();
    let version: u32 = parts.next().unwrap().trim_start_matches('v').parse().unwrap();
    A::Event::CURRENT.contains(&(event_type, version))
}

/// Every event of an aggregate in its shape of today, `first` before the others.
pub(crate) fn samples<A: Decide>(first: &str) -> Vec<A::Event> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../domain/events")
        .join(A::KIND);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| is_written_today::<A>(&file.file_name().unwrap().to_string_lossy()));
    files.sort_by_key(|file| (!file.to_string_lossy().contains(first), file.clone()));
    let read = |file: &Path| {
        let sample: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let mut event: A::Event = serde_json::from_value(sample["payload"].clone()).unwrap();
        event.reveal(
            (!sample["personal"].is_null())
                .then(|| sample["personal"].to_string())
                .as_deref()
                .map(str::as_bytes),
        );
        event
    };
    files.iter().map(|file| read(file)).collect()
}

pub(crate) async fn store<A: Decide>(log: &EventLog, key: impl StreamKey, first: &str) {
    append::<A>(log, key, &samples::<A>(first)).await;
}

async fn append<A: Decide>(log: &EventLog, key: impl StreamKey, events: &[A::Event]) {
    let at: Moment = "2026-11-20T10:00:00Z".parse().unwrap();
    let append = Append::new(&Context::new(at, Actor::SYSTEM));
    let append = append.events::<A>(key, Expected::Any, events).unwrap();
    log.append(append).await.unwrap();
}

/// Every event of a payment of the booking itself: one that staff made as a link sets nothing of its lead.
fn booking_payment() -> Vec<PaymentEvent> {
    let mut events = samples::<Payment>("PaymentOpened");
    if let Some(PaymentEvent::PaymentOpened { terms, .. }) = events.first_mut() {
        terms.link = None;
    }
    events
}

/// Every event of a request for a refund of that payment.
fn refund_approval() -> Vec<ApprovalEvent> {
    let mut events = samples::<Approval>("ApprovalAsked");
    for event in &mut events {
        let (ApprovalEvent::Asked { what, .. }
        | ApprovalEvent::Approved { what, .. }
        | ApprovalEvent::Declined { what, .. }) = event;
        *what = Asked::Refund {
            payment_id: PAYMENT,
            amount_minor: 150_000,
            currency: Currency::Gbp,
            booking: BookingChoice::Keep,
            ask: None,
        };
    }
    events
}

/// Stores the first of an aggregate's samples alone, changed.
pub(crate) async fn first<A: Decide>(
    log: &EventLog,
    key: impl StreamKey,
    first: &str,
    change: impl FnOnce(&mut A::Event),
) {
    let at: Moment = "2026-11-20T10:00:00Z".parse().unwrap();
    let append = Append::new(&Context::new(at, Actor::SYSTEM));
    let mut event = samples::<A>(first).swap_remove(0);
    change(&mut event);
    let append = append.events::<A>(key, Expected::Any, &[event]).unwrap();
    log.append(append).await.unwrap();
}

/// A log that holds every shape, folded into read models.
pub(crate) async fn everything(place: &Place) -> (EventLog, ReadStore, Projector) {
    let log = EventLog::memory();
    store::<User>(&log, PERSON, "UserRegistered").await;
    store::<Lead>(&log, LEAD, "LeadCreated").await;
    store::<BookingForm>(&log, BookingFormId(Uuid::from_u128(1)), "BookingFormStarted").await;
    append::<Payment>(&log, PAYMENT, &booking_payment()).await;
    append::<Approval>(&log, ApprovalId(Uuid::from_u128(9)), &refund_approval()).await;
    let read = ReadStore::open(place).await.unwrap();
    let mut projector = Projector::new(log.clone(), read.clone(), crate::all(log.handles()));
    projector.catch_up().await.unwrap();
    (log, read, projector)
}

fn catalogue(lang: &str) -> HashMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../i18n")
        .join(lang)
        .join("timeline.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn changes(placed: &Placed) -> Vec<Value> {
    serde_json::from_str(&placed.row.changes).unwrap()
}

#[tokio::test]
async fn every_event_is_a_sentence_in_both_languages() {
    for (place, _folder) in places() {
        let (log, read, _projector) = everything(&place).await;
        let mut told = history(read.readers(), LEAD).await.unwrap();
        // The form's samples speak of another lead.
        told.extend(history(read.readers(), LeadId(Uuid::from_u128(2))).await.unwrap());
        assert_eq!(
            told.len() as u64,
            log.head().await.unwrap(),
            "every event of every stream belongs to a lead"
        );
        let mut keys: Vec<String> = told.into_iter().map(|placed| placed.row.sentence).collect();
        keys.extend(
            DeclineCode::ALL
                .iter()
                .map(|code| format!("timeline.payment_declined.{}", code.code())),
        );
        keys.extend(
            LeadVariant::ALL
                .iter()
                .map(|variant| format!("timeline.lead_enquired.{}", variant.key())),
        );
        for lang in ["en", "zh"] {
            let texts = catalogue(lang);
            let missing: Vec<_> = keys.iter().filter(|key| !texts.contains_key(*key)).collect();
            assert!(missing.is_empty(), "{lang}: {missing:?}");
        }
    }
}

/// Folding the changes gives what each event says it changed from.
#[tokio::test]
async fn folded_changes_equal_what_each_event_changed_from() {
    for (place, _folder) in places() {
        let (_log, read, _projector) = everything(&place).await;
        let mut state: BTreeMap<(String, String), Value> = BTreeMap::new();
        for placed in history(read.readers(), LEAD).await.unwrap() {
            for change in changes(&placed) {
                let field = (
                    placed.row.kind.clone(),
                    change["field"].as_str().unwrap().to_owned(),
                );
                assert_eq!(
                    state.get(&field).unwrap_or(&Value::Null),
                    &change["from"],
                    "{} {field:?}",
                    placed.n
                );
                state.insert(field, change["to"].clone());
            }
        }
        let now = |kind: &str, field: &str| state[&(kind.to_owned(), field.to_owned())].clone();
        assert_eq!(now("lead", "email"), "m•••@•••.com");
        assert_eq!(now("payment", "payment_status"), "success");
        assert!(
            state.keys().all(|(_, field)| !field.starts_with('_')),
            "working values stay inside"
        );
    }
}

#[tokio::test]
async fn rebuilt_read_models_equal_the_live_ones() {
    for (place, _folder) in places() {
        let (_log, read, projector) = everything(&place).await;
        let live = (history(read.readers(), LEAD).await.unwrap(), board(&read).await);
        projector.rebuild(None, crate::run::Ways::Switch).await.unwrap();
        assert_eq!(
            (history(read.readers(), LEAD).await.unwrap(), board(&read).await),
            live
        );
    }
}

/// A mail that is posted after the word that its person is forgotten, while their key is still there, is told without the address; so is
/// a reason that staff write by then.
#[tokio::test]
async fn letter_posted_after_forgetting_shows_no_address() {
    let letters = async |is_forgotten: bool, place: &Place| {
        let log = EventLog::memory();
        first::<User>(&log, PERSON, "UserRegistered", |_| {}).await;
        first::<Lead>(&log, LEAD, "LeadCreated", |event| {
            if let LeadEvent::Created { submission, .. } = event {
                submission.person_id = PERSON;
            }
        })
        .await;
        if is_forgotten {
            first::<User>(&log, PERSON, "SubjectForgotten", |event| {
                if let UserEvent::Forgotten { user_id, .. } = event {
                    *user_id = PERSON;
                }
            })
            .await;
        }
        for kind in ["LeadLetterPosted", "LeadLost"] {
            first::<Lead>(&log, LEAD, kind, |_| {}).await;
        }
        let read = ReadStore::open(place).await.unwrap();
        let mut projector = Projector::new(log.clone(), read.clone(), crate::all(log.handles()));
        projector.catch_up().await.unwrap();
        let told = history(read.readers(), LEAD).await.unwrap();
        let said = |name: &str| {
            let params = told.iter().map(|placed| placed.row.params.as_str());
            let mut values = params.filter_map(|params| {
                let params: Value = serde_json::from_str(params).unwrap();
                params.get(name).and_then(Value::as_str).map(str::to_owned)
            });
            values.next_back()
        };
        (said("to"), said("reason"))
    };
    for (place, _folder) in places() {
        let (to, _) = letters(false, &place).await;
        assert_ne!(to.as_deref(), Some(UNSHOWN));
    }
    for (place, _folder) in places() {
        let (to, reason) = letters(true, &place).await;
        assert_eq!(to.as_deref(), Some(UNSHOWN));
        assert_eq!(reason.unwrap_or_default(), "");
    }
}

type Words = (i64, String, Vec<u8>, Vec<u8>);

async fn board(read: &ReadStore) -> (Vec<(String, String, String)>, Vec<Words>) {
    let rows = sqlx::query_as("select lead_id, status, name_masked from lead_board order by lead_id");
    let words = sqlx::query_as("select number, lead_id, personal, plain from lead_words order by number");
    (
        rows.fetch_all(read.readers()).await.unwrap(),
        words.fetch_all(read.readers()).await.unwrap(),
    )
}
