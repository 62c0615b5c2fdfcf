//! Forgets what has had its time: messages that went out, what the limits counted, and statements of the bank.

use std::time::Duration;

use platform::clock;
use platform::duty::{Duty, ours};
use processes::bank_statements::StatementStore;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::app::App;

/// How often what has had its time is looked for.
const TIDY_EVERY: Duration = Duration::from_mins(1);

/// Forgets, now and then, while this node is the one on duty.
pub async fn keep_tidy(app: App, duty: Duty, mut stop: watch::Receiver<bool>) {
    let mut held = duty.watch();
    let mut tick = tokio::time::interval(TIDY_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while ours(&mut held, &mut stop).await {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        let forgotten = async {
            app.outbox.forget().await?;
            app.limits.tidy().await
        };
        if let Err(error) = forgotten.await {
            tracing::error!(%error, "old messages could not be forgotten; trying again");
        }
        let statements = StatementStore {
            log: &app.records.log,
            desk: &app.desk,
            data_dir: &app.settings.data_dir,
        };
        if let Err(error) = statements.remove_expired(clock::now()).await {
            tracing::error!(%error, "statements that were kept for seven years could not be removed; trying again");
        }
    }
}
