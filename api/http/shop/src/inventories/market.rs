//! Offers, reviews and prices over time as the contract shows them.

use domain::inventory::market::{PriceMonth, Review};
use domain::language::Language;
use serde_json::{Value, json};

use super::home::Home;
use super::words::{configuration, month, words};

/// Spec §9: a lower rating is not shown.
const LOWEST_SHOWN_TENTHS: u32 = 30;
/// Reviews a page carries at once.
const REVIEWS_SHOWN: usize = search_index::item::REVIEWS_SHOWN;

/// Offers of today, the most valuable first.
pub fn offers(home: &Home, lang: Language) -> Vec<Value> {
    let code = lang.code();
    let shown = home.offers().into_iter().map(|offer| {
        json!({
            "id": offer.id,
            "title": offer.title.in_language(code),
            "description": offer.description.in_language(code),
            "kind": offer.kind.key(),
            "value_minor": offer.value_minor,
            "value": home.decimal(offer.value_minor),
            "currency": home.property.currency.code(),
            "valid_from": offer.valid_from,
            "valid_to": offer.valid_to,
            "terms": offer.terms.in_language(code),
            "stackable": offer.stackable,
        })
    });
    shown.collect()
}

/// The mean of all ratings, where it may be shown (D58).
pub fn rating(home: &Home) -> Option<f64> {
    let ratings = home.page.inventory.ratings;
    ratings
        .tenths(ratings.rating)
        .filter(|tenths| *tenths >= LOWEST_SHOWN_TENTHS)
        .map(tenths)
}

fn tenths(tenths: u32) -> f64 {
    f64::from(tenths) / 10.0
}

/// Reviews that a page can open: a number of reviews beside a home is of these, not of ratings without words.
pub fn reviews_to_read(home: &Home) -> usize {
    home.page.reviews.len().min(REVIEWS_SHOWN)
}

/// The contract's `reviews`.
pub fn reviews(home: &Home, lang: Language) -> Value {
    let ratings = home.page.inventory.ratings;
    let part = |key: &str, sum: u32| {
        let name = words(lang, &format!("rating.{key}"), &[]);
        ratings
            .tenths(sum)
            .map(|mean| json!({ "name": name, "rating": tenths(mean) }))
    };
    let parts = [
        part("location", ratings.location),
        part("staff", ratings.staff),
        part("room", ratings.room),
        part("value", ratings.value),
    ];
    json!({
        "count": reviews_to_read(home),
        "rating": rating(home),
        "parts": parts.into_iter().flatten().collect::<Vec<_>>(),
        "items": home.page.reviews.iter().take(REVIEWS_SHOWN).map(|of| review(of, lang)).collect::<Vec<_>>(),
    })
}

fn review(review: &Review, lang: Language) -> Value {
    let (from, to) = (month(lang, review.stayed_from), month(lang, review.stayed_to));
    json!({
        "author": review.author,
        "course": review.course.as_ref().map(|course| course.in_language(lang.code())),
        "rating": review.rating,
        "stayed": words(lang, "review.stayed", &[("from", &from), ("to", &to)]),
        "text": review.text.in_language(lang.code()),
    })
}

/// D60: every month of every kind of room, one after the other.
pub fn price_months(home: &Home, lang: Language) -> Vec<Value> {
    let mut months = Vec::new();
    for series in home.page.price_trends(home.now) {
        let name = configuration(lang, series.configuration);
        for month in &series.months {
            let mut row = price_month(home, month);
            row["configuration"] = json!(name);
            months.push(row);
        }
    }
    months
}

fn price_month(home: &Home, month: &PriceMonth) -> Value {
    json!({
        "month": month.month.format("%Y-%m").to_string(),
        "min": home.decimal(month.min_minor),
        "median": home.decimal(month.median_minor),
        "max": home.decimal(month.max_minor),
        "currency": home.property.currency.code(),
        "duration": home.property.period,
        "n": month.n,
    })
}

/// The same as the page draws it: one series for each kind of room.
pub fn price_trends(home: &Home, lang: Language) -> Vec<Value> {
    let series = home.page.price_trends(home.now).into_iter().map(|series| {
        let points = series.months.iter().map(|month| price_month(home, month));
        json!({ "name": configuration(lang, series.configuration), "points": points.collect::<Vec<_>>() })
    });
    series.collect()
}
