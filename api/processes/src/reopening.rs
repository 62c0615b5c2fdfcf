//! Homes that are paused until a day are let again on it (U5), by the calendar of UTC. Whoever paused one anew, closed it or opened it
//! meanwhile has the last word.

use std::time::Duration;

use chrono::NaiveDate;
use domain::id::InventoryId;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, CommitError, Context, commit_expecting};
use platform::clock;
use platform::duty::{Duty, ours};
use projections::staff_homes::query::list_due;
use records::Records;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often the calendar is looked at.
const TICK: Duration = Duration::from_secs(5);
/// Homes that one look opens; the next look takes the rest.
const AT_ONCE: u64 = 1_000;

/// Opens homes whose pause is over.
pub struct Reopening {
    pub records: Records,
}

impl Reopening {
    /// Opens them day by day, while this node is the one on duty.
    pub async fn keep_opening(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        let mut held = duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while ours(&mut held, &mut stop).await {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.look().await {
                tracing::error!(error, "homes whose pause is over cannot be listed; trying again");
            }
        }
    }

    async fn look(&self) -> Result<(), String> {
        let today = clock::now().date_naive();
        let due = list_due(self.records.read.readers(), today, AT_ONCE).await;
        for home_id in due.map_err(|error| error.to_string())? {
            // One that cannot be read holds up no other.
            if let Err(error) = self.open(home_id, today).await {
                tracing::error!(
                    %home_id,
                    error,
                    "a home whose pause is over could not be opened; trying again"
                );
            }
        }
        Ok(())
    }

    async fn open(&self, home_id: InventoryId, today: NaiveDate) -> Result<(), String> {
        let log = &self.records.log;
        let home = log.load::<Inventory>(home_id).await;
        let home = home.map_err(|error| error.to_string())?;
        // The list may be older than the home.
        let HomeState::Paused {
            reopens_on: Some(day),
        } = home.state.state
        else {
            return Ok(());
        };
        if day > today {
            return Ok(());
        }
        let context = Context::new(clock::now(), Actor::RULE);
        let reopen = InventoryCommand::Reopen;
        match commit_expecting::<Inventory>(log, home_id, reopen, &context, home.revision).await {
            // One without rooms waits until it has some.
            Ok(_) | Err(CommitError::Rejected(_) | CommitError::Conflict { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}
