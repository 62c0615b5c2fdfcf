//! A room kept for one payment: what it is asked with, how long it lasts, and whom it stands back for (D97, T19).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{HoldId, LeadId, PaymentId, UserId};
use crate::inventory::on_offer::OnOffer;
use crate::lease::Stay;
use crate::moment::Moment;
use crate::nights::Nights;
use crate::room_stock::RoomStockEvent;

/// What a payer who found no room is told of it now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoomNow {
    /// All of them are sold, or none is offered any more.
    Sold,
    /// Every room left over by sales is held. The first hold ends then; `None` where no hold has an end.
    Held { until: Option<Moment> },
    /// One can be held again.
    Free,
}

impl RoomNow {
    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sold => "sold",
            Self::Held { .. } => "held",
            Self::Free => "free",
        }
    }

    /// Until when the next room is held.
    pub const fn held_until(self) -> Option<Moment> {
        match self {
            Self::Held { until } => until,
            Self::Sold | Self::Free => None,
        }
    }
}

/// A room that was sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sold {
    pub hold_id: HoldId,
    /// `None` where it was held before stays were written down with it.
    pub stay: Option<Stay>,
}

/// A room kept for one payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own in kept states"
)]
pub struct Hold {
    pub hold_id: HoldId,
    pub identity: UserId,
    /// `None` where it was taken before stays were written down with it: it counts on every night.
    pub stay: Option<Stay>,
    /// `None` while a delayed method settles: a pending payment counts as taken (P8).
    pub expires_at: Option<Moment>,
    pub extended: bool,
    /// A member of staff has added time.
    #[serde(default)]
    pub extended_by_staff: bool,
    /// When it would have ended, had it not been extended; a `HoldShortened` of an older log clears it.
    #[serde(default)]
    pub own_end: Option<Moment>,
    /// Whoever holds it was logged in.
    #[serde(default = "yes")]
    pub proved: bool,
    /// Stands back for somebody proved, and is not counted as taken where rooms are shown.
    #[serde(default)]
    pub yields: bool,
}

/// Before holds told the proved from the others they all counted alike.
pub(super) const fn yes() -> bool {
    true
}

/// The step to the third shape of `HoldTaken`: holds of before told nobody from anybody, and stood back for nobody.
pub(super) fn proved_and_firm(mut payload: Value) -> Value {
    payload["HoldTaken"]["proved"] = Value::Bool(yes());
    payload["HoldTaken"]["yields"] = Value::Bool(false);
    payload
}

impl Hold {
    /// The hold that an event begins.
    pub(super) const fn of(event: &RoomStockEvent) -> Option<Self> {
        let RoomStockEvent::HoldTaken {
            hold_id,
            identity,
            stay,
            expires_at,
            proved,
            yields,
            ..
        } = event
        else {
            return None;
        };
        Some(Self {
            hold_id: *hold_id,
            identity: *identity,
            stay: *stay,
            expires_at: Some(*expires_at),
            extended: false,
            extended_by_staff: false,
            own_end: None,
            proved: *proved,
            yields: *yields,
        })
    }

    /// Its own extension is used up by its payer alone.
    pub(super) const fn extend(&mut self, until: Moment, by_staff: bool) {
        if by_staff {
            self.extended_by_staff = true;
        } else {
            self.own_end = self.expires_at;
            self.extended = true;
        }
        self.expires_at = Some(until);
    }

    /// The nights it keeps; every one where it was taken before its stay was written down.
    pub fn nights(&self) -> Nights {
        Nights::of_taken(self.stay)
    }

    pub(super) fn lapsed(&self, at: Moment) -> bool {
        self.expires_at.is_some_and(|end| end <= at)
    }

    pub(super) fn ends_after(&self, latest: Moment) -> bool {
        self.expires_at.is_some_and(|end| end > latest)
    }
}

/// What a hold is asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRequest {
    pub hold_id: HoldId,
    pub payment_id: PaymentId,
    /// An earlier payment of the same booking: while the room is sold to it, there is nothing to hold.
    pub continues: Option<PaymentId>,
    /// The enquiry that is paid for: a room offered to its place in the waitlist is for it alone.
    pub lead_id: Option<LeadId>,
    pub identity: UserId,
    /// Whether `identity` was logged in when asking; otherwise it is who a form says.
    pub proved: bool,
    pub stay: Stay,
    /// The catalogue's word at this moment.
    pub offer: OnOffer,
    /// Rooms of the house that whoever asks holds already, beside this kind.
    pub own_elsewhere: u32,
    pub at: Moment,
    pub until: Moment,
}
