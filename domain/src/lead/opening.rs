//! How a lead begins, and which of its events are its sender's own words.

use super::{Claim, Lead, LeadEvent, LeadPersonal, LeadVariant, Submission, ViewingRequest};
use crate::moment::Moment;
use crate::sealed::Sealed;

impl Lead {
    /// The host of the site where it was sent; none at the house's first.
    pub fn site(&self) -> Option<&str> {
        self.submission.as_ref()?.site.as_deref()
    }

    pub(super) fn begin(&mut self, submission: &Submission, at: Moment, personal: Option<LeadPersonal>) {
        self.wish = submission.wish.clone();
        self.claim = match (submission.unclaimed, submission.verified) {
            (true, _) => Claim::Open,
            (false, false) => Claim::Held,
            (false, true) => Claim::Proved,
        };
        self.claimed_by = (!submission.unclaimed).then_some(submission.person_id);
        self.claimed_at = (!submission.unclaimed).then_some(at);
        self.submission = Some(Box::new(submission.clone()));
        self.created_at = Some(at);
        self.personal = personal;
    }
}

/// Whether an event tells what people wrote, rather than what came of it.
pub(super) const fn is_edit(event: &LeadEvent) -> bool {
    matches!(
        event,
        LeadEvent::Created { .. }
            | LeadEvent::WishChanged { .. }
            | LeadEvent::ContactChanged { .. }
            | LeadEvent::ViewingRequested { .. }
    )
}

/// The lead, and what kind of wish it is (D81).
pub(super) fn first_events(
    submission: Box<Submission>,
    personal: LeadPersonal,
    viewing: Option<ViewingRequest>,
    at: Moment,
) -> Vec<LeadEvent> {
    let variant = submission.variant;
    let kind = match viewing {
        Some(viewing) => LeadEvent::ViewingRequested { viewing, at },
        None if variant == LeadVariant::JoinWaitlist || !submission.available => LeadEvent::Waitlisted { at },
        None => LeadEvent::Enquired { variant, at },
    };
    vec![
        LeadEvent::Created {
            submission,
            at,
            personal: Sealed::new(personal),
        },
        kind,
    ]
}
