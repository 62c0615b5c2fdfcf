//! The leads' list: finds any lead by name, e-mail, phone, id or property, without holding who anybody is.

use std::collections::BTreeSet;

use domain::aggregate::Decide;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::case::Case;
use domain::id::{BookingFormId, LeadId, UserId};
use domain::inventory::Inventory;
use domain::lead::{Lead, LeadEvent, LeadPersonal, LeadStatus, Submission};
use domain::payment::Payment;
use domain::referral::Referral;
use domain::region::Region;
use domain::user::User;
use eventlog::{HandleHasher, RecordedEvent};
use futures::future::BoxFuture;
use sqlx::AnyConnection;
use uuid::Uuid;

use self::home::Homes;
use self::links::Links;
use self::rows::{Changes, LeadRow};
use crate::answers::answered_by_case;
use crate::run::{Projection, ProjectionError};

pub mod attention;
mod by_link;
pub mod filter;
mod forget;
mod found_by;
mod home;
mod links;
pub mod query;
mod rows;
mod words;

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
        10
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            "lead_board",
            "lead_words",
            "lead_posting",
            "lead_former_link",
            "form_link",
            "payment_link",
            "lead_board_case",
            "lead_board_home",
            "lead_board_city",
        ]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &[
            "lead_board_email",
            "lead_board_phone",
            "lead_board_claimed_by",
            "lead_board_last",
        ]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            Lead::KIND,
            BookingForm::KIND,
            Payment::KIND,
            Case::KIND,
            Referral::KIND,
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
            let links = Links::of(events, connection).await?;
            let leads = leads_of(events).chain(links.leads());
            let mut changes = Changes::of(leads, connection).await?;
            let mut homes = Homes::default();
            for record in events {
                match record.stream.kind {
                    Lead::KIND => {
                        self.take_lead((&mut changes, &mut homes), connection, record)
                            .await?;
                    }
                    BookingForm::KIND => self.take_form(&mut changes, connection, record).await?,
                    User::KIND => {
                        if let Some(user_id) = forget::who(record)? {
                            changes.write(connection).await?;
                            forget::erase(connection, &self.hasher, user_id).await?;
                        }
                    }
                    Inventory::KIND => homes.take_inventory(record)?,
                    Region::KIND => homes.take_region(record)?,
                    // The list goes by what the student did last: a message of staff answers it and does not move it.
                    Case::KIND => {
                        if let Some(lead_id) = links.lead_of(record)
                            && answered_by_case(&record.decode_sealed::<Case>()?).is_some()
                            && let Some(row) = changes.row(lead_id, connection).await?
                        {
                            row.answered = 1;
                        }
                    }
                    // A lead has at most one referral, whose stream goes by the lead's id.
                    Referral::KIND => {
                        if let Some(row) = changes.row(LeadId(record.stream.id), connection).await? {
                            row.take_referral(&record.decode::<Referral>()?);
                            row.touch(record);
                        }
                    }
                    _ => {
                        if let Some(lead_id) = links.lead_of(record)
                            && let Some(row) = changes.row(lead_id, connection).await?
                        {
                            let event = record.decode::<Payment>()?;
                            row.take_payment(&event, record.recorded_at.timestamp_millis());
                            found_by::take_payment(&self.hasher, row, record.stream.id, &event);
                            row.touch(record);
                        }
                    }
                }
            }
            homes.write(connection).await?;
            Ok(changes.write(connection).await?)
        })
    }
}

/// Leads that were there before these events.
fn leads_of(events: &[RecordedEvent]) -> impl Iterator<Item = LeadId> {
    let mut opened = BTreeSet::new();
    events.iter().filter_map(move |record| {
        let lead_id = LeadId(record.stream.id);
        if record.stream.kind != Lead::KIND || (record.revision == 1 && opened.insert(lead_id)) {
            return None;
        }
        (!opened.contains(&lead_id)).then_some(lead_id)
    })
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
        (changes, homes): (&mut Changes, &mut Homes),
        connection: &mut AnyConnection,
        record: &RecordedEvent,
    ) -> Result<(), ProjectionError> {
        let lead_id = LeadId(record.stream.id);
        let event = record.decode::<Lead>()?;
        if let LeadEvent::Created {
            submission, personal, ..
        } = &event
        {
            let place = homes.place_of(connection, submission.inventory_root_id).await?;
            let row = self.opened(place, record, submission, personal.get());
            changes.open(lead_id, row, connection).await?;
        }
        let Some(row) = changes.row(lead_id, connection).await? else {
            return Ok(());
        };
        match &event {
            LeadEvent::ContactChanged {
                reached, personal, ..
            } => {
                let whom = (*reached, personal.get());
                self.change_contact(connection, row, whom).await?;
            }
            LeadEvent::FormStarted {
                form_id,
                inventory_id,
                ..
            } => {
                found_by::take_form(&self.hasher, row, *form_id);
                row.inventory_id = Some(inventory_id.to_string());
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
                row.payment_id = Some(payment_id.to_string());
                row.inventory_id = Some(inventory_id.to_string());
            }
            LeadEvent::WishChanged { wish, .. } => found_by::take_move_in(row, wish.move_in_date.as_deref()),
            LeadEvent::Assigned { owner, .. } => row.owner = owner.map(|owner| owner.to_string()),
            LeadEvent::PersonVerified { by, .. } => row.claim(*by),
            LeadEvent::Created { .. }
            | LeadEvent::Enquired { .. }
            | LeadEvent::Waitlisted { .. }
            | LeadEvent::ViewingRequested { .. }
            | LeadEvent::PersonUnverified { .. }
            | LeadEvent::FormCompleted { .. }
            | LeadEvent::BookingRefunded { .. }
            | LeadEvent::MessageSent { .. }
            | LeadEvent::MessageRefused { .. }
            | LeadEvent::Cancelled { .. }
            | LeadEvent::Lost { .. }
            | LeadEvent::Completed { .. }
            | LeadEvent::NoteAdded { .. }
            | LeadEvent::Rated { .. }
            | LeadEvent::LinkMade { .. }
            | LeadEvent::PlaceTaken { .. }
            | LeadEvent::LetterPosted { .. }
            | LeadEvent::ActedOn { .. } => {}
        }
        row.move_status(&event);
        row.touch(record);
        Ok(())
    }

    /// Names the person anew. Where the address reaches somebody else, the lead is theirs from now on, and found by its new link.
    async fn change_contact(
        &self,
        connection: &mut AnyConnection,
        row: &mut LeadRow,
        (reached, personal): (Option<UserId>, Option<&LeadPersonal>),
    ) -> Result<(), ProjectionError> {
        if let Some(reached) = reached {
            forget::hand_over(connection, row, reached).await?;
            found_by::take_link(&self.hasher, connection, (row, personal)).await?;
        }
        found_by::name_person(&self.hasher, row, personal);
        Ok(())
    }

    fn opened(
        &self,
        (place, region): (Option<String>, Option<String>),
        record: &RecordedEvent,
        submission: &Submission,
        personal: Option<&LeadPersonal>,
    ) -> LeadRow {
        // A forgotten person's lead keeps its row; nobody can open it by its link any more.
        let capability = personal.map_or(record.stream.id, |personal| personal.lead_uuid);
        let lead_id = record.stream.id.to_string();
        let names = [lead_id.as_str(), submission.reference.as_str()];
        let tokens = found_by::tokens_of_lead(&self.hasher, names, place.as_deref().unwrap_or_default());
        let mut row = LeadRow {
            lead_id,
            lead_uuid_hash: lead_uuid_hash(&self.hasher, capability),
            person_id: submission.person_id.to_string(),
            reference: submission.reference.clone(),
            root_id: submission.inventory_root_id.map(|id| id.to_string()),
            inventory_id: submission.inventory_id.map(|id| id.to_string()),
            property: place,
            status: LeadStatus::Created.key().to_owned(),
            source: submission.source.label().map(str::to_owned),
            is_repeat: i64::from(submission.repeat_of.is_some()),
            is_claimed: i64::from(!submission.unclaimed),
            claimed_by: (!submission.unclaimed).then(|| submission.person_id.to_string()),
            created_at: record.recorded_at.to_rfc3339(),
            tokens,
            ..LeadRow::default()
        };
        found_by::name_person(&self.hasher, &mut row, personal);
        row.region_id = region.or_else(|| submission.region_id.map(|id| id.to_string()));
        found_by::take_move_in(&mut row, submission.wish.move_in_date.as_deref());
        found_by::take_words(&self.hasher, &mut row, submission);
        row
    }

    async fn take_form(
        &self,
        changes: &mut Changes,
        connection: &mut AnyConnection,
        record: &RecordedEvent,
    ) -> Result<(), ProjectionError> {
        let form_id = BookingFormId(record.stream.id);
        let event = record.decode_sealed::<BookingForm>()?;
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
        let lead: Option<String> = sqlx::query_scalar("select lead_id from form_link where form_id = $1")
            .bind(form_id.to_string())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(lead_id) = lead.and_then(|id| id.parse::<LeadId>().ok()) else {
            return Ok(());
        };
        let Some(row) = changes.row(lead_id, connection).await? else {
            return Ok(());
        };
        if let BookingFormEvent::RoomChanged { inventory_id, .. } = &event {
            row.inventory_id = Some(inventory_id.to_string());
        }
        row.touch(record);
        Ok(())
    }
}

/// The person's leads: those their account sent or claimed; of unclaimed ones those that name the address they have proved.
#[derive(Debug, Clone, Default)]
pub struct Ownership {
    pub user_id: Option<UserId>,
    pub email_hash: Option<String>,
}
