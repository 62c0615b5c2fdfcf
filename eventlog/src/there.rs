//! Whether a database's files still lie where they were opened. Who deletes or empties one of them under a running server
//! leaves it a file that nobody will ever open again: what is written there is lost with the process (decision 307).

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use threads::atomic::{AtomicBool, Ordering};

use crate::error::LogError;

/// What lies beside a database's file while it is open: what is written ahead, and the index of it that processes share.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// The files of a database, by their names and by what they are.
pub(crate) struct There {
    file: Found,
    beside: Vec<Found>,
    saved: AtomicBool,
    told: AtomicBool,
}

struct Found {
    path: PathBuf,
    opened: Option<(u64, u64)>,
    was_empty: bool,
}

/// What a name stands for by now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    Same,
    Empty,
    Another,
    Gone,
}

impl There {
    /// The files that are open by this name.
    pub(crate) fn of(path: &Path) -> Self {
        let beside = |end: &&str| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            Found::of(PathBuf::from(name))
        };
        Self {
            file: Found::of(path.to_owned()),
            beside: BESIDE.iter().map(beside).collect(),
            saved: AtomicBool::new(false),
            told: AtomicBool::new(false),
        }
    }

    /// An error when a name stands for another file by now, or for none: nothing may be written any more.
    pub(crate) fn still(&self) -> Result<(), LogError> {
        self.file.still()?;
        // Both of these are empty now and then.
        let empty = |found: &&Found| found.now() != Now::Empty;
        self.beside.iter().filter(empty).try_for_each(Found::still)
    }

    /// As [`There::still`]. Where only files beside the database's own are gone, all that was committed is moved into that
    /// one, through the connection that has them open: the next process finds it there. While somebody reads what is older
    /// that cannot be done; each look tries again, and waits for nobody.
    pub(crate) fn still_or_saved(&self, connection: &Connection, patience: Duration) -> Result<(), LogError> {
        let still = self.still();
        if still.is_err() && !self.saved.load(Ordering::Acquire) && self.can_be_saved() {
            let moved = connection.busy_timeout(Duration::ZERO).and_then(|()| {
                connection.query_row("pragma wal_checkpoint(full)", [], |row| row.get::<_, bool>(0))
            });
            let waits = connection.busy_timeout(patience);
            self.tell(moved.and_then(|busy| waits.map(|()| !busy)));
        }
        still
    }

    /// Says once what came of it.
    fn tell(&self, moved: Result<bool, rusqlite::Error>) {
        let file = self.file.path.display();
        if matches!(moved, Ok(true)) {
            self.saved.store(true, Ordering::Release);
            tracing::warn!(%file, "what was written ahead is moved into the file itself");
        } else if !self.told.swap(true, Ordering::AcqRel) {
            let why = moved
                .err()
                .map_or_else(|| "somebody reads".to_owned(), |error| error.to_string());
            tracing::error!(%file, why, "what was written ahead is not moved yet and would be lost: do not stop the server before");
        }
    }

    /// A file that somebody else put in its place may be at work already.
    fn can_be_saved(&self) -> bool {
        let known = |found: &Found| matches!(found.now(), Now::Same | Now::Empty | Now::Gone);
        self.file.now() == Now::Same && self.beside.iter().all(known)
    }
}

impl Found {
    fn of(path: PathBuf) -> Self {
        let found = fs::metadata(&path).ok();
        Self {
            path,
            opened: found.as_ref().map(identity),
            was_empty: found.is_some_and(|found| found.len() == 0),
        }
    }

    fn now(&self) -> Now {
        let Some(opened) = self.opened else {
            return Now::Same;
        };
        match fs::metadata(&self.path) {
            Ok(found) if identity(&found) != opened => Now::Another,
            Ok(found) if found.len() == 0 && !self.was_empty => Now::Empty,
            Err(error) if error.kind() == ErrorKind::NotFound => Now::Gone,
            // Whoever reads or writes tells what else is wrong.
            Ok(_) | Err(_) => Now::Same,
        }
    }

    fn still(&self) -> Result<(), LogError> {
        let what = match self.now() {
            Now::Another => "is another file than the one that was opened",
            Now::Gone => "was deleted or moved away",
            Now::Empty => "was emptied",
            Now::Same => return Ok(()),
        };
        Err(LogError::DiskFailed(format!("`{}` {what}", self.path.display())))
    }
}

#[cfg(unix)]
fn identity(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

/// There a file that is open cannot be deleted.
#[cfg(not(unix))]
fn identity(_found: &Metadata) -> (u64, u64) {
    (0, 0)
}
