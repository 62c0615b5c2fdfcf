//! Moves what was committed from the write-ahead file into the main file, off the writer's path. The file begins anew when all of
//! it is moved and nobody reads it, and then what is there is written over: a file that grows costs a commit twice as much.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use crate::error::{Error, meant};
use eventlog::LogError;
use eventlog::event::RecordedEvent;
use threads::atomic::{AtomicBool, Ordering};
use threads::mpsc::{Receiver, SyncSender, sync_channel};
use threads::{Mutex, thread};

/// Pages that may gather before a checkpoint is due. Under test much less, so that a file becomes long in seconds.
const DUE: usize = if cfg!(test) { 500 } else { 8_000 };
/// Pages that the writer moves itself, between two commits, so that nothing is left and its next one begins the file anew.
const FEW: i64 = if cfg!(test) { 100 } else { 1_000 };
/// How often the rest, written meanwhile, is moved again before it is few. Whoever writes faster than that goes on in the same file.
const PASSES: u32 = 4;
/// Pages one commit touches besides those that its events fill.
const PER_COMMIT: usize = 8;
/// Small events that fill a page, indexes included; what large ones say comes on top.
const PER_PAGE: usize = 2;
const PAGE_BYTES: usize = 4_096;
/// Pages touched for a stream that is older than the batch: its place in the index of revisions.
const PER_OLD_STREAM: usize = 1;

const PASSIVE: &str = "pragma wal_checkpoint(passive)";

/// Counts what is written and wakes the thread that checkpoints.
pub(super) struct Checkpointer {
    wake: SyncSender<()>,
    gathered: usize,
    shared: Arc<Shared>,
}

/// What the thread and the writer tell each other.
#[derive(Default)]
struct Shared {
    /// How the disk failed, once it has.
    failed: Mutex<Option<LogError>>,
    /// Few pages are left to be moved.
    few: AtomicBool,
}

impl Checkpointer {
    pub(super) fn start(path: &Path) -> Result<Self, Error> {
        let connection = super::connect(path)?;
        connection.busy_timeout(Duration::ZERO)?;
        let (wake, woken) = sync_channel(1);
        let shared = Arc::<Shared>::default();
        let told = shared.clone();
        thread::Builder::new()
            .name("log-checkpoint".to_owned())
            .spawn(move || run(&connection, &woken, &told))
            .map_err(|error| LogError::Storage(error.to_string()))?;
        // What an earlier process left behind counts too.
        Ok(Self {
            wake,
            gathered: 1,
            shared,
        })
    }

    /// An error when the disk failed while pages were moved: the writer must not go on.
    pub(super) fn well(&self) -> Result<(), LogError> {
        self.shared.failed.lock().clone().map_or(Ok(()), Err)
    }

    /// Moves what is left, because nobody writes just now.
    pub(super) fn rest(&mut self) {
        if self.gathered > 0 && self.wake.try_send(()).is_ok() {
            self.gathered = 0;
        }
    }

    /// Notes one commit of the writer, whose connection it is. The count is an estimate: a checkpoint too early or too late does
    /// no harm.
    pub(super) fn wrote(&mut self, events: &[RecordedEvent], old_streams: usize, writer: &Connection) {
        if self.shared.few.swap(false, Ordering::AcqRel) {
            self.shared.take_in(checkpoint(writer));
        }
        let said = |event: &RecordedEvent| {
            (event.payload.len() + event.sealed.as_deref().map_or(0, <[u8]>::len)) / PAGE_BYTES
        };
        let pages = events.len() / PER_PAGE + events.iter().map(said).sum::<usize>();
        self.gathered += PER_COMMIT + pages + old_streams * PER_OLD_STREAM;
        if self.gathered >= DUE && self.wake.try_send(()).is_ok() {
            self.gathered = 0;
        }
    }
}

impl Shared {
    /// Says whether the disk is well.
    fn take_in(&self, moved: rusqlite::Result<(i64, i64)>) -> bool {
        match moved.map_err(|error| meant(&error)) {
            Ok(_) => {}
            Err(error @ LogError::DiskFailed(_)) => {
                self.failed.lock().replace(error);
                return false;
            }
            Err(error) => tracing::warn!(%error, "the log's write-ahead file could not be shortened"),
        }
        true
    }
}

/// Whoever reads what is older, a backup for minutes, holds nobody up: what they still need is moved another time.
fn run(connection: &Connection, woken: &Receiver<()>, shared: &Shared) {
    while woken.recv().is_ok() {
        let mut before = 0;
        for _ in 0..PASSES {
            let moved = checkpoint(connection);
            let reached = *moved.as_ref().unwrap_or(&(0, 0));
            if !shared.take_in(moved) {
                return;
            }
            let (pages, moved) = reached;
            // A reader needs the rest, or the file was begun anew.
            if moved < pages || pages < before {
                break;
            }
            // As many as were written while the pass before went on are being written now.
            if pages - before <= FEW {
                shared.few.store(true, Ordering::Release);
                break;
            }
            before = pages;
        }
    }
}

/// Moves what nobody needs where it is, without waiting for anybody. Says how long the write-ahead file is and how much of it is
/// moved, in pages.
fn checkpoint(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let (pages, moved) = connection.query_row(PASSIVE, [], |row| Ok((row.get(1)?, row.get(2)?)))?;
    tracing::debug!(pages, moved, "checkpoint of the log");
    Ok((pages, moved))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Instant;

    use domain::id::UserId;
    use domain::sealed::Sealed;
    use rusqlite::Connection;
    use threads::atomic::Ordering;
    use uuid::Uuid;

    use super::Checkpointer;
    use crate::conformance::open;
    use eventlog::append::Expected;
    use eventlog_conformance::{AccountEvent, account, direct};

    /// How often the write-ahead file was begun: it says so in its first line.
    fn begun(path: &Path) -> u32 {
        let head = std::fs::read(path.with_extension("db-wal")).expect("a write-ahead file");
        u32::from_be_bytes(head[12..16].try_into().expect("four bytes"))
    }

    /// Of few pages that are left the writer leaves none so that the file begins anew.
    #[test]
    fn writer_moves_the_last_pages_so_the_wal_restarts() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("some.db");
        let writer = super::super::connect(&path).expect("opened");
        writer
            .execute_batch("create table note (n integer)")
            .expect("made");
        let mut checkpointer = Checkpointer::start(&path).expect("started");
        let mut write = |few: bool| {
            writer
                .execute("insert into note values (1)", [])
                .expect("written");
            checkpointer.shared.few.store(few, Ordering::Release);
            checkpointer.wrote(&[], 0, &writer);
            begun(&path)
        };
        let first = write(false);
        assert_eq!(write(true), first, "what is left is moved after the commit");
        assert_eq!(write(false), first + 1, "and the next one writes over it");
        assert_eq!(write(false), first + 1);
    }

    /// Whoever reads for long holds no writer up however long the write-ahead file is.
    #[tokio::test]
    async fn long_reader_never_delays_the_writer() {
        let dir = tempfile::tempdir().expect("a folder");
        let log = open(dir.path()).await;
        let text = "x".repeat(600_000);
        let note = |number| AccountEvent::Noted {
            about: UserId(Uuid::from_u128(1)),
            note: Sealed::new(format!("{number}{text}")),
        };
        let add = async |number: u128| {
            let append = direct(account(number), Expected::Any, &[note(number)]);
            log.append(append).await.expect("appended");
        };
        add(0).await;
        let reader = Connection::open(dir.path().join("log.db")).expect("the log");
        reader
            .execute_batch("begin; select count(*) from event")
            .expect("it reads");
        for number in 1..=24 {
            let begun = Instant::now();
            add(number).await;
            let took = begun.elapsed();
            assert!(
                took < super::super::PATIENCE / 2,
                "{number} was held up for {took:?}"
            );
        }
    }
}
