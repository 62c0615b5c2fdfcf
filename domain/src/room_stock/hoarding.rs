//! What one person, or people without a login, may keep of a house without paying (T19), and how long after a decline (D97).

use super::story::{Stock, autumn, extended, hold_as, noon, offer, payment, sold, taken_by};
use super::*;

/// Somebody with a form but no login asks for one of three rooms.
fn unproved(n: u128) -> RoomStockCommand {
    match hold_as(n, n, noon()) {
        RoomStockCommand::Hold(asked) => RoomStockCommand::Hold(HoldRequest {
            proved: false,
            ..asked
        }),
        other => other,
    }
}

fn unproved_taken(n: u128, stands_back: bool) -> RoomStockEvent {
    match taken_by(n, n) {
        RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            stay,
            capacity,
            expires_at,
            ..
        } => RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            stay,
            capacity,
            expires_at,
            proved: false,
            yields: stands_back,
        },
        other => other,
    }
}

fn yielded(n: u128) -> RoomStockEvent {
    RoomStockEvent::HoldYielded {
        hold_id: HoldId(uuid::Uuid::from_u128(n)),
        payment_id: payment(n),
    }
}

fn declined(n: u128, minutes: i64) -> RoomStockCommand {
    RoomStockCommand::Decline {
        payment_id: payment(n),
        hold_for: TimeDelta::minutes(HOLD_MINUTES),
        at: noon() + TimeDelta::minutes(minutes),
    }
}

/// People without a login keep half of what is not sold for good and the rest until somebody proved asks.
#[test]
fn anonymous_holds_are_capped_at_half_and_yield_to_verified() {
    Stock::with(())
        .given_no_previous_events()
        .when(unproved(1))
        .then_expect_events(vec![unproved_taken(1, false)]);
    Stock::with(())
        .given(vec![unproved_taken(1, false)])
        .when(unproved(2))
        .then_expect_events(vec![unproved_taken(2, true)]);
    Stock::with(())
        .given(vec![taken_by(5, 5), sold(5)])
        .when(unproved(1))
        .then_expect_events(vec![unproved_taken(1, false)]);
    Stock::with(())
        .given(vec![taken_by(5, 5), sold(5), taken_by(6, 6), sold(6)])
        .when(unproved(1))
        .then_expect_events(vec![unproved_taken(1, true)]);
}

/// Rooms that people with a login hold take nothing off the share of those without.
#[test]
fn share_without_a_login_counts_holds_without_a_login() {
    Stock::with(())
        .given(vec![taken_by(5, 5)])
        .when(unproved(1))
        .then_expect_events(vec![unproved_taken(1, false)]);
}

/// Somebody proved gets the room that somebody without a login keeps.
#[test]
fn anonymous_hold_yields_to_a_verified_payer() {
    let full = vec![
        unproved_taken(1, false),
        unproved_taken(2, true),
        unproved_taken(3, true),
    ];
    Stock::with(())
        .given(full.clone())
        .when(unproved(4))
        .then_expect_error(RoomStockRejection::SoldOut);
    Stock::with(())
        .given(full.clone())
        .when(hold_as(4, 4, noon()))
        .then_expect_events(vec![yielded(2), taken_by(4, 4)]);
    let paying = [full, vec![extended(2, 20)]].concat();
    Stock::with(())
        .given(paying)
        .when(hold_as(4, 4, noon()))
        .then_expect_events(vec![yielded(3), taken_by(4, 4)]);
}

#[test]
fn what_stands_back_is_shown_as_free_until_money_is_under_way() {
    let mut stock = crate::aggregate::fold::<RoomStock>([&unproved_taken(1, true)]);
    let open = |stock: &RoomStock| stock.open(autumn(), (1, 1), noon().date_naive());
    assert_eq!((open(&stock), stock.free(autumn(), &offer(1), noon())), (1, 0));
    stock.evolve(&RoomStockEvent::HoldKept {
        hold_id: HoldId(uuid::Uuid::from_u128(1)),
        payment_id: payment(1),
    });
    assert_eq!(open(&stock), 0);
}

/// Two rooms of a house are enough for one person and who only says to be them does not count.
#[test]
fn person_holds_two_rooms_of_a_house_unverified_apart() {
    let own_elsewhere = |proved| match hold_as(2, 7, noon()) {
        RoomStockCommand::Hold(asked) => RoomStockCommand::Hold(HoldRequest {
            proved,
            own_elsewhere: 1,
            ..asked
        }),
        other => other,
    };
    Stock::with(())
        .given(vec![taken_by(1, 7)])
        .when(own_elsewhere(true))
        .then_expect_error(RoomStockRejection::TooManyHolds);
    let stranger = Stock::with(())
        .given(vec![taken_by(1, 7)])
        .when(own_elsewhere(false))
        .inspect_result();
    assert_eq!(stranger.unwrap().len(), 1);
}

/// Ten minutes, extended once: a decline takes nothing off and adds nothing, with a login or without (D97).
#[test]
fn decline_keeps_the_extended_hold() {
    for taken in [taken_by(1, 1), unproved_taken(1, false)] {
        let confirmed = vec![taken, extended(1, 20)];
        for minutes in [1, 4, 12] {
            Stock::with(())
                .given(confirmed.clone())
                .when(declined(1, minutes))
                .then_expect_events(vec![]);
        }
        let again = RoomStockCommand::Extend {
            payment_id: payment(1),
            continues: None,
            by: TimeDelta::minutes(HOLD_MINUTES),
        };
        Stock::with(())
            .given(confirmed)
            .when(again)
            .then_expect_events(vec![]);
    }
}
