//! How many of one room are free: holds taken before money moves, and the last room that is sold once (D97, P5–P8).
//!
//! No sale without a hold: an expired hold is the one moment at which a payer loses the room, so that money and room can
//! never disagree about who got it.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::id::{HoldId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::{aggregate, event_names};

/// D97: how long a room waits for its payer, and how much is added once while the payment is processing, unless the deployment
/// says otherwise.
pub const HOLD_MINUTES: i64 = 10;

/// T19: one person cannot empty a building without paying.
pub const HOLDS_PER_IDENTITY: usize = 2;

/// The stock of one bookable room (a child inventory); the stream's id is the room's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomStock {
    pub capacity: u32,
    pub holds: BTreeMap<PaymentId, Hold>,
    pub sold: BTreeMap<PaymentId, HoldId>,
}

/// A room kept for one payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub hold_id: HoldId,
    pub identity: UserId,
    /// `None` while a delayed method settles: a pending payment counts as taken (P8).
    pub expires_at: Option<Moment>,
    pub extended: bool,
}

impl Hold {
    fn lapsed(&self, at: Moment) -> bool {
        self.expires_at.is_some_and(|end| end <= at)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomStockCommand {
    /// Keeps a room for a payment. `capacity` is the catalogue's word at this moment.
    Hold {
        hold_id: HoldId,
        payment_id: PaymentId,
        identity: UserId,
        capacity: u32,
        at: Moment,
        until: Moment,
    },
    /// Adds time, once, while the payment is processing.
    Extend { payment_id: PaymentId, by: TimeDelta },
    /// Keeps the hold without an end while a delayed method settles.
    Keep { payment_id: PaymentId },
    /// Gives a kept hold an end again: the delayed method was turned down, and the payer may try another.
    Limit { payment_id: PaymentId, until: Moment },
    /// Gives a hold back.
    Release { payment_id: PaymentId },
    /// Ends every hold whose time has passed.
    Expire { at: Moment },
    /// Turns a hold into a booking.
    Sell { payment_id: PaymentId },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoomStockEvent {
    HoldTaken {
        hold_id: HoldId,
        payment_id: PaymentId,
        identity: UserId,
        capacity: u32,
        expires_at: Moment,
    },
    HoldExtended {
        hold_id: HoldId,
        payment_id: PaymentId,
        expires_at: Moment,
    },
    HoldKept {
        hold_id: HoldId,
        payment_id: PaymentId,
    },
    HoldReleased {
        hold_id: HoldId,
        payment_id: PaymentId,
    },
    HoldExpired {
        hold_id: HoldId,
        payment_id: PaymentId,
    },
    RoomSold {
        hold_id: HoldId,
        payment_id: PaymentId,
    },
}

event_names!(RoomStockEvent {
    HoldTaken => "HoldTaken" 1,
    HoldExtended => "HoldExtended" 1,
    HoldKept => "HoldKept" 1,
    HoldReleased => "HoldReleased" 1,
    HoldExpired => "HoldExpired" 1,
    RoomSold => "RoomSold" 1,
});

impl Sealable for RoomStockEvent {}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RoomStockRejection {
    #[error("the last of these rooms has just been taken")]
    SoldOut,
    #[error(
        "you hold {HOLDS_PER_IDENTITY} of these rooms already: finish or cancel one of those payments first"
    )]
    TooManyHolds,
    #[error("this payment holds no room")]
    NoHold,
}

impl RoomStock {
    /// Rooms neither sold nor held at `at`.
    pub fn free(&self, capacity: u32, at: Moment) -> u32 {
        let held = self.holds.values().filter(|hold| !hold.lapsed(at)).count();
        let taken = u32::try_from(held + self.sold.len()).unwrap_or(u32::MAX);
        capacity.saturating_sub(taken)
    }

    /// When the next hold ends, for the timer that expires holds.
    pub fn next_expiry(&self) -> Option<Moment> {
        self.holds.values().filter_map(|hold| hold.expires_at).min()
    }

    fn lapsed(&self, at: Moment) -> Vec<RoomStockEvent> {
        self.holds
            .iter()
            .filter(|(_, hold)| hold.lapsed(at))
            .map(|(payment_id, hold)| RoomStockEvent::HoldExpired {
                hold_id: hold.hold_id,
                payment_id: *payment_id,
            })
            .collect()
    }

    fn hold(
        &self,
        hold_id: HoldId,
        payment_id: PaymentId,
        identity: UserId,
        capacity: u32,
        (at, until): (Moment, Moment),
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        if self.sold.contains_key(&payment_id) {
            return Ok(vec![]);
        }
        if self.holds.get(&payment_id).is_some_and(|hold| !hold.lapsed(at)) {
            return Ok(vec![]);
        }
        if self.free(capacity, at) == 0 {
            return Err(RoomStockRejection::SoldOut);
        }
        let own = self
            .holds
            .values()
            .filter(|hold| hold.identity == identity && !hold.lapsed(at));
        if own.count() >= HOLDS_PER_IDENTITY {
            return Err(RoomStockRejection::TooManyHolds);
        }
        let mut events = self.lapsed(at);
        events.push(RoomStockEvent::HoldTaken {
            hold_id,
            payment_id,
            identity,
            capacity,
            expires_at: until,
        });
        Ok(events)
    }

    fn extend(
        &self,
        payment_id: PaymentId,
        by: TimeDelta,
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        if self.sold.contains_key(&payment_id) {
            return Ok(vec![]);
        }
        let hold = self.holds.get(&payment_id).ok_or(RoomStockRejection::NoHold)?;
        let Some(end) = hold.expires_at.filter(|_| !hold.extended) else {
            return Ok(vec![]);
        };
        Ok(vec![RoomStockEvent::HoldExtended {
            hold_id: hold.hold_id,
            payment_id,
            expires_at: end + by,
        }])
    }

    fn keep(&self, payment_id: PaymentId) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        if self.sold.contains_key(&payment_id) {
            return Ok(vec![]);
        }
        let hold = self.holds.get(&payment_id).ok_or(RoomStockRejection::NoHold)?;
        let kept = hold.expires_at.is_none();
        let hold_id = hold.hold_id;
        Ok(if kept {
            vec![]
        } else {
            vec![RoomStockEvent::HoldKept { hold_id, payment_id }]
        })
    }

    fn limit(&self, payment_id: PaymentId, until: Moment) -> Vec<RoomStockEvent> {
        self.holds
            .get(&payment_id)
            .filter(|hold| hold.expires_at.is_none())
            .map(|hold| RoomStockEvent::HoldExtended {
                hold_id: hold.hold_id,
                payment_id,
                expires_at: until,
            })
            .into_iter()
            .collect()
    }

    fn release(&self, payment_id: PaymentId) -> Vec<RoomStockEvent> {
        self.holds
            .get(&payment_id)
            .map(|hold| RoomStockEvent::HoldReleased {
                hold_id: hold.hold_id,
                payment_id,
            })
            .into_iter()
            .collect()
    }

    fn sell(&self, payment_id: PaymentId) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        if self.sold.contains_key(&payment_id) {
            return Ok(vec![]);
        }
        let hold = self.holds.get(&payment_id).ok_or(RoomStockRejection::NoHold)?;
        Ok(vec![RoomStockEvent::RoomSold {
            hold_id: hold.hold_id,
            payment_id,
        }])
    }
}

impl Decide for RoomStock {
    const KIND: &'static str = "room_stock";
    type Command = RoomStockCommand;
    type Event = RoomStockEvent;
    type Rejection = RoomStockRejection;

    fn decide(&self, command: RoomStockCommand) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        match command {
            RoomStockCommand::Hold {
                hold_id,
                payment_id,
                identity,
                capacity,
                at,
                until,
            } => self.hold(hold_id, payment_id, identity, capacity, (at, until)),
            RoomStockCommand::Extend { payment_id, by } => self.extend(payment_id, by),
            RoomStockCommand::Keep { payment_id } => self.keep(payment_id),
            RoomStockCommand::Limit { payment_id, until } => Ok(self.limit(payment_id, until)),
            RoomStockCommand::Release { payment_id } => Ok(self.release(payment_id)),
            RoomStockCommand::Expire { at } => Ok(self.lapsed(at)),
            RoomStockCommand::Sell { payment_id } => self.sell(payment_id),
        }
    }

    fn evolve(&mut self, event: &RoomStockEvent) {
        match event {
            RoomStockEvent::HoldTaken {
                hold_id,
                payment_id,
                identity,
                capacity,
                expires_at,
            } => {
                self.capacity = *capacity;
                let hold = Hold {
                    hold_id: *hold_id,
                    identity: *identity,
                    expires_at: Some(*expires_at),
                    extended: false,
                };
                self.holds.insert(*payment_id, hold);
            }
            RoomStockEvent::HoldExtended {
                payment_id,
                expires_at,
                ..
            } => {
                if let Some(hold) = self.holds.get_mut(payment_id) {
                    hold.expires_at = Some(*expires_at);
                    hold.extended = true;
                }
            }
            RoomStockEvent::HoldKept { payment_id, .. } => {
                if let Some(hold) = self.holds.get_mut(payment_id) {
                    hold.expires_at = None;
                }
            }
            RoomStockEvent::HoldReleased { payment_id, .. }
            | RoomStockEvent::HoldExpired { payment_id, .. } => {
                self.holds.remove(payment_id);
            }
            RoomStockEvent::RoomSold { hold_id, payment_id } => {
                self.holds.remove(payment_id);
                self.sold.insert(*payment_id, *hold_id);
            }
        }
    }
}

aggregate!(RoomStock);

#[cfg(test)]
#[path = "room_stock/story.rs"]
mod story;
