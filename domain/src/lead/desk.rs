//! What a member of staff does to a lead: each act with who did it and why (row I4).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id::{InventoryId, LeadId, PaymentId, RefundId, UserId};
use crate::lead::status::LeadStatus;
use crate::lease::Stay;
use crate::moment::Moment;
use crate::money::{Currency, Period};

/// Between two messages that staff send a person again.
pub const RESEND_AFTER_MINUTES: i64 = 10;

/// For how long a contact that staff corrected can be put back.
pub const UNDO_CONTACT_MINUTES: i64 = 10;

/// Why a lead is closed without a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseCause {
    BookedElsewhere,
    NoAnswer,
    NoRoom,
    PriceTooHigh,
    PlansChanged,
    NotGenuine,
    Other,
}

impl CloseCause {
    pub const ALL: [Self; 7] = [
        Self::BookedElsewhere,
        Self::NoAnswer,
        Self::NoRoom,
        Self::PriceTooHigh,
        Self::PlansChanged,
        Self::NotGenuine,
        Self::Other,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::BookedElsewhere => "booked_elsewhere",
            Self::NoAnswer => "no_answer",
            Self::NoRoom => "no_room",
            Self::PriceTooHigh => "price_too_high",
            Self::PlansChanged => "plans_changed",
            Self::NotGenuine => "not_genuine",
            Self::Other => "other",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.key() == key)
    }
}

/// A stay in a room with its rent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricedStay {
    pub room_id: InventoryId,
    pub stay: Stay,
    /// Minor units for each week or month.
    pub rent_minor: u64,
    pub currency: Currency,
    pub period: Period,
}

/// What staff changed a stay from and to, as the student is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayChange {
    /// `None` where the student had named none that is let.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<PricedStay>,
    pub after: PricedStay,
    /// Until when the enquiry keeps its price, where it keeps one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_until: Option<Moment>,
}

/// An act of finance that did not name the request it closes: the request is not granted by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AnswerBeside {
    Refund {
        refund_id: RefundId,
        amount_minor: u64,
        currency: Currency,
    },
    /// The booking was ended; its money had gone back before.
    Cancellation,
}

/// What was done, as the log keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeskAct {
    Closed {
        cause: CloseCause,
    },
    /// It stands again as before it was closed.
    Reopened {
        status: LeadStatus,
    },
    /// Dates or room of the stay were changed for the student.
    StayChanged {
        /// From what to what; unsaid in older events, and where the enquiry names no home.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Box<StayChange>>,
    },
    RoomChanged {
        inventory_id: InventoryId,
        /// As in `StayChanged`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Box<StayChange>>,
    },
    HoldExtended {
        payment_id: PaymentId,
        until: Moment,
    },
    /// A login code went to the address of the enquiry.
    CodeSent,
    /// Name, address or number was corrected for the student; `LeadContactChanged` says to what.
    ContactCorrected,
    /// The message that confirms the enquiry goes out once more.
    EnquirySent,
    /// Finance is asked to give money back; with `ends_booking` to end the booking as well.
    RefundAsked {
        payment_id: PaymentId,
        /// Minor units of the payment's currency; `None`: as much as finance finds right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount_minor: Option<u64>,
        ends_booking: bool,
    },
    /// `ask` is the act that asked.
    RefundAnswered {
        ask: Uuid,
        granted: bool,
        /// Another amount than asked went back, or the booking fared otherwise. Unsaid in older events.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        otherwise: bool,
        /// The act of finance that closed the request without naming it. Unsaid in events of before version 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        beside: Option<AnswerBeside>,
    },
    /// The same person sent it twice: the other lead is the one that goes on.
    MarkedDouble {
        of: LeadId,
    },
    /// It was no double after all, and stands again as before.
    UnmarkedDouble {
        status: LeadStatus,
    },
    DoubleJoined {
        lead_id: LeadId,
        /// The kept lead took over the double's phone number; `LeadContactChanged` says which. Unsaid in older events.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        took_phone: bool,
    },
    DoubleLeft {
        lead_id: LeadId,
    },
    /// A new enquiry was made of it: for its student, from whom a mistyped address kept it, or for another person.
    EnquiredAnew {
        lead_id: LeadId,
    },
    /// It was made of that enquiry.
    MadeFrom {
        lead_id: LeadId,
    },
    /// A colleague called the person; `reached`: they spoke.
    Called {
        reached: bool,
    },
    TeamSet {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<String>,
    },
}

/// What a member of staff asks of a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Close(CloseCause),
    Reopen,
    /// Done already, on this lead or on its form, payment or account: kept with its reason.
    Keep(DeskAct),
    /// The message that confirms the enquiry goes out once more.
    SendEnquiry,
    AskRefund {
        payment_id: PaymentId,
        amount_minor: Option<u64>,
        ends_booking: bool,
    },
    DeclineRefund {
        ask: Uuid,
    },
    /// Money goes back for what was asked, in the same append.
    GrantRefund {
        ask: Uuid,
        payment_id: PaymentId,
        amount_minor: u64,
        ends_booking: bool,
    },
    /// The booking ends as it was asked for, in the same append.
    GrantCancellation {
        ask: Uuid,
        payment_id: PaymentId,
    },
    SetTeam(Option<String>),
}

/// A deed with who does it and why. The same `act_id` twice is one act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    pub act_id: Uuid,
    pub by: UserId,
    pub deed: Deed,
    /// May be empty where the deed says enough.
    pub why: String,
    pub at: Moment,
}

/// A refund that waits for finance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAsk {
    pub payment_id: PaymentId,
    /// Minor units of the payment's currency.
    pub amount_minor: Option<u64>,
    pub ends_booking: bool,
    pub by: UserId,
    pub at: Moment,
    /// `None` once the person is forgotten.
    pub why: Option<String>,
}

/// The lead that goes on instead of a double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubleOf {
    pub lead_id: LeadId,
    /// The double's edition when it was marked: a later one means that something was added.
    pub edition: u64,
}

/// What staff have made of a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Desk {
    /// The status before it was closed here; `None` while it is not closed by an act.
    pub closed_from: Option<LeadStatus>,
    pub double_of: Option<DoubleOf>,
    pub doubles: BTreeSet<LeadId>,
    /// Enquiries that were made of this one, or that this one was made of.
    pub related: BTreeSet<LeadId>,
    /// Refunds that finance has not answered, by the act that asked.
    pub asks: BTreeMap<Uuid, RefundAsk>,
    pub team: Option<String>,
    pub acts: BTreeSet<Uuid>,
    pub resent_at: Option<Moment>,
    /// When staff corrected the contact; `None` once it was changed again.
    pub contact_corrected_at: Option<Moment>,
}

/// Of a lead that no act has touched: most leads, which cost no memory for it.
pub(super) static UNTOUCHED: Desk = Desk {
    closed_from: None,
    double_of: None,
    doubles: BTreeSet::new(),
    related: BTreeSet::new(),
    asks: BTreeMap::new(),
    team: None,
    acts: BTreeSet::new(),
    resent_at: None,
    contact_corrected_at: None,
};
