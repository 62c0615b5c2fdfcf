//! What staff have made of leads (row I4): refunds that were asked for, colleagues who are mentioned, the team that owns a lead. It
//! holds no words: those are read from the lead's own stream.

use domain::aggregate::Decide;
use domain::id::{LeadId, PaymentId, UserId};
use domain::lead::{DeskAct, Lead, LeadEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Flag;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};
use uuid::Uuid;

use crate::run::{Projection, ProjectionError};

const ASKS: Table = Table {
    name: "refund_ask",
    columns: &[
        Text("ask_id"),
        Text("lead_id"),
        Text("payment_id"),
        Number("amount_minor"),
        Number("ends_booking"),
        Text("asked_by"),
        Number("asked_at"),
        Text("state"),
    ],
    key: 1,
};
const MENTIONS: Table = Table {
    name: "lead_mention",
    columns: &[Text("lead_id"), Text("user_id"), Number("at")],
    key: 2,
};
const TEAMS: Table = Table {
    name: "lead_team",
    columns: &[Text("lead_id"), Text("team")],
    key: 1,
};

/// Rows for what an act leaves behind.
pub struct LeadDesk;

/// A refund that support asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskRow {
    pub ask_id: String,
    pub lead_id: String,
    pub payment_id: String,
    /// Minor units of the payment's currency.
    pub amount_minor: Option<i64>,
    pub ends_booking: Flag,
    pub asked_by: String,
    /// Milliseconds since 1970.
    pub asked_at: i64,
}

tables::from_row!(AskRow {
    ask_id,
    lead_id,
    payment_id,
    amount_minor,
    ends_booking,
    asked_by,
    asked_at
});

impl AskRow {
    pub fn lead(&self) -> Option<LeadId> {
        self.lead_id.parse().ok()
    }

    pub fn payment(&self) -> Option<PaymentId> {
        self.payment_id.parse().ok()
    }
}

impl Projection for LeadDesk {
    fn name(&self) -> &'static str {
        "lead_desk"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["refund_ask", "lead_mention", "lead_team"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["refund_ask_state", "lead_mention_user", "lead_team_team"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Lead::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                take(connection, record).await?;
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    // The other events are most of a lead's bytes and leave nothing behind here: not worth decoding.
    if !matches!(record.event_type.as_str(), "LeadNoteAdded" | "LeadActedOn") {
        return Ok(());
    }
    let lead_id = record.stream.id.to_string();
    match record.decode_sealed::<Lead>()? {
        LeadEvent::NoteAdded { mentions, at, .. } if !mentions.is_empty() => {
            let at = at.timestamp_millis();
            let rows = mentions
                .iter()
                .map(|user| row![lead_id.as_str(), user.to_string(), at]);
            MENTIONS.put(connection, &rows.collect::<Vec<_>>()).await?;
        }
        LeadEvent::ActedOn {
            act_id, act, by, at, ..
        } => match act {
            DeskAct::RefundAsked {
                payment_id,
                amount_minor,
                ends_booking,
            } => {
                let row = row![
                    act_id.to_string(),
                    lead_id,
                    payment_id.to_string(),
                    amount_minor.map(u64::cast_signed),
                    i64::from(ends_booking),
                    by.to_string(),
                    at.timestamp_millis(),
                    "asked"
                ];
                ASKS.put(connection, &[row]).await?;
            }
            DeskAct::RefundAnswered {
                ask, granted, beside, ..
            } => {
                let state = match (beside, granted) {
                    (Some(_), _) => "closed",
                    (None, true) => "granted",
                    (None, false) => "declined",
                };
                sqlx::query("update refund_ask set state = $1 where ask_id = $2")
                    .bind(state)
                    .bind(ask.to_string())
                    .execute(connection)
                    .await?;
            }
            DeskAct::TeamSet { team: Some(team) } => {
                TEAMS.put(connection, &[row![lead_id, team]]).await?;
            }
            DeskAct::TeamSet { team: None } => {
                sqlx::query("delete from lead_team where lead_id = $1")
                    .bind(lead_id)
                    .execute(connection)
                    .await?;
            }
            _ => {}
        },
        _ => {}
    }
    Ok(())
}

const ASK_COLUMNS: &str =
    "select ask_id, lead_id, payment_id, amount_minor, ends_booking, asked_by, asked_at from refund_ask";

/// The refunds that wait for finance, the oldest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn open_asks(pool: &AnyPool, limit: i64) -> Result<Vec<AskRow>, sqlx::Error> {
    let query = tables::Statement::new(format!(
        "{ASK_COLUMNS} where state = 'asked' order by asked_at, ask_id limit {limit}"
    ));
    query.build_query_as()?.fetch_all(pool).await
}

/// The refunds that finance declined, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn declined_asks(pool: &AnyPool, limit: i64) -> Result<Vec<AskRow>, sqlx::Error> {
    let query = tables::Statement::new(format!(
        "{ASK_COLUMNS} where state = 'declined' order by asked_at desc, ask_id limit {limit}"
    ));
    query.build_query_as()?.fetch_all(pool).await
}

/// One refund that was asked for, by the act that asked.
///
/// # Errors
/// When the read models cannot be read.
pub async fn ask(pool: &AnyPool, ask_id: Uuid) -> Result<Option<AskRow>, sqlx::Error> {
    let mut query = tables::Statement::new(format!("{ASK_COLUMNS} where ask_id = "));
    query.push_bind(ask_id.to_string());
    query.build_query_as()?.fetch_optional(pool).await
}

/// Whether a colleague is mentioned in a note of the lead.
///
/// # Errors
/// When the read models cannot be read.
pub async fn mentions(pool: &AnyPool, lead_id: LeadId, user: UserId) -> Result<bool, sqlx::Error> {
    let found: Option<(String,)> =
        sqlx::query_as("select user_id from lead_mention where lead_id = $1 and user_id = $2")
            .bind(lead_id.to_string())
            .bind(user.to_string())
            .fetch_optional(pool)
            .await?;
    Ok(found.is_some())
}
