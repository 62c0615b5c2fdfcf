//! What words of a search name beside names: payouts, positions and amounts; and payments that stand still.

use std::collections::BTreeMap;

use domain::id::PaymentId;
use domain::money::Currency;
use domain::typed_number::{DecimalSign, NumberDoubt, read_amount};
use sqlx::AnyPool;
use tables::Statement;

/// A row of its own beside the event by which the gateway charged for a dispute, or gave that back.
pub const DISPUTE_FEE: &str = "dispute_fee";
/// What finds every event of a dispute in the list.
pub const DISPUTES: &str = "disputes";
/// The kinds that it stands for.
pub(super) const OF_DISPUTES: [&str; 4] = ["dispute_opened", "dispute_won", "dispute_lost", DISPUTE_FEE];

/// A payout by its id, an event by its position, an amount by how it is written.
pub(super) fn by_number(query: &mut Statement, text: &str) {
    query
        .push(" or a.gateway_id in (select source from provider_line where payout_id = ")
        .push_bind(text.to_owned())
        .push(")");
    if let Ok(position) = text.parse::<i64>() {
        query.push(" or a.position = ").push_bind(position);
    }
    // Most currencies have two decimals: they share their numbers.
    let mut by_minor: BTreeMap<i64, Vec<Currency>> = BTreeMap::new();
    for (currency, minor) in amounts_in(text) {
        by_minor.entry(minor).or_default().push(currency);
    }
    for (minor, currencies) in by_minor {
        query.push(" or (a.amount_minor = ").push_bind(minor);
        for (place, currency) in currencies.into_iter().enumerate() {
            query.push(if place == 0 { " and a.currency in (" } else { ", " });
            query.push_bind(currency.code().to_owned());
        }
        query.push("))");
    }
}

/// What the words are as an amount of each currency. Where they can be read in two ways both are sought: each hit shows its amount, and
/// nothing is done with it.
fn amounts_in(text: &str) -> Vec<(Currency, i64)> {
    let minor_units = |currency: Currency| match read_amount(text, currency, None) {
        Ok(minor) => vec![minor],
        Err(NumberDoubt::TwoWays) => [DecimalSign::Point, DecimalSign::Comma]
            .into_iter()
            .filter_map(|sign| read_amount(text, currency, Some(sign)).ok())
            .collect(),
        Err(_) => vec![],
    };
    Currency::ALL
        .into_iter()
        .flat_map(|currency| {
            minor_units(currency)
                .into_iter()
                .filter_map(move |minor| Some((currency, i64::try_from(minor).ok()?)))
        })
        .collect()
}

/// How many payments are processing and have not moved since that instant.
///
/// # Errors
/// When the read models cannot be read.
pub async fn stuck(pool: &AnyPool, since: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "select count(*) from payment_page p where p.status in ('processing', 'pending')
         and not exists (select 1 from payment_audit a where a.payment_id = p.payment_id and a.recorded_at >= $1)",
    )
    .bind(since)
    .fetch_one(pool)
    .await
}

/// Payments with a dispute that the bank has not decided, at most `limit` of them.
///
/// # Errors
/// When the read models cannot be read.
pub async fn open_disputes(pool: &AnyPool, limit: u64) -> Result<Vec<PaymentId>, sqlx::Error> {
    let found: Vec<String> = sqlx::query_scalar(
        "select distinct o.payment_id from payment_audit o where o.kind = 'dispute_opened'
         and not exists (select 1 from payment_audit c where c.payment_id = o.payment_id and c.gateway_id = o.gateway_id
         and c.kind in ('dispute_won', 'dispute_lost')) limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await?;
    Ok(found.iter().filter_map(|id| id.parse().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sought_as_the_amounts_that_they_can_be() {
        let sought = |text: &str, currency: Currency| -> Vec<i64> {
            let all = amounts_in(text).into_iter();
            all.filter(|(of, _)| *of == currency)
                .map(|(_, minor)| minor)
                .collect()
        };
        assert_eq!(sought("259.07", Currency::Gbp), [25_907]);
        assert_eq!(sought("2,50", Currency::Gbp), [250]);
        assert!(sought("2,50", Currency::Krw).is_empty());
        assert_eq!(sought("12000", Currency::Krw), [12_000]);
        assert_eq!(sought("1,250", Currency::Gbp), [125_000, 125]);
        assert_eq!(sought("1,250", Currency::Krw), [1_250]);
        assert_eq!(sought("12.345", Currency::Kwd), [12_345, 12_345_000]);
        assert_eq!(sought("12.345", Currency::Gbp), [1_234_500]);
        assert_eq!(sought("£2.50", Currency::Gbp), [250]);
        assert!(sought("£2.50", Currency::Usd).is_empty());
        assert!(amounts_in("P-9F0D").is_empty());
    }
}
