//! How many of one room are free: holds taken before money moves, and the last room that is sold once (D97, P5–P8).
//!
//! No sale without a hold: an expired hold is the one moment at which a payer loses the room, so that money and room can
//! never disagree about who got it.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::aggregate::Decide;
use crate::id::{HoldId, InventoryId, LeadId, PaymentId, UserId};
use crate::lease::Stay;
use crate::moment::Moment;
use crate::sealed::Sealable;
use crate::shape::as_it_is;
use crate::{aggregate, event_names};

mod hold;
mod queue;
mod steps;
mod taken;
mod waitlist;

pub use hold::{Hold, HoldRequest, RoomNow, Sold};
pub use taken::TakenCount;
pub use waitlist::{JoinRequest, PLACES_PER_IDENTITY, Place, PlaceState, Turn, Waitlist};

/// D97: how long a room waits for its payer, and how much is added once while the payment is processing, unless the deployment
/// says otherwise.
pub const HOLD_MINUTES: i64 = 10;

/// T19: one person cannot empty a building without paying.
pub const HOLDS_PER_IDENTITY: u32 = 2;

/// The stock of one bookable room type (a child inventory); the stream's id is the room's. A night is let as many times as there are
/// rooms, whichever leases cover it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomStock {
    pub holds: BTreeMap<PaymentId, Hold>,
    /// Two payments for one booking share one room: they were sold under the same hold.
    pub sold: BTreeMap<PaymentId, Sold>,
    /// Who waits for one of these rooms, in the order of the log.
    #[serde(default)]
    pub waitlist: Waitlist,
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
    /// A member of staff adds time, once.
    ExtendByStaff {
        payment_id: PaymentId,
        by: TimeDelta,
        at: Moment,
    },
    /// Keeps the hold without an end while a delayed method settles.
    Keep { payment_id: PaymentId },
    /// A card or a delayed method was turned down, and the payer may try another: a kept hold ends in `hold_for`, any other
    /// keeps its end (D97).
    Decline {
        payment_id: PaymentId,
        hold_for: TimeDelta,
        at: Moment,
    },
    /// Gives a hold back.
    Release { payment_id: PaymentId },
    /// Ends every hold whose time has passed, and those that end after `latest`, which no hold taken by a right clock does.
    Expire { at: Moment, latest: Moment },
    /// Turns a hold into a booking.
    Sell {
        payment_id: PaymentId,
        continues: Option<PaymentId>,
    },
    /// The payment's money went back in full: unless another payment has the same room, somebody else may have it.
    TakeBack { payment_id: PaymentId },
    /// Takes a place in the waitlist.
    Join(JoinRequest),
    /// Gives a place in the waitlist back; the enquiry may have booked another room.
    Leave { payment_id: PaymentId, booked: bool },
    /// Offers rooms that are free to the next places, as many as there are of both.
    Offer(Turn),
    /// Ends every place: the home is let no longer.
    ClosePlaces,
    /// A member of staff moves a place to the front; the order shows it as an override.
    MoveUp {
        payment_id: PaymentId,
        by: UserId,
        at: Moment,
    },
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
        proved: bool,
        yields: bool,
    },
    HoldExtended {
        hold_id: HoldId,
        payment_id: PaymentId,
        expires_at: Moment,
        /// Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_staff: bool,
    },
    /// Only in logs of before decision 0022: a decline took off what confirming had added.
    HoldShortened {
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
    /// Somebody who has proved who they are has the room instead.
    HoldYielded {
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
    /// The payment that found no room waits for one: its place is where this event stands.
    WaitlistJoined {
        payment_id: PaymentId,
        lead_id: LeadId,
        home_id: InventoryId,
        stay: Stay,
        at: Moment,
        /// By whose clock the student lives, such as `Asia/Shanghai`. Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_zone: Option<String>,
    },
    WaitlistLeft {
        payment_id: PaymentId,
        /// Its person has booked a room for the same time, so that nothing is waited for. Unsaid in events of version 1.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        booked: bool,
    },
    /// A room is kept for this place alone until then.
    PlaceOffered {
        payment_id: PaymentId,
        expires_at: Moment,
    },
    /// The offer was not taken in time.
    PlaceLapsed {
        payment_id: PaymentId,
    },
    /// The home is let no longer: there is nothing to wait for.
    PlaceClosed {
        payment_id: PaymentId,
    },
    /// The offered room is held, for the next payment of the same enquiry.
    PlaceTaken {
        payment_id: PaymentId,
        by: PaymentId,
    },
    /// A member of staff moved this place to the front.
    PlaceMovedUp {
        payment_id: PaymentId,
        by: UserId,
        at: Moment,
    },
}

event_names!(RoomStockEvent {
    HoldTaken => "HoldTaken" 3,
    HoldExtended => "HoldExtended" 2,
    HoldShortened => "HoldShortened" 1,
    HoldKept => "HoldKept" 1,
    HoldReleased => "HoldReleased" 1,
    HoldExpired => "HoldExpired" 1,
    HoldYielded => "HoldYielded" 1,
    RoomSold => "RoomSold" 1,
    RoomTakenBack => "RoomTakenBack" 1,
    WaitlistJoined => "WaitlistJoined" 2,
    WaitlistLeft => "WaitlistLeft" 2,
    PlaceOffered => "PlaceOffered" 1,
    PlaceLapsed => "PlaceLapsed" 1,
    PlaceClosed => "PlaceClosed" 1,
    PlaceTaken => "PlaceTaken" 1,
    PlaceMovedUp => "PlaceMovedUp" 1,
} upcasts {
    "HoldTaken" 1 => "HoldTaken" 2: as_it_is,
    "HoldTaken" 2 => "HoldTaken" 3: hold::proved_and_firm,
    "HoldExtended" 1 => "HoldExtended" 2: as_it_is,
    "WaitlistLeft" 1 => "WaitlistLeft" 2: as_it_is,
    "WaitlistJoined" 1 => "WaitlistJoined" 2: as_it_is,
});

impl Sealable for RoomStockEvent {}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RoomStockRejection {
    #[error("the last of these rooms has just been taken")]
    SoldOut,
    #[error(
        "you hold {HOLDS_PER_IDENTITY} rooms of this home already: finish or cancel one of those payments first"
    )]
    TooManyHolds,
    #[error("this payment holds no room")]
    NoHold,
    #[error("a room is free: there is nothing to wait for")]
    RoomFree,
    #[error("this payment has no place in the waitlist")]
    NoPlace,
    #[error("this person waits for {PLACES_PER_IDENTITY} rooms already: leave one of those waitlists first")]
    TooManyPlaces,
    #[error("a member of staff has extended this hold already")]
    ExtendedAlready,
}

impl RoomStock {
    /// How many rooms somebody holds. Who only says to be them holds for themselves.
    pub fn holds_of(&self, identity: UserId, proved: bool, at: Moment) -> u32 {
        self.count(at, |hold| hold.identity == identity && hold.proved == proved)
    }

    fn count(&self, at: Moment, wanted: impl Fn(&Hold) -> bool) -> u32 {
        let count = self
            .holds
            .values()
            .filter(|hold| !hold.lapsed(at) && wanted(hold))
            .count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The stay a room was sold for under this hold.
    fn stay_of(&self, hold_id: HoldId) -> Option<Stay> {
        let mut under_it = self.sold.values().filter(|sold| sold.hold_id == hold_id);
        under_it.find_map(|sold| sold.stay)
    }

    fn with_hold(&mut self, payment_id: PaymentId, change: impl FnOnce(&mut Hold)) {
        if let Some(hold) = self.holds.get_mut(&payment_id) {
            change(hold);
        }
    }

    fn sold_to(&self, payment: Option<PaymentId>) -> Option<&Sold> {
        self.sold.get(&payment?)
    }

    fn hold(&self, asked: &HoldRequest) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let at = asked.at;
        let payment_id = asked.payment_id;
        let bought = self.sold_to(Some(payment_id)).or(self.sold_to(asked.continues));
        let held = self.holds.get(&payment_id).filter(|hold| !hold.lapsed(at));
        if bought.is_some() || held.is_some() {
            return Ok(vec![]);
        }
        let offer = self.unless_oversold(&asked.offer, at.date_naive());
        let (free, free_to_me) = self.free_to(asked, &offer);
        if free_to_me == 0 {
            return Err(RoomStockRejection::SoldOut);
        }
        let own = self.holds_of(asked.identity, asked.proved, at);
        if own.saturating_add(asked.own_elsewhere) >= HOLDS_PER_IDENTITY {
            return Err(RoomStockRejection::TooManyHolds);
        }
        let mut events = self.lapsed(at);
        if free == 0 {
            let stood_back = self.stand_back(asked, &offer);
            events.extend(stood_back.ok_or(RoomStockRejection::SoldOut)?);
        }
        events.push(RoomStockEvent::HoldTaken {
            hold_id: asked.hold_id,
            payment_id,
            identity: asked.identity,
            stay: Some(asked.stay),
            capacity: offer.capacity(asked.stay),
            expires_at: asked.until,
            proved: asked.proved,
            yields: !asked.proved && self.unproved_share_is_used_up(asked, &offer),
        });
        events.extend(self.waitlist.taken(asked));
        Ok(events)
    }
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
            RoomStockCommand::ExtendByStaff { payment_id, by, at } => {
                self.extend_by_staff(payment_id, by, at)
            }
            RoomStockCommand::Keep { payment_id } => self.keep(payment_id),
            RoomStockCommand::Decline {
                payment_id,
                hold_for,
                at,
            } => Ok(self.decline(payment_id, hold_for, at)),
            RoomStockCommand::Release { payment_id } => Ok(self.release(payment_id)),
            RoomStockCommand::Expire { at, latest } => {
                let holds = self.expired(|hold| hold.lapsed(at) || hold.ends_after(latest));
                Ok(holds.into_iter().chain(self.waitlist.lapsed(at)).collect())
            }
            RoomStockCommand::Sell {
                payment_id,
                continues,
            } => self.sell(payment_id, continues),
            RoomStockCommand::TakeBack { payment_id } => Ok(self.take_back(payment_id)),
            RoomStockCommand::Join(asked) => self.join(&asked),
            RoomStockCommand::Leave { payment_id, booked } => Ok(self.waitlist.leave(payment_id, booked)),
            RoomStockCommand::Offer(turn) => Ok(self.offers(&turn)),
            RoomStockCommand::ClosePlaces => Ok(self.waitlist.closed()),
            RoomStockCommand::MoveUp { payment_id, by, at } => self.waitlist.move_up(payment_id, by, at),
        }
    }

    fn evolve(&mut self, event: &RoomStockEvent) {
        match event {
            RoomStockEvent::HoldTaken { payment_id, .. } => {
                self.holds.extend(Hold::of(event).map(|hold| (*payment_id, hold)));
            }
            RoomStockEvent::HoldExtended {
                payment_id,
                expires_at,
                by_staff,
                ..
            } => self.with_hold(*payment_id, |hold| hold.extend(*expires_at, *by_staff)),
            RoomStockEvent::HoldShortened {
                payment_id,
                expires_at,
                ..
            } => self.with_hold(*payment_id, |hold| {
                hold.own_end = None;
                hold.expires_at = Some(*expires_at);
                hold.extended = false;
            }),
            // Money is under way: it stands back for nobody any more.
            RoomStockEvent::HoldKept { payment_id, .. } => self.with_hold(*payment_id, |hold| {
                hold.expires_at = None;
                hold.yields = false;
            }),
            RoomStockEvent::HoldReleased { payment_id, .. }
            | RoomStockEvent::HoldExpired { payment_id, .. }
            | RoomStockEvent::HoldYielded { payment_id, .. } => {
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
            RoomStockEvent::WaitlistJoined { .. }
            | RoomStockEvent::WaitlistLeft { .. }
            | RoomStockEvent::PlaceOffered { .. }
            | RoomStockEvent::PlaceLapsed { .. }
            | RoomStockEvent::PlaceClosed { .. }
            | RoomStockEvent::PlaceTaken { .. }
            | RoomStockEvent::PlaceMovedUp { .. } => self.waitlist.evolve(event),
        }
    }
}

aggregate!(RoomStock);

#[cfg(test)]
#[path = "room_stock/extending.rs"]
mod extending;
#[cfg(test)]
#[path = "room_stock/hoarding.rs"]
mod hoarding;
#[cfg(test)]
#[path = "room_stock/model.rs"]
mod model;
#[cfg(test)]
#[path = "room_stock/sharing.rs"]
mod sharing;
#[cfg(test)]
#[path = "room_stock/story.rs"]
mod story;
#[cfg(test)]
#[path = "room_stock/waiting.rs"]
mod waiting;
