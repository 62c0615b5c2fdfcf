//! The leads' list: finds any lead by name, e-mail, phone, id or property, without holding who anybody is.

use std::collections::BTreeSet;

use domain::aggregate::Decide;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::id::{BookingFormId, InventoryId, LeadId, PaymentId, StreamKey, UserId};
use domain::inventory::Inventory;
use domain::lead::{Lead, LeadEvent, LeadPersonal, LeadStatus, Submission};
use domain::payment::{Payment, PaymentEvent};
use domain::region::Region;
use domain::user::User;
use eventlog::{HandleHasher, RecordedEvent};
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::run::{Projection, ProjectionError};

mod forget;
mod home;
pub mod query;

/// Shortest beginning of a word that is searched for: desks type first names and an initial.
const PREFIX_MIN: usize = 1;
/// Longer beginnings are found by their first letters.
const PREFIX_MAX: usize = 12;

/// One row per lead. Holds the secret of look-ups, because personal values are stored as keyed hashes only.
pub struct LeadBoard {
    hasher: HandleHasher,
}

impl LeadBoard {
    pub fn new(hasher: HandleHasher) -> Self {
        Self { hasher }
    }
}

impl Projection for LeadBoard {
    fn name(&self) -> &'static str {
        "lead_board"
    }

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            "lead_board",
            "lead_token",
            "form_link",
            "payment_link",
            "lead_board_home",
            "lead_board_city",
        ]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            Lead::KIND,
            BookingForm::KIND,
            Payment::KIND,
            User::KIND,
            Inventory::KIND,
            Region::KIND,
        ]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                match record.stream.kind {
                    Lead::KIND => self.take_lead(connection, record).await?,
                    BookingForm::KIND => self.take_form(connection, record).await?,
                    User::KIND => forget::take(connection, &self.hasher, record).await?,
                    Inventory::KIND => home::take_inventory(connection, record).await?,
                    Region::KIND => home::take_region(connection, record).await?,
                    _ => take_payment(connection, record).await?,
                }
            }
            Ok(())
        })
    }
}

/// The name a form has in addresses: a keyed hash of its id, so that staff who see the id cannot open the form.
pub fn form_uuid(hasher: &HandleHasher, form_id: BookingFormId) -> Uuid {
    hasher.id("form_uuid", &form_id.to_string())
}

/// What a lead's capability is found by.
pub fn lead_uuid_hash(hasher: &HandleHasher, lead_uuid: Uuid) -> String {
    hasher.id("lead_uuid", &lead_uuid.to_string()).to_string()
}

/// What a person's e-mail or phone is found by.
pub fn personal_token(hasher: &HandleHasher, kind: &str, value: &str) -> String {
    hasher.id(kind, value).simple().to_string()
}

impl LeadBoard {
    async fn take_lead(
        &self,
        connection: &mut AnyConnection,
        record: &RecordedEvent,
    ) -> Result<(), ProjectionError> {
        let lead_id = LeadId(record.stream.id);
        let event = record.decode::<Lead>()?;
        match &event {
            LeadEvent::Created {
                submission, personal, ..
            } => {
                self.open(connection, record, submission, personal.get()).await?;
            }
            LeadEvent::ContactChanged { personal, .. } => {
                self.name_person(connection, lead_id, personal.get()).await?;
            }
            LeadEvent::FormStarted {
                form_id,
                inventory_id,
                ..
            } => {
                set_form(connection, lead_id, *form_id, *inventory_id).await?;
            }
            LeadEvent::PaymentStarted {
                payment_id,
                inventory_id,
                ..
            }
            | LeadEvent::Booked {
                payment_id,
                inventory_id,
                ..
            } => {
                set_payment(connection, lead_id, *payment_id, *inventory_id).await?;
            }
            LeadEvent::Assigned { owner, .. } => {
                sqlx::query("update lead_board set owner = $1, answered = 1 where lead_id = $2")
                    .bind(owner.map(|owner| owner.to_string()))
                    .bind(lead_id.to_string())
                    .execute(&mut *connection)
                    .await?;
            }
            LeadEvent::NoteAdded { .. } => {
                sqlx::query("update lead_board set answered = 1 where lead_id = $1")
                    .bind(lead_id.to_string())
                    .execute(&mut *connection)
                    .await?;
            }
            LeadEvent::PersonVerified { .. } => {
                sqlx::query("update lead_board set is_claimed = 1 where lead_id = $1")
                    .bind(lead_id.to_string())
                    .execute(&mut *connection)
                    .await?;
            }
            LeadEvent::Enquired { .. }
            | LeadEvent::Waitlisted { .. }
            | LeadEvent::ViewingRequested { .. }
            | LeadEvent::WishChanged { .. }
            | LeadEvent::PersonUnverified { .. }
            | LeadEvent::FormCompleted { .. }
            | LeadEvent::BookingRefunded { .. }
            | LeadEvent::MessageSent { .. }
            | LeadEvent::MessageRefused { .. }
            | LeadEvent::Cancelled { .. }
            | LeadEvent::Lost { .. }
            | LeadEvent::Completed { .. } => {}
        }
        move_status(connection, lead_id, &event).await?;
        touch(connection, lead_id, record).await
    }

    async fn open(
        &self,
        connection: &mut AnyConnection,
        record: &RecordedEvent,
        submission: &Submission,
        personal: Option<&LeadPersonal>,
    ) -> Result<(), ProjectionError> {
        let place = home::place_name(connection, submission.inventory_root_id).await?;
        // A forgotten person's lead keeps its row; nobody can open it by its link any more.
        let capability = personal.map_or(record.stream.id, |personal| personal.lead_uuid);
        let time = record.recorded_at.to_rfc3339();
        sqlx::query(
            "insert into lead_board
             (lead_id, position, lead_uuid_hash, person_id, reference, root_id, inventory_id, property, status, source,
              is_repeat, is_claimed, created_at, last_event_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        )
        .bind(record.stream.id.to_string())
        .bind(record.position.cast_signed())
        .bind(lead_uuid_hash(&self.hasher, capability))
        .bind(submission.person_id.to_string())
        .bind(&submission.reference)
        .bind(submission.inventory_root_id.map(|id| id.to_string()))
        .bind(submission.inventory_id.map(|id| id.to_string()))
        .bind(&place)
        .bind(LeadStatus::Created.key())
        .bind(submission.source.label())
        .bind(i64::from(submission.repeat_of.is_some()))
        .bind(i64::from(!submission.unclaimed))
        .bind(&time)
        .bind(&time)
        .execute(&mut *connection)
        .await?;
        let mut tokens = words_of(place.as_deref().unwrap_or_default());
        tokens.insert(submission.reference.to_lowercase());
        tokens.insert(record.stream.id.to_string());
        add_tokens(connection, LeadId(record.stream.id), tokens).await?;
        self.name_person(connection, LeadId(record.stream.id), personal)
            .await
    }

    async fn name_person(
        &self,
        connection: &mut AnyConnection,
        lead_id: LeadId,
        personal: Option<&LeadPersonal>,
    ) -> Result<(), ProjectionError> {
        let Some(personal) = personal else { return Ok(()) };
        let (email, phone) = (personal.email.canonical(), personal.phone.e164());
        sqlx::query(
            "update lead_board
             set name_masked = $1, email_masked = $2, phone_masked = $3, email_hash = $4, phone_hash = $5
             where lead_id = $6",
        )
        .bind(personal.name.masked())
        .bind(personal.email.masked())
        .bind(personal.phone.masked())
        .bind(personal_token(&self.hasher, "email", &email))
        .bind(personal_token(&self.hasher, "phone", phone))
        .bind(lead_id.to_string())
        .execute(&mut *connection)
        .await?;
        let mut tokens = BTreeSet::new();
        for word in personal.name.words() {
            tokens.extend(beginnings(&word).map(|part| personal_token(&self.hasher, "name", &part)));
        }
        let local = email.split('@').next().unwrap_or_default().to_owned();
        tokens.extend([&email, &local].map(|part| personal_token(&self.hasher, "email", part)));
        tokens.extend(phone_spellings(personal).map(|part| personal_token(&self.hasher, "phone", &part)));
        add_tokens(connection, lead_id, tokens).await?;
        Ok(())
    }

    async fn take_form(
        &self,
        connection: &mut AnyConnection,
        record: &RecordedEvent,
    ) -> Result<(), ProjectionError> {
        let form_id = BookingFormId(record.stream.id);
        let event = record.decode::<BookingForm>()?;
        if let BookingFormEvent::Started { start, .. } = &event {
            sqlx::query(
                "insert into form_link (form_uuid, form_id, lead_id) values ($1, $2, $3)
             on conflict (form_uuid) do update set form_id = excluded.form_id, lead_id = excluded.lead_id",
            )
            .bind(form_uuid(&self.hasher, form_id).to_string())
            .bind(form_id.to_string())
            .bind(start.lead_id.to_string())
            .execute(&mut *connection)
            .await?;
        }
        let lead: Option<(String,)> = sqlx::query_as("select lead_id from form_link where form_id = $1")
            .bind(form_id.to_string())
            .fetch_optional(&mut *connection)
            .await?;
        if let (BookingFormEvent::RoomChanged { inventory_id, .. }, Some((lead_id,))) = (&event, &lead) {
            sqlx::query("update lead_board set inventory_id = $1 where lead_id = $2")
                .bind(inventory_id.to_string())
                .bind(lead_id)
                .execute(&mut *connection)
                .await?;
        }
        touch_found(connection, lead, record).await
    }
}

async fn take_payment(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let payment_id = PaymentId(record.stream.id);
    if record.revision == 1
        && let PaymentEvent::PaymentOpened { terms, .. } = record.decode::<Payment>()?
    {
        sqlx::query(
            "insert into payment_link (payment_id, lead_id) values ($1, $2)
             on conflict (payment_id) do update set lead_id = excluded.lead_id",
        )
        .bind(payment_id.to_string())
        .bind(terms.lead_id.to_string())
        .execute(&mut *connection)
        .await?;
    }
    let lead: Option<(String,)> = sqlx::query_as("select lead_id from payment_link where payment_id = $1")
        .bind(payment_id.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    touch_found(connection, lead, record).await
}

async fn set_form(
    connection: &mut AnyConnection,
    lead_id: LeadId,
    form_id: BookingFormId,
    inventory_id: InventoryId,
) -> Result<(), sqlx::Error> {
    sqlx::query("update lead_board set form_id = $1, inventory_id = $2 where lead_id = $3")
        .bind(form_id.to_string())
        .bind(inventory_id.to_string())
        .bind(lead_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn set_payment(
    connection: &mut AnyConnection,
    lead_id: LeadId,
    payment_id: PaymentId,
    inventory_id: InventoryId,
) -> Result<(), sqlx::Error> {
    sqlx::query("update lead_board set payment_id = $1, inventory_id = $2 where lead_id = $3")
        .bind(payment_id.to_string())
        .bind(inventory_id.to_string())
        .bind(lead_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn move_status(
    connection: &mut AnyConnection,
    lead_id: LeadId,
    event: &LeadEvent,
) -> Result<(), sqlx::Error> {
    let row: Option<(String,)> = sqlx::query_as("select status from lead_board where lead_id = $1")
        .bind(lead_id.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(before) = row.and_then(|(status,)| LeadStatus::from_key(&status)) else {
        return Ok(());
    };
    sqlx::query("update lead_board set status = $1 where lead_id = $2")
        .bind(before.after(event).key())
        .bind(lead_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn touch_found(
    connection: &mut AnyConnection,
    lead: Option<(String,)>,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    match lead.and_then(|(id,)| id.parse::<LeadId>().ok()) {
        Some(lead_id) => touch(connection, lead_id, record).await,
        None => Ok(()),
    }
}

async fn touch(
    connection: &mut AnyConnection,
    lead_id: LeadId,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    sqlx::query("update lead_board set position = $1, last_event_at = $2 where lead_id = $3")
        .bind(record.position.cast_signed())
        .bind(record.recorded_at.to_rfc3339())
        .bind(lead_id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn add_tokens(
    connection: &mut AnyConnection,
    lead_id: LeadId,
    tokens: BTreeSet<String>,
) -> Result<(), sqlx::Error> {
    for token in tokens {
        sqlx::query("insert into lead_token (token, lead_id) values ($1, $2) on conflict do nothing")
            .bind(token)
            .bind(lead_id.uuid().to_string())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words
        .flat_map(|word| beginnings(&word).collect::<Vec<_>>())
        .collect()
}

/// `me`, `mei`: the beginnings of a word by which it is found; one letter of a script with many letters is enough.
fn beginnings(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let shortest = if letters.first().is_some_and(|letter| !letter.is_ascii()) {
        1
    } else {
        PREFIX_MIN
    };
    let longest = letters.len().min(PREFIX_MAX);
    (shortest.min(longest)..=longest)
        .filter(|&length| length > 0)
        .map(move |length| letters.iter().take(length).collect())
}

/// Whole, without the country code, and the last digits people read out.
fn phone_spellings(personal: &LeadPersonal) -> impl Iterator<Item = String> {
    let digits = personal.phone.e164().trim_start_matches('+').to_owned();
    let national = personal.phone.national().to_owned();
    let tail = |length: usize| {
        national
            .get(national.len().saturating_sub(length)..)
            .unwrap_or_default()
            .to_owned()
    };
    [tail(4), tail(6), digits, format!("0{national}"), national.clone()].into_iter()
}

/// The person's leads belong to them by account, or by a handle they proved.
#[derive(Debug, Clone, Default)]
pub struct Ownership {
    pub user_id: Option<UserId>,
    pub email_hash: Option<String>,
    pub phone_hash: Option<String>,
}
