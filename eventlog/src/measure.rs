//! What the log counts and times of its own work, for whoever installs a recorder of the crate `metrics`; without one it
//! costs next to nothing.

use std::time::Instant;

use metrics::{counter, gauge, histogram};

/// Seconds from the moment a request was put in line to its answer.
const APPEND: &str = "latchkey_append_seconds";
/// Requests by how they ended.
const ENDED: &str = "latchkey_appends_total";
/// Requests that wait for the writer.
const WAITING: &str = "latchkey_append_queue";
/// Requests written in one transaction.
const BATCH: &str = "latchkey_append_batch";
/// Commands by whether the aggregate's state was at hand, had to be folded from its stream, or the stream is new.
const STATES: &str = "latchkey_hot_states_total";

/// Kept states that were compared with the fold of their stream, by how that ended.
const SNAPSHOTS: &str = "latchkey_snapshots_checked_total";

/// Durable writes of keys of personal data that were made in advance or handed to their people.
const KEYS: &str = "latchkey_key_writes_total";

/// Everything that can be counted, by how it is told apart: an alarm on what never happened yet must find its figure.
const COUNTED: [(&str, &str, &[&str]); 4] = [
    (
        ENDED,
        "end",
        &["written", "repeated", "conflict", "failed", "busy"],
    ),
    (STATES, "found", &["yes", "no", "new"]),
    (SNAPSHOTS, "right", &["yes", "no"]),
    (NEWS, "by", &["call", "look"]),
];

/// Shows every count from zero on. Called when a recorder was installed, before the log is opened.
pub fn from_zero() {
    for (name, label, values) in COUNTED {
        for value in values {
            counter!(name, label => *value).increment(0);
        }
    }
    counter!(KEYS).increment(0);
}

/// Keys were written.
pub(crate) fn keys_written() {
    counter!(KEYS).increment(1);
}

/// Times the writer found that others had moved the log's end, by what made it look.
const NEWS: &str = "latchkey_log_news_total";

/// Others have written.
pub(crate) fn news(why: Looks) {
    let why = match why {
        Looks::Called => "call",
        Looks::ByItself => "look",
    };
    counter!(NEWS, "by" => why).increment(1);
}

/// What makes the writer look where the log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Another node called.
    Called,
    /// Nothing happened for a while.
    ByItself,
}

/// A request was put in line.
pub(crate) fn offered() {
    gauge!(WAITING).increment(1.0);
}

/// It found no room after all.
pub(crate) fn refused() {
    gauge!(WAITING).decrement(1.0);
    counter!(ENDED, "end" => "busy").increment(1);
}

/// The writer takes so many at once.
#[expect(clippy::cast_precision_loss, reason = "a batch has at most a thousand or so")]
pub(crate) fn taken(requests: usize) {
    gauge!(WAITING).decrement(requests as f64);
    histogram!(BATCH).record(requests as f64);
}

/// A request is answered, and how it ended.
pub(crate) fn answered(offered: Instant, end: &'static str) {
    histogram!(APPEND).record(offered.elapsed());
    counter!(ENDED, "end" => end).increment(1);
}

/// A command looked for its aggregate's state.
pub(crate) fn looked_up(found: &'static str) {
    counter!(STATES, "found" => found).increment(1);
}

/// A kept state was compared with the fold of its stream.
pub(crate) fn snapshot_checked(is_right: bool) {
    counter!(SNAPSHOTS, "right" => if is_right { "yes" } else { "no" }).increment(1);
}
