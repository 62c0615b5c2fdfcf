//! What may be asked of a lead.

use crate::country::Flow;
use crate::id::{BookingFormId, InventoryId, PaymentId, UserId};
use crate::lead::{Correction, LeadPersonal, LeadWish, Submission, ViewingRequest};
use crate::lease::Stay;
use crate::moment::Moment;

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
        at: Moment,
    },
    Note {
        note: String,
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
}
