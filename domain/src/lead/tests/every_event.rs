//! One of each event that a lead can have.

use super::*;

pub(super) fn every_event() -> Vec<LeadEvent> {
    let (form_id, inventory_id, payment_id) = (BookingFormId(id(5)), InventoryId(id(4)), PaymentId(id(7)));
    let mut events = vec![
        created(),
        enquired(),
        LeadEvent::Waitlisted { at: at(1) },
        LeadEvent::ViewingRequested {
            viewing: viewing(),
            at: at(1),
        },
        LeadEvent::WishChanged {
            person_id: Some(UserId(id(2))),
            wish: LeadWish {
                budget: Some(250),
                ..submission().wish
            },
            at: at(2),
        },
        LeadEvent::ContactChanged {
            person_id: UserId(id(2)),
            reached: Some(UserId(id(2))),
            at: at(3),
            personal: Sealed::new(personal()),
        },
        LeadEvent::PersonVerified {
            by: Some(UserId(Uuid::from_u128(7))),
            at: at(4),
        },
        LeadEvent::PersonUnverified { at: at(4) },
        LeadEvent::FormStarted {
            form_id,
            inventory_id,
            flow: Flow::Book,
            at: at(5),
        },
        LeadEvent::FormCompleted { form_id, at: at(6) },
        LeadEvent::PaymentStarted {
            payment_id,
            inventory_id,
            at: at(7),
        },
    ];
    events.extend(later_events());
    events
}

/// From the desk, after the booking, and at the end.
fn later_events() -> Vec<LeadEvent> {
    let (inventory_id, payment_id) = (InventoryId(id(4)), PaymentId(id(7)));
    vec![
        LeadEvent::Assigned {
            owner: Some(UserId(id(8))),
            at: at(8),
            person_id: Some(UserId(id(2))),
            why: Sealed::new("He speaks her language".into()),
        },
        LeadEvent::NoteAdded {
            person_id: UserId(id(2)),
            note_id: Some(id(12)),
            mentions: vec![UserId(id(8))],
            at: at(8),
            note: Sealed::new("Asked about the bike store".into()),
        },
        LeadEvent::LetterPosted {
            posted: refused_letter(),
            person_id: UserId(id(2)),
            at: at(9),
            text: Sealed::new(letter_text()),
        },
        LeadEvent::Booked {
            payment_id,
            inventory_id,
            at: at(9),
        },
        LeadEvent::LinkMade {
            payment_id,
            at: at(9),
        },
        LeadEvent::PlaceTaken {
            payment_id,
            inventory_id,
            at: at(9),
        },
        LeadEvent::Cancelled {
            person_id: Some(UserId(id(2))),
            reason: "visa refused".into(),
            at: at(10),
        },
        LeadEvent::Lost {
            person_id: Some(UserId(id(2))),
            reason: "no answer".into(),
            at: at(11),
        },
        LeadEvent::Completed { at: at(12) },
        LeadEvent::ActedOn {
            act_id: id(13),
            act: DeskAct::RefundAsked {
                payment_id,
                amount_minor: Some(25_000),
                ends_booking: false,
            },
            by: UserId(id(8)),
            person_id: UserId(id(2)),
            at: at(13),
            why: Sealed::new("Her visa was refused".into()),
        },
    ]
}
