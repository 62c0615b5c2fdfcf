//! What a gateway's notice of a dispute means for its payment.

use super::FollowUp;
use crate::gateway_event::GatewayFact;
use crate::id::PaymentId;
use crate::moment::Moment;
use crate::payment::PaymentCommand;
use crate::payment::dispute::DisputeCommand;

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
