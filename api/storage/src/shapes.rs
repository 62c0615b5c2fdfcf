//! Nothing works on a log that holds events of a newer program: it would leave them out, or take them for something else.

use domain::kinds;
use eventlog::EventLog;
use platform::config::Settings;

use crate::open_log;

/// Opens the log for work that reads events.
///
/// # Errors
/// One sentence for the operator: the log cannot be opened, or holds a shape from which no path leads to now.
pub async fn open_readable(settings: &Settings) -> Result<EventLog, String> {
    let log = open_log(settings).await?;
    all_readable(&log).await?;
    Ok(log)
}

/// That a path leads to now from every shape the log holds.
///
/// # Errors
/// One sentence that names the first shape without one.
pub async fn all_readable(log: &EventLog) -> Result<(), String> {
    let held = log
        .shapes()
        .await
        .map_err(|error| format!("the event log cannot be read: {error}"))?;
    held.iter()
        .try_for_each(|it| kinds::readable(&it.kind, &it.event_type, it.schema_version))
        .map_err(|strange| format!("the log holds {strange}"))
}
