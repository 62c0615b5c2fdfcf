//! How long a hold lasts: ten minutes, twenty once Pay was pressed, more by staff once, without an end while a bank decides (D97).

use super::story::{Stock, autumn, extended, next_autumn, noon, offer, payment, sold, taken_by};
use super::*;

fn minutes(minutes: i64) -> Moment {
    noon() + TimeDelta::minutes(minutes)
}

fn by_staff(minutes_at: i64) -> RoomStockCommand {
    RoomStockCommand::ExtendByStaff {
        payment_id: payment(1),
        by: TimeDelta::minutes(15),
        at: minutes(minutes_at),
    }
}

fn extended_by_staff(until: i64) -> RoomStockEvent {
    RoomStockEvent::HoldExtended {
        hold_id: HoldId(uuid::Uuid::from_u128(1)),
        payment_id: payment(1),
        expires_at: minutes(until),
        by_staff: true,
    }
}

fn make_kept_event() -> RoomStockEvent {
    RoomStockEvent::HoldKept {
        hold_id: HoldId(uuid::Uuid::from_u128(1)),
        payment_id: payment(1),
    }
}

fn press() -> RoomStockCommand {
    RoomStockCommand::Extend {
        payment_id: payment(1),
        continues: None,
        by: TimeDelta::minutes(HOLD_MINUTES),
    }
}

fn story(
    given: Vec<RoomStockEvent>,
    when: RoomStockCommand,
) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
    Stock::with(()).given(given).when(when).inspect_result()
}

#[test]
fn staff_adds_time_once_beside_the_payer_s_own() {
    let taken = || vec![taken_by(1, 1)];
    assert_eq!(story(taken(), by_staff(0)), Ok(vec![extended_by_staff(25)]));
    let more = [taken(), vec![extended_by_staff(25)]].concat();
    assert_eq!(
        story(more.clone(), by_staff(0)),
        Err(RoomStockRejection::ExtendedAlready)
    );
    // The payer's own ten minutes are still theirs, and count from the later end.
    assert_eq!(story(more, press()), Ok(vec![extended(1, 35)]));
    let pressed = [taken(), vec![extended(1, 20)]].concat();
    assert_eq!(story(pressed, by_staff(0)), Ok(vec![extended_by_staff(35)]));
}

#[test]
fn staff_adds_no_time_to_what_is_over_or_has_no_end() {
    let no_hold = Err(RoomStockRejection::NoHold);
    assert_eq!(
        story(vec![taken_by(1, 1)], by_staff(10)),
        no_hold,
        "it has just ended"
    );
    assert_eq!(
        story(vec![taken_by(1, 1)], by_staff(9)).map(|events| events.len()),
        Ok(1)
    );
    assert_eq!(
        story(vec![taken_by(1, 1), make_kept_event()], by_staff(0)),
        no_hold
    );
    assert_eq!(story(vec![], by_staff(0)), no_hold);
}

#[test]
fn a_booked_room_needs_no_more_time() {
    let booked = || vec![taken_by(1, 1), sold(1)];
    assert_eq!(story(booked(), press()), Ok(vec![]));
    let deposit = RoomStockCommand::Extend {
        payment_id: payment(2),
        continues: Some(payment(1)),
        by: TimeDelta::minutes(HOLD_MINUTES),
    };
    assert_eq!(story(booked(), deposit.clone()), Ok(vec![]));
    assert_eq!(story(vec![], deposit), Err(RoomStockRejection::NoHold));
    assert_eq!(
        story(vec![taken_by(1, 1), make_kept_event()], press()),
        Ok(vec![]),
        "it has no end"
    );
}

#[test]
fn a_slow_method_keeps_its_hold_once() {
    let keep = || RoomStockCommand::Keep {
        payment_id: payment(1),
    };
    assert_eq!(story(vec![taken_by(1, 1)], keep()), Ok(vec![make_kept_event()]));
    assert_eq!(story(vec![taken_by(1, 1), make_kept_event()], keep()), Ok(vec![]));
    assert_eq!(story(vec![taken_by(1, 1), sold(1)], keep()), Ok(vec![]));
    assert_eq!(story(vec![], keep()), Err(RoomStockRejection::NoHold));
}

/// In logs of before decision 0022 a decline took off what confirming had added: the payer may press again.
#[test]
fn an_older_shortened_hold_is_extended_anew() {
    let shortened = RoomStockEvent::HoldShortened {
        hold_id: HoldId(uuid::Uuid::from_u128(1)),
        payment_id: payment(1),
        expires_at: minutes(10),
    };
    let given = vec![taken_by(1, 1), extended(1, 20), shortened];
    assert_eq!(story(given.clone(), press()), Ok(vec![extended(1, 20)]));
    let stock = crate::aggregate::fold::<RoomStock>(&given);
    assert_eq!(stock.holds[&payment(1)].own_end, None);
    assert_eq!(stock.next_expiry(), Some(minutes(10)));
}

#[test]
fn an_extended_hold_remembers_its_own_end() {
    let own_end =
        |events: &[RoomStockEvent]| crate::aggregate::fold::<RoomStock>(events).holds[&payment(1)].own_end;
    assert_eq!(own_end(&[taken_by(1, 1), extended(1, 20)]), Some(minutes(10)));
    assert_eq!(own_end(&[taken_by(1, 1), extended_by_staff(25)]), None);
}

/// No hold taken by a right clock ends later than the latest end that there can be.
#[test]
fn a_hold_that_ends_at_the_latest_moment_stands() {
    let expire = |latest| RoomStockCommand::Expire { at: noon(), latest };
    assert_eq!(story(vec![taken_by(1, 1)], expire(minutes(10))), Ok(vec![]));
    let too_late = story(vec![taken_by(1, 1)], expire(minutes(9)));
    assert_eq!(too_late.map(|events| events.len()), Ok(1));
}

#[test]
fn a_held_room_names_the_first_end() {
    let now = |events: &[RoomStockEvent], at| {
        let now = crate::aggregate::fold::<RoomStock>(events).room_now(autumn(), &offer(2), at);
        (now.name(), now.held_until())
    };
    let both = [taken_by(1, 1), extended(1, 20), taken_by(2, 2)];
    assert_eq!(now(&both, noon()), ("held", Some(minutes(10))));
    // The second lapses, and its room is free again.
    assert_eq!(now(&both, minutes(10)), ("free", None));
    assert_eq!(
        now(
            &[taken_by(1, 1), make_kept_event(), taken_by(2, 2), sold(2)],
            noon()
        ),
        ("held", None)
    );
    assert_eq!(
        now(&[taken_by(1, 1), sold(1), taken_by(2, 2), sold(2)], noon()),
        ("sold", None)
    );
}

/// Another stay's rooms, and a hold that has lapsed, do not say until when this one is held.
#[test]
fn holds_of_other_dates_say_nothing_of_this_stay() {
    let stock = crate::aggregate::fold::<RoomStock>(&[taken_by(1, 1), extended(1, 20)]);
    assert_eq!(stock.room_now(next_autumn(), &offer(1), noon()), RoomNow::Free);
    assert_eq!(
        stock.holds_of(UserId(uuid::Uuid::from_u128(1)), true, minutes(19)),
        1
    );
    assert_eq!(
        stock.holds_of(UserId(uuid::Uuid::from_u128(1)), true, minutes(20)),
        0
    );
    assert_eq!(stock.holds_of(UserId(uuid::Uuid::from_u128(1)), false, noon()), 0);
    assert_eq!(stock.holds_of(UserId(uuid::Uuid::from_u128(2)), true, noon()), 0);
}

/// Paid for by two payments under one hold, it is one room of that stay, and the hold of other dates does not lower this stay's share.
#[test]
fn a_booking_s_second_payment_is_of_the_same_stay() {
    let other = match taken_by(4, 4) {
        RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            capacity,
            proved,
            yields,
            ..
        } => RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            stay: Some(next_autumn()),
            capacity,
            expires_at: minutes(5),
            proved,
            yields,
        },
        other => panic!("{other:?}"),
    };
    let deposit = RoomStockEvent::RoomSold {
        hold_id: HoldId(uuid::Uuid::from_u128(1)),
        payment_id: payment(2),
    };
    let given = [taken_by(1, 1), other.clone(), sold(4), sold(1), deposit];
    let stock = crate::aggregate::fold::<RoomStock>(&given);
    assert_eq!(stock.sold[&payment(2)].stay, Some(autumn()));
    assert_eq!(
        [autumn(), next_autumn()].map(|stay| stock.free(stay, &offer(3), noon())),
        [2, 2]
    );
    let both = crate::aggregate::fold::<RoomStock>(&[taken_by(1, 1), other]);
    let held = RoomNow::Held {
        until: Some(minutes(10)),
    };
    assert_eq!(
        both.room_now(autumn(), &offer(1), noon()),
        held,
        "by the hold of these dates"
    );
}
