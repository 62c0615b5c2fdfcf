//! What a refund by staff does, in order: told before it is asked for, and then done by [`crate::policy`] (decision 0024).

use crate::id::PaymentId;
use crate::payment::BookingChoice;
use crate::room_stock::RoomStock;

/// Whose room a payment has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomOf {
    /// It has none, or not any more.
    Nobody,
    ThisPayment,
    /// Another payment of the same booking has it too: a holding fee and the deposit after it.
    SeveralPayments,
}

impl RoomOf {
    /// Whose room it is, by the stock's word.
    pub fn payment(stock: &RoomStock, payment_id: PaymentId) -> Self {
        let Some(own) = stock.sold.get(&payment_id) else {
            return Self::Nobody;
        };
        let sharing = stock.sold.values().filter(|sold| sold.hold_id == own.hold_id);
        if sharing.count() > 1 {
            Self::SeveralPayments
        } else {
            Self::ThisPayment
        }
    }
}

/// One thing that follows from a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The choice, its reason and the name of who asked become an event.
    Recorded,
    /// The gateway pays it out; the books change when it has confirmed that.
    MoneyBack,
    PayerTold,
    BookingStays,
    NoBooking,
    OtherPaymentKeepsRoom,
    RoomFree,
    BookingEnds,
    EndTold,
}

impl Consequence {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::MoneyBack => "money_back",
            Self::PayerTold => "payer_told",
            Self::BookingStays => "booking_stays",
            Self::NoBooking => "no_booking",
            Self::OtherPaymentKeepsRoom => "other_payment_keeps_room",
            Self::RoomFree => "room_free",
            Self::BookingEnds => "booking_ends",
            Self::EndTold => "end_told",
        }
    }
}

/// What follows from a choice, in order; `None` where it cannot be chosen: without a room there is no booking to cancel.
pub fn consequences(choice: BookingChoice, room: RoomOf) -> Option<Vec<Consequence>> {
    use Consequence as C;
    let own: &[Consequence] = match (choice, room) {
        (BookingChoice::Keep, RoomOf::Nobody) => &[C::NoBooking],
        (BookingChoice::Keep, RoomOf::ThisPayment | RoomOf::SeveralPayments) => &[C::BookingStays],
        (BookingChoice::Cancel, RoomOf::Nobody) => return None,
        (BookingChoice::Cancel, RoomOf::ThisPayment) => &[C::RoomFree, C::BookingEnds, C::EndTold],
        (BookingChoice::Cancel, RoomOf::SeveralPayments) => &[C::OtherPaymentKeepsRoom],
    };
    Some([&[C::Recorded, C::MoneyBack, C::PayerTold][..], own].concat())
}
