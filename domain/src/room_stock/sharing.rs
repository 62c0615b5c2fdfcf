//! Stays that share a night share its rooms, whichever leases a room type was offered with when they were held and sold.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use uuid::Uuid;

use super::story::{
    Stock, autumn, hold_as, hold_for, next_autumn, noon, offer, payment, sold, spring, taken_by,
};
use super::*;
use crate::aggregate::fold;
use crate::inventory::on_offer::OnOffer;
use crate::lease::Lease;

/// The first twelve weeks of the autumn's stay, and eight of its last.
fn term(number: u32) -> Stay {
    let (day, weeks) = if number == 1 {
        ("2027-09-11", 12)
    } else {
        ("2028-05-01", 8)
    };
    Stay {
        move_in: day.parse().unwrap(),
        length: Lease::weeks(weeks),
    }
}

/// So many rooms, let for the autumn and for parts of it.
fn with_terms(rooms: u32) -> OnOffer {
    let terms = [term(1), term(2)].map(|stay| (stay, rooms));
    let mut offer = offer(rooms);
    offer.stays.extend(terms);
    offer
}

fn taken_for(n: u128, stay: Stay, yields: bool) -> RoomStockEvent {
    RoomStockEvent::HoldTaken {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
        identity: UserId(Uuid::from_u128(n)),
        stay: Some(stay),
        capacity: 1,
        expires_at: noon() + TimeDelta::minutes(10),
        proved: !yields,
        yields,
    }
}

fn joined(n: u128, stay: Stay) -> RoomStockEvent {
    RoomStockEvent::WaitlistJoined {
        payment_id: payment(n),
        lead_id: LeadId(Uuid::from_u128(n)),
        home_id: InventoryId(Uuid::from_u128(90)),
        stay,
        at: noon(),
        time_zone: None,
    }
}

/// The student `n` asks for one of these rooms.
fn asking(n: u128, stay: Stay, on_offer: OnOffer) -> RoomStockCommand {
    match hold_for(n, n, stay, noon()) {
        RoomStockCommand::Hold(asked) => RoomStockCommand::Hold(HoldRequest {
            offer: on_offer,
            ..asked
        }),
        other => other,
    }
}

fn story(
    given: Vec<RoomStockEvent>,
    when: RoomStockCommand,
) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
    Stock::with(()).given(given).when(when).inspect_result()
}

fn held(given: Vec<RoomStockEvent>, when: RoomStockCommand) -> Result<usize, RoomStockRejection> {
    story(given, when).map(|events| events.len())
}

fn today() -> NaiveDate {
    noon().date_naive()
}

#[test]
fn leases_that_share_a_night_share_its_rooms() {
    let full = vec![taken_by(1, 1), taken_by(2, 2), taken_by(3, 3)];
    let sold_out = Err(RoomStockRejection::SoldOut);
    assert_eq!(held(full.clone(), hold_as(4, 4, noon())), sold_out);
    assert_eq!(held(full.clone(), hold_for(4, 4, spring(), noon())), sold_out);
    let events = story(full, hold_for(4, 4, next_autumn(), noon())).unwrap();
    assert!(
        matches!(events.as_slice(), [RoomStockEvent::HoldTaken { stay, .. }] if *stay == Some(next_autumn()))
    );
}

#[test]
fn fullest_night_of_a_stay_says_what_is_left() {
    let one_each = [taken_for(1, term(1), false), taken_for(2, term(2), false)];
    let stock = fold::<RoomStock>(&one_each);
    let free = |stay| stock.free(stay, &with_terms(2), noon());
    // Both terms fill one room, one after the other.
    assert_eq!(
        [free(autumn()), free(term(1)), free(term(2)), free(spring())],
        [1, 1, 1, 1]
    );
    let both = [
        one_each.as_slice(),
        &[taken_for(3, term(1), false)],
        &[taken_for(4, term(2), false)],
    ]
    .concat();
    let stock = fold::<RoomStock>(&both);
    let free = |stay| stock.free(stay, &with_terms(3), noon());
    assert_eq!([free(autumn()), free(next_autumn())], [1, 3]);
}

/// Operator's fault: the same file with another move-in day sold a booked room again.
#[test]
fn booked_nights_survive_changed_dates_and_options() {
    let later = Stay {
        move_in: "2027-09-15".parse().unwrap(),
        ..autumn()
    };
    let booked = || vec![taken_by(1, 1), sold(1)];
    for stay in [later, spring(), term(1), term(2)] {
        let refused = held(booked(), asking(2, stay, OnOffer::only(stay, 1)));
        assert_eq!(refused, Err(RoomStockRejection::SoldOut), "{stay:?}");
    }
    let stock = fold::<RoomStock>(&booked());
    assert_eq!(
        stock.room_now(later, &OnOffer::only(later, 1), noon()),
        RoomNow::Sold
    );
    // Taken out of sale nothing is freed either: once it is let again the room is still booked.
    assert_eq!(stock.free(autumn(), &OnOffer::default(), noon()), 0);
    assert_eq!(stock.free(autumn(), &offer(1), noon()), 0);
    let sell = RoomStockCommand::Sell {
        payment_id: payment(3),
        continues: None,
    };
    let held = vec![taken_by(1, 1), sold(1), taken_by(3, 3)];
    assert_eq!(
        story(held, sell),
        Ok(vec![sold(3)]),
        "who holds a room gets it, whatever the catalogue says"
    );
}

#[test]
fn type_with_more_sold_than_rooms_is_closed_and_named() {
    let stock = fold::<RoomStock>(&[
        taken_by(1, 1),
        sold(1),
        taken_for(2, spring(), false),
        sold(2),
        taken_for(3, next_autumn(), false),
        sold(3),
    ]);
    assert_eq!(stock.sold_above(2, today()), []);
    assert_eq!(stock.sold_above(1, today()), [payment(1), payment(2)]);
    assert_eq!(stock.sold_above(0, today()), [1, 2, 3].map(payment));
    assert!(stock.is_oversold(1, today()) && !stock.is_oversold(2, today()));
    let other = term(1);
    let closed = OnOffer {
        rooms: 1,
        stays: BTreeMap::from([(other, 1), (autumn(), 1)]),
    };
    assert_eq!(stock.free(other, &closed, noon()), 0);
    assert!(!stock.is_free_to(None, other, &closed, noon()));
    assert_eq!(stock.open(other, (1, 1), today()), 0);
    assert_eq!(stock.room_now(other, &closed, noon()), RoomNow::Sold);
    // Once both have moved out there are rooms enough.
    let after: NaiveDate = "2028-12-30".parse().unwrap();
    assert!(!stock.is_oversold(1, after));
    assert_eq!(stock.sold_above(1, after), []);
}

#[test]
fn holds_are_named_while_they_last() {
    let stock = fold::<RoomStock>(&[taken_by(1, 1), sold(1), taken_by(2, 2)]);
    let named = |rooms, minutes| stock.taken_above(rooms, noon() + TimeDelta::minutes(minutes));
    assert_eq!(named(1, 0), [payment(1), payment(2)]);
    assert_eq!(named(2, 0), []);
    assert_eq!(named(1, 10), [], "the hold has lapsed");
    assert_eq!(stock.sold_above(1, today()), [], "a hold may end");
    assert_eq!(named(0, 10), [payment(1)]);
}

#[test]
fn stay_takes_no_more_than_its_source_lets_free() {
    let two_of_three = || OnOffer {
        rooms: 3,
        stays: BTreeMap::from([(autumn(), 2), (spring(), 3)]),
    };
    let given = || vec![taken_by(1, 1), sold(1)];
    let stock = fold::<RoomStock>(&given());
    assert_eq!(stock.free(autumn(), &two_of_three(), noon()), 1);
    assert_eq!(stock.free(spring(), &two_of_three(), noon()), 2);
    let full = || [given(), vec![taken_for(2, spring(), false)]].concat();
    assert_eq!(
        held(full(), asking(3, autumn(), two_of_three())),
        Err(RoomStockRejection::SoldOut)
    );
    assert_eq!(held(full(), asking(3, spring(), two_of_three())), Ok(1));
}

/// A room of before stays were written down counts on every night.
#[test]
fn room_taken_without_a_stay_counts_on_every_night() {
    let unsaid = match taken_by(1, 1) {
        RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            capacity,
            expires_at,
            proved,
            yields,
            ..
        } => RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            stay: None,
            capacity,
            expires_at,
            proved,
            yields,
        },
        other => panic!("{other:?}"),
    };
    let stock = fold::<RoomStock>(&[unsaid, sold(1)]);
    for stay in [autumn(), next_autumn()] {
        assert_eq!(stock.free(stay, &offer(1), noon()), 0);
        assert_eq!(stock.free(stay, &offer(2), noon()), 1);
    }
}

/// Of somebody proved who asks for a long stay: each night is freed, and no hold stands back that is in nobody's way.
#[test]
fn holds_stand_back_for_each_night_that_is_full() {
    let yielded = |n| RoomStockEvent::HoldYielded {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: payment(n),
    };
    let given = vec![
        taken_for(1, term(1), true),
        taken_for(2, term(2), true),
        taken_for(3, next_autumn(), true),
    ];
    let events = story(given.clone(), asking(4, autumn(), with_terms(1))).unwrap();
    assert_eq!(events[..2], [yielded(1), yielded(2)]);
    assert!(
        matches!(events[2..], [RoomStockEvent::HoldTaken { payment_id, .. }] if payment_id == payment(4))
    );
    let events = story(given.clone(), asking(4, term(2), with_terms(1))).unwrap();
    assert_eq!(events[..1], [yielded(2)]);
    assert_eq!(events.len(), 2);
    let firm = [given, vec![taken_for(5, term(2), false)]].concat();
    assert_eq!(
        held(firm, asking(4, autumn(), with_terms(1))),
        Err(RoomStockRejection::SoldOut)
    );
}

/// A place keeps a room out of sale where it could have one, and nothing where its nights are taken.
#[test]
fn place_keeps_only_nights_that_it_could_have() {
    let free = || vec![joined(1, autumn())];
    let stranger = |stay| asking(7, stay, with_terms(1));
    assert_eq!(held(free(), stranger(term(1))), Err(RoomStockRejection::SoldOut));
    let taken = || {
        let last_weeks = [taken_for(9, term(2), false), sold(9)];
        [last_weeks.to_vec(), free()].concat()
    };
    assert_eq!(held(taken(), stranger(term(1))), Ok(1));
    assert_eq!(held(taken(), stranger(term(2))), Err(RoomStockRejection::SoldOut));
}

#[test]
fn each_place_is_offered_the_nights_that_are_free() {
    let turn = |rooms| {
        RoomStockCommand::Offer(Turn {
            offer: with_terms(rooms),
            at: noon(),
            until: noon() + TimeDelta::minutes(30),
            ends: BTreeMap::new(),
        })
    };
    let offered = |n| RoomStockEvent::PlaceOffered {
        payment_id: payment(n),
        expires_at: noon() + TimeDelta::minutes(30),
    };
    let places = || vec![joined(1, autumn()), joined(2, term(1)), joined(3, term(2))];
    assert_eq!(story(places(), turn(1)), Ok(vec![offered(1)]));
    assert_eq!(story(places(), turn(2)), Ok([1, 2, 3].map(offered).to_vec()));
    // The first one's last weeks are sold: the second has the nights before them.
    let sold_weeks = [vec![taken_for(9, term(2), false), sold(9)], places()].concat();
    assert_eq!(story(sold_weeks, turn(1)), Ok(vec![offered(2)]));
    let told = [places(), vec![offered(2)]].concat();
    assert_eq!(story(told, turn(1)), Ok(vec![offered(3)]));
}

#[test]
fn places_for_the_same_nights_stand_in_one_queue() {
    let stock = fold::<RoomStock>(&[
        joined(1, autumn()),
        joined(2, next_autumn()),
        joined(3, term(1)),
        joined(4, term(2)),
        joined(5, autumn()),
    ]);
    let numbers = [1, 2, 3, 4, 5].map(|n| stock.waitlist.number(payment(n)));
    assert_eq!(numbers, [Some(1), Some(1), Some(2), Some(2), Some(4)]);
    assert_eq!(stock.waitlist.waiting().count(), 5);
}

/// A payer who holds the last room may choose another length of it.
#[test]
fn own_hold_is_given_up_for_another_stay() {
    let stock = fold::<RoomStock>(&[taken_by(1, 1)]);
    let is_free = |of, stay| stock.is_free_to(of, stay, &with_terms(1), noon());
    for stay in [autumn(), spring(), term(1)] {
        assert!(is_free(Some(payment(1)), stay) && !is_free(Some(payment(2)), stay));
        assert!(!is_free(None, stay));
    }
    let awaited = fold::<RoomStock>(&[taken_by(1, 1), joined(2, autumn())]);
    let is_free = |stay| awaited.is_free_to(Some(payment(1)), stay, &with_terms(1), noon());
    assert!(is_free(autumn()), "its own");
    assert!(
        !is_free(spring()),
        "the room that it gave up would be for who waits"
    );
}
