//! Long lists for the workspace: a lead with a long history, and many payments over three years.

use std::path::Path;
use std::time::Instant;

use clap::Args;
use domain::id::{InventoryId, LeadId, PaymentId, UserId};
use domain::lead::{Lead, LeadEvent};
use domain::money::Currency;
use domain::payment::{Payment, PaymentEvent};
use domain::sealed::{Sealable as _, Sealed};
use eventlog::{Append, EventLog, Expected};
use measure::{Figure, scattered};
use serde_json::Value;
use uuid::Uuid;

use crate::leads::{KNOWN, Personal, Sender, asked, now};
use crate::place::LogPlace;
use crate::replay::id;
use crate::work::lead;

/// Events of one append, and payments of one batch.
const WINDOW: usize = 200;
/// Payments are spread over so much time before today.
const YEARS: i64 = 3;

#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(flatten)]
    place: LogPlace,
    #[arg(long, default_value_t = 100_000)]
    events: usize,
}

/// One lead: notes, and every fifth event gives it to somebody else.
pub async fn history(args: &HistoryArgs) -> Figure {
    let log = args.place.open().await;
    let begun = Instant::now();
    let made = lead(&Sender::read(), Personal::Known, id(0), 0);
    log.append(made).await.expect("the lead is written");
    let events: Vec<LeadEvent> = (2..args.events as u64).map(step).collect();
    for some in events.chunks(WINDOW) {
        let append = Append::new(&asked(0)).events::<Lead>(id(0), Expected::Any, some);
        log.append(append.expect("an event is JSON"))
            .await
            .expect("the events are written");
    }
    Figure::whole(args.events as u64, begun.elapsed())
}

fn step(number: u64) -> LeadEvent {
    if number % 5 == 0 {
        let owner = (number % 3 > 0).then(|| UserId(Uuid::from_u64_pair(5, number % 7)));
        LeadEvent::Assigned {
            owner,
            at: now(),
            person_id: None,
            why: Sealed::default(),
        }
    } else {
        LeadEvent::NoteAdded {
            person_id: UserId(Uuid::from_u64_pair(7, 0)),
            note_id: None,
            mentions: vec![],
            at: now(),
            note: Sealed::new(format!("Called, no answer ({number})")),
        }
    }
}

#[derive(Debug, Args)]
pub struct PaymentsArgs {
    #[command(flatten)]
    place: LogPlace,
    #[arg(long, default_value_t = 100_000)]
    payments: u64,
    /// The log's file, in which what was written now is spread over three years.
    #[arg(long)]
    spread: std::path::PathBuf,
}

/// So many payments, each with three to six events.
pub async fn payments(args: &PaymentsArgs) -> Figure {
    let log = args.place.open().await;
    let begun = Instant::now();
    let samples = Samples::read();
    for first in (0..args.payments).step_by(WINDOW) {
        let numbers = first..args.payments.min(first + WINDOW as u64);
        let all = numbers.map(|number| samples.payment(number)).collect();
        log.append_many(all).await.expect("the payments are written");
    }
    let written = head(&log).await;
    drop(log);
    spread(&args.spread.join("log.db"), written);
    Figure::whole(args.payments, begun.elapsed()).noting(format!("{written} events"))
}

async fn head(log: &EventLog) -> u64 {
    log.head().await.expect("the log can be read")
}

/// Nobody may say when an event was recorded but the log; a rebuild reads what stands there.
fn spread(file: &Path, events: u64) {
    let log = rusqlite::Connection::open(file).expect("the log's file can be opened");
    let step = YEARS * 365 * 86_400_000_000 / i64::try_from(events.max(1)).unwrap_or(1);
    let last = now().timestamp_micros() - 60_000_000;
    log.execute(
        "update event set recorded_at = ?1 - (?2 - position) * ?3",
        (last, events.cast_signed(), step),
    )
    .expect("the times are changed");
}

/// The samples of the product's own events, and what differs from payment to payment.
struct Samples {
    opened: PaymentEvent,
    rest: Vec<(&'static str, PaymentEvent)>,
}

macro_rules! samples {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../domain/events/payment/", $name, ".v1.json")))),*]
    };
}

impl Samples {
    fn read() -> Self {
        let mut all = samples![
            "PaymentOpened",
            "IntentReady",
            "PaymentConfirmed",
            "PaymentDeclined",
            "PaymentSucceeded",
            "RefundRequested",
            "RefundAcknowledged"
        ]
        .into_iter()
        .map(|(name, text)| (name, sample(text)));
        let (_, opened) = all.next().expect("the first one");
        let rest = all.collect();
        Self { opened, rest }
    }

    fn payment(&self, number: u64) -> Append {
        let drawn = scattered(number);
        let subject = UserId(Uuid::from_u64_pair(7, drawn % KNOWN));
        let wanted: &[&str] = match drawn % 10 {
            0 => &["IntentReady", "PaymentConfirmed", "PaymentDeclined"],
            1 => &[
                "IntentReady",
                "PaymentConfirmed",
                "PaymentSucceeded",
                "RefundRequested",
                "RefundAcknowledged",
            ],
            2 => &["IntentReady"],
            _ => &["IntentReady", "PaymentConfirmed", "PaymentSucceeded"],
        };
        let mut events = vec![self.opened.clone()];
        let rest = self.rest.iter().filter(|(name, _)| wanted.contains(name));
        events.extend(rest.map(|(_, event)| event.clone()));
        for event in &mut events {
            change(event, number, subject);
        }
        let key = PaymentId(Uuid::from_u64_pair(
            0x0190_0000_0000_7000 | (drawn % 7),
            (drawn >> 2) | (1 << 63),
        ));
        let append = Append::new(&asked(number)).events::<Payment>(key, Expected::Revision(0), &events);
        append.expect("an event is JSON")
    }
}

fn sample(text: &str) -> PaymentEvent {
    let sample: Value = serde_json::from_str(text).expect("a sample is JSON");
    let mut event: PaymentEvent =
        serde_json::from_value(sample["payload"].clone()).expect("a sample is an event");
    if !sample["personal"].is_null() {
        event.reveal(Some(sample["personal"].to_string().as_bytes()));
    }
    event
}

fn change(event: &mut PaymentEvent, number: u64, person: UserId) {
    let drawn = scattered(number ^ 0xbeef);
    match event {
        PaymentEvent::PaymentOpened { terms, .. } => {
            terms.lead_id = LeadId(Uuid::from_u64_pair(9, drawn));
            terms.subject = person;
            terms.inventory_root_id = InventoryId(Uuid::from_u64_pair(3, drawn % 2_000));
            terms.token_digest = format!("{number:064x}");
            terms.quote.currency =
                [Currency::Gbp, Currency::Eur, Currency::Usd][usize::try_from(drawn % 3).unwrap_or(0)];
        }
        PaymentEvent::IntentReady {
            subject, intent_id, ..
        } => {
            *subject = person;
            *intent_id = format!("pi_{drawn:016x}");
        }
        PaymentEvent::PaymentSucceeded { capture, .. } => capture.charge_id = format!("ch_{drawn:016x}"),
        PaymentEvent::RefundRequested { subject, .. } => *subject = person,
        _ => {}
    }
}
