//! The log in one SQLite file. The writer thread owns the only writing connection; see `read.rs` for readers
//! and `checkpoint.rs` for the work that keeps the write-ahead file short.

mod checkpoint;
mod copy;
mod ends;
mod error;
mod evidence;
mod forget;
mod given;
mod keyfile;
mod mark;
mod open;
mod read;
mod row;
mod snapshots;
mod still;
mod tables;
mod there;
mod verify;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use domain::moment::Moment;
use eventlog::engine::Engine;
use eventlog::plan::{Head, Plan, Standing, StoredCommand, StreamHead};
use eventlog::planted::Fault;
use eventlog::port::{KeyId, Pair};
use eventlog::{Hash, LogError, Position, StreamId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, ffi, params};
use uuid::Uuid;

use checkpoint::Checkpointer;
pub use copy::{back_up, empty_wal, last_before, rewind, snapshot};
use ends::Ends;
use error::{Error, REPAIR, meant};
pub use open::{damaged_pages, keys_in_folder, open, with_snapshots};
use row::{signed, unsigned, uuid};
pub use still::open_still;
use there::There;
pub use there::{Found, bytes_ahead};

/// Marks a file as a log of Latchkey ("Ltch").
const APPLICATION: i64 = 0x4c74_6368;
/// The layout this program writes.
const LAYOUT: i64 = 6;
/// What each layout adds to the one before it; the first makes the tables.
const LAYOUTS: [&str; 6] = [
    include_str!("schema.sql"),
    include_str!("shape.sql"),
    include_str!("segment.sql"),
    include_str!("given.sql"),
    include_str!("fewer.sql"),
    include_str!("lean.sql"),
];
/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);
/// Batches that the planted fault `late_commit` commits together.
const OWED_MAX: u32 = 20;

/// The writing side of the file.
pub(crate) struct Sqlite {
    connection: Connection,
    checkpointer: Checkpointer,
    there: Arc<There>,
    ends: Ends,
    /// Where the look for expired command ids goes on.
    looked: Option<Vec<u8>>,
    /// Batches that a planted fault has not committed yet.
    owed: u32,
}

impl Sqlite {
    /// Opens the file, making it when there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let mut connection = connect(path)?;
        establish(&mut connection)?;
        settle_down(&connection)?;
        let checkpointer = Checkpointer::start(path)?;
        Ok(Self {
            connection,
            checkpointer,
            there: Arc::new(There::of(path)),
            ends: Ends::default(),
            looked: None,
            owed: 0,
        })
    }

    /// Refuses a secret of look-ups other than the one that the log was made with.
    pub(crate) fn fits(&self, mark: &Hash) -> Result<(), Error> {
        match mark::fits(&self.connection, mark) {
            // Noted at the next start that finds room.
            Err(Error(LogError::Full(_))) => Ok(()),
            fits => fits,
        }
    }

    /// The files that it has open.
    pub(crate) fn there(&self) -> Arc<There> {
        self.there.clone()
    }

    /// The end of the log as the head row says.
    pub(crate) fn end(&self) -> Result<Head, Error> {
        let mut statement = self
            .connection
            .prepare_cached("select position, chain from log_head")?;
        Ok(statement.query_row([], |row| {
            Ok(Head {
                position: unsigned(row.get(0)?),
                chain: row.get(1)?,
            })
        })?)
    }

    /// How the writing connection keeps its promise: the journal's mode and the degree of syncing.
    #[cfg(test)]
    pub(crate) fn durability(&self) -> Result<(String, i64), Error> {
        let journal = self
            .connection
            .query_row("pragma journal_mode", [], |row| row.get(0))?;
        let synchronous = self
            .connection
            .query_row("pragma synchronous", [], |row| row.get(0))?;
        Ok((journal, synchronous))
    }
}

/// Opens a file to write on. Where opening it for that fails once, SQLite opens it for reading without a word, and whoever
/// writes on that connection is refused for as long as it lives.
pub(crate) fn open_to_write(path: &Path) -> Result<Connection, Error> {
    let connection = Connection::open(path)?;
    if connection.is_readonly(rusqlite::MAIN_DB)? {
        return Err(Error(LogError::Unavailable(format!(
            "`{}` could only be opened for reading",
            path.display()
        ))));
    }
    // SQLite looks into the file only now.
    connection
        .query_row("select count(*) from sqlite_schema", [], |_| Ok(()))
        .map_err(|error| not_readable(path, &error))?;
    Ok(connection)
}

/// What keeps a file from being read when it is opened. It is named: the log and its keys lie in two of them.
fn not_readable(path: &Path, error: &rusqlite::Error) -> LogError {
    let named = path.display();
    match error.sqlite_error() {
        Some(ffi::Error {
            code: ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt,
            ..
        }) => LogError::Refused(format!(
            "`{named}` is damaged or another file was put in its place ({error}): {REPAIR}"
        )),
        // The index in memory is a file, for which SQLite writes a byte into every page.
        Some(ffi::Error {
            extended_code: ffi::SQLITE_IOERR_SHMSIZE,
            ..
        }) => LogError::Unavailable(format!(
            "beside `{named}` there is no room for `-shm`, without which it cannot be read: the disk is full or fails; make room"
        )),
        _ => meant(error),
    }
}

/// A connection that acknowledges nothing before it is on the disk.
fn connect(path: &Path) -> Result<Connection, Error> {
    let connection = open_to_write(path)?;
    connection.busy_timeout(PATIENCE)?;
    plan_once(&connection)?;
    connection.execute_batch(
        "pragma page_size = 4096; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768;
         pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864; pragma temp_store = memory; pragma trusted_schema = off;",
    )?;
    if Fault::SyncNormal.is_planted() {
        connection.execute_batch("pragma synchronous = normal")?;
    }
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// A prepared statement keeps its plan. Otherwise SQLite plans every statement with `limit ?` anew whenever another number is
/// bound: 9 % of the samples of a server under load.
fn plan_once(connection: &Connection) -> Result<(), Error> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Moves all that an earlier process left in the write-ahead file into the main file, and begins it anew. After a disk
/// failed, part of that file may be in memory alone though it reads well: what stands on it would be lost with the power.
/// Where another process is at work the file is in use, and was read by a process that goes on.
pub(crate) fn settle_down(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(Duration::ZERO)?;
    let moved = connection.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get::<_, bool>(0));
    connection.busy_timeout(PATIENCE)?;
    match moved.map_err(|error| meant(&error)) {
        Ok(busy) => {
            tracing::debug!(busy, "what was left in a write-ahead file is moved");
            Ok(())
        }
        // Then nothing is written either until there is room.
        Err(LogError::Full(why)) => {
            tracing::warn!(why, "the disk is full");
            Ok(())
        }
        Err(error) => Err(Error(error)),
    }
}

/// Makes the tables of a new file, adds to an older one what it lacks, and refuses files of somebody else or of a later program.
fn establish(connection: &mut Connection) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let layout: i64 = transaction.query_row("pragma user_version", [], |row| row.get(0))?;
    let application: i64 = transaction.query_row("pragma application_id", [], |row| row.get(0))?;
    match (application, layout) {
        (APPLICATION, LAYOUT) => return tables::are_there(&transaction),
        (APPLICATION, 1..LAYOUT) | (0, 0) => {}
        (APPLICATION, _) => {
            return Err(Error(LogError::Storage(format!(
                "the log was written by a later version (layout {layout}; this program knows {LAYOUT})"
            ))));
        }
        (_, _) => {
            return Err(Error(LogError::Storage(
                "the file is not a log of Latchkey".to_owned(),
            )));
        }
    }
    for added in LAYOUTS.iter().skip(usize::try_from(layout).unwrap_or_default()) {
        transaction.execute_batch(added)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", LAYOUT)?;
    Ok(transaction.commit()?)
}

impl Sqlite {
    /// Where these streams stand, in a log that ends at `head`.
    fn heads(&mut self, head: &Head, streams: &[StreamId]) -> Result<HashMap<StreamId, StreamHead>, Error> {
        self.ends.hold_for(head);
        let mut statement = self.connection.prepare_cached(
            "select s.id, e.revision, e.event_id from stream s join event e on e.stream = s.id \
             where s.uuid = ?1 and s.kind = ?2 order by e.revision desc limit 1",
        )?;
        let mut heads = HashMap::with_capacity(streams.len());
        for stream in streams {
            let known = match self.ends.of(stream) {
                Some(known) => Some(known),
                None => statement
                    .query_row(params![stream.id.as_bytes(), stream.kind], |row| {
                        Ok(StreamHead {
                            key: Some(row.get(0)?),
                            revision: unsigned(row.get(1)?),
                            last: Some(uuid(row.get(2)?)),
                        })
                    })
                    .optional()?,
            };
            if let Some(known) = known {
                heads.insert(*stream, known);
            }
        }
        Ok(heads)
    }

    fn commands(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, StoredCommand>, Error> {
        let mut statement = self
            .connection
            .prepare_cached("select digest, first, last, reply, expires_at from command where id = ?1")?;
        let mut known = HashMap::new();
        for id in ids {
            let command = statement
                .query_row([id.as_bytes()], |row| {
                    Ok(StoredCommand {
                        digest: row.get(0)?,
                        first: unsigned(row.get(1)?),
                        last: unsigned(row.get(2)?),
                        reply: row.get(3)?,
                        expires_at: Moment::from_timestamp_micros(row.get(4)?).unwrap_or_default(),
                    })
                })
                .optional()?;
            if let Some(command) = command {
                known.insert(*id, command);
            }
        }
        Ok(known)
    }

    /// Gives every new stream its key, and says each one's.
    fn write_streams(&self, plan: &Plan) -> Result<HashMap<StreamId, i64>, Error> {
        let mut insert = self
            .connection
            .prepare_cached("insert into stream (kind, uuid) values (?1, ?2)")?;
        let mut keys = HashMap::with_capacity(plan.streams.len());
        // In the order of events, so that new streams get ascending keys.
        for event in &plan.events {
            let stream = event.stream;
            if keys.contains_key(&stream) {
                continue;
            }
            let key = match plan.streams.get(&stream).and_then(|head| head.key) {
                Some(key) => key,
                None => insert.insert(params![stream.kind, stream.id.as_bytes()])?,
            };
            keys.insert(stream, key);
        }
        Ok(keys)
    }

    fn write_events(&self, plan: &Plan, keys: &HashMap<StreamId, i64>) -> Result<(), Error> {
        let mut statement = self.connection.prepare_cached(row::INSERT)?;
        for event in &plan.events {
            let key = keys.get(&event.stream).copied().unwrap_or_default();
            row::insert(&mut statement, key, event)?;
        }
        Ok(())
    }

    fn write_shapes(&self, plan: &Plan) -> Result<(), Error> {
        if plan.shapes.is_empty() {
            return Ok(());
        }
        let mut statement = self
            .connection
            .prepare_cached("insert or ignore into shape values (?1, ?2, ?3)")?;
        for shape in &plan.shapes {
            statement.execute(params![shape.kind, shape.event_type, shape.schema_version])?;
        }
        Ok(())
    }

    fn write_commands(&self, plan: &Plan) -> Result<(), Error> {
        let mut statement = self
            .connection
            .prepare_cached("insert into command values (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for (id, command) in &plan.commands {
            statement.execute(params![
                id.as_bytes(),
                command.digest,
                signed(command.first),
                signed(command.last),
                command.reply,
                command.expires_at.timestamp_micros(),
            ])?;
        }
        Ok(())
    }

    fn stands(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, Error> {
        self.is_well()?;
        if self.owed == 0 {
            self.connection.prepare_cached("begin immediate")?.execute([])?;
        }
        let head = self.end()?;
        Ok(Standing {
            streams: self.heads(&head, streams)?,
            head,
            commands: self.commands(commands)?,
        })
    }

    /// An error when the disk has failed, or a file without which nothing may be written is not the one that was opened.
    fn is_well(&self) -> Result<(), LogError> {
        self.checkpointer.well()?;
        self.there.still_or_saved(&self.connection, PATIENCE)?;
        self.there.besides()
    }

    fn chain(&self, position: Position) -> Result<Option<Hash>, Error> {
        let mut statement = self
            .connection
            .prepare_cached("select chain from event where position = ?1")?;
        Ok(statement
            .query_row([signed(position)], |row| row.get(0))
            .optional()?)
    }

    fn write(&mut self, plan: &Plan) -> Result<(), Error> {
        let keys = self.write_streams(plan)?;
        self.write_events(plan, &keys)?;
        self.write_commands(plan)?;
        self.write_shapes(plan)?;
        given::give(&self.connection, &plan.given)?;
        if !plan.events.is_empty() {
            let mut head = self
                .connection
                .prepare_cached("update log_head set position = ?1, chain = ?2")?;
            head.execute(params![signed(plan.head.position), plan.head.chain])?;
        }
        if Fault::LateCommit.is_planted() {
            self.owed += 1;
            if self.owed < OWED_MAX {
                return Ok(());
            }
            self.owed = 0;
        }
        self.connection.prepare_cached("commit")?.execute([])?;
        self.ends.moved(plan, &keys);
        let old_streams = plan.streams.values().filter(|head| head.key.is_some()).count();
        self.checkpointer
            .wrote(&plan.events, old_streams, &self.connection);
        Ok(())
    }
}

impl Engine for Sqlite {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        Ok(self.stands(streams, commands)?)
    }

    fn given(&mut self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        Ok(given::given(&self.connection, subjects, keys)?)
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        Ok(self.write(plan)?)
    }

    fn rollback(&mut self) {
        if self.owed == 0
            && !self.connection.is_autocommit()
            && let Err(error) = self.connection.execute_batch("rollback")
        {
            tracing::error!(%error, "a transaction of the log could not be given up");
        }
    }

    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        Ok(self.chain(position)?)
    }

    fn head(&mut self) -> Result<Head, LogError> {
        self.is_well()?;
        Ok(self.end()?)
    }

    fn tidy(&mut self, now: Moment) -> Result<bool, LogError> {
        let left = forget::expired(&self.connection, &mut self.looked, now)?;
        self.checkpointer.rest();
        Ok(left)
    }
}

#[cfg(test)]
mod conformance;
