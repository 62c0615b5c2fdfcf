//! What wakes the writer when another node has written.

#[cfg(test)]
use std::sync::Arc;
use std::sync::Weak;
#[cfg(test)]
use std::time::Duration;

use super::Message;
#[cfg(test)]
use super::WAITING;
#[cfg(test)]
use threads::mpsc::{Receiver, sync_channel};
use threads::mpsc::{SyncSender, TrySendError};

/// Wakes the writer to look after what other nodes have written.
pub(crate) struct Wake(pub(super) Weak<SyncSender<Message>>);

/// A bell with nobody's writer behind it.
#[cfg(test)]
pub(crate) struct Bell(Arc<SyncSender<Message>>);

#[cfg(test)]
impl Bell {
    pub(crate) fn new() -> (Self, Calls) {
        let (sender, receiver) = sync_channel(WAITING);
        (Self(Arc::new(sender)), Calls(receiver))
    }

    pub(crate) fn wake(&self) -> Wake {
        Wake(Arc::downgrade(&self.0))
    }
}

/// What a bell rang for.
#[cfg(test)]
pub(crate) struct Calls(Receiver<Message>);

#[cfg(test)]
impl Calls {
    pub(crate) fn heard_within(&self, time: Duration) -> bool {
        self.0.recv_timeout(time).is_ok()
    }
}

impl Wake {
    /// False when the writer is gone.
    pub(crate) fn ring(&self) -> bool {
        let Some(mailbox) = self.0.upgrade() else {
            return false;
        };
        // With a full line it is awake, and sees where the log stands with its next batch.
        !matches!(mailbox.try_send(None), Err(TrySendError::Disconnected(_)))
    }
}
