//! Tells finance of disputes, lays evidence against them with the gateway, and sends on what finance has asked to send.

use domain::id::PaymentId;
use domain::payment::dispute::{DisputeCommand, DisputeOutcome};
use domain::payment::evidence::{EvidenceCommand, EvidenceStep};
use domain::payment::{Payment, PaymentCommand};
use gateway::GatewayError;
use gateway::evidence::EvidenceRequest;
use platform::clock;
use sha2::{Digest as _, Sha256};

use super::agenda::Planned;
use super::effects::Undone;
use super::messenger::Posted;
use super::{Reactor, payment_letters};
use crate::evidence::{Choice, EvidenceError};

impl Reactor {
    /// Told under the effect's own name: a repetition is the same message. Without an address to send it to, the log says it.
    pub(super) async fn alert_finance(
        &self,
        planned: &Planned,
        (payment_id, payment): (PaymentId, &Payment),
        (dispute_id, outcome): (&str, Option<DisputeOutcome>),
    ) -> Result<(), Undone> {
        tracing::warn!(payment.id = %payment_id, ?outcome, "a charge is disputed");
        let Some(recipient) = &self.finance_email else {
            return Ok(());
        };
        let at = (self.house_origin(), &**recipient);
        let letter =
            payment_letters::about_dispute(&self.log, at, (payment_id, payment), (dispute_id, outcome))
                .await?;
        if let Posted::Refused(code) = self.post(&planned.id, &planned.id, letter).await? {
            tracing::error!(payment.id = %payment_id, ?code, "nobody could be told of a dispute: look at `finance_email`");
        }
        Ok(())
    }

    /// The pack is that of the effect's event, so that a repetition after a kill is the same call.
    pub(super) async fn lay_evidence(
        &self,
        planned: &Planned,
        (payment_id, payment): (PaymentId, &Payment),
        (dispute_id, submit): (&str, bool),
    ) -> Result<(), Undone> {
        let Some(office) = &self.evidence else {
            return Ok(());
        };
        let Some(intent) = &payment.intent else {
            return Ok(());
        };
        // What is laid before finance presses Send is not with the bank yet: lines are struck when it is sent.
        let noted = payment.evidence.get(dispute_id).filter(|_| submit);
        let choice = noted.map(Choice::read).unwrap_or_default();
        let gathered = office
            .at(payment_id, dispute_id, (planned.event_id, &choice))
            .await;
        let (evidence, pdf) = match gathered {
            Ok(gathered) => gathered,
            // It was disputed when the effect was planned: what is gone was erased.
            Err(EvidenceError::NoPayment | EvidenceError::NoDispute) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let digest = hex::encode(Sha256::digest(&pdf));
        let request = EvidenceRequest {
            dispute_id: dispute_id.to_owned(),
            intent_id: intent.id.clone(),
            fields: evidence.evidence,
            pdf,
            digest: digest.clone(),
            submit,
        };
        tracing::info!(call = "lay_evidence", payment.id = %payment_id, submit, "the gateway is asked");
        // A listing's name may change between two attempts: then it is another call.
        let key = format!("{}:{}", planned.id, &digest[..16]);
        let step = match self.gateway.lay_evidence(&key, &request).await {
            Ok(_) if submit => EvidenceStep::Sent { digest },
            Ok(told) => EvidenceStep::Laid {
                due_by: told.due_by,
                digest,
            },
            Err(GatewayError::Unreachable) => return Err(GatewayError::Unreachable.into()),
            Err(error @ (GatewayError::Refused(_) | GatewayError::KeyReused)) => EvidenceStep::Refused {
                reason: error.to_string(),
            },
        };
        let command = DisputeCommand::Evidence(EvidenceCommand {
            dispute_id: dispute_id.to_owned(),
            step,
            at: clock::now(),
        });
        self.tell(planned, payment_id, PaymentCommand::Dispute(command), "evidence")
            .await?;
        Ok(())
    }
}
