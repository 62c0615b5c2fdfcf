//! What may be asked of a lead, and why it may be turned down.

use crate::correspondence::{LetterText, Posted};
use crate::country::Flow;
use crate::id::{BookingFormId, InventoryId, PaymentId, UserId};
use crate::lead::{
    Acting, AnswerBeside, Correction, LeadPersonal, LeadStatus, LeadWish, Submission, ViewingRequest,
};
use crate::lease::Stay;
use crate::moment::Moment;
use uuid::Uuid;

/// The best score of a rating; the worst is 0 (D105).
pub const SCORE_MAX: u8 = 10;

/// What a caller may ask of a lead.
#[derive(Debug, Clone)]
pub enum LeadCommand {
    Submit {
        submission: Box<Submission>,
        personal: LeadPersonal,
        viewing: Option<ViewingRequest>,
        at: Moment,
    },
    /// D82: the merged values, not the patch; `edition` is what the sender has seen, if they say.
    Change {
        edition: Option<u64>,
        wish: LeadWish,
        personal: Option<Box<LeadPersonal>>,
        /// Whom the changed address reaches.
        corrected_to: Option<Correction>,
        viewing: Option<ViewingRequest>,
        at: Moment,
    },
    /// A mistyped address gave it to the account that claimed it: it goes to the person whom the right address reaches.
    HandOver {
        personal: Box<LeadPersonal>,
        to: UserId,
        at: Moment,
    },
    /// A login proved the address it names.
    VerifyPerson {
        by: UserId,
        at: Moment,
    },
    /// What its booking form and payment report.
    Progress {
        step: LeadStep,
        at: Moment,
    },
    Cancel {
        reason: String,
        at: Moment,
    },
    Lose {
        reason: String,
        at: Moment,
    },
    Complete {
        at: Moment,
    },
    Assign {
        owner: Option<UserId>,
        /// Why, in words of who assigns; may be left out.
        why: Option<String>,
        at: Moment,
    },
    /// The student rates the booking (D105); `words` may be empty.
    Rate {
        score: u8,
        words: String,
        at: Moment,
    },
    /// For colleagues alone; `mentions` are asked to read it.
    Note {
        note_id: Uuid,
        note: String,
        mentions: Vec<UserId>,
        at: Moment,
    },
    /// A member of staff does something to it.
    Act(Box<Acting>),
    /// Finance has given money back, or ended the booking: requests for this payment that it did not name are closed.
    AnswerAsks {
        payment_id: PaymentId,
        by: UserId,
        beside: AnswerBeside,
        at: Moment,
    },
    /// The sender was told that it arrived.
    NoteMessage {
        at: Moment,
    },
    /// Nobody could tell them.
    NoteRefusal {
        code: Option<u16>,
        at: Moment,
    },
    /// A message went out, or no carrier takes it.
    NoteLetter {
        posted: Posted,
        /// `None` where nothing was written: its reader was forgotten.
        text: Option<Box<LetterText>>,
        at: Moment,
    },
}

/// How far its booking form and payment have come.
#[derive(Debug, Clone, Copy)]
pub enum LeadStep {
    FormStarted {
        form_id: BookingFormId,
        inventory_id: InventoryId,
        flow: Flow,
    },
    FormCompleted {
        form_id: BookingFormId,
    },
    PaymentStarted {
        payment_id: PaymentId,
        inventory_id: InventoryId,
    },
    /// Money has moved, for this stay.
    Booked {
        payment_id: PaymentId,
        inventory_id: InventoryId,
        stay: Stay,
    },
    /// The booking's money went back in full, and the room with it.
    BookingEnded {
        payment_id: PaymentId,
    },
    /// A member of staff made a payment link for the booking.
    LinkMade {
        payment_id: PaymentId,
    },
    /// A payment that found no room took a place in the room's waitlist.
    PlaceTaken {
        payment_id: PaymentId,
        inventory_id: InventoryId,
    },
}

/// Why a lead turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeadRejection {
    #[error("there is no such lead")]
    Unknown,
    #[error("this lead was sent with other contents")]
    AlreadySubmitted,
    #[error("the lead is {0:?} and takes no changes")]
    Closed(LeadStatus),
    #[error("only a booked lead can be completed")]
    NotBooked,
    #[error("only a booking can be rated")]
    NothingToRate,
    #[error("a booking is rated once")]
    AlreadyRated,
    #[error("a score is a number from 0 to 10")]
    ScoreOutOfRange,
    /// Another writer changed it since; it is at this edition now (D82).
    #[error("the lead was changed meanwhile and is at edition {0}")]
    ChangedMeanwhile(u64),
    #[error("the lead has a booking")]
    HasBooking,
    #[error("the lead was not closed by a member of staff")]
    NotClosedHere,
    #[error("the message was sent again a moment ago")]
    SentMomentsAgo,
    #[error("a refund of this payment is asked for already")]
    RefundAskedAlready,
    #[error("no refund is asked for under this id")]
    NoRefundAsked,
    #[error("the request is for another payment")]
    RefundOfAnotherPayment,
    #[error("the two leads are not of one person")]
    NotADouble,
    #[error("one of the leads is part of another pair already")]
    DoubleAlready,
    #[error("something was added to the duplicate since")]
    DoubleWentOn,
    #[error("the lead is sealed under the key of the account that sent it")]
    SealedUnderAccount,
    #[error("a form or payment of the lead has begun")]
    FormBegun,
}
