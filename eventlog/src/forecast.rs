//! How a batch's requests themselves say that things stand, for an engine that can hold that against what is there while it
//! writes: then nothing need be asked before.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::append::{Append, Expected};
use crate::plan::{Head, Plan, Standing, StreamHead};
use crate::stream::StreamId;

/// What is foreseen. No command of the batch was done before, and nobody new has a key.
#[derive(Debug)]
pub struct Forecast {
    /// Where the log ends.
    pub head: Head,
    /// Where each named stream stands; of one that has events and no `last` only the revision is known.
    pub streams: HashMap<StreamId, StreamHead>,
}

impl Forecast {
    /// Nothing when some request does not say enough.
    pub fn of(appends: &[&Append], head: Head) -> Option<Self> {
        let mut forecast = Self {
            head,
            streams: HashMap::new(),
        };
        for append in appends {
            if append.probe {
                return None;
            }
            let guards = append.guards.iter().map(|guard| (guard.stream, guard.expected));
            let parts = append.streams.iter().map(|part| (part.stream, part.expected));
            for (stream, expected) in guards.chain(parts) {
                forecast.take_in(stream, expected)?;
            }
        }
        Some(forecast)
    }

    /// The first to name a stream is believed; whoever contradicts is judged by that when the batch is planned.
    fn take_in(&mut self, stream: StreamId, expected: Expected) -> Option<()> {
        let (revision, last) = match expected {
            Expected::Revision(revision) => (revision, None),
            Expected::After { revision, last } if last.is_some() == (revision > 0) => (revision, last),
            Expected::Any | Expected::After { .. } => return None,
        };
        match self.streams.entry(stream) {
            Entry::Vacant(place) => {
                place.insert(StreamHead {
                    key: None,
                    revision,
                    last,
                });
            }
            Entry::Occupied(mut known) if known.get().revision == revision => {
                let known = known.get_mut();
                known.last = known.last.or(last);
            }
            Entry::Occupied(_) => {}
        }
        Some(())
    }

    /// What is planned on.
    pub fn standing(&self) -> Standing {
        Standing {
            head: self.head,
            streams: self.streams.clone(),
            ..Standing::default()
        }
    }

    /// Whether writing the plan shows all that was foreseen to be so: a stream that is to have no events must get some.
    pub fn is_shown_by(&self, plan: &Plan) -> bool {
        let seen =
            |(stream, head): (&StreamId, &StreamHead)| head.revision > 0 || plan.streams.contains_key(stream);
        !plan.is_empty() && self.streams.iter().all(seen)
    }
}
