//! What the payment gateway told us, kept as it came: stored before anything is made of it, so that nothing told is ever lost
//! (P3). One stream per event of the gateway; hearing it again changes nothing.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::id::{PaymentId, RefundId, StreamKey, UserId};
use crate::payment::decline::DeclineCode;
use crate::payment::dispute::DisputeOutcome;
use crate::payment::event::{Captured, Secret};
use crate::sealed::{Sealable, Sealed};
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

/// Names one event of the gateway by a digest of its id there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GatewayEventId(pub Uuid);

impl StreamKey for GatewayEventId {
    fn uuid(self) -> Uuid {
        self.0
    }
}

/// One event of the gateway, as this side knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayEvent {
    pub received: bool,
}

/// What an event of the gateway says, in our words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum GatewayFact {
    Succeeded(Captured),
    Declined {
        attempt_id: String,
        code: DeclineCode,
    },
    Delayed,
    ActionRequired {
        intent_id: String,
        url: String,
    },
    RefundAcknowledged {
        refund_id: RefundId,
        gateway_refund_id: String,
        amount_minor: u64,
    },
    RefundFailed {
        refund_id: RefundId,
        amount_minor: u64,
        reason: String,
    },
    DisputeOpened {
        dispute_id: String,
        amount_minor: u64,
        /// What the gateway charges for the dispute, in the payment's currency; `None` where it does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fee_minor: Option<u64>,
        reason: String,
    },
    DisputeClosed {
        dispute_id: String,
        amount_minor: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fee_minor: Option<u64>,
        reason: String,
        outcome: DisputeOutcome,
    },
    /// Nothing a payment cares for, e.g. an intent made or cancelled by ourselves.
    Noted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayEventCommand {
    Receive(Box<Notice>),
}

/// A notice with a good signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The gateway's own id of the event, e.g. `evt_…`.
    pub gateway_event_id: String,
    /// The gateway's own type, e.g. `payment_intent.succeeded`.
    pub gateway_event_type: String,
    /// The gateway's object, e.g. `pi_…`.
    pub object_id: String,
    /// `None` where it names none of our payments: kept for a person to look at (P13).
    pub payment_id: Option<PaymentId>,
    /// Under whose key the raw text is sealed.
    pub subject: UserId,
    pub fact: GatewayFact,
    /// The body, byte for byte.
    pub raw: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum GatewayEventEvent {
    GatewayEventReceived {
        gateway_event_id: String,
        gateway_event_type: String,
        object_id: String,
        payment_id: Option<PaymentId>,
        subject: UserId,
        fact: GatewayFact,
        #[serde(skip)]
        raw: Sealed<Secret>,
    },
}

event_names!(GatewayEventEvent { GatewayEventReceived => "GatewayEventReceived" 2 } upcasts {
    "GatewayEventReceived" 1 => "GatewayEventReceived" 2: as_it_is,
});

impl Sealable for GatewayEventEvent {
    fn subject(&self) -> Option<UserId> {
        let Self::GatewayEventReceived { subject, .. } = self;
        Some(*subject)
    }

    fn personal(&self) -> Option<Vec<u8>> {
        let Self::GatewayEventReceived { raw, .. } = self;
        raw.to_json()
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        let Self::GatewayEventReceived { raw, .. } = self;
        raw.reveal(plain);
    }
}

/// Nothing is ever refused: what was told was told.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayEventRejection {}

impl Decide for GatewayEvent {
    const KIND: &'static str = "gateway_event";
    type Command = GatewayEventCommand;
    type Event = GatewayEventEvent;
    type Rejection = GatewayEventRejection;

    fn decide(&self, command: GatewayEventCommand) -> Result<Vec<GatewayEventEvent>, GatewayEventRejection> {
        let GatewayEventCommand::Receive(notice) = command;
        if self.received {
            return Ok(vec![]);
        }
        Ok(vec![GatewayEventEvent::GatewayEventReceived {
            gateway_event_id: notice.gateway_event_id,
            gateway_event_type: notice.gateway_event_type,
            object_id: notice.object_id,
            payment_id: notice.payment_id,
            subject: notice.subject,
            fact: notice.fact,
            raw: Sealed::new(Secret(notice.raw)),
        }])
    }

    fn evolve(&mut self, event: &GatewayEventEvent) {
        let GatewayEventEvent::GatewayEventReceived { .. } = event;
        self.received = true;
    }
}

aggregate!(GatewayEvent);

#[cfg(test)]
mod tests {
    use cqrs_es::test::TestFramework;

    use super::*;

    #[test]
    fn an_event_told_twice_is_stored_once() {
        let subject = UserId(Uuid::from_u128(2));
        let notice = Notice {
            gateway_event_id: "evt_1".to_owned(),
            gateway_event_type: "payment_intent.processing".to_owned(),
            object_id: "pi_1".to_owned(),
            payment_id: None,
            subject,
            fact: GatewayFact::Delayed,
            raw: "{}".to_owned(),
        };
        let first = GatewayEvent::default()
            .decide(GatewayEventCommand::Receive(Box::new(notice.clone())))
            .unwrap();
        TestFramework::<GatewayEvent>::with(())
            .given(first)
            .when(GatewayEventCommand::Receive(Box::new(notice)))
            .then_expect_events(vec![]);
    }
}
