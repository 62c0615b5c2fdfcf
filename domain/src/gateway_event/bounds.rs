//! How much money a notice may tell of, beside what its payment took.

use super::{GatewayFact, SetAsideReason};
use crate::id::RefundId;
use crate::payment::Payment;

impl GatewayFact {
    /// Why it cannot be true of this payment; `None` where it can. `currency` is that of its amount: an amount without one is not known to
    /// be in the payment's. Facts without an amount are true of every payment that there is.
    pub fn misfit(&self, payment: &Payment, currency: Option<&str>) -> Option<SetAsideReason> {
        let Some(quote) = payment.terms.as_ref().map(|terms| &terms.quote) else {
            return Some(SetAsideReason::UnknownPayment);
        };
        let is_same = currency.is_some_and(|said| said.eq_ignore_ascii_case(quote.currency.code()));
        if self.has_amount() && !is_same {
            return Some(SetAsideReason::CurrencyDiffers);
        }
        self.amount_misfit(payment)
    }

    /// As [`Self::misfit`], of an amount whose currency was compared. What came in is what is due, to the penny; what went back or is
    /// disputed is, together, no more than what came in. Money that goes out may be told of before it came in: then what is due bounds it.
    pub fn amount_misfit(&self, payment: &Payment) -> Option<SetAsideReason> {
        let Some(due_minor) = payment.terms.as_ref().map(|terms| terms.quote.total_minor) else {
            return Some(SetAsideReason::UnknownPayment);
        };
        let most_minor = payment.captured_minor().max(due_minor);
        match self {
            Self::Succeeded(capture) => {
                (capture.amount_minor != due_minor).then_some(SetAsideReason::AmountDiffers)
            }
            Self::RefundAcknowledged {
                refund_id,
                amount_minor,
                ..
            } => refund_misfit(payment, *refund_id, *amount_minor, most_minor),
            Self::RefundFailed { amount_minor, .. } => beyond(*amount_minor, most_minor),
            // The amount of a dispute that is known is not booked again.
            Self::DisputeOpened { dispute_id, .. } | Self::DisputeClosed { dispute_id, .. }
                if payment.disputes.contains_key(dispute_id) =>
            {
                None
            }
            Self::DisputeOpened { amount_minor, .. } | Self::DisputeClosed { amount_minor, .. } => {
                beyond(*amount_minor, most_minor.saturating_sub(payment.disputed_minor()))
            }
            Self::Declined { .. } | Self::Delayed | Self::ActionRequired { .. } | Self::Noted => None,
        }
    }

    /// The amount of money that it tells of.
    pub const fn amount_minor(&self) -> Option<u64> {
        match self {
            Self::Succeeded(capture) => Some(capture.amount_minor),
            Self::RefundAcknowledged { amount_minor, .. }
            | Self::RefundFailed { amount_minor, .. }
            | Self::DisputeOpened { amount_minor, .. }
            | Self::DisputeClosed { amount_minor, .. } => Some(*amount_minor),
            Self::Declined { .. } | Self::Delayed | Self::ActionRequired { .. } | Self::Noted => None,
        }
    }

    /// Whether it tells of an amount of money.
    pub const fn has_amount(&self) -> bool {
        self.amount_minor().is_some()
    }
}

/// A refund that is known has the amount it was known by; another one is no more than what has not gone back yet.
fn refund_misfit(
    payment: &Payment,
    refund_id: RefundId,
    amount_minor: u64,
    most_minor: u64,
) -> Option<SetAsideReason> {
    if let Some(known) = payment.refunds.get(&refund_id) {
        return (known.amount_minor != amount_minor).then_some(SetAsideReason::AmountDiffers);
    }
    beyond(amount_minor, most_minor.saturating_sub(payment.refunded_minor()))
}

fn beyond(amount_minor: u64, left_minor: u64) -> Option<SetAsideReason> {
    (amount_minor > left_minor).then_some(SetAsideReason::BeyondPayment)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::aggregate::Decide as _;
    use crate::payment::{PaymentEvent, sample_terms};

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
        let currency = payment
            .terms
            .as_ref()
            .map(|terms| terms.quote.currency.code().to_lowercase());
        let misfit = |fact: &GatewayFact| fact.misfit(&payment, currency.as_deref());
        assert_eq!(misfit(&refund(whole)), None);
        assert_eq!(misfit(&refund(whole + 1)), Some(SetAsideReason::BeyondPayment));
        assert_eq!(
            refund(whole).misfit(&payment, Some("jpy")),
            Some(SetAsideReason::CurrencyDiffers)
        );
        assert_eq!(
            refund(whole).misfit(&payment, None),
            Some(SetAsideReason::CurrencyDiffers)
        );
        assert_eq!(
            refund(whole).misfit(&Payment::default(), None),
            Some(SetAsideReason::UnknownPayment)
        );
        let dispute = GatewayFact::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 1_000_000_000_000_000_000,
            fee_minor: None,
            reason: String::new(),
        };
        assert_eq!(misfit(&dispute), Some(SetAsideReason::BeyondPayment));
        assert_eq!(GatewayFact::Delayed.misfit(&payment, Some("jpy")), None);
        assert!(!GatewayFact::Delayed.has_amount());
    }

    /// Disputes of one payment are bounded together, and what is told again of one of them fits.
    #[test]
    fn disputes_together_are_no_more_than_the_payment() {
        let terms = sample_terms();
        let whole = terms.quote.total_minor;
        let mut payment = Payment {
            terms: Some(terms),
            ..Payment::default()
        };
        let dispute = |id: &str, amount_minor| GatewayFact::DisputeOpened {
            dispute_id: id.to_owned(),
            amount_minor,
            fee_minor: None,
            reason: String::new(),
        };
        assert_eq!(dispute("dp_1", whole).amount_misfit(&payment), None);
        payment.evolve(&PaymentEvent::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: whole - 1,
            fee_minor: None,
            reason: String::new(),
        });
        assert_eq!(dispute("dp_1", whole - 1).amount_misfit(&payment), None);
        assert_eq!(dispute("dp_2", 1).amount_misfit(&payment), None);
        assert_eq!(
            dispute("dp_2", 2).amount_misfit(&payment),
            Some(SetAsideReason::BeyondPayment)
        );
    }
}
