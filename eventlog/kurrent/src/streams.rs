//! Reading: what counts of a stream and of `$all`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use eventlog::port::Keyring;
use eventlog::{LogError, Position, RecordedEvent, Revision, StoredShape, StreamId};
use kurrentdb::StreamState;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::commands::Commands;
use crate::names::Names;
use crate::record::{Content, Ending, Item, Outgoing, Part, Stored, item, stored};
use crate::session::Session;

/// Events asked for at once.
const PAGE: usize = 512;
/// Events at a stream's end asked for at once: nearly always the last one is enough.
const END: usize = 8;
/// Events at the log's end among which transactions may still be open when a node starts.
const TAIL: usize = 4_096;

/// A stream's end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The server's number of the last event, counted or not.
    pub(crate) number: Option<u64>,
    pub(crate) revision: Revision,
    pub(crate) last: Option<Uuid>,
    /// The transaction at its end that has not ended.
    pub(crate) open: Option<Part>,
}

impl Head {
    pub(crate) fn expected(&self) -> StreamState {
        self.number
            .map_or(StreamState::NoStream, StreamState::StreamRevision)
    }
}

/// A cheap handle.
#[derive(Clone)]
pub(crate) struct Streams {
    pub(crate) session: Session,
    pub(crate) names: Names,
    pub(crate) commands: Arc<Commands>,
    pub(crate) keys: Keyring,
}

#[derive(Serialize, Deserialize)]
struct NotedShape {
    kind: String,
    event_type: String,
    schema_version: u32,
}

impl Streams {
    pub(crate) fn new(session: Session, names: Names, commands: Arc<Commands>, keys: Keyring) -> Self {
        Self {
            session,
            names,
            commands,
            keys,
        }
    }

    fn stored(&self, events: &[kurrentdb::RecordedEvent]) -> Result<Vec<Stored>, LogError> {
        let ours = events
            .iter()
            .map(|event| stored(&self.names, &self.keys, event).transpose());
        ours.flatten().collect()
    }

    /// Up to `limit` events of a stream that count, after a revision. An event of a transaction counts when the next one
    /// goes on from it; only the last ones of a stream have to be asked about.
    pub(crate) async fn read(
        &self,
        stream: StreamId,
        after: Revision,
        limit: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let name = self.names.stream(&stream);
        let mut run = Run::default();
        let mut counted = Vec::new();
        // Events that never counted only push the server's numbers up, so nothing after `after` has a smaller one.
        let mut from = after;
        loop {
            let page = self.session.forwards(&name, from, PAGE).await?;
            let ended = page.len() < PAGE;
            from += page.len() as u64;
            for event in self.stored(&page)? {
                if !run.holds(&event) {
                    counted.extend(run.end_before(event.event.revision));
                }
                match event.part {
                    Some(_) => run.0.push(event),
                    None => counted.push(event.event),
                }
            }
            if ended {
                if let Some(part) = run.part()
                    && self.commands.ending(part).await? == Some(Ending::Committed)
                {
                    counted.extend(run.end());
                }
                break;
            }
            if counted.iter().filter(|event| event.revision > after).count() >= limit {
                break;
            }
        }
        counted.retain(|event| event.revision > after);
        counted.truncate(limit);
        Ok(counted)
    }

    /// Where a stream stands at the server now.
    pub(crate) async fn head(&self, stream: StreamId) -> Result<Head, LogError> {
        let name = self.names.stream(&stream);
        let mut head = Head::default();
        // The event after the one looked at, which does not count: its revision and its transaction.
        let mut after: Option<(Revision, Part)> = None;
        let mut from = None;
        loop {
            let page = self.session.backwards(&name, from, END).await?;
            let ended = page.len() < END;
            for event in self.stored(&page)? {
                head.number = head.number.or(Some(event.number));
                let revision = event.event.revision;
                let counts = match (event.part, after) {
                    (None, _) => true,
                    (Some(part), Some((_, same))) if part == same => false,
                    // Decided by what was written after it.
                    (Some(_), Some((next, _))) => next > revision,
                    (Some(part), None) => {
                        let ending = self.commands.ending(part).await?;
                        if ending.is_none() {
                            head.open = Some(part);
                        }
                        ending == Some(Ending::Committed)
                    }
                };
                if counts {
                    head.revision = revision;
                    head.last = Some(event.event.event_id);
                    return Ok(head);
                }
                after = event.part.map(|part| (revision, part));
                from = event.number.checked_sub(1);
            }
            if ended || from.is_none() {
                return Ok(head);
            }
        }
    }

    fn items(&self, events: &[kurrentdb::RecordedEvent]) -> Result<Vec<Item>, LogError> {
        let items = events.iter().map(|event| item(&self.names, &self.keys, event));
        items.collect()
    }

    /// Up to `limit` events of `$all` that count, after a position.
    pub(crate) async fn read_all(
        &self,
        after: Position,
        limit: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let mut counted = Vec::new();
        let mut from = after;
        let mut first = after == 0;
        loop {
            let page = self.session.all(&self.names.filter(), from, PAGE).await?;
            let ended = page.len() < PAGE;
            let items = self.items(&page)?;
            let mut endings = endings(&items);
            let start = from;
            let fresh = items.iter().filter(|item| item.position > start || first);
            self.settle(fresh.take(limit - counted.len()), &mut endings)
                .await?;
            for item in items {
                // A read begins with the event at its position, which was seen before.
                if item.position < start || (item.position == start && !first) {
                    continue;
                }
                from = item.position;
                let Content::Event(event) = item.content else {
                    continue;
                };
                if self.counts(event.part, &endings).await? {
                    counted.push(event.event);
                }
                if counted.len() == limit {
                    return Ok(counted);
                }
            }
            first = false;
            if ended {
                return Ok(counted);
            }
        }
    }

    /// All events that count from the one at `first` to the one at `last`.
    pub(crate) async fn span(&self, first: Position, last: Position) -> Result<Vec<RecordedEvent>, LogError> {
        let Some(at_first) = self.session.at(&self.names.filter(), first).await? else {
            return Ok(Vec::new());
        };
        let items = self.items(&[at_first])?;
        let mut events = Vec::new();
        for item in items {
            if let Content::Event(event) = item.content
                && self.counts(event.part, &HashMap::new()).await?
            {
                events.push(event.event);
            }
        }
        let mut after = first;
        while after < last {
            let page = self.read_all(after, PAGE).await?;
            let Some(end) = page.last() else { break };
            after = end.position;
            events.extend(page.into_iter().filter(|event| event.position <= last));
        }
        Ok(events)
    }

    async fn counts(&self, part: Option<Part>, endings: &HashMap<Uuid, Ending>) -> Result<bool, LogError> {
        let Some(part) = part else { return Ok(true) };
        let ending = match endings.get(&part.transaction) {
            Some(ending) => *ending,
            None => self.commands.settled(part).await?,
        };
        Ok(ending == Ending::Committed)
    }

    /// Adds the endings of which nothing was told yet of the transactions of some events.
    async fn settle<'a>(
        &self,
        items: impl Iterator<Item = &'a Item>,
        endings: &mut HashMap<Uuid, Ending>,
    ) -> Result<(), LogError> {
        let parts = items.filter_map(|item| match &item.content {
            Content::Event(event) => event.part,
            Content::Ending(..) | Content::Other => None,
        });
        let untold = parts.filter(|part| !endings.contains_key(&part.transaction));
        let settled = self.commands.all_settled(untold.collect()).await?;
        endings.extend(settled);
        Ok(())
    }

    /// The position of the last event that counts, and how far that was looked at: every transaction up to there has ended.
    pub(crate) async fn end(&self) -> Result<(Position, Position), LogError> {
        let mut count = TAIL;
        loop {
            let mut last = self.session.last(&self.names.filter(), count).await?;
            let all = last.len() < count;
            last.reverse();
            let items = self.items(&last)?;
            let mut endings = endings(&items);
            self.settle(items.iter(), &mut endings).await?;
            let seen = items.last().map_or(0, |item| item.position);
            let mut head = None;
            for item in &items {
                if let Content::Event(event) = &item.content
                    && self.counts(event.part, &endings).await?
                {
                    head = Some(item.position);
                }
            }
            if let Some(head) = head.or(all.then_some(0)) {
                return Ok((head, seen));
            }
            count *= 4;
        }
    }

    /// The shapes that were noted.
    pub(crate) async fn shapes(&self) -> Result<BTreeSet<StoredShape>, LogError> {
        let noted = self.session.forwards(&self.names.shapes(), 0, usize::MAX).await?;
        let shape = |event: &kurrentdb::RecordedEvent| {
            let noted: NotedShape = serde_json::from_slice(&event.data).map_err(|error| {
                LogError::Storage(format!("shape {} of the log: {error}", event.revision))
            })?;
            Ok(StoredShape {
                kind: noted.kind,
                event_type: noted.event_type,
                schema_version: noted.schema_version,
            })
        };
        noted.iter().map(shape).collect()
    }

    /// Notes shapes before their first events are written. Noting one twice does no harm.
    pub(crate) async fn note(&self, shapes: &[StoredShape]) -> Result<(), LogError> {
        let notes = shapes.iter().map(|shape| {
            let words = format!("{} {} {}", shape.kind, shape.event_type, shape.schema_version);
            let hash: [u8; 32] = Sha256::digest(words).into();
            let mut id = [0; 16];
            id.copy_from_slice(&hash[..16]);
            let noted = NotedShape {
                kind: shape.kind.clone(),
                event_type: shape.event_type.clone(),
                schema_version: shape.schema_version,
            };
            Outgoing::note(
                uuid::Builder::from_custom_bytes(id).into_uuid(),
                "latchkey-shape",
                &noted,
            )
        });
        for note in notes {
            self.session
                .append(&self.names.shapes(), StreamState::Any, &[note?])
                .await?;
        }
        Ok(())
    }
}

/// How transactions ended, as far as these tell.
fn endings(items: &[Item]) -> HashMap<Uuid, Ending> {
    let mut endings = HashMap::new();
    for item in items {
        if let Content::Ending(part, ending) = &item.content {
            endings.entry(part.transaction).or_insert(*ending);
        }
    }
    endings
}

/// Events of one transaction in one stream, side by side.
#[derive(Default)]
struct Run(Vec<Stored>);

impl Run {
    fn part(&self) -> Option<Part> {
        self.0.last().and_then(|event| event.part)
    }

    /// Whether an event goes on with it.
    fn holds(&self, event: &Stored) -> bool {
        self.part().is_some() && self.part() == event.part
    }

    /// They count when what was written after them goes on from them.
    fn end_before(&mut self, revision: Revision) -> impl Iterator<Item = RecordedEvent> {
        let counts = self.0.last().is_some_and(|last| revision > last.event.revision);
        self.end().filter(move |_| counts)
    }

    fn end(&mut self) -> impl Iterator<Item = RecordedEvent> {
        std::mem::take(&mut self.0).into_iter().map(|event| event.event)
    }
}
