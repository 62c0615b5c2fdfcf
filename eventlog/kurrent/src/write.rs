//! Writing. An addition to one stream without command and guards is one append of the server. Any other is a transaction in
//! steps, after the manner of Silo and Percolator: first its events are appended to their streams, marked as parts, each at the
//! server's expected revision; then the guards are looked at; and the last step is one event in the stream of its command, at
//! that stream's expected revision, which makes all of them count at once. Before it nobody sees any of them, and whoever meets
//! them may take them back; after it they are there for good. So a process may die between any two steps.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use eventlog::port::Keyring;
use eventlog::{
    Append, AppendError, Appended, Expected, LogError, Position, Revision, StoredShape, StreamAppend,
    StreamId,
};
use parking_lot::Mutex;
use rand::Rng as _;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::commands::{Commands, Commit, Done, History, Written};
use crate::follow::{Follower, Waiting};
use crate::record::{Outgoing, Part};
use crate::session::Wrote;
use crate::streams::{Head, Streams};

/// How often a request is tried anew when others were faster.
const ATTEMPTS: u32 = 40;
/// Requests at the server at a time.
const SIDE_BY_SIDE: usize = 256;
/// Ends of streams kept in memory.
const HEADS: usize = 65_536;
/// How long to wait until what was written is heard of.
const HEARING: Duration = Duration::from_secs(10);

pub(crate) struct Desk {
    streams: Streams,
    commands: Arc<Commands>,
    follower: Arc<Follower>,
    keys: Keyring,
    heads: Mutex<HashMap<StreamId, Head>>,
    noted: Mutex<BTreeSet<StoredShape>>,
    room: Semaphore,
}

/// What is durable, and not yet told.
pub(crate) enum Durable {
    /// There was nothing to write.
    Nothing(Option<Vec<u8>>),
    Repeated(Done),
    Written {
        written: Vec<Written>,
        first: Waiting,
        last: Waiting,
        reply: Option<Vec<u8>>,
    },
}

/// What one try came to, when it is not an error.
enum Tried {
    Done(Durable),
    /// Somebody was in the way.
    Again,
}

impl Desk {
    pub(crate) async fn open(
        streams: Streams,
        commands: Arc<Commands>,
        follower: Arc<Follower>,
        keys: Keyring,
    ) -> Result<Arc<Self>, LogError> {
        let noted = streams.shapes().await?;
        Ok(Arc::new(Self {
            streams,
            commands,
            follower,
            keys,
            heads: Mutex::default(),
            noted: Mutex::new(noted),
            room: Semaphore::new(SIDE_BY_SIDE),
        }))
    }

    /// Makes a request durable, or says why not.
    pub(crate) async fn write(&self, append: &Append) -> Result<Durable, AppendError> {
        let _room = self.room.acquire().await;
        for attempt in 0..ATTEMPTS {
            match self.attempt(append).await? {
                Tried::Done(durable) => return Ok(durable),
                Tried::Again => {
                    let longest = 2_000 * u64::from(attempt.min(10) + 1);
                    let wait = rand::rng().random_range(0..=longest);
                    tokio::time::sleep(Duration::from_micros(wait)).await;
                }
            }
        }
        Err(AppendError::Busy)
    }

    async fn attempt(&self, append: &Append) -> Result<Tried, AppendError> {
        let mut history = History::default();
        if let Some(command) = append.context.command_id {
            history = self.commands.history(command).await?;
            if let Some(done) = history.done {
                return known(append, done);
            }
        }
        let heads = self.heads(append).await?;
        if append.probe {
            return Ok(Tried::Done(Durable::Nothing(None)));
        }
        self.prepare_keys(append).await?;
        let transaction = Uuid::now_v7();
        let writing: Vec<&StreamAppend> = append.streams.iter().filter(|it| !it.events.is_empty()).collect();
        if writing.is_empty() && append.context.command_id.is_none() {
            return Ok(Tried::Done(Durable::Nothing(append.reply.clone())));
        }
        self.note_shapes(&writing).await?;
        let alone = writing.len() == 1
            && append.streams.len() == 1
            && append.guards.is_empty()
            && append.context.command_id.is_none();
        let part = (!alone).then_some(Part {
            transaction,
            command: append.context.command_id.unwrap_or(transaction),
        });
        let ends_told = self.expect(&writing);
        let Some((written, ends)) = self.add_all(append, &writing, &heads, part).await? else {
            return Ok(Tried::Again);
        };
        if let Some(part) = part {
            if !self.still_stand(append, part).await? {
                return Ok(Tried::Again);
            }
            let committed = self
                .commands
                .commit(part, append, written.clone(), history)
                .await?;
            if let Commit::Lost(history) = committed {
                self.forget(&ends);
                return match history.done {
                    Some(done) => known(append, done),
                    None => Ok(Tried::Again),
                };
            }
        }
        self.remember(ends);
        let reply = append.reply.clone();
        Ok(Tried::Done(match ends_told {
            Some((first, last)) => Durable::Written {
                written,
                first,
                last,
                reply,
            },
            None => Durable::Nothing(reply),
        }))
    }

    /// Where the streams stand that a request names, when all of them stand as it expects.
    async fn heads(&self, append: &Append) -> Result<HashMap<StreamId, Head>, AppendError> {
        let mut heads = HashMap::new();
        let written = append
            .streams
            .iter()
            .map(|it| (it.stream, it.expected, it.events.is_empty()));
        let guarded = append.guards.iter().map(|it| (it.stream, it.expected, true));
        for (stream, expected, only_looked_at) in written.chain(guarded) {
            let kept = self.heads.lock().get(&stream).copied();
            let kept = kept.filter(|head| !only_looked_at && stands(*head, expected));
            let head = match kept {
                Some(head) => head,
                None => self.fresh(stream).await?,
            };
            if !stands(head, expected) {
                return Err(AppendError::Conflict {
                    stream,
                    current: head.revision,
                });
            }
            heads.insert(stream, head);
        }
        Ok(heads)
    }

    /// Where a stream stands at the server, once nobody's transaction is open at its end.
    async fn fresh(&self, stream: StreamId) -> Result<Head, LogError> {
        loop {
            let head = self.streams.head(stream).await?;
            let Some(open) = head.open else {
                return Ok(head);
            };
            self.commands.settled(open).await?;
        }
    }

    async fn prepare_keys(&self, append: &Append) -> Result<(), LogError> {
        let events = append.streams.iter().flat_map(|part| &part.events);
        let subjects: HashSet<UserId> = events.filter_map(|event| event.subject).collect();
        if subjects.is_empty() {
            return Ok(());
        }
        let keys = self.keys.clone();
        let subjects: Vec<UserId> = subjects.into_iter().collect();
        tokio::task::spawn_blocking(move || keys.prepare(&subjects))
            .await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    async fn note_shapes(&self, writing: &[&StreamAppend]) -> Result<(), LogError> {
        let shapes = writing.iter().flat_map(|addition| {
            addition.events.iter().map(|event| StoredShape {
                kind: addition.stream.kind.to_owned(),
                event_type: event.event_type.clone(),
                schema_version: event.schema_version,
            })
        });
        let new: Vec<StoredShape> = {
            let noted = self.noted.lock();
            shapes.filter(|shape| !noted.contains(shape)).collect()
        };
        if !new.is_empty() {
            self.streams.note(&new).await?;
            self.noted.lock().extend(new);
        }
        Ok(())
    }

    fn expect(&self, writing: &[&StreamAppend]) -> Option<(Waiting, Waiting)> {
        let first = writing.first()?.events.first()?.event_id;
        let last = writing.last()?.events.last()?.event_id;
        // Of one event there is one to wait for; it is told twice below.
        Some((self.follower.expect(first), self.follower.expect(last)))
    }

    /// Appends every stream's events behind its head; when one stands elsewhere, all are taken back.
    async fn add_all(
        &self,
        append: &Append,
        writing: &[&StreamAppend],
        heads: &HashMap<StreamId, Head>,
        part: Option<Part>,
    ) -> Result<Option<(Vec<Written>, Vec<(StreamId, Head)>)>, LogError> {
        let mut written = Vec::new();
        let mut ends = Vec::new();
        for addition in writing {
            let head = heads.get(&addition.stream).copied().unwrap_or_default();
            let Some(end) = self.add(append, addition, head, part).await? else {
                self.take_back(part).await?;
                return Ok(None);
            };
            written.push(Written {
                kind: addition.stream.kind.to_owned(),
                id: addition.stream.id,
                first: head.revision + 1,
                last: end.revision,
            });
            ends.push((addition.stream, end));
        }
        Ok(Some((written, ends)))
    }

    /// Appends one stream's events behind its head; `None` when it stands elsewhere.
    async fn add(
        &self,
        append: &Append,
        addition: &StreamAppend,
        head: Head,
        part: Option<Part>,
    ) -> Result<Option<Head>, LogError> {
        let mut end = head;
        let mut events = Vec::with_capacity(addition.events.len());
        for event in &addition.events {
            end.revision += 1;
            end.number = Some(end.number.map_or(0, |number| number + 1));
            end.last = Some(event.event_id);
            let place = (addition.stream, end.revision);
            events.push(Outgoing::event(append, event, place, part, &self.keys)?);
        }
        let name = self.streams.names.stream(&addition.stream);
        let wrote = self.streams.session.append(&name, head.expected(), &events).await;
        let wrote = match (wrote, part) {
            // What does not count is not written.
            (Err(LogError::Unknown(error)), Some(_)) => Err(LogError::Unavailable(error)),
            (wrote, _) => wrote,
        }?;
        if wrote == Wrote::Wrong {
            self.heads.lock().remove(&addition.stream);
            return Ok(None);
        }
        Ok(Some(end))
    }

    /// Looks at what a transaction only looks at, now that what it writes is in place. Takes it back when one of them has
    /// moved, or somebody else's open transaction is about to move it: two of which each looks at what the other writes never
    /// both go through.
    async fn still_stand(&self, append: &Append, part: Part) -> Result<bool, AppendError> {
        let empty = append.streams.iter().filter(|it| it.events.is_empty());
        let looked_at = append.guards.iter().map(|it| (it.stream, it.expected));
        for (stream, expected) in empty.map(|it| (it.stream, it.expected)).chain(looked_at) {
            if append
                .streams
                .iter()
                .any(|it| it.stream == stream && !it.events.is_empty())
            {
                continue;
            }
            let head = self.streams.head(stream).await?;
            if head.open.is_none() && stands(head, expected) {
                continue;
            }
            self.take_back(Some(part)).await?;
            if head.open.is_none() {
                return Err(AppendError::Conflict {
                    stream,
                    current: head.revision,
                });
            }
            return Ok(false);
        }
        Ok(true)
    }

    async fn take_back(&self, part: Option<Part>) -> Result<(), LogError> {
        if let Some(part) = part {
            self.commands.abort(part).await?;
        }
        Ok(())
    }

    fn remember(&self, ends: Vec<(StreamId, Head)>) {
        let mut heads = self.heads.lock();
        if heads.len() >= HEADS {
            heads.clear();
        }
        heads.extend(ends);
    }

    fn forget(&self, ends: &[(StreamId, Head)]) {
        let mut heads = self.heads.lock();
        for (stream, _) in ends {
            heads.remove(stream);
        }
    }

    /// Tells what a request came to once readers of this process see it.
    pub(crate) async fn answer(&self, durable: Durable) -> Result<Appended, AppendError> {
        let (first, last, repeated, reply) = match durable {
            Durable::Nothing(reply) => (0, 0, false, reply),
            Durable::Repeated(done) => {
                let (first, last) = self.positions(&done.written).await?;
                let mut head = self.follower.watch();
                let _heard_later = tokio::time::timeout(HEARING, head.wait_for(|head| *head >= last)).await;
                (first, last, true, done.reply())
            }
            Durable::Written {
                written,
                mut first,
                mut last,
                reply,
            } => {
                let heard = async { (first.position().await, last.position().await) };
                let heard = tokio::time::timeout(HEARING, heard).await;
                let (first, last) = match heard {
                    Ok((Some(first), Some(last))) => (first, last),
                    Ok((None, Some(last))) => (last, last),
                    _ => self.positions(&written).await?,
                };
                (first, last, false, reply)
            }
        };
        Ok(Appended {
            first,
            last,
            repeated,
            reply,
        })
    }

    /// Where the events of a command lie; zeros when there are none.
    async fn positions(&self, written: &[Written]) -> Result<(Position, Position), LogError> {
        let mut positions = Vec::new();
        for Written {
            kind,
            id,
            first,
            last,
        } in written
        {
            let stream = StreamId::stored(kind, *id);
            for revision in [*first, *last] {
                let found = self.streams.read(stream, revision - 1, 1).await?;
                positions.extend(found.first().map(|event| event.position));
            }
        }
        let first = positions.iter().min().copied().unwrap_or_default();
        Ok((first, positions.iter().max().copied().unwrap_or_default()))
    }
}

/// A command that was done before gets its first answer, if it stands for the same.
fn known(append: &Append, done: Done) -> Result<Tried, AppendError> {
    if done.is_of(append) {
        Ok(Tried::Done(Durable::Repeated(done)))
    } else {
        Err(AppendError::CommandReused)
    }
}

fn stands(head: Head, expected: Expected) -> bool {
    let at = |revision: Revision| head.revision == revision;
    match expected {
        Expected::Any => true,
        Expected::Revision(revision) => at(revision),
        Expected::After { revision, last } => at(revision) && head.last == last,
    }
}
