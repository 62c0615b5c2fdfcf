//! A log for the simulation: its storage outlives every kill and fails when it is told to, and its writer moves when it is
//! told to. Everything else is the log as it is. In builds with debug assertions, or with the feature `simulation`.

use std::sync::Arc;

use domain::moment::Moment;
use uuid::Uuid;

use crate::engine::Engine;
use crate::error::LogError;
use crate::event::{Hash, RecordedEvent};
use crate::grouped::Grouped;
use crate::handles::HandleHasher;
use crate::log::EventLog;
use crate::memory::Memory;
use crate::plan::{Head, Plan, Standing};
use crate::seal::Keyring;
use crate::stream::{Position, StreamId};
use crate::verify::{self, Anchor, Verdict};
use threads::Mutex;

/// Where a batch may be struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The storage cannot be reached.
    Begin,
    /// Nothing was written, and the writer is told so.
    BeforeCommit,
    /// All was written, and the writer is told that it was not.
    AfterCommit,
    /// Nothing was written, and the writer is told that all was: no storage that is sold does this.
    Forgotten,
    /// The disk fails: what it holds nobody knows, and the writer stops.
    Disk,
}

/// What survives a kill: the storage, the keys and the secret of look-ups.
pub struct Kept {
    memory: Memory,
    keys: Keyring,
    handles: HandleHasher,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            memory: Memory::default(),
            keys: Keyring::memory(),
            handles: HandleHasher::random(),
        }
    }
}

impl Kept {
    /// Opens the log on it. `strikes` is asked at every step whether it fails.
    pub fn open(&self, strikes: impl FnMut(Step) -> bool + Send + 'static) -> (EventLog, Hand) {
        let mut memory = self.memory.clone();
        let end = memory.head().unwrap_or_default();
        let engine = Struck {
            memory: memory.clone(),
            strikes: Box::new(strikes),
        };
        let (backend, mut writer) = Grouped::by_hand(engine, memory, self.keys.clone(), end);
        let log = EventLog::on(backend, self.keys.clone(), self.handles.clone());
        let turn: Box<dyn FnMut() + Send> = Box::new(move || writer.turn());
        (log, Hand(Arc::new(Mutex::new(turn))))
    }

    /// What the log holds after a position.
    pub fn events_after(&self, position: Position) -> Vec<RecordedEvent> {
        self.memory.after(position, usize::MAX)
    }

    /// Where the log ends.
    pub fn end(&self) -> Position {
        self.memory.clone().head().unwrap_or_default().position
    }

    /// The log's end, if every hash after the anchor is right.
    pub fn intact_since(&self, anchor: Anchor) -> Option<Anchor> {
        match verify::sequence(anchor, self.events_after(anchor.position)) {
            Verdict::Intact(end) => Some(end),
            Verdict::Broken { .. } => None,
        }
    }
}

/// What moves the writer on.
#[derive(Clone)]
pub struct Hand(Arc<Mutex<Box<dyn FnMut() + Send>>>);

impl Hand {
    /// Writes what waits, as one batch.
    pub fn turn(&self) {
        (self.0.lock())();
    }
}

struct Struck {
    memory: Memory,
    strikes: Box<dyn FnMut(Step) -> bool + Send>,
}

impl Engine for Struck {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        if (self.strikes)(Step::Begin) {
            return Err(LogError::Unavailable("the storage cannot be reached".to_owned()));
        }
        self.memory.begin(streams, commands)
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        if (self.strikes)(Step::Forgotten) {
            return Ok(());
        }
        if (self.strikes)(Step::Disk) {
            return Err(LogError::DiskFailed("the disk says no".to_owned()));
        }
        if (self.strikes)(Step::BeforeCommit) {
            return Err(LogError::Storage("the batch was turned down".to_owned()));
        }
        self.memory.commit(plan)?;
        if (self.strikes)(Step::AfterCommit) {
            return Err(LogError::Unavailable("the answer was lost".to_owned()));
        }
        Ok(())
    }

    fn rollback(&mut self) {
        self.memory.rollback();
    }

    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        self.memory.chain_at(position)
    }

    fn head(&mut self) -> Result<Head, LogError> {
        self.memory.head()
    }

    fn tidy(&mut self, now: Moment) -> Result<bool, LogError> {
        self.memory.tidy(now)
    }
}
