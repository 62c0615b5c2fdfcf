//! The read models' database: one SQLite file that can be thrown away and rebuilt from the log.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

/// How long a reader or the projector waits for SQLite's lock, e.g. while another process rebuilds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
const READERS: u32 = 8;

/// A handle on the read models: many readers, one writer (the projector).
#[derive(Debug, Clone)]
pub struct ReadStore {
    readers: SqlitePool,
    writer: SqlitePool,
}

impl ReadStore {
    /// Opens (and creates or migrates) `read.db` in `dir`.
    ///
    /// # Errors
    /// When the file cannot be opened or a migration fails.
    pub async fn open(dir: &Path) -> Result<Self, sqlx::Error> {
        let path = dir.join("read.db");
        let options = SqliteConnectOptions::from_str(&format!("sqlite://{}", path.display()))?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // The log is the truth and is synced; what is lost here is folded again on the next start.
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("cache_size", "-65536")
            .pragma("secure_delete", "on");
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("../migrations/sqlite")
            .run(&writer)
            .await
            .map_err(|error| sqlx::Error::Migrate(Box::new(error)))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.pragma("query_only", "on"))
            .await?;
        Ok(Self { readers, writer })
    }

    /// For queries only: SQLite refuses writes on these connections.
    pub fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// For the projector alone.
    pub(crate) fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}
