//! What streams are called at the server.

use std::sync::Arc;

use eventlog::StreamId;
use kurrentdb::SubscriptionFilter;
use uuid::Uuid;

/// The kind of the streams that say what became of commands.
const COMMAND: &str = "latchkey_command";
/// The stream that says which shapes of events the log holds.
const SHAPES: &str = "latchkey_shapes";
/// An id as text.
const ID: usize = 36;

/// The names of one log's streams.
#[derive(Clone)]
pub(crate) struct Names(Arc<str>);

impl Names {
    pub(crate) fn of(name: &str) -> Self {
        Self(name.into())
    }

    pub(crate) fn stream(&self, stream: &StreamId) -> String {
        format!("{}{stream}", self.0)
    }

    pub(crate) fn command(&self, id: Uuid) -> String {
        format!("{}{COMMAND}-{id}", self.0)
    }

    pub(crate) fn shapes(&self) -> String {
        format!("{}{SHAPES}", self.0)
    }

    /// The stream that a name stands for, unless it is somebody else's.
    pub(crate) fn parsed(&self, name: &str) -> Option<StreamId> {
        let (kind, id) = self.split(name)?;
        (kind != COMMAND).then(|| StreamId::stored(kind, id))
    }

    /// The command whose end a stream of this name tells.
    pub(crate) fn parsed_command(&self, name: &str) -> Option<Uuid> {
        let (kind, id) = self.split(name)?;
        (kind == COMMAND).then_some(id)
    }

    fn split<'n>(&self, name: &'n str) -> Option<(&'n str, Uuid)> {
        let name = name.strip_prefix(self.0.as_ref())?;
        let at = name.len().checked_sub(ID)?;
        let kind = name.get(..at)?.strip_suffix('-')?;
        Some((kind, name.get(at..)?.parse().ok()?))
    }

    /// What of `$all` is worth sending to us.
    pub(crate) fn filter(&self) -> SubscriptionFilter {
        let filter = SubscriptionFilter::on_stream_name();
        if self.0.is_empty() {
            filter.exclude_system_events()
        } else {
            filter.add_prefix(self.0.as_ref())
        }
    }
}
