//! Events that no notice told of: Stripe keeps each for 30 days and lists them. They are taken in through the same door as
//! notices, which knows what it has seen: at the start, after an outage, and every few minutes.

use std::time::Duration;

use gateway::{GatewayError, PaymentGateway as _, Receiver, signature};
use platform::clock;
use platform::duty::ours;
use platform::provider_words::bound_provider_words;
use serde::Deserialize;
use serde_json::value::RawValue;
use stripe_core::event::ListEvent;
use stripe_types::RangeQueryTs;
use tokio::sync::watch;

use crate::Stripe;

/// How often the list is looked at while notices arrive.
const EVERY: Duration = Duration::from_mins(5);
/// How soon again when it could not be taken in.
const AGAIN: Duration = Duration::from_secs(15);
/// How long Stripe keeps an event.
const KEPT_S: i64 = 30 * 24 * 60 * 60;
/// Events are listed again from this long before the newest one taken in: Stripe may list one late.
const OVERLAP_S: i64 = 10 * 60;
/// Stripe's largest page.
const PAGE: i64 = 100;

/// The types that say something about a payment; the same as a webhook endpoint is to be set up for.
pub const TYPES: [&str; 15] = [
    "payment_intent.succeeded",
    "payment_intent.payment_failed",
    "payment_intent.processing",
    "payment_intent.requires_action",
    "payment_intent.canceled",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.refunded",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
    "charge.refund.updated",
];

/// Why events could not be taken in.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    #[error("what was taken in of the Stripe account cannot be noted: {0}")]
    Memory(#[from] sqlx::Error),
    #[error("an event in the list cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("the event `{0}` could not be taken in: look for its reason in the log output")]
    NotTaken(String),
}

/// A page of the list, newest first.
#[derive(Deserialize)]
struct Page {
    data: Vec<Box<RawValue>>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    created: i64,
}

/// One event of the list.
struct Listed {
    id: String,
    created_s: i64,
    body: String,
}

impl Stripe {
    /// Takes in what the list holds since the last time, oldest first; gives back how many events it held.
    ///
    /// # Errors
    /// When the list cannot be read to its end, or an event is not taken in: the next time begins at the same place.
    pub async fn sync(&self, receiver: &Receiver) -> Result<usize, SyncError> {
        let memory = &self.0.memory;
        let since = match memory.taken_in_s().await? {
            Some(newest) => newest - OVERLAP_S,
            None => clock::wall().timestamp() - KEPT_S,
        };
        let mut events = self.listed_since(since).await?;
        events.reverse();
        let secrets = self.webhook_secrets();
        let secret = secrets.first().copied().unwrap_or_default();
        for event in &events {
            let header = signature::sign(secret, clock::now(), event.body.as_bytes());
            if !receiver(header, event.body.clone()).await {
                return Err(SyncError::NotTaken(event.id.clone()));
            }
        }
        if let Some(newest) = events.iter().map(|event| event.created_s).max() {
            memory.note_taken_in(newest).await?;
        }
        Ok(events.len())
    }

    async fn listed_since(&self, since_s: i64) -> Result<Vec<Listed>, SyncError> {
        let mut events: Vec<Listed> = Vec::new();
        loop {
            let mut list = ListEvent::new()
                .created(RangeQueryTs::gte(since_s))
                .types(TYPES.map(str::to_owned))
                .limit(PAGE);
            if let Some(last) = events.last() {
                list = list.starting_after(last.id.clone());
            }
            let page: Page = self.0.calls.ask(&list).await?;
            let is_last = !page.has_more || page.data.is_empty();
            for event in page.data {
                let Named { id, created } = serde_json::from_str(event.get())?;
                events.push(Listed {
                    id,
                    created_s: created,
                    body: event.get().to_owned(),
                });
            }
            if is_last {
                return Ok(events);
            }
        }
    }

    /// Takes events in until `stop` is set, while no other node does.
    pub async fn keep_synced(self, receiver: Receiver, mut stop: watch::Receiver<bool>) {
        let mut held = self.duty().watch();
        while ours(&mut held, &mut stop).await {
            let wait = match self.sync(&receiver).await {
                Ok(listed) => {
                    tracing::debug!(listed, "the events of Stripe are taken in");
                    EVERY
                }
                Err(error) => {
                    let error = bound_provider_words(&error.to_string());
                    tracing::warn!(error, "the events of Stripe could not be taken in; trying again");
                    AGAIN
                }
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.0.calls.back.notified() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
        }
    }
}
