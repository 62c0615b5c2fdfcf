//! What happened to a payment. Names and shapes never change once released.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::attribution::DeviceMark;
use crate::event_names;
use crate::id::{HoldId, RefundId, UserId};
use crate::moment::Moment;
use crate::payment::decline::DeclineCode;
use crate::payment::dispute::DisputeOutcome;
use crate::payment::evidence::EvidenceStep;
use crate::payment::link::LinkWords;
use crate::payment::terms::Terms;
use crate::sealed::{Sealable, Sealed, json_of, read_json};
use crate::shape::as_it_is;

/// A value only its holder may read: a link's token, an intent's client secret, a note about a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

/// Money the gateway took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    pub intent_id: String,
    pub charge_id: String,
    pub amount_minor: u64,
    #[serde(default)]
    pub card: Option<Card>,
}

/// What a receipt may show of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub brand: String,
    pub last4: String,
}

/// Why a room was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoldOutReason {
    NoRoom,
    HoldLost,
    TooManyHolds,
    /// Another room was booked on the same enquiry.
    OtherRoomBooked,
}

/// Why money goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundReason {
    SoldOut,
    /// Another room was booked on the same enquiry.
    OtherRoomBooked,
    PaidTwice,
    Staff,
    /// Started at the gateway, not here.
    Gateway,
}

/// Who asked for a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestedBy {
    Rule,
    Staff(UserId),
}

/// A colleague's request that a refund grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantedAsk {
    /// The act on the lead that asked; its words stand there.
    pub ask_id: Uuid,
    pub by: UserId,
}

/// What a member of staff who gives money back wants to become of the booking (decision 0024).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BookingChoice {
    /// It stays, however much goes back.
    Keep,
    /// It ends once the gateway has confirmed the refund, however little goes back.
    Cancel,
}

impl BookingChoice {
    pub const ALL: [Self; 2] = [Self::Keep, Self::Cancel];

    /// The choice's name in requests and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Cancel => "cancel",
        }
    }
}

/// Messages a payer gets once each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    Receipt,
    RoomGone,
    /// Only in logs of before each refund had a message of its own.
    Refunded,
    BookingCancelled,
    /// The link that a member of staff made.
    PaymentLink,
    /// A room is kept for the payer's place in the waitlist.
    PlaceOffered,
    /// The link was taken back: nothing can be paid with it.
    LinkWithdrawn,
    /// The home is let no longer, and with it the payer's place in the waitlist has ended.
    HomeClosed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaymentEvent {
    PaymentOpened {
        terms: Box<Terms>,
        #[serde(skip)]
        token: Sealed<Secret>,
    },
    /// A member of staff made this payment as a link; what they wrote with it.
    PaymentLinkMade {
        subject: UserId,
        at: Moment,
        #[serde(skip)]
        words: Sealed<LinkWords>,
    },
    PaymentBegun {
        at: Moment,
        /// How many of this room the catalogue offered at that moment.
        capacity: u32,
        /// Who was logged in: whose hold it is (T19).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proved_by: Option<UserId>,
        /// Whose key seals the mark of the device. Unsaid in events before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subject: Option<UserId>,
        /// The device of the payer. Unsaid in events before version 3, which has it in the payload; sealed since version 4.
        #[serde(default, skip_serializing)]
        device: Option<DeviceMark>,
    },
    PaymentRetried {
        at: Moment,
        capacity: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proved_by: Option<UserId>,
    },
    PaymentHoldNoted {
        hold_id: HoldId,
        expires_at: Option<Moment>,
    },
    IntentReady {
        subject: UserId,
        intent_id: String,
        #[serde(skip)]
        client_secret: Sealed<Secret>,
    },
    IntentFailed {
        reason: String,
    },
    PaymentSoldOut {
        reason: SoldOutReason,
    },
    PaymentConfirmed {
        at: Moment,
    },
    PaymentActionRequired {
        url: String,
    },
    PaymentSucceeded {
        capture: Captured,
        at: Moment,
    },
    /// The charge went through after the room was lost: everything goes back (D97).
    PaymentCapturedWithoutRoom {
        capture: Captured,
        at: Moment,
    },
    /// The gateway took a second time: the second goes back.
    PaymentCapturedAgain {
        capture: Captured,
        at: Moment,
    },
    PaymentDeclined {
        attempt_id: String,
        code: DeclineCode,
    },
    PaymentDelayed {},
    PaymentCancelled {
        at: Moment,
    },
    RefundRequested {
        refund_id: RefundId,
        subject: UserId,
        amount_minor: u64,
        reason: RefundReason,
        by: RequestedBy,
        /// What becomes of the booking; only where a member of staff said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        booking: Option<BookingChoice>,
        /// The request that it grants. Unsaid in events of before version 4, and where none was named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ask: Option<GrantedAsk>,
        at: Moment,
        /// Free words of the member of staff who asked.
        #[serde(skip)]
        note: Sealed<Secret>,
    },
    RefundSent {
        refund_id: RefundId,
        gateway_refund_id: String,
    },
    RefundAcknowledged {
        refund_id: RefundId,
        gateway_refund_id: String,
        amount_minor: u64,
        at: Moment,
    },
    RefundFailed {
        refund_id: RefundId,
        amount_minor: u64,
        reason: String,
        at: Moment,
    },
    /// A refund that the gateway could not pay out was paid in another way, e.g. to a bank account.
    RefundPaidElsewhere {
        refund_id: RefundId,
        subject: UserId,
        by: UserId,
        at: Moment,
        /// How, in words of the member of staff.
        #[serde(skip)]
        note: Sealed<Secret>,
    },
    DisputeOpened {
        dispute_id: String,
        amount_minor: u64,
        /// What the gateway charges for the dispute, where it said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fee_minor: Option<u64>,
        reason: String,
    },
    /// A bank has decided a dispute.
    DisputeClosed {
        dispute_id: String,
        outcome: DisputeOutcome,
        /// What the gateway charges for the dispute after all; `None`: as before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fee_minor: Option<u64>,
        at: Moment,
    },
    /// How far the evidence against a dispute has come.
    DisputeEvidenceNoted {
        dispute_id: String,
        step: EvidenceStep,
        at: Moment,
    },
    PaymentMessageSent {
        kind: MessageKind,
    },
    /// Refunded in full: the room went back into its stock.
    PaymentRoomGivenBack {
        vacated: bool,
        at: Moment,
    },
    /// A member of staff ended a booking whose money is all gone.
    PaymentBookingCancelled {
        subject: UserId,
        by: UserId,
        /// The request that it grants. Unsaid in events of before version 2, and where none was named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ask: Option<GrantedAsk>,
        at: Moment,
        /// Free words of the member of staff.
        #[serde(skip)]
        note: Sealed<Secret>,
    },
    RefundMessageSent {
        refund_id: RefundId,
    },
    /// No mail server took a message: with its answer, or none where it was tried for too long.
    PaymentMessageRefused {
        kind: MessageKind,
        /// The refund it was about, where it was about one.
        refund_id: Option<RefundId>,
        code: Option<u16>,
    },
}

event_names!(PaymentEvent {
    PaymentOpened => "PaymentOpened" 4,
    PaymentLinkMade => "PaymentLinkMade" 1,
    PaymentBegun => "PaymentBegun" 4,
    PaymentRetried => "PaymentRetried" 2,
    PaymentHoldNoted => "PaymentHoldNoted" 1,
    IntentReady => "IntentReady" 1,
    IntentFailed => "IntentFailed" 1,
    PaymentSoldOut => "PaymentSoldOut" 2,
    PaymentConfirmed => "PaymentConfirmed" 1,
    PaymentActionRequired => "PaymentActionRequired" 1,
    PaymentSucceeded => "PaymentSucceeded" 1,
    PaymentCapturedWithoutRoom => "PaymentCapturedWithoutRoom" 1,
    PaymentCapturedAgain => "PaymentCapturedAgain" 1,
    PaymentDeclined => "PaymentDeclined" 1,
    PaymentDelayed => "PaymentDelayed" 1,
    PaymentCancelled => "PaymentCancelled" 1,
    RefundRequested => "RefundRequested" 4,
    RefundSent => "RefundSent" 1,
    RefundAcknowledged => "RefundAcknowledged" 1,
    RefundFailed => "RefundFailed" 1,
    RefundPaidElsewhere => "RefundPaidElsewhere" 1,
    DisputeOpened => "DisputeOpened" 2,
    DisputeClosed => "DisputeClosed" 2,
    DisputeEvidenceNoted => "DisputeEvidenceNoted" 3,
    PaymentMessageSent => "PaymentMessageSent" 1,
    PaymentRoomGivenBack => "PaymentRoomGivenBack" 1,
    PaymentBookingCancelled => "PaymentBookingCancelled" 2,
    RefundMessageSent => "RefundMessageSent" 1,
    PaymentMessageRefused => "PaymentMessageRefused" 1,
} upcasts {
    "PaymentOpened" 1 => "PaymentOpened" 2: as_it_is,
    "PaymentOpened" 2 => "PaymentOpened" 3: as_it_is,
    "PaymentOpened" 3 => "PaymentOpened" 4: as_it_is,
    "PaymentBegun" 1 => "PaymentBegun" 2: as_it_is,
    "PaymentBegun" 2 => "PaymentBegun" 3: as_it_is,
    "PaymentBegun" 3 => "PaymentBegun" 4: as_it_is,
    "PaymentRetried" 1 => "PaymentRetried" 2: as_it_is,
    "PaymentSoldOut" 1 => "PaymentSoldOut" 2: as_it_is,
    "RefundRequested" 1 => "RefundRequested" 2: as_it_is,
    "RefundRequested" 2 => "RefundRequested" 3: as_it_is,
    "RefundRequested" 3 => "RefundRequested" 4: as_it_is,
    "DisputeOpened" 1 => "DisputeOpened" 2: as_it_is,
    "DisputeClosed" 1 => "DisputeClosed" 2: as_it_is,
    "DisputeEvidenceNoted" 1 => "DisputeEvidenceNoted" 2: as_it_is,
    "DisputeEvidenceNoted" 2 => "DisputeEvidenceNoted" 3: as_it_is,
    "PaymentBookingCancelled" 1 => "PaymentBookingCancelled" 2: as_it_is,
});

impl PaymentEvent {
    /// The sealed value of an event that has one, with the person it belongs to.
    fn secret(&self) -> Option<(UserId, &Sealed<Secret>)> {
        match self {
            Self::PaymentOpened { terms, token } => Some((terms.seal(), token)),
            Self::IntentReady {
                subject,
                client_secret,
                ..
            } => Some((*subject, client_secret)),
            Self::RefundRequested { subject, note, .. }
            | Self::RefundPaidElsewhere { subject, note, .. }
            | Self::PaymentBookingCancelled { subject, note, .. } => Some((*subject, note)),
            Self::PaymentLinkMade { .. }
            | Self::PaymentBegun { .. }
            | Self::PaymentRetried { .. }
            | Self::PaymentHoldNoted { .. }
            | Self::IntentFailed { .. }
            | Self::PaymentSoldOut { .. }
            | Self::PaymentConfirmed { .. }
            | Self::PaymentActionRequired { .. }
            | Self::PaymentSucceeded { .. }
            | Self::PaymentCapturedWithoutRoom { .. }
            | Self::PaymentCapturedAgain { .. }
            | Self::PaymentDeclined { .. }
            | Self::PaymentDelayed {}
            | Self::PaymentCancelled { .. }
            | Self::RefundSent { .. }
            | Self::RefundAcknowledged { .. }
            | Self::RefundFailed { .. }
            | Self::DisputeOpened { .. }
            | Self::DisputeClosed { .. }
            | Self::DisputeEvidenceNoted { .. }
            | Self::PaymentMessageSent { .. }
            | Self::PaymentRoomGivenBack { .. }
            | Self::RefundMessageSent { .. }
            | Self::PaymentMessageRefused { .. } => None,
        }
    }
}

impl Sealable for PaymentEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::PaymentLinkMade { subject, .. } => Some(*subject),
            Self::PaymentBegun { subject, .. } => *subject,
            other => other.secret().map(|(subject, _)| subject),
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::PaymentLinkMade { words, .. } => words.to_json(),
            Self::PaymentBegun {
                subject: Some(_),
                device: Some(device),
                ..
            } => json_of(device),
            other => other.secret().and_then(|(_, secret)| secret.to_json()),
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        if let Self::PaymentLinkMade { words, .. } = self {
            words.reveal(plain);
        }
        if let Self::PaymentBegun { device, .. } = self {
            *device = plain.and_then(read_json);
        }
        if let Self::PaymentOpened { token: secret, .. }
        | Self::IntentReady {
            client_secret: secret,
            ..
        }
        | Self::RefundRequested { note: secret, .. }
        | Self::RefundPaidElsewhere { note: secret, .. }
        | Self::PaymentBookingCancelled { note: secret, .. } = self
        {
            secret.reveal(plain);
        }
    }
}
