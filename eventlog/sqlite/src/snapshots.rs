//! Folded states of long streams in `snapshots.db`, a file of this node's own.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::id::UserId;
use eventlog::port::{Kept, SnapshotStore, private};
use eventlog::{LogError, StreamId};
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, params};
use uuid::Uuid;

use super::error::Error;

/// How long to wait for another process on this node.
const PATIENCE: Duration = Duration::from_secs(1);

const TABLES: &str = "pragma journal_mode = wal; pragma synchronous = off; pragma secure_delete = on;
create table if not exists snapshot (
    kind text not null,
    id blob not null,
    revision integer not null,
    last_event blob not null,
    -- The rules that folded it.
    rules text not null,
    -- Whose key seals the state; without one the stream holds nothing personal.
    subject blob,
    state blob not null,
    primary key (kind, id)
) strict, without rowid;";

const KEEP: &str = "insert into snapshot (kind, id, revision, last_event, rules, subject, state) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    on conflict (kind, id) do update set revision = excluded.revision, last_event = excluded.last_event,
    rules = excluded.rules, subject = excluded.subject, state = excluded.state";

/// The file of states.
pub(crate) struct SnapshotFile {
    path: PathBuf,
    connection: Connection,
}

impl SnapshotFile {
    /// Opens the file, making it when there is none, and anew when it is damaged.
    pub(crate) fn open(path: &Path) -> Result<Self, LogError> {
        private(path)?;
        Ok(Self::opened(path)?)
    }

    fn opened(path: &Path) -> Result<Self, Error> {
        let connection = match connect(path) {
            Err(error) if is_damage(&error) => begin_anew(path, &error)?,
            connected => connected?,
        };
        Ok(Self {
            path: path.to_owned(),
            connection,
        })
    }

    /// Works on the file; on a new one, should this one turn out to be damaged.
    fn on_file<T>(&mut self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        match work(&self.connection) {
            Err(error) if is_damage(&error) => {
                // Closed first: in closing it deletes what lies beside it by name.
                self.connection = Connection::open_in_memory()?;
                self.connection = begin_anew(&self.path, &error)?;
                Ok(work(&self.connection)?)
            }
            worked => Ok(worked?),
        }
    }
}

impl SnapshotStore for SnapshotFile {
    fn find(&mut self, stream: StreamId) -> Result<Option<Kept>, LogError> {
        let found = self.on_file(|file| {
            let mut statement = file.prepare_cached(
                "select revision, last_event, subject, state from snapshot where kind = ?1 and id = ?2 and rules = ?3",
            )?;
            let kept =
                statement.query_row(params![stream.kind, stream.id.as_bytes(), domain::RULES], |row| {
                    Ok(Kept {
                        revision: row.get::<_, i64>(0)?.cast_unsigned(),
                        last_event: Uuid::from_bytes(row.get(1)?),
                        subject: row
                            .get::<_, Option<[u8; 16]>>(2)?
                            .map(|id| UserId(Uuid::from_bytes(id))),
                        state: row.get(3)?,
                    })
                });
            kept.optional()
        });
        Ok(found?)
    }

    fn keep(&mut self, stream: StreamId, kept: &Kept) -> Result<(), LogError> {
        let written = self.on_file(|file| {
            file.execute(
                KEEP,
                params![
                    stream.kind,
                    stream.id.as_bytes(),
                    kept.revision.cast_signed(),
                    kept.last_event.as_bytes(),
                    domain::RULES,
                    kept.subject.map(|subject| subject.0.into_bytes()),
                    kept.state,
                ],
            )
            .map(drop)
        });
        Ok(written?)
    }

    fn drop_one(&mut self, stream: StreamId) -> Result<(), LogError> {
        let dropped = self.on_file(|file| {
            let gone = "delete from snapshot where kind = ?1 and id = ?2";
            file.execute(gone, params![stream.kind, stream.id.as_bytes()])
                .map(drop)
        });
        Ok(dropped?)
    }

    fn drop_kind(&mut self, kind: &str) -> Result<(), LogError> {
        let dropped = self.on_file(|file| {
            file.execute("delete from snapshot where kind = ?1", [kind])
                .map(drop)
        });
        Ok(dropped?)
    }

    fn forget(&mut self, subject: UserId) -> Result<(), LogError> {
        let forgotten = self.on_file(|file| {
            file.execute(
                "delete from snapshot where subject = ?1",
                [subject.0.as_bytes().as_slice()],
            )?;
            file.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
        });
        Ok(forgotten?)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch(TABLES)?;
    connection.execute("delete from snapshot where rules <> ?1", [domain::RULES])?;
    Ok(connection)
}

/// Whether the file is no database, or not the one that was written.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Moves a damaged file aside and makes a new one: nothing in it is the only copy.
fn begin_anew(path: &Path, damage: &rusqlite::Error) -> Result<Connection, Error> {
    let problem = |error: std::io::Error| Error(LogError::Storage(format!("{}: {error}", path.display())));
    let aside = path.with_extension("db.damaged");
    tracing::warn!(%damage, aside = %aside.display(), "snapshots.db was damaged: it is moved aside and begun anew");
    std::fs::rename(path, aside).map_err(problem)?;
    for beside in ["db-wal", "db-shm"] {
        match std::fs::remove_file(path.with_extension(beside)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(problem(error)),
            Ok(()) | Err(_) => {}
        }
    }
    private(path)?;
    Ok(connect(path)?)
}
