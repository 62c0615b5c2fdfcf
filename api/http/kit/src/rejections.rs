//! How each rejection of the domain reads over HTTP.

use axum::http::StatusCode;
use domain::approval::ApprovalRejection;
use domain::case::CaseRejection;
use domain::handle::HandleRejection;
use domain::lead::LeadRejection;
use domain::lead::desk::RESEND_AFTER_MINUTES;
use domain::payment::{PaymentRejection, PaymentStatus};
use domain::referral::ReferralRejection;
use domain::room_stock::{PLACES_PER_IDENTITY, RoomStockRejection};
use domain::second_factor::SecondFactorRejection;
use domain::shortlist::{self, ShortlistRejection};
use domain::site_settings::SiteSettingsRejection;
use domain::user::UserRejection;
use domain::user_history::UserHistoryRejection;

use crate::error::Rejected;
use crate::said::{Said, say};

impl Rejected for PaymentRejection {
    fn code(&self) -> &'static str {
        Self::code(self)
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::AboveLimit | Self::NotYours => StatusCode::FORBIDDEN,
            Self::ZeroAmount | Self::UnevenAmount { .. } | Self::TooMuch { .. } | Self::Disputed { .. } => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::NotAllowed { .. }
            | Self::Withdrawn
            | Self::LinkExpired
            | Self::NoLink
            | Self::Expired
            | Self::Cancelled
            | Self::RefundReused
            | Self::RefundUnknown
            | Self::RefundNotReturned
            | Self::NoBooking
            | Self::NoDispute
            | Self::DisputeDecided
            | Self::EvidenceSent
            | Self::EvidenceLate
            | Self::MoneyLeft { .. }
            | Self::DisputeOpen => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::NotAllowed { status, .. } => too_late(*status),
            Self::NoBooking => say("refusal.no_booking_to_cancel"),
            Self::Disputed { disputed, refundable } if refundable.amount_minor == 0 => {
                say("refusal.refund_disputed_all").with_amount("disputed", *disputed)
            }
            Self::Disputed { disputed, refundable } => Said::of_code(Self::code(self))
                .with_amount("disputed", *disputed)
                .with_amount("refundable", *refundable),
            Self::TooMuch { refundable } if refundable.amount_minor == 0 => say("refusal.nothing_to_refund"),
            Self::TooMuch { refundable } | Self::MoneyLeft { refundable } => {
                Said::of_code(Self::code(self)).with_amount("refundable", *refundable)
            }
            Self::UnevenAmount { step } => Said::of_code(Self::code(self)).with_amount("step", *step),
            Self::Unknown
            | Self::Withdrawn
            | Self::LinkExpired
            | Self::NotYours
            | Self::NoLink
            | Self::Expired
            | Self::Cancelled
            | Self::ZeroAmount
            | Self::AboveLimit
            | Self::RefundReused
            | Self::RefundUnknown
            | Self::RefundNotReturned
            | Self::NoDispute
            | Self::DisputeDecided
            | Self::EvidenceSent
            | Self::EvidenceLate
            | Self::DisputeOpen => Said::of_code(Self::code(self)),
        }
    }

    fn field(&self) -> Option<&'static str> {
        matches!(
            self,
            Self::ZeroAmount | Self::UnevenAmount { .. } | Self::TooMuch { .. } | Self::Disputed { .. }
        )
        .then_some("amount_minor")
    }
}

impl Rejected for ApprovalRejection {
    fn code(&self) -> &'static str {
        Self::code(*self)
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::OwnRequest => StatusCode::FORBIDDEN,
            Self::Empty => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Decided | Self::Reused => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        Said::of_code(Self::code(*self))
    }

    fn field(&self) -> Option<&'static str> {
        matches!(self, Self::Empty).then_some("amount_minor")
    }
}

impl Rejected for CaseRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "no_case",
            Self::AlreadyOpened => "already_opened",
            Self::Full => "case_full",
            Self::TooManyFiles => "case_too_many_files",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::AlreadyOpened | Self::Full | Self::TooManyFiles => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::Unknown => say("refusal.no_case"),
            Self::AlreadyOpened => say("refusal.case_reused"),
            Self::Full => say("refusal.case_full"),
            Self::TooManyFiles => say("refusal.case_too_many_files"),
        }
    }
}

/// Sentence for a payer whose step came too late.
fn too_late(status: PaymentStatus) -> Said {
    match status {
        PaymentStatus::SoldOut => say("refusal.room_lost"),
        PaymentStatus::Success => say("refusal.paid_already"),
        PaymentStatus::Processing | PaymentStatus::Pending => say("refusal.under_way"),
        PaymentStatus::Init
        | PaymentStatus::InitLoading
        | PaymentStatus::InitFailure
        | PaymentStatus::Initiated
        | PaymentStatus::Failed => say("refusal.payment_step_not_allowed"),
    }
}

impl Rejected for RoomStockRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::SoldOut => "sold_out",
            Self::TooManyHolds => "too_many_holds",
            Self::NoHold => "no_hold",
            Self::RoomFree => "room_free",
            Self::NoPlace => "no_place",
            Self::TooManyPlaces => "too_many_places",
            Self::ExtendedAlready => "hold_extended_already",
        }
    }

    fn status(&self) -> StatusCode {
        StatusCode::CONFLICT
    }

    fn said(&self) -> Said {
        match self {
            Self::RoomFree => say("refusal.room_free"),
            Self::NoPlace => say("refusal.no_place"),
            Self::TooManyPlaces => say("refusal.too_many_places").with("max", PLACES_PER_IDENTITY),
            Self::ExtendedAlready => say("refusal.hold_extended_already"),
            Self::NoHold => say("refusal.room_lost"),
            Self::SoldOut | Self::TooManyHolds => say("refusal.just_sold_out"),
        }
    }
}

impl Rejected for LeadRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "not_found",
            Self::AlreadySubmitted => "idempotency_key_reused",
            Self::Closed(_) => "lead_closed",
            Self::NotBooked => "not_booked",
            Self::NothingToRate => "nothing_to_rate",
            Self::AlreadyRated => "already_rated",
            Self::ScoreOutOfRange => "score_range",
            Self::ChangedMeanwhile(_) => "changed_meanwhile",
            Self::HasBooking => "has_booking",
            Self::NotClosedHere => "not_closed_here",
            Self::SentMomentsAgo => "sent_moments_ago",
            Self::RefundAskedAlready => "refund_asked_already",
            Self::NoRefundAsked => "no_refund_asked",
            Self::RefundOfAnotherPayment => "refund_of_another_payment",
            Self::NotADouble => "not_a_double",
            Self::DoubleAlready => "double_already",
            Self::DoubleWentOn => "double_went_on",
            Self::SealedUnderAccount => "sealed_under_account",
            Self::FormBegun => "form_begun",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::AlreadySubmitted | Self::ScoreOutOfRange => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Closed(_)
            | Self::NotBooked
            | Self::NothingToRate
            | Self::AlreadyRated
            | Self::HasBooking
            | Self::NotClosedHere
            | Self::SentMomentsAgo
            | Self::RefundAskedAlready
            | Self::NoRefundAsked
            | Self::RefundOfAnotherPayment
            | Self::NotADouble
            | Self::DoubleAlready
            | Self::DoubleWentOn
            | Self::SealedUnderAccount
            | Self::FormBegun
            | Self::ChangedMeanwhile(_) => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::Unknown => say("refusal.no_lead"),
            Self::AlreadySubmitted
            | Self::Closed(_)
            | Self::NotBooked
            | Self::NothingToRate
            | Self::AlreadyRated
            | Self::ScoreOutOfRange
            | Self::HasBooking
            | Self::NotClosedHere
            | Self::RefundAskedAlready
            | Self::NoRefundAsked
            | Self::RefundOfAnotherPayment
            | Self::NotADouble
            | Self::DoubleAlready
            | Self::DoubleWentOn
            | Self::SealedUnderAccount
            | Self::FormBegun
            | Self::ChangedMeanwhile(_) => Said::of_code(self.code()),
            Self::SentMomentsAgo => say("refusal.sent_moments_ago").with("minutes", RESEND_AFTER_MINUTES),
        }
    }
}

impl Rejected for UserRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown_user",
            Self::Forgotten => "forgotten_user",
        }
    }
}

impl Rejected for HandleRejection {
    fn code(&self) -> &'static str {
        match *self {}
    }
}

impl Rejected for UserHistoryRejection {
    fn code(&self) -> &'static str {
        match *self {}
    }
}

impl Rejected for SiteSettingsRejection {
    fn code(&self) -> &'static str {
        match *self {}
    }
}

impl Rejected for SecondFactorRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::NotEnrolled => "second_factor_absent",
            Self::Enrolled => "second_factor_enrolled",
            Self::NotPassed => "second_factor_needed",
            Self::Used | Self::NoSuchCode => "second_factor_code",
        }
    }
}

impl Rejected for ReferralRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "not_found",
            Self::SelfReferral | Self::NotHeld => "referral_not_held",
            Self::NoReward => "no_reward",
            Self::NotDue(_) => "reward_not_due",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::SelfReferral | Self::NotHeld | Self::NoReward | Self::NotDue(_) => StatusCode::CONFLICT,
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::Unknown => say("refusal.no_referral"),
            Self::SelfReferral | Self::NotHeld => say("refusal.referral_not_held"),
            Self::NoReward => say("refusal.no_reward"),
            Self::NotDue(day) => say("refusal.reward_not_due").with("day", day.to_string()),
        }
    }
}

impl Rejected for ShortlistRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Full => "shortlist_full",
        }
    }

    fn said(&self) -> Said {
        match self {
            Self::Full => Said::of_code(self.code()).with("max", shortlist::LIMIT),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::money::{Currency, Money};

    use super::*;

    #[test]
    fn no_refusal_of_a_refund_names_an_amount_of_zero() {
        let euros = |minor| Money::new(minor, Currency::Eur);
        let too_much = |left| {
            PaymentRejection::TooMuch {
                refundable: euros(left),
            }
            .said()
        };
        let disputed = |left| {
            let rejection = PaymentRejection::Disputed {
                disputed: euros(500),
                refundable: euros(left),
            };
            rejection.said().written()
        };
        assert_eq!(too_much(0), say("refusal.nothing_to_refund"));
        assert!(too_much(250).written().contains("€2.50"));
        assert!(disputed(0).contains("€5 ") && !disputed(0).contains("€0"));
        assert!(disputed(250).contains("€5 ") && disputed(250).contains("€2.50"));
    }
}
