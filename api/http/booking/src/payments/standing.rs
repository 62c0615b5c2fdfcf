//! How the booking behind a payment stands, and why a payment that was taken back cannot be paid: told apart from its money.

use domain::id::PaymentId;
use domain::lead::Lead;
use domain::payment::{Payment, PaymentStatus};
use domain::room_stock::RoomStock;
use eventlog::{EventLog, LogError};

use super::opening;

/// How the booking stands that a payment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookingNow {
    /// Nothing is booked with it, or it found no room.
    NotYet,
    /// The room is the enquirer's, however much of the money went back.
    Booked,
    /// It was booked, and is not any more.
    Ended,
}

impl BookingNow {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotYet => "not_yet",
            Self::Booked => "booked",
            Self::Ended => "ended",
        }
    }
}

/// Why a payment was taken back before it was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawnBy {
    /// Something else became due, such as other dates: another payment took its place at the same moment.
    Replacement,
    /// Its owner, or staff.
    Person,
}

impl WithdrawnBy {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replacement => "replacement",
            Self::Person => "person",
        }
    }
}

/// How the booking of a payment stands. A room given back is still booked where another payment of the same booking has it: a
/// holding fee, and the deposit that continues it.
///
/// # Errors
/// When the log cannot be read.
pub async fn booking_now(
    log: &EventLog,
    (payment_id, payment): (PaymentId, &Payment),
    lead: &Lead,
) -> Result<BookingNow, LogError> {
    let Some(terms) = &payment.terms else {
        return Ok(BookingNow::NotYet);
    };
    if terms.link.is_some() {
        return Ok(match lead.booked_by {
            Some(_) => BookingNow::Booked,
            None => BookingNow::Ended,
        });
    }
    if payment.status != PaymentStatus::Success {
        return Ok(BookingNow::NotYet);
    }
    if !payment.room_given_back {
        return Ok(BookingNow::Booked);
    }
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    let is_kept = match lead.booked_by.filter(|booked_by| *booked_by != payment_id) {
        Some(later) if stock.sold.contains_key(&later) => {
            let later = log.load::<Payment>(later).await?.state.terms;
            later.is_some_and(|later| later.continues == Some(payment_id))
        }
        _ => false,
    };
    let earlier = terms.continues;
    Ok(
        if is_kept || earlier.is_some_and(|earlier| stock.sold.contains_key(&earlier)) {
            BookingNow::Booked
        } else {
            BookingNow::Ended
        },
    )
}

/// Why this payment was taken back; `None` where it was not. A change of dates ends one that was open for the old ones, and the request that
/// replaces one cancels it and opens the next at the same moment.
///
/// # Errors
/// When the log cannot be read.
pub async fn withdrawn_by(
    log: &EventLog,
    payment_id: PaymentId,
    payment: &Payment,
) -> Result<Option<WithdrawnBy>, LogError> {
    let (Some(cancelled_at), Some(terms)) = (payment.cancelled_at, &payment.terms) else {
        return Ok(None);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    if terms.link.is_none() && !lead.wish.fits(terms.stay()) {
        return Ok(Some(WithdrawnBy::Replacement));
    }
    let next = opening::after(payment_id, (terms.lead_id, terms.room_id));
    let is_replaced = match next {
        Some(next) => log
            .load::<Payment>(next)
            .await?
            .state
            .terms
            .is_some_and(|next| next.opened_at == cancelled_at),
        None => false,
    };
    Ok(Some(if is_replaced {
        WithdrawnBy::Replacement
    } else {
        WithdrawnBy::Person
    }))
}
