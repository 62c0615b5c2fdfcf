//! Carries the provider's notices to the webhook address, signed like Stripe's, again and again until they are answered; with
//! the faults of the plan.

use std::time::Duration;

use gateway::{GatewayError, Receiver, signature};
use platform::clock;
use platform::duty::ours;
use tokio::sync::watch;

use crate::Sandbox;

/// Looks for work at least this often: a plan may have changed.
const IDLE: Duration = Duration::from_millis(500);
/// How long a notice that was not taken in waits for its next delivery.
const AGAIN_MS: i64 = 500;

impl Sandbox {
    /// Delivers until `stop` is set, while no other node does.
    pub async fn deliver(self, receiver: Receiver, mut stop: watch::Receiver<bool>) {
        let mut held = self.duty().watch();
        while ours(&mut held, &mut stop).await {
            if let Err(error) = self.deliver_due(&receiver).await {
                tracing::error!(%error, "the sandbox could not deliver its notices; trying again");
            }
            let wait = self.until_next().await;
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.news.notified() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }

    /// Hands over every notice there is, dropped ones included.
    pub(crate) async fn hand_over(&self, receiver: &Receiver) -> Result<(), GatewayError> {
        self.reachable().await?;
        let bodies = self
            .memory
            .bodies()
            .await
            .map_err(|_| GatewayError::Unreachable)?;
        for body in bodies {
            let header = signature::sign(self.webhook_secret(), clock::now(), body.as_bytes());
            if !receiver(header, body).await {
                return Err(GatewayError::Unreachable);
            }
        }
        Ok(())
    }

    async fn until_next(&self) -> Duration {
        let next = self.memory.next_due_ms().await.ok().flatten();
        let now = clock::now().timestamp_millis();
        next.map_or(IDLE, |due| {
            let wait = u64::try_from(due.saturating_sub(now)).unwrap_or_default();
            Duration::from_millis(wait.max(1)).min(IDLE)
        })
    }

    async fn deliver_due(&self, receiver: &Receiver) -> Result<(), GatewayError> {
        self.settle(clock::now()).await?;
        let plan = self.memory.plan().await?;
        for notice in self.memory.due(clock::now(), plan.reorder).await? {
            self.memory.confirm_duty().await?;
            let header = signature::sign(self.webhook_secret(), clock::now(), notice.body.as_bytes());
            if receiver(header, notice.body).await {
                self.memory.delivered(&notice.id).await?;
            } else {
                let due = clock::now().timestamp_millis() + AGAIN_MS;
                self.memory.postpone(&notice.id, due).await?;
            }
        }
        Ok(())
    }
}
