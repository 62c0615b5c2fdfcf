//! Who of several nodes does a piece of work that only one may do at a time: folding, sending, tidying.
//!
//! A lease is a row in the database that the work writes to, so that the work's own transactions can ask for it:
//!
//! 1. `Lease::new(&database, "reactor", owner)`; the owner is a name that no other process ever has.
//! 2. [`Lease::keep`] runs beside the work until the server stops: it takes the lease when it is free, renews it while it
//!    is held, gives it back at the end, and says in a channel whether it is held now.
//! 3. Whoever works looks into that channel, and calls [`Lease::guard`] as the first statement of every transaction that
//!    writes. That is the fence: a node that lost its lease in the middle of something writes nothing any more, and while
//!    the transaction lasts nobody else can take the lease.
//!
//! Time is the database's, so that nodes need not agree about it. In a database of one server's own the lease is always
//! held: `serve.lock` keeps a second server out.

use std::time::Duration;

use sqlx::AnyConnection;
use tokio::sync::watch;

use crate::Database;

/// How long a lease lasts that nobody renews.
const LASTS: Duration = Duration::from_secs(3);
/// How often it is renewed, or asked for.
const RENEWED: Duration = Duration::from_millis(750);
const ASKED: Duration = Duration::from_millis(250);
/// How long a transaction that holds the lease may stand still before the database ends it.
const STANDS_STILL: Duration = Duration::from_secs(2);

/// The database's clock, in milliseconds.
const NOW: &str = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/// A claim on one piece of work, held or not.
#[derive(Debug, Clone)]
pub struct Lease {
    database: Database,
    name: &'static str,
    owner: String,
}

impl Lease {
    /// `owner` names this process among all there ever were, and is shown to staff.
    pub fn new(database: &Database, name: &'static str, owner: impl Into<String>) -> Self {
        Self {
            database: database.clone(),
            name,
            owner: owner.into(),
        }
    }

    /// Takes or renews the lease, without waiting for anybody. `true` when it is held now.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn take(&self) -> Result<bool, sqlx::Error> {
        if !self.database.is_shared() {
            return Ok(true);
        }
        let taken = sqlx::query(sqlx::AssertSqlSafe(format!(
            "with free as (
               select name from lease where name = $1 and (owner = $2 or expires_at <= {NOW}) for update skip locked)
             update lease set owner = $2, expires_at = {NOW} + $3 from free where lease.name = free.name"
        )))
        .bind(self.name)
        .bind(&self.owner)
        .bind(lasts())
        .execute(self.database.pool())
        .await?;
        if taken.rows_affected() == 1 {
            return Ok(true);
        }
        // An insert would wait for a transaction that holds the row.
        if let Some(owner) = self.owner().await? {
            // In use by a transaction of ours: its guard renews it.
            return Ok(owner == self.owner);
        }
        let made = sqlx::query(sqlx::AssertSqlSafe(format!(
            "insert into lease (name, owner, expires_at) values ($1, $2, {NOW} + $3) on conflict (name) do nothing"
        )))
        .bind(self.name)
        .bind(&self.owner)
        .bind(lasts())
        .execute(self.database.pool())
        .await?;
        Ok(made.rows_affected() == 1)
    }

    /// The first statement of a transaction that writes: whether the lease is still held. It then stays held until the
    /// transaction ends. On `false` nothing may be written.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn guard(&self, connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        if !self.database.is_shared() {
            return Ok(true);
        }
        sqlx::query(sqlx::AssertSqlSafe(format!(
            "set local idle_in_transaction_session_timeout = {}",
            STANDS_STILL.as_millis()
        )))
        .execute(&mut *connection)
        .await?;
        let held = sqlx::query(sqlx::AssertSqlSafe(format!(
            "update lease set expires_at = {NOW} + $3 where name = $1 and owner = $2"
        )))
        .bind(self.name)
        .bind(&self.owner)
        .bind(lasts())
        .execute(connection)
        .await?;
        Ok(held.rows_affected() == 1)
    }

    /// Gives the lease back, for another node to take at once.
    ///
    /// # Errors
    /// When the database does not answer; the lease then ends by itself.
    pub async fn release(&self) -> Result<(), sqlx::Error> {
        if !self.database.is_shared() {
            return Ok(());
        }
        sqlx::query("delete from lease where name = $1 and owner = $2")
            .bind(self.name)
            .bind(&self.owner)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// Who held it last; nobody when it was given back, or when nobody else could.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn owner(&self) -> Result<Option<String>, sqlx::Error> {
        if !self.database.is_shared() {
            return Ok(None);
        }
        sqlx::query_scalar("select owner from lease where name = $1")
            .bind(self.name)
            .fetch_optional(self.database.pool())
            .await
    }

    /// Takes the lease whenever it is free and holds it until `stop` is set; `held` says which. To be called from a task of
    /// its own, and `stop` to be set only after the work has ended.
    pub async fn keep(self, held: watch::Sender<bool>, mut stop: watch::Receiver<bool>) {
        loop {
            let now = match self.take().await {
                Ok(now) => now,
                Err(error) => {
                    tracing::warn!(lease = self.name, %error, "a lease can be neither taken nor renewed");
                    false
                }
            };
            if held.send_replace(now) != now {
                tracing::info!(
                    lease = self.name,
                    owner = self.owner,
                    held = now,
                    "a lease changed hands"
                );
            }
            if !threads::pause_unless_stopped(if now { RENEWED } else { ASKED }, &mut stop).await {
                break;
            }
        }
        held.send_replace(false);
        if let Err(error) = self.release().await {
            tracing::warn!(lease = self.name, %error, "a lease could not be given back");
        }
    }
}

fn lasts() -> i64 {
    i64::try_from(LASTS.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
