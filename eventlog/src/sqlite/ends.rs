//! Where streams ended after this process' last commits, so that the next command on one of them asks the file nothing.

use std::collections::HashMap;

use crate::plan::{Head, Plan, StreamHead};
use crate::stream::StreamId;

/// Streams that are known; with more of them all are let go of. Some 100 bytes each.
const KNOWN: usize = 32_768;

/// They hold as long as the log ends where this process left it.
#[derive(Default)]
pub(super) struct Ends {
    head: Head,
    of: HashMap<StreamId, StreamHead>,
}

impl Ends {
    /// Lets go of everything when the log ends elsewhere: another process has written, or the file was put back.
    pub(super) fn hold_for(&mut self, head: &Head) {
        if self.head != *head {
            self.of.clear();
            self.head = *head;
        }
    }

    pub(super) fn of(&self, stream: &StreamId) -> Option<StreamHead> {
        self.of.get(stream).copied()
    }

    /// Takes in a plan that was committed on top of what is known; `keys` are its streams'.
    pub(super) fn moved(&mut self, plan: &Plan, keys: &HashMap<StreamId, i64>) {
        if self.of.len() + plan.streams.len() > KNOWN {
            self.of.clear();
        }
        for (stream, head) in &plan.streams {
            let key = keys.get(stream).copied();
            self.of.insert(*stream, StreamHead { key, ..*head });
        }
        self.head = plan.head;
    }
}
