//! A link pays for a booking that there is: its events hold, sell and give back no room (D38, D100). Beside it, what the room's own
//! events and answers mean for the payment that asked.

use chrono::TimeDelta;

use super::messages::{id, noon, payment_id, taken};
use super::*;
use crate::payment::RequestedBy;
use crate::payment::dispute::DisputeCommand;
use crate::payment::evidence::EvidenceStep;
use crate::payment::link::LinkTerms;
use crate::room_stock::RoomStockEvent;
use crate::sealed::Sealed;

fn cause() -> Cause {
    Cause {
        at: noon(),
        hold_id: HoldId(id(1)),
        hold_for: TimeDelta::minutes(10),
        refund_id: RefundId(id(2)),
    }
}

fn link() -> Payment {
    let link = Some(LinkTerms {
        by: UserId(id(7)),
        due_on: None,
    });
    Payment {
        terms: Some(Terms {
            link,
            ..crate::payment::sample_terms()
        }),
        ..Payment::default()
    }
}

fn booking() -> Payment {
    Payment {
        terms: Some(crate::payment::sample_terms()),
        ..Payment::default()
    }
}

/// Names of the follow-ups: `room` for any command to a room's stock.
fn name(follow_up: &FollowUp) -> String {
    match follow_up {
        FollowUp::Room { command, .. } => format!("room {}", first_word(command)),
        FollowUp::Effect(Effect::SendMessage { kind, .. }) => format!("message {kind:?}"),
        FollowUp::Effect(effect) => first_word(effect),
        FollowUp::Lead(_, command) => format!("lead {}", first_word(command)),
        FollowUp::History(..) => "history".to_owned(),
        FollowUp::Referral(..) => "referral".to_owned(),
        FollowUp::Payment(_, command) => format!("payment {}", first_word(command)),
        other => first_word(other),
    }
}

fn first_word(what: &impl std::fmt::Debug) -> String {
    let text = format!("{what:?}");
    text.split(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn follows(payment: &Payment, event: &PaymentEvent) -> Vec<String> {
    let all = after_payment(payment_id(), payment, event, cause());
    all.iter().map(name).collect()
}

fn refund(by: RequestedBy) -> PaymentEvent {
    PaymentEvent::RefundRequested {
        refund_id: cause().refund_id,
        subject: UserId(id(2)),
        amount_minor: 5_000,
        reason: crate::payment::RefundReason::Staff,
        by,
        booking: None,
        ask: None,
        at: noon(),
        note: Sealed::default(),
    }
}

fn dispute(outcome: DisputeOutcome) -> PaymentEvent {
    PaymentEvent::DisputeClosed {
        dispute_id: "dp_1".to_owned(),
        outcome,
        fee_minor: None,
        at: noon(),
    }
}

fn dispute_opened() -> PaymentEvent {
    PaymentEvent::DisputeOpened {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 5_000,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
    }
}

fn evidence(step: EvidenceStep) -> PaymentEvent {
    PaymentEvent::DisputeEvidenceNoted {
        dispute_id: "dp_1".to_owned(),
        step,
        at: noon(),
    }
}

fn asked() -> EvidenceStep {
    EvidenceStep::Asked {
        by: UserId(id(7)),
        struck: vec![],
        last_seen: None,
    }
}

fn gone() -> PaymentEvent {
    PaymentEvent::PaymentSoldOut {
        reason: SoldOutReason::NoRoom,
    }
}

fn begun() -> PaymentEvent {
    PaymentEvent::PaymentBegun {
        at: noon(),
        capacity: 1,
        proved_by: None,
        subject: None,
        device: None,
    }
}

fn retried() -> PaymentEvent {
    PaymentEvent::PaymentRetried {
        at: noon(),
        capacity: 1,
        proved_by: None,
    }
}

fn without_room() -> PaymentEvent {
    PaymentEvent::PaymentCapturedWithoutRoom {
        capture: match taken() {
            PaymentEvent::PaymentSucceeded { capture, .. } => capture,
            other => panic!("{other:?}"),
        },
        at: noon(),
    }
}

#[test]
fn a_link_moves_money_and_never_a_room() {
    let staff = RequestedBy::Staff(UserId(id(7)));
    let refund_id = cause().refund_id;
    let made = PaymentEvent::PaymentLinkMade {
        subject: UserId(id(2)),
        at: noon(),
        words: Sealed::default(),
    };
    let back = PaymentEvent::RefundAcknowledged {
        refund_id,
        gateway_refund_id: "re_1".to_owned(),
        amount_minor: 5_000,
        at: noon(),
    };
    let returned = PaymentEvent::RefundFailed {
        refund_id,
        amount_minor: 5_000,
        reason: "account_closed".to_owned(),
        at: noon(),
    };
    for (event, wanted) in [
        (made, vec!["lead Progress", "message PaymentLink"]),
        (begun(), vec!["EnsureIntent", "SendLetter"]),
        (retried(), vec!["EnsureIntent", "SendLetter"]),
        (gone(), vec!["CancelIntent"]),
        (taken(), vec!["history", "message Receipt"]),
        (without_room(), vec!["message RoomGone"]),
        (refund(staff), vec!["SendRefund", "lead AnswerAsks"]),
        (refund(RequestedBy::Rule), vec!["SendRefund"]),
        (back, vec!["SendRefundMessage"]),
        (returned, vec!["SendRefundReturned"]),
        (dispute_opened(), vec!["SendDisputeAlert", "LayEvidence"]),
        (evidence(asked()), vec!["LayEvidence"]),
        (dispute(DisputeOutcome::Lost), vec!["SendDisputeAlert"]),
        (dispute(DisputeOutcome::Won), vec![]),
        (PaymentEvent::PaymentConfirmed { at: noon() }, vec![]),
    ] {
        assert_eq!(follows(&link(), &event), wanted, "{event:?}");
    }
}

/// A link past its end is closed without a word: its mail named the end.
#[test]
fn only_a_link_that_was_taken_back_early_is_told_of() {
    let ends = crate::payment::sample_terms().expires_at;
    let cancelled = |at| follows(&link(), &PaymentEvent::PaymentCancelled { at });
    let told = ["CancelIntent", "message LinkWithdrawn"];
    assert_eq!(cancelled(ends - TimeDelta::seconds(1)), told);
    assert_eq!(cancelled(ends), ["CancelIntent"]);
}

#[test]
fn the_money_of_a_link_needs_no_room() {
    let PaymentEvent::PaymentSucceeded { capture, .. } = taken() else {
        panic!("it was taken")
    };
    let fact = GatewayFact::Succeeded(capture);
    let paid = |payment: Payment| {
        let follow_ups = after_gateway(payment_id(), &payment.terms.unwrap(), &fact, cause());
        follow_ups.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(paid(link()), ["Success"]);
    assert_eq!(paid(booking()), ["room Sell"]);
}

/// A room is held before money moves, and each step of the payment reaches the hold.
#[test]
fn each_step_of_a_booking_s_payment_reaches_its_room() {
    let begun_follows = vec![
        "room Hold",
        "EnsureIntent",
        "lead Progress",
        "history",
        "SendLetter",
    ];
    for (event, wanted) in [
        (begun(), begun_follows.clone()),
        (retried(), begun_follows),
        (PaymentEvent::PaymentConfirmed { at: noon() }, vec!["room Extend"]),
        (PaymentEvent::PaymentDelayed {}, vec!["room Keep", "SendLetter"]),
        (gone(), vec!["room Release", "CancelIntent"]),
        (
            PaymentEvent::PaymentCancelled { at: noon() },
            vec!["room Release", "CancelIntent"],
        ),
        (
            without_room(),
            vec!["room Release", "room TakeBack", "message RoomGone"],
        ),
        (dispute_opened(), vec!["SendDisputeAlert", "LayEvidence"]),
        (evidence(asked()), vec!["LayEvidence"]),
        (
            evidence(EvidenceStep::Sent {
                digest: String::new(),
            }),
            vec![],
        ),
        (dispute(DisputeOutcome::Lost), vec!["SendDisputeAlert"]),
        (dispute(DisputeOutcome::Won), vec![]),
    ] {
        assert_eq!(follows(&booking(), &event), wanted, "{event:?}");
    }
}

#[test]
fn finance_s_send_and_only_that_goes_to_the_bank() {
    let submits = |event: &PaymentEvent| {
        let all = after_payment(payment_id(), &booking(), event, cause());
        let laid = all.into_iter().find_map(|follow_up| match follow_up {
            FollowUp::Effect(Effect::LayEvidence { submit, .. }) => Some(submit),
            _ => None,
        });
        laid.unwrap()
    };
    assert!(!submits(&dispute_opened()));
    assert!(submits(&evidence(asked())));
}

/// A booking ends for lead, history and referrer when nobody has its room; else it is an earlier payment's again.
#[test]
fn a_room_given_back_ends_the_booking_or_passes_it_on() {
    let back = |vacated| PaymentEvent::PaymentRoomGivenBack { vacated, at: noon() };
    let mut payment = Payment {
        status: PaymentStatus::Success,
        ..booking()
    };
    let ended = ["lead Progress", "history", "referral", "message BookingCancelled"];
    assert_eq!(follows(&payment, &back(true)), ended);
    assert!(follows(&payment, &back(false)).is_empty());
    let terms = payment.terms.as_mut().unwrap();
    terms.continues = Some(PaymentId(id(4)));
    assert_eq!(follows(&payment, &back(false)), ["lead Progress"]);
    payment.status = PaymentStatus::SoldOut;
    assert!(
        follows(&payment, &back(true)).is_empty(),
        "it never was a booking"
    );
}

/// Staff ended a booking, or sent money back: who had asked a colleague for it is answered.
#[test]
fn a_colleague_who_asked_for_it_is_answered() {
    let ended = PaymentEvent::PaymentBookingCancelled {
        subject: UserId(id(2)),
        by: UserId(id(7)),
        ask: None,
        at: noon(),
        note: Sealed::default(),
    };
    let cancelled = Payment {
        booking_cancelled: true,
        ..booking()
    };
    assert_eq!(follows(&cancelled, &ended), ["room TakeBack", "lead AnswerAsks"]);
    let staff = refund(RequestedBy::Staff(UserId(id(7))));
    assert_eq!(follows(&booking(), &staff), ["SendRefund", "lead AnswerAsks"]);
    let rule = refund(RequestedBy::Rule);
    assert_eq!(follows(&booking(), &rule), ["SendRefund"]);
    assert!(
        follows(&Payment::default(), &staff).is_empty(),
        "there is no such payment"
    );
}

#[test]
fn a_notice_of_a_dispute_is_told_to_its_payment() {
    let told = |fact: &GatewayFact| {
        let terms = crate::payment::sample_terms();
        after_gateway(payment_id(), &terms, fact, cause())
    };
    let opened = GatewayFact::DisputeOpened {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 5_000,
        fee_minor: Some(1_500),
        reason: "fraudulent".to_owned(),
    };
    assert!(matches!(
        told(&opened).as_slice(),
        [FollowUp::Payment(
            _,
            PaymentCommand::Dispute(DisputeCommand::Open {
                amount_minor: 5_000,
                fee_minor: Some(1_500),
                ..
            })
        )]
    ));
    let closed = GatewayFact::DisputeClosed {
        dispute_id: "dp_1".to_owned(),
        amount_minor: 5_000,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
        outcome: DisputeOutcome::Won,
    };
    assert!(matches!(
        told(&closed).as_slice(),
        [FollowUp::Payment(
            _,
            PaymentCommand::Dispute(DisputeCommand::Close {
                outcome: DisputeOutcome::Won,
                ..
            })
        )]
    ));
    assert!(told(&GatewayFact::Noted).is_empty());
}

/// A room that may have come free is offered for three holds' time; what ends a claim reaches its payment.
#[test]
fn what_frees_a_room_offers_it_to_who_waits() {
    let (hold_id, payment) = (cause().hold_id, payment_id());
    let room_id = crate::payment::sample_terms().room_id;
    let told = |event: &RoomStockEvent| {
        let all = after_stock(room_id, event, cause());
        all.iter().map(name).collect::<Vec<_>>()
    };
    let released = RoomStockEvent::HoldReleased {
        hold_id,
        payment_id: payment,
    };
    assert_eq!(told(&released), ["OfferRooms"]);
    let yielded = RoomStockEvent::HoldYielded {
        hold_id,
        payment_id: payment,
    };
    assert_eq!(told(&yielded), ["payment SellOut"]);
    let back = RoomStockEvent::RoomTakenBack {
        hold_id,
        payment_id: payment,
        vacated: true,
    };
    assert_eq!(told(&back), ["payment NoteRoomBack", "OfferRooms"]);
    let offered = RoomStockEvent::PlaceOffered {
        payment_id: payment,
        expires_at: noon(),
    };
    assert_eq!(told(&offered), ["message PlaceOffered"]);
    let closed = RoomStockEvent::PlaceClosed { payment_id: payment };
    assert_eq!(told(&closed), ["message HomeClosed"]);
    let kept = RoomStockEvent::HoldKept {
        hold_id,
        payment_id: payment,
    };
    assert!(told(&kept).is_empty());
    assert!(matches!(
        offer_rooms(room_id, cause()),
        FollowUp::OfferRooms { offer_for, .. } if offer_for == TimeDelta::minutes(30)
    ));
}

/// The stock's answer to a payment: its hold, or why it has none.
#[test]
fn a_room_s_answer_reaches_the_payment_that_asked() {
    let payment_id = payment_id();
    let answer = |command: &RoomStockCommand, answer: Result<&RoomStock, &RoomStockRejection>| {
        after_room(payment_id, command, None, answer)
    };
    let stock = crate::aggregate::fold::<RoomStock>(&[RoomStockEvent::HoldTaken {
        hold_id: HoldId(id(5)),
        payment_id,
        identity: UserId(id(2)),
        stay: None,
        capacity: 1,
        expires_at: noon(),
        proved: true,
        yields: false,
    }]);
    let keep = RoomStockCommand::Keep { payment_id };
    let extend = RoomStockCommand::Extend {
        payment_id,
        continues: None,
        by: TimeDelta::minutes(10),
    };
    let noted = PaymentCommand::NoteHold {
        hold_id: HoldId(id(5)),
        expires_at: Some(noon()),
    };
    let lost = |reason| {
        Some(PaymentCommand::SellOut {
            hold_id: None,
            reason,
        })
    };
    assert_eq!(answer(&keep, Ok(&stock)), Some(noted.clone()));
    assert_eq!(answer(&extend, Ok(&stock)), Some(noted));
    assert_eq!(answer(&keep, Ok(&RoomStock::default())), None);
    assert_eq!(answer(&keep, Err(&RoomStockRejection::NoHold)), None);
    assert_eq!(
        answer(&extend, Err(&RoomStockRejection::NoHold)),
        lost(SoldOutReason::HoldLost)
    );
    let Some(FollowUp::Room { command: hold, .. }) = after_payment(payment_id, &booking(), &begun(), cause())
        .into_iter()
        .next()
    else {
        panic!("a room is held first")
    };
    assert!(matches!(&hold, RoomStockCommand::Hold(asked) if asked.until == noon() + TimeDelta::minutes(10)));
    assert_eq!(
        answer(&hold, Err(&RoomStockRejection::TooManyHolds)),
        lost(SoldOutReason::TooManyHolds)
    );
    let leave = RoomStockCommand::Leave {
        payment_id,
        booked: false,
    };
    assert_eq!(answer(&leave, Ok(&stock)), None, "no payment asks for it");
}
