//! The one way to change anything: load, decide, append; again when somebody else was faster.

mod attempt;
mod fold;

use std::time::Duration;

use domain::aggregate::Decide;
use domain::id::StreamKey;
use rand::Rng as _;
use tracing::{Instrument as _, Span};
use uuid::Uuid;

use crate::append::{Append, Appended};
use crate::context::Context;
use crate::error::{AppendError, LogError};
use crate::loaded::Loaded;
use crate::log::EventLog;
use crate::stream::{Position, Revision, StreamId};

use attempt::{Commit, stands_for};
use fold::fold_up_to;

/// How often a command is decided anew before the caller hears of the conflict.
const ATTEMPTS: u32 = 20;

/// A command that was decided, and is durable.
#[derive(Debug, Clone)]
pub struct Committed<A: Decide> {
    /// What happened; empty when there was nothing new.
    pub events: Vec<A::Event>,
    /// The events' ids, in the same order.
    pub event_ids: Vec<Uuid>,
    /// Where the stream stands after them.
    pub revision: Revision,
    /// The position to wait for before reading what follows from the command.
    pub position: Position,
    /// The state after them.
    pub state: A,
    /// True when this very command was done before: events and revision are the first one's.
    pub repeated: bool,
}

/// A command that changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum CommitError<R> {
    /// A rule stands against it.
    #[error(transparent)]
    Rejected(R),
    /// The stream is not where the caller expected, or would not stand still.
    #[error("the stream is at revision {current}")]
    Conflict {
        /// Where it stands.
        current: Revision,
    },
    /// The command id was used before for something else.
    #[error("the command id was used before for something else")]
    CommandReused,
    /// Too much is waiting; try again shortly.
    #[error("the log is busy")]
    Busy,
    /// The log failed.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl<R> CommitError<R> {
    /// The same, with the rejection said otherwise.
    pub fn map<S>(self, say: impl FnOnce(R) -> S) -> CommitError<S> {
        match self {
            Self::Rejected(rejection) => CommitError::Rejected(say(rejection)),
            Self::Conflict { current } => CommitError::Conflict { current },
            Self::CommandReused => CommitError::CommandReused,
            Self::Busy => CommitError::Busy,
            Self::Log(error) => CommitError::Log(error),
        }
    }
}

/// The aggregate's state and where its stream stands, from what is durable.
///
/// # Errors
/// When the storage fails or an event cannot be read.
pub async fn load<A: Decide>(log: &EventLog, key: impl StreamKey) -> Result<Loaded<A>, LogError> {
    let stream = StreamId::of::<A>(key);
    fold_up_to(log, stream, Revision::MAX).await
}

/// Whatever is logged while a command is carried out says whose it is: ids alone, nothing of a person.
fn span_of(context: &Context, stream: Option<StreamId>) -> Span {
    tracing::error_span!(
        "commit",
        stream = stream.map(display),
        command.id = context.command_id.map(display),
        correlation.id = %context.correlation_id,
        causation.id = context.causation_id.map(display),
    )
}

/// Decides a command on the stream's present state and appends what happens.
///
/// # Errors
/// See [`CommitError`].
pub async fn commit<A: Decide>(
    log: &EventLog,
    key: impl StreamKey,
    command: A::Command,
    context: &Context,
) -> Result<Committed<A>, CommitError<A::Rejection>> {
    let stream = StreamId::of::<A>(key);
    Commit {
        log,
        stream,
        context,
        expected: None,
    }
    .run::<A>(command)
    .instrument(span_of(context, Some(stream)))
    .await
}

/// As [`commit`], for a caller who has seen the stream at `expected` and wants no other (If-Match).
///
/// # Errors
/// See [`CommitError`].
pub async fn commit_expecting<A: Decide>(
    log: &EventLog,
    key: impl StreamKey,
    command: A::Command,
    context: &Context,
    expected: Revision,
) -> Result<Committed<A>, CommitError<A::Rejection>> {
    let stream = StreamId::of::<A>(key);
    Commit {
        log,
        stream,
        context,
        expected: Some(expected),
    }
    .run::<A>(command)
    .instrument(span_of(context, Some(stream)))
    .await
}

/// Appends what several aggregates decided together, all or nothing: `compose` loads them, lets them decide and adds
/// each decision (and guards) to the append it is given. It is called again when somebody else was faster. Of a command
/// that was done before, what it decides now counts for nothing: neither a decision nor a refusal.
///
/// # Errors
/// See [`CommitError`]; `R` is whatever rejection `compose` speaks of.
pub async fn commit_together<R, F>(
    log: &EventLog,
    context: &Context,
    compose: impl FnMut(Append) -> F,
) -> Result<Appended, CommitError<R>>
where
    F: Future<Output = Result<Append, CommitError<R>>>,
{
    let span = span_of(context, None);
    together(log, context, compose).instrument(span).await
}

async fn together<R, F>(
    log: &EventLog,
    context: &Context,
    mut compose: impl FnMut(Append) -> F,
) -> Result<Appended, CommitError<R>>
where
    F: Future<Output = Result<Append, CommitError<R>>>,
{
    let mut current = 0;
    for attempt in 0..ATTEMPTS {
        let append = match compose(Append::new(context)).await {
            Ok(append) if append.changes_nothing() => return Ok(Appended::nothing(append.reply)),
            Ok(append) => append,
            Err(refusal) => return done_before(log, context).await?.ok_or(refusal),
        };
        match log.append(append).await {
            Err(AppendError::Conflict { current: found, .. }) => current = found,
            settled => return settled.map_err(failed),
        }
        pause(attempt).await;
    }
    Err(CommitError::Conflict { current })
}

/// What a command of several streams ([`commit_together`]) came to, if it was done before; nothing is written. For a caller who would
/// otherwise do more than append.
///
/// # Errors
/// [`CommitError::CommandReused`] where it stood for something else, and whatever else stands against asking.
pub async fn done_before<R>(log: &EventLog, context: &Context) -> Result<Option<Appended>, CommitError<R>> {
    known(log, Append::new(context)).await
}

/// What a command of one stream ([`commit`], [`commit_expecting`]) came to, if it was done before; nothing is written. For a caller
/// whose own checks would refuse the repeated command.
///
/// # Errors
/// As [`done_before`].
pub async fn done_before_on<A: Decide>(
    log: &EventLog,
    key: impl StreamKey,
    context: &Context,
) -> Result<Option<Appended>, CommitError<A::Rejection>> {
    let mut probe = Append::new(context);
    probe.digest = Some(stands_for(context, StreamId::of::<A>(key)));
    known(log, probe).await
}

async fn known<R>(log: &EventLog, mut probe: Append) -> Result<Option<Appended>, CommitError<R>> {
    if probe.context.command_id.is_none() {
        return Ok(None);
    }
    probe.probe = true;
    let known = log.append(probe).await.map_err(failed)?;
    Ok(known.repeated.then_some(known))
}

fn failed<R>(error: AppendError) -> CommitError<R> {
    match error {
        AppendError::Conflict { current, .. } => CommitError::Conflict { current },
        AppendError::CommandReused => CommitError::CommandReused,
        AppendError::Busy => CommitError::Busy,
        AppendError::Log(error) => CommitError::Log(error),
    }
}

/// A short random wait before the attempt after this one, so that those who collided do not collide again in step.
pub async fn pause(attempt: u32) {
    let longest = 1_000 * u64::from(attempt.min(10));
    let wait = rand::rng().random_range(0..=longest);
    threads::pause(Duration::from_micros(wait)).await;
}
