//! What is done outside, and whether it still makes sense.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::correspondence::LetterKind;
use crate::id::{CaseId, LeadId, PaymentId, RefundId, UserId};
use crate::payment::dispute::DisputeOutcome;
use crate::payment::evidence::Evidence;
use crate::payment::{MessageKind, Payment};

/// Something done outside, through the outbox: each may be carried out again after a kill, and is the same then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Makes the payment's intent at the gateway, or finds the one it has.
    EnsureIntent {
        payment_id: PaymentId,
    },
    CancelIntent {
        payment_id: PaymentId,
    },
    SendRefund {
        payment_id: PaymentId,
        refund_id: RefundId,
    },
    SendMessage {
        payment_id: PaymentId,
        kind: MessageKind,
    },
    /// Each refund has a message of its own.
    SendRefundMessage {
        payment_id: PaymentId,
        refund_id: RefundId,
    },
    /// Tells the payer that a refund they were told of does not arrive, and finance that it waits for another way.
    SendRefundReturned {
        payment_id: PaymentId,
        refund_id: RefundId,
    },
    /// Tells finance that a bank takes a charge back, or has decided against the house.
    SendDisputeAlert {
        payment_id: PaymentId,
        dispute_id: String,
        /// `None`: opened.
        outcome: Option<DisputeOutcome>,
    },
    /// Lays the evidence against a dispute with the gateway; with `submit` it goes on to the bank.
    LayEvidence {
        payment_id: PaymentId,
        dispute_id: String,
        submit: bool,
    },
    /// Tells the sender that their enquiry arrived.
    SendLeadMessage {
        lead_id: LeadId,
    },
    /// Tells the sender how far their form or payment has come, or reminds them of it.
    SendLetter {
        lead_id: LeadId,
        letter: LetterKind,
        /// The form, the payment, or the event by which a price fell.
        about: Uuid,
    },
    /// Asks colleagues to read a note.
    SendMentions {
        lead_id: LeadId,
        note_id: Uuid,
        to: Vec<UserId>,
    },
    /// Asks colleagues to read a note of a conversation.
    SendCaseMentions {
        case_id: CaseId,
        note_id: Uuid,
        to: Vec<UserId>,
    },
    /// Tells a member of staff what happened to the second step of their login. `SendDeviceReset`: planned before there was
    /// more to tell than a reset.
    #[serde(alias = "SendDeviceReset")]
    SendSecondFactorNotice {
        user_id: UserId,
        #[serde(default)]
        notice: SecondFactorNotice,
    },
    /// Sends what staff wrote in a case.
    SendCaseMessage {
        case_id: CaseId,
        message_id: Uuid,
    },
    /// Destroys everything personal of somebody who is forgotten.
    Erase {
        user_id: UserId,
    },
}

/// A change of what guards a staff login, which its owner is told of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SecondFactorNotice {
    /// A device was enrolled.
    Enrolled,
    /// A recovery code opened a login.
    RecoveryUsed,
    /// Fresh recovery codes were made.
    RecoveryRenewed,
    /// The owner took the device away.
    Removed,
    /// An administrator or the command line took the device away.
    #[default]
    Reset,
}

impl SecondFactorNotice {
    /// `mail.<key>.subject` and `mail.<key>.body`. Never changes once released: the outbox keeps it.
    pub const fn mail_key(self) -> &'static str {
        match self {
            Self::Enrolled => "second_factor_enrolled",
            Self::RecoveryUsed => "second_factor_recovery_used",
            Self::RecoveryRenewed => "second_factor_recovery_renewed",
            Self::Removed => "second_factor_removed",
            Self::Reset => "second_factor_reset",
        }
    }
}

/// How long after a form was begun its reminder comes.
const FORM_LEFT_AFTER: TimeDelta = TimeDelta::hours(24);

impl Effect {
    /// How long it waits after its cause: a reminder of a payment comes while the room is still held, `hold_for` long.
    pub fn waits(&self, hold_for: TimeDelta) -> TimeDelta {
        match self {
            Self::SendLetter {
                letter: LetterKind::FormLeft,
                ..
            } => FORM_LEFT_AFTER,
            Self::SendLetter {
                letter: LetterKind::PaymentLeft,
                ..
            } => hold_for / 2,
            _ => TimeDelta::zero(),
        }
    }
}

/// Whether an effect is still wanted by the payment as it stands now.
pub fn still_wanted(effect: &Effect, payment: &Payment) -> bool {
    use crate::payment::PaymentStatus as S;
    use crate::payment::refund::RefundStatus;
    match effect {
        Effect::EnsureIntent { .. } => payment.status == S::InitLoading,
        Effect::CancelIntent { .. } => payment.intent.is_some() && payment.captures.is_empty(),
        Effect::SendRefund { refund_id, .. } => payment
            .refunds
            .get(refund_id)
            .is_some_and(|refund| refund.status == RefundStatus::Requested),
        // What cannot be paid any more is not announced, and what was never announced is not taken back.
        Effect::SendMessage {
            kind: MessageKind::PaymentLink,
            ..
        } => !payment.messages.contains(&MessageKind::PaymentLink) && payment.cancelled_at.is_none(),
        Effect::SendMessage {
            kind: MessageKind::LinkWithdrawn,
            ..
        } => {
            let told = &payment.messages;
            told.contains(&MessageKind::PaymentLink) && !told.contains(&MessageKind::LinkWithdrawn)
        }
        Effect::SendMessage { kind, .. } => !payment.messages.contains(kind),
        // A refund that came back before its message went out is not announced.
        Effect::SendRefundMessage { refund_id, .. } => payment
            .refunds
            .get(refund_id)
            .is_some_and(|refund| !refund.told && refund.status.is_back()),
        Effect::SendRefundReturned { refund_id, .. } => payment
            .refunds
            .get(refund_id)
            .is_some_and(|refund| refund.status == RefundStatus::Failed),
        Effect::SendDisputeAlert {
            dispute_id, outcome, ..
        } => {
            let known = payment.disputes.get(dispute_id);
            known.is_some_and(|dispute| dispute.outcome == *outcome)
        }
        Effect::LayEvidence {
            dispute_id, submit, ..
        } => {
            let known = payment.disputes.get(dispute_id);
            let evidence = payment.evidence.get(dispute_id);
            known.is_some_and(|dispute| dispute.outcome.is_none())
                && if *submit {
                    evidence.is_some_and(Evidence::is_being_sent)
                } else {
                    evidence.is_none()
                }
        }
        // Not about a payment: whoever sends it looks at the lead, and what is erased stays erased.
        Effect::SendLeadMessage { .. }
        | Effect::SendLetter { .. }
        | Effect::SendCaseMessage { .. }
        | Effect::SendMentions { .. }
        | Effect::SendCaseMentions { .. }
        | Effect::SendSecondFactorNotice { .. }
        | Effect::Erase { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planned_device_reset_of_before_is_still_sent() {
        let user_id = UserId(Uuid::from_u128(1));
        let planned = format!(r#"{{"SendDeviceReset":{{"user_id":"{}"}}}}"#, user_id.0);
        let read: Effect = serde_json::from_str(&planned).unwrap();
        let notice = SecondFactorNotice::Reset;
        assert_eq!(read, Effect::SendSecondFactorNotice { user_id, notice });
    }
}
