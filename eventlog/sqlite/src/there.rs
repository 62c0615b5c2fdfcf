//! Whether a database's files still lie where they were opened. Who deletes or empties one of them under a running server
//! leaves it a file that nobody will ever open again: what is written there is lost with the process (decision 0013).

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::RwLock;
use rusqlite::Connection;
use threads::atomic::{AtomicBool, Ordering};

use eventlog::LogError;

/// Bytes of a write-ahead file before its first page, and of each page in it: all files have pages of this size.
const AHEAD_HEAD: u64 = 32;
const AHEAD_PAGE: u64 = 24 + 4_096;
/// Says how many pages are written ahead, and does nothing.
const WRITTEN_AHEAD: &str = "pragma wal_checkpoint(noop)";

/// Bytes that a write-ahead file has at least when the index beside it speaks of so many pages.
pub fn bytes_ahead(pages: u64) -> u64 {
    AHEAD_HEAD + pages * AHEAD_PAGE
}

/// The files of a database, by their names and by what they are.
pub(crate) struct There {
    file: Found,
    /// What is written ahead.
    ahead: Found,
    /// The index of it that processes share.
    index: Found,
    saved: AtomicBool,
    told: AtomicBool,
    /// Of what was written ahead, a part is gone.
    is_cut: AtomicBool,
    /// Other files without which nothing may be written, each with what to do when it is gone.
    besides: RwLock<Vec<(Found, &'static str)>>,
}

/// A file or folder as it was opened.
#[derive(Debug)]
pub struct Found {
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
        let beside = |end: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            Found::of(PathBuf::from(name))
        };
        Self {
            file: Found::of(path.to_owned()),
            ahead: beside("-wal"),
            index: beside("-shm"),
            saved: AtomicBool::new(false),
            told: AtomicBool::new(false),
            is_cut: AtomicBool::new(false),
            besides: RwLock::default(),
        }
    }

    /// Lets nothing be written once this file is gone or another one.
    pub(crate) fn needs(&self, path: &Path, what_to_do: &'static str) {
        self.besides
            .write()
            .push((Found::of(path.to_owned()), what_to_do));
    }

    /// An error when a file is gone that the log does not need itself, and whose loss would take what is written now with it.
    pub(crate) fn besides(&self) -> Result<(), LogError> {
        let besides = self.besides.read();
        besides.iter().try_for_each(|(found, what_to_do)| {
            let gone = found.gone();
            gone.map_or(Ok(()), |what| {
                Err(LogError::DiskFailed(format!(
                    "`{}` {what}: {what_to_do}",
                    found.path.display()
                )))
            })
        })
    }

    /// An error when a name stands for another file by now, or for none: nothing may be written any more.
    pub(crate) fn still(&self) -> Result<(), LogError> {
        self.file.still()?;
        // Both of these are empty now and then.
        let empty = |found: &&&Found| found.now() != Now::Empty;
        let beside = [&self.ahead, &self.index];
        beside.iter().filter(empty).try_for_each(|found| found.still())?;
        if self.is_cut.load(Ordering::Acquire) {
            return Err(LogError::DiskFailed(format!(
                "`{}` was emptied or cut short: what it had not handed on to the file itself is lost; after the next start look \
                 whether `latchkey verify` finds it whole, otherwise take the newest backup",
                self.ahead.path.display()
            )));
        }
        Ok(())
    }

    /// As [`There::still`], for one more connection: SQLite would make a file of the name that is gone, and the connection
    /// would look for what was written ahead in there. Once all of that is moved nothing is missing.
    pub(crate) fn may_be_opened(&self) -> Result<(), LogError> {
        if self.saved.load(Ordering::Acquire) {
            return self.file.still();
        }
        self.still()
    }

    /// As [`There::still`], and an error where a part of what was written ahead is gone. Where only files beside the database's
    /// own are gone, all that was committed is moved into that one, through the connection that has them open: the next process
    /// finds it there. While somebody reads what is older that cannot be done; each look tries again, and waits for nobody.
    pub(crate) fn still_or_saved(&self, connection: &Connection, patience: Duration) -> Result<(), LogError> {
        if self.still().is_ok() && self.lacks_pages(connection) {
            self.is_cut.store(true, Ordering::Release);
        }
        let still = self.still();
        if still.is_ok() || self.saved.load(Ordering::Acquire) || self.is_cut.load(Ordering::Acquire) {
            return still;
        }
        if self.can_be_saved() {
            let moved = connection.busy_timeout(Duration::ZERO).and_then(|()| {
                connection.query_row("pragma wal_checkpoint(full)", [], |row| row.get::<_, bool>(0))
            });
            let waits = connection.busy_timeout(patience);
            match moved.and_then(|busy| waits.map(|()| busy)) {
                Ok(false) => {
                    self.saved.store(true, Ordering::Release);
                    let file = self.file.path.display();
                    tracing::warn!(%file, "what was written ahead is moved into the file itself");
                }
                Ok(true) => self.tell_unsaved("somebody reads"),
                Err(error) => self.tell_unsaved(&error.to_string()),
            }
        } else if self.file.now() == Now::Same {
            self.tell_unsaved(
                "another file has its name, and whoever made it may be at work in the database",
            );
        }
        still
    }

    /// Says once that this process alone has what was written ahead.
    fn tell_unsaved(&self, why: &str) {
        if !self.told.swap(true, Ordering::AcqRel) {
            let file = self.file.path.display();
            tracing::error!(%file, why, "what was written ahead is not moved yet and would be lost: do not stop the server before");
        }
    }

    /// A file that somebody else put in its place may be at work already. One that is empty is not: whoever opens the database
    /// to read makes it, and finds nothing in it.
    fn can_be_saved(&self) -> bool {
        let index = matches!(self.index.now(), Now::Same | Now::Empty | Now::Gone);
        let ahead = match self.ahead.now() {
            Now::Same | Now::Empty | Now::Gone => true,
            Now::Another => self.ahead.bytes() == Some(0),
        };
        self.file.now() == Now::Same && index && ahead
    }

    /// Whether the write-ahead file is shorter than the index of it says. Another process that has moved all of it empties it,
    /// too, and the index before it: so the index is asked again.
    fn lacks_pages(&self, connection: &Connection) -> bool {
        let indexed = || {
            let mut asked = connection.prepare_cached(WRITTEN_AHEAD).ok()?;
            let pages: i64 = asked.query_row([], |row| row.get(1)).ok()?;
            u64::try_from(pages).ok()
        };
        let Some(pages) = indexed().filter(|pages| *pages > 0) else {
            return false;
        };
        let needed = bytes_ahead(pages);
        self.ahead.bytes().is_some_and(|bytes| bytes < needed) && indexed() == Some(pages)
    }
}

impl Found {
    /// What stands under this name now.
    pub fn of(path: PathBuf) -> Self {
        let found = fs::metadata(&path).ok();
        Self {
            opened: found.as_ref().map(identity),
            // What is written ahead is emptied now and then.
            was_empty: path.to_string_lossy().ends_with("-wal")
                || found.is_some_and(|found| found.len() == 0),
            path,
        }
    }

    fn bytes(&self) -> Option<u64> {
        fs::metadata(&self.path).ok().map(|found| found.len())
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

    /// What became of it, where it is not what was opened any more.
    pub fn gone(&self) -> Option<&'static str> {
        match self.now() {
            Now::Another => Some("is another file than the one that was opened"),
            Now::Gone => Some("was deleted or moved away"),
            Now::Empty => Some("was emptied"),
            Now::Same => None,
        }
    }

    fn still(&self) -> Result<(), LogError> {
        self.gone().map_or(Ok(()), |what| {
            Err(LogError::DiskFailed(format!("`{}` {what}", self.path.display())))
        })
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
