//! Faults of a feed, said so that its writer can mend it.

/// The outcome of the thing that has the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is taken, and a person should look at it.
    Warned,
    /// Not meant to be shown, by what the feed itself says.
    LeftOut,
    LeaseRejected,
    RoomRejected,
    HomeRejected,
}

/// One fault: where, what is written there, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub line: u64,
    /// The column, or the path in a nested record.
    pub path: String,
    /// The written text, cut after [`VALUE_SHOWN`] letters.
    pub value: String,
    pub reason: String,
    pub verdict: Verdict,
}

/// Letters of a value that a fault repeats.
pub const VALUE_SHOWN: usize = 60;

impl Fault {
    pub(crate) fn new(
        line: u64,
        path: impl Into<String>,
        value: &str,
        reason: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        Self {
            line,
            path: path.into(),
            value: cut_letters(value, VALUE_SHOWN),
            reason: reason.into(),
            verdict,
        }
    }
}

/// The first letters of a text.
pub(crate) fn cut_letters(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
