//! How a payment link of staff stands.

use crate::moment::Moment;
use crate::payment::{Payment, PaymentStatus};

/// How a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    Open,
    UnderWay,
    Paid,
    /// Paid, and all of it went back or is on its way back.
    Refunded,
    Withdrawn,
    Expired,
}

impl LinkState {
    pub const ALL: [Self; 6] = [
        Self::Open,
        Self::UnderWay,
        Self::Paid,
        Self::Refunded,
        Self::Withdrawn,
        Self::Expired,
    ];

    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::UnderWay => "under_way",
            Self::Paid => "paid",
            Self::Refunded => "refunded",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
        }
    }

    /// Whether its address still leads to something that can be paid or is being paid.
    pub const fn is_payable(self) -> bool {
        matches!(self, Self::Open | Self::UnderWay)
    }

    /// How the link of a payment stands at a moment; `None` for a payment that is no link.
    pub fn of(payment: &Payment, at: Moment) -> Option<Self> {
        let terms = payment.terms.as_ref().filter(|terms| terms.link.is_some())?;
        Some(match payment.status {
            PaymentStatus::Success if payment.returned_in_full() => Self::Refunded,
            PaymentStatus::Success => Self::Paid,
            PaymentStatus::SoldOut => Self::Refunded,
            PaymentStatus::Processing | PaymentStatus::Pending => Self::UnderWay,
            PaymentStatus::Init
            | PaymentStatus::InitLoading
            | PaymentStatus::InitFailure
            | PaymentStatus::Initiated
            | PaymentStatus::Failed => match (payment.cancelled_at, at >= terms.expires_at) {
                (Some(cancelled_at), _) if cancelled_at < terms.expires_at => Self::Withdrawn,
                (Some(_), _) | (None, true) => Self::Expired,
                (None, false) => Self::Open,
            },
        })
    }
}
