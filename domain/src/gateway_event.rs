//! What the payment gateway told us, kept as it came: stored before anything is made of it, so that nothing told is ever lost
//! (P3). One stream per event of the gateway, and one per movement and payout of its account; hearing it again changes nothing. A
//! notice that names no payment of ours, or does not fit it, waits for a person to match or dismiss it (P13).

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::id::{PaymentId, RefundId, StreamKey, UserId};
use crate::moment::Moment;
use crate::payment::decline::DeclineCode;
use crate::payment::dispute::DisputeOutcome;
use crate::payment::event::{Captured, Secret};
use crate::sealed::{Sealable, Sealed};
use crate::settlement::{BalanceLine, Payout};
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

mod bounds;

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
    /// What a notice says that was set aside.
    #[serde(default)]
    pub unknown: Option<GatewayFact>,
    /// What a person made of such a notice.
    #[serde(default)]
    pub verdict: Option<Verdict>,
    /// A repeated notice whose money the provider's account holds once.
    #[serde(default)]
    pub checked: bool,
    #[serde(default)]
    pub line: Option<BalanceLine>,
    #[serde(default)]
    pub payout: Option<Payout>,
}

/// What a person made of a notice that was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Matched(PaymentId),
    Dismissed(DismissReason),
}

/// Why a notice needs nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DismissReason {
    /// Another shop or system uses the same account at the provider.
    OtherSystem,
    /// Made by hand to try something.
    Test,
    /// The money was sent back in the provider's dashboard.
    Returned,
    /// The payment that it names was checked, and is right as it is.
    PaymentChecked,
}

impl DismissReason {
    pub const ALL: [Self; 4] = [
        Self::OtherSystem,
        Self::Test,
        Self::Returned,
        Self::PaymentChecked,
    ];

    /// The word that travels and is stored.
    pub const fn key(self) -> &'static str {
        match self {
            Self::OtherSystem => "other_system",
            Self::Test => "test",
            Self::Returned => "returned",
            Self::PaymentChecked => "payment_checked",
        }
    }
}

/// Why a notice waits for a person instead of being taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetAsideReason {
    /// Neither it nor the gateway's intent names a payment of ours.
    NoPayment,
    /// It names a payment that the log does not hold.
    UnknownPayment,
    /// Its money is in another currency than the payment's, or in one that it does not say.
    CurrencyDiffers,
    /// Its amount is not what is due, or not that of the refund it names.
    AmountDiffers,
    /// More goes back or is disputed than the payment took.
    BeyondPayment,
}

impl SetAsideReason {
    pub const ALL: [Self; 5] = [
        Self::NoPayment,
        Self::UnknownPayment,
        Self::CurrencyDiffers,
        Self::AmountDiffers,
        Self::BeyondPayment,
    ];

    /// The word that travels and is stored.
    pub const fn key(self) -> &'static str {
        match self {
            Self::NoPayment => "no_payment",
            Self::UnknownPayment => "unknown_payment",
            Self::CurrencyDiffers => "currency_differs",
            Self::AmountDiffers => "amount_differs",
            Self::BeyondPayment => "beyond_payment",
        }
    }

    /// Whether the notice names a payment of ours, which it does not fit.
    pub const fn names_payment(self) -> bool {
        match self {
            Self::NoPayment | Self::UnknownPayment => false,
            Self::CurrencyDiffers | Self::AmountDiffers | Self::BeyondPayment => true,
        }
    }
}

/// That a notice was set aside: why, and which payment it named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    pub reason: SetAsideReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<PaymentId>,
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
    /// A person found the payment that a notice is about.
    Match {
        payment_id: PaymentId,
        by: UserId,
        at: Moment,
    },
    /// A person found that it is about none.
    Dismiss {
        reason: DismissReason,
        by: UserId,
        at: Moment,
    },
    /// The notice said once more what another had said, and the provider's account, read since, holds the money once.
    Check {
        at: Moment,
    },
    ReadLine(Box<BalanceLine>),
    ReadPayout(Box<Payout>),
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
    /// Why it names none, where it was set aside.
    pub set_aside: Option<SetAside>,
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
        /// Unsaid in events before version 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set_aside: Option<SetAside>,
        subject: UserId,
        fact: GatewayFact,
        #[serde(skip)]
        raw: Sealed<Secret>,
    },
    NoticeMatched {
        payment_id: PaymentId,
        by: UserId,
        at: Moment,
    },
    NoticeDismissed {
        reason: DismissReason,
        by: UserId,
        at: Moment,
    },
    NoticeChecked {
        at: Moment,
    },
    BalanceLineRead(BalanceLine),
    PayoutRead(Payout),
}

event_names!(GatewayEventEvent {
    GatewayEventReceived => "GatewayEventReceived" 3,
    NoticeMatched => "GatewayNoticeMatched" 1,
    NoticeDismissed => "GatewayNoticeDismissed" 1,
    NoticeChecked => "GatewayNoticeChecked" 1,
    BalanceLineRead => "GatewayBalanceLineRead" 2,
    PayoutRead => "GatewayPayoutRead" 2,
} upcasts {
    "GatewayEventReceived" 1 => "GatewayEventReceived" 2: as_it_is,
    "GatewayEventReceived" 2 => "GatewayEventReceived" 3: as_it_is,
    "GatewayBalanceLineRead" 1 => "GatewayBalanceLineRead" 2: as_it_is,
    "GatewayPayoutRead" 1 => "GatewayPayoutRead" 2: as_it_is,
});

impl Sealable for GatewayEventEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::GatewayEventReceived { subject, .. } => Some(*subject),
            _ => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::GatewayEventReceived { raw, .. } => raw.to_json(),
            _ => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::GatewayEventReceived { raw, .. } = self {
            raw.reveal(plain);
        }
    }
}

/// What was told is never refused; what a person makes of it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GatewayEventRejection {
    #[error("there is no notice of an unknown payment")]
    NotUnknown,
    #[error("the notice was matched or dismissed already")]
    Decided,
}

impl Decide for GatewayEvent {
    const KIND: &'static str = "gateway_event";
    type Command = GatewayEventCommand;
    type Event = GatewayEventEvent;
    type Rejection = GatewayEventRejection;

    fn decide(&self, command: GatewayEventCommand) -> Result<Vec<GatewayEventEvent>, GatewayEventRejection> {
        Ok(match command {
            GatewayEventCommand::Receive(_) if self.received => vec![],
            GatewayEventCommand::Receive(notice) => vec![received(*notice)],
            GatewayEventCommand::Match { payment_id, by, at } => self.judge(
                Verdict::Matched(payment_id),
                GatewayEventEvent::NoticeMatched { payment_id, by, at },
            )?,
            GatewayEventCommand::Dismiss { reason, by, at } => self.judge(
                Verdict::Dismissed(reason),
                GatewayEventEvent::NoticeDismissed { reason, by, at },
            )?,
            GatewayEventCommand::Check { at } => {
                let is_news = self.received && !self.checked;
                is_news
                    .then_some(GatewayEventEvent::NoticeChecked { at })
                    .into_iter()
                    .collect()
            }
            GatewayEventCommand::ReadLine(line) => {
                let line = line.after(self.line.as_ref());
                let is_known = self.line.as_ref() == Some(&line);
                (!is_known)
                    .then_some(GatewayEventEvent::BalanceLineRead(line))
                    .into_iter()
                    .collect()
            }
            GatewayEventCommand::ReadPayout(payout) => {
                let is_known = self.payout.as_ref() == Some(&*payout);
                (!is_known)
                    .then_some(GatewayEventEvent::PayoutRead(*payout))
                    .into_iter()
                    .collect()
            }
        })
    }

    fn evolve(&mut self, event: &GatewayEventEvent) {
        match event {
            GatewayEventEvent::GatewayEventReceived { payment_id, fact, .. } => {
                self.received = true;
                let is_unknown = payment_id.is_none() && *fact != GatewayFact::Noted;
                self.unknown = is_unknown.then(|| fact.clone());
            }
            GatewayEventEvent::NoticeMatched { payment_id, .. } => {
                self.verdict = Some(Verdict::Matched(*payment_id));
            }
            GatewayEventEvent::NoticeDismissed { reason, .. } => {
                self.verdict = Some(Verdict::Dismissed(*reason));
            }
            GatewayEventEvent::NoticeChecked { .. } => self.checked = true,
            GatewayEventEvent::BalanceLineRead(line) => self.line = Some(line.clone()),
            GatewayEventEvent::PayoutRead(payout) => self.payout = Some(payout.clone()),
        }
    }
}

impl GatewayEvent {
    /// A verdict once more is none; another one is refused.
    fn judge(
        &self,
        verdict: Verdict,
        event: GatewayEventEvent,
    ) -> Result<Vec<GatewayEventEvent>, GatewayEventRejection> {
        match (&self.unknown, self.verdict) {
            (None, _) => Err(GatewayEventRejection::NotUnknown),
            (Some(_), None) => Ok(vec![event]),
            (Some(_), Some(before)) if before == verdict => Ok(vec![]),
            (Some(_), Some(_)) => Err(GatewayEventRejection::Decided),
        }
    }
}

fn received(notice: Notice) -> GatewayEventEvent {
    GatewayEventEvent::GatewayEventReceived {
        gateway_event_id: notice.gateway_event_id,
        gateway_event_type: notice.gateway_event_type,
        object_id: notice.object_id,
        payment_id: notice.payment_id,
        set_aside: notice.set_aside,
        subject: notice.subject,
        fact: notice.fact,
        raw: Sealed::new(Secret(notice.raw)),
    }
}

aggregate!(GatewayEvent);

#[cfg(test)]
mod tests {
    use cqrs_es::test::TestFramework;

    use super::*;

    fn stray() -> Notice {
        Notice {
            gateway_event_id: "evt_1".to_owned(),
            gateway_event_type: "payment_intent.processing".to_owned(),
            object_id: "pi_1".to_owned(),
            payment_id: None,
            set_aside: Some(SetAside {
                reason: SetAsideReason::NoPayment,
                named: None,
            }),
            subject: UserId(Uuid::from_u128(2)),
            fact: GatewayFact::Delayed,
            raw: "{}".to_owned(),
        }
    }

    /// What names no payment is given to one by a person, once.
    #[test]
    fn stray_notice_is_matched_once() {
        let (at, by) = (Moment::UNIX_EPOCH, UserId(Uuid::from_u128(3)));
        let command = |number| GatewayEventCommand::Match {
            payment_id: PaymentId(Uuid::from_u128(number)),
            by,
            at,
        };
        let mut stray_event = GatewayEvent::default();
        assert_eq!(
            stray_event.decide(command(7)),
            Err(GatewayEventRejection::NotUnknown)
        );
        for asked in [GatewayEventCommand::Receive(Box::new(stray())), command(7)] {
            for event in stray_event.decide(asked).unwrap() {
                stray_event.evolve(&event);
            }
        }
        assert_eq!(stray_event.decide(command(7)), Ok(vec![]));
        assert_eq!(
            stray_event.decide(command(8)),
            Err(GatewayEventRejection::Decided)
        );
    }

    #[test]
    fn an_event_told_twice_is_stored_once() {
        let notice = stray();
        let first = GatewayEvent::default()
            .decide(GatewayEventCommand::Receive(Box::new(notice.clone())))
            .unwrap();
        TestFramework::<GatewayEvent>::with(())
            .given(first)
            .when(GatewayEventCommand::Receive(Box::new(notice)))
            .then_expect_events(vec![]);
    }
}
