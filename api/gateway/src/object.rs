//! Intents, refunds and disputes as Stripe writes them in its answers and its events. The sandbox writes the same names with less
//! in them; both are read here. What is not listed is not read.

use std::collections::BTreeMap;
use std::str::FromStr;

use domain::id::{LeadId, PaymentId, RefundId, UserId};
use domain::payment::event::Card;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// An intent, a refund, a charge or a dispute.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Object {
    /// Empty for what has none, e.g. a balance.
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub amount: Option<u64>,
    #[serde(default)]
    pub amount_received: Option<u64>,
    #[serde(default)]
    pub currency: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub client_secret: Option<String>,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub failure_reason: Option<String>,
    #[serde(default)]
    pub latest_charge: Option<Charge>,
    #[serde(default)]
    pub last_payment_error: Option<PaymentError>,
    #[serde(default)]
    pub next_action: Option<NextAction>,
    /// What a dispute has moved on the gateway's account so far.
    #[serde(default)]
    pub balance_transactions: Option<Vec<BalanceTransaction>>,
    /// Of a refund, a charge or a dispute: the intent it goes back to.
    #[serde(default)]
    payment_intent: Option<Named>,
    #[serde(default)]
    pub metadata: Metadata,
}

impl Object {
    /// One of which no more is known than its id.
    pub(crate) fn named(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    /// The intent this is, or belongs to.
    pub fn intent_id(&self) -> Option<&str> {
        match &self.payment_intent {
            Some(named) => Some(named.id()),
            None => self.id.starts_with("pi_").then_some(self.id.as_str()),
        }
    }
}

/// A line of the gateway's own account.
#[derive(Debug, Clone, Deserialize)]
pub struct BalanceTransaction {
    /// Negative where the fee comes back.
    pub fee: i64,
    pub currency: String,
}

/// A reference: the id alone, or the whole object where it was asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Named {
    Id(String),
    Whole { id: String },
}

impl Named {
    fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Whole { id } => id,
        }
    }
}

/// The charge of an intent: the id alone in events, the whole charge in answers that were asked for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Charge {
    Id(String),
    Whole {
        id: String,
        /// The sandbox names the card here.
        #[serde(default)]
        card: Option<Card>,
        #[serde(default)]
        payment_method_details: Option<MethodDetails>,
    },
}

impl Charge {
    /// The charge's id, e.g. `ch_…`.
    pub fn id(&self) -> &str {
        match self {
            Self::Id(id) | Self::Whole { id, .. } => id,
        }
    }

    /// The card that was charged, where a card was and the answer says so.
    pub fn card(&self) -> Option<Card> {
        match self {
            Self::Id(_) => None,
            Self::Whole {
                card,
                payment_method_details,
                ..
            } => card
                .clone()
                .or_else(|| payment_method_details.as_ref()?.card.as_ref()?.shown()),
        }
    }
}

/// By what a charge was paid.
#[derive(Debug, Clone, Deserialize)]
pub struct MethodDetails {
    #[serde(default)]
    card: Option<CardDetails>,
}

#[derive(Debug, Clone, Deserialize)]
struct CardDetails {
    #[serde(default)]
    brand: Option<String>,
    #[serde(default)]
    last4: Option<String>,
}

impl CardDetails {
    fn shown(&self) -> Option<Card> {
        Some(Card {
            brand: self.brand.clone()?,
            last4: self.last4.clone()?,
        })
    }
}

/// Why the last attempt on an intent came to nothing.
#[derive(Debug, Clone, Deserialize)]
pub struct PaymentError {
    #[serde(default)]
    charge: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    decline_code: Option<String>,
    #[serde(default)]
    payment_method: Option<Named>,
}

impl PaymentError {
    /// The code of the card's bank, or the gateway's own where the bank was not asked.
    pub fn code(&self) -> &str {
        let code = self.decline_code.as_ref().or(self.code.as_ref());
        code.map_or("unknown", String::as_str)
    }

    /// Names the attempt: its charge; without one, as after a failed 3-D Secure, its payment method and the code.
    pub fn attempt_id(&self) -> String {
        let method = self.payment_method.as_ref().map_or("", Named::id);
        let unnamed = || format!("{method}:{}", self.code());
        self.charge.clone().unwrap_or_else(unnamed)
    }
}

/// Next step of the payer.
#[derive(Debug, Clone, Deserialize)]
pub struct NextAction {
    /// Stripe's name of the step, e.g. `use_stripe_sdk` or `multibanco_display_details`.
    #[serde(default, rename = "type")]
    kind: Option<String>,
    /// The sandbox writes the address here.
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    redirect_to_url: Option<Redirect>,
}

#[derive(Debug, Clone, Deserialize)]
struct Redirect {
    #[serde(default)]
    url: Option<String>,
}

impl NextAction {
    /// Whether the payer was told how to pay by a voucher or a transfer, days later perhaps: all that the page could do is done.
    pub fn is_paid_later(&self) -> bool {
        let kind = self.kind.as_deref().unwrap_or_default();
        kind.ends_with("_display_details") || kind == "display_bank_transfer_instructions"
    }

    /// Where the payer goes; `None` for what Stripe's own script does on the page.
    pub fn url(&self) -> Option<&str> {
        let redirect = self.redirect_to_url.as_ref();
        let url = redirect.and_then(|to| to.url.as_ref()).or(self.url.as_ref());
        url.map(String::as_str)
    }
}

/// Ids of ours that came back; what others wrote there is not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Option<BTreeMap<String, Value>>")]
pub struct Metadata {
    pub payment_id: Option<PaymentId>,
    pub subject: Option<UserId>,
    pub lead_id: Option<LeadId>,
    pub refund_id: Option<RefundId>,
}

impl From<Option<BTreeMap<String, Value>>> for Metadata {
    fn from(written: Option<BTreeMap<String, Value>>) -> Self {
        let written = written.unwrap_or_default();
        let id = |name: &str| Uuid::from_str(written.get(name)?.as_str()?).ok();
        Self {
            payment_id: id("payment_id").map(PaymentId),
            subject: id("subject").map(UserId),
            lead_id: id("lead_id").map(LeadId),
            refund_id: id("refund_id").map(RefundId),
        }
    }
}

/// Whose intent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    pub payment_id: PaymentId,
    pub subject: UserId,
}

impl Metadata {
    /// The payment and the person, where both are named.
    pub fn owner(&self) -> Option<Owner> {
        Some(Owner {
            payment_id: self.payment_id?,
            subject: self.subject?,
        })
    }
}
