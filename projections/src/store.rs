//! The read models' database: it can be thrown away and rebuilt from the log.

use std::collections::HashSet;
use std::path::Path;

use sqlx::AnyPool;
use sqlx::any::AnyRow;
use tables::{Beside, Database, Durability, Place, Purpose};

const READERS: u32 = 8;

const PURPOSE: Purpose = Purpose {
    name: "read",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../migrations/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../migrations/postgres"),
    // The log is the truth and is synced; what is lost here is folded again on the next start.
    durability: Durability::Ordered,
    // One for the projector's transaction, one for its lease.
    connections: 2,
    shared_connections: 2,
};

/// A handle on the read models: many readers, one writer (the projector).
#[derive(Debug, Clone)]
pub struct ReadStore {
    readers: AnyPool,
    writer: Database,
}

impl ReadStore {
    /// Opens (and makes or migrates) the read models at `place`.
    ///
    /// # Errors
    /// When they cannot be reached or a migration fails.
    pub async fn open(place: &Place) -> Result<Self, sqlx::Error> {
        let writer = Database::open(place, &PURPOSE).await?;
        let readers = Database::readers(place, &PURPOSE, READERS).await?;
        Ok(Self { readers, writer })
    }

    /// For queries only: these connections refuse writes.
    pub fn readers(&self) -> &AnyPool {
        &self.readers
    }

    /// For the projector alone.
    pub(crate) fn writer(&self) -> &Database {
        &self.writer
    }

    /// Tables beside these, to build them anew; `None` while another process builds.
    pub(crate) async fn beside(&self) -> Result<Option<Beside>, sqlx::Error> {
        Beside::open(&self.writer, &PURPOSE).await
    }

    /// Copies these read models, as they stand, into a folder that has none; from there they are opened like any other.
    ///
    /// # Errors
    /// When they are in a shared database, or the copy cannot be written.
    pub async fn copy_into(&self, folder: &Path) -> Result<(), sqlx::Error> {
        self.writer.copy_into(folder, &PURPOSE).await
    }

    /// The names of the tables that are there.
    pub(crate) async fn tables(&self) -> Result<HashSet<String>, sqlx::Error> {
        self.writer.tables(&self.readers, &PURPOSE).await
    }

    /// What makes these tables again, as the migrations make them: see [`Beside::shapes`].
    pub(crate) async fn shapes(
        &self,
        beside: &mut Beside,
        tables: &[&str],
    ) -> Result<Vec<String>, sqlx::Error> {
        beside.shapes(&PURPOSE, tables).await
    }

    /// The rows of a table among those that served before the last rebuild.
    pub(crate) async fn look_at_kept(&self, table: &str) -> Result<Vec<AnyRow>, sqlx::Error> {
        Beside::look_at_kept((&self.writer, &self.readers), &PURPOSE, table).await
    }

    /// Throws away the rows that served before the last rebuild.
    pub(crate) async fn forget_kept(&self) -> Result<(), sqlx::Error> {
        Beside::forget_kept(&self.writer, &PURPOSE).await
    }

    /// Throws away what a process was building that was killed over it.
    pub(crate) async fn forget_begun(&self) -> Result<(), sqlx::Error> {
        Beside::forget_begun(&self.writer, &PURPOSE).await
    }

    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}
