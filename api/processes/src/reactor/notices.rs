//! What follows from the gateway's notices.

use domain::gateway_event::{
    GatewayEvent, GatewayEventCommand, GatewayEventEvent, GatewayEventId, GatewayFact, Notice, SetAside,
    SetAsideReason,
};
use domain::id::PaymentId;
use domain::payment::Payment;
use domain::policy::{self, FollowUp};
use eventlog::{Actor, Context, LogError, RecordedEvent};
use gateway::notice;
use platform::clock;

use super::causes::cause;
use super::{Reactor, ReactorError, follow_up};

impl Reactor {
    /// What a notice leads to, where it names a payment or a person matched it to one.
    pub(super) async fn after_gateway(
        &self,
        event: &RecordedEvent,
    ) -> Result<(Option<PaymentId>, Vec<FollowUp>), ReactorError> {
        let (payment_id, fact) = match event.decode_sealed::<GatewayEvent>() {
            Ok(GatewayEventEvent::GatewayEventReceived {
                payment_id: Some(payment_id),
                fact,
                ..
            }) => (payment_id, fact),
            // A person knew which payment it is about: what it said counts from now on.
            Ok(GatewayEventEvent::NoticeMatched { payment_id, .. }) => {
                let told = self
                    .log
                    .load::<GatewayEvent>(GatewayEventId(event.stream.id))
                    .await?;
                match told.state.unknown {
                    Some(fact) => (payment_id, fact),
                    None => return Ok((None, vec![])),
                }
            }
            _ => return Ok((None, vec![])),
        };
        let payment = self.log.load::<Payment>(payment_id).await?.state;
        // It fitted when it arrived; others that arrived with it were booked first.
        if payment.terms.is_some()
            && let Some(reason) = fact.amount_misfit(&payment)
        {
            self.set_aside(event, payment_id, reason).await?;
            return Ok((Some(payment_id), vec![]));
        }
        let fact = self.with_card(fact).await;
        let follow_ups = payment.terms.as_ref().map_or_else(Vec::new, |terms| {
            policy::after_gateway(payment_id, terms, &fact, cause(event, self.hold_for))
        });
        Ok((Some(payment_id), follow_ups))
    }

    /// Keeps the notice behind `event` once more, for finance to decide on, as one that was set aside at the door: it fitted its payment
    /// when it arrived, and does not now that its turn has come. Nothing is booked.
    async fn set_aside(
        &self,
        event: &RecordedEvent,
        payment_id: PaymentId,
        reason: SetAsideReason,
    ) -> Result<(), ReactorError> {
        let told = self.log.read_stream(&event.stream, 0, 1).await?;
        let Some(first) = told.first() else {
            return Ok(());
        };
        // While the keys do not answer, it waits: finance is to see its amount.
        let first = first
            .decode::<GatewayEvent>()
            .map_err(|source| LogError::Unreadable {
                position: first.position,
                source,
            })?;
        let GatewayEventEvent::GatewayEventReceived {
            gateway_event_id,
            gateway_event_type,
            object_id,
            subject,
            fact,
            raw,
            ..
        } = first
        else {
            return Ok(());
        };
        tracing::error!(
            gateway.event = ?gateway_event_id,
            reason = reason.key(),
            "a notice tells of money that does not fit its payment any more; it is kept for finance, and nothing is booked"
        );
        let again = Notice {
            gateway_event_id,
            gateway_event_type,
            object_id,
            payment_id: None,
            set_aside: Some(SetAside {
                reason,
                named: Some(payment_id),
            }),
            subject,
            fact,
            raw: raw.0.map(|secret| secret.0).unwrap_or_default(),
        };
        // Named after the event: done again after a crash, it is the same stream.
        let stream = GatewayEventId(notice::named("set_aside", &event.event_id.to_string()));
        let command = GatewayEventCommand::Receive(Box::new(again));
        let context = Context::following(event, clock::now(), Actor::GATEWAY, "set_aside");
        follow_up::give::<GatewayEvent>(&self.log, stream, command, &context).await
    }

    /// A success with the card that was charged, where the notice does not name it and the gateway answers.
    async fn with_card(&self, fact: GatewayFact) -> GatewayFact {
        let GatewayFact::Succeeded(capture) = fact else {
            return fact;
        };
        if capture.card.is_some() || self.gateway.notices_name_the_card() {
            return GatewayFact::Succeeded(capture);
        }
        let intent = self.gateway.intent(&capture.intent_id).await.ok();
        let same = intent
            .and_then(|intent| intent.captured)
            .filter(|known| known.charge_id == capture.charge_id);
        GatewayFact::Succeeded(same.unwrap_or(capture))
    }
}
