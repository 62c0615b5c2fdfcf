//! In a build without KurrentDB's client, the setting `event_log` is refused.

use eventlog::EventLog;
use platform::config::Settings;
use tables::Place;

const REFUSED: &str = "this program was built without KurrentDB: take the one that `make release` builds, or leave the setting `event_log` out";

/// # Errors
/// Always: one sentence for the operator.
#[expect(
    clippy::unused_async,
    reason = "waits in a build with the feature `kurrentdb`"
)]
pub(crate) async fn open(_settings: &Settings, _place: &Place) -> Result<EventLog, String> {
    Err(REFUSED.to_owned())
}

/// # Errors
/// Always: one sentence for the operator.
pub(crate) fn needs_chain(_what: &str) -> Result<(), String> {
    Err(REFUSED.to_owned())
}
