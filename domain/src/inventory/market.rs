//! What changes around a property over time: offers, reviews, prices of past months.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::room::Configuration;
use crate::wording::Wording;

/// A discount or cashback (D124).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub id: String,
    pub title: Wording,
    pub description: Wording,
    pub kind: OfferKind,
    /// In minor units of the property's currency.
    pub value_minor: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<NaiveDate>,
    /// Last day, included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<NaiveDate>,
    pub terms: Wording,
    pub stackable: bool,
}

impl Offer {
    /// Whether it can be had on `day`.
    pub fn valid_on(&self, day: NaiveDate) -> bool {
        self.valid_from.is_none_or(|from| from <= day) && self.valid_to.is_none_or(|to| day <= to)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    Cashback,
    Discount,
    Voucher,
}

impl OfferKind {
    pub const fn key(self) -> &'static str {
        match self {
            Self::Cashback => "cashback",
            Self::Discount => "discount",
            Self::Voucher => "voucher",
        }
    }
}

/// What a resident published about a stay. The author is the name they chose to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub id: String,
    pub author: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub course: Option<Wording>,
    /// One to five.
    pub rating: u8,
    pub parts: PartRatings,
    pub stayed_from: NaiveDate,
    pub stayed_to: NaiveDate,
    pub text: Wording,
}

/// The parts a stay is rated by, each one to five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRatings {
    pub location: u8,
    pub staff: u8,
    pub room: u8,
    pub value: u8,
}

/// Ratings given without words, as sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RatingSums {
    pub count: u32,
    pub rating: u32,
    pub location: u32,
    pub staff: u32,
    pub room: u32,
    pub value: u32,
}

impl RatingSums {
    /// Adds one written review.
    pub fn add(&mut self, review: &Review) {
        self.add_all(Self {
            count: 1,
            rating: review.rating.into(),
            location: review.parts.location.into(),
            staff: review.parts.staff.into(),
            room: review.parts.room.into(),
            value: review.parts.value.into(),
        });
    }

    /// Adds ratings already summed up.
    pub fn add_all(&mut self, more: Self) {
        self.count = self.count.saturating_add(more.count);
        self.rating = self.rating.saturating_add(more.rating);
        self.location = self.location.saturating_add(more.location);
        self.staff = self.staff.saturating_add(more.staff);
        self.room = self.room.saturating_add(more.room);
        self.value = self.value.saturating_add(more.value);
    }

    /// Mean of a sum in tenths, rounded half up; none without a rating.
    pub fn tenths(self, sum: u32) -> Option<u32> {
        let (sum, count) = (u64::from(sum), u64::from(self.count));
        (count > 0)
            .then(|| (sum * 20 + count) / (count * 2))
            .and_then(|mean| u32::try_from(mean).ok())
    }
}

/// Prices of one kind of room over months (D60).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceSeries {
    pub configuration: Option<Configuration>,
    pub months: Vec<PriceMonth>,
}

/// Prices asked in one month, in minor units per period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceMonth {
    /// First day of the month.
    pub month: NaiveDate,
    pub min_minor: u64,
    pub median_minor: u64,
    pub max_minor: u64,
    /// How many prices it was made from.
    pub n: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_to_the_nearest_tenth() {
        let sums = RatingSums {
            count: 3,
            rating: 14,
            ..RatingSums::default()
        };
        assert_eq!(sums.tenths(sums.rating), Some(47));
        assert_eq!(RatingSums::default().tenths(0), None);
    }
}
