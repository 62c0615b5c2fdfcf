//! The latest events, kept in memory for the readers that follow closely.

use std::collections::VecDeque;

use crate::event::RecordedEvent;
use crate::stream::Position;
use threads::{RwLock, Slip};

const KEPT: usize = 4_096;

/// A gapless run of the latest events.
#[derive(Debug, Default)]
pub struct Ring(RwLock<Run>);

#[derive(Debug, Default)]
struct Run {
    /// Every event after this position, up to the last one kept, is kept.
    floor: Position,
    events: VecDeque<RecordedEvent>,
}

impl Ring {
    /// Takes in events that follow on the one at `before`; forgets everything older when that is not the last one kept.
    pub fn push(&self, before: Position, events: &[RecordedEvent]) {
        if events.is_empty() {
            return;
        }
        let mut kept = self.0.write();
        if kept.events.back().is_none_or(|last| last.position != before) {
            kept.events.clear();
            kept.floor = before;
        }
        kept.events.extend(events.iter().cloned());
        let surplus = kept.events.len().saturating_sub(KEPT);
        let gone = kept.events.drain(..surplus).next_back();
        if let Some(gone) = gone {
            kept.floor = gone.position;
        }
    }

    /// Forgets everything, because another process has written in between.
    pub fn clear(&self) {
        self.0.write().events.clear();
    }

    /// Events after a position; `None` when the ring does not reach back that far.
    pub fn after(&self, after: Position, limit: usize) -> Option<Vec<RecordedEvent>> {
        let mut kept = self.0.read();
        if kept.events.is_empty() || after < kept.floor {
            return None;
        }
        if Slip::RingAskedTwice.is_made() {
            drop(kept);
            kept = self.0.read();
        }
        let skip = kept.events.partition_point(|event| event.position <= after);
        Some(kept.events.iter().skip(skip).take(limit).cloned().collect())
    }
}
