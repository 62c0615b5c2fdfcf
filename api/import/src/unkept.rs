//! Names the facts that a feed says and the house has no place for yet, by the fields of docs/import/feeds.md: they are told once for a
//! run, so that nothing is lost in silence.

use feeds::{Home, LeaseBills, LeaseOption, Room};

use crate::rooms::read_floor;

/// The fields of a home that go nowhere.
pub(crate) fn list_unkept(home: &Home) -> impl Iterator<Item = &'static str> {
    let rooms = &home.rooms;
    let of_rooms = |is_said: fn(&Room) -> bool| rooms.iter().any(is_said);
    let of_leases = |is_said: fn(&LeaseOption) -> bool| {
        let mut leases = rooms.iter().flat_map(|room| &room.leases);
        leases.any(is_said)
    };
    let mut bills = home.bills.iter().flat_map(|bills| &bills.items);
    let has_amounts = bills.any(|bill| bill.amount_minor.is_some());
    [
        ("holding_fee", home.terms.holding_fee.is_some()),
        ("amounts of bills", has_amounts),
        (
            "floor",
            of_rooms(|room| {
                room.floor
                    .as_deref()
                    .is_some_and(|words| read_floor(words).is_none())
            }),
        ),
        ("gender", of_rooms(|room| room.gender.is_some())),
        (
            "bills_monthly",
            of_leases(|lease| matches!(lease.bills, Some(LeaseBills::Monthly(_)))),
        ),
        (
            "per_person",
            of_leases(|lease| lease.price.is_some_and(|price| price.is_per_person.is_some())),
        ),
    ]
    .into_iter()
    .filter_map(|(field, is_said)| is_said.then_some(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_without_a_place_are_named() {
        assert_eq!(list_unkept(&Home::default()).count(), 0);
        let home = Home {
            rooms: vec![Room {
                floor: Some("basement".to_owned()),
                gender: Some("female".to_owned()),
                ..Room::default()
            }],
            ..Home::default()
        };
        let named: Vec<&str> = list_unkept(&home).collect();
        assert_eq!(named, ["floor", "gender"]);
    }
}
