//! Which shapes of events the log holds: the start asks, before anything reads an event that it could not read.

use std::collections::{BTreeSet, HashMap};

use crate::event::RecordedEvent;
use crate::plan::Head;

/// A shape of events that the log holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoredShape {
    /// The kind of their streams.
    pub kind: String,
    /// Their stored type.
    pub event_type: String,
    /// The version of their shape.
    pub schema_version: u32,
}

/// What the writer knows to be noted, so that a batch of known shapes notes nothing.
#[derive(Debug, Default)]
pub(crate) struct Noted(HashMap<String, Vec<(&'static str, u32)>>);

impl Noted {
    /// Shapes of these events that are not known to be noted.
    pub(crate) fn new_among(&self, events: &[RecordedEvent]) -> BTreeSet<StoredShape> {
        let unknown = events.iter().filter(|event| {
            let known = self.0.get(&event.event_type);
            !known.is_some_and(|known| known.contains(&(event.stream.kind, event.schema_version)))
        });
        let shape = |event: &RecordedEvent| StoredShape {
            kind: event.stream.kind.to_owned(),
            event_type: event.event_type.clone(),
            schema_version: event.schema_version,
        };
        unknown.map(shape).collect()
    }

    /// Takes in that the shapes of these events are noted durably.
    pub(crate) fn learn(&mut self, events: &[RecordedEvent], new: &BTreeSet<StoredShape>) {
        if new.is_empty() {
            return;
        }
        for event in events {
            let known = self.0.entry(event.event_type.clone()).or_default();
            let shape = (event.stream.kind, event.schema_version);
            if !known.contains(&shape) {
                known.push(shape);
            }
        }
    }

    /// Takes in that the log ends elsewhere than this writer left it. One that did not grow was put back to an earlier
    /// state, and with it what was noted.
    pub(crate) fn moved(&mut self, from: Head, to: Head) {
        if to != from && to.position <= from.position {
            self.0.clear();
        }
    }
}
