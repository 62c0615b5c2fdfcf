//! Brings what administrators set in the workspace into force: at the start, and on every node within a second or two of the change.

use std::sync::Arc;
use std::time::Duration;

use domain::site_settings::{SITE_SETTINGS, SiteSettings};
use eventlog::EventLog;
use platform::config::Settings;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often a node looks for changes made on others.
const EVERY: Duration = Duration::from_secs(1);

/// Takes over what the log says is set.
///
/// # Errors
/// When the log cannot be read.
pub async fn take_over(log: &EventLog, settings: &Settings) -> Result<(), String> {
    let loaded = log.load::<SiteSettings>(SITE_SETTINGS).await;
    let set = loaded.map_err(|error| error.to_string())?.state;
    settings.here.replace(set.values());
    Ok(())
}

/// Follows the changes until the server stops.
pub async fn keep_following(log: EventLog, settings: Arc<Settings>, mut stop: watch::Receiver<bool>) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        if let Err(error) = take_over(&log, &settings).await {
            tracing::warn!(
                error,
                "settings of the workspace could not be read; what was set goes on"
            );
        }
    }
}
