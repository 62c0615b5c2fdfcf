//! The latest events, kept in memory for the readers that follow closely.

use std::collections::VecDeque;

use parking_lot::RwLock;

use crate::event::RecordedEvent;
use crate::stream::Position;

const KEPT: usize = 4_096;

/// A gapless run of the latest events.
#[derive(Debug, Default)]
pub(crate) struct Ring(RwLock<VecDeque<RecordedEvent>>);

impl Ring {
    /// Takes in the events of one batch; forgets everything older when they do not follow on.
    pub(crate) fn push(&self, events: &[RecordedEvent]) {
        let Some(first) = events.first() else { return };
        let mut kept = self.0.write();
        if kept
            .back()
            .is_some_and(|last| last.position + 1 != first.position)
        {
            kept.clear();
        }
        kept.extend(events.iter().cloned());
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// Forgets everything, because another process has written in between.
    pub(crate) fn clear(&self) {
        self.0.write().clear();
    }

    /// Events after a position; `None` when the ring does not reach back that far.
    pub(crate) fn after(&self, after: Position, limit: usize) -> Option<Vec<RecordedEvent>> {
        let kept = self.0.read();
        let oldest = kept.front()?.position;
        if after + 1 < oldest {
            return None;
        }
        let skip = usize::try_from(after + 1 - oldest).ok()?;
        Some(kept.iter().skip(skip).take(limit).cloned().collect())
    }
}
