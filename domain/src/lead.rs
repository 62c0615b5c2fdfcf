//! A lead: somebody's interest in a property or place, from the first enquiry to a booking (Spec §3, §4, D80-D87).

use serde::{Deserialize, Serialize};

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::Decide;
use crate::correspondence::{LetterKind, LetterText, Posted};
use crate::country::Flow;
use crate::id::{BookingFormId, InventoryId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealed;
use crate::shape::as_it_is;
use uuid::Uuid;

pub mod acting;
mod change;
mod claim;
pub mod command;
pub mod desk;
mod letters;
mod moves;
mod opening;
mod progress;
mod sealing;
pub mod status;
pub mod submission;
pub mod variant;
mod wished_stay;

pub use claim::{Begun, Claim, Correction};
pub use command::{LeadCommand, LeadRejection, LeadStep, SCORE_MAX};
pub use desk::{Acting, AnswerBeside, CloseCause, Deed, Desk, DeskAct};
use opening::{first_events, is_edit};
pub use status::LeadStatus;
pub use submission::{IdpFormData, LeadPersonal, LeadWish, Submission, ViewingRequest, reference};
pub use variant::LeadVariant;

/// What happened to a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeadEvent {
    Created {
        #[serde(serialize_with = "sealing::without_words")]
        submission: Box<Submission>,
        at: Moment,
        #[serde(skip)]
        personal: Sealed<LeadPersonal>,
    },
    Enquired {
        variant: LeadVariant,
        at: Moment,
    },
    Waitlisted {
        at: Moment,
    },
    ViewingRequested {
        viewing: ViewingRequest,
        at: Moment,
    },
    WishChanged {
        /// Whose key seals the words. Unsaid in events of version 1, whose words stand in the payload.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person_id: Option<UserId>,
        #[serde(serialize_with = "sealing::wish_without_words")]
        wish: LeadWish,
        at: Moment,
    },
    ContactChanged {
        /// Whose key seals it: the lead's own, or the person's in leads without one.
        person_id: UserId,
        /// Whom the new address reaches, where it is another person and nobody has claimed the lead, or a mistyped address gave it
        /// away: it is theirs from then on, and unclaimed. Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reached: Option<UserId>,
        at: Moment,
        #[serde(skip)]
        personal: Sealed<LeadPersonal>,
    },
    PersonVerified {
        /// Whose login proved it: the owner from then on, where the lead had none. Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<UserId>,
        at: Moment,
    },
    /// The e-mail or phone was changed to one that nobody has proved yet.
    PersonUnverified {
        at: Moment,
    },
    FormStarted {
        form_id: BookingFormId,
        inventory_id: InventoryId,
        flow: Flow,
        at: Moment,
    },
    FormCompleted {
        form_id: BookingFormId,
        at: Moment,
    },
    PaymentStarted {
        payment_id: PaymentId,
        inventory_id: InventoryId,
        at: Moment,
    },
    Booked {
        payment_id: PaymentId,
        inventory_id: InventoryId,
        at: Moment,
    },
    BookingRefunded {
        payment_id: PaymentId,
        at: Moment,
    },
    /// The sender was told that it arrived.
    MessageSent {
        at: Moment,
    },
    /// No mail server took what the sender was to be told: with its answer, or none where it was tried for too long.
    MessageRefused {
        code: Option<u16>,
        at: Moment,
    },
    Cancelled {
        /// As in `WishChanged`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person_id: Option<UserId>,
        #[serde(default, skip_serializing)]
        reason: String,
        at: Moment,
    },
    Lost {
        /// As in `WishChanged`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person_id: Option<UserId>,
        #[serde(default, skip_serializing)]
        reason: String,
        at: Moment,
    },
    Completed {
        at: Moment,
    },
    Assigned {
        owner: Option<UserId>,
        at: Moment,
        /// Whose key seals why. Unsaid, as the reason, in events of version 1 and where none was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person_id: Option<UserId>,
        #[serde(skip)]
        why: Sealed<String>,
    },
    NoteAdded {
        person_id: UserId,
        /// Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note_id: Option<Uuid>,
        /// Colleagues who are asked to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<UserId>,
        at: Moment,
        #[serde(skip)]
        note: Sealed<String>,
    },
    /// How likely the student is to recommend the house, after the booking (D105).
    Rated {
        /// Whose key seals the words.
        person_id: UserId,
        payment_id: PaymentId,
        /// 0 to 10.
        score: u8,
        at: Moment,
        /// Free words; empty where there are none.
        #[serde(skip)]
        words: Sealed<String>,
    },
    /// A member of staff made a payment link for the booking.
    LinkMade {
        payment_id: PaymentId,
        at: Moment,
    },
    /// A payment of this lead found no room and took a place in the room's waitlist.
    PlaceTaken {
        payment_id: PaymentId,
        inventory_id: InventoryId,
        at: Moment,
    },
    /// A message to the sender went out, or was refused: once for each fact.
    LetterPosted {
        posted: Posted,
        /// Whose key seals what was written.
        person_id: UserId,
        at: Moment,
        #[serde(skip)]
        text: Sealed<LetterText>,
    },
    /// A member of staff did something to it.
    ActedOn {
        act_id: Uuid,
        act: DeskAct,
        by: UserId,
        /// Whose key seals why.
        person_id: UserId,
        at: Moment,
        #[serde(skip)]
        why: Sealed<String>,
    },
}

crate::event_names!(LeadEvent {
    Created => "LeadCreated" 7,
    Enquired => "LeadEnquired" 1,
    Waitlisted => "LeadWaitlisted" 1,
    ViewingRequested => "LeadViewingRequested" 1,
    WishChanged => "LeadWishChanged" 2,
    ContactChanged => "LeadContactChanged" 2,
    PersonVerified => "LeadPersonVerified" 2,
    PersonUnverified => "LeadPersonUnverified" 1,
    FormStarted => "LeadFormStarted" 1,
    FormCompleted => "LeadFormCompleted" 1,
    PaymentStarted => "LeadPaymentStarted" 1,
    Booked => "LeadBooked" 1,
    BookingRefunded => "LeadBookingRefunded" 1,
    MessageSent => "LeadMessageSent" 1,
    MessageRefused => "LeadMessageRefused" 1,
    Cancelled => "LeadCancelled" 2,
    Lost => "LeadLost" 2,
    Completed => "LeadCompleted" 1,
    Assigned => "LeadAssigned" 2,
    NoteAdded => "LeadNoteAdded" 2,
    Rated => "LeadRated" 1,
    LinkMade => "LeadLinkMade" 1,
    PlaceTaken => "LeadPlaceTaken" 1,
    LetterPosted => "LeadLetterPosted" 1,
    ActedOn => "LeadActedOn" 2,
} upcasts {
    "LeadCreated" 1 => "LeadCreated" 2: as_it_is,
    "LeadWishChanged" 1 => "LeadWishChanged" 2: as_it_is,
    "LeadCancelled" 1 => "LeadCancelled" 2: as_it_is,
    "LeadLost" 1 => "LeadLost" 2: as_it_is,
    "LeadPersonVerified" 1 => "LeadPersonVerified" 2: as_it_is,
    "LeadCreated" 2 => "LeadCreated" 3: as_it_is,
    "LeadCreated" 3 => "LeadCreated" 4: as_it_is,
    "LeadCreated" 4 => "LeadCreated" 5: as_it_is,
    "LeadCreated" 5 => "LeadCreated" 6: as_it_is,
    "LeadCreated" 6 => "LeadCreated" 7: as_it_is,
    "LeadContactChanged" 1 => "LeadContactChanged" 2: as_it_is,
    "LeadAssigned" 1 => "LeadAssigned" 2: as_it_is,
    "LeadNoteAdded" 1 => "LeadNoteAdded" 2: as_it_is,
    "LeadActedOn" 1 => "LeadActedOn" 2: as_it_is,
});

/// A lead as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    pub submission: Option<Box<Submission>>,
    /// How often what people can change was written; what the house notes beside it does not count (D82).
    pub edition: u64,
    pub created_at: Option<Moment>,
    pub status: LeadStatus,
    pub claim: Claim,
    /// The account it belongs to; `None` while nobody has claimed it, or where the claim is older than its owner's being written down.
    #[serde(default)]
    pub claimed_by: Option<UserId>,
    /// When that account claimed it, or sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lead) claimed_at: Option<Moment>,
    /// Form and payment that the account began in it since.
    #[serde(default, skip_serializing_if = "Begun::is_nothing")]
    pub(in crate::lead) begun_since_claim: Begun,
    /// When staff took it from an account that a mistyped address gave it to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handed_over_at: Option<Moment>,
    /// Whom its address reaches, and whose key seals it since: after the address was changed to another person's.
    #[serde(default)]
    pub corrected_to: Option<Correction>,
    pub wish: LeadWish,
    pub viewing: Option<ViewingRequest>,
    /// `None` once the person was forgotten.
    pub personal: Option<LeadPersonal>,
    pub form: Option<(BookingFormId, Flow)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::lead) form_begun_at: Option<Moment>,
    pub form_completed: bool,
    pub payment: Option<PaymentId>,
    pub booked_by: Option<PaymentId>,
    pub booked_inventory_id: Option<InventoryId>,
    pub owner: Option<UserId>,
    /// The sender knows that it arrived.
    #[serde(default)]
    pub told: bool,
    /// The student has rated this booking.
    #[serde(default)]
    pub rated: bool,
    /// Messages that went out or were refused, with what they are about.
    #[serde(default)]
    pub letters: BTreeSet<(LetterKind, Option<Uuid>)>,
    /// Payment links that staff made, and payments with a place in a room's waitlist; what became of them is told by their own streams.
    #[serde(default)]
    pub links: BTreeSet<PaymentId>,
    #[serde(default)]
    pub places: BTreeMap<PaymentId, InventoryId>,
    #[serde(default)]
    pub(in crate::lead) desk: Option<Box<Desk>>,
}

impl Decide for Lead {
    const KIND: &'static str = "lead";
    type Command = LeadCommand;
    type Event = LeadEvent;
    type Rejection = LeadRejection;

    fn decide(&self, command: LeadCommand) -> Result<Vec<LeadEvent>, LeadRejection> {
        use LeadCommand as C;
        use LeadEvent as E;
        let Some(submission) = self.submission.as_deref() else {
            return match command {
                C::Submit {
                    submission,
                    personal,
                    viewing,
                    at,
                } => Ok(first_events(submission, personal, viewing, at)),
                _ => Err(LeadRejection::Unknown),
            };
        };
        match command {
            // Sent twice is one lead (C6); the same stream with other contents is a reused key.
            C::Submit {
                submission: again, ..
            } if again.request_digest == submission.request_digest => Ok(vec![]),
            C::Submit { .. } => Err(LeadRejection::AlreadySubmitted),
            C::Change {
                edition: Some(seen), ..
            } if seen != self.edition => Err(LeadRejection::ChangedMeanwhile(self.edition)),
            C::Change {
                edition: _,
                wish,
                personal,
                corrected_to,
                viewing,
                at,
            } => self.change(submission, wish, (personal, corrected_to), viewing, at),
            C::HandOver { personal, to, at } => self.hand_over(*personal, to, at),
            C::VerifyPerson { by, at } => {
                Ok(unless(self.is_verified(), E::PersonVerified { by: Some(by), at }))
            }
            C::Progress { step, at } => Ok(self.progress(step, at)),
            C::Cancel { reason, at } => self.cancel(reason, at),
            C::Lose { reason, at } => self.lose(reason, at),
            C::NoteMessage { at } => Ok(unless(self.told, E::MessageSent { at })),
            C::NoteRefusal { code, at } => Ok(unless(self.told, E::MessageRefused { code, at })),
            C::NoteLetter { posted, text, at } => Ok(self.note_letter(posted, text, at)),
            C::Complete { at } => self.complete(at),
            C::Assign { owner, why, at } => Ok(self.assign(owner, why, at)),
            C::Rate { score, words, at } => self.rate(submission, score, words, at),
            C::Act(acting) => self.act(*acting),
            C::AnswerAsks {
                payment_id,
                by,
                beside,
                at,
            } => Ok(self.answer_asks(payment_id, (by, beside), at)),
            C::Note {
                note_id,
                note,
                mentions,
                at,
            } => Ok(vec![self.noted(submission, (note_id, note), mentions, at)]),
        }
    }

    fn evolve(&mut self, event: &LeadEvent) {
        use LeadEvent as E;
        self.edition += u64::from(is_edit(event));
        match event {
            E::Created {
                submission,
                at,
                personal,
            } => self.begin(submission, *at, personal.get().cloned()),
            E::WishChanged { wish, .. } => self.wish = wish.clone(),
            E::ContactChanged {
                person_id,
                reached,
                at,
                personal,
            } => self.take_contact((*person_id, *reached), personal.get().cloned(), *at),
            E::ViewingRequested { viewing, .. } => self.viewing = Some(viewing.clone()),
            E::PersonVerified { by, at } => {
                if self.claim == Claim::Open {
                    self.claimed_by = *by;
                    self.claimed_at = Some(*at);
                }
                self.claim = Claim::Proved;
            }
            E::PersonUnverified { .. } => self.claim = Claim::Held,
            E::FormStarted {
                form_id, flow, at, ..
            } => self.begin_form((*form_id, *flow), *at),
            E::FormCompleted { .. } => self.form_completed = true,
            E::PaymentStarted { payment_id, at, .. } => self.begin_payment(*payment_id, *at),
            E::Booked {
                payment_id,
                inventory_id,
                ..
            } => {
                self.booked_by = Some(*payment_id);
                self.booked_inventory_id = Some(*inventory_id);
            }
            E::BookingRefunded { .. } => {
                self.payment = None;
                self.booked_by = None;
                self.booked_inventory_id = None;
                self.rated = false;
            }
            E::Rated { .. } => self.rated = true,
            E::LinkMade { payment_id, .. } => self.links.extend([*payment_id]),
            E::PlaceTaken {
                payment_id,
                inventory_id,
                ..
            } => self.places.extend([(*payment_id, *inventory_id)]),
            E::MessageSent { .. } | E::MessageRefused { .. } => self.told = true,
            E::LetterPosted { posted, .. } => self.know(*posted),
            E::Assigned { owner, .. } => self.owner = *owner,
            E::ActedOn { .. } => self.take_act(event),
            E::Enquired { .. }
            | E::Waitlisted { .. }
            | E::Cancelled { .. }
            | E::Lost { .. }
            | E::Completed { .. }
            | E::NoteAdded { .. } => {}
        }
        self.status = self.status.after(event);
    }
}

impl Lead {
    /// Booked by another payment, for another room: one enquiry books one room.
    pub fn booked_other_room(&self, payment_id: PaymentId, room_id: InventoryId) -> bool {
        self.booked_by.is_some_and(|by| by != payment_id) && self.booked_inventory_id != Some(room_id)
    }

    /// The names of forms begun and finished, for `methods=forms_present` (D84).
    pub fn forms_present(&self) -> Vec<&'static str> {
        match self.form {
            None => vec![],
            Some(_) if self.form_completed => vec!["book_form_initiated", "book_form_completed"],
            Some(_) => vec!["book_form_initiated"],
        }
    }

    fn complete(&self, at: Moment) -> Result<Vec<LeadEvent>, LeadRejection> {
        match self.status {
            LeadStatus::Booked | LeadStatus::Completed => Ok(unless(
                self.status == LeadStatus::Completed,
                LeadEvent::Completed { at },
            )),
            _ => Err(LeadRejection::NotBooked),
        }
    }

    fn cancel(&self, reason: String, at: Moment) -> Result<Vec<LeadEvent>, LeadRejection> {
        let person_id = self.sealed_by();
        let event = LeadEvent::Cancelled {
            person_id,
            reason,
            at,
        };
        self.close(LeadStatus::Cancelled, event)
    }

    fn lose(&self, reason: String, at: Moment) -> Result<Vec<LeadEvent>, LeadRejection> {
        let person_id = self.sealed_by();
        let event = LeadEvent::Lost {
            person_id,
            reason,
            at,
        };
        self.close(LeadStatus::Lost, event)
    }

    fn close(&self, wanted: LeadStatus, event: LeadEvent) -> Result<Vec<LeadEvent>, LeadRejection> {
        if self.status == wanted {
            return Ok(vec![]);
        }
        if self.status.is_closed() {
            return Err(LeadRejection::Closed(self.status));
        }
        Ok(vec![event])
    }
}

/// The event, unless it is no news.
fn unless(known: bool, event: LeadEvent) -> Vec<LeadEvent> {
    if known { vec![] } else { vec![event] }
}

crate::aggregate!(Lead);

#[cfg(test)]
mod tests;
