//! What a lead makes of its booking form's and its payment's progress.

use super::{Lead, LeadEvent, LeadRejection, LeadStatus, LeadStep, LeadWish, SCORE_MAX, Submission, unless};
use crate::country::Flow;
use crate::id::{BookingFormId, InventoryId, PaymentId};
use crate::lease::Stay;
use crate::moment::Moment;
use crate::sealed::Sealed;

impl Lead {
    /// Each step once; a booking from every state, because paid money beats everything.
    pub fn progress(&self, step: LeadStep, at: Moment) -> Vec<LeadEvent> {
        use LeadEvent as E;
        match step {
            LeadStep::FormStarted {
                form_id,
                inventory_id,
                flow,
            } => {
                let known = self.form.is_some_and(|(known, _)| known == form_id);
                unless(
                    known,
                    E::FormStarted {
                        form_id,
                        inventory_id,
                        flow,
                        at,
                    },
                )
            }
            LeadStep::FormCompleted { form_id } => {
                unless(self.form_completed, E::FormCompleted { form_id, at })
            }
            LeadStep::PaymentStarted {
                payment_id,
                inventory_id,
            } => {
                let known = self.payment == Some(payment_id);
                unless(
                    known,
                    E::PaymentStarted {
                        payment_id,
                        inventory_id,
                        at,
                    },
                )
            }
            LeadStep::Booked {
                payment_id,
                inventory_id,
                stay,
            } => self.booked((payment_id, inventory_id), stay, at),
            LeadStep::LinkMade { payment_id } => {
                unless(self.links.contains(&payment_id), E::LinkMade { payment_id, at })
            }
            LeadStep::PlaceTaken {
                payment_id,
                inventory_id,
            } => unless(
                self.places.contains_key(&payment_id),
                E::PlaceTaken {
                    payment_id,
                    inventory_id,
                    at,
                },
            ),
            LeadStep::BookingEnded { payment_id } => {
                let ends = self.status == LeadStatus::Booked && self.booked_by == Some(payment_id);
                unless(!ends, E::BookingRefunded { payment_id, at })
            }
        }
    }
}

impl Lead {
    pub(super) fn begin_form(&mut self, form: (BookingFormId, Flow), at: Moment) {
        self.begun_since_claim.form = self.is_since_claim(at);
        (self.form, self.form_begun_at) = (Some(form), Some(at));
        self.form_completed = false;
    }

    pub(super) fn begin_payment(&mut self, payment_id: PaymentId, at: Moment) {
        self.begun_since_claim.payment |= self.is_since_claim(at);
        self.payment = Some(payment_id);
    }

    /// Changed in another tab while it was paid for: what was paid is what the lead says from now on.
    fn booked(
        &self,
        (payment_id, inventory_id): (PaymentId, InventoryId),
        stay: Stay,
        at: Moment,
    ) -> Vec<LeadEvent> {
        if self.booked_by == Some(payment_id) {
            return vec![];
        }
        let booked = LeadEvent::Booked {
            payment_id,
            inventory_id,
            at,
        };
        let paid = LeadWish {
            move_in_date: Some(stay.move_in.to_string()),
            lease_duration: Some(stay.length.to_string()),
            ..self.wish.clone()
        };
        let (day, length) = (&self.wish.move_in_date, &self.wish.lease_duration);
        // Another stay is one that differs in a part that was said.
        let of_said_parts = LeadWish {
            move_in_date: paid.move_in_date.clone().filter(|_| day.is_some()),
            lease_duration: paid.lease_duration.clone().filter(|_| length.is_some()),
            ..paid.clone()
        };
        let says_another = !self.wish.says_same(&of_said_parts);
        let changed = says_another.then_some(LeadEvent::WishChanged {
            person_id: self.sealed_by(),
            wish: paid,
            at,
        });
        changed.into_iter().chain([booked]).collect()
    }

    /// A booking is rated once.
    pub(super) fn rate(
        &self,
        submission: &Submission,
        score: u8,
        words: String,
        at: Moment,
    ) -> Result<Vec<LeadEvent>, LeadRejection> {
        let payment_id = self.booked_by.ok_or(LeadRejection::NothingToRate)?;
        if self.rated {
            return Err(LeadRejection::AlreadyRated);
        }
        if score > SCORE_MAX {
            return Err(LeadRejection::ScoreOutOfRange);
        }
        Ok(vec![LeadEvent::Rated {
            person_id: self.sealed_by().unwrap_or(submission.person_id),
            payment_id,
            score,
            at,
            words: Sealed::new(words),
        }])
    }
}
