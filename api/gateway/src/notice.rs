//! Reads a gateway's notice in the shape of Stripe's events: what it says about which of our payments.

use domain::gateway_event::{GatewayEventId, GatewayFact, Notice};
use domain::id::{PaymentId, RefundId, UserId};
use domain::payment::decline::DeclineCode;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::event::{Captured, Card};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

const DISPUTE_CLOSED: &str = "charge.dispute.closed";

#[derive(Deserialize)]
struct Envelope {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: Content,
}

#[derive(Deserialize)]
struct Content {
    object: Object,
}

/// The fields of intents, refunds and disputes that say something to us.
#[derive(Deserialize)]
struct Object {
    id: String,
    #[serde(default)]
    amount: Option<u64>,
    #[serde(default)]
    amount_received: Option<u64>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    failure_reason: Option<String>,
    #[serde(default)]
    latest_charge: Option<Charge>,
    #[serde(default)]
    last_payment_error: Option<PaymentError>,
    #[serde(default)]
    next_action: Option<NextAction>,
    #[serde(default)]
    currency: Option<String>,
    /// What a dispute has moved on the gateway's account so far.
    #[serde(default)]
    balance_transactions: Option<Vec<BalanceTransaction>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct BalanceTransaction {
    fee: i64,
    currency: String,
}

#[derive(Deserialize)]
struct Charge {
    id: String,
    #[serde(default)]
    card: Option<Card>,
}

#[derive(Deserialize)]
struct PaymentError {
    charge: String,
    decline_code: String,
}

#[derive(Deserialize)]
struct NextAction {
    url: String,
}

#[derive(Default, Deserialize)]
struct Metadata {
    payment_id: Option<PaymentId>,
    subject: Option<UserId>,
    refund_id: Option<RefundId>,
}

/// A signed body that is no notice.
#[derive(Debug, thiserror::Error)]
#[error("the body is not an event: {0}")]
pub struct NoticeError(#[from] serde_json::Error);

/// The stream that keeps an event of the gateway: the same event always names the same stream.
pub fn stream_of(gateway_event_id: &str) -> GatewayEventId {
    GatewayEventId(named("gateway_event", gateway_event_id))
}

/// A refund that was started at the gateway has no id of ours: it gets one from its name there.
fn named(kind: &str, name: &str) -> Uuid {
    let digest = Sha256::new_with_prefix(kind)
        .chain_update([0])
        .chain_update(name)
        .finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// Reads a verified body.
///
/// # Errors
/// When it is not an event at all; an event of an unknown type is `Noted`.
pub fn read(body: &str) -> Result<Notice, NoticeError> {
    let envelope: Envelope = serde_json::from_str(body)?;
    let object = envelope.data.object;
    let fact = fact(&envelope.kind, &object);
    Ok(Notice {
        gateway_event_id: envelope.id,
        gateway_event_type: envelope.kind,
        object_id: object.id,
        payment_id: object.metadata.payment_id,
        // What names nobody is sealed under the nil subject: unreadable to everybody who may not read it anyway.
        subject: object.metadata.subject.unwrap_or(UserId(Uuid::nil())),
        fact,
        raw: body.to_owned(),
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

/// What a dispute costs beside its amount: a gateway charges a fee when it is opened, and some give it back when it is won.
/// `None` where it is said in another currency than the charge's: the books know no rates.
fn fee_minor(object: &Object) -> Option<u64> {
    let moved = object.balance_transactions.as_ref()?;
    let currency = object.currency.as_ref()?;
    let ours = moved
        .iter()
        .all(|one| one.currency.eq_ignore_ascii_case(currency));
    let fee = moved.iter().map(|one| one.fee).sum::<i64>();
    (ours && !moved.is_empty()).then(|| u64::try_from(fee).unwrap_or_default())
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
                        charge_id: charge.id.clone(),
                        amount_minor: object.amount_received.unwrap_or(amount_minor),
                        card: charge.card.clone(),
                    })
                })
        }
        ("payment_intent.payment_failed", _) => {
            object
                .last_payment_error
                .as_ref()
                .map_or(GatewayFact::Noted, |error| GatewayFact::Declined {
                    attempt_id: error.charge.clone(),
                    code: DeclineCode::from_gateway(&error.decline_code),
                })
        }
        ("payment_intent.processing", _) => GatewayFact::Delayed,
        ("payment_intent.requires_action", _) => {
            object
                .next_action
                .as_ref()
                .map_or(GatewayFact::Noted, |action| GatewayFact::ActionRequired {
                    intent_id: object.id.clone(),
                    url: action.url.clone(),
                })
        }
        ("refund.created" | "refund.updated" | "refund.failed", Some("succeeded")) => {
            let gateway_refund_id = object.id.clone();
            GatewayFact::RefundAcknowledged {
                refund_id,
                gateway_refund_id,
                amount_minor,
            }
        }
        ("refund.created" | "refund.updated" | "refund.failed", Some("failed")) => {
            let reason = object.failure_reason.clone().unwrap_or_default();
            GatewayFact::RefundFailed {
                refund_id,
                amount_minor,
                reason,
            }
        }
        // A bank that only asks (`warning_…`) has taken nothing.
        ("charge.dispute.created", Some(status)) if status.starts_with("warning_") => GatewayFact::Noted,
        ("charge.dispute.created", _) => GatewayFact::DisputeOpened {
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
mod tests {
    use super::*;

    #[test]
    fn a_success_names_its_payment_charge_and_amount() {
        let id = Uuid::from_u128(7);
        let body = format!(
            r#"{{"id":"evt_1","type":"payment_intent.succeeded","data":{{"object":{{"id":"pi_1","amount":25907,
            "amount_received":25907,"latest_charge":{{"id":"ch_1"}},"metadata":{{"payment_id":"{id}"}}}}}}}}"#
        );
        let notice = read(&body).unwrap();
        assert_eq!(notice.payment_id, Some(PaymentId(id)));
        assert!(matches!(
            notice.fact,
            GatewayFact::Succeeded(Captured {
                amount_minor: 25_907,
                ..
            })
        ));
    }

    #[test]
    fn what_is_not_known_is_kept_and_changes_nothing() {
        let notice =
            read(r#"{"id":"evt_2","type":"balance.available","data":{"object":{"id":"ba_1"}}}"#).unwrap();
        assert_eq!((notice.payment_id, notice.fact), (None, GatewayFact::Noted));
        assert!(read("[]").is_err());
        assert!(read("{}").is_err());
    }
}
