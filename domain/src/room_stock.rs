//! How many of one room are free: holds taken before money moves, and the last room that is sold once (D97, P5–P8).
//!
//! No sale without a hold: an expired hold is the one moment at which a payer loses the room, so that money and room can
//! never disagree about who got it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::id::{HoldId, PaymentId, UserId};
use crate::lease::Stay;
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::{aggregate, event_names};

/// D97: how long a room waits for its payer, and how much is added once while the payment is processing, unless the deployment
/// says otherwise.
pub const HOLD_MINUTES: i64 = 10;

/// T19: one person cannot empty a building without paying.
pub const HOLDS_PER_IDENTITY: usize = 2;

/// The stock of one bookable room (a child inventory); the stream's id is the room's. Each of its leases has rooms of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomStock {
    pub holds: BTreeMap<PaymentId, Hold>,
    /// Two payments for one booking share one room: they were sold under the same hold.
    pub sold: BTreeMap<PaymentId, Sold>,
}

/// A room that was sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sold {
    pub hold_id: HoldId,
    /// `None` where it was held before leases had rooms of their own.
    pub stay: Option<Stay>,
}

/// A room kept for one payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub hold_id: HoldId,
    pub identity: UserId,
    /// `None` where it was taken before leases had rooms of their own: it counts against each of them.
    pub stay: Option<Stay>,
    /// `None` while a delayed method settles: a pending payment counts as taken (P8).
    pub expires_at: Option<Moment>,
    pub extended: bool,
}

impl Hold {
    fn lapsed(&self, at: Moment) -> bool {
        self.expires_at.is_some_and(|end| end <= at)
    }
}

/// What a hold is asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRequest {
    pub hold_id: HoldId,
    pub payment_id: PaymentId,
    /// An earlier payment of the same booking: while the room is sold to it, there is nothing to hold.
    pub continues: Option<PaymentId>,
    pub identity: UserId,
    pub stay: Stay,
    /// The catalogue's word about this stay at this moment.
    pub capacity: u32,
    pub at: Moment,
    pub until: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomStockCommand {
    /// Keeps a room for a payment.
    Hold(HoldRequest),
    /// Adds time, once, while the payment is processing.
    Extend {
        payment_id: PaymentId,
        continues: Option<PaymentId>,
        by: TimeDelta,
    },
    /// Keeps the hold without an end while a delayed method settles.
    Keep { payment_id: PaymentId },
    /// Gives a kept hold an end again: the delayed method was turned down, and the payer may try another.
    Limit { payment_id: PaymentId, until: Moment },
    /// Gives a hold back.
    Release { payment_id: PaymentId },
    /// Ends every hold whose time has passed.
    Expire { at: Moment },
    /// Turns a hold into a booking.
    Sell {
        payment_id: PaymentId,
        continues: Option<PaymentId>,
    },
    /// The payment's money went back in full: unless another payment has the same room, somebody else may have it.
    TakeBack { payment_id: PaymentId },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoomStockEvent {
    HoldTaken {
        hold_id: HoldId,
        payment_id: PaymentId,
        identity: UserId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stay: Option<Stay>,
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
    RoomTakenBack {
        hold_id: HoldId,
        payment_id: PaymentId,
        /// Nobody has the room any more.
        vacated: bool,
    },
}

event_names!(RoomStockEvent {
    HoldTaken => "HoldTaken" 2,
    HoldExtended => "HoldExtended" 1,
    HoldKept => "HoldKept" 1,
    HoldReleased => "HoldReleased" 1,
    HoldExpired => "HoldExpired" 1,
    RoomSold => "RoomSold" 1,
    RoomTakenBack => "RoomTakenBack" 1,
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
    /// Rooms of this stay neither sold nor held at `at`.
    pub fn free(&self, stay: Stay, capacity: u32, at: Moment) -> u32 {
        let held = self
            .holds
            .values()
            .filter(|hold| !hold.lapsed(at) && counts(hold.stay, stay))
            .map(|hold| hold.hold_id);
        let taken: BTreeSet<HoldId> = held.chain(self.sold_of(stay)).collect();
        left(capacity, taken.len())
    }

    /// Rooms of this stay that no hold keeps and nobody bought, for lists that hear of lapsed holds later.
    pub fn open(&self, stay: Stay, capacity: u32) -> u32 {
        let held = self
            .holds
            .values()
            .filter(|hold| counts(hold.stay, stay))
            .map(|hold| hold.hold_id);
        let taken: BTreeSet<HoldId> = held.chain(self.sold_of(stay)).collect();
        left(capacity, taken.len())
    }

    fn sold_of(&self, stay: Stay) -> impl Iterator<Item = HoldId> {
        let of_stay = self.sold.values().filter(move |sold| counts(sold.stay, stay));
        of_stay.map(|sold| sold.hold_id)
    }

    /// The stay a room was sold for under this hold.
    fn stay_of(&self, hold_id: HoldId) -> Option<Stay> {
        let mut under_it = self.sold.values().filter(|sold| sold.hold_id == hold_id);
        under_it.find_map(|sold| sold.stay)
    }

    fn sold_to(&self, payment: Option<PaymentId>) -> Option<&Sold> {
        self.sold.get(&payment?)
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

    fn hold(&self, asked: &HoldRequest) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let at = asked.at;
        let payment_id = asked.payment_id;
        let bought = self.sold_to(Some(payment_id)).or(self.sold_to(asked.continues));
        let held = self.holds.get(&payment_id).filter(|hold| !hold.lapsed(at));
        if bought.is_some() || held.is_some() {
            return Ok(vec![]);
        }
        if self.free(asked.stay, asked.capacity, at) == 0 {
            return Err(RoomStockRejection::SoldOut);
        }
        let own = self
            .holds
            .values()
            .filter(|hold| hold.identity == asked.identity && !hold.lapsed(at));
        if own.count() >= HOLDS_PER_IDENTITY {
            return Err(RoomStockRejection::TooManyHolds);
        }
        let mut events = self.lapsed(at);
        events.push(RoomStockEvent::HoldTaken {
            hold_id: asked.hold_id,
            payment_id,
            identity: asked.identity,
            stay: Some(asked.stay),
            capacity: asked.capacity,
            expires_at: asked.until,
        });
        Ok(events)
    }

    fn extend(
        &self,
        payment_id: PaymentId,
        continues: Option<PaymentId>,
        by: TimeDelta,
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let bought = self.sold_to(Some(payment_id)).or(self.sold_to(continues));
        if bought.is_some() {
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

    fn sell(
        &self,
        payment_id: PaymentId,
        continues: Option<PaymentId>,
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        if self.sold.contains_key(&payment_id) {
            return Ok(vec![]);
        }
        let own = self.holds.get(&payment_id).map(|hold| hold.hold_id);
        let hold_id = own.or_else(|| self.sold_to(continues).map(|sold| sold.hold_id));
        let hold_id = hold_id.ok_or(RoomStockRejection::NoHold)?;
        Ok(vec![RoomStockEvent::RoomSold { hold_id, payment_id }])
    }

    fn take_back(&self, payment_id: PaymentId) -> Vec<RoomStockEvent> {
        let Some(Sold { hold_id, .. }) = self.sold.get(&payment_id).copied() else {
            return vec![];
        };
        let other = |(other, sold): (&PaymentId, &Sold)| *other != payment_id && sold.hold_id == hold_id;
        let vacated = !self.sold.iter().any(other);
        vec![RoomStockEvent::RoomTakenBack {
            hold_id,
            payment_id,
            vacated,
        }]
    }
}

/// A room taken before leases had rooms of their own counts against each of them.
fn counts(taken: Option<Stay>, stay: Stay) -> bool {
    taken.is_none_or(|taken| taken == stay)
}

fn left(capacity: u32, taken: usize) -> u32 {
    capacity.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX))
}

impl Decide for RoomStock {
    const KIND: &'static str = "room_stock";
    type Command = RoomStockCommand;
    type Event = RoomStockEvent;
    type Rejection = RoomStockRejection;

    fn decide(&self, command: RoomStockCommand) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        match command {
            RoomStockCommand::Hold(asked) => self.hold(&asked),
            RoomStockCommand::Extend {
                payment_id,
                continues,
                by,
            } => self.extend(payment_id, continues, by),
            RoomStockCommand::Keep { payment_id } => self.keep(payment_id),
            RoomStockCommand::Limit { payment_id, until } => Ok(self.limit(payment_id, until)),
            RoomStockCommand::Release { payment_id } => Ok(self.release(payment_id)),
            RoomStockCommand::Expire { at } => Ok(self.lapsed(at)),
            RoomStockCommand::Sell {
                payment_id,
                continues,
            } => self.sell(payment_id, continues),
            RoomStockCommand::TakeBack { payment_id } => Ok(self.take_back(payment_id)),
        }
    }

    fn evolve(&mut self, event: &RoomStockEvent) {
        match event {
            RoomStockEvent::HoldTaken {
                hold_id,
                payment_id,
                identity,
                stay,
                expires_at,
                ..
            } => {
                let hold = Hold {
                    hold_id: *hold_id,
                    identity: *identity,
                    stay: *stay,
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
                let stay = match self.holds.remove(payment_id) {
                    Some(hold) => hold.stay,
                    None => self.stay_of(*hold_id),
                };
                let sold = Sold {
                    hold_id: *hold_id,
                    stay,
                };
                self.sold.insert(*payment_id, sold);
            }
            RoomStockEvent::RoomTakenBack { payment_id, .. } => {
                self.sold.remove(payment_id);
            }
        }
    }
}

aggregate!(RoomStock);

#[cfg(test)]
#[path = "room_stock/story.rs"]
mod story;
