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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use domain::moment::Moment;
    use tokio::sync::watch;
    use uuid::Uuid;

    use super::super::TIDY;
    use super::*;
    use crate::condition::Condition;
    use crate::error::LogError;
    use crate::event::Hash;
    use crate::plan::{Head, Plan, Standing};
    use crate::stream::{Position, StreamId};

    /// Storage that holds nothing, on a disk that fails while it is tidied up.
    struct Untidy;

    impl Engine for Untidy {
        fn begin(&mut self, _streams: &[StreamId], _commands: &[Uuid]) -> Result<Standing, LogError> {
            Ok(Standing::default())
        }

        fn commit(&mut self, _plan: &Plan) -> Result<(), LogError> {
            Ok(())
        }

        fn rollback(&mut self) {}

        fn chain_at(&mut self, _position: Position) -> Result<Option<Hash>, LogError> {
            Ok(None)
        }

        fn head(&mut self) -> Result<Head, LogError> {
            Ok(Head::default())
        }

        fn tidy(&mut self, _now: Moment) -> Result<bool, LogError> {
            Err(LogError::DiskFailed("disk I/O error, code 1034".to_owned()))
        }
    }

    /// A disk that fails while old command ids are forgotten ends all writing.
    #[test]
    fn disk_failure_during_command_id_cleanup_ends_writing() {
        let announce = Announce {
            ring: Arc::default(),
            head: watch::Sender::new(0),
            known: Head::default(),
        };
        let (mailbox, mut by_hand) = ByHand::new(Untidy, Keyring::memory(), announce);
        by_hand.writer.tidied = Instant::now()
            .checked_sub(TIDY)
            .expect("the machine has run for longer");
        by_hand.turn();
        assert!(matches!(mailbox.condition(), Condition::Stopped(why) if why.contains("1034")));
    }
}
