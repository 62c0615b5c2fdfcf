use chrono::{TimeDelta, TimeZone, Utc};
use cqrs_es::test::TestFramework;
use uuid::Uuid;

use super::*;
use crate::inventory::on_offer::OnOffer;
use crate::lease::Lease;

pub(super) type Stock = TestFramework<RoomStock>;

pub(super) fn noon() -> Moment {
    Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
}

pub(super) fn payment(n: u128) -> PaymentId {
    PaymentId(Uuid::from_u128(n))
}

fn hold(n: u128) -> RoomStockCommand {
    hold_as(n, n, noon())
}

pub(super) fn autumn() -> Stay {
    Stay {
        move_in: "2027-09-11".parse().unwrap(),
        length: Lease::weeks(44),
    }
}

/// As long as the other, a year later: they have no night in common.
pub(super) fn next_autumn() -> Stay {
    Stay {
        move_in: "2028-09-09".parse().unwrap(),
        ..autumn()
    }
}

/// From the middle of the first to its end and beyond.
pub(super) fn spring() -> Stay {
    Stay {
        move_in: "2028-02-01".parse().unwrap(),
        length: Lease::weeks(26),
    }
}

/// So many rooms, let for each of the stays.
pub(super) fn offer(rooms: u32) -> OnOffer {
    OnOffer {
        rooms,
        stays: [autumn(), spring(), next_autumn()]
            .map(|stay| (stay, rooms))
            .into(),
    }
}

pub(super) fn hold_as(n: u128, person: u128, at: Moment) -> RoomStockCommand {
    hold_for(n, person, autumn(), at)
}

pub(super) fn hold_for(n: u128, person: u128, stay: Stay, at: Moment) -> RoomStockCommand {
    RoomStockCommand::Hold(HoldRequest {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
        continues: None,
        lead_id: None,
        identity: UserId(Uuid::from_u128(person)),
        stay,
        proved: true,
        offer: offer(3),
        own_elsewhere: 0,
        at,
        until: at + TimeDelta::minutes(HOLD_MINUTES),
    })
}

fn taken(n: u128) -> RoomStockEvent {
    taken_by(n, n)
}

pub(super) fn taken_by(n: u128, person: u128) -> RoomStockEvent {
    RoomStockEvent::HoldTaken {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
        identity: UserId(Uuid::from_u128(person)),
        stay: Some(autumn()),
        capacity: 3,
        expires_at: noon() + TimeDelta::minutes(10),
        proved: true,
        yields: false,
    }
}

fn expired(n: u128) -> RoomStockEvent {
    RoomStockEvent::HoldExpired {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
    }
}

pub(super) fn sold(n: u128) -> RoomStockEvent {
    RoomStockEvent::RoomSold {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
    }
}

pub(super) fn extended(n: u128, minutes: i64) -> RoomStockEvent {
    RoomStockEvent::HoldExtended {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
        expires_at: noon() + TimeDelta::minutes(minutes),
        by_staff: false,
    }
}

#[test]
fn a_room_is_held_for_ten_minutes() {
    Stock::with(())
        .given_no_previous_events()
        .when(hold(1))
        .then_expect_events(vec![taken(1)]);
}

#[test]
fn asking_twice_for_one_payment_holds_one_room() {
    Stock::with(())
        .given(vec![taken(1)])
        .when(hold(1))
        .then_expect_events(vec![]);
}

#[test]
fn the_fourth_payer_for_three_rooms_is_told_it_is_sold_out() {
    Stock::with(())
        .given(vec![taken(1), taken(2), sold(2), taken(3)])
        .when(hold(4))
        .then_expect_error(RoomStockRejection::SoldOut);
}

#[test]
fn a_lapsed_hold_frees_its_room_for_the_next_payer() {
    let late = noon() + TimeDelta::minutes(10);
    let events = Stock::with(())
        .given(vec![taken(1), taken(2), taken(3)])
        .when(hold_as(4, 4, late))
        .inspect_result()
        .unwrap();
    assert_eq!(events[..3], [expired(1), expired(2), expired(3)]);
    assert!(matches!(events[3], RoomStockEvent::HoldTaken { payment_id, .. } if payment_id == payment(4)));
}

#[test]
fn one_person_holds_at_most_two() {
    Stock::with(())
        .given(vec![taken_by(1, 7), taken_by(2, 7)])
        .when(hold_as(3, 7, noon()))
        .then_expect_error(RoomStockRejection::TooManyHolds);
}

#[test]
fn a_hold_is_extended_once_while_paying() {
    let extended = extended(1, 20);
    let ask = RoomStockCommand::Extend {
        payment_id: payment(1),
        continues: None,
        by: TimeDelta::minutes(HOLD_MINUTES),
    };
    Stock::with(())
        .given(vec![taken(1)])
        .when(ask.clone())
        .then_expect_events(vec![extended.clone()]);
    Stock::with(())
        .given(vec![taken(1), extended])
        .when(ask)
        .then_expect_events(vec![]);
}

#[test]
fn a_pending_payment_keeps_its_room_past_the_ten_minutes() {
    let kept = RoomStockEvent::HoldKept {
        hold_id: HoldId(Uuid::from_u128(1)),
        payment_id: payment(1),
    };
    let expire = RoomStockCommand::Expire {
        at: noon() + TimeDelta::days(3),
        latest: noon() + TimeDelta::days(4),
    };
    Stock::with(())
        .given(vec![taken(1), kept])
        .when(expire)
        .then_expect_events(vec![]);
}

fn declined(n: u128, at: Moment) -> RoomStockCommand {
    RoomStockCommand::Decline {
        payment_id: payment(n),
        hold_for: TimeDelta::minutes(HOLD_MINUTES),
        at,
    }
}

#[test]
fn a_declined_delayed_payment_has_ten_minutes_more() {
    let kept = RoomStockEvent::HoldKept {
        hold_id: HoldId(Uuid::from_u128(1)),
        payment_id: payment(1),
    };
    let at = noon() + TimeDelta::days(3);
    let limited = RoomStockEvent::HoldExtended {
        hold_id: HoldId(Uuid::from_u128(1)),
        payment_id: payment(1),
        expires_at: at + TimeDelta::minutes(10),
        by_staff: false,
    };
    Stock::with(())
        .given(vec![taken(1), kept])
        .when(declined(1, at))
        .then_expect_events(vec![limited]);
}

#[test]
fn only_lapsed_holds_expire() {
    let at = noon() + TimeDelta::minutes(10);
    let early = RoomStockCommand::Expire {
        at: at - TimeDelta::microseconds(1),
        latest: at,
    };
    Stock::with(())
        .given(vec![taken(1)])
        .when(early)
        .then_expect_events(vec![]);
    let due = RoomStockCommand::Expire { at, latest: at };
    Stock::with(())
        .given(vec![taken(1), sold(1), taken(2)])
        .when(due)
        .then_expect_events(vec![expired(2)]);
}

/// A hold that was taken by a clock far ahead ends once the clock is right.
#[test]
fn hold_taken_by_a_fast_clock_ends_once_the_clock_is_right() {
    let right = noon() - TimeDelta::days(40);
    let expire = RoomStockCommand::Expire {
        at: right,
        latest: right + TimeDelta::days(1),
    };
    Stock::with(())
        .given(vec![taken(1)])
        .when(expire)
        .then_expect_events(vec![expired(1)]);
}

/// A room is sold once to the payment that holds it and to nobody else.
#[test]
fn room_is_sold_once_to_the_payment_that_holds_it() {
    let sell = |n| RoomStockCommand::Sell {
        payment_id: payment(n),
        continues: None,
    };
    Stock::with(())
        .given(vec![taken(1)])
        .when(sell(1))
        .then_expect_events(vec![sold(1)]);
    Stock::with(())
        .given(vec![taken(1), sold(1)])
        .when(sell(1))
        .then_expect_events(vec![]);
    Stock::with(())
        .given(vec![taken(1), expired(1)])
        .when(sell(1))
        .then_expect_error(RoomStockRejection::NoHold);
}

#[test]
fn a_released_room_is_free_again() {
    let release = RoomStockCommand::Release {
        payment_id: payment(1),
    };
    let released = RoomStockEvent::HoldReleased {
        hold_id: HoldId(Uuid::from_u128(1)),
        payment_id: payment(1),
    };
    Stock::with(())
        .given(vec![taken(1)])
        .when(release.clone())
        .then_expect_events(vec![released.clone()]);
    Stock::with(())
        .given(vec![taken(1), released])
        .when(release)
        .then_expect_events(vec![]);
}

fn sold_as(n: u128, hold: u128) -> RoomStockEvent {
    RoomStockEvent::RoomSold {
        hold_id: HoldId(Uuid::from_u128(hold)),
        payment_id: payment(n),
    }
}

fn taken_back(n: u128, hold: u128, vacated: bool) -> RoomStockEvent {
    RoomStockEvent::RoomTakenBack {
        hold_id: HoldId(Uuid::from_u128(hold)),
        payment_id: payment(n),
        vacated,
    }
}

#[test]
fn a_second_payment_for_a_booking_needs_no_second_room() {
    let last = vec![taken(1), sold(1), taken(2), sold(2), taken(3), sold(3)];
    let continued = |at| match hold_as(4, 1, at) {
        RoomStockCommand::Hold(asked) => RoomStockCommand::Hold(HoldRequest {
            continues: Some(payment(1)),
            ..asked
        }),
        other => other,
    };
    Stock::with(())
        .given(last.clone())
        .when(continued(noon()))
        .then_expect_events(vec![]);
    let sell = RoomStockCommand::Sell {
        payment_id: payment(4),
        continues: Some(payment(1)),
    };
    Stock::with(())
        .given(last.clone())
        .when(sell)
        .then_expect_events(vec![sold_as(4, 1)]);
    let take_back = |n| RoomStockCommand::TakeBack {
        payment_id: payment(n),
    };
    let both = [last, vec![sold_as(4, 1)]].concat();
    Stock::with(())
        .given(both.clone())
        .when(take_back(1))
        .then_expect_events(vec![taken_back(1, 1, false)]);
    Stock::with(())
        .given([both, vec![taken_back(1, 1, false)]].concat())
        .when(take_back(4))
        .then_expect_events(vec![taken_back(4, 1, true)]);
}

#[test]
fn a_room_taken_back_can_be_held_again() {
    let full = vec![taken(1), sold(1), taken(2), taken(3), taken_back(1, 1, true)];
    Stock::with(())
        .given(full.clone())
        .when(hold(4))
        .then_expect_events(vec![taken(4)]);
    Stock::with(())
        .given(full)
        .when(RoomStockCommand::TakeBack {
            payment_id: payment(1),
        })
        .then_expect_events(vec![]);
}

#[test]
fn rooms_of_a_stay_are_free_held_or_sold() {
    let now = |events: &[RoomStockEvent], rooms| {
        crate::aggregate::fold::<RoomStock>(events).room_now(autumn(), &offer(rooms), noon())
    };
    let held = RoomNow::Held {
        until: Some(noon() + TimeDelta::minutes(10)),
    };
    for (events, capacity, wanted, name) in [
        (vec![], 3, RoomNow::Free, "free"),
        (vec![taken(1)], 3, RoomNow::Free, "free"),
        (vec![taken(1)], 1, held, "held"),
        (vec![taken(1), sold(1)], 1, RoomNow::Sold, "sold"),
    ] {
        let found = now(&events, capacity);
        assert_eq!((found, found.name()), (wanted, name), "{events:?} of {capacity}");
    }
}

#[test]
fn the_timer_waits_for_the_first_hold_that_ends() {
    let expiry = |events: &[RoomStockEvent]| crate::aggregate::fold::<RoomStock>(events).next_expiry();
    assert_eq!(expiry(&[]), None);
    assert_eq!(
        expiry(&[taken(1), extended(1, 20), taken(2)]),
        Some(noon() + TimeDelta::minutes(10))
    );
}
