//! Finds the person behind a login token. A finder only: the person's own stream decides whether the login stands.

use std::collections::BTreeMap;
use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::{SessionId, UserId};
use domain::user::{User, UserEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::Text;
use tables::table::{Table, Value, row};

use crate::run::{Projection, ProjectionError};

const SESSIONS: Table = Table {
    name: "session",
    columns: &[Text("token_digest"), Text("session_id"), Text("user_id")],
    key: 1,
};

/// Token digest to person.
pub struct Sessions;

impl Projection for Sessions {
    fn name(&self) -> &'static str {
        "session"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["session"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[User::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut opened = BTreeMap::new();
            for record in events {
                match record.decode_sealed::<User>()? {
                    UserEvent::SessionOpened {
                        session_id,
                        token_digest,
                        ..
                    } => {
                        let row = row![
                            token_digest.as_str(),
                            session_id.to_string(),
                            record.stream.id.to_string()
                        ];
                        opened.insert(token_digest, row);
                    }
                    UserEvent::SessionClosed { session_id, .. } => {
                        write(connection, &mut opened).await?;
                        sqlx::query("delete from session where session_id = $1")
                            .bind(session_id.to_string())
                            .execute(&mut *connection)
                            .await?;
                    }
                    UserEvent::Forgotten { user_id, .. } => {
                        write(connection, &mut opened).await?;
                        sqlx::query("delete from session where user_id = $1")
                            .bind(user_id.to_string())
                            .execute(&mut *connection)
                            .await?;
                    }
                    UserEvent::Registered { .. }
                    | UserEvent::Verified { .. }
                    | UserEvent::RoleGranted { .. }
                    | UserEvent::RoleRevoked { .. }
                    | UserEvent::PersonalDataRevealed { .. }
                    | UserEvent::MessagesChosen { .. } => {}
                }
            }
            write(connection, &mut opened).await
        })
    }
}

/// Writes what a batch has opened so far.
async fn write(
    connection: &mut AnyConnection,
    opened: &mut BTreeMap<String, Vec<Value>>,
) -> Result<(), ProjectionError> {
    let rows: Vec<Vec<Value>> = std::mem::take(opened).into_values().collect();
    Ok(SESSIONS.put(connection, &rows).await?)
}

/// The person and session a token's digest belongs to.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &AnyPool, token_digest: &str) -> Result<Option<(UserId, SessionId)>, sqlx::Error> {
    let row: Option<(String, String)> =
        sqlx::query_as("select user_id, session_id from session where token_digest = $1")
            .bind(token_digest)
            .fetch_optional(pool)
            .await?;
    Ok(row.and_then(|(user, session)| {
        Some((UserId::from_str(&user).ok()?, SessionId::from_str(&session).ok()?))
    }))
}
