//! The SQL layer: tables in SQLite or PostgreSQL, one file `NAME.db` in the data folder, or one schema `latchkey_NAME` in a
//! database that nodes share. The same statements serve both; what they have in common is all they use (decision 0017).

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use include_dir::Dir;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolOptions;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Executor as _, Transaction};

mod bell;
mod beside;
mod flag;
mod from_row;
pub mod lease;
mod migrations;
pub mod rows;
mod shape;
mod statement;
pub mod table;
#[cfg(test)]
mod trial;

pub use beside::{Beside, InPlace};
pub use flag::Flag;
pub use lease::Lease;
pub use statement::Statement;

/// How long a connection waits for a lock, e.g. while another process rebuilds.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long anybody waits for a connection to a server. A pool pauses up to a fifth of it between two tries: whoever asks
/// while the server is away is answered, and whoever asks after that is served soon (R5).
const REACHING: Duration = Duration::from_secs(10);
/// How long a file is tried that could not be opened at first.
const TROUBLE_PASSES: Duration = Duration::from_secs(5);
/// How long a connection may lie unused before it is asked whether it still is one: asking is a round trip.
const TRUSTED: Duration = Duration::from_millis(200);

/// Where tables lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Files in a folder, for one server.
    Folder(PathBuf),
    /// Schemas in the PostgreSQL database of this URL, for several.
    Postgres(String),
}

/// What a database is for, and how it is to be kept.
#[derive(Debug)]
pub struct Purpose {
    /// Of the file, or of the schema after `latchkey_`; never input.
    pub name: &'static str,
    /// Its migrations, `NNNN_name.sql` each.
    pub sqlite: &'static Dir<'static>,
    pub postgres: &'static Dir<'static>,
    pub durability: Durability,
    /// In a file of one server's own.
    pub connections: u32,
    /// On each node, where several take turns in the same tables.
    pub shared_connections: u32,
}

/// What may be lost with the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    Full,
    /// The last moments, never order, and nothing while a process lives that saw it: for what is folded again from the log.
    Ordered,
    /// Anything: for what nobody would miss.
    None,
}

/// A handle on one database; cheap to clone.
#[derive(Debug, Clone)]
pub struct Database {
    pool: AnyPool,
    place: Place,
    /// Of a file: a connection that nobody uses. While it is open the shared index beside the file stays, so that a connection
    /// lost on a full disk can be opened anew without any room (decision 0012).
    _keeps_open: Option<Arc<Mutex<AnyConnection>>>,
}

impl Database {
    /// Opens the database, making or migrating it.
    ///
    /// # Errors
    /// When it cannot be reached or a migration fails.
    pub async fn open(place: &Place, purpose: &Purpose) -> Result<Self, sqlx::Error> {
        let session = session(place, purpose);
        prepare(place, purpose).await?;
        let connections = match place {
            Place::Folder(_) => purpose.connections,
            Place::Postgres(_) => purpose.shared_connections,
        };
        let pool = connect(place, purpose.name, connections, session, Uses::Writing).await?;
        purpose
            .migrator(matches!(place, Place::Postgres(_)))
            .run(&pool)
            .await
            .map_err(|error| sqlx::Error::Migrate(Box::new(error)))?;
        let keeps_open = match place {
            Place::Folder(_) => Some(Arc::new(Mutex::new(pool.acquire().await?.detach()))),
            Place::Postgres(_) => None,
        };
        Ok(Self {
            pool,
            place: place.clone(),
            _keeps_open: keeps_open,
        })
    }

    /// Connections on the same tables that cannot write.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn readers(place: &Place, purpose: &Purpose, connections: u32) -> Result<AnyPool, sqlx::Error> {
        let read_only = match place {
            // Who sorts whole tables does it on the disk.
            Place::Folder(_) => "pragma query_only = on; pragma temp_store = default;",
            Place::Postgres(_) => "set default_transaction_read_only = on;",
        };
        let session = format!("{} {read_only}", session(place, purpose));
        connect(place, purpose.name, connections, session, Uses::Reading).await
    }

    pub fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Whether other servers may work on the same tables.
    pub fn is_shared(&self) -> bool {
        matches!(self.place, Place::Postgres(_))
    }

    /// A transaction that will write. SQLite takes its lock at once; in PostgreSQL rows are locked as they are written,
    /// so what must not change between a look and a write is looked at with [`Database::for_update`].
    ///
    /// # Errors
    /// When no connection is free or the lock is not to be had in time.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        self.pool.begin_with(self.begin_statement()).await
    }

    /// How a transaction that will write begins on a connection that somebody already holds.
    pub fn begin_statement(&self) -> &'static str {
        if self.is_shared() {
            "begin"
        } else {
            "begin immediate"
        }
    }

    /// How a transaction begins whose statements all see what was there at the first of them, and which locks nothing until it
    /// writes.
    pub fn look_statement(&self) -> &'static str {
        if self.is_shared() {
            "begin isolation level repeatable read"
        } else {
            "begin"
        }
    }

    /// What a `select` in a writing transaction ends with, so that nobody else changes its rows meanwhile.
    pub fn for_update(&self) -> &'static str {
        if self.is_shared() { " for update" } else { "" }
    }

    /// Copies the database, as it stands, into a folder that has none. Only a file of one server's own can be copied.
    ///
    /// # Errors
    /// When it is shared, or the copy cannot be written.
    pub async fn copy_into(&self, folder: &Path, purpose: &Purpose) -> Result<(), sqlx::Error> {
        if self.is_shared() {
            return Err(sqlx::Error::Configuration(
                "a shared database is not copied".into(),
            ));
        }
        let copy = folder.join(format!("{}.db", purpose.name));
        sqlx::query("vacuum into ?")
            .bind(copy.to_string_lossy().into_owned())
            .execute(&self.pool)
            .await
            .map(drop)
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// What connections are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    Reading,
    Writing,
}

async fn connect(
    place: &Place,
    name: &str,
    connections: u32,
    session: String,
    uses: Uses,
) -> Result<AnyPool, sqlx::Error> {
    install_drivers();
    let options = options(place, name)?;
    // Stays open until the pool has a connection: the shared index beside the file is made once.
    let (first, trouble) = match place {
        Place::Folder(folder) => {
            let file = folder.join(format!("{name}.db"));
            let (first, trouble) = look_into(&options, &session, uses)
                .await
                .map_err(|error| no_room_beside(&file, error))?;
            (first, trouble.map(|error| unopened(&file, &error)))
        }
        Place::Postgres(_) => (None, None),
    };
    let is_to_write = uses == Uses::Writing;
    let is_shared = matches!(place, Place::Postgres(_));
    let connecting = only_whole(AnyPoolOptions::new())
        .max_connections(connections)
        .acquire_timeout(match place {
            Place::Folder(_) => PATIENCE,
            Place::Postgres(_) => REACHING,
        })
        .after_connect(move |connection, _about| {
            let session = session.clone();
            Box::pin(async move {
                if is_to_write && is_shared {
                    takes_writes(connection).await?;
                } else if is_to_write {
                    is_writable(connection).await?;
                }
                connection.execute(AssertSqlSafe(session)).await.map(drop)
            })
        })
        .connect_with(options);
    let connected = match trouble {
        None => connecting.await,
        // A pool tries again and again without a word of why.
        Some(trouble) => match tokio::time::timeout(TROUBLE_PASSES, connecting).await {
            Ok(Ok(pool)) => Ok(pool),
            Ok(Err(_)) | Err(_) => Err(trouble),
        },
    };
    if let Some(first) = first {
        first.close().await.unwrap_or_default();
    }
    connected
}

/// A session of PostgreSQL keeps what it was told at its beginning: begun while the server only read, it would refuse every write
/// long after the server takes them again.
async fn takes_writes(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let only_reads: bool = sqlx::query_scalar("select current_setting('transaction_read_only')::boolean")
        .fetch_one(connection)
        .await?;
    if only_reads {
        let told = std::io::Error::new(
            std::io::ErrorKind::ReadOnlyFilesystem,
            "the server only reads now",
        );
        return Err(sqlx::Error::Io(told));
    }
    Ok(())
}

/// SQLite's code for a write on a connection that only reads; further digits say why.
const READ_ONLY: i32 = 8;

/// Where opening a file for writing fails once, SQLite opens it for reading without a word, and whoever writes on that
/// connection is refused for as long as it lives.
async fn is_writable(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // Whoever holds the lock is not waited for. Nothing of the table reaches the disk.
    let tried = connection
        .execute("pragma busy_timeout = 0; begin immediate; create table tried (a integer); rollback")
        .await;
    match tried {
        Err(sqlx::Error::Database(told)) if told.code().is_some_and(|code| is_read_only(&code)) => {
            Err(sqlx::Error::Database(told))
        }
        Ok(_) => Ok(()),
        Err(_) => {
            // Whatever else it is may pass; there may be nothing to take back.
            connection.execute("rollback").await.map(drop).unwrap_or_default();
            Ok(())
        }
    }
}

fn is_read_only(code: &str) -> bool {
    code.parse::<i32>().is_ok_and(|code| code & 0xff == READ_ONLY)
}

/// SQLite's codes for a file that is damaged, and for one that never was its own.
const DAMAGED: [&str; 2] = ["11", "26"];

/// SQLite's codes for a file that has no room to grow, and for an index in memory beside it that has none.
const NO_ROOM: [&str; 2] = ["13", "4874"];

/// A first connection on a file, where it can be had, and what may pass of what stands against it. A pool would try a file that is
/// no database, or for which there is no room, again and again, until nobody waits any more.
async fn look_into(
    options: &AnyConnectOptions,
    session: &str,
    uses: Uses,
) -> Result<(Option<AnyConnection>, Option<sqlx::Error>), sqlx::Error> {
    let mut connection = match AnyConnection::connect_with(options).await {
        Ok(connection) => connection,
        Err(trouble) => return Ok((None, Some(trouble))),
    };
    let tried = connection.execute(AssertSqlSafe(session.to_owned())).await;
    match tried {
        Err(error) if says(&error, &DAMAGED) || says(&error, &NO_ROOM) => {
            connection.close().await.unwrap_or_default();
            Err(error)
        }
        Err(trouble) => Ok((Some(connection), Some(trouble))),
        Ok(_) if uses == Uses::Writing => {
            let trouble = is_writable(&mut connection).await.err();
            Ok((Some(connection), trouble))
        }
        Ok(_) => Ok((Some(connection), None)),
    }
}

/// Why a file cannot be used, with its name.
fn unopened(file: &Path, error: &sqlx::Error) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::other(format!("`{}`: {error}", file.display())))
}

/// Whether SQLite refused with one of these codes.
fn says(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| codes.contains(&code.as_ref()))
}

/// Where there is no room beside a file, that is said with what to do about it.
fn no_room_beside(file: &Path, error: sqlx::Error) -> sqlx::Error {
    if says(&error, &NO_ROOM) {
        let file = file.display();
        return sqlx::Error::Io(std::io::Error::new(
            std::io::ErrorKind::StorageFull,
            format!(
                "beside `{file}` there is no room for what it is opened with: the disk is full or fails; make room"
            ),
        ));
    }
    error
}

/// Why a file beside the log cannot be used, where it is damaged.
pub async fn damage(place: &Place, name: &str) -> Option<String> {
    install_drivers();
    let options = options(place, name).ok()?;
    match look_into(&options, "select count(*) from sqlite_master", Uses::Reading).await {
        Ok((Some(connection), _)) => {
            connection.close().await.unwrap_or_default();
            None
        }
        Ok((None, _)) => None,
        // That the disk is full, the doctor says by itself.
        Err(error) => Some(error)
            .filter(|error| !says(error, &NO_ROOM))
            .map(|error| error.to_string()),
    }
}

/// Lets go of connections whose transaction came to no end. When its disk is full, SQLite gives a transaction up by itself,
/// and the driver goes on counting it: nothing could ever begin on that connection again.
///
/// One that was of use a moment ago is not asked whether it is still there.
pub fn only_whole<D: sqlx::Database>(options: PoolOptions<D>) -> PoolOptions<D> {
    let options = options.test_before_acquire(false);
    options.before_acquire(|connection, about| {
        let is_whole = !connection.is_in_transaction();
        Box::pin(async move {
            if is_whole && about.idle_for > TRUSTED {
                connection.ping().await?;
            }
            Ok(is_whole)
        })
    })
}

/// Both drivers answer behind one type; which one, the URL says.
fn install_drivers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(sqlx::any::install_default_drivers);
}

fn options(place: &Place, name: &str) -> Result<AnyConnectOptions, sqlx::Error> {
    opened(place, name, "rwc")
}

/// `mode` is SQLite's: `rwc` makes a file that is not there, `ro` changes none.
fn opened(place: &Place, name: &str, mode: &str) -> Result<AnyConnectOptions, sqlx::Error> {
    match place {
        Place::Folder(folder) => {
            let path = folder.join(format!("{name}.db"));
            let path = percent_encoding::utf8_percent_encode(
                &path.to_string_lossy(),
                percent_encoding::NON_ALPHANUMERIC,
            )
            .to_string();
            format!("sqlite:{path}?mode={mode}").parse()
        }
        Place::Postgres(url) => url.parse(),
    }
}

/// What every connection is told first. Nothing in it is input.
fn session(place: &Place, purpose: &Purpose) -> String {
    let patience = PATIENCE.as_millis();
    match place {
        Place::Folder(_) => {
            let synchronous = match purpose.durability {
                Durability::Full => "full",
                Durability::Ordered => "normal",
                Durability::None => "off",
            };
            format!(
                "pragma busy_timeout = {patience}; pragma journal_mode = wal; pragma synchronous = {synchronous};
                 pragma cache_size = -16384; pragma foreign_keys = on; pragma secure_delete = on;
                 pragma temp_store = memory;"
            )
        }
        Place::Postgres(_) => {
            // The server may crash under processes that live on and remember what they have seen committed (decision 0017).
            let synchronous = match purpose.durability {
                Durability::Full | Durability::Ordered => "on",
                Durability::None => "off",
            };
            format!(
                "set search_path to latchkey_{}; set lock_timeout = {patience};
                 set synchronous_commit = {synchronous}; set idle_in_transaction_session_timeout = '10s';",
                purpose.name
            )
        }
    }
}

/// Makes the schema, and its table of leases (`lease.rs`). Nodes that start together make it once: the lock is the database's.
async fn prepare(place: &Place, purpose: &Purpose) -> Result<(), sqlx::Error> {
    let Place::Postgres(_) = place else { return Ok(()) };
    install_drivers();
    let mut connection: AnyConnection = sqlx::ConnectOptions::connect(&options(place, purpose.name)?).await?;
    let name = purpose.name;
    // The number stands for nothing; it only has to be the same on every node.
    let make = format!(
        "begin; select pg_advisory_xact_lock(5113300205); create schema if not exists latchkey_{name};
         create table if not exists latchkey_{name}.lease (
           name text collate \"C\" primary key, owner text collate \"C\" not null, expires_at bigint not null);
         commit;"
    );
    connection.execute(AssertSqlSafe(make)).await?;
    sqlx::Connection::close(connection).await
}

#[cfg(test)]
mod tests;
