//! What a stay costs: the one place that says so, for screens, lists and mails (decision 0025).

use super::let_room::LetRoom;
use crate::lead::LeadWish;
use crate::lease::Stay;

/// The price of a stay in a room, per period of its property, in minor units: of the stay that is paid for, else of the lease that
/// the wish names by its first day and its length. `None` where neither names a lease of this room.
pub fn stay_price_minor(room: &LetRoom, paid: Option<Stay>, wish: &LeadWish) -> Option<u64> {
    if let Some(stay) = paid {
        return room.lease(stay).map(|lease| lease.price_minor);
    }
    let named = room.leases.iter().find(|lease| wish.names(lease.stay()));
    named.map(|lease| lease.price_minor)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lease, room};
    use super::*;
    use crate::lease::Lease;

    #[test]
    fn a_stay_paid_for_is_told_before_the_one_asked_for() {
        let mut shorter = lease(19_800, 2);
        shorter.length = Lease::weeks(26);
        let mut let_room = LetRoom {
            details: room(1),
            rooms: 2,
            is_count_said: true,
            leases: vec![lease(18_500, 2), shorter],
            leases_take_all: false,
            withdrawn: false,
        };
        let paid = let_room.leases[1].stay();
        let wish = |length: &str| LeadWish {
            move_in_date: Some(paid.move_in.to_string()),
            lease_duration: Some(length.to_owned()),
            ..LeadWish::default()
        };
        let price = |paid, length| stay_price_minor(&let_room, paid, &wish(length));
        assert_eq!(price(Some(paid), "44 weeks"), Some(19_800));
        assert_eq!(
            (price(None, "44 weeks"), price(None, "26")),
            (Some(18_500), Some(19_800))
        );
        assert_eq!((price(None, "26 months"), price(None, "")), (None, None));
        // As enquiries were once taken, without the zero before the month.
        let once = LeadWish {
            move_in_date: Some(paid.move_in.format("%Y-%-m-%-d").to_string()),
            ..wish("44 weeks")
        };
        assert_eq!(stay_price_minor(&let_room, None, &once), Some(18_500));
        let_room.leases.clear();
        assert_eq!(stay_price_minor(&let_room, Some(paid), &wish("44 weeks")), None);
    }
}
