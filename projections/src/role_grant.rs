//! Which account holds which role, since when and given by whom (row F4). A list to look at: a request's rights are read from the
//! account's own stream.

use domain::aggregate::Decide;
use domain::user::{Role, User, UserEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::Text;
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

const GRANTS: Table = Table {
    name: "role_grant",
    columns: &[
        Text("user_id"),
        Text("role"),
        Text("granted_at"),
        Text("granted_by"),
    ],
    key: 2,
};

/// One row per account and role it holds.
pub struct RoleGrants;

/// One role of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub user_id: String,
    pub role: String,
    /// RFC 3339.
    pub granted_at: String,
    /// The account of the administrator; `None` for the command line.
    pub granted_by: Option<String>,
}

tables::from_row!(Grant {
    user_id,
    role,
    granted_at,
    granted_by
});

impl Projection for RoleGrants {
    fn name(&self) -> &'static str {
        "role_grant"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["role_grant"]
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
                let user_id = record.stream.id.to_string();
                match record.decode_sealed::<User>()? {
                    UserEvent::RoleGranted { role, by, at } => {
                        let granted_by = by.map(|by| by.to_string());
                        let granted_at = at.to_rfc3339();
                        let row = row![user_id, role.key(), granted_at, granted_by.as_deref()];
                        GRANTS.put(connection, &[row]).await?;
                    }
                    UserEvent::RoleRevoked { role, .. } => take(connection, &user_id, &[role]).await?,
                    UserEvent::Forgotten { .. } => take(connection, &user_id, &Role::ALL).await?,
                    UserEvent::Registered { .. }
                    | UserEvent::Verified { .. }
                    | UserEvent::SessionOpened { .. }
                    | UserEvent::SessionClosed { .. }
                    | UserEvent::PersonalDataRevealed { .. }
                    | UserEvent::MessagesChosen { .. } => {}
                }
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, user_id: &str, roles: &[Role]) -> Result<(), ProjectionError> {
    for role in roles {
        sqlx::query("delete from role_grant where user_id = $1 and role = $2")
            .bind(user_id)
            .bind(role.key())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Every role that is held, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn all(pool: &AnyPool) -> Result<Vec<Grant>, sqlx::Error> {
    sqlx::query_as(
        "select user_id, role, granted_at, granted_by from role_grant order by granted_at desc, user_id, role",
    )
    .fetch_all(pool)
    .await
}
