//! What becomes of a hold: extended, kept, released, sold, and a sale taken back.

use chrono::TimeDelta;

use super::{Hold, RoomStock, RoomStockEvent, RoomStockRejection, Sold};
use crate::id::PaymentId;
use crate::moment::Moment;

impl RoomStock {
    /// When the next hold ends, for the timer that expires holds.
    pub fn next_expiry(&self) -> Option<Moment> {
        self.holds.values().filter_map(|hold| hold.expires_at).min()
    }

    pub(super) fn lapsed(&self, at: Moment) -> Vec<RoomStockEvent> {
        self.expired(|hold| hold.lapsed(at))
    }

    pub(super) fn expired(&self, is_over: impl Fn(&Hold) -> bool) -> Vec<RoomStockEvent> {
        self.holds
            .iter()
            .filter(|(_, hold)| is_over(hold))
            .map(|(payment_id, hold)| RoomStockEvent::HoldExpired {
                hold_id: hold.hold_id,
                payment_id: *payment_id,
            })
            .collect()
    }

    pub(super) fn extend(
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
            by_staff: false,
        }])
    }

    /// Once more than the payer's own extension, and once.
    pub(super) fn extend_by_staff(
        &self,
        payment_id: PaymentId,
        by: TimeDelta,
        at: Moment,
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let hold = self.holds.get(&payment_id).filter(|hold| !hold.lapsed(at));
        let hold = hold.ok_or(RoomStockRejection::NoHold)?;
        match hold.expires_at {
            Some(_) if hold.extended_by_staff => Err(RoomStockRejection::ExtendedAlready),
            // It has no end while a delayed method settles.
            None => Err(RoomStockRejection::NoHold),
            Some(end) => Ok(vec![RoomStockEvent::HoldExtended {
                hold_id: hold.hold_id,
                payment_id,
                expires_at: end + by,
                by_staff: true,
            }]),
        }
    }

    pub(super) fn keep(&self, payment_id: PaymentId) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
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

    pub(super) fn decline(
        &self,
        payment_id: PaymentId,
        hold_for: TimeDelta,
        at: Moment,
    ) -> Vec<RoomStockEvent> {
        let Some(hold) = self.holds.get(&payment_id) else {
            return vec![];
        };
        // The extension is used up once: a hold with an end keeps it (decision 0022).
        if hold.expires_at.is_some() {
            return vec![];
        }
        vec![RoomStockEvent::HoldExtended {
            hold_id: hold.hold_id,
            payment_id,
            expires_at: at + hold_for,
            by_staff: false,
        }]
    }

    pub(super) fn release(&self, payment_id: PaymentId) -> Vec<RoomStockEvent> {
        self.holds
            .get(&payment_id)
            .map(|hold| RoomStockEvent::HoldReleased {
                hold_id: hold.hold_id,
                payment_id,
            })
            .into_iter()
            .collect()
    }

    pub(super) fn sell(
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

    pub(super) fn take_back(&self, payment_id: PaymentId) -> Vec<RoomStockEvent> {
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
