//! What a gateway's notice of a dispute means for its payment.

use super::effect::Effect;
use super::{FollowUp, alert};
use crate::gateway_event::GatewayFact;
use crate::id::PaymentId;
use crate::moment::Moment;
use crate::payment::dispute::DisputeCommand;
use crate::payment::evidence::EvidenceStep;
use crate::payment::{PaymentCommand, PaymentEvent};

/// Finance is told of a dispute, and its evidence laid with the gateway; what finance sends goes to the bank.
pub(super) fn answered(payment_id: PaymentId, event: &PaymentEvent) -> Vec<FollowUp> {
    let evidence = |dispute_id: &str, submit| {
        FollowUp::Effect(Effect::LayEvidence {
            payment_id,
            dispute_id: dispute_id.to_owned(),
            submit,
        })
    };
    match event {
        PaymentEvent::DisputeOpened { dispute_id, .. } => {
            vec![alert(payment_id, dispute_id, None), evidence(dispute_id, false)]
        }
        PaymentEvent::DisputeEvidenceNoted {
            dispute_id,
            step: EvidenceStep::Asked { .. },
            ..
        } => vec![evidence(dispute_id, true)],
        _ => vec![],
    }
}

pub(super) fn disputed(payment_id: PaymentId, fact: &GatewayFact, at: Moment) -> Vec<FollowUp> {
    let mut told = Vec::new();
    if let GatewayFact::DisputeOpened {
        dispute_id,
        amount_minor,
        fee_minor,
        reason,
    } = fact.clone()
    {
        told.push(DisputeCommand::Open {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
        });
    } else if let GatewayFact::DisputeClosed {
        dispute_id,
        amount_minor,
        fee_minor,
        reason,
        outcome,
    } = fact.clone()
    {
        told.push(DisputeCommand::Close {
            dispute_id,
            amount_minor,
            fee_minor,
            reason,
            outcome,
            at,
        });
    }
    let command = |told| FollowUp::Payment(payment_id, PaymentCommand::Dispute(told));
    told.into_iter().map(command).collect()
}
