//! What happened to each lead, step by step: a row for each event that a report counts or a search of sequences names (M12). It holds no
//! word about a person, so nothing of it goes when one is forgotten.

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::case::{Case, CaseEvent, Side};
use domain::lead::{Lead, LeadEvent};
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

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

/// The kinds of steps, in the order of a lead's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    Enquired,
    Waitlisted,
    ViewingRequested,
    /// A member of staff took the lead, or wrote to its person.
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
}

/// The projection behind `lead_step`.
pub struct LeadSteps;

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

impl Projection for LeadSteps {
    fn name(&self) -> &'static str {
        "lead_steps"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["lead_step", "lead_step_link"]
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
                            let link = Link {
                                stream_id: stream_id.clone(),
                                lead_id: terms.lead_id.to_string(),
                                country: Some(country),
                            };
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
                            made.push(row![stream_id.as_str(), lead_id.to_string(), None::<String>]);
                            let link = Link {
                                stream_id: stream_id.clone(),
                                lead_id: lead_id.to_string(),
                                country: None,
                            };
                            links.insert(stream_id.clone(), link);
                        }
                        of_case(&event)
                            .and_then(|step| Some((step, links.get(&stream_id)?.lead_id.clone(), None)))
                    }
                };
                if let Some(((kind, code), lead_id, country)) = step {
                    steps.push(row![
                        record.position.cast_signed(),
                        lead_id,
                        kind.key(),
                        code,
                        country,
                        record.recorded_at.timestamp_millis()
                    ]);
                }
            }
            LINKS.put(connection, &made).await?;
            Ok(STEPS.put(connection, &steps).await?)
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
    Ok(links
        .into_iter()
        .map(|link| (link.stream_id.clone(), link))
        .collect())
}

type Step = (StepKind, Option<String>);

fn of_lead(event: &LeadEvent) -> Option<Step> {
    use LeadEvent as E;
    let kind = match event {
        E::Created { .. } => StepKind::Enquired,
        E::Waitlisted { .. } => StepKind::Waitlisted,
        E::ViewingRequested { .. } => StepKind::ViewingRequested,
        E::Assigned { owner: Some(_), .. } => return Some((StepKind::Answered, Some("taken".to_owned()))),
        E::FormStarted { .. } => StepKind::FormStarted,
        E::FormCompleted { .. } => StepKind::FormCompleted,
        E::PaymentStarted { .. } => StepKind::PaymentStarted,
        E::Booked { .. } => StepKind::Booked,
        E::Cancelled { .. } | E::BookingRefunded { .. } => StepKind::Cancelled,
        E::Lost { .. } => StepKind::Lost,
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
    let CaseEvent::MessageWritten { written, .. } = event else {
        return None;
    };
    Some(match written.side {
        Side::Staff => (StepKind::Answered, Some("message".to_owned())),
        Side::Person => (StepKind::Wrote, None),
    })
}
