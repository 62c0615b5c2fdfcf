//! Whose an effect is: which stream its sender looks at.

use domain::correspondence::LetterKind;
use domain::id::{CaseId, LeadId, PaymentId, UserId};
use domain::policy::{Effect, SecondFactorNotice};
use uuid::Uuid;

/// Whose effect it is.
pub(super) enum About {
    Payment(PaymentId),
    Lead(LeadId),
    Letter(LeadId, LetterKind, Uuid),
    Case(CaseId, Uuid),
    Mentions(LeadId, Uuid, Vec<UserId>),
    CaseMentions(CaseId, Uuid, Vec<UserId>),
    SecondFactor(UserId, SecondFactorNotice),
    Person(UserId),
}

pub(super) fn about(effect: &Effect) -> About {
    match effect {
        Effect::EnsureIntent { payment_id }
        | Effect::CancelIntent { payment_id }
        | Effect::SendRefund { payment_id, .. }
        | Effect::SendMessage { payment_id, .. }
        | Effect::SendRefundMessage { payment_id, .. }
        | Effect::SendRefundReturned { payment_id, .. }
        | Effect::LayEvidence { payment_id, .. }
        | Effect::SendDisputeAlert { payment_id, .. } => About::Payment(*payment_id),
        Effect::SendLeadMessage { lead_id } => About::Lead(*lead_id),
        Effect::SendLetter {
            lead_id,
            letter,
            about,
        } => About::Letter(*lead_id, *letter, *about),
        Effect::SendCaseMessage { case_id, message_id } => About::Case(*case_id, *message_id),
        Effect::SendMentions { lead_id, note_id, to } => About::Mentions(*lead_id, *note_id, to.clone()),
        Effect::SendCaseMentions { case_id, note_id, to } => {
            About::CaseMentions(*case_id, *note_id, to.clone())
        }
        Effect::SendSecondFactorNotice { user_id, notice } => About::SecondFactor(*user_id, *notice),
        Effect::Erase { user_id } => About::Person(*user_id),
    }
}
