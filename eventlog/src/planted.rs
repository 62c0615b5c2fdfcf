//! Faults that a test can bring back, to see that it would find them: `LATCHKEY_PLANTED_FAULT=<name>`. Binaries built for
//! release have none of them, whatever the environment says.

/// The environment variable that names one.
pub const VARIABLE: &str = "LATCHKEY_PLANTED_FAULT";

/// Each is a mistake that somebody could make, and that one of the rows of tests must find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// R1: several batches are answered before their common commit.
    LateCommit,
    /// R2: a commit does not wait for the disk.
    SyncNormal,
    /// R3: a commit that the disk reported as failed is answered as done.
    FailedWriteTaken,
    /// R4: a full disk stops the writer for good.
    FullStops,
    /// R7: nobody looks whether a stream has moved on since something was decided about it.
    ExpectationsIgnored,
    /// R8: a request's key is not looked at.
    KeyForgotten,
    /// R13: the search index takes in only what it found when it started.
    IndexStandsStill,
    /// R9: a notice of the gateway counts however old its signature is.
    StaleNotices,
    /// R11: a mail counts as sent before the mail server has taken it.
    SentBeforeSend,
    /// R18: the time is read from the wall, wherever somebody puts it.
    WallClock,
    /// R5: a batch whose answer was lost with the connection is answered as done.
    LostAnswerTaken,
    /// R12: what an event says is not held against its digest.
    PayloadsBelieved,
    /// R14: an event of an older shape is read as if it were today's.
    StepsLeftOut,
    /// R22: a backup says that it goes as far as the log does by now.
    BackupSaysMore,
    /// R24: what was overwritten stays in the write-ahead files.
    WordsLeft,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::LateCommit,
        Self::SyncNormal,
        Self::FailedWriteTaken,
        Self::FullStops,
        Self::ExpectationsIgnored,
        Self::KeyForgotten,
        Self::IndexStandsStill,
        Self::StaleNotices,
        Self::SentBeforeSend,
        Self::WallClock,
        Self::LostAnswerTaken,
        Self::PayloadsBelieved,
        Self::StepsLeftOut,
        Self::BackupSaysMore,
        Self::WordsLeft,
    ];

    /// What the variable says.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LateCommit => "late_commit",
            Self::SyncNormal => "sync_normal",
            Self::FailedWriteTaken => "failed_write_taken",
            Self::FullStops => "full_stops",
            Self::ExpectationsIgnored => "expectations_ignored",
            Self::KeyForgotten => "key_forgotten",
            Self::IndexStandsStill => "index_stands_still",
            Self::StaleNotices => "stale_notices",
            Self::SentBeforeSend => "sent_before_send",
            Self::WallClock => "wall_clock",
            Self::LostAnswerTaken => "lost_answer_taken",
            Self::PayloadsBelieved => "payloads_believed",
            Self::StepsLeftOut => "steps_left_out",
            Self::BackupSaysMore => "backup_says_more",
            Self::WordsLeft => "words_left",
        }
    }

    /// Whether this process was started with it.
    #[cfg(debug_assertions)]
    pub fn is_planted(self) -> bool {
        std::env::var(VARIABLE).is_ok_and(|name| name == self.name())
    }

    /// Never, in a binary for release.
    #[cfg(not(debug_assertions))]
    pub const fn is_planted(self) -> bool {
        false
    }
}

/// Read by the compiler: a release has no faults of these.
#[cfg(not(debug_assertions))]
const _: () = {
    let mut number = 0;
    while number < Fault::ALL.len() {
        assert!(!Fault::ALL[number].is_planted());
        number += 1;
    }
};
