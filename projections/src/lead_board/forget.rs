//! A forgotten person's leads keep their rows and say nothing of whom they came from: as if they were folded now.

use domain::id::{LeadId, UserId};
use domain::user::{User, UserEvent};
use eventlog::{HandleHasher, RecordedEvent};
use sqlx::AnyConnection;

use super::rows::LeadRow;
use super::{lead_uuid_hash, words};
use crate::run::ProjectionError;

/// Whom the event says to forget, if it says so.
pub(super) fn who(record: &RecordedEvent) -> Result<Option<UserId>, ProjectionError> {
    match record.decode_sealed::<User>()? {
        UserEvent::Forgotten { user_id, .. } => Ok(Some(user_id)),
        _ => Ok(None),
    }
}

pub(super) async fn erase(
    connection: &mut AnyConnection,
    hasher: &HandleHasher,
    user_id: UserId,
) -> Result<(), ProjectionError> {
    let leads: Vec<(String, i64)> =
        sqlx::query_as("select lead_id, number from lead_board where person_id = $1")
            .bind(user_id.to_string())
            .fetch_all(&mut *connection)
            .await?;
    let numbers: Vec<i64> = leads.iter().map(|(_, number)| *number).collect();
    words::erase(connection, &numbers).await?;
    for (lead, _) in leads {
        // Nobody can open it by its link any more.
        let link = lead.parse::<LeadId>().map(|id| lead_uuid_hash(hasher, id.0));
        sqlx::query(
            "update lead_board
             set name_masked = '', email_masked = '', phone_masked = '', email_hash = null, phone_hash = null,
               source = null, lead_uuid_hash = $1
             where lead_id = $2",
        )
        .bind(link.unwrap_or_else(|_| lead.clone()))
        .bind(&lead)
        .execute(&mut *connection)
        .await?;
        sqlx::query("delete from lead_former_link where lead_id = $1")
            .bind(&lead)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// A lead that names another person is not found by the former one any more.
pub(super) async fn hand_over(
    connection: &mut AnyConnection,
    row: &mut LeadRow,
    person: UserId,
) -> Result<(), ProjectionError> {
    row.person_id = person.to_string();
    (row.is_claimed, row.claimed_by) = (0, None);
    row.tokens.personal.clear();
    Ok(words::erase(connection, &[row.number]).await?)
}
