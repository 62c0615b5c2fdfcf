//! How much money a notice may tell of, beside what its payment took.

use super::GatewayFact;
use crate::id::RefundId;
use crate::payment::Payment;

impl GatewayFact {
    /// Whether its amount can be true of this payment: what came in is what is due, to the penny; what went back or is disputed is no
    /// more than what came in. Money that goes out may be told of before it came in: then what is due bounds it. Facts without an
    /// amount always fit.
    pub fn fits(&self, payment: &Payment) -> bool {
        let Some(due_minor) = payment.terms.as_ref().map(|terms| terms.quote.total_minor) else {
            return true;
        };
        let most_minor = payment.captured_minor().max(due_minor);
        match self {
            Self::Succeeded(capture) => capture.amount_minor == due_minor,
            Self::RefundAcknowledged {
                refund_id,
                amount_minor,
                ..
            } => fits_refund(payment, *refund_id, *amount_minor, most_minor),
            Self::RefundFailed { amount_minor, .. }
            | Self::DisputeOpened { amount_minor, .. }
            | Self::DisputeClosed { amount_minor, .. } => *amount_minor <= most_minor,
            Self::Declined { .. } | Self::Delayed | Self::ActionRequired { .. } | Self::Noted => true,
        }
    }

    /// Whether it tells of an amount of money.
    pub const fn has_amount(&self) -> bool {
        matches!(
            self,
            Self::Succeeded(_)
                | Self::RefundAcknowledged { .. }
                | Self::RefundFailed { .. }
                | Self::DisputeOpened { .. }
                | Self::DisputeClosed { .. }
        )
    }
}

/// A refund that is known has the amount it was known by; another one is no more than what has not gone back yet.
fn fits_refund(payment: &Payment, refund_id: RefundId, amount_minor: u64, most_minor: u64) -> bool {
    match payment.refunds.get(&refund_id) {
        Some(known) => known.amount_minor == amount_minor,
        None => amount_minor <= most_minor.saturating_sub(payment.refunded_minor()),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::payment::sample_terms;

    /// No more goes back than came in, and a refund that is told of again is no second one.
    #[test]
    fn refund_beyond_the_payment_does_not_fit() {
        let terms = sample_terms();
        let whole = terms.quote.total_minor;
        let payment = Payment {
            terms: Some(terms),
            ..Payment::default()
        };
        let refund = |amount_minor| GatewayFact::RefundAcknowledged {
            refund_id: RefundId(Uuid::from_u128(1)),
            gateway_refund_id: "re_1".to_owned(),
            amount_minor,
        };
        assert!(refund(whole).fits(&payment));
        assert!(!refund(whole + 1).fits(&payment));
        let dispute = GatewayFact::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 1_000_000_000_000_000_000,
            fee_minor: None,
            reason: String::new(),
        };
        assert!(!dispute.fits(&payment));
        assert!(GatewayFact::Delayed.fits(&payment) && !GatewayFact::Delayed.has_amount());
    }
}
