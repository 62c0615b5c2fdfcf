//! News that come twice, too late, or about something else change no payment; each command is allowed in its step alone.

use uuid::Uuid;

use super::command::PaymentRejection as Rejection;
use super::event::{MessageKind, Secret};
use super::link::{LinkTerms, LinkWords};
use super::link_state::LinkState;
use super::story::{at, capture, opened, refund_id, succeed, terms};
use super::*;
use crate::aggregate::fold;
use crate::id::UserId;
use crate::money::{Currency, Money};

pub(super) fn staff() -> UserId {
    UserId(Uuid::from_u128(7))
}

fn link_terms() -> Terms {
    Terms {
        link: Some(LinkTerms {
            by: staff(),
            due_on: None,
        }),
        ..terms()
    }
}

fn opened_link() -> PaymentEvent {
    PaymentEvent::PaymentOpened {
        terms: Box::new(link_terms()),
        token: Sealed::new(Secret("t".repeat(32))),
    }
}

pub(super) fn in_step(opened: &PaymentEvent, status: PaymentStatus) -> Payment {
    let mut payment = fold::<Payment>([opened]);
    payment.status = status;
    payment.intent = Some(Intent {
        id: "pi_1".to_owned(),
        client_secret: Some("pi_1_secret".to_owned()),
    });
    payment
}

pub(super) fn hear(payment: &mut Payment, command: PaymentCommand) -> Vec<PaymentEvent> {
    let events = payment.decide(command).unwrap();
    for event in &events {
        payment.evolve(event);
    }
    events
}

fn begin(at: Moment) -> PaymentCommand {
    PaymentCommand::Begin {
        at,
        capacity: 3,
        proved_by: None,
        device: None,
    }
}

fn retry(at: Moment) -> PaymentCommand {
    PaymentCommand::Retry {
        at,
        capacity: 3,
        proved_by: None,
    }
}

pub(super) fn taken() -> PaymentEvent {
    PaymentEvent::PaymentSucceeded {
        capture: capture("ch_1"),
        at: at(),
    }
}

pub(super) fn request(
    n: u128,
    amount_minor: u64,
    by: RequestedBy,
    limit_minor: Option<u64>,
) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Request {
        refund_id: refund_id(n),
        amount_minor,
        note: "plans changed".to_owned(),
        by,
        booking: Some(BookingChoice::Keep),
        ask: None,
        limit_minor,
        at: at(),
    })
}

pub(super) fn acknowledge(n: u128, amount_minor: u64) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Acknowledge {
        refund_id: refund_id(n),
        gateway_refund_id: format!("re_{n}"),
        amount_minor,
        at: at(),
    })
}

pub(super) fn fail(n: u128, amount_minor: u64, at: Moment) -> PaymentCommand {
    PaymentCommand::Refund(RefundCommand::Fail {
        refund_id: refund_id(n),
        amount_minor,
        reason: "account closed".to_owned(),
        at,
    })
}

#[test]
fn a_payment_is_opened_with_its_terms_and_token() {
    let open = PaymentCommand::Open {
        terms: Box::new(terms()),
        token: "t".repeat(32),
    };
    assert_eq!(Payment::default().decide(open), Ok(vec![opened()]));
}

/// A link is opened with its words; a second opening keeps the first.
#[test]
fn a_link_is_opened_with_the_words_of_its_maker() {
    let open = PaymentCommand::OpenLink {
        terms: Box::new(link_terms()),
        token: "t".repeat(32),
        words: LinkWords {
            note: "Rent for December".to_owned(),
            reason: "asked by phone".to_owned(),
        },
        at: at(),
    };
    let mut payment = Payment::default();
    assert_eq!(hear(&mut payment, open.clone()).len(), 2);
    let link = payment.link.clone().unwrap();
    assert_eq!(link.made_at, at());
    assert_eq!(link.words.unwrap().note, "Rent for December");
    assert_eq!(payment.token, Some("t".repeat(32)));
    assert_eq!(payment.decide(open), Ok(vec![]));
}

/// Who may end what: the payer a payment of their own, staff a link.
#[test]
fn a_link_is_withdrawn_by_staff_and_says_so() {
    let withdraw = PaymentCommand::Withdraw { at: at() };
    let mut own = fold::<Payment>([&opened()]);
    assert_eq!(own.decide(withdraw.clone()), Err(Rejection::NoLink));
    let mut link = fold::<Payment>([&opened_link()]);
    assert_eq!(hear(&mut link, withdraw.clone()).len(), 1);
    assert_eq!(link.decide(withdraw), Ok(vec![]), "once");
    assert_eq!(link.decide(begin(at())), Err(Rejection::Withdrawn));
    assert_eq!(
        link.decide(PaymentCommand::Confirm { at: at() }),
        Err(Rejection::Withdrawn)
    );
    hear(&mut own, PaymentCommand::Cancel { at: at() });
    assert_eq!(own.decide(begin(at())), Err(Rejection::Cancelled));
    assert_eq!(
        own.decide(PaymentCommand::Confirm { at: at() }),
        Err(Rejection::Cancelled)
    );
    let late = terms().expires_at;
    let is_late = |opened: &PaymentEvent| fold::<Payment>([opened]).decide(begin(late));
    assert_eq!(is_late(&opened_link()), Err(Rejection::LinkExpired));
    assert_eq!(is_late(&opened()), Err(Rejection::Expired));
    let failed = in_step(&opened(), PaymentStatus::Failed);
    assert_eq!(failed.decide(retry(late)), Err(Rejection::Expired));
    assert_eq!(failed.decide(retry(at())).map(|events| events.len()), Ok(1));
}

#[test]
fn a_link_stands_as_what_became_of_its_payment() {
    use PaymentStatus as S;
    let ends = terms().expires_at;
    let early = ends - chrono::TimeDelta::seconds(1);
    let state = |status, cancelled_at, at| {
        let mut payment = in_step(&opened_link(), status);
        payment.cancelled_at = cancelled_at;
        LinkState::of(&payment, at)
    };
    for status in [S::Init, S::InitLoading, S::InitFailure, S::Initiated, S::Failed] {
        assert_eq!(state(status, None, early), Some(LinkState::Open), "{status:?}");
        assert_eq!(state(status, None, ends), Some(LinkState::Expired), "{status:?}");
        assert_eq!(
            state(status, Some(early), ends),
            Some(LinkState::Withdrawn),
            "{status:?}"
        );
        assert_eq!(
            state(status, Some(ends), ends),
            Some(LinkState::Expired),
            "{status:?}"
        );
    }
    for (status, wanted) in [
        (S::Processing, LinkState::UnderWay),
        (S::Pending, LinkState::UnderWay),
        (S::SoldOut, LinkState::Refunded),
        (S::Success, LinkState::Paid),
    ] {
        assert_eq!(state(status, None, ends), Some(wanted), "{status:?}");
    }
    let mut back = fold::<Payment>([&opened_link(), &taken()]);
    hear(&mut back, acknowledge(1, 25_907));
    assert_eq!(LinkState::of(&back, early), Some(LinkState::Refunded));
    assert_eq!(LinkState::of(&fold::<Payment>([&opened()]), early), None);
    let named = LinkState::ALL.map(|state| (state.name(), state.is_payable()));
    let wanted = [
        ("open", true),
        ("under_way", true),
        ("paid", false),
        ("refunded", false),
        ("withdrawn", false),
        ("expired", false),
    ];
    assert_eq!(named, wanted);
}

#[test]
fn a_payment_is_cancelled_only_while_nothing_is_under_way() {
    use PaymentStatus as S;
    for status in PaymentStatus::ALL {
        let is_allowed = matches!(status, S::Init | S::InitFailure | S::Initiated | S::Failed);
        let asked = in_step(&opened(), status).decide(PaymentCommand::Cancel { at: at() });
        assert_eq!(asked.is_ok(), is_allowed, "{status:?}");
    }
}

/// The intent that is there is no news; another one, or one that comes too late, is refused.
#[test]
fn a_payment_takes_one_intent() {
    let ready = |intent: &str| PaymentCommand::ReadyIntent {
        intent_id: intent.to_owned(),
        client_secret: "s".to_owned(),
    };
    let payment = in_step(&opened(), PaymentStatus::Initiated);
    assert_eq!(payment.decide(ready("pi_1")), Ok(vec![]));
    assert!(matches!(
        payment.decide(ready("pi_2")),
        Err(Rejection::NotAllowed { .. })
    ));
    let fail = || PaymentCommand::FailIntent {
        reason: "timeout".to_owned(),
    };
    assert_eq!(
        in_step(&opened(), PaymentStatus::InitFailure).decide(fail()),
        Ok(vec![])
    );
    assert!(payment.decide(fail()).is_err());
}

/// The bank asks the payer who is paying: for its own intent, while the card is being charged.
#[test]
fn a_bank_s_question_is_about_the_charge_under_way() {
    let asks = |payment: &Payment, intent_id: &str| {
        let asked = PaymentCommand::RequireAction {
            intent_id: intent_id.to_owned(),
            url: "https://bank.example/step".to_owned(),
        };
        payment.decide(asked).unwrap().len()
    };
    let processing = in_step(&opened(), PaymentStatus::Processing);
    assert_eq!((asks(&processing, "pi_1"), asks(&processing, "pi_2")), (1, 0));
    assert_eq!(asks(&in_step(&opened(), PaymentStatus::Failed), "pi_1"), 0);
}

#[test]
fn a_hold_is_noted_as_it_changes() {
    let mut payment = in_step(&opened(), PaymentStatus::Initiated);
    let note = |expires_at| PaymentCommand::NoteHold {
        hold_id: HoldId(Uuid::from_u128(5)),
        expires_at,
    };
    assert!(!payment.keeps_room(at()));
    assert_eq!(hear(&mut payment, note(Some(at()))).len(), 1);
    assert_eq!(payment.decide(note(Some(at()))), Ok(vec![]), "the same again");
    assert!(!payment.keeps_room(at()), "it has just ended");
    assert!(payment.keeps_room(at() - chrono::TimeDelta::seconds(1)));
    assert_eq!(hear(&mut payment, note(None)).len(), 1);
    assert!(payment.keeps_room(at()), "a slow method has no end");
    payment.cancelled_at = Some(at());
    assert!(payment.is_over() && !payment.keeps_room(at()));
}

#[test]
fn the_end_of_another_hold_is_not_its_end() {
    let lose = |status, hold: Option<u128>| {
        let mut payment = in_step(&opened(), status);
        payment.hold = Some(HeldRoom {
            hold_id: HoldId(Uuid::from_u128(5)),
            expires_at: None,
        });
        let lost = PaymentCommand::SellOut {
            hold_id: hold.map(|hold| HoldId(Uuid::from_u128(hold))),
            reason: SoldOutReason::HoldLost,
        };
        payment.decide(lost).unwrap().len()
    };
    assert_eq!(lose(PaymentStatus::Initiated, Some(5)), 1);
    assert_eq!(lose(PaymentStatus::Initiated, Some(6)), 0);
    assert_eq!(lose(PaymentStatus::Initiated, None), 1);
    assert_eq!(lose(PaymentStatus::Success, None), 0, "it is booked");
    assert_eq!(
        lose(PaymentStatus::Pending, Some(5)),
        0,
        "the bank has not decided"
    );
}

/// One enquiry books one room: money for a second goes back, and the loser's own reason stands.
#[test]
fn money_for_a_second_room_goes_straight_back() {
    let paid = |status| {
        let payment = in_step(&opened(), status);
        let events = payment
            .decide(succeed("ch_1", RoomOutcome::OtherRoomBooked))
            .unwrap();
        let names = events.iter().map(cqrs_es::DomainEvent::event_type);
        (names.collect::<Vec<_>>(), events)
    };
    let (names, events) = paid(PaymentStatus::Processing);
    let refunded = ["PaymentSoldOut", "PaymentCapturedWithoutRoom", "RefundRequested"];
    assert_eq!(names, refunded);
    assert!(matches!(
        events[2],
        PaymentEvent::RefundRequested {
            reason: RefundReason::OtherRoomBooked,
            amount_minor: 25_907,
            ..
        }
    ));
    assert_eq!(
        paid(PaymentStatus::SoldOut).0,
        refunded[1..],
        "it is sold out already"
    );
}

/// A message that no mail server took counts as told: it is not tried for ever.
#[test]
fn each_message_is_told_or_refused_once() {
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    let refused = |refund_id| PaymentCommand::NoteRefusal {
        kind: MessageKind::Receipt,
        refund_id,
        code: Some(550),
    };
    let told = PaymentCommand::NoteRefundTold {
        refund_id: refund_id(1),
    };
    assert_eq!(hear(&mut payment, refused(None)).len(), 1);
    assert_eq!(hear(&mut payment, refused(None)).len(), 0);
    assert_eq!(
        hear(&mut payment, told.clone()).len(),
        0,
        "there is no such refund"
    );
    hear(&mut payment, acknowledge(1, 5_000));
    assert_eq!(hear(&mut payment, told.clone()).len(), 1);
    assert_eq!(hear(&mut payment, told).len(), 0);
    assert_eq!(hear(&mut payment, refused(Some(refund_id(1)))).len(), 0);
    hear(&mut payment, acknowledge(2, 5_000));
    assert_eq!(hear(&mut payment, refused(Some(refund_id(2)))).len(), 1);
    assert_eq!(hear(&mut payment, refused(Some(refund_id(2)))).len(), 0);
}

/// A booking is ended by hand when nothing is left to give back; a link has none.
#[test]
fn only_a_booking_without_money_left_is_ended_by_hand() {
    let cancel = || PaymentCommand::CancelBooking {
        note: "the guest has left".to_owned(),
        by: staff(),
        ask: None,
        at: at(),
    };
    let back = |payment: &mut Payment| hear(payment, acknowledge(1, 25_907));
    let mut payment = fold::<Payment>([&opened(), &taken()]);
    assert_eq!(
        payment.decide(cancel()),
        Err(Rejection::MoneyLeft {
            refundable: Money::new(25_907, Currency::Gbp)
        })
    );
    back(&mut payment);
    assert_eq!(hear(&mut payment, cancel()).len(), 1);
    assert_eq!(hear(&mut payment, cancel()).len(), 0);
    hear(
        &mut payment,
        PaymentCommand::NoteRoomBack {
            vacated: true,
            at: at(),
        },
    );
    assert_eq!(
        payment.decide(cancel()),
        Err(Rejection::NoBooking),
        "its room is back"
    );
    let mut link = fold::<Payment>([&opened_link(), &taken()]);
    back(&mut link);
    assert_eq!(link.decide(cancel()), Err(Rejection::NoBooking));
    let unpaid = in_step(&opened(), PaymentStatus::Processing);
    assert_eq!(unpaid.decide(cancel()), Err(Rejection::NoBooking));
}

/// In the gateway's own form Pay is pressed unseen: the press confirms what waits for it, and nothing of a payment that was taken back.
#[test]
fn a_press_or_decline_of_a_cancelled_payment_is_nothing() {
    let press = || PaymentCommand::NotePress { at: at() };
    let decline = || PaymentCommand::Decline {
        attempt_id: "ch_0".to_owned(),
        code: DeclineCode::DoNotHonor,
        at: at(),
    };
    let mut payment = in_step(&opened(), PaymentStatus::Initiated);
    assert_eq!(
        payment.decide(press()),
        Ok(vec![PaymentEvent::PaymentConfirmed { at: at() }])
    );
    assert_eq!(payment.decide(decline()).map(|events| events.len()), Ok(2));
    payment.cancelled_at = Some(at());
    assert_eq!(payment.decide(press()), Ok(vec![]));
    assert_eq!(payment.decide(decline()), Ok(vec![]));
}
