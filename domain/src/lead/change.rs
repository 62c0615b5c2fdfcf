//! What a change by its sender makes of a lead (D82).

use super::{
    Begun, Claim, Correction, Lead, LeadEvent, LeadPersonal, LeadRejection, LeadWish, Submission,
    ViewingRequest,
};
use crate::id::UserId;
use crate::moment::Moment;
use crate::sealed::Sealed;

impl Lead {
    pub(super) fn change(
        &self,
        submission: &Submission,
        wish: LeadWish,
        (personal, corrected_to): (Option<Box<LeadPersonal>>, Option<Correction>),
        viewing: Option<ViewingRequest>,
        at: Moment,
    ) -> Result<Vec<LeadEvent>, LeadRejection> {
        if self.status.is_closed() {
            return Err(LeadRejection::Closed(self.status));
        }
        let mut events = Vec::new();
        let is_changed = !wish.says_same(&self.wish);
        // What was sold is what stays: another wish is another enquiry.
        if is_changed && self.booked_by.is_some() {
            return Err(LeadRejection::Closed(self.status));
        }
        let corrected = self.correction(corrected_to);
        let subject = corrected.map(|to| to.subject).or_else(|| self.sealed_by());
        let subject = subject.unwrap_or(submission.person_id);
        if is_changed || Some(subject) != self.sealed_by() {
            let person_id = Some(subject);
            events.push(LeadEvent::WishChanged { person_id, wish, at });
        }
        if let Some(personal) = personal.filter(|new| self.personal.as_ref() != Some(&**new)) {
            let reached_elsewhere = self
                .personal
                .as_ref()
                .is_none_or(|known| !known.is_reached_as(&personal));
            events.push(LeadEvent::ContactChanged {
                person_id: subject,
                reached: corrected.map(|to| to.person),
                at,
                personal: Sealed::new(*personal),
            });
            // D86: what was proved is the old address or number, not the new one.
            if reached_elsewhere && self.is_verified() {
                events.push(LeadEvent::PersonUnverified { at });
            }
        }
        if let Some(viewing) = viewing.filter(|new| self.viewing.as_ref() != Some(new)) {
            events.push(LeadEvent::ViewingRequested { viewing, at });
        }
        Ok(events)
    }

    /// Hands a lead that a mistyped address gave away to its student, with the form and the payments that were begun before the claim.
    pub(super) fn hand_over(
        &self,
        personal: LeadPersonal,
        to: UserId,
        at: Moment,
    ) -> Result<Vec<LeadEvent>, LeadRejection> {
        let person_id = self.key_to_hand_over()?;
        Ok(vec![LeadEvent::ContactChanged {
            person_id,
            reached: Some(to),
            at,
            personal: Sealed::new(personal),
        }])
    }

    /// The key under which the lead can be handed over.
    ///
    /// # Errors
    /// Where it is closed, is sealed under the key of the account that sent it, or holds what the account began: a payment, or a form
    /// beside no payment of the student's. Before a claim only the student's link begins anything; since then only the account does.
    pub fn key_to_hand_over(&self) -> Result<UserId, LeadRejection> {
        if self.status.is_closed() {
            return Err(LeadRejection::Closed(self.status));
        }
        let begun = self.begun_since_claim;
        if begun.payment || (begun.form && self.payment.is_none()) {
            return Err(LeadRejection::FormBegun);
        }
        self.own_key().ok_or(LeadRejection::SealedUnderAccount)
    }

    /// Takes in another contact. One that reaches another person makes it that person's, who has yet to claim it. The one that staff
    /// corrected before cannot be put back from then on.
    pub(super) fn take_contact(
        &mut self,
        (subject, reached): (UserId, Option<UserId>),
        personal: Option<LeadPersonal>,
        at: Moment,
    ) {
        if reached.is_some() && !self.is_unclaimed() {
            self.leave_account(at);
        }
        self.personal = personal;
        let corrected = reached.map(|person| Correction { person, subject });
        self.corrected_to = corrected.or(self.corrected_to);
        if corrected.is_some() {
            (self.claim, self.claimed_by) = (Claim::Open, None);
        }
        if let Some(desk) = &mut self.desk {
            desk.contact_corrected_at = None;
        }
    }

    /// Takes the lead from the account that claimed it. A form that the account began holds its words: the student begins another.
    fn leave_account(&mut self, at: Moment) {
        if self.begun_since_claim.form {
            (self.form, self.form_completed) = (None, false);
        }
        (self.claimed_at, self.begun_since_claim) = (None, Begun::default());
        self.handed_over_at = Some(at);
    }
}
