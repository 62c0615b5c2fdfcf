//! When a message is no longer true. It waits for its day, for the server, or for the mail server, and meanwhile a hold ends, a
//! booking is cancelled, a form is completed. Its sender looks here at every attempt.

use uuid::Uuid;

use super::effect::Effect;
use crate::correspondence::LetterKind;
use crate::lead::Lead;
use crate::moment::Moment;
use crate::payment::link_state::LinkState;
use crate::payment::refund::RefundStatus;
use crate::payment::{MessageKind, Payment, PaymentStatus};

/// The state of now that a message is held against.
#[derive(Debug, Default)]
pub struct Facts<'f> {
    pub at: Moment,
    pub lead: Option<&'f Lead>,
    pub payment: Option<&'f Payment>,
    /// Until when a room is kept for the payment's place in a waitlist.
    pub offered_until: Option<Moment>,
    /// The stay that staff changed is another one by now.
    pub is_stay_changed_since: bool,
}

/// Why what a message tells is no longer so; `None` while it is.
pub fn why_untrue(effect: &Effect, facts: &Facts<'_>) -> Option<&'static str> {
    match effect {
        Effect::SendMessage { kind, .. } => of_payment(*kind, facts),
        Effect::SendRefundMessage { refund_id, .. } => {
            let refund = facts.payment?.refunds.get(refund_id)?;
            says(!refund.told && !refund.status.is_back(), "the refund came back")
        }
        Effect::SendRefundReturned { refund_id, .. } => {
            let refund = facts.payment?.refunds.get(refund_id)?;
            says(
                refund.status != RefundStatus::Failed,
                "the refund went out another way",
            )
        }
        Effect::SendDisputeAlert {
            dispute_id, outcome, ..
        } => {
            let dispute = facts.payment?.disputes.get(dispute_id)?;
            says(dispute.outcome != *outcome, "the bank has decided since")
        }
        Effect::SendLeadMessage { .. } => closed(facts),
        Effect::SendLetter { letter, about, .. } => of_lead(*letter, *about, facts),
        // Words of staff and changes of a login stay true; the other effects are no messages.
        Effect::SendCaseMessage { .. }
        | Effect::SendMentions { .. }
        | Effect::SendCaseMentions { .. }
        | Effect::SendSecondFactorNotice { .. }
        | Effect::EnsureIntent { .. }
        | Effect::CancelIntent { .. }
        | Effect::SendRefund { .. }
        | Effect::LayEvidence { .. }
        | Effect::Erase { .. } => None,
    }
}

const fn says(is_untrue: bool, why: &'static str) -> Option<&'static str> {
    if is_untrue { Some(why) } else { None }
}

fn of_payment(kind: MessageKind, facts: &Facts<'_>) -> Option<&'static str> {
    if facts.payment?.messages.contains(&kind) {
        // It went out already.
        return None;
    }
    match kind {
        MessageKind::PaymentLink => match LinkState::of(facts.payment?, facts.at) {
            Some(LinkState::Open | LinkState::UnderWay) => None,
            Some(LinkState::Paid | LinkState::Refunded) => Some("the link was paid"),
            Some(LinkState::Withdrawn) => Some("the link was withdrawn"),
            Some(LinkState::Expired) | None => Some("the link has ended"),
        },
        MessageKind::PlaceOffered => says(
            facts.offered_until.is_none_or(|until| until <= facts.at),
            "the room is no longer kept for this place",
        ),
        // A receipt is owed whatever became of its booking, and is worded by it; the others tell what happened.
        MessageKind::Receipt
        | MessageKind::RoomGone
        | MessageKind::Refunded
        | MessageKind::BookingCancelled
        | MessageKind::LinkWithdrawn
        | MessageKind::HomeClosed => None,
    }
}

fn of_lead(letter: LetterKind, about: Uuid, facts: &Facts<'_>) -> Option<&'static str> {
    use PaymentStatus as S;
    let lead = facts.lead?;
    let is_its_form = lead.form.is_some_and(|(form_id, _)| form_id.0 == about);
    let stands = |statuses: &[S]| {
        facts
            .payment
            .is_some_and(|payment| statuses.contains(&payment.status))
    };
    match letter {
        LetterKind::FormLeft => says(!is_its_form, "another form was begun")
            .or(says(lead.form_completed, "the form was completed"))
            .or(settled(facts)),
        LetterKind::FormSubmitted => {
            says(!is_its_form || !lead.form_completed, "the form was opened again").or(closed(facts))
        }
        LetterKind::PaymentLeft => {
            let is_held = facts.payment.is_some_and(|payment| payment.keeps_room(facts.at));
            says(!is_held, "the hold has ended")
                .or(says(!stands(&[S::Initiated, S::Failed]), "the payment went on"))
                .or(settled(facts))
        }
        LetterKind::PaymentPending => says(!stands(&[S::Pending]), "the bank has decided"),
        LetterKind::PaymentFailed => {
            let is_charged = facts.payment.is_some_and(|payment| !payment.captures.is_empty());
            says(
                is_charged || !stands(&[S::Failed, S::SoldOut]),
                "the payment went on",
            )
            .or(settled(facts))
        }
        LetterKind::PriceDropped => settled(facts),
        LetterKind::ArrivedAgain => closed(facts),
        LetterKind::ChangedForYou => closed(facts).or(says(
            facts.is_stay_changed_since,
            "the stay is another one by now",
        )),
        LetterKind::ContactCorrected => None,
        // These have effects of their own.
        LetterKind::Arrived
        | LetterKind::Receipt
        | LetterKind::RoomGone
        | LetterKind::Refunded
        | LetterKind::BookingCancelled
        | LetterKind::PaymentLink
        | LetterKind::PlaceOffered
        | LetterKind::LinkWithdrawn
        | LetterKind::HomeClosed
        | LetterKind::RefundReturned
        | LetterKind::ContactLeft => Some("it is sent by an effect of its own"),
    }
}

fn closed(facts: &Facts<'_>) -> Option<&'static str> {
    let is_closed = facts.lead.is_some_and(|lead| lead.status.is_closed());
    says(is_closed, "the enquiry was closed")
}

/// The enquiry has come to its end, or to its booking.
fn settled(facts: &Facts<'_>) -> Option<&'static str> {
    let is_booked = facts.lead.is_some_and(|lead| lead.booked_by.is_some());
    closed(facts).or(says(is_booked, "a room was booked"))
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::country::Flow;
    use crate::id::{BookingFormId, HoldId, LeadId, PaymentId};
    use crate::lead::LeadStatus;
    use crate::payment::HeldRoom;

    const FORM: Uuid = Uuid::from_u128(7);

    fn letter(letter: LetterKind) -> Effect {
        let lead_id = LeadId(Uuid::from_u128(1));
        let about = FORM;
        Effect::SendLetter {
            lead_id,
            letter,
            about,
        }
    }

    fn at() -> Moment {
        "2026-11-29T10:00:00Z".parse().unwrap()
    }

    fn paying(status: PaymentStatus, held_for: i64) -> Payment {
        let hold = HeldRoom {
            hold_id: HoldId(Uuid::from_u128(2)),
            expires_at: Some(at() + TimeDelta::seconds(held_for)),
        };
        Payment {
            status,
            hold: Some(hold),
            ..Payment::default()
        }
    }

    fn find_reason(effect: &Effect, lead: &Lead, payment: Option<&Payment>) -> Option<&'static str> {
        let facts = Facts {
            at: at(),
            lead: Some(lead),
            payment,
            ..Facts::default()
        };
        why_untrue(effect, &facts)
    }

    fn lead(status: LeadStatus, booked: bool, form_completed: bool) -> Lead {
        let mut lead = Lead::default();
        lead.status = status;
        lead.booked_by = booked.then_some(PaymentId(Uuid::from_u128(3)));
        lead.form = Some((BookingFormId(FORM), Flow::Book));
        lead.form_completed = form_completed;
        lead
    }

    #[test]
    fn form_letters_end_with_their_form_and_enquiry() {
        let open = |completed| lead(LeadStatus::FormStarted, false, completed);
        let left = letter(LetterKind::FormLeft);
        assert_eq!(find_reason(&left, &open(false), None), None);
        assert_eq!(
            find_reason(&left, &open(true), None),
            Some("the form was completed")
        );
        let mut other = open(false);
        other.form = None;
        assert_eq!(find_reason(&left, &other, None), Some("another form was begun"));
        let closed = lead(LeadStatus::Lost, false, false);
        assert_eq!(find_reason(&left, &closed, None), Some("the enquiry was closed"));
        let booked = lead(LeadStatus::Booked, true, false);
        assert_eq!(find_reason(&left, &booked, None), Some("a room was booked"));
        let submitted = letter(LetterKind::FormSubmitted);
        assert_eq!(find_reason(&submitted, &open(true), None), None);
        assert_eq!(
            find_reason(&submitted, &open(false), None),
            Some("the form was opened again")
        );
        let closed = lead(LeadStatus::Cancelled, false, true);
        assert_eq!(
            find_reason(&submitted, &closed, None),
            Some("the enquiry was closed")
        );
    }

    #[test]
    fn payment_letters_end_with_hold_and_status() {
        use PaymentStatus as S;
        let open = lead(LeadStatus::PaymentStarted, false, true);
        let left = letter(LetterKind::PaymentLeft);
        let told = |effect: &Effect, status, held| find_reason(effect, &open, Some(&paying(status, held)));
        assert_eq!(told(&left, S::Initiated, 1), None);
        assert_eq!(told(&left, S::Failed, 1), None);
        assert_eq!(told(&left, S::Initiated, 0), Some("the hold has ended"));
        assert_eq!(told(&left, S::Processing, 1), Some("the payment went on"));
        let booked = lead(LeadStatus::Booked, true, true);
        let held = paying(S::Initiated, 1);
        assert_eq!(
            find_reason(&left, &booked, Some(&held)),
            Some("a room was booked")
        );
        let pending = letter(LetterKind::PaymentPending);
        assert_eq!(told(&pending, S::Pending, 1), None);
        assert_eq!(told(&pending, S::Success, 1), Some("the bank has decided"));
        let failed = letter(LetterKind::PaymentFailed);
        assert_eq!(told(&failed, S::Failed, 1), None);
        assert_eq!(told(&failed, S::SoldOut, 1), None);
        assert_eq!(told(&failed, S::Initiated, 1), Some("the payment went on"));
        assert_eq!(
            find_reason(&failed, &booked, Some(&paying(S::Failed, 1))),
            Some("a room was booked")
        );
    }

    #[test]
    fn other_letters_end_with_their_enquiry_or_never() {
        let (open, closed) = (
            lead(LeadStatus::Enquired, false, false),
            lead(LeadStatus::Lost, false, false),
        );
        let arrived = Effect::SendLeadMessage {
            lead_id: LeadId(Uuid::from_u128(1)),
        };
        let again = letter(LetterKind::ArrivedAgain);
        let changed = letter(LetterKind::ChangedForYou);
        let dropped = letter(LetterKind::PriceDropped);
        for effect in [&arrived, &again, &changed, &dropped] {
            assert_eq!(find_reason(effect, &open, None), None, "{effect:?}");
            assert_eq!(find_reason(effect, &closed, None), Some("the enquiry was closed"));
        }
        let corrected = letter(LetterKind::ContactCorrected);
        assert_eq!(find_reason(&corrected, &closed, None), None);
        let facts = Facts {
            lead: Some(&open),
            is_stay_changed_since: true,
            ..Facts::default()
        };
        assert_eq!(
            why_untrue(&changed, &facts),
            Some("the stay is another one by now")
        );
        let receipt = letter(LetterKind::Receipt);
        assert!(find_reason(&receipt, &open, None).is_some());
    }

    #[test]
    fn offer_of_a_place_ends_with_its_hour() {
        let offer = Effect::SendMessage {
            payment_id: PaymentId(Uuid::from_u128(3)),
            kind: MessageKind::PlaceOffered,
        };
        let told = |payment: &Payment, left: Option<i64>| {
            let facts = Facts {
                at: at(),
                payment: Some(payment),
                offered_until: left.map(|left| at() + TimeDelta::seconds(left)),
                ..Facts::default()
            };
            why_untrue(&offer, &facts)
        };
        let over = Some("the room is no longer kept for this place");
        let payment = Payment::default();
        assert_eq!(told(&payment, Some(1)), None);
        assert_eq!(told(&payment, Some(0)), over);
        assert_eq!(told(&payment, None), over);
        let sent = Payment {
            messages: [MessageKind::PlaceOffered].into(),
            ..Payment::default()
        };
        assert_eq!(told(&sent, None), None, "it went out already");
    }
}
