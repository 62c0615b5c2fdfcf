//! The stock of a home: how many rooms of each type are booked and held week by week, and who has them. Counted by the same fold of the
//! rooms' stock by which rooms are held and sold.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use domain::id::{HoldId, InventoryId, LeadId, PaymentId};
use domain::inventory::Inventory;
use domain::inventory::let_room::LetRoom;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::moment::Moment;
use domain::nights::Nights;
use domain::payment::Payment;
use domain::room_stock::{RoomStock, TakenCount};
use eventlog::{EventLog, LogError};

/// Weeks of a year.
pub const WEEKS: u64 = 52;
const DAYS: u64 = 7;

/// A room type with what is taken of it.
#[derive(Debug, Clone)]
pub struct StockedRoom {
    pub room: LetRoom,
    pub stock: RoomStock,
}

/// One week of a room type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockWeek {
    pub from: NaiveDate,
    pub taken: TakenCount,
    pub free: u32,
}

impl StockedRoom {
    /// True where more rooms are sold for a night to come than there are, so that none is let.
    pub fn is_oversold(&self, today: NaiveDate) -> bool {
        self.stock.is_oversold(self.room.rooms, today)
    }

    /// Rooms that are taken on the fullest of these nights, and those that are left.
    pub fn count(&self, nights: Nights, at: Moment) -> (TakenCount, u32) {
        let taken = self.stock.count_taken(nights, at);
        let free = self.room.rooms.saturating_sub(taken.sold + taken.held);
        let is_shut = self.room.withdrawn || self.is_oversold(at.date_naive());
        (taken, if is_shut { 0 } else { free })
    }

    /// The weeks from a day on, each by its fullest night.
    pub fn list_weeks(&self, from: NaiveDate, at: Moment) -> Vec<StockWeek> {
        let days = (0..WEEKS).map(|week| from.checked_add_days(Days::new(week * DAYS)));
        let weeks = days.map_while(|first| {
            let first = first?;
            let end = first.checked_add_days(Days::new(DAYS))?;
            let (taken, free) = self.count(Nights { first, end }, at);
            Some(StockWeek {
                from: first,
                taken,
                free,
            })
        });
        weeks.collect()
    }

    /// Rooms that were booked and are held for exactly this stay.
    pub fn count_lease(&self, stay: Stay, at: Moment) -> TakenCount {
        let mut counted = TakenCount::default();
        for taken in self.list_taken(at) {
            if taken.stay == Some(stay) {
                match taken.kind {
                    TakenKind::Booked => counted.sold += 1,
                    TakenKind::Held { .. } => counted.held += 1,
                }
            }
        }
        counted
    }

    /// The rooms that are booked and held. Two payments for one booking have one room.
    pub fn list_taken(&self, at: Moment) -> Vec<TakenRoom> {
        let mut by_hold: BTreeMap<HoldId, TakenRoom> = BTreeMap::new();
        for (payment_id, hold) in &self.stock.holds {
            let is_over = hold.expires_at.is_some_and(|end| end <= at);
            if !is_over {
                let taken = TakenRoom {
                    payment_id: *payment_id,
                    stay: hold.stay,
                    kind: TakenKind::Held {
                        until: hold.expires_at,
                    },
                };
                by_hold.insert(hold.hold_id, taken);
            }
        }
        for (payment_id, sold) in &self.stock.sold {
            let taken = TakenRoom {
                payment_id: *payment_id,
                stay: sold.stay,
                kind: TakenKind::Booked,
            };
            by_hold.insert(sold.hold_id, taken);
        }
        by_hold.into_values().collect()
    }
}

/// A room that somebody has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenRoom {
    pub payment_id: PaymentId,
    /// `None` where it was taken before stays were written down with it.
    pub stay: Option<Stay>,
    pub kind: TakenKind,
}

/// How somebody has a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenKind {
    Booked,
    Held {
        /// `None` while a delayed method settles.
        until: Option<Moment>,
    },
}

/// Reads the room types of a home, those too that it lets no longer, with their stock.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_home_stock(log: &EventLog, home: &Inventory) -> Result<Vec<StockedRoom>, LogError> {
    let mut rooms = Vec::with_capacity(home.rooms.len());
    for room in &home.rooms {
        let stock = log.load::<RoomStock>(room.details.id).await?.state;
        rooms.push(StockedRoom {
            room: room.clone(),
            stock,
        });
    }
    Ok(rooms)
}

/// A booking or a hold of a home's room, with the enquiry that it is for.
#[derive(Debug, Clone)]
pub struct HomeBooking {
    pub room_id: InventoryId,
    pub taken: TakenRoom,
    pub lead_id: Option<LeadId>,
    /// What people call the enquiry by.
    pub reference: Option<String>,
}

/// Lists the bookings and holds of a home's rooms, the earliest stay first.
///
/// # Errors
/// When the log cannot be read.
pub async fn list_bookings(
    log: &EventLog,
    rooms: &[StockedRoom],
    at: Moment,
) -> Result<Vec<HomeBooking>, LogError> {
    let mut bookings = Vec::new();
    for room in rooms {
        for taken in room.list_taken(at) {
            let terms = log.load::<Payment>(taken.payment_id).await?.state.terms;
            let lead_id = terms.map(|terms| terms.lead_id);
            let reference = match lead_id {
                Some(lead_id) => {
                    let sent = log.load::<Lead>(lead_id).await?.state.submission;
                    sent.map(|sent| sent.reference.clone())
                }
                None => None,
            };
            bookings.push(HomeBooking {
                room_id: room.room.details.id,
                taken,
                lead_id,
                reference,
            });
        }
    }
    bookings.sort_by_key(|booking| {
        (
            booking.taken.stay.map(|stay| stay.move_in),
            booking.taken.payment_id,
        )
    });
    Ok(bookings)
}
