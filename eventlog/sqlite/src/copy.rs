//! Copies taken while the log is written, and a log cut back to an earlier end.

use std::fs::File;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use domain::moment::Moment;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior};

use super::error::{Error, meant};
use super::establish;
use super::row::{signed, unsigned};
use eventlog::LogError;
use eventlog::planted::Fault;
use eventlog::port::SEGMENT;
use eventlog::port::private;
use eventlog::stream::Position;
use eventlog::verify::Anchor;

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long writers may be held up for a write-ahead file to be emptied, and how long they are then let in.
const MOMENT: Duration = Duration::from_millis(50);

/// Copies one SQLite file as it stands at one moment, durably, while others write to it. The copy is readable by its
/// owner alone.
///
/// # Errors
/// When the file is not there, or the copy cannot be written.
pub fn snapshot(from: &Path, to: &Path) -> Result<(), LogError> {
    Ok(copied(from, to)?)
}

fn copied(from: &Path, to: &Path) -> Result<(), Error> {
    // SQLite fills an empty file, so nobody sees it before it is private.
    private(to)?;
    let connection = open(from)?;
    connection
        .execute("vacuum into ?1", [to.to_string_lossy()])
        .map_err(|error| match meant(&error) {
            LogError::Full(_) => LogError::Refused(format!("there is no room for it at {}", to.display())),
            LogError::DiskFailed(why) => LogError::Storage(format!("{}: {why}", from.display())),
            error => error,
        })?;
    Ok(synced(to)?)
}

/// Copies the log in `dir` into the folder `into`, which exists, with the keys and the secret of look-ups: everything
/// that [`open`](crate::open) needs. Says where the copy ends.
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
    if Fault::BackupSaysMore.is_planted() {
        return Ok(end(&open(&dir.join("log.db"))?)?);
    }
    Ok(end(&open(&copy)?)?)
}

/// The last event of a log that nobody uses which was recorded at or before a moment; 0 when there is none.
///
/// # Errors
/// When the file cannot be read.
pub fn last_before(dir: &Path, moment: Moment) -> Result<Position, LogError> {
    let found = open(&dir.join("log.db")).and_then(|log| {
        // The first that came later, and not the last that did not: clocks of several writers may disagree by a little.
        let before = "select coalesce((select min(position) - 1 from event where recorded_at > ?1), position) from log_head";
        Ok(log.query_row(before, [moment.timestamp_micros()], |row| row.get(0))?)
    });
    Ok(unsigned(found?))
}

/// Moves everything that was written into the file itself, so that nothing that was overwritten stays in its write-ahead
/// file.
///
/// # Errors
/// When others keep reading what is older for longer than one waits for them.
pub fn empty_wal(path: &Path) -> Result<(), LogError> {
    Ok(emptied(path)?)
}

fn emptied(path: &Path) -> Result<(), Error> {
    let connection = open(path)?;
    // Whoever waits here for a reader keeps all writers waiting: rather often for a moment than once for long.
    connection.busy_timeout(MOMENT)?;
    let begun = Instant::now();
    loop {
        let busy: bool = connection.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))?;
        if !busy {
            return Ok(());
        }
        if begun.elapsed() >= PATIENCE {
            return Err(Error(LogError::Unavailable("it is in use: try again".to_owned())));
        }
        thread::park_timeout(MOMENT);
    }
}

/// Cuts a log that nobody uses back to `position`: what came later is gone, for its streams and for its command ids too.
/// Keys stay as they are, so that a person who was forgotten later stays forgotten.
///
/// # Errors
/// When the log does not reach that far, or the file cannot be written.
pub fn rewind(dir: &Path, position: Position) -> Result<Anchor, LogError> {
    Ok(cut_back(dir, position)?)
}

fn cut_back(dir: &Path, position: Position) -> Result<Anchor, Error> {
    let mut connection = open(&dir.join("log.db"))?;
    // A backup may be of before the log noted its shapes.
    establish(&mut connection)?;
    let last = end(&connection)?.position;
    if position > last {
        return Err(Error(LogError::Storage(format!(
            "the log ends at event {last}, before event {position}"
        ))));
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

/// Refuses an end in the middle of what was written at once: under one command id, or by one request in one batch. All of it
/// happened, or nothing.
fn is_between_appends(connection: &Connection, position: Position) -> Result<(), Error> {
    let (first, last): (Option<i64>, Option<i64>) = connection.query_row(
        "select min(event.position), max(event.position) from event
         join event as cut on cut.position = ?1 and cut.correlation_id = event.correlation_id
                   and (cut.command_id = event.command_id or cut.recorded_at = event.recorded_at)",
        [signed(position)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    match (first.map(unsigned), last.map(unsigned)) {
        (Some(first), Some(last)) if last > position => Err(Error(LogError::Refused(format!(
            "events {first} to {last} were written together: end at event {} or at event {last}",
            first - 1
        )))),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|error| LogError::Storage(format!("{}: {error}", path.display())))?;
    connection.busy_timeout(PATIENCE)?;
    connection
        .execute_batch("pragma synchronous = full; pragma trusted_schema = off; pragma secure_delete = on")?;
    Ok(connection)
}

fn end(connection: &Connection) -> Result<Anchor, Error> {
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt as _;

    use super::*;

    #[test]
    fn a_damaged_file_is_told_with_the_way_out() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("some.db");
        private(&path).expect("made");
        let fill = "create table note (n integer, t text); with recursive n (i) as (values (1) union all select i + 1 from n \
                    where i < 2000) insert into note select i, hex(randomblob(100)) from n";
        open(&path).expect("opened").execute_batch(fill).expect("filled");
        let spoilt = File::options().write(true).open(&path).expect("there");
        spoilt.write_all_at(&vec![7; 40_960], 40_960).expect("damaged");
        let refused = snapshot(&path, &dir.path().join("copy.db")).expect_err("damaged");
        assert!(
            refused.to_string().contains("restore the whole folder"),
            "{refused}"
        );
    }

    /// Whoever empties a write-ahead file holds no writer up for long though somebody reads.
    #[test]
    fn wal_truncation_beside_a_reader_never_delays_the_writer() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("some.db");
        private(&path).expect("made");
        let writer = open(&path).expect("opened");
        let set_up = "pragma journal_mode = wal; create table note (n integer); insert into note values (0)";
        writer.execute_batch(set_up).expect("set up");
        let reader = open(&path).expect("opened");
        reader
            .execute_batch("begin; select count(*) from note")
            .expect("it reads");
        writer
            .execute("insert into note values (1)", [])
            .expect("written");
        let emptying = thread::spawn({
            let path = path.clone();
            move || empty_wal(&path)
        });
        writer.busy_timeout(Duration::from_secs(1)).expect("set");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(2) {
            let held_up = "nobody waits as long";
            writer.execute("insert into note values (2)", []).expect(held_up);
        }
        reader.execute_batch("commit").expect("read");
        emptying.join().expect("ended").expect("emptied");
    }
}
