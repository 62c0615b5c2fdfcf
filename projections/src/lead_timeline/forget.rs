//! What the history said of a forgotten person goes, masked values and free words: as if it were folded now.

use domain::aggregate::Decide;
use domain::id::UserId;
use domain::user::{User, UserEvent};
use eventlog::RecordedEvent;
use serde_json::Value;
use sqlx::AnyConnection;

use super::{MASKED, UNSHOWN, WORDS};
use crate::run::ProjectionError;

/// Whom the event says to forget, if it says so.
pub(super) fn who(record: &RecordedEvent) -> Result<Option<UserId>, ProjectionError> {
    match record.decode_sealed::<User>()? {
        UserEvent::Forgotten { user_id, .. } => Ok(Some(user_id)),
        _ => Ok(None),
    }
}

pub(super) async fn erase(connection: &mut AnyConnection, person: UserId) -> Result<(), ProjectionError> {
    let person = person.to_string();
    // All that happened to the leads of the person, on whichever stream: the lead's own, forms, payments, cases.
    let streams: Vec<(String, String)> = sqlx::query_as(
        "select distinct kind, stream_id from lead_stream where lead_id in
         (select lead_id from lead_stream where kind = $1 and stream_id = $2)",
    )
    .bind(User::KIND)
    .bind(&person)
    .fetch_all(&mut *connection)
    .await?;
    for (kind, stream) in &streams {
        blank(connection, kind, stream).await?;
    }
    // Somebody without a lead has a history too.
    blank(connection, User::KIND, &person).await
}

async fn blank(connection: &mut AnyConnection, kind: &str, stream: &str) -> Result<(), ProjectionError> {
    for field in MASKED.into_iter().chain(WORDS) {
        sqlx::query("delete from timeline_field where kind = $1 and stream_id = $2 and field = $3")
            .bind(kind)
            .bind(stream)
            .bind(field)
            .execute(&mut *connection)
            .await?;
    }
    let told: Vec<(i64, String, String)> = sqlx::query_as(
        "select position, params, changes from timeline_event where kind = $1 and stream_id = $2",
    )
    .bind(kind)
    .bind(stream)
    .fetch_all(&mut *connection)
    .await?;
    for (position, params, changes) in told {
        let mut changes: Vec<Value> = serde_json::from_str(&changes).unwrap_or_default();
        let mut params: Value = serde_json::from_str(&params).unwrap_or_default();
        let before = changes.len();
        changes.retain(|change| change["masked"] != true && !is_of_words(change));
        let mut is_changed = changes.len() != before;
        for (name, instead) in [("reason", ""), ("to", UNSHOWN)] {
            if let Some(said) = params.get_mut(name).filter(|said| **said != instead) {
                *said = Value::from(instead);
                is_changed = true;
            }
        }
        if !is_changed {
            continue;
        }
        sqlx::query("update timeline_event set params = $1, changes = $2 where position = $3")
            .bind(params.to_string())
            .bind(Value::Array(changes).to_string())
            .bind(position)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

fn is_of_words(change: &Value) -> bool {
    change["field"]
        .as_str()
        .is_some_and(|field| WORDS.contains(&field))
}
