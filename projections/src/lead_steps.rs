//! What happened to each lead, step by step: a row for each event that a report counts or a search of sequences names (M12). It holds no
//! word about a person, so nothing of it goes when one is forgotten.

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::case::{Case, CaseEvent, Side};
use domain::lead::{CloseCause, DeskAct, Lead, LeadEvent};
use domain::payment::decline::DeclineCode;
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::answers::{BY_CALL, BY_MESSAGE, answered_by_case, answered_by_lead};
use crate::run::{Projection, ProjectionError};

#[cfg(test)]
mod planted;
pub mod report;
pub mod sequence;

const STEPS: Table = Table {
    name: "lead_step",
    columns: &[
        Number("position"),
        Text("lead_id"),
        Text("kind"),
        Text("code"),
        Text("country"),
        Number("at"),
    ],
    key: 1,
};
const LINKS: Table = Table {
    name: "lead_step_link",
    columns: &[Text("stream_id"), Text("lead_id"), Text("country")],
    key: 1,
};
const REACH: Table = Table {
    name: "lead_reach",
    columns: &[
        Text("lead_id"),
        Number("enquired"),
        Number("answered"),
        Number("form_started"),
        Number("form_completed"),
        Number("payment_started"),
        Number("booked"),
    ],
    key: 1,
};

/// The kinds of steps, in the order of a lead's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    Enquired,
    Waitlisted,
    ViewingRequested,
    /// A colleague's message or recorded call reached the person.
    Answered,
    /// The person wrote to staff.
    Wrote,
    FormStarted,
    FormCompleted,
    PaymentStarted,
    Declined,
    Pending,
    SoldOut,
    Paid,
    Booked,
    Refunded,
    Disputed,
    Cancelled,
    Lost,
    Completed,
}

impl StepKind {
    pub const ALL: [Self; 18] = [
        Self::Enquired,
        Self::Waitlisted,
        Self::ViewingRequested,
        Self::Answered,
        Self::Wrote,
        Self::FormStarted,
        Self::FormCompleted,
        Self::PaymentStarted,
        Self::Declined,
        Self::Pending,
        Self::SoldOut,
        Self::Paid,
        Self::Booked,
        Self::Refunded,
        Self::Disputed,
        Self::Cancelled,
        Self::Lost,
        Self::Completed,
    ];

    /// The word on the wire and in the table.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Enquired => "enquired",
            Self::Waitlisted => "waitlisted",
            Self::ViewingRequested => "viewing_requested",
            Self::Answered => "answered",
            Self::Wrote => "wrote",
            Self::FormStarted => "form_started",
            Self::FormCompleted => "form_completed",
            Self::PaymentStarted => "payment_started",
            Self::Declined => "declined",
            Self::Pending => "pending",
            Self::SoldOut => "sold_out",
            Self::Paid => "paid",
            Self::Booked => "booked",
            Self::Refunded => "refunded",
            Self::Disputed => "disputed",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
            Self::Completed => "completed",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// The codes that steps of this kind carry; empty where they carry none.
    pub fn codes(self) -> Vec<&'static str> {
        match self {
            Self::Answered => vec![BY_MESSAGE, BY_CALL],
            Self::Declined => DeclineCode::ALL.map(DeclineCode::code).to_vec(),
            Self::Lost => CloseCause::ALL
                .map(CloseCause::key)
                .into_iter()
                .chain([DOUBLE])
                .collect(),
            _ => vec![],
        }
    }
}

/// The code of a lead that was closed as a double of another.
const DOUBLE: &str = "double";

/// The projection behind `lead_step` and `lead_reach`.
pub struct LeadSteps;

/// When a lead first reached the steps of a report, in milliseconds since 1970.
#[derive(Debug, Clone, Default)]
struct Reach {
    lead_id: String,
    enquired: Option<i64>,
    answered: Option<i64>,
    form_started: Option<i64>,
    form_completed: Option<i64>,
    payment_started: Option<i64>,
    booked: Option<i64>,
}

tables::from_row!(Reach {
    lead_id,
    enquired,
    answered,
    form_started,
    form_completed,
    payment_started,
    booked
});

impl Reach {
    /// Where the moment of this step stands; `None` for a step that no report counts.
    fn moment(&mut self, kind: StepKind) -> Option<&mut Option<i64>> {
        Some(match kind {
            StepKind::Enquired => &mut self.enquired,
            StepKind::Answered => &mut self.answered,
            StepKind::FormStarted => &mut self.form_started,
            StepKind::FormCompleted => &mut self.form_completed,
            StepKind::PaymentStarted => &mut self.payment_started,
            StepKind::Booked => &mut self.booked,
            _ => return None,
        })
    }

    fn row(self) -> Vec<Value> {
        row![
            self.lead_id,
            self.enquired,
            self.answered,
            self.form_started,
            self.form_completed,
            self.payment_started,
            self.booked
        ]
    }
}

/// A step as its event told it.
struct Told {
    position: i64,
    lead_id: String,
    kind: StepKind,
    code: Option<String>,
    country: Option<String>,
    at: i64,
}

impl Told {
    fn row(self) -> Vec<Value> {
        row![
            self.position,
            self.lead_id,
            self.kind.key(),
            self.code,
            self.country,
            self.at
        ]
    }
}

/// The lead of a stream, and the country of a payment's home.
#[derive(Debug, Clone)]
struct Link {
    stream_id: String,
    lead_id: String,
    country: Option<String>,
}

tables::from_row!(Link {
    stream_id,
    lead_id,
    country
});

impl Link {
    fn new(stream_id: &str, lead_id: &str, country: Option<String>) -> Self {
        Self {
            stream_id: stream_id.to_owned(),
            lead_id: lead_id.to_owned(),
            country,
        }
    }
}

impl Projection for LeadSteps {
    fn name(&self) -> &'static str {
        "lead_steps"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["lead_step", "lead_step_link", "lead_reach"]
    }

    fn version(&self) -> u32 {
        4
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["lead_reach_enquired"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Lead::KIND, Payment::KIND, Case::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut links = links_of(connection, events).await?;
            let mut steps = Vec::new();
            let mut made = Vec::new();
            for record in events {
                let stream_id = record.stream.id.to_string();
                let step = match record.stream.kind {
                    Lead::KIND => {
                        of_lead(&record.decode_sealed::<Lead>()?).map(|step| (step, stream_id, None))
                    }
                    Payment::KIND => {
                        let event = record.decode_sealed::<Payment>()?;
                        if let PaymentEvent::PaymentOpened { terms, .. } = &event {
                            let country = terms.country.key().to_owned();
                            made.push(row![
                                stream_id.as_str(),
                                terms.lead_id.to_string(),
                                country.as_str()
                            ]);
                            let link = Link::new(&stream_id, &terms.lead_id.to_string(), Some(country));
                            links.insert(stream_id.clone(), link);
                        }
                        of_payment(&event).and_then(|step| {
                            let link = links.get(&stream_id)?;
                            Some((step, link.lead_id.clone(), link.country.clone()))
                        })
                    }
                    _ => {
                        let event = record.decode_sealed::<Case>()?;
                        if let CaseEvent::Opened {
                            lead_id: Some(lead_id),
                            ..
                        } = &event
                        {
                            if lead_id.0 != record.stream.id {
                                made.push(row![stream_id.as_str(), lead_id.to_string(), None::<String>]);
                            }
                            let link = Link::new(&stream_id, &lead_id.to_string(), None);
                            links.insert(stream_id.clone(), link);
                        }
                        of_case(&event)
                            .and_then(|step| Some((step, links.get(&stream_id)?.lead_id.clone(), None)))
                    }
                };
                if let Some(((kind, code), lead_id, country)) = step {
                    steps.push(Told {
                        position: record.position.cast_signed(),
                        lead_id,
                        kind,
                        code,
                        country,
                        at: record.recorded_at.timestamp_millis(),
                    });
                }
            }
            LINKS.put(connection, &made).await?;
            let reached = reached(connection, &steps).await?;
            REACH.put(connection, &reached).await?;
            let rows: Vec<Vec<Value>> = steps.into_iter().map(Told::row).collect();
            Ok(STEPS.put(connection, &rows).await?)
        })
    }
}

/// The links of these events' streams, as they were before.
async fn links_of(
    connection: &mut AnyConnection,
    events: &[RecordedEvent],
) -> Result<BTreeMap<String, Link>, sqlx::Error> {
    let streams: BTreeSet<String> = events
        .iter()
        .filter(|record| record.stream.kind != Lead::KIND && record.revision > 1)
        .map(|record| record.stream.id.to_string())
        .collect();
    let among = streams.iter().map(String::as_str).collect();
    let links: Vec<Link> = LINKS.read(connection, &[("stream_id", among)]).await?;
    let mut links: BTreeMap<String, Link> = links
        .into_iter()
        .map(|link| (link.stream_id.clone(), link))
        .collect();
    // The conversation that an enquiry begins goes by the lead's id and has no row.
    let others = streams.iter().filter(|stream| !links.contains_key(*stream));
    let among = others.map(String::as_str).collect();
    let leads: Vec<Reach> = REACH.read(connection, &[("lead_id", among)]).await?;
    for Reach { lead_id, .. } in leads {
        links.insert(lead_id.clone(), Link::new(&lead_id, &lead_id, None));
    }
    Ok(links)
}

/// The rows of the leads that these steps brought on.
async fn reached(connection: &mut AnyConnection, steps: &[Told]) -> Result<Vec<Vec<Value>>, sqlx::Error> {
    let counted = |step: &&Told| Reach::default().moment(step.kind).is_some();
    let counted: Vec<&Told> = steps.iter().filter(counted).collect();
    let leads: BTreeSet<&str> = counted.iter().map(|step| step.lead_id.as_str()).collect();
    let before: Vec<Reach> = REACH
        .read(connection, &[("lead_id", leads.into_iter().collect())])
        .await?;
    let mut reached: BTreeMap<String, Reach> = before
        .into_iter()
        .map(|reach| (reach.lead_id.clone(), reach))
        .collect();
    for step in counted {
        let reach = reached.entry(step.lead_id.clone()).or_insert_with(|| Reach {
            lead_id: step.lead_id.clone(),
            ..Reach::default()
        });
        if let Some(moment) = reach.moment(step.kind) {
            moment.get_or_insert(step.at);
        }
    }
    Ok(reached.into_values().map(Reach::row).collect())
}

type Step = (StepKind, Option<String>);

fn of_lead(event: &LeadEvent) -> Option<Step> {
    use LeadEvent as E;
    if let Some(how) = answered_by_lead(event) {
        return Some((StepKind::Answered, Some(how.to_owned())));
    }
    let kind = match event {
        E::Created { .. } => StepKind::Enquired,
        E::Waitlisted { .. } => StepKind::Waitlisted,
        E::ViewingRequested { .. } => StepKind::ViewingRequested,
        E::FormStarted { .. } => StepKind::FormStarted,
        E::FormCompleted { .. } => StepKind::FormCompleted,
        E::PaymentStarted { .. } => StepKind::PaymentStarted,
        E::Booked { .. } => StepKind::Booked,
        E::Cancelled { .. } | E::BookingRefunded { .. } => StepKind::Cancelled,
        E::Lost { .. } => StepKind::Lost,
        // Staff close a lead by an act; `Lost` is of older histories.
        E::ActedOn {
            act: DeskAct::Closed { cause },
            ..
        } => return Some((StepKind::Lost, Some(cause.key().to_owned()))),
        E::ActedOn {
            act: DeskAct::MarkedDouble { .. },
            ..
        } => return Some((StepKind::Lost, Some(DOUBLE.to_owned()))),
        E::Completed { .. } => StepKind::Completed,
        _ => return None,
    };
    Some((kind, None))
}

fn of_payment(event: &PaymentEvent) -> Option<Step> {
    use PaymentEvent as E;
    let kind = match event {
        E::PaymentDeclined { code, .. } => return Some((StepKind::Declined, Some(code.code().to_owned()))),
        E::PaymentDelayed {} => StepKind::Pending,
        E::PaymentSoldOut { .. } => StepKind::SoldOut,
        E::PaymentSucceeded { .. } => StepKind::Paid,
        E::RefundAcknowledged { .. } | E::RefundPaidElsewhere { .. } => StepKind::Refunded,
        E::DisputeOpened { .. } => StepKind::Disputed,
        _ => return None,
    };
    Some((kind, None))
}

fn of_case(event: &CaseEvent) -> Option<Step> {
    if let Some(how) = answered_by_case(event) {
        return Some((StepKind::Answered, Some(how.to_owned())));
    }
    let wrote = matches!(event, CaseEvent::MessageWritten { written, .. } if written.side == Side::Person);
    wrote.then_some((StepKind::Wrote, None))
}
