//! The subjects' keys on disk: a file beside the log, readable by its owner alone, left out of what others may copy.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use eventlog::LogError;
use eventlog::port::{Footing, KeyId, KeyState, KeyStore, Keyring, Pair, SubjectKey, private};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use uuid::Uuid;

use super::error::Error;
use super::given::one_look;
use super::there::There;
use super::{open_to_write, settle_down};

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keys held in memory; the file has all of them. Tests come to the end of it.
const HELD: usize = if cfg!(test) { 256 } else { 65_536 };

const TABLES: &str = "create table if not exists subject_key (
    subject blob not null primary key,
    key     blob
) strict, without rowid;
-- Keys made in advance, until it is known here whose they became.
create table if not exists stock_key (
    id  blob not null primary key,
    key blob not null
) strict, without rowid;
-- Grows with every key that is destroyed, so that every process lets go of what it holds in memory.
create table if not exists key_change (
    \"only\"    integer primary key check (\"only\" = 1),
    destroyed integer not null
) strict;
insert or ignore into key_change values (1, 0);";
/// A person's key by their name, and before it lies there by the name it has in the stock.
const FIND_GIVEN: &str = "select key from subject_key where subject = ?1
    union all select key from stock_key where id = ?2 and not exists (select 1 from subject_key where subject = ?1)";

/// The file of keys. A row without a key is a subject that was forgotten.
struct KeyFile {
    path: PathBuf,
    connection: Connection,
    /// Of the file; it changes with every write of others.
    version: i64,
    /// Keys destroyed.
    destroyed: i64,
    footing: Arc<Ground>,
}

/// What every connection to the file of keys stands on.
struct Ground {
    there: There,
    /// How the disk failed, once it has: then no key is kept any more.
    failed: Mutex<Option<LogError>>,
}

impl Footing for Ground {
    /// An error when the disk has failed, or the files of keys are not those that were opened: whose key is given now could
    /// not be read again.
    fn holds(&self) -> Result<(), LogError> {
        self.failed.lock().clone().map_or(Ok(()), Err)?;
        self.there.still()
    }
}

/// The keys in a file of their own.
pub(crate) fn keyring(path: &Path) -> Result<Keyring, LogError> {
    let file = KeyFile::open(path)?;
    let footing = file.footing.clone();
    Ok(Keyring::stored_with_room(Box::new(file), Some(footing), HELD))
}

impl KeyFile {
    /// Opens the file, making it when there is none.
    fn open(path: &Path) -> Result<Self, Error> {
        private(path)?;
        let connection = Self::connect(path)?;
        connection.execute_batch("pragma journal_mode = wal;")?;
        connection.execute_batch(TABLES)?;
        settle_down(&connection)?;
        let footing = Ground {
            there: There::of(path),
            failed: Mutex::default(),
        };
        let mut file = Self::on(connection, path, Arc::new(footing));
        file.has_changed()?;
        Ok(file)
    }

    fn connect(path: &Path) -> Result<Connection, Error> {
        let connection = open_to_write(path)?;
        connection.busy_timeout(PATIENCE)?;
        // A destroyed key is overwritten in the file, and the write-ahead file is emptied after it.
        connection.execute_batch(
            "pragma synchronous = full; pragma secure_delete = on; pragma trusted_schema = off;",
        )?;
        Ok(connection)
    }

    fn on(connection: Connection, path: &Path, footing: Arc<Ground>) -> Self {
        Self {
            path: path.to_owned(),
            connection,
            version: 0,
            destroyed: 0,
            footing,
        }
    }

    fn look_up(&self, subject: UserId) -> Result<Option<KeyState>, Error> {
        let mut statement = self
            .connection
            .prepare_cached("select key from subject_key where subject = ?1")?;
        let key: Option<Option<SubjectKey>> = statement
            .query_row([subject.0.as_bytes()], |row| row.get(0))
            .optional()?;
        Ok(key.map(|key| key.map_or(KeyState::Destroyed, KeyState::Kept)))
    }
}

impl KeyFile {
    /// Writes, unless the disk failed before: a key that reads well might then be lost with the power.
    fn unless_failed<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, LogError> {
        self.footing.holds()?;
        let written = write(self).map_err(LogError::from);
        if let Err(error @ LogError::DiskFailed(_)) = &written {
            self.footing.failed.lock().replace(error.clone());
        }
        written
    }

    fn keep_fresh(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, Error> {
        let mut states = Vec::with_capacity(fresh.len());
        let mut missing = Vec::new();
        for (subject, key) in fresh {
            match self.look_up(*subject)? {
                Some(state) => states.push((*subject, state)),
                None => missing.push((*subject, *key)),
            }
        }
        if missing.is_empty() {
            return Ok(states);
        }
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut insert = transaction
                .prepare_cached("insert into subject_key values (?1, ?2) on conflict (subject) do nothing")?;
            for (subject, key) in &missing {
                insert.execute(params![subject.0.as_bytes(), key])?;
            }
        }
        transaction.commit()?;
        self.move_in()?;
        for (subject, _) in missing {
            states.extend(self.look_up(subject)?.map(|state| (subject, state)));
        }
        Ok(states)
    }

    fn overwrite(&mut self, subject: UserId, given: &[KeyId]) -> Result<(), Error> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "insert into subject_key values (?1, null) on conflict (subject) do update set key = null",
            [subject.0.as_bytes()],
        )?;
        for id in given {
            transaction.execute("delete from stock_key where id = ?1", [id.as_bytes()])?;
        }
        transaction.execute("update key_change set destroyed = destroyed + 1", [])?;
        transaction.commit()?;
        self.connection
            .query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?;
        Ok(())
    }

    fn moved(&mut self, given: &[Pair], fresh: &[(KeyId, SubjectKey)]) -> Result<(), Error> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut hand = transaction.prepare_cached(
                "insert into subject_key select ?1, key from stock_key where id = ?2 on conflict (subject) do nothing",
            )?;
            let mut remove = transaction.prepare_cached("delete from stock_key where id = ?1")?;
            for (subject, id) in given {
                hand.execute(params![subject.0.as_bytes(), id.as_bytes()])?;
                remove.execute([id.as_bytes()])?;
            }
            let mut add = transaction.prepare_cached("insert into stock_key values (?1, ?2)")?;
            for (id, key) in fresh {
                add.execute(params![id.as_bytes(), key])?;
            }
        }
        transaction.commit()?;
        self.move_in()
    }

    /// Moves what was written into the file itself, so that the write-ahead file has no key that is nowhere else. While
    /// somebody reads it waits for the next time.
    fn move_in(&self) -> Result<(), Error> {
        match settle_down(&self.connection) {
            Err(error @ Error(LogError::DiskFailed(_))) => Err(error),
            Err(Error(error)) => {
                tracing::warn!(%error, "the write-ahead file of the keys could not be emptied");
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn states(&self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, Error> {
        let _at_once = one_look(&self.connection, subjects.len())?;
        let mut states = Vec::with_capacity(subjects.len());
        for subject in subjects {
            states.extend(self.look_up(*subject)?.map(|state| (*subject, state)));
        }
        Ok(states)
    }

    fn states_given(&self, given: &[Pair]) -> Result<Vec<(UserId, KeyState)>, Error> {
        let mut statement = self.connection.prepare_cached(FIND_GIVEN)?;
        let mut states = Vec::with_capacity(given.len());
        for (subject, id) in given {
            let key: Option<Option<SubjectKey>> = statement
                .query_row([subject.0.as_bytes(), id.as_bytes()], |row| row.get(0))
                .optional()?;
            states.extend(key.map(|key| (*subject, key.map_or(KeyState::Destroyed, KeyState::Kept))));
        }
        Ok(states)
    }

    fn in_stock(&self) -> Result<Vec<(KeyId, SubjectKey)>, Error> {
        let mut statement = self.connection.prepare_cached("select id, key from stock_key")?;
        let keys = statement.query_map([], |row| Ok((Uuid::from_bytes(row.get(0)?), row.get(1)?)))?;
        Ok(keys.collect::<Result<_, _>>()?)
    }

    /// Whether a key was destroyed since this was asked last.
    fn has_changed(&mut self) -> Result<bool, Error> {
        let version: i64 = self
            .connection
            .query_row("pragma data_version", [], |row| row.get(0))?;
        if std::mem::replace(&mut self.version, version) == version {
            return Ok(false);
        }
        let destroyed: i64 = self
            .connection
            .query_row("select destroyed from key_change", [], |row| row.get(0))?;
        Ok(std::mem::replace(&mut self.destroyed, destroyed) != destroyed)
    }
}

impl KeyStore for KeyFile {
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        self.unless_failed(|file| file.keep_fresh(fresh))
    }

    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        Ok(self.states(subjects)?)
    }

    fn destroy(&mut self, subject: UserId, given: &[KeyId]) -> Result<(), LogError> {
        self.unless_failed(|file| file.overwrite(subject, given))
    }

    fn find_given(&mut self, given: &[Pair]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        Ok(self.states_given(given)?)
    }

    fn stock(&mut self) -> Result<Vec<(KeyId, SubjectKey)>, LogError> {
        Ok(self.in_stock()?)
    }

    fn hand_over(&mut self, given: &[Pair], fresh: &[(KeyId, SubjectKey)]) -> Result<(), LogError> {
        self.unless_failed(|file| file.moved(given, fresh))
    }

    fn again(&self) -> Result<Box<dyn KeyStore>, LogError> {
        self.footing.there.may_be_opened()?;
        let connection = Self::connect(&self.path)?;
        Ok(Box::new(Self::on(connection, &self.path, self.footing.clone())))
    }

    fn changed_elsewhere(&mut self) -> Result<bool, LogError> {
        self.footing.there.still_or_saved(&self.connection, PATIENCE)?;
        self.footing.holds()?;
        Ok(self.has_changed()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_opens_for_reading_alone_keeps_no_keys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.db");
        drop(KeyFile::open(&path).unwrap());
        KeyFile::connect(&path).unwrap();
        let to_read = format!("file:{}?mode=ro", path.display());
        let refused = KeyFile::connect(Path::new(&to_read)).unwrap_err();
        assert!(matches!(refused.0, LogError::Unavailable(_)), "{refused:?}");
    }
}
