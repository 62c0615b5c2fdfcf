//! How much money a notice may tell of, beside what its payment took.

use super::{GatewayFact, SetAsideReason};
use crate::id::RefundId;
use crate::payment::Payment;

impl GatewayFact {
    /// Why it cannot be true of this payment; `None` where it can. What came in is what is due, to the penny; what went back or is
    /// disputed is no more than what came in. Money that goes out may be told of before it came in: then what is due bounds it.
    /// `currency` is that of its amount, where it names one. Facts without an amount are true of every payment that there is.
    pub fn misfit(&self, payment: &Payment, currency: Option<&str>) -> Option<SetAsideReason> {
        let Some(quote) = payment.terms.as_ref().map(|terms| &terms.quote) else {
            return Some(SetAsideReason::UnknownPayment);
        };
        let is_other = currency.is_some_and(|said| !said.eq_ignore_ascii_case(quote.currency.code()));
        if is_other && self.has_amount() {
            return Some(SetAsideReason::CurrencyDiffers);
        }
        let due_minor = quote.total_minor;
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
            Self::RefundFailed { amount_minor, .. }
            | Self::DisputeOpened { amount_minor, .. }
            | Self::DisputeClosed { amount_minor, .. } => {
                (*amount_minor > most_minor).then_some(SetAsideReason::BeyondPayment)
            }
            Self::Declined { .. } | Self::Delayed | Self::ActionRequired { .. } | Self::Noted => None,
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
fn refund_misfit(
    payment: &Payment,
    refund_id: RefundId,
    amount_minor: u64,
    most_minor: u64,
) -> Option<SetAsideReason> {
    if let Some(known) = payment.refunds.get(&refund_id) {
        return (known.amount_minor != amount_minor).then_some(SetAsideReason::AmountDiffers);
    }
    let left_minor = most_minor.saturating_sub(payment.refunded_minor());
    (amount_minor > left_minor).then_some(SetAsideReason::BeyondPayment)
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
}
