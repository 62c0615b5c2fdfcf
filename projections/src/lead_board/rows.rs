//! Leads' rows while a batch of events changes them: each is read once and written once, however many events it takes.
//! A statement a row was most of what a rebuild did (decision 0017).

use std::collections::{BTreeMap, BTreeSet};

use domain::id::{LeadId, UserId};
use domain::lead::{LeadEvent, LeadStatus};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;

use super::words::{self, Named, Tokens};
use crate::answers::answered_by_lead;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

/// The key first.
const BOARD: Table = Table {
    name: "lead_board",
    columns: &[
        Text("lead_id"),
        Number("position"),
        Text("lead_uuid_hash"),
        Text("person_id"),
        Text("reference"),
        Text("root_id"),
        Text("inventory_id"),
        Text("property"),
        Text("status"),
        Text("source"),
        Text("owner"),
        Number("is_repeat"),
        Number("answered"),
        Number("is_claimed"),
        Text("claimed_by"),
        Text("name_masked"),
        Text("email_masked"),
        Text("phone_masked"),
        Text("email_hash"),
        Text("phone_hash"),
        Text("form_id"),
        Text("payment_id"),
        Text("created_at"),
        Text("last_event_at"),
        Text("payment_state"),
        Number("hold_until"),
        Text("referral"),
        Text("region_id"),
        Text("move_in_from"),
        Text("move_in_to"),
        Number("payment_state_at"),
        Number("number"),
    ],
    key: 1,
};

/// A lead's row, and the tokens it is newly found by.
#[derive(Debug, Clone, Default)]
pub(super) struct LeadRow {
    pub lead_id: String,
    pub position: i64,
    pub lead_uuid_hash: String,
    pub person_id: String,
    pub reference: String,
    pub root_id: Option<String>,
    pub inventory_id: Option<String>,
    pub property: Option<String>,
    pub status: String,
    pub source: Option<String>,
    pub owner: Option<String>,
    pub is_repeat: i64,
    /// 1 once a colleague's message or call has reached its student.
    pub answered: i64,
    pub is_claimed: i64,
    pub claimed_by: Option<String>,
    pub name_masked: String,
    pub email_masked: String,
    pub phone_masked: String,
    pub email_hash: Option<String>,
    pub phone_hash: Option<String>,
    pub form_id: Option<String>,
    pub payment_id: Option<String>,
    pub created_at: String,
    pub last_event_at: String,
    pub payment_state: Option<String>,
    /// Milliseconds since 1970.
    pub hold_until: Option<i64>,
    /// `held` while it waits for a review.
    pub referral: Option<String>,
    /// Of the home, or of the place that the enquiry names.
    pub region_id: Option<String>,
    /// The first and the last day on which the person may move in, `2027-09-01`.
    pub move_in_from: Option<String>,
    pub move_in_to: Option<String>,
    /// Milliseconds since 1970: when `payment_state` was said.
    pub payment_state_at: Option<i64>,
    /// Leads are numbered from 0 in the order in which they came.
    pub number: i64,
    pub tokens: Tokens,
}

tables::from_row!(LeadRow { lead_id, position, lead_uuid_hash, person_id, reference, root_id, inventory_id, property, status, source, owner, is_repeat, answered, is_claimed, claimed_by, name_masked, email_masked, phone_masked, email_hash, phone_hash, form_id, payment_id, created_at, last_event_at, payment_state, hold_until, referral, region_id, move_in_from, move_in_to, payment_state_at, number } default { tokens });

impl LeadRow {
    /// A login proved the address: an unclaimed lead is that account's from now on.
    pub(super) fn claim(&mut self, by: Option<UserId>) {
        if let (0, Some(owner)) = (self.is_claimed, by) {
            self.person_id = owner.to_string();
            self.claimed_by = Some(owner.to_string());
        }
        self.is_claimed = 1;
    }

    /// An event of the lead, or of its form or payment, is the last one now.
    pub(super) fn touch(&mut self, record: &RecordedEvent) {
        self.position = record.position.cast_signed();
        self.last_event_at = record.recorded_at.to_rfc3339();
    }

    /// In the order of its columns.
    fn stored(&self) -> Vec<Value> {
        row![
            self.lead_id.as_str(),
            self.position,
            self.lead_uuid_hash.as_str(),
            self.person_id.as_str(),
            self.reference.as_str(),
            self.root_id.as_deref(),
            self.inventory_id.as_deref(),
            self.property.as_deref(),
            self.status.as_str(),
            self.source.as_deref(),
            self.owner.as_deref(),
            self.is_repeat,
            self.answered,
            self.is_claimed,
            self.claimed_by.as_deref(),
            self.name_masked.as_str(),
            self.email_masked.as_str(),
            self.phone_masked.as_str(),
            self.email_hash.as_deref(),
            self.phone_hash.as_deref(),
            self.form_id.as_deref(),
            self.payment_id.as_deref(),
            self.created_at.as_str(),
            self.last_event_at.as_str(),
            self.payment_state.as_deref(),
            self.hold_until,
            self.referral.as_deref(),
            self.region_id.as_deref(),
            self.move_in_from.as_deref(),
            self.move_in_to.as_deref(),
            self.payment_state_at,
            self.number,
        ]
    }

    fn named(self) -> Named {
        Named {
            number: self.number,
            lead_id: self.lead_id,
            tokens: self.tokens,
        }
    }

    pub(super) fn move_status(&mut self, event: &LeadEvent) {
        if answered_by_lead(event).is_some() {
            self.answered = 1;
        }
        if let Some(before) = LeadStatus::from_key(&self.status) {
            before.after(event).key().clone_into(&mut self.status);
        }
    }
}

/// What a batch has changed so far.
#[derive(Default)]
pub(super) struct Changes {
    rows: BTreeMap<LeadId, LeadRow>,
    /// Looked for, and not there.
    absent: BTreeSet<LeadId>,
    opened: BTreeSet<LeadId>,
    /// How many leads there were before; `None` until it is asked.
    before: Option<i64>,
}

impl Changes {
    /// Reads the rows of these leads at once; one that is missing here is read when it is asked for.
    pub(super) async fn of(
        leads: impl IntoIterator<Item = LeadId>,
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
        let leads: BTreeSet<LeadId> = leads.into_iter().collect();
        let mut changes = Self::default();
        changes.read(leads, connection).await?;
        Ok(changes)
    }

    async fn read(
        &mut self,
        leads: BTreeSet<LeadId>,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        let named: Vec<String> = leads.iter().map(ToString::to_string).collect();
        let among = named.iter().map(String::as_str).collect();
        let rows: Vec<LeadRow> = BOARD.read(connection, &[("lead_id", among)]).await?;
        let found = rows
            .into_iter()
            .filter_map(|row| Some((row.lead_id.parse().ok()?, row)));
        self.rows.extend(found);
        let absent = leads.into_iter().filter(|id| !self.rows.contains_key(id));
        self.absent.extend(absent);
        Ok(())
    }

    /// A lead that was not there before: it gets the next number.
    pub(super) async fn open(
        &mut self,
        lead_id: LeadId,
        mut row: LeadRow,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        let before = self.count_before(connection).await?;
        row.number = match self.rows.get(&lead_id) {
            Some(former) => former.number,
            None => before + i64::try_from(self.opened.len()).unwrap_or_default(),
        };
        self.absent.remove(&lead_id);
        self.opened.insert(lead_id);
        self.rows.insert(lead_id, row);
        Ok(())
    }

    async fn count_before(&mut self, connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
        let before = match self.before {
            Some(before) => before,
            None => words::count(connection).await?,
        };
        self.before = Some(before);
        Ok(before)
    }

    /// `None` for a lead of which nothing is known.
    pub(super) async fn row(
        &mut self,
        lead_id: LeadId,
        connection: &mut AnyConnection,
    ) -> Result<Option<&mut LeadRow>, sqlx::Error> {
        if !self.rows.contains_key(&lead_id) && !self.absent.contains(&lead_id) {
            self.read(BTreeSet::from([lead_id]), connection).await?;
        }
        Ok(self.rows.get_mut(&lead_id))
    }

    /// Writes all of it, and knows nothing afterwards.
    pub(super) async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let mut done = std::mem::take(self);
        let rows: Vec<LeadRow> = std::mem::take(&mut done.rows).into_values().collect();
        let stored: Vec<Vec<Value>> = rows.iter().map(LeadRow::stored).collect();
        BOARD.put(connection, &stored).await?;
        let named = rows.into_iter().filter(|row| !row.tokens.is_empty());
        let mut named: Vec<Named> = named.map(LeadRow::named).collect();
        if named.is_empty() {
            return Ok(());
        }
        named.sort_unstable_by_key(|lead| lead.number);
        let before = done.count_before(connection).await?;
        words::add(connection, before, named).await
    }
}
