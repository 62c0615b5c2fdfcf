//! Who waits for a room that is sold out: first come, first served, and a room that comes free is for the first alone (D141,
//! decision 0022).

use std::collections::BTreeMap;

use super::story::{Stock, autumn, next_autumn, noon, offer, payment, sold, taken_by};
use super::*;

fn lead(n: u128) -> LeadId {
    LeadId(uuid::Uuid::from_u128(n))
}

fn home() -> InventoryId {
    InventoryId(uuid::Uuid::from_u128(90))
}

fn staff() -> UserId {
    UserId(uuid::Uuid::from_u128(70))
}

fn minutes(minutes: i64) -> Moment {
    noon() + TimeDelta::minutes(minutes)
}

/// The student `n` asks to wait, with the payment `n` that found no room, where the house has one.
fn join(n: u128) -> JoinRequest {
    JoinRequest {
        payment_id: payment(n),
        lead_id: lead(n),
        home_id: home(),
        stay: autumn(),
        offer: offer(1),
        open_places: 0,
        time_zone: "Asia/Shanghai".to_owned(),
        at: noon(),
    }
}

fn joined_for(n: u128, stay: Stay) -> RoomStockEvent {
    RoomStockEvent::WaitlistJoined {
        payment_id: payment(n),
        lead_id: lead(n),
        home_id: home(),
        stay,
        at: noon(),
        time_zone: Some("Asia/Shanghai".to_owned()),
    }
}

fn joined(n: u128) -> RoomStockEvent {
    joined_for(n, autumn())
}

fn offered(n: u128, until: i64) -> RoomStockEvent {
    RoomStockEvent::PlaceOffered {
        payment_id: payment(n),
        expires_at: minutes(until),
    }
}

fn lapsed(n: u128) -> RoomStockEvent {
    RoomStockEvent::PlaceLapsed {
        payment_id: payment(n),
    }
}

fn closed(n: u128) -> RoomStockEvent {
    RoomStockEvent::PlaceClosed {
        payment_id: payment(n),
    }
}

fn left(n: u128, booked: bool) -> RoomStockEvent {
    RoomStockEvent::WaitlistLeft {
        payment_id: payment(n),
        booked,
    }
}

fn used(n: u128, by: u128) -> RoomStockEvent {
    RoomStockEvent::PlaceTaken {
        payment_id: payment(n),
        by: payment(by),
    }
}

fn moved_up(n: u128) -> RoomStockEvent {
    RoomStockEvent::PlaceMovedUp {
        payment_id: payment(n),
        by: staff(),
        at: noon(),
    }
}

fn back(n: u128) -> RoomStockEvent {
    RoomStockEvent::RoomTakenBack {
        hold_id: HoldId(uuid::Uuid::from_u128(n)),
        payment_id: payment(n),
        vacated: true,
    }
}

/// The only room of the house is sold to the payment 9.
fn sold_out() -> Vec<RoomStockEvent> {
    vec![taken_by(9, 9), sold(9)]
}

fn waiting(places: &[RoomStockEvent]) -> RoomStock {
    crate::aggregate::fold::<RoomStock>(sold_out().iter().chain(places))
}

/// The payments of a queue, next first.
fn order(stock: &RoomStock, stay: Stay) -> Vec<PaymentId> {
    let queue = stock.waitlist.queue(stay);
    queue.into_iter().map(|place| place.payment_id).collect()
}

fn hold_by(n: u128, of: u128, rooms: u32) -> RoomStockCommand {
    RoomStockCommand::Hold(HoldRequest {
        hold_id: HoldId(uuid::Uuid::from_u128(n)),
        payment_id: payment(n),
        continues: None,
        lead_id: Some(lead(of)),
        identity: UserId(uuid::Uuid::from_u128(n)),
        stay: autumn(),
        proved: true,
        offer: offer(rooms),
        own_elsewhere: 0,
        at: noon(),
        until: minutes(HOLD_MINUTES),
    })
}

fn turn(rooms: u32) -> Turn {
    Turn {
        offer: offer(rooms),
        at: noon(),
        until: minutes(30),
        ends: BTreeMap::new(),
    }
}

fn story(
    given: Vec<RoomStockEvent>,
    when: RoomStockCommand,
) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
    Stock::with(()).given(given).when(when).inspect_result()
}

#[test]
fn one_waits_only_for_what_is_sold_out() {
    let ask = RoomStockCommand::Join(join(1));
    assert_eq!(story(sold_out(), ask.clone()), Ok(vec![joined(1)]));
    assert_eq!(
        story(vec![joined_for(2, next_autumn())], ask.clone()),
        Err(RoomStockRejection::RoomFree)
    );
    // The room that came free is the first one's: whoever comes now waits behind.
    let promised = [sold_out(), vec![joined(2), back(9)]].concat();
    assert_eq!(story(promised, ask), Ok(vec![joined(1)]));
}

#[test]
fn an_enquiry_waits_once_for_a_stay() {
    let waits = |places: Vec<RoomStockEvent>, asked| {
        story([sold_out(), places].concat(), RoomStockCommand::Join(asked)).map(|events| events.len())
    };
    assert_eq!(waits(vec![joined(1)], join(1)), Ok(0));
    // Its next payment for the same stay, and one for other dates.
    let again = || JoinRequest {
        payment_id: payment(2),
        ..join(1)
    };
    assert_eq!(waits(vec![joined(1)], again()), Ok(0));
    assert_eq!(waits(vec![joined_for(1, next_autumn())], again()), Ok(1));
    assert_eq!(waits(vec![joined(1), left(1, false)], again()), Ok(1));
    // A payment has one place ever.
    assert_eq!(waits(vec![joined(1), left(1, false)], join(1)), Ok(0));
    assert_eq!(waits(vec![joined(3)], again()), Ok(1));
}

#[test]
fn a_person_waits_for_five_rooms_at_most() {
    let ask = |open_places| {
        let asked = JoinRequest {
            open_places,
            ..join(1)
        };
        story(sold_out(), RoomStockCommand::Join(asked)).map(|events| events.len())
    };
    assert_eq!(ask(4), Ok(1));
    assert_eq!(ask(5), Err(RoomStockRejection::TooManyPlaces));
    assert_eq!(ask(6), Err(RoomStockRejection::TooManyPlaces));
}

#[test]
fn places_are_numbered_in_the_order_they_were_taken() {
    let stock = waiting(&[joined(1), joined_for(2, next_autumn()), joined(3), joined(4)]);
    assert_eq!(order(&stock, autumn()), [payment(1), payment(3), payment(4)]);
    let number = |stock: &RoomStock, n| stock.waitlist.number(payment(n));
    let numbers = [1, 2, 3, 4, 5].map(|n| number(&stock, n));
    assert_eq!(numbers, [Some(1), Some(1), Some(2), Some(3), None]);
    for over in [left(1, false), left(1, true), lapsed(1), closed(1), used(1, 8)] {
        let stock = waiting(&[joined(1), joined(3), over]);
        assert_eq!((number(&stock, 1), number(&stock, 3)), (None, Some(1)));
    }
}

#[test]
fn staff_moves_a_waiting_place_to_the_front_once() {
    let ask = |n| RoomStockCommand::MoveUp {
        payment_id: payment(n),
        by: staff(),
        at: noon(),
    };
    let places = |more: &[RoomStockEvent]| [&[joined(1), joined(2), joined(3)][..], more].concat();
    assert_eq!(story(places(&[]), ask(3)), Ok(vec![moved_up(3)]));
    assert_eq!(story(places(&[moved_up(3)]), ask(3)), Ok(vec![]));
    assert_eq!(story(places(&[offered(3, 30)]), ask(3)), Ok(vec![]));
    for over in [left(3, false), left(3, true), lapsed(3), closed(3), used(3, 8)] {
        assert_eq!(story(places(&[over]), ask(3)), Err(RoomStockRejection::NoPlace));
    }
    assert_eq!(story(places(&[]), ask(4)), Err(RoomStockRejection::NoPlace));
}

/// Before all that were not moved, in the order of the moves; who is offered a room comes before them.
#[test]
fn moved_places_stand_in_the_order_of_the_moves() {
    let places = [
        joined(1),
        joined(2),
        joined(3),
        joined(4),
        moved_up(3),
        moved_up(2),
    ];
    let stock = waiting(&places);
    let ids = |ids: [u128; 4]| ids.map(payment);
    assert_eq!(order(&stock, autumn()), ids([3, 2, 1, 4]));
    let stock = waiting(&[&places[..], &[offered(4, 30)]].concat());
    assert_eq!(order(&stock, autumn()), ids([4, 3, 2, 1]));
}

#[test]
fn a_free_room_is_offered_to_the_first_place_alone() {
    let given = || [sold_out(), vec![joined(1), joined(2), back(9)]].concat();
    let offers = |turn| RoomStockCommand::Offer(turn);
    assert_eq!(story(given(), offers(turn(1))), Ok(vec![offered(1, 30)]));
    assert_eq!(
        story(given(), offers(turn(2))),
        Ok(vec![offered(1, 30), offered(2, 30)])
    );
    let told = || [given(), vec![offered(1, 30)]].concat();
    assert_eq!(
        story(told(), offers(turn(1))),
        Ok(vec![]),
        "it is offered already"
    );
    assert_eq!(story(told(), offers(turn(2))), Ok(vec![offered(2, 30)]));
    let passed = [told(), vec![lapsed(1)]].concat();
    assert_eq!(story(passed, offers(turn(1))), Ok(vec![offered(2, 30)]));
    let none_free = [sold_out(), vec![joined(1)]].concat();
    assert_eq!(story(none_free, offers(turn(1))), Ok(vec![]));
}

/// U1: never before the student's own next morning, and never sooner than three holds.
#[test]
fn an_offer_ends_at_the_student_s_own_hour() {
    let ends = |own| {
        let turn = Turn {
            ends: BTreeMap::from([(payment(1), minutes(own))]),
            ..turn(1)
        };
        story(vec![joined(1)], RoomStockCommand::Offer(turn))
    };
    assert_eq!(ends(600), Ok(vec![offered(1, 600)]));
    assert_eq!(ends(20), Ok(vec![offered(1, 30)]));
}

/// The offered room is held for the enquiry that waited, by its next payment; others find nothing.
#[test]
fn an_offered_room_is_for_its_enquiry_alone() {
    let given = || [sold_out(), vec![joined(1), joined(2), back(9), offered(1, 30)]].concat();
    let taken = story(given(), hold_by(5, 1, 1)).unwrap();
    assert!(matches!(taken[0], RoomStockEvent::HoldTaken { payment_id, .. } if payment_id == payment(5)));
    assert_eq!(taken[1..], [used(1, 5)]);
    for stranger in [2, 3] {
        let refused = story(given(), hold_by(5, stranger, 1));
        assert_eq!(refused, Err(RoomStockRejection::SoldOut));
    }
    let no_enquiry = RoomStockCommand::Hold(match hold_by(5, 1, 1) {
        RoomStockCommand::Hold(asked) => HoldRequest {
            lead_id: None,
            ..asked
        },
        other => panic!("{other:?}"),
    });
    assert_eq!(story(given(), no_enquiry), Err(RoomStockRejection::SoldOut));
}

/// Who was offered a room need not wait behind those who were not; another offer stays another's.
#[test]
fn each_offer_keeps_one_room() {
    let two_offers = || vec![joined(1), joined(2), joined(3), offered(1, 30), offered(2, 30)];
    assert_eq!(
        story(two_offers(), hold_by(5, 1, 1)),
        Err(RoomStockRejection::SoldOut),
        "the one room may be the other's"
    );
    assert_eq!(
        story(two_offers(), hold_by(5, 1, 2)).map(|events| events.len()),
        Ok(2)
    );
    // Of two rooms the first waits for the place, the second is for anybody.
    assert_eq!(
        story(vec![joined(1)], hold_by(5, 7, 1)),
        Err(RoomStockRejection::SoldOut)
    );
    assert_eq!(
        story(vec![joined(1)], hold_by(5, 7, 2)).map(|events| events.len()),
        Ok(1)
    );
    assert_eq!(
        story(vec![joined_for(1, next_autumn())], hold_by(5, 7, 1)).map(|events| events.len()),
        Ok(1)
    );
}

#[test]
fn home_that_closes_ends_each_place_once() {
    let given = vec![joined(1), joined(2), joined(3), offered(1, 30), left(3, false)];
    let ended = vec![closed(1), closed(2)];
    assert_eq!(
        story(given.clone(), RoomStockCommand::ClosePlaces),
        Ok(ended.clone())
    );
    let over = [given, ended].concat();
    assert!(order(&waiting(&over), autumn()).is_empty());
    assert_eq!(story(over, RoomStockCommand::ClosePlaces), Ok(vec![]));
}

#[test]
fn an_offer_that_nobody_takes_lapses_at_its_end() {
    let expire = |at| RoomStockCommand::Expire {
        at,
        latest: at + TimeDelta::days(1),
    };
    let given = || vec![joined(1), joined(2), offered(1, 30)];
    assert_eq!(
        story(given(), expire(minutes(30) - TimeDelta::microseconds(1))),
        Ok(vec![])
    );
    assert_eq!(story(given(), expire(minutes(30))), Ok(vec![lapsed(1)]));
}

#[test]
fn a_place_is_given_back_once() {
    let leave = |booked| RoomStockCommand::Leave {
        payment_id: payment(1),
        booked,
    };
    for booked in [true, false] {
        assert_eq!(story(vec![joined(1)], leave(booked)), Ok(vec![left(1, booked)]));
        assert_eq!(story(vec![joined(1), left(1, false)], leave(booked)), Ok(vec![]));
        assert_eq!(story(vec![joined(2)], leave(booked)), Ok(vec![]));
    }
}

#[test]
fn a_place_is_called_by_what_became_of_it() {
    let until = minutes(30);
    let state = |more: &[RoomStockEvent]| {
        let stock = waiting(&[&[joined(1)][..], more].concat());
        stock.waitlist.place(payment(1)).unwrap().clone()
    };
    for (more, name, offered_until) in [
        (vec![], "waiting", None),
        (vec![offered(1, 30)], "offered", Some(until)),
        (vec![offered(1, 30), used(1, 5)], "taken", None),
        (vec![offered(1, 30), lapsed(1)], "lapsed", None),
        (vec![left(1, false)], "left", None),
        (vec![left(1, true)], "booked", None),
    ] {
        let place = state(&more);
        assert_eq!((place.state.name(), place.offered_until()), (name, offered_until));
        assert!(PlaceState::NAMES.contains(&name));
        assert_eq!(place.is_alive(), ["waiting", "offered"].contains(&name), "{name}");
    }
}

/// An offered room is not free to others, and is held until the offer ends.
#[test]
fn an_offered_room_reads_as_held_until_the_offer_ends() {
    let stock = crate::aggregate::fold::<RoomStock>(&[
        joined(1),
        joined_for(2, next_autumn()),
        offered(2, 10),
        offered(1, 30),
    ]);
    let held = RoomNow::Held {
        until: Some(minutes(30)),
    };
    assert_eq!(stock.room_now(autumn(), &offer(1), noon()), held);
    assert_eq!(stock.room_now(autumn(), &offer(2), noon()), RoomNow::Free);
}
