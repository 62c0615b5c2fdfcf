//! Seven sequences planted among ten thousand leads are found, those alone (row N12), and an eighth as it happens. How long such a search
//! takes is measured by the benchmark's G18.

use domain::id::{LeadId, PaymentId};
use domain::lead::{Lead, LeadEvent};
use domain::payment::{Payment, PaymentEvent};
use eventlog::{Actor, Append, Context, EventLog, Expected};
use uuid::Uuid;

use super::sequence::{WantedStep, search};
use super::{LeadSteps, StepKind};
use crate::lead_timeline::tests::samples;
use crate::run::Projector;
use crate::store::ReadStore;
use crate::trial::places;

const LEADS: u128 = 10_000;
const PLANTED: [u128; 7] = [3, 17, 1_000, 2_500, 5_000, 7_777, 9_999];
const EIGHTH: u128 = 4_242;

/// The events that leads are made of.
struct Shapes {
    created: LeadEvent,
    opened: PaymentEvent,
    declined: PaymentEvent,
    paid: PaymentEvent,
}

impl Shapes {
    fn read() -> Self {
        let payment = |name: &str| samples::<Payment>(name).swap_remove(0);
        Self {
            created: samples::<Lead>("LeadCreated").swap_remove(0),
            opened: payment("PaymentOpened"),
            declined: payment("PaymentDeclined"),
            paid: payment("PaymentSucceeded"),
        }
    }

    /// A lead and its payment. What is not planted is nearly so: once declined, paid first, or never paid.
    fn lead(&self, number: u128) -> [Append; 2] {
        let mut opened = self.opened.clone();
        if let PaymentEvent::PaymentOpened { terms, .. } = &mut opened {
            terms.lead_id = LeadId(Uuid::from_u128(number));
        }
        let (declined, paid) = (&self.declined, &self.paid);
        let after: Vec<&PaymentEvent> = if PLANTED.contains(&number) {
            vec![declined, declined, paid]
        } else {
            match number % 4 {
                0 => vec![declined, paid],
                1 => vec![paid, declined, declined],
                2 => vec![declined, declined],
                _ => vec![paid],
            }
        };
        let events: Vec<PaymentEvent> = std::iter::once(opened)
            .chain(after.into_iter().cloned())
            .collect();
        let append = || Append::new(&Context::new(chrono::Utc::now(), Actor::SYSTEM));
        let lead = append().events::<Lead>(
            LeadId(Uuid::from_u128(number)),
            Expected::Any,
            std::slice::from_ref(&self.created),
        );
        let payment =
            append().events::<Payment>(PaymentId(Uuid::from_u128(number + LEADS)), Expected::Any, &events);
        [lead.unwrap(), payment.unwrap()]
    }
}

/// Declined twice, then paid within an hour.
fn wanted() -> Vec<WantedStep> {
    let step = |kind, within_ms| WantedStep {
        kind,
        code: None,
        within_ms,
        is_absent: false,
    };
    vec![
        step(StepKind::Declined, None),
        step(StepKind::Declined, None),
        step(StepKind::Paid, Some(3_600_000)),
    ]
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<String> {
    let mut ids: Vec<String> = numbers
        .into_iter()
        .map(|number| Uuid::from_u128(number).to_string())
        .collect();
    ids.sort();
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seven_sequences_are_found_among_ten_thousand_leads() {
    let shapes = Shapes::read();
    for (place, _folder) in places() {
        let log = EventLog::memory();
        log.append_many((1..=LEADS).flat_map(|number| shapes.lead(number)).collect())
            .await
            .unwrap();
        let read = ReadStore::open(&place).await.unwrap();
        let mut projector = Projector::new(log.clone(), read.clone(), vec![Box::new(LeadSteps)]);
        projector.catch_up().await.unwrap();
        let now = chrono::Utc::now().timestamp_millis();
        let found = search(read.readers(), &wanted(), now).await.unwrap();
        assert_eq!(found, ids(PLANTED));

        let paid = Append::new(&Context::new(chrono::Utc::now(), Actor::SYSTEM)).events::<Payment>(
            PaymentId(Uuid::from_u128(EIGHTH + LEADS)),
            Expected::Any,
            std::slice::from_ref(&shapes.paid),
        );
        log.append(paid.unwrap()).await.unwrap();
        projector.catch_up().await.unwrap();
        let found = search(read.readers(), &wanted(), now).await.unwrap();
        assert_eq!(found, ids(PLANTED.into_iter().chain([EIGHTH])));
    }
}
