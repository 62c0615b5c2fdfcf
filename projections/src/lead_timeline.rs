//! A lead's whole history: lead, booking form, payment, its approvals, conversations and person in one line, each event a sentence with
//! the fields it changed, so that folding the changes up to n gives the state at n (row I2, I3).

use domain::aggregate::Decide;
use domain::approval::Approval;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::case::{Case, CaseEvent};
use domain::id::StreamKey;
use domain::inventory::Inventory;
use domain::lead::{Lead, LeadEvent, LeadStatus};
use domain::money::Currency;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::{Payment, PaymentEvent};
use domain::user::User;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;

use crate::run::{Projection, ProjectionError};

pub mod apart;
mod approval;
mod case;
mod forget;
mod form;
mod home;
mod lead;
pub mod pages;
mod payment;
mod person;
pub mod query;
mod sheet;
#[cfg(test)]
pub(crate) mod tests;
mod told;

use sheet::{Fields, Sheet};
use told::Told;

/// Fields whose values are shown masked.
pub const MASKED: [&str; 8] = [
    "name",
    "email",
    "phone",
    "proved_email",
    "proved_phone",
    "counsellor_name",
    "counsellor_email",
    "question",
];
/// Stands for the words of a question, and for the masked address of a message to a person who was forgotten.
const UNSHOWN: &str = "•••";
/// Fields of free words: they go with the person, as masked ones do.
const WORDS: [&str; 10] = [
    "configuration",
    "university",
    "intake",
    "source",
    "bookform_source",
    "referral_code",
    "reason",
    "rating_words",
    "counsellor_country",
    "counsellor_office",
];
/// Marks a stream whose person was forgotten: what is told of it later is told as of a forgotten person.
const FORGOTTEN: &str = "_forgotten";
/// Parts of sentences and fields that hold an amount: symbol and decimal, which a reader's language writes in its own way.
pub const AMOUNTS: [&str; 5] = ["amount", "total", "due", "captured", "refunded"];
/// Values the next event's sentence needs, never shown.
const HIDDEN: [&str; 6] = [
    "_currency",
    "_captured",
    "_refunded",
    "_dispute",
    "_total_sections",
    "_link",
];

/// Every event of every lead, told, but for reads of histories.
pub struct LeadTimelines;

impl Projection for LeadTimelines {
    fn name(&self) -> &'static str {
        "lead_timeline"
    }

    fn version(&self) -> u32 {
        12
    }

    fn tables(&self) -> &'static [&'static str] {
        &["timeline_event", "timeline_field", "lead_stream", "timeline_home"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["timeline_event_id"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            Lead::KIND,
            BookingForm::KIND,
            Payment::KIND,
            Approval::KIND,
            Case::KIND,
            User::KIND,
            Inventory::KIND,
        ]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut sheet = Sheet::of(events, connection).await?;
            for record in events {
                if record.stream.kind == Inventory::KIND {
                    home::take(&mut sheet, record)?;
                    continue;
                }
                let told = match record.stream.kind {
                    Lead::KIND => tell_lead(&mut sheet, connection, record).await?,
                    BookingForm::KIND => tell_form(&mut sheet, connection, record).await?,
                    Payment::KIND => tell_payment(&mut sheet, connection, record).await?,
                    Case::KIND => tell_case(&mut sheet, record)?,
                    Approval::KIND => match tell_approval(&mut sheet, connection, record).await? {
                        Some(told) => told,
                        None => continue,
                    },
                    _ => match person::tell(&record.decode::<User>()?) {
                        Some(told) => told,
                        None => continue,
                    },
                };
                // What is not known yet is read here, whoever tells it.
                let told = if sheet.is_forgotten(record, connection).await? {
                    forget::hide(told)
                } else {
                    told
                };
                sheet.write_down(record, told);
                if record.stream.kind == User::KIND
                    && let Some(person) = forget::who(record)?
                {
                    sheet.write(connection).await?;
                    forget::erase(connection, person).await?;
                }
            }
            Ok(sheet.write(connection).await?)
        })
    }
}

async fn tell_lead(
    sheet: &mut Sheet,
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<Lead>()?;
    let mut place = None;
    if let LeadEvent::Created { submission, .. } = &event {
        if let Some(root) = submission.inventory_root_id {
            place = sheet.home(root, connection).await?;
        }
        let lead_id = record.stream.id;
        sheet.join(lead_id, Lead::KIND, lead_id);
        sheet.join(lead_id, User::KIND, submission.person_id.uuid());
    }
    if let LeadEvent::ContactChanged {
        reached: Some(owner), ..
    } = &event
    {
        sheet.hand_over(record.stream.id, owner.uuid());
    }
    let status = text(sheet.fields(record, connection).await?, "status")
        .and_then(LeadStatus::from_key)
        .unwrap_or_default();
    Ok(lead::tell(&event, place.as_deref(), status, record.actor.id))
}

fn tell_case(sheet: &mut Sheet, record: &RecordedEvent) -> Result<Told, ProjectionError> {
    let event = record.decode_sealed::<Case>()?;
    if let CaseEvent::Opened {
        lead_id: Some(lead_id),
        ..
    } = &event
    {
        sheet.join(lead_id.uuid(), Case::KIND, record.stream.id);
    }
    Ok(case::tell(&event))
}

async fn tell_form(
    sheet: &mut Sheet,
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<BookingForm>()?;
    if let BookingFormEvent::Started { start, .. } = &event {
        sheet.join(start.lead_id.uuid(), BookingForm::KIND, record.stream.id);
        let total = start.definition.visible(false).count();
        return Ok(form::tell(&event, 0, total).set("_total_sections", total.to_string()));
    }
    let fields = sheet.fields(record, connection).await?;
    let total = text(fields, "_total_sections")
        .and_then(|total| total.parse().ok())
        .unwrap_or_default();
    let mut complete: Vec<&str> = fields
        .iter()
        .filter(|(_, value)| value.as_deref() == Some("complete"))
        .map(|(key, _)| key.as_str())
        .collect();
    if let BookingFormEvent::SectionSaved {
        section,
        complete: now,
        ..
    } = &event
    {
        complete.retain(|key| *key != section.key());
        if *now {
            complete.push(section.key());
        }
    }
    let before_payment = complete
        .iter()
        .filter(|key| **key != "confirmation_documents")
        .count();
    Ok(form::tell(&event, before_payment, total))
}

async fn tell_payment(
    sheet: &mut Sheet,
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<Told, ProjectionError> {
    let event = record.decode::<Payment>()?;
    if let PaymentEvent::PaymentOpened { terms, .. } = &event {
        sheet.join(terms.lead_id.uuid(), Payment::KIND, record.stream.id);
    }
    let fields = sheet.fields(record, connection).await?;
    let number = |name| {
        text(fields, name)
            .and_then(|number| number.parse().ok())
            .unwrap_or_default()
    };
    let mut known = payment::Known {
        currency: text(fields, "_currency")
            .and_then(Currency::from_code)
            .unwrap_or(Currency::Gbp),
        captured_minor: number("_captured"),
        refunded_minor: number("_refunded"),
        dispute: text(fields, "_dispute").and_then(payment::DisputeNow::from_word),
        actor: record.actor.id,
    };
    if let PaymentEvent::PaymentOpened { terms, .. } = &event {
        known.currency = terms.quote.currency;
    }
    let is_link = text(fields, "_link").is_some()
        || matches!(&event, PaymentEvent::PaymentOpened { terms, .. } if terms.link.is_some());
    let mut told = payment::tell(&event, &known);
    // The lead's payment is the one that booked it: what comes of a link of staff is told and sets nothing beside it.
    if is_link {
        told.set.clear();
    }
    let told = match &event {
        PaymentEvent::PaymentOpened { terms, .. } => {
            let told = told.set("_currency", known.currency.code());
            if terms.link.is_some() {
                told.set("_link", "yes")
            } else {
                told
            }
        }
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => told.set(
            "_captured",
            known
                .captured_minor
                .saturating_add(capture.amount_minor)
                .to_string(),
        ),
        PaymentEvent::RefundAcknowledged { amount_minor, .. } => told.set(
            "_refunded",
            known.refunded_minor.saturating_add(*amount_minor).to_string(),
        ),
        PaymentEvent::DisputeOpened { .. } => told.set("_dispute", "open"),
        PaymentEvent::DisputeClosed { outcome, .. } => told.set(
            "_dispute",
            match outcome {
                DisputeOutcome::Won => "won",
                DisputeOutcome::Lost => "lost",
            },
        ),
        _ => told,
    };
    Ok(told)
}

/// Nothing for what belongs to no lead.
async fn tell_approval(
    sheet: &mut Sheet,
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<Option<Told>, ProjectionError> {
    let event = record.decode::<Approval>()?;
    let Some((payment_id, amount)) = approval::refund_of(&event) else {
        return Ok(None);
    };
    let Some(lead_id) = sheet.lead_of_payment(payment_id, connection).await? else {
        return Ok(None);
    };
    sheet.join(lead_id, Approval::KIND, record.stream.id);
    Ok(Some(approval::tell(&event, amount)))
}

fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_deref()
}
