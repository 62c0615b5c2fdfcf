//! What can go wrong in the log.

use domain::shape::Strange;

use crate::stream::{Position, Revision, StreamId};

/// The log could not do its work. Nothing of it is the caller's fault.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LogError {
    /// The storage refused or failed.
    #[error("the log's storage failed: {0}")]
    Storage(String),
    /// The disk is full or fails, or another process holds the log: nothing that is asked now can be done.
    #[error("the log's storage is not available: {0}")]
    Unavailable(String),
    /// The disk is full. Nothing of this was written, and writing goes on by itself once there is room.
    #[error("the log's disk is full: {0}")]
    Full(String),
    /// The disk failed, or holds what was never written to it: what it kept of this cannot be told.
    #[error("the log's disk failed: {0}")]
    DiskFailed(String),
    /// The disk failed before, so that nothing more is written until the log is opened anew (decision 0012).
    #[error(
        "the log takes no more writes since its disk failed ({0}): look at the disk, then start the server again"
    )]
    Stopped(String),
    /// The storage was lost in the middle of a commit and did not come back in time to tell whether it went through.
    #[error("it cannot be seen whether the log has written this: {0}")]
    Unknown(String),
    /// The storage cannot be used as it is; the sentence says what to do.
    #[error("{0}")]
    Refused(String),
    /// The writer has stopped; the process is shutting down.
    #[error("the log is closed")]
    Closed,
    /// A stored event cannot be read by this version of the program.
    #[error("event {position} cannot be read")]
    Unreadable {
        /// Where it lies.
        position: Position,
        /// Why.
        #[source]
        source: CodecError,
    },
    /// An event could not be turned into its stored form.
    #[error("an event cannot be stored")]
    Unstorable(#[from] CodecError),
}

/// An event and its stored form do not go together.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CodecError {
    /// The event belongs to another kind of stream than the one asked for.
    #[error("a {stored} event was read as {wanted}")]
    Kind {
        /// What the log says.
        stored: &'static str,
        /// What the code asked for.
        wanted: &'static str,
    },
    /// The JSON and the event's shape differ.
    #[error("{event_type} v{schema_version}: {problem}")]
    Shape {
        /// The stored type.
        event_type: String,
        /// The stored version of its shape.
        schema_version: u32,
        /// What serde said.
        problem: String,
    },
    /// No path leads from the stored shape to this program's: a newer one has written it.
    #[error("{0}")]
    Strange(#[from] Strange),
    /// The sealed part was changed, or was sealed for another place.
    #[error("the sealed part does not open")]
    Seal,
    /// The keys could not be read.
    #[error("the keys of personal data cannot be read")]
    Keys,
}

impl From<CodecError> for AppendError {
    fn from(error: CodecError) -> Self {
        Self::Log(error.into())
    }
}

/// An append was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// A named stream has moved on.
    #[error("{stream} is at revision {current}")]
    Conflict {
        /// Which stream.
        stream: StreamId,
        /// Where it stands.
        current: Revision,
    },
    /// The command id was used before, for something else.
    #[error("the command id was used before for something else")]
    CommandReused,
    /// Too much is waiting; try again shortly.
    #[error("the log is busy")]
    Busy,
    /// The storage failed; nothing was written, unless the error is [`LogError::Unknown`].
    #[error(transparent)]
    Log(#[from] LogError),
}
