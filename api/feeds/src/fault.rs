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
/// Letters of a path, which has the names that a file chooses.
pub(crate) const PATH_SHOWN: usize = 200;
/// Letters of a sentence: names of columns stand in some.
pub(crate) const SENTENCE_SHOWN: usize = 600;

impl Fault {
    pub(crate) fn new(
        line: u64,
        path: impl Into<String>,
        value: &str,
        reason: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        let (path, reason): (String, String) = (path.into(), reason.into());
        Self {
            line,
            path: show_text(&path, PATH_SHOWN),
            value: cut_letters(value, VALUE_SHOWN),
            reason: show_text(&reason, SENTENCE_SHOWN),
            verdict,
        }
    }
}

/// The first letters of a text, in one line: what a file holds must not steer the terminal or the log that shows it.
pub fn cut_letters(text: &str, most: usize) -> String {
    let shown = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().take(most).map(shown).collect()
}

/// The same with a sign where it is cut.
pub(crate) fn show_text(text: &str, most: usize) -> String {
    let mut shown = cut_letters(text, most);
    if shown.len() < text.len() && text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_texts_are_short_and_steer_nothing() {
        assert_eq!(show_text("a\u{1b}[31mb\nc", 20), "a [31mb c");
        assert_eq!(show_text("price", 5), "price");
        assert_eq!(show_text("prices", 5), "price…");
        let fault = Fault::new(1, "x".repeat(10_000), "y", "z".repeat(10_000), Verdict::Warned);
        assert!(
            fault.path.chars().count() <= PATH_SHOWN + 1,
            "{}",
            fault.path.len()
        );
        assert!(fault.reason.chars().count() <= SENTENCE_SHOWN + 1);
    }
}
