//! The front desk's own database, `desk.db`: one-time codes under way and messages that went out. Neither is history, so
//! neither lies in the log; both must outlive a restart, so neither lies in memory.

use sqlx::{Any, AnyConnection, AnyPool, Transaction};
use tables::{Database, Durability, Place, Purpose};
use tokio::sync::watch;
use uuid::Uuid;

const PURPOSE: Purpose = Purpose {
    name: "desk",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../migrations/desk/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../migrations/desk/postgres"),
    // A code or a receipt that was answered for must survive a power cut.
    durability: Durability::Full,
    connections: 1,
    shared_connections: 4,
};

/// A handle on the desk.
#[derive(Debug, Clone)]
pub struct Desk {
    database: Database,
}

impl Desk {
    /// Opens the desk's database, making or migrating it.
    ///
    /// # Errors
    /// When it cannot be reached or a migration fails.
    pub async fn open(place: &Place) -> Result<Self, sqlx::Error> {
        let database = Database::open(place, &PURPOSE).await?;
        Ok(Self { database })
    }

    /// Connections that change nothing.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn readers(place: &Place) -> Result<AnyPool, sqlx::Error> {
        Database::readers(place, &PURPOSE, 1).await
    }

    pub fn pool(&self) -> &AnyPool {
        self.database.pool()
    }

    /// Whether other nodes work at the same desk.
    pub fn is_shared(&self) -> bool {
        self.database.is_shared()
    }

    /// Calls the other nodes of this desk on a channel of ours.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn ring(&self, channel: &'static str, node: &str) -> Result<(), sqlx::Error> {
        let mut connection = self.pool().acquire().await?;
        self.database.ring(channel, node, &mut connection).await
    }

    /// Changes whenever another node rang than this; never at a desk of one server's own.
    pub fn hear(&self, channel: &'static str, node: &str) -> watch::Receiver<()> {
        self.database.hear(channel, node)
    }

    /// What the server noted for itself.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn note(&self, name: &str) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("select value from note where name = $1")
            .bind(name)
            .fetch_optional(self.pool())
            .await
    }

    /// Notes something, in place of what was noted before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_note(&self, name: &str, value: &str) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into note (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Keeps a sealed upload for all nodes.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn keep_document(&self, id: Uuid, sealed: &[u8]) -> Result<(), sqlx::Error> {
        sqlx::query("insert into document (id, sealed) values ($1, $2)")
            .bind(id.to_string())
            .bind(sealed)
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Finds a sealed upload.
    ///
    /// # Errors
    /// When it is not there or the database cannot be reached.
    pub async fn document(&self, id: Uuid) -> Result<Vec<u8>, sqlx::Error> {
        sqlx::query_scalar("select sealed from document where id = $1")
            .bind(id.to_string())
            .fetch_one(self.pool())
            .await
    }

    /// Deletes a sealed upload; says how many there were.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn erase_document(&self, id: Uuid) -> Result<u64, sqlx::Error> {
        let gone = sqlx::query("delete from document where id = $1")
            .bind(id.to_string())
            .execute(self.pool())
            .await?;
        Ok(gone.rows_affected())
    }

    /// A transaction that sees all that was counted before it, on every node: only one has its turn at a time.
    ///
    /// # Errors
    /// When the database cannot be reached or the turn does not come.
    pub async fn turn(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        take_turn(&self.database).await
    }
}

/// Begins a transaction and locks the one row of the table `turn` of a database that has one.
///
/// # Errors
/// When the database cannot be reached or the turn does not come.
pub async fn take_turn(database: &Database) -> Result<Transaction<'static, Any>, sqlx::Error> {
    let mut transaction = database.begin().await?;
    lock_turn(database, &mut transaction).await?;
    Ok(transaction)
}

/// Waits for the turn inside a transaction. SQLite has one writer at a time anyway.
///
/// # Errors
/// When the database cannot be reached or the turn does not come.
pub async fn lock_turn(database: &Database, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if database.is_shared() {
        sqlx::query("update turn set number = number + 1")
            .execute(connection)
            .await?;
    }
    Ok(())
}
