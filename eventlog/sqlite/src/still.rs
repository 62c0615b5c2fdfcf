//! A log in a file that nothing writes to, such as a copy: read and verified without a write-ahead file beside it.

use std::collections::BTreeSet;
use std::path::Path;

use eventlog::port::{Asked, Backend, Capabilities, Evidence, Keyring, Pending, Refused};
use eventlog::reads::Reads;
use eventlog::verify::{Anchor, Verdict};
use eventlog::{
    Append, AppendError, EventLog, HandleHasher, LogError, Position, RecordedEvent, Revision, StoredShape,
    StreamId,
};
use tokio::sync::watch;

use super::read::Readers;

/// The log in the file at `path`, opened for reading alone; `keys` and `handles` are those it was written with.
///
/// # Errors
/// When the file cannot be read.
pub async fn open_still(path: &Path, keys: Keyring, handles: HandleHasher) -> Result<EventLog, LogError> {
    let readers = Readers::new(path, keys.clone());
    let end = Evidence::end(&readers).await?.position;
    let still = Still {
        readers,
        grown: watch::Sender::new(end),
    };
    Ok(EventLog::on(still, keys, handles))
}

/// Readers of a file without a writer.
struct Still {
    readers: Readers,
    /// Never moves; it lives as long as its receivers.
    grown: watch::Sender<Position>,
}

impl Backend for Still {
    fn capabilities(&self) -> Capabilities {
        Reads::capabilities(&self.readers)
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let error = AppendError::Log(LogError::Refused("a copy cannot be written".to_owned()));
        Err(Box::new(Refused { append, error }))
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Reads::read_stream(&self.readers, stream, after, limit)
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Reads::read_all(&self.readers, after, limit)
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        let count = usize::try_from((last + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        self.read_all(first.saturating_sub(1), count)
    }

    fn head(&self) -> Asked<'_, Position> {
        Box::pin(std::future::ready(Ok(*self.grown.borrow())))
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.grown.subscribe()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        Reads::shapes(&self.readers)
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        Reads::verify(&self.readers, since)
    }

    fn evidence(&self) -> Option<&dyn Evidence> {
        Some(&self.readers)
    }
}
