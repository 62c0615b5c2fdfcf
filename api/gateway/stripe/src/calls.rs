//! One call to Stripe: under a key of our own, repeated with backoff while no answer comes, and not sent at all while the circuit
//! breaker is open. The client's own retries are off: they would use a key of their own.

use std::time::{Duration, Instant};

use gateway::GatewayError;
use miniserde::json::Value;
use platform::config::stripe::StripeAccount;
use platform::provider_words::bound_provider_words;
use serde::de::DeserializeOwned;
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy};
use stripe_client_core::StripeRequest;
use tokio::sync::Notify;

use crate::breaker::Breaker;
use crate::refusal::Failure;

/// How often a call is sent before its caller is told that Stripe is away; the outbox repeats it later.
const ATTEMPTS: u32 = 3;
/// The pause before the second attempt; twice as long before the third.
const PAUSE: Duration = Duration::from_millis(250);
/// How long one attempt may take. All of them together stay below the 20 seconds that a payer is kept waiting.
const PATIENCE: Duration = Duration::from_secs(6);

/// The way to one account.
pub(crate) struct Calls {
    client: Client,
    breaker: Breaker,
    /// Rung when Stripe answers again after an outage.
    pub(crate) back: Notify,
}

impl Calls {
    /// # Errors
    /// One sentence naming the setting, when its address or key cannot be sent.
    pub(crate) fn new(account: &StripeAccount) -> Result<Self, String> {
        // Two providers of cryptography are linked; Stripe's client takes the one of the process. Set already, it stays.
        let _set_before = rustls::crypto::ring::default_provider().install_default();
        let client = ClientBuilder::new(account.secret_key.0.clone())
            .url(account.api_base.clone())
            .app_info("Latchkey", Some(env!("CARGO_PKG_VERSION").to_owned()), None)
            .request_strategy(RequestStrategy::Once)
            .timeout(PATIENCE)
            .build()
            .map_err(|_| "the setting `stripe_api_base` is no address of an API".to_owned())?;
        Ok(Self {
            client,
            breaker: Breaker::default(),
            back: Notify::new(),
        })
    }

    /// Sends a question, which changes nothing.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        request: &(impl StripeRequest + Sync),
    ) -> Result<T, GatewayError> {
        self.repeated(request, RequestStrategy::Once).await
    }

    /// Sends a command, under a key that makes every repetition the same command.
    pub(crate) async fn tell<T: DeserializeOwned>(
        &self,
        request: &(impl StripeRequest + Sync),
        key: &str,
    ) -> Result<T, GatewayError> {
        let key = IdempotencyKey::new(key).map_err(|error| GatewayError::Refused(error.to_string()))?;
        self.repeated(request, RequestStrategy::Idempotent(key)).await
    }

    /// Sends a question of the doctor, who wants to know why there was no answer.
    pub(crate) async fn look<T: DeserializeOwned>(
        &self,
        request: &(impl StripeRequest + Sync),
    ) -> Result<T, Failure> {
        self.attempted(request, RequestStrategy::Once).await
    }

    async fn repeated<T: DeserializeOwned>(
        &self,
        request: &(impl StripeRequest + Sync),
        strategy: RequestStrategy,
    ) -> Result<T, GatewayError> {
        self.attempted(request, strategy)
            .await
            .map_err(|failure| match failure {
                Failure::Final(error) => error,
                Failure::Again(_) => GatewayError::Unreachable,
                Failure::NoAccess(why) => {
                    tracing::error!(
                        why,
                        "Stripe does not accept the secret key: look at `stripe_secret_key`"
                    );
                    GatewayError::Unreachable
                }
                Failure::NotPermitted(why) => {
                    tracing::error!(
                        why,
                        "the secret key may not do this: give it the permission in the dashboard"
                    );
                    GatewayError::Unreachable
                }
            })
    }

    async fn attempted<T: DeserializeOwned>(
        &self,
        request: &(impl StripeRequest + Sync),
        strategy: RequestStrategy,
    ) -> Result<T, Failure> {
        let mut pause = PAUSE;
        for attempt in 1..=ATTEMPTS {
            if !self.breaker.allows(Instant::now()) {
                break;
            }
            let sent = request
                .build()
                .customize::<Value>()
                .request_strategy(strategy.clone())
                .send(&self.client)
                .await;
            match sent.map_err(|error| Failure::from(&error)) {
                Ok(answer) => {
                    self.note_answer();
                    return read(&answer);
                }
                Err(failure @ (Failure::Final(_) | Failure::NoAccess(_) | Failure::NotPermitted(_))) => {
                    self.note_answer();
                    return Err(failure);
                }
                Err(Failure::Again(why)) => {
                    tracing::warn!(attempt, why, "Stripe did not answer");
                    if self.breaker.failed(Instant::now()) {
                        tracing::error!("Stripe is away: calls to it wait");
                    }
                }
            }
            if attempt < ATTEMPTS {
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
        }
        Err(Failure::Again("Stripe is away".to_owned()))
    }

    fn note_answer(&self) {
        if self.breaker.answered() {
            tracing::info!("Stripe answers again");
            self.back.notify_one();
        }
    }
}

/// Reads what is needed of an answer: Stripe adds fields at any time, and some are absent in some accounts.
fn read<T: DeserializeOwned>(answer: &Value) -> Result<T, Failure> {
    serde_json::from_str(&miniserde::json::to_string(answer)).map_err(|error| {
        let error = bound_provider_words(&error.to_string());
        tracing::error!(error, "an answer of Stripe cannot be read");
        Failure::Final(GatewayError::Unreachable)
    })
}
