//! Money on its way back: requested here, sent to the gateway, acknowledged by it, or failed (P12).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::{RefundId, UserId};
use crate::moment::Moment;
use crate::money::{Currency, Money};
use crate::payment::command::RefundCommand;
use crate::payment::decide::when;
use crate::payment::event::{
    BookingChoice, Captured, GrantedAsk, PaymentEvent, RefundReason, RequestedBy, Secret,
};
use crate::payment::terms::Terms;
use crate::payment::{Payment, PaymentRejection};
use crate::sealed::Sealed;

/// A refund's steps, in rising order: news of a lower step than the known one is old news, so any order folds to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Requested,
    Sent,
    Acknowledged,
    Failed,
    /// The gateway could not pay it out, and staff paid it in another way.
    PaidElsewhere,
}

impl RefundStatus {
    /// The payer has it.
    pub const fn is_back(self) -> bool {
        matches!(self, Self::Acknowledged | Self::PaidElsewhere)
    }
}

/// One refund as the fold of its events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub amount_minor: u64,
    pub status: RefundStatus,
    pub reason: RefundReason,
    pub by: RequestedBy,
    #[serde(default)]
    pub booking: Option<BookingChoice>,
    pub at: Moment,
    pub gateway_refund_id: Option<String>,
    /// The payer has had a message about it.
    #[serde(default)]
    pub told: bool,
    /// Why and when the gateway could not pay it out.
    #[serde(default)]
    pub failed: Option<(String, Moment)>,
}

/// A refund that came back and waits for finance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranded {
    pub refund_id: RefundId,
    pub amount_minor: u64,
    /// The gateway's words.
    pub reason: String,
    pub failed_at: Moment,
    /// The payer had been told that the money was on its way.
    pub told: bool,
}

impl Payment {
    /// The refunds that came back and were not made good since: by later refunds of at least as much, or in another way. What
    /// makes one good counts for no other.
    pub fn stranded(&self) -> Vec<Stranded> {
        let mut later: Vec<(Moment, u64)> = self
            .refunds
            .values()
            .filter(|refund| refund.status != RefundStatus::Failed)
            .map(|refund| (refund.at, refund.amount_minor))
            .collect();
        later.sort_unstable();
        let mut returned: Vec<Stranded> = self.refunds.iter().filter_map(returned).collect();
        returned.sort_by_key(|refund| (refund.failed_at, refund.refund_id));
        returned.retain(|refund| !makes_good(&mut later, refund));
        if self.refundable_minor() == 0 {
            returned.clear();
        }
        returned
    }
}

fn returned((refund_id, refund): (&RefundId, &Refund)) -> Option<Stranded> {
    let (reason, failed_at) = refund.failed.clone()?;
    (refund.status == RefundStatus::Failed).then_some(Stranded {
        refund_id: *refund_id,
        amount_minor: refund.amount_minor,
        reason,
        failed_at,
        told: refund.told,
    })
}

/// Takes what a returned refund came to from the refunds after it, where they come to as much.
fn makes_good(later: &mut [(Moment, u64)], returned: &Stranded) -> bool {
    let after = |at: &Moment| *at >= returned.failed_at;
    let there: u64 = later
        .iter()
        .filter(|(at, _)| after(at))
        .map(|(_, left)| left)
        .sum();
    if there < returned.amount_minor {
        return false;
    }
    let mut wanted = returned.amount_minor;
    for (_, left) in later.iter_mut().filter(|(at, _)| after(at)) {
        let taken = wanted.min(*left);
        *left -= taken;
        wanted -= taken;
    }
    true
}

/// The refund that follows a charge nobody should have paid.
pub(super) fn automatic(
    payment: &Payment,
    subject: UserId,
    capture: &Captured,
    reason: RefundReason,
    (refund_id, at): (RefundId, Moment),
) -> Option<PaymentEvent> {
    let captured = payment.captured_minor().saturating_add(capture.amount_minor);
    let refundable = captured.saturating_sub(payment.away_minor());
    let amount_minor = capture.amount_minor.min(refundable);
    (amount_minor > 0).then(|| PaymentEvent::RefundRequested {
        refund_id,
        subject,
        amount_minor,
        reason,
        by: RequestedBy::Rule,
        booking: None,
        ask: None,
        at,
        note: Sealed::default(),
    })
}

pub(super) fn decide(
    payment: &Payment,
    terms: &Terms,
    command: RefundCommand,
) -> Result<Vec<PaymentEvent>, PaymentRejection> {
    match command {
        RefundCommand::Request {
            refund_id,
            amount_minor,
            note,
            by,
            booking,
            ask,
            limit_minor,
            at,
        } => {
            let asked = (refund_id, amount_minor, booking);
            let news = may_request(payment, terms.quote.currency, asked, limit_minor)?;
            Ok(when(news, requested(terms.seal(), asked, note, (by, ask, at))))
        }
        RefundCommand::Send {
            refund_id,
            gateway_refund_id,
        } => {
            let known = payment
                .refunds
                .get(&refund_id)
                .ok_or(PaymentRejection::RefundUnknown)?;
            let news = known.status < RefundStatus::Sent;
            Ok(when(
                news,
                PaymentEvent::RefundSent {
                    refund_id,
                    gateway_refund_id,
                },
            ))
        }
        RefundCommand::Acknowledge {
            refund_id,
            gateway_refund_id,
            amount_minor,
            at,
        } => {
            let news = is_news(payment, refund_id, RefundStatus::Acknowledged);
            let acknowledged = PaymentEvent::RefundAcknowledged {
                refund_id,
                gateway_refund_id,
                amount_minor,
                at,
            };
            Ok(when(news, acknowledged))
        }
        RefundCommand::Fail {
            refund_id,
            amount_minor,
            reason,
            at,
        } => {
            let news = is_news(payment, refund_id, RefundStatus::Failed);
            let failed = PaymentEvent::RefundFailed {
                refund_id,
                amount_minor,
                reason,
                at,
            };
            Ok(when(news, failed))
        }
        RefundCommand::PayElsewhere {
            refund_id,
            note,
            by,
            at,
        } => pay_elsewhere(payment, terms, refund_id, (note, by, at)),
    }
}

/// What the gateway could not pay out, and nothing more than what is left to give back, is paid in another way, once.
fn pay_elsewhere(
    payment: &Payment,
    terms: &Terms,
    refund_id: RefundId,
    (note, by, at): (String, UserId, Moment),
) -> Result<Vec<PaymentEvent>, PaymentRejection> {
    let known = payment.refunds.get(&refund_id);
    let known = known.ok_or(PaymentRejection::RefundUnknown)?;
    match known.status {
        RefundStatus::PaidElsewhere => Ok(vec![]),
        RefundStatus::Failed if known.amount_minor > payment.refundable_minor() => {
            Err(too_much(payment, terms.quote.currency, known.amount_minor))
        }
        RefundStatus::Failed => Ok(vec![PaymentEvent::RefundPaidElsewhere {
            refund_id,
            subject: terms.seal(),
            by,
            at,
            note: Sealed::new(Secret(note)),
        }]),
        RefundStatus::Requested | RefundStatus::Sent | RefundStatus::Acknowledged => {
            Err(PaymentRejection::RefundNotReturned)
        }
    }
}

fn requested(
    subject: UserId,
    (refund_id, amount_minor, booking): (RefundId, u64, Option<BookingChoice>),
    note: String,
    (by, ask, at): (RequestedBy, Option<GrantedAsk>, Moment),
) -> PaymentEvent {
    PaymentEvent::RefundRequested {
        refund_id,
        subject,
        amount_minor,
        reason: RefundReason::Staff,
        by,
        booking,
        ask,
        at,
        note: Sealed::new(Secret(note)),
    }
}

/// Why this much cannot go back: a bank has it already, or there is not as much.
fn too_much(payment: &Payment, currency: Currency, amount: u64) -> PaymentRejection {
    let refundable_minor = payment.refundable_minor();
    let disputed_minor = payment.disputed_minor();
    let refundable = Money::new(refundable_minor, currency);
    if disputed_minor > 0 && amount <= refundable_minor.saturating_add(disputed_minor) {
        let disputed = Money::new(disputed_minor, currency);
        return PaymentRejection::Disputed { disputed, refundable };
    }
    PaymentRejection::TooMuch { refundable }
}

/// Whether this much may be asked back; `Ok(false)` where the same was asked before.
fn may_request(
    payment: &Payment,
    currency: Currency,
    (refund_id, amount, booking): (RefundId, u64, Option<BookingChoice>),
    limit_minor: Option<u64>,
) -> Result<bool, PaymentRejection> {
    if let Some(known) = payment.refunds.get(&refund_id) {
        let same = (known.amount_minor, known.booking) == (amount, booking);
        return if same {
            Ok(false)
        } else {
            Err(PaymentRejection::RefundReused)
        };
    }
    let refundable_minor = payment.refundable_minor();
    match amount {
        0 => Err(PaymentRejection::ZeroAmount),
        amount if amount % currency.charge_step() != 0 => Err(PaymentRejection::UnevenAmount {
            step: Money::new(currency.charge_step(), currency),
        }),
        amount if amount > refundable_minor => Err(too_much(payment, currency, amount)),
        // D106: the sum counts, so that a large refund in small steps is a large refund.
        amount if limit_minor.is_some_and(|limit| sum_by_staff(payment).saturating_add(amount) > limit) => {
            Err(PaymentRejection::AboveLimit)
        }
        _ => Ok(true),
    }
}

/// Sums what staff has sent back of this payment, or is sending: it counts against the limit of a refund (D106).
pub fn sum_by_staff(payment: &Payment) -> u64 {
    let asked = payment.refunds.values();
    asked
        .filter(|refund| matches!(refund.by, RequestedBy::Staff(_)) && refund.status != RefundStatus::Failed)
        .map(|refund| refund.amount_minor)
        .sum()
}

/// Whether `status` is news for this refund.
fn is_news(payment: &Payment, refund_id: RefundId, status: RefundStatus) -> bool {
    payment
        .refunds
        .get(&refund_id)
        .is_none_or(|known| known.status < status)
}

pub(super) fn evolve(refunds: &mut BTreeMap<RefundId, Refund>, event: &PaymentEvent) {
    if let PaymentEvent::RefundRequested {
        refund_id,
        amount_minor,
        reason,
        by,
        booking,
        at,
        ..
    } = event
    {
        let refund = Refund {
            amount_minor: *amount_minor,
            status: RefundStatus::Requested,
            reason: *reason,
            by: *by,
            booking: *booking,
            at: *at,
            gateway_refund_id: None,
            told: false,
            failed: None,
        };
        refunds.insert(*refund_id, refund);
    } else if let PaymentEvent::RefundSent {
        refund_id,
        gateway_refund_id,
    } = event
    {
        if let Some(refund) = refunds.get_mut(refund_id) {
            refund.status = refund.status.max(RefundStatus::Sent);
            refund.gateway_refund_id = Some(gateway_refund_id.clone());
        }
    } else if let PaymentEvent::RefundAcknowledged {
        refund_id,
        gateway_refund_id,
        amount_minor,
        at,
    } = event
    {
        let refund = refunds
            .entry(*refund_id)
            .or_insert_with(|| started_at_gateway(*amount_minor, *at));
        refund.status = refund.status.max(RefundStatus::Acknowledged);
        refund.gateway_refund_id = Some(gateway_refund_id.clone());
    } else if let PaymentEvent::RefundFailed {
        refund_id,
        amount_minor,
        reason,
        at,
    } = event
    {
        let refund = refunds
            .entry(*refund_id)
            .or_insert_with(|| started_at_gateway(*amount_minor, *at));
        refund.status = refund.status.max(RefundStatus::Failed);
        refund.failed = Some((reason.clone(), *at));
    } else if let PaymentEvent::RefundPaidElsewhere { refund_id, .. } = event {
        if let Some(refund) = refunds.get_mut(refund_id) {
            refund.status = RefundStatus::PaidElsewhere;
            // What was told before is not what happened.
            refund.told = false;
        }
    } else if let PaymentEvent::RefundMessageSent { refund_id }
    | PaymentEvent::PaymentMessageRefused {
        refund_id: Some(refund_id),
        ..
    } = event
        && let Some(refund) = refunds.get_mut(refund_id)
    {
        refund.told = true;
    }
}

fn started_at_gateway(amount_minor: u64, at: Moment) -> Refund {
    Refund {
        amount_minor,
        status: RefundStatus::Requested,
        reason: RefundReason::Gateway,
        by: RequestedBy::Rule,
        booking: None,
        at,
        gateway_refund_id: None,
        told: false,
        failed: None,
    }
}
