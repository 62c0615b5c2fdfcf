//! The money that an event moved, by the ledger's own entries: what the rows of the list add up to is the ledger's balance.

use domain::payment::dispute::Dispute;
use domain::payment::ledger::{Account, Entry, entries};
use domain::payment::{Payment, PaymentEvent};

/// The amount of an event, and which way money moved by it.
pub(super) struct Moved {
    /// In minor units: what moved, else what the event names.
    pub amount_minor: u64,
    /// 1: in, -1: out, 0: nothing moved.
    pub sign: i64,
}

/// Where money lies or has left from: at the gateway, and what the house paid back by itself.
const MONEY: [Account; 2] = [Account::GatewayClearing, Account::PaidElsewhere];

/// Money that came in or went out by the event, without what the gateway charged for a dispute by it.
pub(super) fn moved(before: &Payment, after: &Payment, event: &PaymentEvent) -> Moved {
    let entries = entries(before, event);
    let of_money: i64 = MONEY.map(|account| net(&entries, account)).iter().sum();
    let moved = of_money + net(&entries, Account::DisputeFees);
    Moved {
        amount_minor: if moved == 0 {
            named(after, event)
        } else {
            moved.unsigned_abs()
        },
        sign: moved.signum(),
    }
}

/// The gateway's charge for a dispute by the event, below zero where it gave that back, and how that moved money.
pub(super) fn charged(before: &Payment, event: &PaymentEvent) -> Option<(Moved, i64)> {
    let fee_minor = net(&entries(before, event), Account::DisputeFees);
    let moved = Moved {
        amount_minor: fee_minor.unsigned_abs(),
        sign: -fee_minor.signum(),
    };
    (fee_minor != 0).then_some((moved, fee_minor))
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
