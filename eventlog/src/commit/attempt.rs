//! One command's way: decide on the present state, put the decision in line, take it in at once, wait until it lasts.

use domain::aggregate::Decide;
use uuid::Uuid;

use super::{ATTEMPTS, CommitError, Committed, failed, fold_up_to, pause};
use crate::append::{Append, Appended, Expected, NewEvent, StreamAppend};
use crate::chain;
use crate::codec;
use crate::context::Context;
use crate::error::{AppendError, LogError};
use crate::event::{Hash, RecordedEvent};
use crate::hot::{Known, Turn};
use crate::loaded::Loaded;
use crate::log::EventLog;
use crate::measure;
use crate::stream::{Revision, StreamId, named_just_now};

/// A command on its way into one stream.
pub(super) struct Commit<'c> {
    pub(super) log: &'c EventLog,
    pub(super) stream: StreamId,
    pub(super) context: &'c Context,
    /// Where the caller saw the stream, when it matters to them.
    pub(super) expected: Option<Revision>,
}

/// What one attempt came to, when it is not an error.
enum Attempt<A: Decide> {
    Done(Box<Committed<A>>),
    /// Somebody else was faster.
    Again(Revision),
}

type Tried<A> = Result<Attempt<A>, CommitError<<A as Decide>::Rejection>>;

impl Commit<'_> {
    pub(super) async fn run<A: Decide>(
        self,
        command: A::Command,
    ) -> Result<Committed<A>, CommitError<A::Rejection>> {
        let mut current = 0;
        for attempt in 0..ATTEMPTS {
            match self.attempt::<A>(command.clone()).await? {
                Attempt::Done(committed) => return Ok(*committed),
                Attempt::Again(revision) => {
                    current = revision;
                    self.log.hot.evict(self.stream);
                    pause(attempt).await;
                }
            }
        }
        Err(CommitError::Conflict { current })
    }

    async fn attempt<A: Decide>(&self, command: A::Command) -> Tried<A> {
        let mut turn = self.log.hot.turn(self.stream).await;
        let (hot, certain) = self.present::<A>(&mut turn).await?;
        let decision = if self.expected.is_some_and(|expected| expected != hot.revision) {
            Err(CommitError::Conflict {
                current: hot.revision,
            })
        } else {
            hot.state.decide(command).map_err(CommitError::Rejected)
        };
        match decision {
            Ok(events) if !events.is_empty() || self.context.command_id.is_some() => {
                self.write(turn, hot, events).await
            }
            unchanged @ (Ok(_) | Err(_)) => {
                turn.put(hot.clone(), 0);
                drop(turn);
                self.stand_by(hot, certain, unchanged.map(drop)).await
            }
        }
    }

    /// The stream's state, and whether it is certain that it is the durable one.
    async fn present<A: Decide>(&self, turn: &mut Turn<'_>) -> Result<(Loaded<A>, bool), LogError> {
        let known = turn.take::<A>();
        measure::looked_up(match &known {
            Known::State(_) => "yes",
            Known::Nothing if self.is_new() => "new",
            Known::Nothing | Known::ToBeRead => "no",
        });
        match known {
            Known::State(hot) => Ok((hot, false)),
            // Nothing is read: should there be events after all, the writer says so, and then they are.
            Known::Nothing if self.is_new() => Ok((Loaded::beginning(), false)),
            Known::Nothing | Known::ToBeRead => {
                let folded = fold_up_to::<A>(self.log, self.stream, Revision::MAX).await?;
                Ok((folded, self.context.command_id.is_none()))
            }
        }
    }

    /// True when the stream's name was given just now, so that it will hardly have events yet.
    fn is_new(&self) -> bool {
        named_just_now(self.stream.id, self.context.at)
    }

    fn request<A>(&self, hot: &Loaded<A>, events: Vec<NewEvent>) -> Append {
        let expected = Expected::After {
            revision: hot.revision,
            last: hot.last_event,
        };
        let mut append = Append::new(self.context);
        append.digest = Some(stands_for(self.context, self.stream));
        append.streams.push(StreamAppend {
            stream: self.stream,
            expected,
            events,
        });
        append
    }

    /// Puts the decision in line, takes it into the hot state at once, and waits until it is durable.
    async fn write<A: Decide>(
        &self,
        mut turn: Turn<'_>,
        mut hot: Loaded<A>,
        events: Vec<A::Event>,
    ) -> Tried<A> {
        let stored = events
            .iter()
            .map(codec::encode)
            .collect::<Result<Vec<_>, _>>()
            .map_err(LogError::from)?;
        let event_ids: Vec<Uuid> = stored.iter().map(|event| event.event_id).collect();
        let grown = stored.iter().map(NewEvent::bytes).sum();
        let pending = self.log.send(self.request(&hot, stored)).map_err(failed)?;
        if let Some(last) = event_ids.last() {
            for event in &events {
                hot.state.evolve(event);
                hot.revision += 1;
            }
            hot.last_event = Some(*last);
        }
        turn.put(hot.clone(), grown);
        drop(turn);
        match self.log.settled(pending).await {
            Ok(appended) if appended.repeated => {
                self.log.hot.evict(self.stream);
                self.repeated(&appended).await
            }
            Ok(appended) => {
                let position = if events.is_empty() {
                    self.log.head().await?
                } else {
                    appended.last
                };
                let Loaded { state, revision, .. } = hot;
                Ok(done(Committed {
                    events,
                    event_ids,
                    revision,
                    position,
                    state,
                    repeated: false,
                }))
            }
            Err(AppendError::Conflict { current, .. }) => Ok(Attempt::Again(current)),
            Err(error) => {
                self.log.hot.evict(self.stream);
                Err(failed(error))
            }
        }
    }

    /// Nothing is to be written. Unless that is `certain`, the writer is asked before it is said: whatever it was
    /// decided on must be durable and the stream's end, and the command must not be one that was done before.
    async fn stand_by<A: Decide>(
        &self,
        hot: Loaded<A>,
        certain: bool,
        outcome: Result<(), CommitError<A::Rejection>>,
    ) -> Tried<A> {
        if !certain {
            let mut probe = self.request(&hot, Vec::new());
            probe.probe = true;
            match self.log.settled(self.log.send(probe).map_err(failed)?).await {
                Ok(appended) if appended.repeated => return self.repeated(&appended).await,
                Ok(_) => {}
                Err(AppendError::Conflict { current, .. }) => return Ok(Attempt::Again(current)),
                Err(error) => return Err(failed(error)),
            }
        }
        outcome?;
        let position = self.log.head().await?;
        let Loaded { state, revision, .. } = hot;
        Ok(done(Committed {
            events: Vec::new(),
            event_ids: Vec::new(),
            revision,
            position,
            state,
            repeated: false,
        }))
    }

    /// What the command came to when it was first done.
    async fn repeated<A: Decide>(&self, appended: &Appended) -> Tried<A> {
        let written = self.log.span(appended.first, appended.last).await?;
        let mut events = Vec::new();
        let mut event_ids = Vec::new();
        let mut end = None;
        let ours = |record: &&RecordedEvent| {
            record.stream == self.stream && record.command_id == self.context.command_id
        };
        for record in written.iter().filter(ours) {
            let event = record.decode::<A>().map_err(|source| LogError::Unreadable {
                position: record.position,
                source,
            })?;
            events.push(event);
            event_ids.push(record.event_id);
            end = Some(record.revision);
        }
        let loaded = fold_up_to::<A>(self.log, self.stream, end.unwrap_or(Revision::MAX)).await?;
        let position = if events.is_empty() {
            self.log.head().await?
        } else {
            appended.last
        };
        let Loaded { state, revision, .. } = loaded;
        Ok(done(Committed {
            events,
            event_ids,
            revision,
            position,
            state,
            repeated: true,
        }))
    }
}

/// A command id stands for what was asked and for the stream it was asked of.
pub(super) fn stands_for(context: &Context, stream: StreamId) -> Hash {
    let asked = context.command_digest.unwrap_or_default();
    let mut bytes = asked.to_vec();
    bytes.extend_from_slice(stream.id.as_bytes());
    bytes.extend_from_slice(stream.kind.as_bytes());
    chain::digest(&bytes)
}

fn done<A: Decide>(committed: Committed<A>) -> Attempt<A> {
    Attempt::Done(Box::new(committed))
}
