//! Folded states of long streams, kept aside so that a load need not fold them from the beginning. A cache of this node's
//! own, in `snapshots.db`: never the truth, thrown away whenever in doubt (decision 0009).

use std::collections::{BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use domain::aggregate::Decide;
use domain::id::UserId;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, params};
use uuid::Uuid;

use crate::commit::Loaded;
use crate::error::LogError;
use crate::keyfile;
use crate::measure;
use crate::seal::{Keyring, Place};
use crate::stream::{Revision, StreamId};
use threads::{Mutex, Slip};

/// Streams up to this long are folded from the beginning.
pub(crate) const SHORT: usize = 256;
/// One of so many states that are found is folded anew, to see that it is right.
const SAMPLE: u64 = 32;

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

/// What is kept of a stream.
struct Kept {
    revision: Revision,
    last_event: Uuid,
    subject: Option<UserId>,
    state: Vec<u8>,
}

/// The states of this node, if it keeps any. A cheap handle.
#[derive(Clone, Default)]
pub(crate) struct Snapshots(Option<Arc<Shelf>>);

struct Shelf {
    path: PathBuf,
    file: Mutex<Connection>,
    keys: Keyring,
    found: AtomicU64,
    /// Kinds of which one state was wrong: none of them is used again by this process.
    distrusted: Mutex<HashSet<&'static str>>,
}

/// A state that could be read, and whose personal data went into it.
type Readable<A> = (Loaded<A>, Option<UserId>);

/// A state from the shelf, and whether it is to be folded anew beside its use.
pub(crate) struct Found<A> {
    pub(crate) loaded: Loaded<A>,
    /// Whose personal data went into it.
    pub(crate) subject: Option<UserId>,
    pub(crate) is_sample: bool,
}

impl Snapshots {
    /// The shelf in `dir`. One that cannot be opened is done without: everything can be folded from the beginning.
    pub(crate) fn open(dir: &Path, keys: Keyring) -> Self {
        let store = Shelf::open(&dir.join("snapshots.db"), keys).inspect_err(|error| {
            tracing::warn!(%error, "snapshots.db cannot be used; long streams are folded from their beginning");
        });
        Self(store.ok().map(Arc::new))
    }

    /// The state kept of a stream, when there is one that can be read. Trouble counts as none.
    pub(crate) async fn find<A: Decide>(&self, stream: StreamId) -> Option<Found<A>> {
        let store = self.0.clone()?;
        if store.distrusted.lock().contains(stream.kind) {
            return None;
        }
        let number = store.found.fetch_add(1, Relaxed);
        let found = threads::spawn_blocking(move || store.find::<A>(stream)).await;
        let (loaded, subject) = match found {
            Ok(Ok(found)) => found?,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a snapshot could not be read");
                return None;
            }
            Err(_) => return None,
        };
        Some(Found {
            loaded,
            subject,
            is_sample: number.is_multiple_of(SAMPLE),
        })
    }

    /// Keeps a durable state in the background. `subjects` are all whose personal data went into it; of more than one
    /// nothing is kept, because a state is sealed under one key.
    pub(crate) fn keep<A: Decide>(&self, stream: StreamId, loaded: &Loaded<A>, subjects: &BTreeSet<UserId>) {
        let (Some(store), Some(last_event), true) = (self.0.clone(), loaded.last_event, subjects.len() <= 1)
        else {
            return;
        };
        let (subject, revision, state) = (subjects.first().copied(), loaded.revision, loaded.state.clone());
        drop(threads::spawn_blocking(move || {
            let kept = serde_json::to_vec(&state).map(|state| Kept {
                revision,
                last_event,
                subject,
                state,
            });
            match kept.map_err(|error| LogError::Storage(error.to_string())) {
                Ok(kept) => drop(store.keep(stream, &kept).inspect_err(told)),
                Err(error) => told(&error),
            }
        }));
    }

    /// Compares a state with the fold of its stream; a wrong one ends the trust in its kind.
    pub(crate) fn compare<A: Decide>(&self, stream: StreamId, kept: &Loaded<A>, folded: &Loaded<A>) {
        let value = |loaded: &Loaded<A>| serde_json::to_value(&loaded.state).ok();
        let is_right = kept.last_event == folded.last_event && value(kept) == value(folded);
        measure::snapshot_checked(is_right);
        if let (false, Some(store)) = (is_right, &self.0) {
            tracing::error!(%stream, revision = kept.revision, "a snapshot was wrong: none of its kind is used any more");
            store.distrusted.lock().insert(stream.kind);
            drop(store.drop_kind(stream.kind).inspect_err(told));
        }
    }

    /// Drops whatever was kept about a person.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn forget(&self, subject: UserId) -> Result<(), LogError> {
        let Some(store) = &self.0 else { return Ok(()) };
        store.on_file(|file| {
            file.execute(
                "delete from snapshot where subject = ?1",
                [subject.0.as_bytes().as_slice()],
            )?;
            file.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
        })
    }
}

impl Shelf {
    fn open(path: &Path, keys: Keyring) -> Result<Self, LogError> {
        keyfile::private(path)?;
        let connection = match connect(path) {
            Err(error) if is_damage(&error) => begin_anew(path, &error)?,
            connected => connected?,
        };
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(connection),
            keys,
            found: AtomicU64::default(),
            distrusted: Mutex::default(),
        })
    }

    /// Works on the file with nobody else; on a new one, should this one turn out to be damaged.
    fn on_file<T>(&self, mut work: impl FnMut(&Connection) -> rusqlite::Result<T>) -> Result<T, LogError> {
        let mut file = self.file.lock();
        match work(&file) {
            Err(error) if is_damage(&error) => {
                // Closed first: in closing it deletes what lies beside it by name.
                *file = Connection::open_in_memory()?;
                *file = begin_anew(&self.path, &error)?;
                Ok(work(&file)?)
            }
            worked => Ok(worked?),
        }
    }

    fn drop_kind(&self, kind: &str) -> Result<(), LogError> {
        self.on_file(|file| {
            file.execute("delete from snapshot where kind = ?1", [kind])
                .map(drop)
        })
    }

    fn find<A: Decide>(&self, stream: StreamId) -> Result<Option<Readable<A>>, LogError> {
        let Some(kept) = self.look_up(stream)? else {
            return Ok(None);
        };
        let state = match kept.subject {
            None => Some(kept.state),
            // Sealed for somebody who was forgotten, or changed: of no use either way.
            Some(subject) => self
                .keys
                .open_sealed(subject, &place(stream, kept.revision), &kept.state)
                .unwrap_or_default(),
        };
        let state = state.and_then(|json| serde_json::from_slice(&json).ok());
        let Some(state) = state else {
            self.drop_one(stream)?;
            return Ok(None);
        };
        let loaded = Loaded {
            state,
            revision: kept.revision,
            last_event: Some(kept.last_event),
        };
        Ok(Some((loaded, kept.subject)))
    }

    fn look_up(&self, stream: StreamId) -> Result<Option<Kept>, LogError> {
        self.on_file(|file| {
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
        })
    }

    fn drop_one(&self, stream: StreamId) -> Result<(), LogError> {
        self.on_file(|file| {
            let gone = "delete from snapshot where kind = ?1 and id = ?2";
            file.execute(gone, params![stream.kind, stream.id.as_bytes()])
                .map(drop)
        })
    }

    fn keep(&self, stream: StreamId, kept: &Kept) -> Result<(), LogError> {
        let sealed = match kept.subject {
            None => None,
            // Without a key there is nobody any more.
            Some(subject) => match self
                .keys
                .seal(subject, &place(stream, kept.revision), &kept.state)?
            {
                Some(sealed) => Some(sealed),
                None => return Ok(()),
            },
        };
        let is_distrusted = || self.distrusted.lock().contains(stream.kind);
        let early = Slip::TrustAskedEarly.is_made().then(is_distrusted);
        self.on_file(|file| {
            // Asked with the file in hand: what is distrusted from now on is dropped after this.
            if early.unwrap_or_else(is_distrusted) {
                return Ok(());
            }
            file.execute(
                KEEP,
                params![
                    stream.kind,
                    stream.id.as_bytes(),
                    kept.revision.cast_signed(),
                    kept.last_event.as_bytes(),
                    domain::RULES,
                    kept.subject.map(|subject| subject.0.into_bytes()),
                    sealed.as_ref().unwrap_or(&kept.state),
                ],
            )
            .map(drop)
        })
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
fn begin_anew(path: &Path, damage: &rusqlite::Error) -> Result<Connection, LogError> {
    let problem = |error: std::io::Error| LogError::Storage(format!("{}: {error}", path.display()));
    let aside = path.with_extension("db.damaged");
    tracing::warn!(%damage, aside = %aside.display(), "snapshots.db was damaged: it is moved aside and begun anew");
    std::fs::rename(path, aside).map_err(problem)?;
    for beside in ["db-wal", "db-shm"] {
        match std::fs::remove_file(path.with_extension(beside)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(problem(error)),
            Ok(()) | Err(_) => {}
        }
    }
    keyfile::private(path)?;
    Ok(connect(path)?)
}

fn place(stream: StreamId, revision: Revision) -> Place<'static> {
    Place {
        stream,
        revision,
        event_type: "snapshot",
    }
}

fn told(error: &LogError) {
    tracing::warn!(%error, "a snapshot could not be kept");
}

#[cfg(all(test, feature = "schedules"))]
mod schedules;
#[cfg(not(feature = "schedules"))]
#[cfg(test)]
mod story;
