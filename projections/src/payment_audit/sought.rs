//! What words of a search name beside names: payouts, positions and amounts; and payments that stand still.

use domain::id::PaymentId;
use sqlx::AnyPool;
use tables::Statement;

/// What finds every event of a dispute in the list.
pub const DISPUTES: &str = "disputes";
/// The kinds that it stands for.
pub(super) const OF_DISPUTES: [&str; 3] = ["dispute_opened", "dispute_won", "dispute_lost"];

/// A payout by its id, an event by its position, an amount by how it is written.
pub(super) fn by_number(query: &mut Statement, text: &str) {
    query
        .push(" or a.gateway_id in (select source from provider_line where payout_id = ")
        .push_bind(text.to_owned())
        .push(")");
    if let Ok(position) = text.parse::<i64>() {
        query.push(" or a.position = ").push_bind(position);
    }
    for (digits, minor) in amounts(text) {
        query.push(" or (a.amount_minor = ").push_bind(minor);
        query
            .push(" and a.currency ")
            .push(if digits == 0 { "" } else { "not " });
        query.push("in ('JPY', 'KRW'))");
    }
}

/// An amount in minor units by how many decimals its currency has: `259.07` is 25907 with two, `12000` also 12000 with none.
fn amounts(text: &str) -> Vec<(u32, i64)> {
    let plain = text.replace(',', "");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || fraction.len() > 2 {
        return vec![];
    }
    let two = format!("{whole}{fraction:0<2}")
        .parse()
        .ok()
        .map(|minor| (2, minor));
    let none = whole
        .parse()
        .ok()
        .filter(|_| fraction.is_empty())
        .map(|minor| (0, minor));
    two.into_iter().chain(none).collect()
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
