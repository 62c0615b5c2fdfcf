//! Leads' rows while a batch of events changes them: each is read once and written once, however many events it takes.
//! A statement a token was most of what a rebuild did (decision 315).

use std::collections::{BTreeMap, BTreeSet};

use domain::id::LeadId;
use domain::lead::{LeadEvent, LeadStatus};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;

use crate::database::Statement;

/// Leads read by one statement.
const READ: usize = 100;
/// Leads, and tokens, written by one statement. SQLite looks for a numbered place among all places of its statement, so the
/// work grows with the square of their number.
const WRITTEN: usize = 8;
const TOKENS: usize = 64;
/// All columns, the key first.
const COLUMNS: [&str; 23] = [
    "lead_id",
    "position",
    "lead_uuid_hash",
    "person_id",
    "reference",
    "root_id",
    "inventory_id",
    "property",
    "status",
    "source",
    "owner",
    "is_repeat",
    "is_claimed",
    "answered",
    "name_masked",
    "email_masked",
    "phone_masked",
    "email_hash",
    "phone_hash",
    "form_id",
    "payment_id",
    "created_at",
    "last_event_at",
];

/// A lead's row, and the tokens it is newly found by.
#[derive(Debug, Clone, Default, sqlx::FromRow)]
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
    pub is_claimed: i64,
    pub answered: i64,
    pub name_masked: String,
    pub email_masked: String,
    pub phone_masked: String,
    pub email_hash: Option<String>,
    pub phone_hash: Option<String>,
    pub form_id: Option<String>,
    pub payment_id: Option<String>,
    pub created_at: String,
    pub last_event_at: String,
    #[sqlx(skip)]
    pub tokens: BTreeSet<String>,
}

impl LeadRow {
    /// An event of the lead, or of its form or payment, is the last one now.
    pub(super) fn touch(&mut self, record: &RecordedEvent) {
        self.position = record.position.cast_signed();
        self.last_event_at = record.recorded_at.to_rfc3339();
    }

    pub(super) fn move_status(&mut self, event: &LeadEvent) {
        if let Some(before) = LeadStatus::from_key(&self.status) {
            before.after(event).key().clone_into(&mut self.status);
        }
    }
}

/// What a batch has changed so far.
#[derive(Default)]
pub(super) struct Changes {
    rows: BTreeMap<LeadId, LeadRow>,
}

impl Changes {
    /// Reads the rows of these leads at once; one that is missing here is read when it is asked for.
    pub(super) async fn of(
        leads: impl IntoIterator<Item = LeadId>,
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
        let leads: BTreeSet<LeadId> = leads.into_iter().collect();
        let leads: Vec<String> = leads.iter().map(ToString::to_string).collect();
        let mut changes = Self::default();
        for chunk in leads.chunks(READ) {
            changes.read(chunk, connection).await?;
        }
        Ok(changes)
    }

    async fn read(&mut self, leads: &[String], connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let mut wanted = Statement::new(format!(
            "select {} from lead_board where lead_id in ",
            COLUMNS.join(", ")
        ));
        wanted.push_list(leads.iter().map(String::as_str));
        let rows: Vec<LeadRow> = wanted.build_query_as()?.fetch_all(connection).await?;
        let named = rows
            .into_iter()
            .filter_map(|row| Some((row.lead_id.parse().ok()?, row)));
        self.rows.extend(named);
        Ok(())
    }

    /// A lead that was not there before.
    pub(super) fn open(&mut self, lead_id: LeadId, row: LeadRow) {
        self.rows.insert(lead_id, row);
    }

    /// `None` for a lead of which nothing is known.
    pub(super) async fn row(
        &mut self,
        lead_id: LeadId,
        connection: &mut AnyConnection,
    ) -> Result<Option<&mut LeadRow>, sqlx::Error> {
        if !self.rows.contains_key(&lead_id) {
            self.read(&[lead_id.to_string()], connection).await?;
        }
        Ok(self.rows.get_mut(&lead_id))
    }

    /// Writes all of it, and knows nothing afterwards.
    pub(super) async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let rows: Vec<LeadRow> = std::mem::take(&mut self.rows).into_values().collect();
        for chunk in rows.chunks(WRITTEN) {
            write_rows(chunk, connection).await?;
        }
        let tokens = rows.iter().flat_map(|row| {
            row.tokens
                .iter()
                .map(|token| (token.as_str(), row.lead_id.as_str()))
        });
        let mut tokens: Vec<(&str, &str)> = tokens.collect();
        // Neighbours lie on one page.
        tokens.sort_unstable();
        for chunk in tokens.chunks(TOKENS) {
            write_tokens(chunk, connection).await?;
        }
        Ok(())
    }
}

async fn write_rows(rows: &[LeadRow], connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let mut all = Statement::new(format!("insert into lead_board ({})", COLUMNS.join(", ")));
    for (place, row) in rows.iter().enumerate() {
        all.push(if place == 0 { " values " } else { ", " });
        let mut values = all.push_row();
        values
            .bind(row.lead_id.as_str())
            .bind(row.position)
            .bind(row.lead_uuid_hash.as_str())
            .bind(row.person_id.as_str())
            .bind(row.reference.as_str())
            .bind(row.root_id.as_deref())
            .bind(row.inventory_id.as_deref())
            .bind(row.property.as_deref())
            .bind(row.status.as_str())
            .bind(row.source.as_deref())
            .bind(row.owner.as_deref())
            .bind(row.is_repeat)
            .bind(row.is_claimed)
            .bind(row.answered)
            .bind(row.name_masked.as_str())
            .bind(row.email_masked.as_str())
            .bind(row.phone_masked.as_str())
            .bind(row.email_hash.as_deref())
            .bind(row.phone_hash.as_deref())
            .bind(row.form_id.as_deref())
            .bind(row.payment_id.as_deref())
            .bind(row.created_at.as_str())
            .bind(row.last_event_at.as_str());
        values.end();
    }
    let taken_over = COLUMNS[1..]
        .iter()
        .map(|column| format!("{column} = excluded.{column}"));
    let taken_over = taken_over.collect::<Vec<_>>().join(", ");
    all.push(&format!(" on conflict (lead_id) do update set {taken_over}"));
    all.build()?.execute(connection).await?;
    Ok(())
}

async fn write_tokens(tokens: &[(&str, &str)], connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let mut all = Statement::new("insert into lead_token (token, lead_id)");
    for (place, (token, lead_id)) in tokens.iter().enumerate() {
        all.push(if place == 0 { " values " } else { ", " });
        let mut values = all.push_row();
        values.bind(*token).bind(*lead_id);
        values.end();
    }
    all.push(" on conflict do nothing");
    all.build()?.execute(connection).await?;
    Ok(())
}
