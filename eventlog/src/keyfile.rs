//! The subjects' keys on disk: a file beside the log, readable by its owner alone, left out of what others may copy.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use domain::id::UserId;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::error::LogError;
use crate::seal::{KeyState, SubjectKey};
use crate::sqlite;

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLE: &str = "create table if not exists subject_key (
    subject blob not null primary key,
    key     blob
) strict, without rowid";

/// Where subjects' keys are kept apart from the log.
pub(crate) trait KeyStore: Send {
    /// Keeps the fresh keys of subjects that have none yet, durably, and says what holds for each.
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError>;

    /// What holds for those subjects that are known.
    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError>;

    /// Overwrites a subject's key and remembers only that there was one.
    fn destroy(&mut self, subject: UserId) -> Result<(), LogError>;

    /// True when another process may have destroyed a key since the last look.
    fn changed_elsewhere(&mut self) -> Result<bool, LogError>;
}

/// The file of keys. A row without a key is a subject that was forgotten.
pub(crate) struct KeyFile {
    connection: Connection,
    version: i64,
    /// How the disk failed, once it has: then no key is kept any more.
    failed: Option<LogError>,
}

impl KeyFile {
    /// Opens the file, making it when there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, LogError> {
        private(path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        // A destroyed key is overwritten in the file, and the write-ahead file is emptied after it.
        connection.execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on; pragma trusted_schema = off;",
        )?;
        connection.execute_batch(TABLE)?;
        sqlite::settle_down(&connection)?;
        let mut file = Self {
            connection,
            version: 0,
            failed: None,
        };
        file.changed_elsewhere()?;
        Ok(file)
    }

    fn look_up(&self, subject: UserId) -> Result<Option<KeyState>, LogError> {
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
    fn unless_failed<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let written = write(self);
        if let Err(error @ LogError::DiskFailed(_)) = &written {
            self.failed = Some(error.clone());
        }
        written
    }

    fn keep_fresh(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError> {
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
        for (subject, _) in missing {
            states.extend(self.look_up(subject)?.map(|state| (subject, state)));
        }
        Ok(states)
    }

    fn overwrite(&mut self, subject: UserId) -> Result<(), LogError> {
        self.connection.execute(
            "insert into subject_key values (?1, null) on conflict (subject) do update set key = null",
            [subject.0.as_bytes()],
        )?;
        self.connection
            .query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?;
        Ok(())
    }
}

impl KeyStore for KeyFile {
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        self.unless_failed(|file| file.keep_fresh(fresh))
    }

    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let mut states = Vec::with_capacity(subjects.len());
        for subject in subjects {
            states.extend(self.look_up(*subject)?.map(|state| (*subject, state)));
        }
        Ok(states)
    }

    fn destroy(&mut self, subject: UserId) -> Result<(), LogError> {
        self.unless_failed(|file| file.overwrite(subject))
    }

    /// True when another process has written to the file since the last look.
    fn changed_elsewhere(&mut self) -> Result<bool, LogError> {
        let version: i64 = self
            .connection
            .query_row("pragma data_version", [], |row| row.get(0))?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }
}

/// Makes the file, if there is none, so that nobody but its owner may read it.
pub(crate) fn private(path: &Path) -> Result<(), LogError> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map_err(|error| LogError::Storage(format!("{}: {error}", path.display())))?;
    Ok(())
}
