//! The number of rooms of a type: said, kept, folded from lists of before rooms were counted, and changed by a person.

use uuid::Uuid;

use super::let_room::LeaseOption;
use super::on_offer::OnOffer;
use super::tests::{adopt, after, day, lease, property, room};
use super::*;
use crate::aggregate::fold;
use crate::id::{PaymentId, UserId};
use crate::lease::Lease;

fn let_for(weeks: u16, rooms_available: u32) -> LeaseOption {
    LeaseOption {
        length: Lease::weeks(weeks),
        ..lease(28_900, rooms_available)
    }
}

fn from(month: u32, weeks: u16, rooms_available: u32) -> LeaseOption {
    LeaseOption {
        move_in: day(2028, month, 8),
        ..let_for(weeks, rooms_available)
    }
}

fn said(rooms: u32, leases: Vec<LeaseOption>) -> InventoryCommand {
    let offer = RoomOffer {
        rooms: Some(rooms),
        is_count_said: true,
        leases,
    };
    InventoryCommand::OfferLeases {
        room: room(2).id,
        offer,
    }
}

fn unsaid(leases: Vec<LeaseOption>) -> InventoryCommand {
    InventoryCommand::OfferLeases {
        room: room(2).id,
        offer: leases.into(),
    }
}

fn listed(more: Vec<InventoryCommand>) -> Inventory {
    let first = adopt(vec![(room(2), vec![let_for(44, 3)])]);
    after([vec![first], more].concat())
}

/// Counts a list of before: the rooms there are, and how many of them each lease may take.
fn counted(leases: &[LeaseOption]) -> (u32, Vec<u32>) {
    let (rooms, shared) = counted_rooms(0, None, leases);
    let most = shared.iter().map(|lease| lease.rooms_available);
    (rooms, most.collect())
}

#[test]
fn leases_of_old_lists_share_what_they_let_together() {
    assert_eq!(counted(&[]), (0, vec![]));
    assert_eq!(counted(&[let_for(44, 4)]), (4, vec![4]));
    // All of the shorter one's nights are the longer one's too; the summer is its own.
    assert_eq!(counted(&[let_for(44, 3), let_for(51, 2)]), (5, vec![5, 2]));
    // A third one begins in January: what is let until then is less.
    let three = [let_for(44, 3), let_for(51, 2), from(1, 26, 4)];
    assert_eq!(counted(&three), (9, vec![5, 2, 9]));
    // Another season is let anew.
    assert_eq!(counted(&[let_for(44, 2), from(9, 44, 6)]), (6, vec![2, 6]));
    // One that is sold out stays sold out.
    assert_eq!(counted(&[let_for(44, 0), let_for(51, 2)]), (2, vec![0, 2]));
}

#[test]
fn lists_of_today_say_how_many_rooms_there_are() {
    let leases = vec![let_for(44, 3), let_for(51, 2)];
    assert_eq!(counted_rooms(7, Some(4), &leases), (4, leases.clone()));
}

#[test]
fn old_price_list_is_counted_when_it_is_folded() {
    let listed = InventoryEvent::RoomListed {
        room: room(2),
        is_said: false,
        set: vec![],
    };
    let old = InventoryEvent::RoomPriced {
        room: room(2).id,
        rooms: None,
        is_count_said: None,
        leases: vec![let_for(44, 3), let_for(51, 2)],
        set: vec![],
    };
    // Next year's list lets one room: those of this year are still there.
    let next = InventoryEvent::RoomPriced {
        room: room(2).id,
        rooms: None,
        is_count_said: None,
        leases: vec![from(9, 44, 1)],
        set: vec![],
    };
    let later = fold::<Inventory>(&[listed.clone(), old.clone(), next]);
    assert_eq!((later.rooms[0].rooms, later.rooms[0].rooms_available()), (5, 1));
    let home = fold::<Inventory>(&[listed, old]);
    assert_eq!(home.rooms[0].rooms, 5);
    let offer = home.rooms[0].on_offer();
    let capacity = |weeks| offer.capacity(let_for(weeks, 0).stay());
    assert_eq!([capacity(44), capacity(51), capacity(12)], [5, 2, 0]);
}

#[test]
fn unsaid_count_never_shrinks_and_bounds_nothing() {
    let rooms = |more| listed(more).rooms[0].rooms;
    assert_eq!(rooms(vec![]), 3, "as many as a lease lets free");
    assert_eq!(rooms(vec![unsaid(vec![let_for(44, 1)])]), 3);
    assert_eq!(rooms(vec![unsaid(vec![let_for(44, 7)])]), 7);
    assert_eq!(rooms(vec![said(2, vec![let_for(44, 3)])]), 2);
    assert_eq!(
        rooms(vec![said(2, vec![let_for(44, 3)]), unsaid(vec![let_for(44, 1)])]),
        2
    );
}

#[test]
fn lease_takes_no_more_rooms_than_there_are() {
    let home = listed(vec![said(
        2,
        vec![let_for(44, 3), let_for(51, 1), let_for(26, 0)],
    )]);
    let room = &home.rooms[0];
    let offer = room.on_offer();
    let capacity = |weeks| offer.capacity(let_for(weeks, 0).stay());
    assert_eq!([capacity(44), capacity(51), capacity(26)], [2, 1, 0]);
    assert_eq!(room.rooms_available(), 2);
    assert_eq!(OnOffer::default().capacity(let_for(44, 0).stay()), 0);
}

#[test]
fn same_offer_twice_is_recorded_once() {
    for offer in [said(2, vec![let_for(44, 3)]), unsaid(vec![let_for(44, 9)])] {
        let home = listed(vec![offer.clone()]);
        assert_eq!(home.decide(offer), Ok(vec![]));
    }
}

fn count(of: u128, rooms: u32, taken_above: Vec<PaymentId>) -> InventoryCommand {
    let room = room(of).id;
    let edit = FactEdit {
        set: vec![Fact::RoomCount {
            room,
            rooms,
            is_said: true,
        }],
        unset: vec![],
        by: UserId(Uuid::from_u128(5)),
        reason: "Counted on site".into(),
        taken_above: vec![(room, taken_above)],
    };
    InventoryCommand::EditFacts { edit: Box::new(edit) }
}

#[test]
fn person_changes_the_count_unless_it_is_taken() {
    let booking = PaymentId(Uuid::from_u128(7));
    let home = listed(vec![]);
    let changed = home.decide(count(2, 2, vec![])).unwrap();
    let said = Fact::RoomCount {
        room: room(2).id,
        rooms: 2,
        is_said: true,
    };
    let priced = InventoryEvent::RoomPriced {
        room: room(2).id,
        rooms: Some(3),
        is_count_said: Some(true),
        leases: vec![let_for(44, 3)],
        set: vec![said],
    };
    assert_eq!(changed[1..], [priced]);
    assert_eq!(listed(vec![count(2, 2, vec![])]).rooms[0].rooms, 2);
    let refused = home.decide(count(2, 2, vec![booking])).unwrap_err();
    assert_eq!(refused.code(), "inventory_below_booked");
    assert!(refused.to_string().contains(&booking.to_string()), "{refused}");
    assert_eq!(home.decide(count(2, 3, vec![])), Ok(vec![]), "as it is");
    assert_eq!(
        home.decide(count(9, 1, vec![])),
        Err(InventoryRejection::UnknownRoom(room(9).id))
    );
}

/// A feed that says no number lets one room at a time; once a person or a later feed says one, it stays said.
#[test]
fn count_is_said_once_somebody_says_it() {
    let silent = || RoomOffer {
        rooms: None,
        is_count_said: false,
        leases: vec![let_for(44, 1)],
    };
    let adopt_silent = || InventoryCommand::Adopt {
        property: property(),
        rooms: vec![(room(2), silent())],
    };
    let known = |home: &Inventory| (home.rooms[0].rooms, home.rooms[0].is_count_said);
    let home = after(vec![adopt_silent()]);
    assert_eq!(known(&home), (1, false));
    assert_eq!(
        home.decide(adopt_silent()),
        Ok(vec![]),
        "the same feed says nothing new"
    );
    let counted = after(vec![adopt_silent(), count(2, 1, vec![])]);
    assert_eq!(known(&counted), (1, true));
    assert_eq!(
        counted.decide(adopt_silent()),
        Ok(vec![]),
        "silence takes nothing back"
    );
}

/// A feed that says no number of rooms takes back no count of a person, and its one free room for a lease does not bound it.
#[test]
fn count_of_a_person_holds_while_the_feed_counts_nothing() {
    let offer = |rooms, is_count_said, free| InventoryCommand::Adopt {
        property: property(),
        rooms: vec![(
            room(2),
            RoomOffer {
                rooms,
                is_count_said,
                leases: vec![let_for(44, free)],
            },
        )],
    };
    let after_run = |runs: Vec<InventoryCommand>| {
        let first = vec![offer(None, false, 1), count(2, 5, vec![])];
        let home = after([first, runs].concat());
        let let_room = &home.rooms[0];
        let capacity = let_room.on_offer().capacity(let_for(44, 0).stay());
        assert_eq!(let_room.rooms_available(), capacity);
        (let_room.rooms, capacity)
    };
    assert_eq!(after_run(vec![]), (5, 5));
    assert_eq!(after_run(vec![offer(None, false, 1)]), (5, 5));
    assert_eq!(
        after_run(vec![offer(None, false, 0)]),
        (5, 0),
        "let out is let out"
    );
    assert_eq!(
        after_run(vec![offer(None, false, 0), offer(None, false, 1)]),
        (5, 5)
    );
    // What is free for a lease is said now, and bounds it; how many rooms there are is not.
    assert_eq!(after_run(vec![offer(None, true, 9)]), (5, 5));
    assert_eq!(after_run(vec![offer(None, true, 2)]), (5, 2));
    assert_eq!(
        after_run(vec![offer(Some(7), true, 7)]),
        (7, 7),
        "the feed counts"
    );
}

/// A rent without a day and a length is a room on request; the first lease ends that, and a rent of nothing is refused.
#[test]
fn rent_without_a_lease_is_asked_about() {
    let asked = |asked_minor| InventoryCommand::Adopt {
        property: property(),
        rooms: vec![(
            RoomDetails {
                asked_minor,
                ..room(2)
            },
            Vec::<LeaseOption>::new().into(),
        )],
    };
    let home = after(vec![asked(Some(18_500))]);
    assert_eq!(home.rooms[0].on_request_minor(), Some(18_500));
    assert_eq!(home.rooms[0].lowest_price_minor(), Some(18_500));
    assert_eq!(home.rooms[0].rooms_available(), 0);
    let let_now = after(vec![asked(Some(18_500)), unsaid(vec![let_for(44, 1)])]);
    assert_eq!(let_now.rooms[0].on_request_minor(), None);
    assert_eq!(let_now.rooms[0].lowest_price_minor(), Some(28_900));
    let free = Inventory::default().decide(asked(Some(0)));
    assert_eq!(free, Err(InventoryRejection::NoPrice(room(2).id)));
}
