//! One sample of every event shape of payments, room stock and the gateway.

use chrono::TimeDelta;
use uuid::Uuid;

use super::dispute::DisputeOutcome;
use super::event::Secret;
use super::evidence::EvidenceStep;
use super::link::{LinkTerms, LinkWords};
use super::story::{at, capture, refund_id, terms};
use super::*;
use crate::attribution::DeviceMark;
use crate::gateway_event::{
    DismissReason, GatewayEvent, GatewayEventEvent, GatewayFact, SetAside, SetAsideReason,
};
use crate::id::{PaymentId, UserId};
use crate::room_stock::{RoomStock, RoomStockEvent};
use crate::sample::assert_kept;
use crate::settlement::{BalanceLine, Payout};

fn opened_with_a_key_of_the_lead() -> PaymentEvent {
    PaymentEvent::PaymentOpened {
        terms: Box::new(Terms {
            sealed_by: Some(UserId(Uuid::from_u128(11))),
            terms_of_use: Some("2026-11-25".to_owned()),
            link: Some(LinkTerms {
                by: UserId(Uuid::from_u128(7)),
                due_on: "2026-12-01".parse().ok(),
            }),
            ..terms()
        }),
        token: Sealed::new(Secret("t".repeat(32))),
    }
}

fn link_made() -> PaymentEvent {
    PaymentEvent::PaymentLinkMade {
        subject: terms().subject,
        at: at(),
        words: Sealed::new(LinkWords {
            note: "Rent for December".to_owned(),
            reason: "asked by phone".to_owned(),
        }),
    }
}

fn steps() -> Vec<PaymentEvent> {
    let secret = |text: &str| Sealed::new(Secret(text.to_owned()));
    let hold_id = HoldId(Uuid::from_u128(5));
    vec![
        opened_with_a_key_of_the_lead(),
        link_made(),
        PaymentEvent::PaymentBegun {
            at: at(),
            capacity: 3,
            proved_by: Some(terms().subject),
            subject: Some(terms().subject),
            device: Some(DeviceMark {
                network: 4_711,
                browser: 815,
            }),
        },
        PaymentEvent::PaymentRetried {
            at: at(),
            capacity: 3,
            proved_by: Some(terms().subject),
        },
        PaymentEvent::PaymentHoldNoted {
            hold_id,
            expires_at: Some(at() + TimeDelta::minutes(10)),
        },
        PaymentEvent::IntentReady {
            subject: terms().subject,
            intent_id: "pi_1".to_owned(),
            client_secret: secret("pi_1_secret"),
        },
        PaymentEvent::IntentFailed {
            reason: "unreachable".to_owned(),
        },
        PaymentEvent::PaymentSoldOut {
            reason: SoldOutReason::OtherRoomBooked,
        },
        PaymentEvent::PaymentConfirmed { at: at() },
        PaymentEvent::PaymentActionRequired {
            url: "/sandbox/3ds/pi_1".to_owned(),
        },
        PaymentEvent::PaymentSucceeded {
            capture: capture("ch_1"),
            at: at(),
        },
        PaymentEvent::PaymentCapturedWithoutRoom {
            capture: capture("ch_1"),
            at: at(),
        },
        PaymentEvent::PaymentCapturedAgain {
            capture: capture("ch_2"),
            at: at(),
        },
        PaymentEvent::PaymentDeclined {
            attempt_id: "ch_0".to_owned(),
            code: DeclineCode::DoNotHonor,
        },
        PaymentEvent::PaymentDelayed {},
        PaymentEvent::PaymentCancelled { at: at() },
        PaymentEvent::PaymentRoomGivenBack {
            vacated: true,
            at: at(),
        },
    ]
}

fn disputes() -> Vec<PaymentEvent> {
    vec![
        PaymentEvent::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 25_907,
            fee_minor: Some(1_500),
            reason: "fraudulent".to_owned(),
        },
        PaymentEvent::DisputeClosed {
            dispute_id: "dp_1".to_owned(),
            outcome: DisputeOutcome::Lost,
            fee_minor: Some(1_500),
            at: at(),
        },
        PaymentEvent::DisputeEvidenceNoted {
            dispute_id: "dp_1".to_owned(),
            step: EvidenceStep::Laid {
                due_by: Some(at() + TimeDelta::days(7)),
                digest: "d".repeat(64),
            },
            at: at(),
        },
    ]
}

fn messages() -> Vec<PaymentEvent> {
    vec![
        PaymentEvent::PaymentMessageSent {
            kind: MessageKind::Receipt,
        },
        PaymentEvent::PaymentMessageRefused {
            kind: MessageKind::Receipt,
            refund_id: None,
            code: Some(550),
        },
    ]
}

fn refunds() -> Vec<PaymentEvent> {
    let (refund_id, gateway_refund_id) = (refund_id(9), "re_1".to_owned());
    vec![
        PaymentEvent::RefundMessageSent { refund_id },
        PaymentEvent::RefundRequested {
            refund_id,
            subject: terms().subject,
            amount_minor: 25_907,
            reason: RefundReason::OtherRoomBooked,
            by: RequestedBy::Staff(UserId(Uuid::from_u128(7))),
            booking: Some(BookingChoice::Cancel),
            ask: Some(GrantedAsk {
                ask_id: Uuid::from_u128(5),
                by: UserId(Uuid::from_u128(8)),
            }),
            at: at(),
            note: Sealed::new(Secret("plans changed".to_owned())),
        },
        PaymentEvent::PaymentBookingCancelled {
            subject: terms().subject,
            by: UserId(Uuid::from_u128(7)),
            ask: Some(GrantedAsk {
                ask_id: Uuid::from_u128(5),
                by: UserId(Uuid::from_u128(8)),
            }),
            at: at(),
            note: Sealed::new(Secret("the guest has left".to_owned())),
        },
        PaymentEvent::RefundSent {
            refund_id,
            gateway_refund_id: gateway_refund_id.clone(),
        },
        PaymentEvent::RefundAcknowledged {
            refund_id,
            gateway_refund_id,
            amount_minor: 25_907,
            at: at(),
        },
        PaymentEvent::RefundPaidElsewhere {
            refund_id,
            subject: terms().subject,
            by: UserId(Uuid::from_u128(7)),
            at: at(),
            note: Sealed::new(Secret("by bank transfer".to_owned())),
        },
        PaymentEvent::RefundFailed {
            refund_id,
            amount_minor: 25_907,
            reason: "account_closed".to_owned(),
            at: at(),
        },
    ]
}

#[test]
fn every_shape_of_a_payment_s_events_is_kept() {
    assert_kept::<Payment>(&[steps(), disputes(), messages(), refunds()].concat());
}

#[test]
fn every_shape_of_a_room_stock_s_events_is_kept() {
    let (hold_id, payment_id) = (HoldId(Uuid::from_u128(5)), PaymentId(Uuid::from_u128(6)));
    let expires_at = at() + TimeDelta::minutes(10);
    let identity = UserId(Uuid::from_u128(2));
    assert_kept::<RoomStock>(&[
        RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            stay: Some(terms().stay()),
            capacity: 3,
            expires_at,
            proved: false,
            yields: true,
        },
        RoomStockEvent::HoldExtended {
            hold_id,
            payment_id,
            expires_at,
            by_staff: true,
        },
        RoomStockEvent::HoldShortened {
            hold_id,
            payment_id,
            expires_at,
        },
        RoomStockEvent::HoldKept { hold_id, payment_id },
        RoomStockEvent::HoldReleased { hold_id, payment_id },
        RoomStockEvent::HoldExpired { hold_id, payment_id },
        RoomStockEvent::HoldYielded { hold_id, payment_id },
        RoomStockEvent::RoomSold { hold_id, payment_id },
        RoomStockEvent::RoomTakenBack {
            hold_id,
            payment_id,
            vacated: true,
        },
        RoomStockEvent::WaitlistJoined {
            payment_id,
            lead_id: terms().lead_id,
            home_id: terms().inventory_root_id,
            stay: terms().stay(),
            at: at(),
            time_zone: Some("Asia/Shanghai".into()),
        },
        RoomStockEvent::WaitlistLeft {
            payment_id,
            booked: true,
        },
        RoomStockEvent::PlaceOffered {
            payment_id,
            expires_at,
        },
        RoomStockEvent::PlaceLapsed { payment_id },
        RoomStockEvent::PlaceClosed { payment_id },
        RoomStockEvent::PlaceTaken {
            payment_id,
            by: PaymentId(Uuid::from_u128(7)),
        },
        RoomStockEvent::PlaceMovedUp {
            payment_id,
            by: identity,
            at: at(),
        },
    ]);
}

#[test]
fn every_shape_of_the_gateway_s_events_is_kept() {
    let (at, by) = (at(), UserId(Uuid::from_u128(2)));
    let text = str::to_owned;
    assert_kept::<GatewayEvent>(&[
        GatewayEventEvent::NoticeMatched {
            payment_id: PaymentId(Uuid::from_u128(6)),
            by,
            at,
        },
        GatewayEventEvent::NoticeDismissed {
            reason: DismissReason::OtherSystem,
            by,
            at,
        },
        GatewayEventEvent::NoticeChecked { at },
        GatewayEventEvent::BalanceLineRead(BalanceLine {
            line_id: text("txn_1"),
            kind: text("charge"),
            source: Some(text("ch_1")),
            amount_minor: 25_907,
            fee_minor: 409,
            net_minor: 25_498,
            currency: text("GBP"),
            created_at: at,
            available_at: at,
            payout_id: Some(text("po_1")),
            exchange_rate: Some(text("1.1704")),
        }),
        GatewayEventEvent::PayoutRead(Payout {
            payout_id: text("po_1"),
            amount_minor: 25_498,
            currency: text("GBP"),
            status: text("in_transit"),
            created_at: at,
            arrives_at: at,
            is_by_hand: Some(false),
        }),
    ]);
    assert_kept::<GatewayEvent>(&[GatewayEventEvent::GatewayEventReceived {
        gateway_event_id: "evt_1".to_owned(),
        gateway_event_type: "payment_intent.succeeded".to_owned(),
        object_id: "pi_1".to_owned(),
        payment_id: None,
        set_aside: Some(SetAside {
            reason: SetAsideReason::BeyondPayment,
            named: Some(PaymentId(Uuid::from_u128(6))),
        }),
        subject: UserId(Uuid::from_u128(2)),
        fact: GatewayFact::DisputeOpened {
            dispute_id: "dp_1".to_owned(),
            amount_minor: 25_907,
            fee_minor: Some(1_500),
            reason: "fraudulent".to_owned(),
        },
        raw: Sealed::new(Secret("{}".to_owned())),
    }]);
}
