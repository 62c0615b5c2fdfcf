//! Moves what was committed from the write-ahead file into the main file, off the writer's path.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use crate::error::LogError;
use crate::event::RecordedEvent;
use threads::mpsc::{Receiver, SyncSender, sync_channel};
use threads::{Mutex, thread};

/// Pages (8 KiB) that may gather before a checkpoint is due.
const DUE: usize = 1_000;
/// Pages after which the writer waits for a moment so that the write-ahead file begins anew. While it writes without a
/// pause the file would never be empty, and never shorter; what is left to move by then is little.
/// Under test much less, so that a file becomes long in seconds.
const LONG: i64 = if cfg!(test) { 500 } else { 8_000 };
/// How long writers may be held up for it. Who reads what is older, a backup for minutes, is asked again with the next commits.
const MOMENT: Duration = Duration::from_millis(50);
/// Pages one commit touches besides those that its events fill.
const PER_COMMIT: usize = 8;
/// Small events that fill a page, indexes included; what large ones say comes on top.
const PER_PAGE: usize = 4;
const PAGE_BYTES: usize = 8_192;
/// Pages touched for a stream that is older than the batch: its head, and its place in the index of revisions.
const PER_OLD_STREAM: usize = 2;

/// Counts what is written and wakes the thread that checkpoints.
pub(super) struct Checkpointer {
    wake: SyncSender<()>,
    gathered: usize,
    /// How the disk failed, once it has.
    failed: Arc<Mutex<Option<LogError>>>,
}

impl Checkpointer {
    pub(super) fn start(path: &Path) -> Result<Self, LogError> {
        let connection = super::connect(path)?;
        // What begins the file anew holds the writers' lock while it waits for readers.
        connection.busy_timeout(MOMENT)?;
        let (wake, woken) = sync_channel(1);
        let failed = Arc::<Mutex<_>>::default();
        let told = failed.clone();
        thread::Builder::new()
            .name("log-checkpoint".to_owned())
            .spawn(move || run(&connection, &woken, &told))
            .map_err(|error| LogError::Storage(error.to_string()))?;
        // What an earlier process left behind counts too.
        Ok(Self {
            wake,
            gathered: 1,
            failed,
        })
    }

    /// An error when the disk failed while pages were moved: the writer must not go on.
    pub(super) fn well(&self) -> Result<(), LogError> {
        self.failed.lock().clone().map_or(Ok(()), Err)
    }

    /// Moves what is left, because nobody writes just now.
    pub(super) fn rest(&mut self) {
        if self.gathered > 0 && self.wake.try_send(()).is_ok() {
            self.gathered = 0;
        }
    }

    /// Notes one commit. The count is an estimate: a checkpoint too early or too late does no harm.
    pub(super) fn wrote(&mut self, events: &[RecordedEvent], old_streams: usize) {
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

fn run(connection: &Connection, woken: &Receiver<()>, failed: &Mutex<Option<LogError>>) {
    while woken.recv().is_ok() {
        // Passive never waits for readers or the writer; what they still hold is moved next time.
        let mut moved = checkpoint(connection, "pragma wal_checkpoint(passive)");
        if matches!(moved, Ok(pages) if pages > LONG) {
            moved = checkpoint(connection, "pragma wal_checkpoint(restart)");
        }
        match moved {
            Ok(_) => {}
            Err(error @ LogError::DiskFailed(_)) => {
                failed.lock().replace(error);
                return;
            }
            Err(error) => tracing::warn!(%error, "the log's write-ahead file could not be shortened"),
        }
    }
}

/// Says how long the write-ahead file was, in pages.
fn checkpoint(connection: &Connection, pragma: &str) -> Result<i64, LogError> {
    let moved = connection.query_row(pragma, [], |row| {
        Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
    });
    let (pages, moved) = moved?;
    tracing::debug!(pages, moved, "checkpoint of the log");
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use domain::id::UserId;
    use domain::sealed::Sealed;
    use rusqlite::Connection;
    use uuid::Uuid;

    use crate::append::Expected;
    use crate::conformance::{AccountEvent, account, direct, open};

    #[tokio::test]
    async fn whoever_reads_for_long_holds_no_writer_up_however_long_the_write_ahead_file_is() {
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
