//! What an event moved at the gateway, by the ledger's own entries: what the export adds up is the ledger's balance.

use domain::payment::dispute::Dispute;
use domain::payment::ledger::{Account, Entry, entries};
use domain::payment::{Payment, PaymentEvent};

/// The amount of an event, and which way money moved by it.
pub(super) struct Moved {
    /// In minor units: what moved, else what the event names.
    pub amount_minor: u64,
    /// 1: in, -1: out, 0: nothing moved.
    pub sign: i64,
    /// What the gateway charged for a dispute besides; below zero where it gave that back.
    pub fee_minor: i64,
}

pub(super) fn moved(before: &Payment, after: &Payment, event: &PaymentEvent) -> Moved {
    let entries = entries(before, event);
    let fee_minor = net(&entries, Account::DisputeFees);
    let moved = net(&entries, Account::GatewayClearing) + fee_minor;
    Moved {
        amount_minor: if moved == 0 {
            named(after, event)
        } else {
            moved.unsigned_abs()
        },
        sign: moved.signum(),
        fee_minor,
    }
}

/// Debits less credits of an account.
fn net(entries: &[Entry], account: Account) -> i64 {
    let own = entries.iter().filter(|entry| entry.account == account);
    own.map(|entry| entry.debit_minor.cast_signed() - entry.credit_minor.cast_signed())
        .sum()
}

/// The amount that an event is about.
fn named(payment: &Payment, event: &PaymentEvent) -> u64 {
    match event {
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => capture.amount_minor,
        PaymentEvent::RefundAcknowledged { amount_minor, .. }
        | PaymentEvent::DisputeOpened { amount_minor, .. }
        | PaymentEvent::RefundRequested { amount_minor, .. }
        | PaymentEvent::RefundFailed { amount_minor, .. } => *amount_minor,
        PaymentEvent::DisputeClosed { dispute_id, .. } => {
            let dispute: Option<&Dispute> = payment.disputes.get(dispute_id);
            dispute.map_or(0, |dispute| dispute.amount_minor)
        }
        PaymentEvent::RefundSent { refund_id, .. } | PaymentEvent::RefundPaidElsewhere { refund_id, .. } => {
            let refund = payment.refunds.get(refund_id);
            refund.map_or(0, |refund| refund.amount_minor)
        }
        PaymentEvent::PaymentRoomGivenBack { .. } => payment.refunded_minor(),
        _ => payment.terms.as_ref().map_or(0, |terms| terms.quote.total_minor),
    }
}
