//! The states of aggregates that were busy lately, so that a command need not fold its stream again (decision 0009).

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher as _;
use std::io;
use std::sync::Arc;

use domain::aggregate::Decide;

use crate::loaded::Loaded;
use crate::stream::StreamId;
use threads::atomic::{AtomicU64, Ordering};
use threads::{Mutex, Slip};

/// Bytes that all kept states come to at most.
const KEPT: usize = 64 * 1024 * 1024;
const SHARDS: usize = 16;
/// What the states of one shard come to at most; a state of more than half of it is not kept.
const OF_SHARD: usize = KEPT / SHARDS;
/// What keeping a state costs besides the state: its name, its places in the tables, its allocations.
const PLACE: usize = 160;
/// Places in the line of use, beyond twice the states, before it is cleared of those that count no more.
const SLACK: usize = 64;

/// Bounded: of each shard, what was used longest ago goes first.
pub(crate) struct HotStates {
    shards: Vec<Shard>,
    hasher: std::hash::RandomState,
    /// Grows when all states are let go of: what was taken out before does not come back.
    era: AtomicU64,
}

#[derive(Default)]
struct Shard {
    /// Streams that a command is being decided on, each with the line of those who wait.
    turns: Mutex<HashMap<StreamId, Line>>,
    states: Mutex<States>,
}

type Line = Arc<tokio::sync::Mutex<()>>;

#[derive(Default)]
struct States {
    of: HashMap<StreamId, Kept>,
    /// Every use, the latest last. A use that is not its state's latest counts no more.
    used: VecDeque<(u64, StreamId)>,
    uses: u64,
    bytes: usize,
}

struct Kept {
    state: Box<dyn Any + Send>,
    size: Size,
    /// Its latest use.
    used: u64,
}

/// Stands where a state was that must be read from the log.
struct ToBeRead;

/// What is known of a stream without reading it.
pub(crate) enum Known<A> {
    State(Loaded<A>),
    /// There was one, and it does not hold any more.
    ToBeRead,
    /// Nothing: it was never used here, or long ago.
    Nothing,
}

/// What a state comes to, in bytes of its JSON: measured now and then, and between two measurements not less than it is.
#[derive(Clone, Copy, Default)]
struct Size {
    measured: usize,
    bytes: usize,
}

impl Default for HotStates {
    fn default() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: std::hash::RandomState::new(),
            era: AtomicU64::new(0),
        }
    }
}

impl HotStates {
    fn shard(&self, stream: StreamId) -> &Shard {
        let place = usize::try_from(self.hasher.hash_one(stream) % SHARDS as u64).unwrap_or_default();
        &self.shards[place]
    }

    /// Waits for the stream's turn, so that commands to one stream queue up in order; dropping it lets the next one in.
    /// Other streams do not wait, however long it takes.
    pub(crate) async fn turn(&self, stream: StreamId) -> Turn<'_> {
        let line = self.shard(stream).turns.lock().entry(stream).or_default().clone();
        let mut turn = Turn {
            hot: self,
            stream,
            line: Some(line.clone()),
            guard: None,
            era: 0,
            size: Size::default(),
        };
        if !Slip::TurnNotAwaited.is_made() {
            turn.guard = Some(line.lock_owned().await);
        }
        turn.era = self.era.load(Ordering::Acquire);
        turn
    }

    /// Lets go of a state that does not hold any more.
    pub(crate) fn evict(&self, stream: StreamId) {
        let size = Size {
            measured: PLACE,
            bytes: PLACE,
        };
        self.shard(stream)
            .states
            .lock()
            .put(stream, Box::new(ToBeRead), size);
    }

    /// How often all states were let go of.
    pub(crate) fn era(&self) -> u64 {
        self.era.load(Ordering::Acquire)
    }

    pub(crate) fn clear(&self) {
        self.era.fetch_add(1, Ordering::AcqRel);
        for shard in &self.shards {
            *shard.states.lock() = States::default();
        }
    }
}

/// The right to decide on one stream.
pub(crate) struct Turn<'h> {
    hot: &'h HotStates,
    stream: StreamId,
    line: Option<Line>,
    guard: Option<tokio::sync::OwnedMutexGuard<()>>,
    era: u64,
    /// Of the state that was taken out.
    size: Size,
}

impl Turn<'_> {
    /// Takes the state out; it is to be put back. It may hold events that are still on their way to the disk, and another
    /// process may have written since.
    pub(crate) fn take<A: Decide>(&mut self) -> Known<A> {
        let Some(kept) = self.hot.shard(self.stream).states.lock().take(self.stream) else {
            return Known::Nothing;
        };
        let Ok(loaded) = kept.state.downcast::<Loaded<A>>() else {
            return Known::ToBeRead;
        };
        self.size = kept.size;
        Known::State(*loaded)
    }

    /// Keeps the state, which has taken in events of so many bytes since it was taken out.
    pub(crate) fn put<A: Decide>(&mut self, loaded: Loaded<A>, grown: usize) {
        self.size.bytes += grown;
        if self.size.bytes >= self.size.measured + self.size.measured / 4 {
            let measured = size_of::<Loaded<A>>() + PLACE + json_bytes(&loaded.state);
            self.size = Size {
                measured,
                bytes: measured,
            };
        }
        let state = Box::new(loaded);
        let is_of_today = || self.era == self.hot.era.load(Ordering::Acquire);
        let early = Slip::EraAskedEarly.is_made().then(is_of_today);
        let mut states = self.hot.shard(self.stream).states.lock();
        // Looked at with the shard in hand: whoever lets go of everything comes before this, or empties the shard after.
        if early.unwrap_or_else(is_of_today) {
            states.put(self.stream, state, self.size);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut turns = self.hot.shard(self.stream).turns.lock();
        self.guard = None;
        // Let go of with the table in hand: of two who leave at once, the later one sees that nobody is left.
        self.line = None;
        let is_over = |line: &Line| Arc::strong_count(line) == 1;
        if turns.get(&self.stream).is_some_and(is_over) {
            turns.remove(&self.stream);
        }
    }
}

impl States {
    fn put(&mut self, stream: StreamId, state: Box<dyn Any + Send>, size: Size) {
        self.take(stream);
        if size.bytes > OF_SHARD / 2 {
            return;
        }
        self.uses += 1;
        let used = self.uses;
        self.bytes += size.bytes;
        self.of.insert(stream, Kept { state, size, used });
        self.used.push_back((used, stream));
        while self.bytes > OF_SHARD
            && let Some((used, stream)) = self.used.pop_front()
        {
            if self.of.get(&stream).is_some_and(|kept| kept.used == used) {
                self.take(stream);
            }
        }
        if self.used.len() > 2 * self.of.len() + SLACK {
            let of = &self.of;
            self.used
                .retain(|(used, stream)| of.get(stream).is_some_and(|kept| kept.used == *used));
        }
    }

    fn take(&mut self, stream: StreamId) -> Option<Kept> {
        let kept = self.of.remove(&stream)?;
        self.bytes -= kept.size.bytes;
        Some(kept)
    }
}

/// How long the state's JSON is; nothing is kept of it.
fn json_bytes(state: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, state) {
        Ok(()) => count.0,
        // What cannot be measured is taken for too much.
        Err(_) => OF_SHARD,
    }
}

#[cfg(all(test, feature = "schedules"))]
mod schedules;
#[cfg(test)]
mod tests;
