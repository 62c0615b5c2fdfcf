//! Questions about the provider's account: each movement beside what our books say of it, payouts with their sums, notices that wait.

use std::collections::BTreeSet;

use domain::gateway_event::SetAsideReason;
use domain::money::Currency;
use sqlx::AnyPool;
use tables::Statement;

/// What a movement may be beside our books.
pub const VERDICTS: [&str; 5] = ["matched", "differing", "missing_here", "missing_there", "own"];

/// A movement of the provider's account beside our own books; where only the books know it, without an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRow {
    pub line_id: Option<String>,
    pub kind: String,
    pub source: Option<String>,
    pub amount_minor: i64,
    pub fee_minor: i64,
    pub net_minor: i64,
    pub currency: String,
    pub created_at: String,
    pub available_at: Option<String>,
    pub payout_id: Option<String>,
    pub payment_id: Option<String>,
    pub reference: Option<String>,
    /// Amount in our books, signed.
    pub here_minor: Option<i64>,
    pub here_currency: Option<String>,
    /// By which rate the provider settled a charge of another currency.
    pub exchange_rate: Option<String>,
    /// `matched`, `differing`, `missing_here`, `missing_there`, or `own` for what concerns the account alone.
    pub verdict: String,
}

tables::from_row!(LineRow {
    line_id,
    kind,
    source,
    amount_minor,
    fee_minor,
    net_minor,
    currency,
    created_at,
    available_at,
    payout_id,
    payment_id,
    reference,
    here_minor,
    here_currency,
    exchange_rate,
    verdict
});

/// A payout with what its movements come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutRow {
    pub payout_id: String,
    pub amount_minor: i64,
    pub currency: String,
    pub status: String,
    pub created_at: String,
    pub arrives_at: String,
    pub items: i64,
    pub items_minor: i64,
    /// 1 where a person sent it, 0 where the provider did; `None` where it was read before that was asked.
    pub is_by_hand: Option<i64>,
}

impl PayoutRow {
    /// Whether it is the sum of its movements, but for what its currency is not paid out in; `None` where the provider does not say which it
    /// holds, or took the payout back.
    pub fn is_whole(&self) -> Option<bool> {
        let is_gone = ["failed", "canceled"].contains(&self.status.as_str());
        let is_untold = self.items == 0 && (is_gone || self.is_by_hand != Some(0));
        let step = Currency::from_code(&self.currency).map_or(1, Currency::payout_step);
        (!is_untold).then_some(self.items_minor.abs_diff(self.amount_minor) < step)
    }
}

tables::from_row!(PayoutRow {
    payout_id,
    amount_minor,
    currency,
    status,
    created_at,
    arrives_at,
    items,
    items_minor,
    is_by_hand
});

/// A notice that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    pub notice_id: String,
    pub received_at: String,
    pub gateway_event_id: String,
    pub kind: String,
    pub object_id: String,
    pub verdict: Option<String>,
    pub payment_id: Option<String>,
    pub reason: Option<String>,
    /// Why it waits for a person; `None` where it came before reasons were kept.
    pub set_aside: Option<String>,
    /// The payment it named, with its reference where the books know it.
    pub named_id: Option<String>,
    pub named_reference: Option<String>,
}

impl NoticeRow {
    /// Whether it names a payment of ours, which it does not fit; older rows say no reason and named none.
    pub fn names_payment(&self) -> bool {
        let reason = self.set_aside.as_deref();
        SetAsideReason::ALL
            .iter()
            .any(|known| known.names_payment() && Some(known.key()) == reason)
    }
}

tables::from_row!(NoticeRow {
    notice_id,
    received_at,
    gateway_event_id,
    kind,
    object_id,
    verdict,
    payment_id,
    reason,
    set_aside,
    named_id,
    named_reference
});

/// What is looked for; empty fields leave all in.
#[derive(Debug, Clone, Default)]
pub struct LineFilter {
    pub verdict: Option<String>,
    pub payout_id: Option<String>,
    pub payment_id: Option<String>,
    /// Before this moment the provider has listed everything; later than its newest movement, it counts instead of that.
    pub listed_before: Option<String>,
}

/// How many minor units of a column's currency are one unit, as a part of a query.
fn unit_of(column: &str) -> String {
    let among = |decimals: u32| {
        let codes = Currency::ALL.into_iter().filter(|one| one.decimals() == decimals);
        let codes: Vec<String> = codes.map(|one| format!("'{}'", one.code())).collect();
        codes.join(", ")
    };
    format!(
        "(case when {column} in ({}) then 1.0 when {column} in ({}) then 1000.0 else 100.0 end)",
        among(0),
        among(3)
    )
}

/// Of our books what a provider books as well. What happened after its newest movement may not be listed yet, unless it happened before
/// the moment until when the provider has listed everything. A charge that was settled in another currency fits where its rate leads to
/// the amount: to a minor unit and the digits that a rate is written with, the rate being one of minor units, or of units, whatever
/// decimals both currencies have.
fn join_lines() -> String {
    let by_units = format!(
        "a.amount_minor * l.rate * {} / {}",
        unit_of("l.currency"),
        unit_of("a.currency")
    );
    let fits = |settled: &str| format!("abs(abs(l.amount_minor) - {settled}) <= 1 + {settled} * 0.00001");
    let (by_minor_units, by_units) = (fits("a.amount_minor * l.rate"), fits(&by_units));
    format!(
        " from (
 select l.line_id, l.kind, l.source, l.amount_minor, l.fee_minor, l.net_minor, l.currency, l.created_at, l.available_at, l.payout_id,
  a.payment_id, a.reference, case when l.amount_minor < 0 then -a.amount_minor else a.amount_minor end as here_minor,
  a.currency as here_currency, l.exchange_rate,
  case when l.kind not in ('charge', 'payment', 'refund', 'payment_refund', 'adjustment') then 'own'
   when a.payment_id is null then 'missing_here'
   when a.currency = l.currency and a.amount_minor = abs(l.amount_minor) then 'matched'
   when a.currency <> l.currency and ({by_minor_units} or {by_units}) then 'matched'
   else 'differing' end as verdict
 from (select *, cast(exchange_rate as double precision) as rate from provider_line) l left join payment_audit a on a.gateway_id = l.source
  and a.kind in ('captured', 'refund_acknowledged', 'dispute_opened')
 union all
 select null, a.kind, a.gateway_id, a.sign * a.amount_minor, 0, a.sign * a.amount_minor, a.currency, a.recorded_at, null, null,
  a.payment_id, a.reference, a.sign * a.amount_minor, a.currency, null, 'missing_there'
 from payment_audit a left join provider_line l on l.source = a.gateway_id
 where a.kind in ('captured', 'refund_acknowledged') and l.line_id is null
  and (a.recorded_at < (select max(created_at) from provider_line) or a.recorded_at < "
    )
}

/// Selects these columns of the joined movements that a filter leaves in.
fn select_joined(columns: &str, filter: &LineFilter) -> Statement {
    let mut query = Statement::new(format!("select {columns}{}", join_lines()));
    query
        .push_bind(filter.listed_before.clone().unwrap_or_default())
        .push(")) as x where 1 = 1");
    for (column, wanted) in [
        ("x.verdict", &filter.verdict),
        ("x.payout_id", &filter.payout_id),
        ("x.payment_id", &filter.payment_id),
    ] {
        if let Some(wanted) = wanted {
            query.push(&format!(" and {column} = ")).push_bind(wanted.clone());
        }
    }
    query
}

/// Movements, newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn lines(
    pool: &AnyPool,
    filter: &LineFilter,
    limit: u64,
    offset: u64,
) -> Result<Vec<LineRow>, sqlx::Error> {
    let mut query = select_joined("*", filter);
    query
        .push(" order by x.created_at desc, x.source desc, x.line_id limit ")
        .push_bind(limit.cast_signed());
    query.push(" offset ").push_bind(offset.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// How many movements there are by verdict.
///
/// # Errors
/// When the read models cannot be read.
pub async fn counts(pool: &AnyPool, filter: &LineFilter) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let mut query = select_joined("x.verdict, count(*)", filter);
    query.push(" group by x.verdict order by x.verdict");
    query.build_query_as()?.fetch_all(pool).await
}

/// Payouts that the provider promised before `now` and that have not arrived. A promise without a time of day counts for its whole day.
///
/// # Errors
/// When the read models cannot be read.
pub async fn late_payouts(pool: &AnyPool, now: &str, yesterday: &str) -> Result<Vec<PayoutRow>, sqlx::Error> {
    sqlx::query_as(
        "select payout_id, amount_minor, currency, status, created_at, arrives_at, cast(0 as bigint) as items,
         cast(0 as bigint) as items_minor, is_by_hand from provider_payout where status in ('pending', 'in_transit')
         and ((arrives_at < $1 and arrives_at not like '%T00:00:00.%') or arrives_at < $2)
         order by arrives_at, payout_id limit 500",
    )
    .bind(now)
    .bind(yesterday)
    .fetch_all(pool)
    .await
}

/// Which of these movements are known.
///
/// # Errors
/// When the read models cannot be read.
pub async fn known(pool: &AnyPool, line_ids: &[&str]) -> Result<BTreeSet<String>, sqlx::Error> {
    let mut query = Statement::new("select line_id from provider_line where line_id in (null");
    for line_id in line_ids {
        query.push(", ").push_bind((*line_id).to_owned());
    }
    query.push(")");
    let rows: Vec<(String,)> = query.build_query_as()?.fetch_all(pool).await?;
    Ok(rows.into_iter().map(|(line_id,)| line_id).collect())
}

/// Payouts, newest first, each with the sum of its movements.
///
/// # Errors
/// When the read models cannot be read.
pub async fn payouts(pool: &AnyPool, limit: u64) -> Result<Vec<PayoutRow>, sqlx::Error> {
    sqlx::query_as(
        "select p.payout_id, p.amount_minor, p.currency, p.status, p.created_at, p.arrives_at, count(l.line_id) as items,
         cast(coalesce(sum(l.net_minor), 0) as bigint) as items_minor, p.is_by_hand
         from provider_payout p left join provider_line l on l.payout_id = p.payout_id and l.kind <> 'payout'
         group by p.payout_id, p.amount_minor, p.currency, p.status, p.created_at, p.arrives_at, p.is_by_hand
         order by p.created_at desc, p.payout_id limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await
}

/// Notices that were set aside: those that wait, or those that were dealt with; newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn notices(pool: &AnyPool, is_open: bool, limit: u64) -> Result<Vec<NoticeRow>, sqlx::Error> {
    let which = if is_open { "is null" } else { "is not null" };
    let mut query = Statement::new(format!(
        "select notice_id, received_at, gateway_event_id, kind, object_id, verdict, payment_id, reason, set_aside, named_id,
         (select min(a.reference) from payment_audit a where a.payment_id = unknown_notice.named_id) as named_reference
         from unknown_notice where verdict {which} order by received_at desc, notice_id limit "
    ));
    query.push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// When the newest movement happened that was read.
///
/// # Errors
/// When the read models cannot be read.
pub async fn newest(pool: &AnyPool) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("select max(created_at) from provider_line")
        .fetch_one(pool)
        .await
}
