//! The writer without a thread: somebody else says when it goes on.

use super::{Announce, BATCH, Mailbox, Message, Request, Writer, prepare};
use crate::engine::Engine;
use crate::measure::Looks;
use crate::seal::Keyring;
use threads::mpsc::Receiver;

/// A writer, and the line before it.
pub(crate) struct ByHand<E> {
    writer: Writer<E>,
    messages: Receiver<Message>,
}

impl<E: Engine> ByHand<E> {
    pub(crate) fn new(engine: E, keys: Keyring, announce: Announce) -> (Mailbox, Self) {
        let (mailbox, writer, messages) = prepare(engine, keys, announce);
        (mailbox, Self { writer, messages })
    }

    /// Writes what waits, as one batch, or looks after small things when nothing does.
    pub(crate) fn turn(&mut self) {
        let batch: Vec<Request> = self.messages.try_iter().take(BATCH).flatten().collect();
        if batch.is_empty() {
            self.writer.quiet(Looks::ByItself);
        } else {
            self.writer.batch(batch);
        }
    }
}
