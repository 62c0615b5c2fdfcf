//! Waiting that ends early when the process stops.

use std::time::Duration;

use tokio::sync::watch;

/// Waits for `pause` before something is tried again. `false` when it is not to be tried again, because `stop` was set
/// meanwhile.
pub async fn pause_unless_stopped(pause: Duration, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::time::timeout(pause, stop.wait_for(|stopped| *stopped))
        .await
        .is_err()
}
