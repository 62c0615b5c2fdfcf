//! What one batch of requests comes to: pure, so that every engine does the same.

use std::collections::{BTreeSet, HashMap};

use chrono::{SubsecRound as _, TimeDelta};
use domain::moment::Moment;
use uuid::Uuid;

use crate::append::{Append, Appended, Expected, NewEvent};
use crate::chain;
use crate::error::{AppendError, LogError};
use crate::event::{Hash, RecordedEvent};
use crate::key_store::Pair;
use crate::planted::Fault;
use crate::seal::{Keyring, Place};
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};

/// How long a command id is remembered.
const REMEMBERED: TimeDelta = TimeDelta::days(90);

/// The log's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Of the last event; 0 for an empty log.
    pub position: Position,
    /// The chain's value there.
    pub chain: Hash,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            position: 0,
            chain: chain::GENESIS,
        }
    }
}

/// A stream's end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StreamHead {
    /// The engine's own key; `None` until the stream's first event is stored.
    pub key: Option<i64>,
    /// Of its last event.
    pub revision: Revision,
    /// Its last event, where it is known.
    pub last: Option<Uuid>,
}

/// What is remembered of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCommand {
    /// What the command stands for.
    pub digest: Hash,
    /// Position of its first event; 0 when there was none.
    pub first: Position,
    /// Position of its last event; 0 when there was none.
    pub last: Position,
    /// The bytes to be given back with it.
    pub reply: Option<Vec<u8>>,
    /// When it may be forgotten.
    pub expires_at: Moment,
}

/// Everything a batch names, as it stands now.
#[derive(Debug, Default)]
pub struct Standing {
    /// Where the log ends.
    pub head: Head,
    /// Those streams that exist.
    pub streams: HashMap<StreamId, StreamHead>,
    /// Those commands that were done before.
    pub commands: HashMap<Uuid, StoredCommand>,
}

/// What is to be written.
#[derive(Debug, Default)]
pub struct Plan {
    /// Where the log ends then.
    pub head: Head,
    /// In the order of their positions.
    pub events: Vec<RecordedEvent>,
    /// The ends, then, of the streams that are added to.
    pub streams: HashMap<StreamId, StreamHead>,
    /// What is to be remembered of commands.
    pub commands: Vec<(Uuid, StoredCommand)>,
    /// Shapes of the events that the log may not hold yet; the writer says them.
    pub shapes: BTreeSet<StoredShape>,
    /// Newcomers and the keys that they are given.
    pub given: Vec<Pair>,
}

impl Plan {
    /// Nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.commands.is_empty()
    }
}

/// One answer per request, in order.
pub type Answers = Vec<Result<Appended, AppendError>>;

/// Walks the requests in arrival order and decides each against what stands and what those before it added.
pub fn plan(requests: &[&Append], standing: Standing, keys: &Keyring, now: Moment) -> (Plan, Answers) {
    let now = now.trunc_subsecs(6);
    let mut walk = Walk {
        plan: Plan {
            head: standing.head,
            ..Plan::default()
        },
        streams: standing.streams,
        commands: standing.commands,
        keys,
        now,
    };
    let answers = requests.iter().map(|append| walk.request(append)).collect();
    (walk.plan, answers)
}

struct Walk<'k> {
    plan: Plan,
    streams: HashMap<StreamId, StreamHead>,
    commands: HashMap<Uuid, StoredCommand>,
    keys: &'k Keyring,
    now: Moment,
}

impl Walk<'_> {
    fn request(&mut self, append: &Append) -> Result<Appended, AppendError> {
        if let Some(known) = append.context.command_id.and_then(|id| self.commands.get(&id)) {
            if known.digest != append.stands_for() {
                return Err(AppendError::CommandReused);
            }
            let reply = known.reply.clone();
            return Ok(Appended {
                first: known.first,
                last: known.last,
                repeated: true,
                reply,
            });
        }
        for guard in &append.guards {
            self.expect(guard.stream, guard.expected)?;
        }
        for part in &append.streams {
            self.expect(part.stream, part.expected)?;
        }
        if append.probe {
            return Ok(Appended::nothing(None));
        }
        let sealed = self.seal(append)?;
        Ok(self.take_in(append, sealed))
    }

    fn expect(&self, stream: StreamId, expected: Expected) -> Result<(), AppendError> {
        let head = self.streams.get(&stream).copied().unwrap_or_default();
        let stands = match expected {
            Expected::Any => true,
            Expected::Revision(revision) => head.revision == revision,
            Expected::After { revision, last } => head.revision == revision && head.last == last,
        };
        if stands || Fault::ExpectationsIgnored.is_planted() {
            Ok(())
        } else {
            Err(AppendError::Conflict {
                stream,
                current: head.revision,
            })
        }
    }

    /// Seals every personal part before anything of the request is taken in, because sealing may fail.
    fn seal(&self, append: &Append) -> Result<Vec<Option<Vec<u8>>>, LogError> {
        let mut sealed = Vec::new();
        let mut revisions: HashMap<StreamId, Revision> = HashMap::new();
        for part in &append.streams {
            let revision = revisions
                .entry(part.stream)
                .or_insert_with(|| self.streams.get(&part.stream).map_or(0, |head| head.revision));
            for event in &part.events {
                *revision += 1;
                let place = Place {
                    stream: part.stream,
                    revision: *revision,
                    event_type: &event.event_type,
                };
                sealed.push(match (event.subject, &event.personal) {
                    (Some(subject), Some(personal)) => self.keys.seal(subject, &place, personal)?,
                    (None | Some(_), None) | (None, Some(_)) => None,
                });
            }
        }
        Ok(sealed)
    }

    fn take_in(&mut self, append: &Append, sealed: Vec<Option<Vec<u8>>>) -> Appended {
        let before = self.plan.head.position;
        let mut sealed = sealed.into_iter();
        for part in &append.streams {
            for event in &part.events {
                self.record(append, part.stream, event, sealed.next().flatten());
            }
        }
        let last = self.plan.head.position;
        let (first, last) = if last == before {
            (0, 0)
        } else {
            (before + 1, last)
        };
        if let Some(id) = append.context.command_id {
            let command = StoredCommand {
                digest: append.stands_for(),
                first,
                last,
                reply: append.reply.clone(),
                expires_at: self.now + REMEMBERED,
            };
            self.commands.insert(id, command.clone());
            self.plan.commands.push((id, command));
        }
        Appended {
            first,
            last,
            repeated: false,
            reply: append.reply.clone(),
        }
    }

    fn record(&mut self, append: &Append, stream: StreamId, event: &NewEvent, sealed: Option<Vec<u8>>) {
        let head = self.streams.entry(stream).or_default();
        head.revision += 1;
        head.last = Some(event.event_id);
        self.plan.streams.insert(stream, *head);
        let context = &append.context;
        let occurred_at = context.at.trunc_subsecs(6);
        let mut record = RecordedEvent {
            position: self.plan.head.position + 1,
            stream,
            revision: head.revision,
            event_id: event.event_id,
            event_type: event.event_type.clone(),
            schema_version: event.schema_version,
            recorded_at: self.now,
            occurred_at,
            actor: context.actor,
            command_id: context.command_id,
            correlation_id: context.correlation_id,
            causation_id: context.causation_id,
            subject_id: event.subject,
            payload_digest: chain::digest(&event.payload),
            payload: event.payload.as_slice().into(),
            sealed_digest: sealed.as_deref().map(chain::digest),
            sealed: sealed.map(Into::into),
            leaf: chain::GENESIS,
            chain: chain::GENESIS,
            keys: self.keys.clone(),
        };
        record.leaf = chain::leaf(&record);
        record.chain = chain::link(&self.plan.head.chain, &record.leaf);
        self.plan.head = Head {
            position: record.position,
            chain: record.chain,
        };
        self.plan.events.push(record);
    }
}
