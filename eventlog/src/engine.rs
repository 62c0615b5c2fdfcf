//! What an engine must be able to do. Everything else is the same for all of them.

use domain::id::UserId;
use domain::moment::Moment;
use uuid::Uuid;

use crate::error::LogError;
use crate::event::Hash;
use crate::plan::{Head, Plan, Standing};
use crate::stock::{KeyId, Pair};
use crate::stream::{Position, StreamId};

/// Storage of the log, used by the writer alone.
pub(crate) trait Engine: Send + 'static {
    /// Opens the batch's transaction, holding off every other writer, and says how all the batch names stands.
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError>;

    /// Who was given one of these keys of the stock, or which one these people were given; asked in the open transaction.
    fn given(&mut self, _subjects: &[UserId], _keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        Ok(Vec::new())
    }

    /// Writes the plan into the open transaction and commits it durably. An error may hide a commit that went through.
    fn commit(&mut self, plan: &Plan) -> Result<(), LogError>;

    /// Gives up the open transaction, if there is one.
    fn rollback(&mut self);

    /// The chain's value at a position, when there is an event: tells whether a commit of unknown outcome went through,
    /// and therefore waits until that outcome can no longer change. Asked outside of any transaction.
    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError>;

    /// The log's end, which another process may have moved.
    fn head(&mut self) -> Result<Head, LogError>;

    /// Small work for quiet moments: forgetting command ids that have expired, tidying files. Says whether some of it is left.
    fn tidy(&mut self, now: Moment) -> Result<bool, LogError>;
}
