//! Questions about the books: trial balance, the postings of an account or a payment, and periods.

use domain::id::PaymentId;
use sqlx::AnyPool;
use tables::Statement;

/// Sums of an account in a currency, in minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumRow {
    pub account: String,
    pub currency: String,
    /// Debits less credits before the period; 0 without a beginning.
    pub opening_minor: i64,
    pub debit_minor: i64,
    pub credit_minor: i64,
}

tables::from_row!(SumRow {
    account,
    currency,
    opening_minor,
    debit_minor,
    credit_minor
});

/// One entry with the event that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostingRow {
    pub position: i64,
    pub place: i64,
    pub recorded_at: String,
    pub kind: String,
    pub account: String,
    pub currency: String,
    pub debit_minor: i64,
    pub credit_minor: i64,
    /// Of the event itself, or of the charge or refund that the provider's movement is about.
    pub payment_id: Option<String>,
    pub reference: Option<String>,
    /// The provider's object, e.g. a charge or a payout.
    pub source: Option<String>,
}

tables::from_row!(PostingRow {
    position,
    place,
    recorded_at,
    kind,
    account,
    currency,
    debit_minor,
    credit_minor,
    payment_id,
    reference,
    source
});

/// Whose entries are asked for; instants are RFC 3339, the end is not included.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub account: String,
    pub currency: String,
    pub from: Option<String>,
    pub to: Option<String>,
}

/// Every account that has entries before `to`, with what stood at `from`.
///
/// # Errors
/// When the read models cannot be read.
pub async fn sums(pool: &AnyPool, from: Option<&str>, to: Option<&str>) -> Result<Vec<SumRow>, sqlx::Error> {
    let mut query = Statement::new("select account, currency, ");
    let (from, to) = (from.unwrap_or_default().to_owned(), to.map(str::to_owned));
    for (start, amount, end) in [
        (
            "cast(coalesce(sum(case when recorded_at < ",
            "debit_minor - credit_minor",
            "opening_minor, ",
        ),
        (
            "cast(coalesce(sum(case when recorded_at >= ",
            "debit_minor",
            "debit_minor, ",
        ),
        (
            "cast(coalesce(sum(case when recorded_at >= ",
            "credit_minor",
            "credit_minor from ledger_line",
        ),
    ] {
        query.push(start).push_bind(from.clone());
        query.push(&format!(" then {amount} else 0 end), 0) as bigint) as {end}"));
    }
    if let Some(to) = to {
        query.push(" where recorded_at < ").push_bind(to);
    }
    query.push(" group by account, currency order by currency, account");
    query.build_query_as()?.fetch_all(pool).await
}

fn of_account(query: &mut Statement, asked: &Asked) {
    query.push(" where l.account = ").push_bind(asked.account.clone());
    query.push(" and l.currency = ").push_bind(asked.currency.clone());
    if let Some(to) = &asked.to {
        query.push(" and l.recorded_at < ").push_bind(to.clone());
    }
}

fn since(query: &mut Statement, asked: &Asked) {
    if let Some(from) = &asked.from {
        query.push(" and l.recorded_at >= ").push_bind(from.clone());
    }
}

/// How many entries an account has in the period, what stood before it, and after it.
///
/// # Errors
/// When the read models cannot be read.
pub async fn ends(pool: &AnyPool, asked: &Asked) -> Result<(i64, i64, i64), sqlx::Error> {
    let mut query = Statement::new("select cast(coalesce(sum(case when l.recorded_at >= ");
    let from = asked.from.clone().unwrap_or_default();
    query
        .push_bind(from.clone())
        .push(" then 1 else 0 end), 0) as bigint), cast(coalesce(sum(case when l.recorded_at < ")
        .push_bind(from)
        .push(
            " then l.debit_minor - l.credit_minor else 0 end), 0) as bigint),
             cast(coalesce(sum(l.debit_minor - l.credit_minor), 0) as bigint) from ledger_line l",
        );
    of_account(&mut query, asked);
    query.build_query_as()?.fetch_one(pool).await
}

const COLUMNS: &str = "select x.*, (select min(a.reference) from payment_audit a where a.payment_id = x.payment_id) as reference from (
 select l.position, l.place, l.recorded_at, l.kind, l.account, l.currency, l.debit_minor, l.credit_minor, l.source,
 coalesce(nullif(l.payment_id, ''), (select min(a.payment_id) from payment_audit a where a.gateway_id = l.source
  and a.kind in ('captured', 'refund_acknowledged'))) as payment_id from ledger_line l";

/// A page of an account's entries, oldest first, with the sum of those of the period that stand before the page.
///
/// # Errors
/// When the read models cannot be read.
pub async fn postings(
    pool: &AnyPool,
    asked: &Asked,
    limit: u64,
    offset: u64,
) -> Result<(i64, Vec<PostingRow>), sqlx::Error> {
    let mut before = Statement::new(
        "select cast(coalesce(sum(x.moved), 0) as bigint) from (select l.debit_minor - l.credit_minor as moved from ledger_line l",
    );
    of_account(&mut before, asked);
    since(&mut before, asked);
    before
        .push(" order by l.position, l.place limit ")
        .push_bind(offset.cast_signed())
        .push(") as x");
    let (before,): (i64,) = before.build_query_as()?.fetch_one(pool).await?;
    let mut query = Statement::new(COLUMNS);
    of_account(&mut query, asked);
    since(&mut query, asked);
    query
        .push(" order by l.position, l.place limit ")
        .push_bind(limit.cast_signed());
    query.push(" offset ").push_bind(offset.cast_signed());
    query.push(") x order by x.position, x.place");
    Ok((before, query.build_query_as()?.fetch_all(pool).await?))
}

/// Every entry of a payment: of its own events, and of the provider's movements about its charges and refunds.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_payment(pool: &AnyPool, payment_id: PaymentId) -> Result<Vec<PostingRow>, sqlx::Error> {
    let mut query = Statement::new(COLUMNS);
    query
        .push(" where l.payment_id = ")
        .push_bind(payment_id.to_string());
    query
        .push(" or l.source in (select gateway_id from payment_audit where kind in ('captured', 'refund_acknowledged') and payment_id = ")
        .push_bind(payment_id.to_string());
    query.push(")) x order by x.position, x.place");
    query.build_query_as()?.fetch_all(pool).await
}

/// A referral whose reward is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewardRow {
    /// The referral's id.
    pub source: String,
    /// Credits less debits of `rewards_payable`.
    pub owed_minor: i64,
}

tables::from_row!(RewardRow { source, owed_minor });

/// Referrals with a balance in `rewards_payable`, the oldest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn open_rewards(pool: &AnyPool, limit: u64) -> Result<Vec<RewardRow>, sqlx::Error> {
    sqlx::query_as(
        "select source, cast(sum(credit_minor - debit_minor) as bigint) as owed_minor from ledger_line
         where account = 'rewards_payable' and source is not null
         group by source having sum(credit_minor - debit_minor) <> 0 order by min(position) limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await
}
