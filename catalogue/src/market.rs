//! Offers, reviews and past prices of a demo property.

use chrono::{Datelike, Days, Months, NaiveDate};
use domain::country::Country;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::market::{Offer, OfferKind, PartRatings, PriceMonth, PriceSeries, RatingSums, Review};
use domain::money::{Money, Period};
use domain::room::Configuration;

use crate::dice::Dice;
use crate::texts;

/// Months of price history a property comes with.
const HISTORY_MONTHS: u32 = 12;

/// None, one or two offers that hold today and for some weeks.
pub(crate) fn offers(seed: &str, country: Country, today: NaiveDate, dice: &mut Dice) -> Vec<Offer> {
    let count = match dice.between(0, 99) {
        0..=61 => 0,
        62..=91 => 1,
        _ => 2,
    };
    let kinds = [OfferKind::Cashback, OfferKind::Discount];
    kinds
        .into_iter()
        .take(count)
        .map(|kind| offer(kind, seed, country, today, dice))
        .collect()
}

fn offer(kind: OfferKind, seed: &str, country: Country, today: NaiveDate, dice: &mut Dice) -> Offer {
    let steps = match country.period() {
        Period::Weekly => [50, 100, 150, 200, 300],
        Period::Monthly => [100, 150, 250, 400, 500],
    };
    let currency = country.currency();
    let units: u64 = dice.pick(&steps).copied().unwrap_or(100);
    let value = Money::new(units * 10_u64.pow(currency.decimals()), currency);
    let valid_to = today.checked_add_days(Days::new(u64::from(dice.between(20, 120))));
    let amount = format!("{}{units}", currency.symbol());
    let until = valid_to.unwrap_or(today);
    let (en, zh) = (
        until.format("%-d %B %Y").to_string(),
        format!("{} 年 {} 月 {} 日", until.year(), until.month(), until.day()),
    );
    let [title, description, terms] = texts::offer(kind == OfferKind::Cashback, &amount, (&en, &zh));
    Offer {
        id: format!("{seed}-{}", kind.key()),
        title,
        description,
        kind,
        value_minor: value.amount_minor,
        valid_from: today.checked_sub_months(Months::new(1)),
        valid_to,
        terms,
        stackable: kind == OfferKind::Cashback,
    }
}

/// A few written reviews and, for older houses, ratings without words. One in nine houses has none yet.
pub(crate) fn reviews(seed: &str, today: NaiveDate, dice: &mut Dice) -> (Vec<Review>, RatingSums) {
    if dice.chance(11) {
        return (Vec::new(), RatingSums::default());
    }
    // Most houses are liked; a few are not.
    let mood = dice.between(58, 96);
    let count = dice.between(2, 6);
    let written = (0..count)
        .map(|number| review(seed, number, mood, today, dice))
        .collect();
    let silent = if dice.chance(70) { dice.between(4, 120) } else { 0 };
    let mut unwritten = RatingSums::default();
    for _ in 0..silent {
        let parts = parts(mood, dice);
        unwritten.add_all(RatingSums {
            count: 1,
            rating: stars(mood, dice).into(),
            location: parts.location.into(),
            staff: parts.staff.into(),
            room: parts.room.into(),
            value: parts.value.into(),
        });
    }
    (written, unwritten)
}

fn stars(mood: u32, dice: &mut Dice) -> u8 {
    match (dice.chance(mood), dice.chance(mood)) {
        (true, true) => 5,
        (true, false) | (false, true) => 4,
        (false, false) => {
            if dice.chance(70) {
                3
            } else {
                2
            }
        }
    }
}

fn parts(mood: u32, dice: &mut Dice) -> PartRatings {
    PartRatings {
        location: stars((mood + 8).min(98), dice),
        staff: stars(mood, dice),
        room: stars(mood, dice),
        value: stars(mood.saturating_sub(14), dice),
    }
}

fn review(seed: &str, number: u32, mood: u32, today: NaiveDate, dice: &mut Dice) -> Review {
    let rating = stars(mood, dice);
    let until = today
        .checked_sub_months(Months::new(dice.between(1, 30)))
        .unwrap_or(today);
    let stay = Months::new(dice.between(5, 12));
    Review {
        id: format!("{seed}-{number}"),
        author: dice.pick(texts::AUTHORS).copied().unwrap_or_default().to_owned(),
        course: dice
            .pick(texts::COURSES)
            .map(|(en, zh)| texts::bilingual(*en, *zh)),
        rating,
        parts: parts(mood, dice),
        stayed_from: first_of_month(until.checked_sub_months(stay).unwrap_or(until)),
        stayed_to: first_of_month(until),
        text: texts::review(rating >= 4, dice),
    }
}

fn first_of_month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// Twelve months of prices per configuration, ending at today's: cheaper a year ago, a little dearer in summer.
pub(crate) fn price_history(
    country: Country,
    rooms: &[(RoomDetails, Vec<LeaseOption>)],
    today: NaiveDate,
    dice: &mut Dice,
) -> Vec<PriceSeries> {
    let mut configurations: Vec<Option<Configuration>> = rooms
        .iter()
        .map(|(room, _)| Configuration::of(country, room.attributes, room.bedrooms))
        .collect();
    configurations.sort_unstable();
    configurations.dedup();
    let yearly_rise = dice.between(2, 7);
    let in_series = |configuration: Option<Configuration>| {
        let mut prices: Vec<u64> = rooms
            .iter()
            .filter(|(room, _)| Configuration::of(country, room.attributes, room.bedrooms) == configuration)
            .flat_map(|(_, leases)| leases.iter().map(|lease| lease.price_minor))
            .collect();
        prices.sort_unstable();
        PriceSeries {
            configuration,
            months: months(&prices, yearly_rise, country, today),
        }
    };
    configurations.into_iter().map(in_series).collect()
}

fn months(prices: &[u64], yearly_rise: u32, country: Country, today: NaiveDate) -> Vec<PriceMonth> {
    let (Some(min), Some(max)) = (prices.first(), prices.last()) else {
        return Vec::new();
    };
    let median = prices.get(prices.len() / 2).unwrap_or(min);
    let unit = 10_u64.pow(country.currency().decimals());
    let back = |ago: u32| {
        let month = first_of_month(today.checked_sub_months(Months::new(ago)).unwrap_or(today));
        let summer = u64::from((6..=9).contains(&month.month())) * 15;
        let permille = 1_000 + summer - u64::from(yearly_rise * 10 * ago / HISTORY_MONTHS);
        let then = |price: u64| (price * permille / 1_000 / unit).max(1) * unit;
        PriceMonth {
            month,
            min_minor: then(*min),
            median_minor: then(*median),
            max_minor: then(*max),
            n: u32::try_from(prices.len()).unwrap_or(u32::MAX),
        }
    };
    (1..=HISTORY_MONTHS).rev().map(back).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()
    }

    #[test]
    fn history_covers_twelve_months_before_this_one_and_rises() {
        let months = months(&[28_000, 30_000, 34_000], 5, Country::Uk, day());
        assert_eq!(months.len(), 12);
        assert_eq!(months[0].month, NaiveDate::from_ymd_opt(2025, 11, 1).unwrap());
        assert!(months[0].median_minor < months[11].median_minor);
        assert!(
            months
                .iter()
                .all(|month| month.min_minor <= month.median_minor && month.median_minor <= month.max_minor)
        );
    }

    #[test]
    fn every_rating_lies_between_one_and_five() {
        for round in 0..100 {
            let (written, _) = reviews("s", day(), &mut Dice::new(round, "reviews"));
            assert!(written.iter().all(|review| (1..=5).contains(&review.rating)));
        }
    }

    #[test]
    fn offers_hold_today() {
        let mut dice = Dice::new(4, "offers");
        let offers: Vec<Offer> = (0..200)
            .flat_map(|_| offers("s", Country::Uk, day(), &mut dice))
            .collect();
        assert!(!offers.is_empty());
        assert!(offers.iter().all(|offer| offer.valid_on(day())));
    }
}
