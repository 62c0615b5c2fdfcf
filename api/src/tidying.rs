//! Forgets what has had its time: messages that went out, and what the limits counted.

use std::time::Duration;

use http_kit::limits::Limits;
use messages::Outbox;
use platform::duty::{Duty, ours};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often what has had its time is looked for.
const TIDY_EVERY: Duration = Duration::from_mins(1);

/// Forgets, now and then, while this node is the one on duty.
pub async fn keep_tidy(outbox: Outbox, limits: Limits, duty: Duty, mut stop: watch::Receiver<bool>) {
    let mut held = duty.watch();
    let mut tick = tokio::time::interval(TIDY_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while ours(&mut held, &mut stop).await {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        let forgotten = async {
            outbox.forget().await?;
            limits.tidy().await
        };
        if let Err(error) = forgotten.await {
            tracing::error!(%error, "old messages could not be forgotten; trying again");
        }
    }
}
