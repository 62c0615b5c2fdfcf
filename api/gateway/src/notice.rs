//! Reads a gateway's notice in the shape of Stripe's events: what it says about which of our payments.

use domain::gateway_event::{GatewayEventId, GatewayFact, Notice, SetAside, SetAsideReason};
use domain::id::{RefundId, UserId};
use domain::money::Currency;
use domain::payment::decline::DeclineCode;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::event::Captured;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::object::{NextAction, Object, Owner};

const DISPUTE_OPENED: &str = "charge.dispute.created";
/// The bank that first only asked takes the money after all.
const DISPUTE_WITHDRAWN: &str = "charge.dispute.funds_withdrawn";
const DISPUTE_CLOSED: &str = "charge.dispute.closed";

#[derive(Deserialize)]
struct Envelope {
    #[serde(deserialize_with = "not_empty")]
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    livemode: bool,
    #[serde(default)]
    account: Option<String>,
    data: Content,
}

#[derive(Deserialize)]
struct Content {
    object: Value,
}

/// A notice, and where its payment can be asked for when it names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub notice: Notice,
    /// The intent it is about: disputes and refunds that were begun at the gateway carry no metadata of ours.
    pub intent_id: Option<String>,
    /// The currency of its amount, where it has one.
    pub currency: Option<String>,
    /// Whether it is about real money.
    is_live: bool,
    /// The connected account that it is about; ours are about the account itself and name none.
    account: Option<String>,
}

impl Told {
    /// Whether the payment has to be asked for by the intent.
    pub fn lacks_owner(&self) -> Option<&str> {
        let is_ownerless = self.notice.payment_id.is_none() && self.notice.fact != GatewayFact::Noted;
        self.intent_id.as_deref().filter(|_| is_ownerless)
    }

    /// Whether it is about the account itself, in this mode (T17). A secret that was copied from an endpoint of the other mode, or of
    /// connected accounts, signs notices of money that is not ours.
    pub fn concerns(&self, is_live: bool) -> bool {
        self.is_live == is_live && self.account.is_none()
    }

    /// The same, belonging to `owner`.
    #[must_use]
    pub fn owned(mut self, owner: Option<Owner>) -> Self {
        if let Some(owner) = owner {
            self.notice.payment_id = Some(owner.payment_id);
            self.notice.subject = owner.subject;
        }
        self
    }

    /// The same in minor units of ISO 4217, by how the provider counts the currency. An amount that is no whole number of them loses its
    /// currency: it fits no payment, and is set aside.
    #[must_use]
    pub fn counted(mut self, minor_of_told: impl Fn(&str, u64) -> Option<u64>) -> Self {
        let Some(currency) = self.currency.take() else {
            return self;
        };
        let is_whole = recount(&mut self.notice.fact, |told| minor_of_told(&currency, told));
        self.currency = is_whole.then_some(currency);
        self
    }

    /// The same, for staff to decide on: the queue of notices without a payment shows it with the reason and the payment it named.
    #[must_use]
    pub fn set_aside(mut self, reason: SetAsideReason) -> Self {
        let named = self.notice.payment_id.take();
        self.notice.set_aside = Some(SetAside { reason, named });
        self
    }
}

/// A signed body that is no notice.
#[derive(Debug, thiserror::Error)]
#[error("the body is not an event: {0}")]
pub struct NoticeError(#[from] serde_json::Error);

/// The stream that keeps an event of the gateway: the same event always names the same stream.
pub fn stream_of(gateway_event_id: &str) -> GatewayEventId {
    GatewayEventId(named("gateway_event", gateway_event_id))
}

/// The stream that keeps a movement of the provider's account.
pub fn stream_of_line(line_id: &str) -> GatewayEventId {
    GatewayEventId(named("balance_line", line_id))
}

/// The stream that keeps a payout of the provider.
pub fn stream_of_payout(payout_id: &str) -> GatewayEventId {
    GatewayEventId(named("payout", payout_id))
}

/// The id of what has none of ours, from its kind and its name elsewhere: the same each time.
pub fn named(kind: &str, name: &str) -> Uuid {
    let digest = Sha256::new_with_prefix(kind)
        .chain_update([0])
        .chain_update(name)
        .finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// Types of events that say something about a payment. Others may carry any object, and are kept without being read.
const ABOUT_PAYMENTS: [&str; 3] = ["payment_intent.", "refund.", "charge."];

/// An id names the stream that keeps the event: without one, all such events would be one.
fn not_empty<'de, D: Deserializer<'de>>(told: D) -> Result<String, D::Error> {
    let id = String::deserialize(told)?;
    if id.trim().is_empty() {
        return Err(D::Error::custom("an event without an id"));
    }
    Ok(id)
}

/// Reads a verified body.
///
/// # Errors
/// When it is not an event, or an event about a payment in an unknown shape; an event of an unknown type is `Noted`.
pub fn read(body: &str) -> Result<Told, NoticeError> {
    let envelope: Envelope = serde_json::from_str(body)?;
    let is_about_payment = ABOUT_PAYMENTS.iter().any(|kind| envelope.kind.starts_with(kind));
    let object = if is_about_payment {
        serde_json::from_value(envelope.data.object)?
    } else {
        Object::named(envelope.data.object["id"].as_str().unwrap_or_default())
    };
    let fact = fact(&envelope.kind, &object);
    let intent_id = object.intent_id().map(str::to_owned);
    let currency = object.currency.clone();
    let notice = Notice {
        gateway_event_id: envelope.id,
        gateway_event_type: envelope.kind,
        object_id: object.id,
        payment_id: object.metadata.payment_id,
        set_aside: None,
        // What names nobody is sealed under the nil subject: unreadable to everybody who may not read it anyway.
        subject: object.metadata.subject.unwrap_or(UserId(Uuid::nil())),
        fact,
        raw: body.to_owned(),
    };
    Ok(Told {
        notice,
        intent_id,
        currency,
        is_live: envelope.livemode,
        account: envelope.account,
    })
}

fn dispute_closed(object: &Object, outcome: DisputeOutcome) -> GatewayFact {
    GatewayFact::DisputeClosed {
        dispute_id: object.id.clone(),
        amount_minor: object.amount.unwrap_or_default(),
        fee_minor: fee_minor(object),
        reason: object.reason.clone().unwrap_or_default(),
        outcome,
    }
}

/// Counts the amounts of a fact anew; `false` where its amount stays as it was told. A fee that cannot be counted is not known.
fn recount(fact: &mut GatewayFact, count: impl Fn(u64) -> Option<u64>) -> bool {
    let amount_minor = match fact {
        GatewayFact::Succeeded(captured) => &mut captured.amount_minor,
        GatewayFact::RefundAcknowledged { amount_minor, .. }
        | GatewayFact::RefundFailed { amount_minor, .. } => amount_minor,
        GatewayFact::DisputeOpened {
            amount_minor,
            fee_minor,
            ..
        }
        | GatewayFact::DisputeClosed {
            amount_minor,
            fee_minor,
            ..
        } => {
            *fee_minor = fee_minor.and_then(&count);
            amount_minor
        }
        GatewayFact::Declined { .. }
        | GatewayFact::Delayed
        | GatewayFact::ActionRequired { .. }
        | GatewayFact::Noted => return true,
    };
    let counted = count(*amount_minor);
    *amount_minor = counted.unwrap_or(*amount_minor);
    counted.is_some()
}

/// The largest fee of a dispute that is believed, in dollars: thousands of times what providers charge, and far from any overflow.
const FEE_MOST_DOLLARS: u64 = 100_000;

/// The same in the smallest unit of a currency; in one that is not known here, as of the dollar.
fn fee_most_minor(currency: &str) -> u64 {
    Currency::from_code(currency).map_or(FEE_MOST_DOLLARS * 100, |currency| {
        // Two digits at least: a provider may write them where ISO 4217 has none.
        let unit = 10_u64.pow(currency.decimals().max(2));
        FEE_MOST_DOLLARS * currency.units_for_one_dollar() * unit
    })
}

/// What a dispute costs beside its amount: a gateway charges a fee when it is opened, and some give it back when it is won.
/// `None` where it is said in another currency than the charge's, since the books know no rates, and above [`fee_most_minor`].
fn fee_minor(object: &Object) -> Option<u64> {
    let moved = object.balance_transactions.as_ref()?;
    let currency = object.currency.as_ref()?;
    let ours = moved
        .iter()
        .all(|one| one.currency.eq_ignore_ascii_case(currency));
    let fee: i128 = moved.iter().map(|one| i128::from(one.fee)).sum();
    let fee = u64::try_from(fee.max(0)).ok()?;
    (ours && !moved.is_empty() && fee <= fee_most_minor(currency)).then_some(fee)
}

/// A voucher or a transfer: the money comes later, as from any slow method.
fn is_paid_later(object: &Object) -> bool {
    object.next_action.as_ref().is_some_and(NextAction::is_paid_later)
}

/// Stripe's name of such an event depends on the version its account speaks.
fn is_about_refund(kind: &str) -> bool {
    matches!(
        kind,
        "refund.created" | "refund.updated" | "refund.failed" | "charge.refund.updated"
    )
}

fn fact(kind: &str, object: &Object) -> GatewayFact {
    let amount_minor = object.amount.unwrap_or_default();
    let reason = || object.reason.clone().unwrap_or_default();
    let refund_id = object
        .metadata
        .refund_id
        .unwrap_or_else(|| RefundId(named("refund", &object.id)));
    match (kind, object.status.as_deref()) {
        ("payment_intent.succeeded", _) => {
            object
                .latest_charge
                .as_ref()
                .map_or(GatewayFact::Noted, |charge| {
                    GatewayFact::Succeeded(Captured {
                        intent_id: object.id.clone(),
                        charge_id: charge.id().to_owned(),
                        amount_minor: object.amount_received.unwrap_or(amount_minor),
                        card: charge.card(),
                    })
                })
        }
        ("payment_intent.payment_failed", _) => {
            object
                .last_payment_error
                .as_ref()
                .map_or(GatewayFact::Noted, |error| GatewayFact::Declined {
                    attempt_id: error.attempt_id(),
                    code: DeclineCode::from_gateway(error.code()),
                })
        }
        ("payment_intent.processing", _) => GatewayFact::Delayed,
        ("payment_intent.requires_action", _) if is_paid_later(object) => GatewayFact::Delayed,
        ("payment_intent.requires_action", _) => {
            let url = object.next_action.as_ref().and_then(NextAction::url);
            url.map_or(GatewayFact::Noted, |url| GatewayFact::ActionRequired {
                intent_id: object.id.clone(),
                url: url.to_owned(),
            })
        }
        (kind, Some("succeeded")) if is_about_refund(kind) => {
            let gateway_refund_id = object.id.clone();
            GatewayFact::RefundAcknowledged {
                refund_id,
                gateway_refund_id,
                amount_minor,
            }
        }
        (kind, Some("failed" | "canceled")) if is_about_refund(kind) => {
            let reason = object.failure_reason.clone().unwrap_or_default();
            GatewayFact::RefundFailed {
                refund_id,
                amount_minor,
                reason,
            }
        }
        // A bank that only asks (`warning_…`) has taken nothing.
        (DISPUTE_OPENED, Some(status)) if status.starts_with("warning_") => GatewayFact::Noted,
        (DISPUTE_OPENED | DISPUTE_WITHDRAWN, _) => GatewayFact::DisputeOpened {
            dispute_id: object.id.clone(),
            amount_minor,
            fee_minor: fee_minor(object),
            reason: reason(),
        },
        (DISPUTE_CLOSED, Some("won")) => dispute_closed(object, DisputeOutcome::Won),
        (DISPUTE_CLOSED, Some("lost")) => dispute_closed(object, DisputeOutcome::Lost),
        _ => GatewayFact::Noted,
    }
}

#[cfg(test)]
mod tests;
