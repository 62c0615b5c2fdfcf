//! What a change by its sender makes of a lead (D82).

use super::{Correction, Lead, LeadEvent, LeadPersonal, LeadRejection, LeadWish, Submission, ViewingRequest};
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
        // What was sold is what stays: another wish is another enquiry.
        if wish != self.wish && self.booked_by.is_some() {
            return Err(LeadRejection::Closed(self.status));
        }
        let corrected = self.correction(corrected_to);
        let subject = corrected.map(|to| to.subject).or_else(|| self.sealed_by());
        let subject = subject.unwrap_or(submission.person_id);
        if wish != self.wish || Some(subject) != self.sealed_by() {
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

    /// Takes in another contact. The one that staff corrected before cannot be put back from then on.
    pub(super) fn take_contact(
        &mut self,
        subject: UserId,
        reached: Option<UserId>,
        personal: Option<LeadPersonal>,
    ) {
        self.personal = personal;
        let corrected = reached.map(|person| Correction { person, subject });
        self.corrected_to = corrected.or(self.corrected_to);
        if let Some(desk) = &mut self.desk {
            desk.contact_corrected_at = None;
        }
    }
}
