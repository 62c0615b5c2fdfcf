//! Copies taken while the log is written, and a log cut back to an earlier end.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior};

use super::establish;
use super::row::{signed, unsigned};
use crate::error::LogError;
use crate::evidence::SEGMENT;
use crate::keyfile::private;
use crate::stream::Position;
use crate::verify::Anchor;

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Copies one SQLite file as it stands at one moment, durably, while others write to it. The copy is readable by its
/// owner alone.
///
/// # Errors
/// When the file is not there, or the copy cannot be written.
pub fn snapshot(from: &Path, to: &Path) -> Result<(), LogError> {
    // SQLite fills an empty file, so nobody sees it before it is private.
    private(to)?;
    let connection = open(from)?;
    connection
        .execute("vacuum into ?1", [to.to_string_lossy()])
        .map_err(|error| match LogError::from(error) {
            LogError::Full(_) => LogError::Refused(format!("there is no room for it at {}", to.display())),
            LogError::DiskFailed(why) => LogError::Storage(format!("{}: {why}", from.display())),
            error => error,
        })?;
    synced(to)
}

/// Copies the log in `dir` into the folder `into`, which exists, with the keys and the secret of look-ups: everything
/// that [`EventLog::open_sqlite`](crate::EventLog::open_sqlite) needs. Says where the copy ends.
///
/// # Errors
/// As [`snapshot`].
pub fn back_up(dir: &Path, into: &Path) -> Result<Anchor, LogError> {
    let copy = into.join("log.db");
    snapshot(&dir.join("log.db"), &copy)?;
    // A key is durable before the first event sealed under it: taken later, no key is missing.
    snapshot(&dir.join("keys.db"), &into.join("keys.db"))?;
    let secret = into.join("handles.key");
    private(&secret)?;
    std::fs::copy(dir.join("handles.key"), &secret).map_err(|error| failed(&secret, &error))?;
    synced(&secret)?;
    end(&open(&copy)?)
}

/// Moves everything that was written into the file itself, so that nothing that was overwritten stays in its write-ahead
/// file.
///
/// # Errors
/// When others keep reading what is older for longer than one waits for them.
pub fn empty_wal(path: &Path) -> Result<(), LogError> {
    let busy: i64 = open(path)?.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))?;
    if busy == 0 {
        return Ok(());
    }
    Err(LogError::Unavailable("it is in use: try again".to_owned()))
}

/// Cuts a log that nobody uses back to `position`: what came later is gone, for its streams and for its command ids too.
/// Keys stay as they are, so that a person who was forgotten later stays forgotten.
///
/// # Errors
/// When the log does not reach that far, or the file cannot be written.
pub fn rewind(dir: &Path, position: Position) -> Result<Anchor, LogError> {
    let mut connection = open(&dir.join("log.db"))?;
    // A backup may be of before the log noted its shapes.
    establish(&mut connection)?;
    let last = end(&connection)?.position;
    if position > last {
        return Err(LogError::Storage(format!(
            "the log ends at event {last}, before event {position}"
        )));
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    is_between_appends(&transaction, position)?;
    let chain = transaction
        .query_row(
            "select chain from event where position = ?1",
            [signed(position)],
            |row| row.get(0),
        )
        .optional()?;
    let anchor = Anchor {
        position,
        chain: chain.unwrap_or(Anchor::GENESIS.chain),
    };
    for cut in [
        "create temp table cut as select distinct stream from event where position > ?1",
        "delete from event where position > ?1",
        "delete from command where last > ?1",
        "delete from signed_head where position > ?1",
        "update log_head set position = ?1",
    ] {
        transaction.execute(cut, [signed(position)])?;
    }
    let segments = position / SEGMENT;
    transaction.execute("delete from segment where number >= ?1", [signed(segments)])?;
    transaction.execute("update log_head set chain = ?1", [anchor.chain])?;
    transaction.execute_batch(
        "delete from stream where id in cut and not exists (select 1 from event where stream = stream.id);
         update stream set (revision, last_event) =
           (select revision, event_id from event where stream = stream.id order by revision desc limit 1)
         where id in cut;
         drop table cut;
         delete from shape;
         insert into shape select distinct kind, event_type, schema_version from event;",
    )?;
    transaction.commit()?;
    // What was cut off is not left lying in free pages.
    connection.execute_batch("vacuum; pragma wal_checkpoint(truncate)")?;
    synced(&dir.join("log.db"))?;
    Ok(anchor)
}

/// Refuses an end in the middle of what was written at once, as far as that can be told: under one command id, or in one
/// stream by one request in one batch. All of it happened, or nothing.
fn is_between_appends(connection: &Connection, position: Position) -> Result<(), LogError> {
    let (first, last): (Option<i64>, Option<i64>) = connection.query_row(
        "select min(event.position), max(event.position) from event
         join event as cut on cut.position = ?1 and cut.correlation_id = event.correlation_id
                   and (cut.command_id = event.command_id or (cut.stream = event.stream and cut.recorded_at = event.recorded_at))",
        [signed(position)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    match (first.map(unsigned), last.map(unsigned)) {
        (Some(first), Some(last)) if last > position => Err(LogError::Refused(format!(
            "events {first} to {last} were written at once: end at event {} or at event {last}",
            first - 1
        ))),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Connection, LogError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|error| LogError::Storage(format!("{}: {error}", path.display())))?;
    connection.busy_timeout(PATIENCE)?;
    connection
        .execute_batch("pragma synchronous = full; pragma trusted_schema = off; pragma secure_delete = on")?;
    Ok(connection)
}

fn end(connection: &Connection) -> Result<Anchor, LogError> {
    Ok(
        connection.query_row("select position, chain from log_head", [], |row| {
            Ok(Anchor {
                position: unsigned(row.get(0)?),
                chain: row.get(1)?,
            })
        })?,
    )
}

fn synced(path: &Path) -> Result<(), LogError> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> LogError {
    LogError::Storage(format!("{}: {error}", path.display()))
}
