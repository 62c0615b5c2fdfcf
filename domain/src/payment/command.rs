//! What may be asked of a payment, and why it may be turned down.

use thiserror::Error;

use crate::attribution::DeviceMark;
use crate::id::{HoldId, RefundId, UserId};
use crate::moment::Moment;
use crate::money::Money;
use crate::payment::PaymentStatus;
use crate::payment::decline::DeclineCode;
use crate::payment::dispute::DisputeCommand;
use crate::payment::event::{BookingChoice, Captured, GrantedAsk, MessageKind, RequestedBy, SoldOutReason};
use crate::payment::link::LinkWords;
use crate::payment::terms::Terms;

/// What `room_stock` said when a success was about to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomOutcome {
    Sold,
    Lost,
    /// Another room was booked on the same enquiry first: one enquiry books one room.
    OtherRoomBooked,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentCommand {
    Open {
        terms: Box<Terms>,
        token: String,
    },
    /// Opens a payment as a link that a member of staff makes; `terms` name its maker.
    OpenLink {
        terms: Box<Terms>,
        token: String,
        words: LinkWords,
        at: Moment,
    },
    /// Staff takes a link back that was not paid.
    Withdraw {
        at: Moment,
    },
    /// `capacity` is how many of this room the catalogue offers at this moment; 0 where it is not available.
    /// `proved_by` is who was logged in.
    Begin {
        at: Moment,
        capacity: u32,
        proved_by: Option<UserId>,
        /// The payer's device.
        device: Option<DeviceMark>,
    },
    Retry {
        at: Moment,
        capacity: u32,
        proved_by: Option<UserId>,
    },
    /// Takes down what `room_stock` said about this payment's hold.
    NoteHold {
        hold_id: HoldId,
        expires_at: Option<Moment>,
    },
    ReadyIntent {
        intent_id: String,
        client_secret: String,
    },
    FailIntent {
        reason: String,
    },
    /// The room is gone. With a hold's id it concerns that hold only.
    SellOut {
        hold_id: Option<HoldId>,
        reason: SoldOutReason,
    },
    Confirm {
        at: Moment,
    },
    /// Pay was pressed in the gateway's own form, which tells the gateway alone.
    NotePress {
        at: Moment,
    },
    RequireAction {
        intent_id: String,
        url: String,
    },
    /// The gateway took the money. `refund_id` names the refund, should one have to follow at once.
    Succeed {
        capture: Captured,
        room: RoomOutcome,
        refund_id: RefundId,
        at: Moment,
    },
    Decline {
        attempt_id: String,
        code: DeclineCode,
        at: Moment,
    },
    Delay,
    Cancel {
        at: Moment,
    },
    /// The room of a payment that was refunded in full was taken back. `vacated` when no other payment has it.
    NoteRoomBack {
        vacated: bool,
        at: Moment,
    },
    /// Staff ends a booking that was kept while all of its money went back.
    CancelBooking {
        note: String,
        by: UserId,
        /// The colleague's request that it grants.
        ask: Option<GrantedAsk>,
        at: Moment,
    },
    /// The payer was told of a refund.
    NoteRefundTold {
        refund_id: RefundId,
    },
    /// Money on its way back.
    Refund(RefundCommand),
    /// Money a bank takes back.
    Dispute(DisputeCommand),
    NoteMessage {
        kind: MessageKind,
    },
    /// Nobody could be told: no mail server took the message.
    NoteRefusal {
        kind: MessageKind,
        /// The refund it was about, where it was about one.
        refund_id: Option<RefundId>,
        code: Option<u16>,
    },
}

/// What may be asked of, or told about, one refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundCommand {
    Request {
        refund_id: RefundId,
        amount_minor: u64,
        note: String,
        by: RequestedBy,
        /// What becomes of the booking; `None`: it ends once everything went back.
        booking: Option<BookingChoice>,
        /// The colleague's request that it grants.
        ask: Option<GrantedAsk>,
        /// How much of one payment staff may send back before somebody with a higher limit must; `None`: all of it.
        limit_minor: Option<u64>,
        at: Moment,
    },
    Send {
        refund_id: RefundId,
        gateway_refund_id: String,
    },
    Acknowledge {
        refund_id: RefundId,
        gateway_refund_id: String,
        amount_minor: u64,
        at: Moment,
    },
    Fail {
        refund_id: RefundId,
        amount_minor: u64,
        reason: String,
        at: Moment,
    },
    /// A member of staff paid in another way what the gateway could not.
    PayElsewhere {
        refund_id: RefundId,
        note: String,
        by: UserId,
        at: Moment,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PaymentRejection {
    #[error("token not found")]
    Unknown,
    #[error("a payment that is {status:?} takes no `{asked}`")]
    NotAllowed {
        status: PaymentStatus,
        asked: &'static str,
    },
    #[error("this payment link has expired: start again from your booking")]
    Expired,
    #[error("this payment was cancelled: start again from your booking")]
    Cancelled,
    #[error("this payment link was withdrawn")]
    Withdrawn,
    #[error("this payment link has expired")]
    LinkExpired,
    #[error("only staff take a payment link back")]
    NotYours,
    #[error("this payment is no link that staff made")]
    NoLink,
    #[error("a refund needs an amount above zero")]
    ZeroAmount,
    #[error("a refund in this currency is a multiple of {step}")]
    UnevenAmount { step: Money },
    #[error("only {refundable} of this payment can still be refunded")]
    TooMuch { refundable: Money },
    #[error("a bank disputes {disputed} of this payment: {refundable} can still be refunded")]
    Disputed { disputed: Money, refundable: Money },
    #[error("this refund is above your limit: ask an administrator")]
    AboveLimit,
    #[error("this refund was asked for in another way before")]
    RefundReused,
    #[error("this payment has no such refund")]
    RefundUnknown,
    #[error("this refund was not returned by the bank: only a returned refund is paid in another way")]
    RefundNotReturned,
    #[error("this payment has no room, so there is no booking to cancel")]
    NoBooking,
    #[error("this payment has no such dispute")]
    NoDispute,
    #[error("the bank has decided this dispute")]
    DisputeDecided,
    #[error("the evidence is sent to the bank already")]
    EvidenceSent,
    #[error("the bank's deadline for evidence has passed")]
    EvidenceLate,
    #[error("{refundable} of this payment can still be refunded: cancel the booking with a refund")]
    MoneyLeft { refundable: Money },
    #[error("a bank has not decided its dispute about this payment: the booking stays until then")]
    DisputeOpen,
}

impl PaymentRejection {
    /// The code programs read (X4).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "token_not_found",
            Self::NotAllowed { .. } => "payment_step_not_allowed",
            Self::Expired => "payment_link_expired",
            Self::Cancelled => "payment_cancelled",
            Self::Withdrawn => "payment_link_withdrawn",
            Self::LinkExpired => "payment_link_over",
            Self::NotYours => "payment_link_of_staff",
            Self::NoLink => "no_payment_link",
            Self::ZeroAmount => "refund_amount_zero",
            Self::UnevenAmount { .. } => "refund_amount_uneven",
            Self::TooMuch { .. } => "refund_exceeds_refundable",
            Self::Disputed { .. } => "refund_disputed",
            Self::AboveLimit => "refund_above_limit",
            Self::RefundReused => "refund_reused",
            Self::RefundUnknown => "refund_unknown",
            Self::RefundNotReturned => "refund_not_returned",
            Self::NoBooking => "no_booking",
            Self::NoDispute => "no_dispute",
            Self::DisputeDecided => "dispute_decided",
            Self::EvidenceSent => "evidence_sent",
            Self::EvidenceLate => "evidence_late",
            Self::MoneyLeft { .. } => "money_left",
            Self::DisputeOpen => "dispute_open",
        }
    }
}
