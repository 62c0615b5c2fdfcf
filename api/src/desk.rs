//! The front desk's own database, `desk.db`: one-time codes under way and messages that went out. Neither is history, so
//! neither lies in the log; both must outlive a restart, so neither lies in memory.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

/// A handle on `desk.db`. One connection: its transactions are short, and their order decides who was first.
#[derive(Debug, Clone)]
pub struct Desk {
    pool: SqlitePool,
}

impl Desk {
    /// Opens (and creates or migrates) `desk.db` in `dir`.
    ///
    /// # Errors
    /// When the file cannot be opened or a migration fails.
    pub async fn open(dir: &Path) -> Result<Self, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(dir.join("desk.db"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A code or a receipt that was answered for must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(30))
            .pragma("secure_delete", "on");
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await?;
        sqlx::migrate!("../migrations/desk")
            .run(&pool)
            .await
            .map_err(|error| sqlx::Error::Migrate(Box::new(error)))?;
        Ok(Self { pool })
    }

    pub fn pool(&self) -> &SqlitePool {
        &self.pool
    }
}
