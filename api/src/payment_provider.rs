//! Who moves the money: the Stripe account of the settings, or the sandbox where they name none.

use std::sync::Arc;

use gateway::rehearsal::ReadOnlyGateway;
use gateway::{PaymentGateway, Receiver};
use gateway_sandbox::Sandbox;
use gateway_stripe::Stripe;
use platform::config::Settings;
use platform::config::stripe::StripeAccount;
use platform::duty::Duty;
use tokio::sync::watch;

/// The one provider of a process; cheap to clone.
#[derive(Clone)]
pub enum PaymentProvider {
    Sandbox(Box<Sandbox>),
    Stripe(Stripe),
}

impl PaymentProvider {
    /// Opens what is kept of it; `node` names this process among all there ever were.
    ///
    /// # Errors
    /// One sentence, when its tables cannot be reached or a setting is wrong.
    pub async fn open(settings: &Settings, node: &str) -> Result<Self, String> {
        let place = settings.place();
        match StripeAccount::of_settings(settings)? {
            Some(account) => {
                tracing::info!(mode = account.mode.name(), "payments go through Stripe");
                Ok(Self::Stripe(Stripe::open(account, &place, node).await?))
            }
            None => Sandbox::open(&place, node)
                .await
                .map(|sandbox| Self::Sandbox(Box::new(sandbox)))
                .map_err(|error| format!("the test gateway cannot be opened: {error}")),
        }
    }

    /// As handlers and the reactor reach it; in a rehearsal it refuses every write.
    pub fn gateway(&self, settings: &Settings) -> Arc<dyn PaymentGateway> {
        let gateway: Arc<dyn PaymentGateway> = match self {
            Self::Sandbox(sandbox) => Arc::new(Sandbox::clone(sandbox)),
            Self::Stripe(stripe) => Arc::new(stripe.clone()),
        };
        if settings.rehearsal {
            Arc::new(ReadOnlyGateway::new(gateway))
        } else {
            gateway
        }
    }

    /// The sandbox, which has pages and a card form of its own; `None` with Stripe, and in a rehearsal, where it takes no card.
    pub fn sandbox(&self, settings: &Settings) -> Option<Sandbox> {
        match self {
            Self::Sandbox(sandbox) if !settings.rehearsal => Some(Sandbox::clone(sandbox)),
            Self::Sandbox(_) | Self::Stripe(_) => None,
        }
    }

    /// What one node at a time does for it.
    pub fn duty(&self) -> Duty {
        match self {
            Self::Sandbox(sandbox) => sandbox.duty(),
            Self::Stripe(stripe) => stripe.duty(),
        }
    }

    /// Brings its notices in until `stop` is set: the sandbox's, which come by no other way, and those that Stripe could not deliver.
    pub async fn bring_notices(self, receiver: Receiver, stop: watch::Receiver<bool>) {
        match self {
            Self::Sandbox(sandbox) => sandbox.deliver(receiver, stop).await,
            Self::Stripe(stripe) => stripe.keep_synced(receiver, stop).await,
        }
    }
}
