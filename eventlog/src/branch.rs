//! A branch of the log (row N3): it begins as the log stood at a position and keeps what is added to it in memory. The log that it was
//! taken from holds nothing of it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use tokio::sync::{Mutex, oneshot, watch};
use uuid::Uuid;

use crate::append::{Append, Appended};
use crate::clock;
use crate::error::{AppendError, LogError};
use crate::event::RecordedEvent;
use crate::past::Until;
use crate::plan::{Head, Standing, StoredCommand, StreamHead, plan};
use crate::port::{Asked, Backend, Capabilities, Pending, Refused};
use crate::seal::Keyring;
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{Anchor, Verdict};

/// Events read at once where a stream's end is looked for.
const PAGE: usize = 1_000;

/// A backend that adds to a log without writing to it. Appends are decided one after another in the order in which they are awaited.
pub(crate) struct Branch(Arc<Stem>);

struct Stem {
    base: Until,
    keys: Keyring,
    added: Mutex<Added>,
    grown: watch::Sender<Position>,
}

/// What the branch holds beyond its base.
struct Added {
    head: Head,
    events: Vec<RecordedEvent>,
    commands: HashMap<Uuid, StoredCommand>,
}

impl Branch {
    pub(crate) fn new(whole: Arc<dyn Backend>, keys: Keyring, end: Position) -> Self {
        let head = Head {
            position: end,
            ..Head::default()
        };
        Self(Arc::new(Stem {
            base: Until::new(whole, end),
            keys,
            added: Mutex::new(Added {
                head,
                events: Vec::new(),
                commands: HashMap::new(),
            }),
            grown: watch::Sender::new(end),
        }))
    }

    /// Events of the base, then those that were added.
    async fn joined(
        &self,
        below: Asked<'_, Vec<RecordedEvent>>,
        is_asked: impl Fn(&RecordedEvent) -> bool + Send,
        limit: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let mut events = below.await?;
        let added = self.0.added.lock().await;
        events.extend(added.events.iter().filter(|event| is_asked(event)).cloned());
        events.truncate(limit);
        Ok(events)
    }
}

impl Stem {
    async fn take(&self, append: Append) -> Result<Appended, AppendError> {
        let mut added = self.added.lock().await;
        let standing = self.standing(&added, &append).await?;
        let keys = self.keys.clone();
        // Sealing may read keys from a disk.
        let planned = threads::spawn_blocking(move || {
            let (plan, answers) = plan(&[&append], standing, &keys, clock::now());
            (plan, answers.into_iter().next())
        });
        let (plan, answer) = planned
            .await
            .map_err(|error| AppendError::Log(LogError::Storage(error.to_string())))?;
        added.head = plan.head;
        added.events.extend(plan.events);
        added.commands.extend(plan.commands);
        self.grown.send_replace(added.head.position);
        answer.unwrap_or(Err(AppendError::Log(LogError::Closed)))
    }

    /// Everything that an append names, as it stands on the branch.
    async fn standing(&self, added: &Added, append: &Append) -> Result<Standing, LogError> {
        let mut streams = HashMap::new();
        let guarded = append.guards.iter().map(|guard| guard.stream);
        for stream in append.streams.iter().map(|part| part.stream).chain(guarded) {
            let newest = added.events.iter().rev().find(|event| event.stream == stream);
            let head = match newest {
                Some(event) => Some((event.revision, event.event_id)),
                None => self.end_below(stream).await?,
            };
            if let Some((revision, last)) = head {
                let head = StreamHead {
                    key: None,
                    revision,
                    last: Some(last),
                };
                streams.insert(stream, head);
            }
        }
        Ok(Standing {
            head: added.head,
            streams,
            commands: added.commands.clone(),
        })
    }

    async fn end_below(&self, stream: StreamId) -> Result<Option<(Revision, Uuid)>, LogError> {
        let mut end = None;
        loop {
            let after = end.map_or(0, |(revision, _)| revision);
            let page = self.base.read_stream(stream, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(end) };
            end = Some((last.revision, last.event_id));
            if page.len() < PAGE {
                return Ok(end);
            }
        }
    }
}

impl Backend for Branch {
    fn capabilities(&self) -> Capabilities {
        self.0.base.capabilities()
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        let (answer, pending) = oneshot::channel();
        let stem = self.0.clone();
        tokio::spawn(async move {
            // A caller that went away needs no answer.
            drop(answer.send(stem.take(append).await));
        });
        Ok(pending)
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        let below = self.0.base.read_stream(stream, after, limit);
        let is_asked = move |event: &RecordedEvent| event.stream == stream && event.revision > after;
        Box::pin(self.joined(below, is_asked, limit))
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        let below = self.0.base.read_all(after, limit);
        Box::pin(self.joined(below, move |event| event.position > after, limit))
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        let below = self.0.base.read_correlated(correlation_id, after, limit);
        let is_asked =
            move |event: &RecordedEvent| event.correlation_id == correlation_id && event.position > after;
        Box::pin(self.joined(below, is_asked, limit))
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        let below = self.0.base.span(first, last);
        let is_asked = move |event: &RecordedEvent| (first..=last).contains(&event.position);
        Box::pin(self.joined(below, is_asked, usize::MAX))
    }

    fn head(&self) -> Asked<'_, Position> {
        Box::pin(async move { Ok(self.0.added.lock().await.head.position) })
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.0.grown.subscribe()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        self.0.base.shapes()
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        self.0.base.verify(since)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use crate::account::{Account, AccountCommand, AccountId};
    use crate::log::EventLog;
    use crate::{Actor, Context, Position, commit};

    async fn deposit(log: &EventLog, amount: i64, command: Option<Uuid>) -> (Position, bool) {
        let mut context = Context::new(crate::clock::now(), Actor::SYSTEM);
        context.command_id = command;
        let id = AccountId(Uuid::from_u128(7));
        let done = commit::<Account>(log, id, AccountCommand::Deposit(amount), &context).await;
        let done = done.unwrap();
        (done.position, done.repeated)
    }

    #[tokio::test]
    async fn branch_grows_and_the_log_does_not() {
        let log = EventLog::memory();
        let id = AccountId(Uuid::from_u128(7));
        let (base, _) = deposit(&log, 5, None).await;
        deposit(&log, 1, None).await;
        let branch = log.branch(base);
        deposit(&branch, 7, None).await;
        deposit(&branch, 9, None).await;
        assert_eq!(branch.load::<Account>(id).await.unwrap().revision, 3);
        assert_eq!(branch.head().await.unwrap(), base + 2);
        let added = branch.read_all(base, 10).await.unwrap();
        assert_eq!(
            added.iter().map(|event| event.revision).collect::<Vec<_>>(),
            [2, 3]
        );
        assert_eq!(log.head().await.unwrap(), base + 1);
        assert_eq!(log.load::<Account>(id).await.unwrap().revision, 2);
    }

    #[tokio::test]
    async fn branch_does_a_command_once() {
        let log = EventLog::memory();
        let (base, _) = deposit(&log, 5, None).await;
        let branch = log.branch(base);
        let command = Some(Uuid::from_u128(9));
        assert!(!deposit(&branch, 7, command).await.1);
        assert!(deposit(&branch, 7, command).await.1);
        assert_eq!(branch.head().await.unwrap(), base + 1);
        assert!(!deposit(&log, 7, command).await.1);
    }
}
