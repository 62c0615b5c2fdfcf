//! What a home asks the sender of an enquiry now (decision 0025).

use super::Inventory;
use super::stay_price::stay_price_minor;
use crate::id::InventoryId;
use crate::lead::LeadWish;

/// What a home asks an enquirer, per period in minor units: for the room they named, else for its cheapest one. Of a room it is the
/// lease that the wish names. A wish without a stay, and one that says only when or for how long, means the first lease that fits it,
/// else the room's first one. `None` where the room or the stay that is named is not let.
pub fn asked_minor(home: &Inventory, room: Option<InventoryId>, wish: &LeadWish) -> Option<u64> {
    let rooms = home.let_rooms();
    let meant = rooms.filter(|known| room.is_none_or(|room| known.details.id == room));
    let prices = meant.filter_map(|room| {
        let fitting = room.leases.iter().find(|lease| wish.fits(lease.stay()));
        let first = || room.leases.first().filter(|_| !wish.names_stay());
        let meant = || fitting.or_else(first).map(|lease| lease.price_minor);
        stay_price_minor(room, None, wish).or_else(meant)
    });
    prices.min()
}

#[cfg(test)]
mod tests {
    use super::super::InventoryCommand;
    use super::super::tests::{lease, property, room};
    use super::*;
    use crate::aggregate::Decide as _;
    use crate::lease::Lease;

    /// A home with one room: 26 weeks at 309, 44 weeks at 289.
    fn home() -> Inventory {
        let mut shorter = lease(30_900, 2);
        shorter.length = Lease::weeks(26);
        let adopt = InventoryCommand::Adopt {
            property: property(),
            rooms: vec![(room(2), vec![shorter, lease(28_900, 4)].into())],
        };
        let mut home = Inventory::default();
        for event in home.decide(adopt).unwrap() {
            home.evolve(&event);
        }
        home
    }

    fn wish(day: &str, length: &str) -> LeadWish {
        let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        LeadWish {
            move_in_date: said(day),
            lease_duration: said(length),
            ..LeadWish::default()
        }
    }

    #[test]
    fn stay_that_is_not_let_has_no_price() {
        let home = home();
        let asked = |day, length| asked_minor(&home, None, &wish(day, length));
        assert_eq!(asked("2027-09-11", "44 weeks"), Some(28_900));
        assert_eq!(asked("2027-09-11", "26 weeks"), Some(30_900));
        assert_eq!(asked("2027-09", "44 weeks"), Some(28_900));
        for (day, length) in [
            ("2027-09-11", "51 weeks"),
            ("2027-09-12", "44 weeks"),
            ("2027-10", "44 weeks"),
        ] {
            assert_eq!(asked(day, length), None, "{day} {length}");
        }
    }

    #[test]
    fn wish_without_a_stay_means_the_first_that_fits() {
        let home = home();
        let asked = |day, length| asked_minor(&home, None, &wish(day, length));
        assert_eq!(asked("", ""), Some(30_900));
        assert_eq!(asked("", "44 weeks"), Some(28_900));
        assert_eq!(asked("2027-09", ""), Some(30_900));
        assert_eq!(asked("2029-01-01", ""), Some(30_900));
    }
}
