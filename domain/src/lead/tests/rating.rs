//! How a booking is rated.

use super::*;

#[test]
fn booking_is_rated_once_and_anew_after_it_ended() {
    let rate = |score| LeadCommand::Rate {
        score,
        words: "Quick and clear".into(),
        at: at(9),
    };
    let mut lead = crate::aggregate::fold::<Lead>(&every_event()[..1]);
    assert_eq!(lead.decide(rate(9)), Err(LeadRejection::NothingToRate));
    let booked = LeadEvent::Booked {
        payment_id: PaymentId(id(7)),
        inventory_id: InventoryId(id(4)),
        at: at(9),
    };
    lead.evolve(&booked);
    assert_eq!(lead.decide(rate(11)), Err(LeadRejection::ScoreOutOfRange));
    let told = lead.decide(rate(9)).unwrap();
    assert!(matches!(told.as_slice(), [LeadEvent::Rated { score: 9, .. }]));
    lead.evolve(&told[0]);
    assert_eq!(lead.decide(rate(9)), Err(LeadRejection::AlreadyRated));
    lead.evolve(&LeadEvent::BookingRefunded {
        payment_id: PaymentId(id(7)),
        at: at(10),
    });
    lead.evolve(&booked);
    assert!(lead.decide(rate(0)).is_ok());
}
