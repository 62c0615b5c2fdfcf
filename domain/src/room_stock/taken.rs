//! Counts what is taken of a room type, night by night: by sales, by holds, and by places of the waitlist that a room is kept for. Stays that
//! share a night share its rooms; whatever became of the leases since, what was sold and held for a night stays taken.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::{Hold, HoldRequest, RoomNow, RoomStock, RoomStockEvent};
use crate::id::{HoldId, LeadId, PaymentId};
use crate::inventory::on_offer::OnOffer;
use crate::lease::Stay;
use crate::moment::Moment;
use crate::nights::{Nights, fullest, most_taken};

/// Numbers of rooms of a type that are taken on a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenCount {
    pub sold: u32,
    /// Beside those.
    pub held: u32,
}

impl RoomStock {
    /// Rooms that are sold and held on the fullest of these nights at `at`.
    pub fn count_taken(&self, of: Nights, at: Moment) -> TakenCount {
        let sold = most_taken(self.taken(|_, _| false), of);
        let taken = most_taken(self.taken(|_, hold| !hold.lapsed(at)), of);
        TakenCount {
            sold,
            held: taken.saturating_sub(sold),
        }
    }

    /// Rooms of this stay neither sold nor held at `at`.
    pub fn free(&self, stay: Stay, offer: &OnOffer, at: Moment) -> u32 {
        let offer = self.unless_oversold(offer, at.date_naive());
        left(stay, &offer, &self.taken(|_, hold| !hold.lapsed(at)))
    }

    /// Whether the enquiry of this payment would get a room of this stay at `at`: one is free and promised to no place of the waitlist
    /// before it, or its own hold has one. A hold of its own for other nights would be given up for it.
    pub fn is_free_to(&self, payment: Option<PaymentId>, stay: Stay, offer: &OnOffer, at: Moment) -> bool {
        let held = payment.and_then(|payment| self.holds.get(&payment));
        if held.is_some_and(|hold| !hold.lapsed(at) && hold.stay.is_none_or(|held| held == stay)) {
            return true;
        }
        let place = payment.and_then(|payment| self.waitlist.place(payment));
        let offer = self.unless_oversold(offer, at.date_naive());
        let taken = self.taken(|of, hold| !hold.lapsed(at) && Some(of) != payment);
        self.left_for((place.map(|place| place.lead_id), stay), &offer, taken) > 0
    }

    /// Rooms of this stay that no hold keeps for good and nobody bought, for lists that hear of lapsed holds later: of `rooms` rooms
    /// in all, of which the stay may take `most`.
    pub fn open(&self, stay: Stay, (rooms, most): (u32, u32), today: NaiveDate) -> u32 {
        // Most rooms of a catalogue were never asked for.
        if self.holds.is_empty() && self.sold.is_empty() {
            return most;
        }
        if self.is_oversold(rooms, today) {
            return 0;
        }
        let taken = most_taken(self.taken(|_, hold| !hold.yields), Nights::of(stay));
        most.saturating_sub(taken)
    }

    /// What has become of the rooms of this stay.
    pub fn room_now(&self, stay: Stay, offer: &OnOffer, at: Moment) -> RoomNow {
        let offer = self.unless_oversold(offer, at.date_naive());
        if left(stay, &offer, &self.taken(|_, _| false)) == 0 {
            return RoomNow::Sold;
        }
        let live = self.taken(|_, hold| !hold.lapsed(at));
        if self.left_for((None, stay), &offer, live) > 0 {
            return RoomNow::Free;
        }
        let held = self.holds.values();
        let ends = held
            .filter(|hold| !hold.lapsed(at) && hold.nights().overlaps(Nights::of(stay)))
            .filter_map(|hold| hold.expires_at)
            .chain(self.waitlist.offers_end(stay));
        RoomNow::Held { until: ends.min() }
    }

    /// Whether more rooms are sold for a night to come than there are. Then nothing of this type is let until there are enough: somebody
    /// has to see to it first.
    pub fn is_oversold(&self, rooms: u32, today: NaiveDate) -> bool {
        most_taken(self.taken(|_, _| false), Nights::after(today)) > rooms
    }

    /// The payments that have a night to come for which more rooms are sold than there are; none where there are enough.
    pub fn sold_above(&self, rooms: u32, today: NaiveDate) -> Vec<PaymentId> {
        self.above(rooms, today, |_, _| false)
    }

    /// The same with those that hold a room at `at`.
    pub fn taken_above(&self, rooms: u32, at: Moment) -> Vec<PaymentId> {
        self.above(rooms, at.date_naive(), |_, hold| !hold.lapsed(at))
    }

    fn above(
        &self,
        rooms: u32,
        today: NaiveDate,
        keeps: impl Fn(PaymentId, &Hold) -> bool,
    ) -> Vec<PaymentId> {
        let taken = self.taken(&keeps);
        let is_above = |nights: Nights| {
            let coming = nights.within(Nights::after(today));
            coming.is_some_and(|nights| most_taken(taken.iter().copied(), nights) > rooms)
        };
        let sold = self.sold.iter();
        let sold = sold.filter(|(_, sold)| is_above(Nights::of_taken(sold.stay)));
        let held = self
            .holds
            .iter()
            .filter(|(payment_id, hold)| keeps(**payment_id, hold) && is_above(hold.nights()));
        let sold = sold.map(|(payment_id, _)| *payment_id);
        sold.chain(held.map(|(payment_id, _)| *payment_id)).collect()
    }

    /// The nights that are taken, one entry for each room: what was sold, and the holds that `keeps` counts. Two payments under one
    /// hold have one room.
    pub(super) fn taken(&self, keeps: impl Fn(PaymentId, &Hold) -> bool) -> Vec<Nights> {
        let held = self
            .holds
            .iter()
            .filter(|(payment_id, hold)| keeps(**payment_id, hold))
            .map(|(_, hold)| (hold.hold_id, hold.stay));
        let sold = self.sold.values().map(|sold| (sold.hold_id, sold.stay));
        let rooms: BTreeMap<HoldId, Option<Stay>> = held.chain(sold).collect();
        rooms.into_values().map(Nights::of_taken).collect()
    }

    /// Gives the offer back, or an empty one where the type is oversold.
    pub(super) fn unless_oversold(&self, offer: &OnOffer, today: NaiveDate) -> OnOffer {
        if self.is_oversold(offer.rooms, today) {
            OnOffer::default()
        } else {
            offer.clone()
        }
    }

    /// Rooms of a stay for an enquiry: neither taken nor kept for places before it.
    pub(super) fn left_for(
        &self,
        (lead_id, stay): (Option<LeadId>, Stay),
        offer: &OnOffer,
        mut taken: Vec<Nights>,
    ) -> u32 {
        let kept = self.kept_for_places((lead_id, stay), offer, taken.clone());
        taken.extend(kept);
        left(stay, offer, &taken)
    }

    /// The nights that are kept for places which come before an enquiry: for each that is offered a room, and for each that waits and
    /// could have one now, in their order. What waits for nights that are taken keeps no other nights out of sale. An enquiry that is
    /// offered this stay itself comes before all that wait.
    fn kept_for_places(
        &self,
        (lead_id, stay): (Option<LeadId>, Stay),
        offer: &OnOffer,
        mut taken: Vec<Nights>,
    ) -> Vec<Nights> {
        let is_offered = self.waitlist.offer_to(lead_id, stay).is_some();
        let mut kept = Vec::new();
        for place in self.waitlist.in_order() {
            let comes_after = is_offered && (!place.is_offered() || Some(place.lead_id) == lead_id);
            if comes_after || !place.is_offered() && left(place.stay, offer, &taken) == 0 {
                continue;
            }
            taken.push(Nights::of(place.stay));
            kept.push(Nights::of(place.stay));
        }
        kept
    }

    /// Rooms for who asks for a hold, and for the same person if the holds that yield stood back.
    pub(super) fn free_to(&self, asked: &HoldRequest, offer: &OnOffer) -> (u32, u32) {
        let (at, of) = (asked.at, (asked.lead_id, asked.stay));
        let free = self.left_for(of, offer, self.taken(|_, hold| !hold.lapsed(at)));
        if !asked.proved {
            return (free, free);
        }
        let firm = self.taken(|_, hold| !hold.lapsed(at) && !hold.yields);
        (free, self.left_for(of, offer, firm))
    }

    /// T19: who is nobody in particular keeps at most half of the rooms that are not sold, kind by kind and night by night, and so at
    /// most half of a house. What they hold beyond it they hold only until somebody proved asks.
    pub(super) fn unproved_share_is_used_up(&self, asked: &HoldRequest, offer: &OnOffer) -> bool {
        let unsold = left(asked.stay, offer, &self.taken(|_, _| false));
        let unproved = self
            .holds
            .values()
            .filter(|hold| !hold.proved && !hold.lapsed(asked.at))
            .map(Hold::nights);
        most_taken(unproved, Nights::of(asked.stay)) >= unsold / 2
    }

    /// The holds whose rooms somebody proved gets, one for each night that is full without them: of those that nobody is paying under,
    /// if there are such, and the oldest. `None` where that frees no room.
    pub(super) fn stand_back(&self, asked: &HoldRequest, offer: &OnOffer) -> Option<Vec<RoomStockEvent>> {
        let (at, nights) = (asked.at, Nights::of(asked.stay));
        let live = self.taken(|_, hold| !hold.lapsed(at));
        let kept = self.kept_for_places((asked.lead_id, asked.stay), offer, live);
        let mut gone: BTreeSet<PaymentId> = BTreeSet::new();
        let mut events = Vec::new();
        loop {
            let taken = self.taken(|of, hold| !hold.lapsed(at) && !gone.contains(&of));
            let fullest = fullest(taken.into_iter().chain(kept.iter().copied()), nights);
            let Some((night, _)) = fullest.filter(|(_, most)| *most >= offer.capacity(asked.stay)) else {
                return Some(events);
            };
            let yielding = self.holds.iter().filter(|(of, hold)| {
                hold.yields && !hold.lapsed(at) && !gone.contains(*of) && hold.nights().covers(night)
            });
            let (payment_id, hold) = yielding.min_by_key(|(_, hold)| (hold.extended, hold.expires_at))?;
            gone.insert(*payment_id);
            events.push(RoomStockEvent::HoldYielded {
                hold_id: hold.hold_id,
                payment_id: *payment_id,
            });
        }
    }
}

/// Rooms of a stay that are left on each of its nights.
pub(super) fn left(stay: Stay, offer: &OnOffer, taken: &[Nights]) -> u32 {
    let most = most_taken(taken.iter().copied(), Nights::of(stay));
    offer.capacity(stay).saturating_sub(most)
}
