//! The states of aggregates that were busy lately, so that a command need not fold its stream again.

use std::any::Any;
use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use domain::aggregate::Decide;
use parking_lot::Mutex;

use crate::commit::Loaded;
use crate::stream::StreamId;

const SHARDS: usize = 128;
/// Half of what one shard keeps at most. A state may be a whole property with its rooms, so this is not generous.
const YOUNG: usize = 32;

/// Bounded: each shard keeps two generations and drops the older one whole.
pub(crate) struct HotStates {
    shards: Vec<Shard>,
    hasher: std::hash::RandomState,
}

#[derive(Default)]
struct Shard {
    /// Held while a command is decided and put in line, so that commands to one stream queue up in order.
    turn: Arc<tokio::sync::Mutex<()>>,
    states: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashMap<StreamId, Box<dyn Any + Send>>,
    old: HashMap<StreamId, Box<dyn Any + Send>>,
}

impl Default for HotStates {
    fn default() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: std::hash::RandomState::new(),
        }
    }
}

impl HotStates {
    fn shard(&self, stream: StreamId) -> &Shard {
        let place = usize::try_from(self.hasher.hash_one(stream) % SHARDS as u64).unwrap_or_default();
        &self.shards[place]
    }

    /// Waits for the stream's turn; dropping the guard ends it.
    pub(crate) async fn turn(&self, stream: StreamId) -> tokio::sync::OwnedMutexGuard<()> {
        self.shard(stream).turn.clone().lock_owned().await
    }

    /// Takes a state out; whoever holds the turn puts it back. It may hold events that are still on their way to the
    /// disk, and another process may have written since.
    pub(crate) fn take<A: Decide>(&self, stream: StreamId) -> Option<Loaded<A>> {
        let mut states = self.shard(stream).states.lock();
        let held = states
            .young
            .remove(&stream)
            .or_else(|| states.old.remove(&stream))?;
        held.downcast::<Loaded<A>>().ok().map(|loaded| *loaded)
    }

    pub(crate) fn put<A: Decide>(&self, stream: StreamId, loaded: Loaded<A>) {
        self.shard(stream).states.lock().put(stream, Box::new(loaded));
    }

    pub(crate) fn evict(&self, stream: StreamId) {
        let mut states = self.shard(stream).states.lock();
        states.young.remove(&stream);
        states.old.remove(&stream);
    }

    pub(crate) fn clear(&self) {
        for shard in &self.shards {
            *shard.states.lock() = Generations::default();
        }
    }
}

impl Generations {
    fn put(&mut self, stream: StreamId, state: Box<dyn Any + Send>) {
        if self.young.len() >= YOUNG {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&stream);
        self.young.insert(stream, state);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::conformance::Account;

    #[test]
    fn however_many_streams_are_busy_only_so_many_states_are_kept() {
        let hot = HotStates::default();
        let stream = |number: u128| StreamId {
            kind: "account",
            id: Uuid::from_u128(number),
        };
        for number in 0..50_000 {
            hot.put(
                stream(number),
                Loaded {
                    state: Account::default(),
                    revision: 1,
                    last_event: None,
                },
            );
        }
        assert!(
            hot.take::<Account>(stream(49_999)).is_some(),
            "the latest is kept"
        );
        let kept = (0..50_000)
            .filter(|number| hot.take::<Account>(stream(*number)).is_some())
            .count();
        assert!(kept < 2 * YOUNG * SHARDS, "{kept} are kept");
    }
}
