//! What wakes the writer when another node has written.

use std::sync::Weak;

use super::Message;
use threads::mpsc::{SyncSender, TrySendError};

/// Wakes the writer to look after what other nodes have written.
pub struct Wake(Box<dyn Fn() -> bool + Send + Sync>);

impl Wake {
    /// `ring` wakes a writer, and says false when the writer is gone.
    pub fn new(ring: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Box::new(ring))
    }

    /// Wakes whatever takes from this line, as long as it lives.
    pub(super) fn of(line: Weak<SyncSender<Message>>) -> Self {
        Self::new(move || {
            let Some(mailbox) = line.upgrade() else {
                return false;
            };
            // With a full line it is awake, and sees where the log stands with its next batch.
            !matches!(mailbox.try_send(None), Err(TrySendError::Disconnected(_)))
        })
    }

    /// False when the writer is gone.
    pub fn ring(&self) -> bool {
        (self.0)()
    }
}
