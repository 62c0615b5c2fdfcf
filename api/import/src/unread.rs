//! Runs that end before a row of their file could be read: nobody answers at the address, or the map cannot be used. They stand in the log
//! with their reason, as every other run.

use domain::import_run::{RunCounts, RunOutcome, RunSource};
use eventlog::EventLog;

use crate::run::{RunMark, begin_run, end_run};

/// Puts a run into the log that ended before its file could be read.
///
/// # Errors
/// One sentence when the log cannot be used.
pub(crate) async fn note_unread(log: &EventLog, source: RunSource, reason: &str) -> Result<(), String> {
    let (mark, by) = (RunMark::new(), source.by);
    begin_run(log, mark, source).await?;
    let outcome = RunOutcome::Stopped {
        reason: reason.to_owned(),
    };
    end_run(log, (mark, by), RunCounts::default(), outcome).await
}
