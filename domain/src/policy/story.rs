use chrono::{TimeZone, Utc};
use uuid::Uuid;

use super::*;
use crate::payment::decline::DeclineCode;
use crate::room_stock::{HoldRequest, RoomStockEvent};

fn cause() -> Cause {
    Cause {
        at: Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap(),
        hold_id: HoldId(Uuid::from_u128(1)),
        hold_for: TimeDelta::minutes(10),
        refund_id: RefundId(Uuid::from_u128(2)),
    }
}

fn payment_id() -> PaymentId {
    PaymentId(Uuid::from_u128(3))
}

fn capture() -> Captured {
    Captured {
        intent_id: "pi_1".to_owned(),
        charge_id: "ch_1".to_owned(),
        amount_minor: 25_907,
        card: None,
    }
}

/// What a success leads to, given what the room's stock answers.
fn outcome(answer: Result<&RoomStock, &RoomStockRejection>) -> Option<RoomOutcome> {
    let sale = Sale {
        capture: capture(),
        refund_id: cause().refund_id,
        at: cause().at,
    };
    let sell = RoomStockCommand::Sell {
        payment_id: payment_id(),
        continues: None,
    };
    match after_room(payment_id(), &sell, Some(sale), answer) {
        Some(PaymentCommand::Succeed { room, .. }) => Some(room),
        Some(_) | None => None,
    }
}

#[test]
fn money_is_kept_only_with_a_room() {
    assert_eq!(outcome(Ok(&RoomStock::default())), Some(RoomOutcome::Sold));
    assert_eq!(outcome(Err(&RoomStockRejection::NoHold)), Some(RoomOutcome::Lost));
    assert_eq!(
        outcome(Err(&RoomStockRejection::SoldOut)),
        Some(RoomOutcome::Lost)
    );
}

/// A room that cannot be held ends the payment before money moves.
#[test]
fn payment_without_a_room_ends_before_money_moves() {
    let hold = RoomStockCommand::Hold(HoldRequest {
        hold_id: cause().hold_id,
        payment_id: payment_id(),
        continues: None,
        lead_id: None,
        identity: UserId(Uuid::from_u128(4)),
        stay: crate::payment::sample_terms().stay(),
        offer: crate::inventory::on_offer::OnOffer::default(),
        proved: true,
        own_elsewhere: 0,
        at: cause().at,
        until: cause().at,
    });
    let told = after_room(payment_id(), &hold, None, Err(&RoomStockRejection::SoldOut));
    let expected = PaymentCommand::SellOut {
        hold_id: None,
        reason: SoldOutReason::NoRoom,
    };
    assert_eq!(told, Some(expected));
}

#[test]
fn the_end_of_a_hold_reaches_exactly_the_payment_that_had_it() {
    let ended = RoomStockEvent::HoldExpired {
        hold_id: cause().hold_id,
        payment_id: payment_id(),
    };
    let room_id = crate::payment::sample_terms().room_id;
    let follow_ups = after_stock(room_id, &ended, cause());
    assert!(matches!(
        follow_ups.as_slice(),
        [
            FollowUp::Payment(id, PaymentCommand::SellOut { hold_id: Some(_), .. }),
            FollowUp::OfferRooms { .. }
        ] if *id == payment_id()
    ));
}

#[test]
fn a_decline_is_told_to_the_payment_as_it_came() {
    let fact = GatewayFact::Declined {
        attempt_id: "ch_0".to_owned(),
        code: DeclineCode::ExpiredCard,
    };
    let terms = crate::payment::sample_terms();
    let follow_ups = after_gateway(payment_id(), &terms, &fact, cause());
    assert!(matches!(
        follow_ups.as_slice(),
        [FollowUp::Payment(
            _,
            PaymentCommand::Decline {
                code: DeclineCode::ExpiredCard,
                ..
            }
        )]
    ));
}

/// A paid room books the lead tells the history completes the referral and sends one receipt.
#[test]
fn paid_room_books_the_lead_completes_referral_sends_receipt() {
    let paid = PaymentEvent::PaymentSucceeded {
        capture: capture(),
        at: cause().at,
    };
    let payment = Payment {
        terms: Some(crate::payment::sample_terms()),
        ..Payment::default()
    };
    let follow_ups = after_payment(payment_id(), &payment, &paid, cause());
    assert!(matches!(
        follow_ups.as_slice(),
        [
            FollowUp::Lead(
                _,
                LeadCommand::Progress {
                    step: LeadStep::Booked { .. },
                    ..
                }
            ),
            FollowUp::History(..),
            FollowUp::Referral(_, ReferralCommand::Complete { .. }),
            FollowUp::Effect(Effect::SendMessage {
                kind: MessageKind::Receipt,
                ..
            }),
        ]
    ));
}

/// What follows when the gateway acknowledged that `amount_minor` of the payment went back.
fn after_refund(amount_minor: u64) -> Vec<FollowUp> {
    let acknowledged = PaymentEvent::RefundAcknowledged {
        refund_id: cause().refund_id,
        gateway_refund_id: "re_1".to_owned(),
        amount_minor,
        at: cause().at,
    };
    let paid = PaymentEvent::PaymentSucceeded {
        capture: capture(),
        at: cause().at,
    };
    let opened = PaymentEvent::PaymentOpened {
        terms: Box::new(crate::payment::sample_terms()),
        token: crate::sealed::Sealed::default(),
    };
    let payment = crate::aggregate::fold::<Payment>([&opened, &paid, &acknowledged]);
    after_payment(payment_id(), &payment, &acknowledged, cause())
}

#[test]
fn a_full_refund_takes_the_room_back_and_a_part_does_not() {
    let takes_back = |follow_ups: &[FollowUp]| {
        follow_ups.iter().any(|next| {
            matches!(
                next,
                FollowUp::Room {
                    command: RoomStockCommand::TakeBack { .. },
                    ..
                }
            )
        })
    };
    let told = |follow_ups: &[FollowUp]| {
        follow_ups
            .iter()
            .any(|next| matches!(next, FollowUp::Effect(Effect::SendRefundMessage { .. })))
    };
    let (part, whole) = (after_refund(25_906), after_refund(25_907));
    assert!(!takes_back(&part) && takes_back(&whole));
    assert!(told(&part) && told(&whole));
}
