//! The log as if one of its events had not been recorded: read like any other, and never written (row N3).

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::watch;
use uuid::Uuid;

use crate::append::Append;
use crate::error::{AppendError, LogError};
use crate::event::RecordedEvent;
use crate::port::{Asked, Backend, Capabilities, Pending, Refused};
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};

/// A backend that skips one event. The others keep their positions and revisions.
pub(crate) struct Without {
    whole: Arc<dyn Backend>,
    left_out: Position,
}

impl Without {
    pub(crate) fn new(whole: Arc<dyn Backend>, left_out: Position) -> Self {
        Self { whole, left_out }
    }

    /// Up to `limit` events of a read of one more: a shorter page means to a reader that the end is reached.
    async fn page(
        &self,
        limit: usize,
        read: Asked<'_, Vec<RecordedEvent>>,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let mut events = read.await?;
        events.retain(|event| event.position != self.left_out);
        events.truncate(limit);
        Ok(events)
    }
}

impl Backend for Without {
    fn capabilities(&self) -> Capabilities {
        self.whole.capabilities()
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let error = LogError::Refused("a log without one of its events cannot be written".into());
        Err(Box::new(Refused {
            append,
            error: AppendError::Log(error),
        }))
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        let read = self.whole.read_stream(stream, after, limit.saturating_add(1));
        Box::pin(self.page(limit, read))
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        let read = self.whole.read_all(after, limit.saturating_add(1));
        Box::pin(self.page(limit, read))
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        let more = limit.saturating_add(1);
        let read = self.whole.read_correlated(correlation_id, after, more);
        Box::pin(self.page(limit, read))
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        let read = self.whole.span(first, last);
        Box::pin(self.page(usize::MAX, read))
    }

    fn head(&self) -> Asked<'_, Position> {
        self.whole.head()
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.whole.watch()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        self.whole.shapes()
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        self.whole.verify(since)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use crate::account::{Account, AccountCommand, AccountId};
    use crate::log::EventLog;
    use crate::stream::StreamId;
    use crate::{Actor, Context, Position, commit};

    const ACCOUNT: AccountId = AccountId(Uuid::from_u128(7));

    async fn deposit(log: &EventLog, amount: i64) -> Position {
        let context = Context::new(crate::clock::now(), Actor::SYSTEM);
        let done = commit::<Account>(log, ACCOUNT, AccountCommand::Deposit(amount), &context).await;
        done.unwrap().position
    }

    async fn revisions(log: &EventLog, limit: usize) -> Vec<u64> {
        let stream = StreamId::of::<Account>(ACCOUNT);
        let events = log.read_stream(&stream, 0, limit).await.unwrap();
        events.iter().map(|event| event.revision).collect()
    }

    #[tokio::test]
    async fn log_without_an_event_reads_full_pages_of_the_rest() {
        let log = EventLog::memory();
        deposit(&log, 5).await;
        let second = deposit(&log, 7).await;
        let last = deposit(&log, 9).await;
        let without = log.without(second);
        assert_eq!(revisions(&without, 2).await, [1, 3]);
        assert_eq!(revisions(&without, 1).await, [1]);
        assert_eq!(without.read_all(0, 10).await.unwrap().len(), 2);
        assert_eq!(without.span(second, second).await.unwrap().len(), 0);
        assert_eq!(without.load::<Account>(ACCOUNT).await.unwrap().revision, 3);
        assert_eq!(without.head().await.unwrap(), last);
        assert_eq!(revisions(&log, 10).await, [1, 2, 3]);
    }

    #[tokio::test]
    async fn branch_without_the_last_event_grows_in_its_place() {
        let log = EventLog::memory();
        deposit(&log, 5).await;
        let last = deposit(&log, 7).await;
        let branch = log.without(last).branch(last);
        assert_eq!(deposit(&branch, 9).await, last + 1);
        assert_eq!(revisions(&branch, 10).await, [1, 2]);
        let added = branch.read_all(last, 10).await.unwrap();
        assert_eq!(added.len(), 1);
        assert_eq!(log.head().await.unwrap(), last);
    }

    #[tokio::test]
    async fn log_without_an_event_takes_no_writes() {
        let log = EventLog::memory();
        let only = deposit(&log, 5).await;
        let context = Context::new(crate::clock::now(), Actor::SYSTEM);
        let asked = AccountCommand::Deposit(1);
        let refused = commit::<Account>(&log.without(only), ACCOUNT, asked, &context).await;
        assert!(refused.is_err());
        assert_eq!(log.head().await.unwrap(), only);
    }
}
