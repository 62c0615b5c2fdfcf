//! What becomes of a hold: extended, kept, released, sold, and a sale taken back.

use chrono::TimeDelta;

use super::{RoomStock, RoomStockEvent, RoomStockRejection, Sold};
use crate::id::PaymentId;
use crate::moment::Moment;

impl RoomStock {
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
        }])
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
