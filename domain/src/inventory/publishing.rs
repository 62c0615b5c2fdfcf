//! Publishes around a home: reviews, offers, prices of past months.

use super::market::{Offer, PriceSeries, RatingSums, Review};
use super::rejection::check_rating;
use super::{Inventory, InventoryEvent, InventoryRejection};

impl Inventory {
    pub(super) fn publish_reviews(
        &self,
        written: Vec<Review>,
        unwritten: RatingSums,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        written.iter().try_for_each(check_rating)?;
        let written: Vec<Review> = written
            .into_iter()
            .filter(|review| !self.review_ids.contains(&review.id))
            .collect();
        let nothing_new = written.is_empty() && unwritten.count == 0;
        Ok(if nothing_new {
            vec![]
        } else {
            vec![InventoryEvent::ReviewsPublished { written, unwritten }]
        })
    }

    pub(super) fn publish_offer(&self, offer: Box<Offer>) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        let same = self.offers.contains(&offer);
        Ok(if same {
            vec![]
        } else {
            vec![InventoryEvent::OfferPublished { offer }]
        })
    }

    pub(super) fn withdraw_offer(&self, offer: String) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        if self.offers.iter().any(|published| published.id == offer) {
            Ok(vec![InventoryEvent::OfferWithdrawn { offer }])
        } else {
            Err(InventoryRejection::UnknownOffer(offer))
        }
    }

    pub(super) fn record_prices(
        &self,
        series: Vec<PriceSeries>,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        let empty = series.iter().all(|of| of.months.is_empty());
        Ok(if empty {
            vec![]
        } else {
            vec![InventoryEvent::PriceHistoryRecorded { series }]
        })
    }
}
