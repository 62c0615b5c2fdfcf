//! What an engine must be able to do. Everything else is the same for all of them.

use std::sync::Arc;
use std::time::Duration;

use domain::id::UserId;
use domain::moment::Moment;
use uuid::Uuid;

use crate::error::LogError;
use crate::event::Hash;
use crate::forecast::Forecast;
use crate::key_store::{KeyId, Pair};
use crate::plan::{Head, Plan, Standing};
use crate::stream::{Position, StreamId};

/// How long the writer looks for the outcome of a commit whose answer was lost.
const SETTLING: Duration = Duration::from_secs(10);

/// What became of a batch that was sent without asking how things stand.
#[derive(Debug)]
pub enum BatchOutcome {
    /// It is durable.
    Written,
    /// Something stands otherwise than foreseen; nothing was written.
    Otherwise,
    /// Nothing was written, and no fault of what was foreseen.
    Undone(LogError),
    /// The answer was lost: it may have been written.
    Unseen(LogError),
}

/// Storage of the log, used by the writer alone.
pub trait Engine: Send + 'static {
    /// Opens the batch's transaction, holding off every other writer, and says how all the batch names stands.
    ///
    /// # Errors
    /// When the storage fails; then nothing is open.
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError>;

    /// Who was given one of these keys of the stock, or which one these people were given; asked in the open transaction.
    ///
    /// # Errors
    /// When the storage fails.
    fn given(&mut self, _subjects: &[UserId], _keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        Ok(Vec::new())
    }

    /// Writes the plan into the open transaction and commits it durably.
    ///
    /// # Errors
    /// When the storage fails. An error may hide a commit that went through.
    fn commit(&mut self, plan: &Plan) -> Result<(), LogError>;

    /// Where the log will end once everything that was sent is written, as far as the engine can tell without asking. One that
    /// must be asked says nothing.
    fn foreseen(&self) -> Option<Head> {
        None
    }

    /// Sends a plan that was made on a forecast, behind what was sent before, without waiting for it. It is written if all
    /// that was foreseen is so, and else nothing of it.
    ///
    /// # Errors
    /// When nothing was sent.
    fn send(&mut self, _forecast: &Forecast, _plan: &Arc<Plan>) -> Result<(), LogError> {
        Err(LogError::Closed)
    }

    /// Waits until it is known what became of what was sent first. Only when everything that was sent has landed may a
    /// transaction be opened.
    fn outcome(&mut self) -> BatchOutcome {
        BatchOutcome::Unseen(LogError::Closed)
    }

    /// Gives up the open transaction, if there is one.
    fn rollback(&mut self);

    /// The chain's value at a position, when there is an event: tells whether a commit of unknown outcome went through,
    /// and therefore waits until that outcome can no longer change, and sees to it that nothing sent before is written
    /// after. Asked outside of any transaction.
    ///
    /// # Errors
    /// When the storage fails.
    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError>;

    /// How long [`Engine::chain_at`] is tried after a commit of unknown outcome.
    fn settles_within(&self) -> Duration {
        SETTLING
    }

    /// The log's end, which another process may have moved.
    ///
    /// # Errors
    /// When the storage fails.
    fn head(&mut self) -> Result<Head, LogError>;

    /// Small work for quiet moments: forgetting command ids that have expired, tidying files. Says whether some of it is left.
    ///
    /// # Errors
    /// When the storage fails.
    fn tidy(&mut self, now: Moment) -> Result<bool, LogError>;
}
