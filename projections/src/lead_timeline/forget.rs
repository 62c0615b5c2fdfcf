//! What the history said of a forgotten person goes, masked values and free words: as if it were folded now.

use domain::aggregate::Decide;
use domain::id::UserId;
use domain::user::{User, UserEvent};
use eventlog::RecordedEvent;
use serde_json::Value;
use sqlx::AnyConnection;

use super::told::Told;
use super::{FORGOTTEN, MASKED, UNSHOWN, WORDS};
use crate::run::ProjectionError;

/// Values in sentences that are about a person, with what is said in their place.
const PERSONAL_PARAMS: [(&str, &str); 2] = [("reason", ""), ("to", UNSHOWN)];

/// Tells an event as if its person's key were destroyed already: between the word that they are forgotten and the end of their key a mail
/// may still be posted, and staff may still write.
pub(super) fn hide(mut told: Told) -> Told {
    for (name, instead) in PERSONAL_PARAMS {
        if let Some(said) = told.params.get_mut(name) {
            *said = Value::from(instead);
        }
    }
    told.set
        .retain(|(field, _)| !MASKED.contains(field) && !WORDS.contains(field));
    told
}

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
    sqlx::query(
        "insert into timeline_field (kind, stream_id, field, value) values ($1, $2, $3, 'yes')
         on conflict (kind, stream_id, field) do nothing",
    )
    .bind(kind)
    .bind(stream)
    .bind(FORGOTTEN)
    .execute(&mut *connection)
    .await?;
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
        for (name, instead) in PERSONAL_PARAMS {
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
