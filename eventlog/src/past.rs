//! The log as it stood at a position: read like any other, and never written (row N1).

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

/// A backend whose log ends at a position.
pub(crate) struct Until {
    whole: Arc<dyn Backend>,
    end: Position,
    /// Never moves; it lives as long as its receivers.
    grown: watch::Sender<Position>,
}

impl Until {
    pub(crate) fn new(whole: Arc<dyn Backend>, end: Position) -> Self {
        Self {
            whole,
            end,
            grown: watch::Sender::new(end),
        }
    }

    fn cut(&self, mut events: Vec<RecordedEvent>) -> Vec<RecordedEvent> {
        events.retain(|event| event.position <= self.end);
        events
    }
}

impl Backend for Until {
    fn capabilities(&self) -> Capabilities {
        self.whole.capabilities()
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let error = LogError::Refused("the past cannot be written".into());
        Err(Box::new(Refused {
            append,
            error: AppendError::Log(error),
        }))
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move { Ok(self.cut(self.whole.read_stream(stream, after, limit).await?)) })
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            if after >= self.end {
                return Ok(Vec::new());
            }
            Ok(self.cut(self.whole.read_all(after, limit).await?))
        })
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            let found = self.whole.read_correlated(correlation_id, after, limit).await?;
            Ok(self.cut(found))
        })
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            if first > self.end {
                return Ok(Vec::new());
            }
            self.whole.span(first, last.min(self.end)).await
        })
    }

    fn head(&self) -> Asked<'_, Position> {
        Box::pin(async move { Ok(self.whole.head().await?.min(self.end)) })
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.grown.subscribe()
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
    use crate::{Actor, Context, commit};

    #[tokio::test]
    async fn past_log_ends_where_it_was_cut() {
        let log = EventLog::memory();
        let id = AccountId(Uuid::from_u128(7));
        let context = || Context::new(crate::clock::now(), Actor::SYSTEM);
        let opened = commit::<Account>(&log, id, AccountCommand::Deposit(5), &context())
            .await
            .unwrap();
        commit::<Account>(&log, id, AccountCommand::Deposit(7), &context())
            .await
            .unwrap();
        let past = log.until(opened.position);
        assert_eq!(past.head().await.unwrap(), opened.position);
        assert_eq!(past.read_all(0, 10).await.unwrap().len(), 1);
        let stream = StreamId::of::<Account>(id);
        assert_eq!(past.read_stream(&stream, 0, 10).await.unwrap().len(), 1);
        assert_eq!(past.load::<Account>(id).await.unwrap().revision, 1);
        assert_eq!(log.load::<Account>(id).await.unwrap().revision, 2);
        let refused = commit::<Account>(&past, id, AccountCommand::Deposit(1), &context()).await;
        assert!(refused.is_err());
        assert_eq!(log.head().await.unwrap(), opened.position + 1);
    }
}
