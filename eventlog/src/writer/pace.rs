//! How near the next command and the next answer are. Waking a processor that fell asleep costs as much as a commit to memory; so
//! while commands come one after the other the writer looks for the next one for a moment before it sleeps, and a caller who
//! waits alone for an answer that is about to come lets others go first instead of sleeping. Nobody does either when it was in vain
//! the last time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use threads::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use threads::mpsc::{Receiver, TryRecvError};
use threads::{SOON, thread};

use super::Message;

/// For so long the writer looks for the next command.
const LOOK: Duration = Duration::from_micros(150);
/// Batches that take longer than this are slept through.
const SHORT: Duration = Duration::from_micros(500);

/// Numbers that callers and the writer share. All of them only say what may be worth while.
#[derive(Clone, Default)]
pub(super) struct Pace(Arc<Numbers>);

#[derive(Default)]
struct Numbers {
    /// Requests that were put in line and are not answered.
    waiting: AtomicUsize,
    /// How long the last batch took, in microseconds; 0 when nobody knows.
    took: AtomicU64,
}

impl Pace {
    pub(super) fn offered(&self) {
        self.0.waiting.fetch_add(1, Relaxed);
    }

    pub(super) fn answered(&self, requests: usize) {
        self.0.waiting.fetch_sub(requests, Relaxed);
    }

    /// Notes a batch that ended now.
    pub(super) fn wrote(&self, begun: Instant) {
        let took = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.0.took.store(took.max(1), Relaxed);
    }

    /// How long the answer to the only request under way may take, when it is hardly worth sleeping.
    pub(super) fn soon(&self) -> Option<Duration> {
        let took = Duration::from_micros(self.0.took.load(Relaxed));
        let alone = self.0.waiting.load(Relaxed) == 1;
        (SOON && alone && !took.is_zero() && took <= SHORT).then(|| took * 2)
    }
}

/// The writer's own look at what comes.
#[derive(Default)]
pub(super) struct Look {
    /// The last message came soon after the batch before it.
    near: bool,
    since: Option<Instant>,
}

impl Look {
    /// A message that comes within a moment, if the one before it did.
    pub(super) fn soon(&mut self, messages: &Receiver<Message>) -> Option<Message> {
        let begun = Instant::now();
        self.since = Some(begun);
        while SOON && self.near {
            match messages.try_recv() {
                Ok(message) => return Some(message),
                Err(TryRecvError::Empty) if begun.elapsed() < LOOK => thread::yield_now(),
                Err(_) => self.near = false,
            }
        }
        None
    }

    /// Notes when the next message came.
    pub(super) fn heard(&mut self) {
        self.near = self.since.take().is_some_and(|since| since.elapsed() < LOOK);
    }
}

#[cfg(test)]
mod tests {
    use threads::mpsc::sync_channel;

    use super::*;

    #[test]
    fn only_who_waits_alone_for_a_short_batch_does_not_sleep() {
        let pace = Pace::default();
        pace.offered();
        assert_eq!(pace.soon(), None, "nobody knows how long it takes");
        let took = |micros| pace.0.took.store(micros, Relaxed);
        took(100);
        assert_eq!(pace.soon(), Some(Duration::from_micros(200)));
        pace.offered();
        assert_eq!(pace.soon(), None, "somebody else has work for the processor");
        pace.answered(1);
        took(501);
        assert_eq!(pace.soon(), None, "that is long enough to sleep");
    }

    #[test]
    fn the_writer_looks_in_vain_once_and_then_sleeps() {
        let (sender, messages) = sync_channel(1);
        let mut look = Look {
            near: true,
            ..Look::default()
        };
        sender.send(None).expect("there is room");
        assert!(look.soon(&messages).is_some(), "it looks");
        assert!(look.soon(&messages).is_none(), "in vain");
        sender.send(None).expect("there is room");
        assert!(look.soon(&messages).is_none(), "it does not look any more");
    }
}
