//! What `latchkey doctor` wants to know of an account: whether its keys are accepted, whether it may take money, and whether its
//! notices come here.

use gateway::GatewayError;
use platform::clock;
use platform::config::stripe::StripeAccount;
use serde::Deserialize;
use serde_json::Value;
use stripe_client_core::{RequestBuilder, StripeMethod, StripeRequest};
use stripe_core::event::ListEvent;
use stripe_types::RangeQueryTs;

use crate::calls::Calls;
use crate::events::TYPES;
use crate::refusal::Failure;

/// The account, as far as its key may see it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Account {
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub country: Option<String>,
    /// What Stripe pays out in, in small letters.
    #[serde(default)]
    pub default_currency: Option<String>,
    /// Whether it may take money.
    #[serde(default)]
    pub charges_enabled: bool,
    #[serde(default)]
    pub payouts_enabled: bool,
}

/// An address that Stripe sends notices to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Endpoint {
    pub url: String,
    /// `enabled` or `disabled`.
    #[serde(default)]
    pub status: String,
    /// `*` for every type.
    #[serde(default)]
    pub enabled_events: Vec<String>,
}

impl Endpoint {
    /// Types about payments that it does not send. Of the two names of a refund's event an account has one.
    pub fn missing(&self) -> Vec<&'static str> {
        let sends = |kind: &str| self.enabled_events.iter().any(|sent| sent == "*" || sent == kind);
        TYPES
            .into_iter()
            .filter(|kind| *kind != "charge.refund.updated" && !sends(kind))
            .collect()
    }
}

/// What is asked for by its path alone.
struct Get(&'static str);

impl StripeRequest for Get {
    type Output = Value;

    fn build(&self) -> RequestBuilder {
        RequestBuilder::new(StripeMethod::Get, self.0)
    }
}

#[derive(Deserialize)]
struct Endpoints {
    #[serde(default)]
    data: Vec<Endpoint>,
}

#[derive(Deserialize)]
struct Events {
    #[serde(default)]
    data: Vec<Value>,
}

/// Undelivered events that are counted at most.
pub const UNDELIVERED_MAX: usize = 100;
/// How far back they are looked for.
const RECENT_S: i64 = 24 * 60 * 60;

/// Why something of the account is not seen, in Stripe's words where it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unseen {
    /// There was no answer that could be read.
    Away,
    /// Stripe does not accept the secret key.
    KeyRefused(String),
    /// A restricted key may not see it.
    NotPermitted(String),
}

impl From<Failure> for Unseen {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoAccess(why) => Self::KeyRefused(why),
            Failure::NotPermitted(why) | Failure::Final(GatewayError::Refused(why)) => {
                Self::NotPermitted(why)
            }
            Failure::Again(_) | Failure::Final(GatewayError::Unreachable | GatewayError::KeyReused) => {
                Self::Away
            }
        }
    }
}

/// What was found. A restricted key may not see all of it: that part is `Err`.
#[derive(Debug)]
pub struct Standing {
    pub account: Result<Account, Unseen>,
    pub endpoints: Result<Vec<Endpoint>, Unseen>,
    /// Events of the last day that Stripe could not deliver to an endpoint, or not yet.
    pub undelivered: Result<usize, Unseen>,
}

/// Asks Stripe for the account behind the secret key, for its webhook endpoints, and for what it could not deliver to them.
///
/// # Errors
/// One sentence, when the account's address cannot be used.
pub async fn look(account: &StripeAccount) -> Result<Standing, String> {
    let calls = Calls::new(account)?;
    let undelivered = ListEvent::new()
        .created(RangeQueryTs::gte(clock::wall().timestamp() - RECENT_S))
        .types(TYPES.map(str::to_owned))
        .delivery_success(false)
        .limit(100);
    let found = calls
        .look::<Account>(&Get("/account"))
        .await
        .map_err(Unseen::from);
    if let Err(why @ (Unseen::Away | Unseen::KeyRefused(_))) = found {
        return Ok(Standing {
            account: Err(why.clone()),
            endpoints: Err(why.clone()),
            undelivered: Err(why),
        });
    }
    let endpoints = calls
        .look::<Endpoints>(&Get("/webhook_endpoints?limit=100"))
        .await;
    let undelivered = calls.look::<Events>(&undelivered).await;
    Ok(Standing {
        account: found,
        endpoints: endpoints.map(|found| found.data).map_err(Unseen::from),
        undelivered: undelivered.map(|found| found.data.len()).map_err(Unseen::from),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_lacks_types_it_is_not_set_up_for() {
        let endpoint = |events: &[&str]| Endpoint {
            url: "https://rooms.example/api/webhooks/stripe".to_owned(),
            status: "enabled".to_owned(),
            enabled_events: events.iter().map(|event| (*event).to_owned()).collect(),
        };
        assert!(endpoint(&["*"]).missing().is_empty());
        let without_disputes: Vec<&str> = TYPES
            .into_iter()
            .filter(|kind| !kind.starts_with("charge.dispute"))
            .collect();
        assert_eq!(endpoint(&without_disputes).missing().len(), 5);
    }

    /// Stripe's published examples.
    #[test]
    fn published_account_and_endpoint_are_read() {
        let fixtures: Value = serde_json::from_str(include_str!("../../tests/stripe-fixtures.json")).unwrap();
        let account: Account = serde_json::from_value(fixtures["resources"]["account"].clone()).unwrap();
        assert_eq!(account.default_currency.as_deref(), Some("usd"));
        let endpoint: Endpoint =
            serde_json::from_value(fixtures["resources"]["webhook_endpoint"].clone()).unwrap();
        assert_eq!(endpoint.status, "enabled");
    }
}
