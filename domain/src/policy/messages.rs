//! Who is told what, and what is not told twice or too late.

use std::collections::BTreeSet;

use chrono::{TimeDelta, TimeZone, Utc};
use uuid::Uuid;

use super::*;
use crate::aggregate::fold;
use crate::booking_form::BookingFormEvent;
use crate::case::{CaseEvent, Side, Written};
use crate::correspondence::{LetterKind, MessageChannel};
use crate::id::{BookingFormId, CaseId, SessionId};
use crate::lead::{DeskAct, LeadEvent, LeadWish};
use crate::payment::decline::DeclineCode;
use crate::sealed::Sealed;

pub(super) fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

pub(super) fn noon() -> Moment {
    Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
}

fn lead_id() -> LeadId {
    LeadId(id(1))
}

pub(super) fn payment_id() -> PaymentId {
    PaymentId(id(3))
}

/// The effect that follows from an event of the lead.
fn told_of_lead(event: &LeadEvent) -> Option<Effect> {
    after_lead(lead_id(), event)
        .into_iter()
        .find_map(|next| match next {
            FollowUp::Effect(effect) => Some(effect),
            _ => None,
        })
}

fn letter(letter: LetterKind, about: Uuid) -> Effect {
    Effect::SendLetter {
        lead_id: lead_id(),
        letter,
        about,
    }
}

fn acted(act: DeskAct) -> LeadEvent {
    LeadEvent::ActedOn {
        act_id: id(50),
        act,
        by: UserId(id(7)),
        person_id: UserId(id(2)),
        at: noon(),
        why: Sealed::default(),
    }
}

#[test]
fn the_sender_hears_how_far_the_form_has_come() {
    let form_id = BookingFormId(id(40));
    let completed = LeadEvent::FormCompleted { form_id, at: noon() };
    assert_eq!(
        told_of_lead(&completed),
        Some(letter(LetterKind::FormSubmitted, id(40)))
    );
    let started = LeadEvent::FormStarted {
        form_id,
        inventory_id: InventoryId(id(4)),
        flow: crate::country::Flow::Book,
        at: noon(),
    };
    assert_eq!(told_of_lead(&started), Some(letter(LetterKind::FormLeft, id(40))));
}

#[test]
fn the_student_hears_of_what_staff_changed_for_them() {
    let change = || DeskAct::StayChanged { change: None };
    let moved = || DeskAct::RoomChanged {
        inventory_id: InventoryId(id(4)),
        change: None,
    };
    let joined = |took_phone| DeskAct::DoubleJoined {
        lead_id: LeadId(id(60)),
        took_phone,
    };
    for (act, kind) in [
        (DeskAct::EnquirySent, LetterKind::ArrivedAgain),
        (change(), LetterKind::ChangedForYou),
        (moved(), LetterKind::ChangedForYou),
        (DeskAct::ContactCorrected, LetterKind::ContactCorrected),
        (joined(true), LetterKind::ContactCorrected),
    ] {
        assert_eq!(told_of_lead(&acted(act)), Some(letter(kind, id(50))), "{kind:?}");
    }
    for silent in [
        joined(false),
        DeskAct::CodeSent,
        DeskAct::Called { reached: true },
    ] {
        assert_eq!(told_of_lead(&acted(silent.clone())), None, "{silent:?}");
    }
}

#[test]
fn only_colleagues_who_are_named_hear_of_a_note() {
    let noted = |mentions| LeadEvent::NoteAdded {
        person_id: UserId(id(2)),
        note_id: Some(id(51)),
        mentions,
        at: noon(),
        note: Sealed::default(),
    };
    let to = vec![UserId(id(8))];
    let asked = Effect::SendMentions {
        lead_id: lead_id(),
        note_id: id(51),
        to: to.clone(),
    };
    assert_eq!(told_of_lead(&noted(to.clone())), Some(asked));
    assert_eq!(told_of_lead(&noted(vec![])), None);
    let case_id = CaseId(id(70));
    let noted = |mentions| CaseEvent::NoteAdded {
        sealed_by: UserId(id(2)),
        note_id: Some(id(51)),
        by: None,
        mentions,
        note: Sealed::default(),
        at: noon(),
    };
    let asked = Effect::SendCaseMentions {
        case_id,
        note_id: id(51),
        to: to.clone(),
    };
    assert!(matches!(after_case(case_id, &noted(to)), Some(FollowUp::Effect(effect)) if effect == asked));
    assert!(after_case(case_id, &noted(vec![])).is_none());
}

#[test]
fn the_student_is_sent_what_staff_wrote_not_their_own_words() {
    let case_id = CaseId(id(70));
    let written = |side| CaseEvent::MessageWritten {
        written: Written {
            message_id: id(71),
            side,
            channel: MessageChannel::Email,
            due: None,
        },
        sealed_by: UserId(id(2)),
        words: Sealed::default(),
        at: noon(),
    };
    let sent = Effect::SendCaseMessage {
        case_id,
        message_id: id(71),
    };
    assert!(
        matches!(after_case(case_id, &written(Side::Staff)), Some(FollowUp::Effect(effect)) if effect == sent)
    );
    assert!(after_case(case_id, &written(Side::Person)).is_none());
}

#[test]
fn a_booking_ends_the_waiting_and_its_end_the_links() {
    let booked = LeadEvent::Booked {
        payment_id: payment_id(),
        inventory_id: InventoryId(id(4)),
        at: noon(),
    };
    let lead = lead_id();
    assert!(matches!(after_lead(lead, &booked)[..], [FollowUp::LeavePlaces { lead_id }] if lead_id == lead));
    let refunded = LeadEvent::BookingRefunded {
        payment_id: payment_id(),
        at: noon(),
    };
    let linked = LeadEvent::LinkMade {
        payment_id: payment_id(),
        at: noon(),
    };
    for event in [refunded, linked] {
        assert!(matches!(
            after_lead(lead, &event)[..],
            [FollowUp::WithdrawLinks { lead_id, at }] if lead_id == lead && at == noon()
        ));
    }
    assert!(after_lead(lead, &LeadEvent::MessageSent { at: noon() }).is_empty());
}

/// A reminder of a form comes a day after it was begun, one of a payment while its room is still held; everything else goes at once.
#[test]
fn reminders_wait_and_news_do_not() {
    let waits = |kind| letter(kind, id(40)).waits(TimeDelta::minutes(10));
    assert_eq!(waits(LetterKind::FormLeft), TimeDelta::hours(24));
    assert_eq!(waits(LetterKind::PaymentLeft), TimeDelta::minutes(5));
    assert_eq!(waits(LetterKind::FormSubmitted), TimeDelta::zero());
    let erase = Effect::Erase {
        user_id: UserId(id(2)),
    };
    assert_eq!(erase.waits(TimeDelta::minutes(10)), TimeDelta::zero());
}

#[test]
fn a_forgotten_account_is_erased_by_its_own_wish() {
    let forgotten = |reason| UserEvent::Forgotten {
        user_id: UserId(id(2)),
        reason,
        at: noon(),
    };
    let asked = forgotten(Some(crate::user::ForgetReason::Asked));
    assert!(matches!(
        after_user(&asked),
        Some(FollowUp::Effect(Effect::Erase { user_id })) if user_id == UserId(id(2))
    ));
    assert!(after_user(&forgotten(None)).is_none());
}

#[test]
fn every_change_of_a_second_login_step_reaches_its_owner() {
    use SecondFactorEvent as E;
    let (session_id, at) = (SessionId(id(80)), noon());
    let recovery = BTreeSet::new;
    for (event, notice, key) in [
        (
            E::Enrolled {
                session_id,
                recovery: recovery(),
                step: 1,
                at,
            },
            SecondFactorNotice::Enrolled,
            "second_factor_enrolled",
        ),
        (
            E::Recovered {
                session_id,
                digest: String::new(),
                at,
            },
            SecondFactorNotice::RecoveryUsed,
            "second_factor_recovery_used",
        ),
        (
            E::RecoveryRenewed {
                session_id,
                recovery: recovery(),
                at,
            },
            SecondFactorNotice::RecoveryRenewed,
            "second_factor_recovery_renewed",
        ),
        (
            E::Removed { session_id, at },
            SecondFactorNotice::Removed,
            "second_factor_removed",
        ),
        (
            E::Reset { by: None, at },
            SecondFactorNotice::Reset,
            "second_factor_reset",
        ),
    ] {
        let wanted = Effect::SendSecondFactorNotice {
            user_id: UserId(id(2)),
            notice,
        };
        let told = after_second_factor(UserId(id(2)), &event);
        assert!(matches!(told, Some(FollowUp::Effect(effect)) if effect == wanted));
        assert_eq!(notice.mail_key(), key);
    }
    let passed = E::Passed {
        session_id,
        step: 2,
        at,
    };
    assert!(after_second_factor(UserId(id(2)), &passed).is_none());
}

pub(super) fn standing(events: &[PaymentEvent]) -> Payment {
    let opened = PaymentEvent::PaymentOpened {
        terms: Box::new(crate::payment::sample_terms()),
        token: Sealed::default(),
    };
    fold::<Payment>([&opened].into_iter().chain(events))
}

pub(super) fn taken() -> PaymentEvent {
    PaymentEvent::PaymentSucceeded {
        capture: Captured {
            intent_id: "pi_1".to_owned(),
            charge_id: "ch_1".to_owned(),
            amount_minor: 25_907,
            card: None,
        },
        at: noon(),
    }
}

fn declined() -> PaymentEvent {
    PaymentEvent::PaymentDeclined {
        attempt_id: "ch_0".to_owned(),
        code: DeclineCode::DoNotHonor,
    }
}

fn gone() -> PaymentEvent {
    PaymentEvent::PaymentSoldOut {
        reason: SoldOutReason::HoldLost,
    }
}

/// A payer who waits at the page sees a first refusal there; who has left is told by mail that it came to nothing.
#[test]
fn a_failure_that_its_payer_did_not_see_is_mailed() {
    let told = |before: &[PaymentEvent], event: PaymentEvent| {
        let payment = standing(&[before, std::slice::from_ref(&event)].concat());
        letters::told_of_payment(payment_id(), &payment, &event).is_some()
    };
    assert!(!told(&[], declined()));
    assert!(told(&[PaymentEvent::PaymentDelayed {}], declined()));
    assert!(!told(&[], gone()), "nothing was tried");
    assert!(told(&[declined()], gone()));
    assert!(
        !told(&[PaymentEvent::PaymentDelayed {}, taken()], declined()),
        "it was paid"
    );
    assert!(!told(&[declined(), taken()], gone()), "it was paid");
}

#[test]
fn a_payment_that_was_left_or_waits_for_a_bank_is_mailed_about() {
    let kind = |event: &PaymentEvent| match letters::told_of_payment(payment_id(), &standing(&[]), event) {
        Some(FollowUp::Effect(Effect::SendLetter { letter, about, .. })) => Some((letter, about)),
        _ => None,
    };
    let (at, capacity, proved_by) = (noon(), 1, None);
    let begun = PaymentEvent::PaymentBegun {
        at,
        capacity,
        proved_by,
        subject: None,
        device: None,
    };
    let retried = PaymentEvent::PaymentRetried {
        at,
        capacity,
        proved_by,
    };
    assert_eq!(kind(&begun), Some((LetterKind::PaymentLeft, payment_id().0)));
    assert_eq!(kind(&retried), Some((LetterKind::PaymentLeft, payment_id().0)));
    let delayed = kind(&PaymentEvent::PaymentDelayed {});
    assert_eq!(delayed, Some((LetterKind::PaymentPending, payment_id().0)));
    assert_eq!(kind(&taken()), None);
}

/// Another stay, and another room of the form, close the card form that was opened for the old one. What support keeps of it in the
/// lead's history follows the form's own event.
#[test]
fn another_stay_or_room_ends_the_open_payment() {
    let lead = lead_id();
    let changed = LeadEvent::WishChanged {
        person_id: None,
        wish: LeadWish::default(),
        at: noon(),
    };
    assert!(matches!(
        after_lead(lead, &changed)[..],
        [FollowUp::EndOutdatedPayment { lead_id, at }] if lead_id == lead && at == noon()
    ));
    let inventory_id = InventoryId(id(4));
    let moved = BookingFormEvent::RoomChanged {
        inventory_id,
        at: noon(),
    };
    assert!(matches!(
        after_form(lead, &moved),
        Some(FollowUp::EndOutdatedPayment { lead_id, at }) if lead_id == lead && at == noon()
    ));
    let kept = acted(DeskAct::RoomChanged {
        inventory_id,
        change: None,
    });
    assert!(matches!(after_lead(lead, &kept)[..], [FollowUp::Effect(_)]));
}

/// A change that was made while no card form could be closed is looked at when one opens.
#[test]
fn opened_card_form_is_compared_with_the_wish() {
    let ready = PaymentEvent::IntentReady {
        subject: UserId(id(2)),
        intent_id: "pi_1".to_owned(),
        client_secret: Sealed::default(),
    };
    let is_compared = |event: &PaymentEvent| {
        letters::after_payment(payment_id(), &standing(&[]), event, noon())
            .iter()
            .any(|next| matches!(next, FollowUp::EndOutdatedPayment { at, .. } if *at == noon()))
    };
    assert!(is_compared(&ready) && is_compared(&declined()));
    assert!(!is_compared(&gone()) && !is_compared(&taken()));
}
