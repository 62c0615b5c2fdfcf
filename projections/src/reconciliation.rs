//! What the reconciliation compares, as questions to several read models: the provider's movements and payouts, notices told
//! twice, and what the books hold at the provider.

use domain::books::{CHART, Nature};
use sqlx::AnyPool;
use tables::Statement;

/// A movement with its fee, for the comparison with the agreed rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeRow {
    pub line_id: String,
    pub source: Option<String>,
    pub amount_minor: i64,
    pub fee_minor: i64,
    pub currency: String,
    pub created_at: String,
    pub payment_id: Option<String>,
    pub reference: Option<String>,
}

tables::from_row!(FeeRow {
    line_id,
    source,
    amount_minor,
    fee_minor,
    currency,
    created_at,
    payment_id,
    reference
});

/// A notice that says what another one had said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatRow {
    pub gateway_event_id: String,
    pub object_id: String,
    pub received_at: String,
    pub payment_id: String,
    pub reference: Option<String>,
    pub amount_minor: i64,
    pub currency: String,
}

tables::from_row!(RepeatRow {
    gateway_event_id,
    object_id,
    received_at,
    payment_id,
    reference,
    amount_minor,
    currency
});

/// What the provider's account and the books come to in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalRow {
    pub currency: String,
    /// Movements less payouts, as the provider tells them.
    pub there_minor: i64,
    /// The balance of `gateway_clearing` at the provider's newest movement: without what is newer here and not told there yet.
    pub here_minor: i64,
    /// Money that moved here after that movement, and not so long ago that the provider has listed it: it waits for the next reading.
    pub newer_minor: i64,
    /// Debits less credits over all accounts: zero.
    pub books_minor: i64,
}

tables::from_row!(TotalRow {
    currency,
    there_minor,
    here_minor,
    newer_minor,
    books_minor
});

/// Charges with their fees, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn charges(pool: &AnyPool, limit: u64) -> Result<Vec<FeeRow>, sqlx::Error> {
    sqlx::query_as(
        "select l.line_id, l.source, l.amount_minor, l.fee_minor, l.currency, l.created_at,
         (select min(a.payment_id) from payment_audit a where a.gateway_id = l.source and a.kind = 'captured') as payment_id,
         (select min(a.reference) from payment_audit a where a.gateway_id = l.source and a.kind = 'captured') as reference
         from provider_line l where l.kind in ('charge', 'payment') order by l.created_at desc, l.line_id limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await
}

/// Notices of money that came once more under another id, and that no reading of the account has proved to be one since.
///
/// # Errors
/// When the read models cannot be read.
pub async fn repeats(pool: &AnyPool, limit: u64) -> Result<Vec<RepeatRow>, sqlx::Error> {
    sqlx::query_as(
        "select n.gateway_event_id, n.object_id, n.received_at, n.payment_id, a.reference, a.amount_minor, a.currency
         from gateway_notice n join payment_audit a on a.payment_id = n.payment_id and a.kind = 'captured'
         where n.kind = 'payment_intent.succeeded' and n.checked_at is null
         and a.position = (select min(b.position) from payment_audit b where b.payment_id = n.payment_id and b.kind = 'captured')
         and exists (select 1 from gateway_notice o where o.payment_id = n.payment_id and o.kind = n.kind
          and o.object_id = n.object_id and o.position < n.position)
         order by n.received_at desc, n.gateway_event_id limit $1",
    )
    .bind(limit.cast_signed())
    .fetch_all(pool)
    .await
}

/// Both sides in each currency, cut at the same moment: the provider's newest movement or, where it is later, the moment before which the
/// provider has listed everything.
///
/// # Errors
/// When the read models cannot be read.
pub async fn totals(pool: &AnyPool, listed_before: &str) -> Result<Vec<TotalRow>, sqlx::Error> {
    sqlx::query_as(
        "select currency, cast(sum(there) as bigint) as there_minor, cast(sum(here) - sum(newer) as bigint) as here_minor,
         cast(sum(newer) as bigint) as newer_minor, cast(sum(books) as bigint) as books_minor from (
          select currency, net_minor as there, 0 as here, 0 as newer, 0 as books from provider_line where kind <> 'payout'
          union all
          select currency, -amount_minor, 0, 0, 0 from provider_payout where status not in ('failed', 'canceled')
          union all
          select currency, 0, case when account = 'gateway_clearing' then debit_minor - credit_minor else 0 end, 0,
           debit_minor - credit_minor from ledger_line
          union all
          select a.currency, 0, 0, a.sign * a.amount_minor, 0 from payment_audit a
          where a.recorded_at >= coalesce((select max(created_at) from provider_line), '') and a.recorded_at >= $1 and a.sign <> 0
           and a.kind <> 'refund_paid_elsewhere' and not exists (select 1 from provider_line l where l.source = a.gateway_id
            and l.net_minor * a.sign > 0)
         ) as x group by currency order by currency",
    )
    .bind(listed_before)
    .fetch_all(pool)
    .await
}

/// An account that holds less than nothing, as no asset can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BelowZeroRow {
    pub currency: String,
    pub account: String,
    pub balance_minor: i64,
}

tables::from_row!(BelowZeroRow {
    currency,
    account,
    balance_minor
});

/// Assets of which more went out than came in, by currency. Rewards are left out: the house pays them from money that it has at its
/// bank beside the provider's payouts, which alone are in these books.
///
/// # Errors
/// When the read models cannot be read.
pub async fn assets_below_zero(pool: &AnyPool) -> Result<Vec<BelowZeroRow>, sqlx::Error> {
    let assets = CHART.iter().filter(|(_, nature)| *nature == Nature::Asset);
    let mut query = Statement::new(
        "select currency, account, cast(sum(debit_minor - credit_minor) as bigint) as balance_minor from ledger_line
         where account in ",
    );
    query.push_list(assets.map(|(account, _)| account.name())).push(
        " and kind <> 'reward_paid' group by currency, account having sum(debit_minor - credit_minor) < 0 order by currency, account",
    );
    query.build_query_as()?.fetch_all(pool).await
}

/// What approved corrections have posted for one exception to one account: debits less credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MendedRow {
    /// The exception, as the reconciliation names it.
    pub item: String,
    pub currency: String,
    pub account: String,
    pub balance_minor: i64,
}

tables::from_row!(MendedRow {
    item,
    currency,
    account,
    balance_minor
});

/// What approved corrections have posted, by exception and account.
///
/// # Errors
/// When the read models cannot be read.
pub async fn mended(pool: &AnyPool) -> Result<Vec<MendedRow>, sqlx::Error> {
    sqlx::query_as(
        "select source as item, currency, account, cast(sum(debit_minor - credit_minor) as bigint) as balance_minor
         from ledger_line where kind = 'correction' and source is not null
         group by source, currency, account order by source, account",
    )
    .fetch_all(pool)
    .await
}

/// Whether the provider's account, as it was read, holds the charge of a payment once.
///
/// # Errors
/// When the read models cannot be read.
pub async fn is_charged_once(pool: &AnyPool, payment_id: &str) -> Result<bool, sqlx::Error> {
    let (lines,): (i64,) = sqlx::query_as(
        "select count(*) from provider_line where kind in ('charge', 'payment') and source in
         (select gateway_id from payment_audit where kind = 'captured' and payment_id = $1)",
    )
    .bind(payment_id)
    .fetch_one(pool)
    .await?;
    Ok(lines == 1)
}
