//! Finds the person behind a login token. A finder only: the person's own stream decides whether the login stands.

use std::str::FromStr;

use domain::aggregate::Decide;
use domain::id::{SessionId, UserId};
use domain::user::{User, UserEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};

use crate::run::{Projection, ProjectionError};

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
            for record in events {
                take(connection, record).await?;
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    match record.decode::<User>()? {
        UserEvent::SessionOpened {
            session_id,
            token_digest,
            ..
        } => {
            sqlx::query(
                "insert into session (token_digest, session_id, user_id) values ($1, $2, $3)
             on conflict (token_digest) do update set session_id = excluded.session_id,
             user_id = excluded.user_id",
            )
            .bind(token_digest)
            .bind(session_id.to_string())
            .bind(record.stream.id.to_string())
            .execute(connection)
            .await?;
        }
        UserEvent::SessionClosed { session_id, .. } => {
            sqlx::query("delete from session where session_id = $1")
                .bind(session_id.to_string())
                .execute(connection)
                .await?;
        }
        UserEvent::Forgotten { user_id, .. } => {
            sqlx::query("delete from session where user_id = $1")
                .bind(user_id.to_string())
                .execute(connection)
                .await?;
        }
        UserEvent::Registered { .. }
        | UserEvent::Verified { .. }
        | UserEvent::RoleGranted { .. }
        | UserEvent::RoleRevoked { .. }
        | UserEvent::PersonalDataRevealed { .. } => {}
    }
    Ok(())
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
