//! The books for finance (row J1): trial balance, postings of an account or a payment, and periods.

use axum::extract::State;
use domain::books::{CHART, account};
use domain::id::PaymentId;
use domain::money::Currency;
use http_kit::caller::{Sessions, Staff};
use http_kit::contract::words::{AccountWord, NatureWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{Meta, Success};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::history_reads::Reading;
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, Query, RequestContext, limit_of};
use http_kit::said::say;
use projections::books::query::{self, Asked, PostingRow, SumRow};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

use super::{LIMIT, LIMIT_MAX, decimals, start};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_accounts))
        .endpoint(FINANCE, routes!(account_postings))
        .endpoint(FINANCE, routes!(payment_postings))
        .endpoint(FINANCE, routes!(period_report))
}

/// Days or instants, both optional.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PeriodQuery {
    /// A day or an instant; included.
    pub from: Option<String>,
    /// A day (included) or an instant (not included).
    pub to: Option<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PostingsQuery {
    /// ISO 4217.
    pub currency: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub p: Option<u64>,
    pub limit: Option<u64>,
}

/// An account in a period; amounts are minor units, debits less credits above zero.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookAccount {
    #[schema(value_type = AccountWord)]
    pub account: &'static str,
    #[schema(value_type = NatureWord)]
    pub nature: &'static str,
    pub opening_minor: i64,
    pub debit_minor: i64,
    pub credit_minor: i64,
    pub closing_minor: i64,
}

/// The accounts of one currency; a sum other than zero is an error in the books.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookCurrency {
    pub currency: String,
    pub decimals: u32,
    pub accounts: Vec<BookAccount>,
    pub debit_minor: i64,
    pub credit_minor: i64,
    /// All closing balances together.
    pub sum_minor: i64,
}

/// The trial balance, or a period of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookReport {
    pub from: Option<String>,
    /// Not included.
    pub to: Option<String>,
    pub currencies: Vec<BookCurrency>,
}

/// One entry with the event that made it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookPosting {
    /// Of the causing event in the log.
    pub position: i64,
    pub recorded_at: String,
    /// Kind of event, e.g. `captured`, `gateway_fee`, `payout`, `correction`.
    pub kind: String,
    #[schema(value_type = AccountWord)]
    pub account: String,
    pub payment_id: Option<String>,
    pub payment_reference: Option<String>,
    /// The provider's object, e.g. a charge.
    pub source: Option<String>,
    pub currency: String,
    pub decimals: u32,
    pub debit_minor: i64,
    pub credit_minor: i64,
    /// Of the account after this entry; null where entries of several accounts are listed.
    pub balance_minor: Option<i64>,
}

impl From<PostingRow> for BookPosting {
    fn from(row: PostingRow) -> Self {
        Self {
            decimals: decimals(&row.currency),
            position: row.position,
            recorded_at: row.recorded_at,
            kind: row.kind,
            account: row.account,
            payment_id: row.payment_id,
            payment_reference: row.reference,
            source: row.source,
            currency: row.currency,
            debit_minor: row.debit_minor,
            credit_minor: row.credit_minor,
            balance_minor: None,
        }
    }
}

/// A page of an account's entries, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookPostings {
    pub meta: Meta,
    pub result: Vec<BookPosting>,
    #[schema(value_type = AccountWord)]
    pub account: &'static str,
    pub currency: String,
    pub decimals: u32,
    pub opening_minor: i64,
    pub closing_minor: i64,
}

/// Every entry that a payment has made.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentPostings {
    pub payment_id: String,
    pub result: Vec<BookPosting>,
    /// Debits less credits: zero.
    pub sum_minor: i64,
}

impl PeriodQuery {
    fn ends(&self) -> ApiResult<(Option<String>, Option<String>)> {
        period(self.from.as_deref(), self.to.as_deref())
    }
}

/// Both ends as stored instants.
fn period(from: Option<&str>, to: Option<&str>) -> ApiResult<(Option<String>, Option<String>)> {
    let given = |text: Option<&str>| text.filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let from = given(from).map(|text| start(&text, "from", 0)).transpose()?;
    let to = given(to).map(|text| start(&text, "to", 1)).transpose()?;
    if from.as_ref().zip(to.as_ref()).is_some_and(|(from, to)| from > to) {
        return Err(ApiError::malformed(say("refusal.period_order")));
    }
    Ok((from, to))
}

/// `GET /api/v0/workspace/books/accounts`: the trial balance up to `to`.
///
/// # Errors
/// 422 for a day that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/books/accounts", tag = "finance", params(PeriodQuery),
    responses((status = 200, body = Success<BookReport>), (status = 422, body = Failure)))]
pub async fn list_accounts(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<PeriodQuery>,
) -> ApiResult<Success<BookReport>> {
    Ok(Success::new(report(&records, &asked).await?))
}

/// `GET /api/v0/workspace/books/periods`: per account what stood before, what moved and what stands after.
///
/// # Errors
/// 422 for a day that cannot be read or is missing.
#[utoipa::path(get, path = "/api/v0/workspace/books/periods", tag = "finance", params(PeriodQuery),
    responses((status = 200, body = Success<BookReport>), (status = 422, body = Failure)))]
pub async fn period_report(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<PeriodQuery>,
) -> ApiResult<Success<BookReport>> {
    for (field, given) in [("from", &asked.from), ("to", &asked.to)] {
        if given.as_deref().is_none_or(|text| text.trim().is_empty()) {
            return Err(ApiError::invalid_field(
                field,
                "required",
                say("refusal.day_or_time"),
            ));
        }
    }
    Ok(Success::new(report(&records, &asked).await?))
}

async fn report(records: &Records, asked: &PeriodQuery) -> ApiResult<BookReport> {
    let (from, to) = asked.ends()?;
    let rows = query::sums(records.heard().await?, from.as_deref(), to.as_deref()).await?;
    Ok(BookReport {
        currencies: currencies(&rows),
        from,
        to,
    })
}

/// The rows of each currency, in the order of the chart.
fn currencies(rows: &[SumRow]) -> Vec<BookCurrency> {
    let mut codes: Vec<String> = rows.iter().map(|row| row.currency.clone()).collect();
    codes.dedup();
    let of = |currency: String| {
        let line = |&(account, nature): &(domain::payment::ledger::Account, domain::books::Nature)| {
            let mut found = rows.iter().filter(|row| row.currency == currency);
            let row = found.find(|row| row.account == account.name())?;
            Some(BookAccount {
                account: account.name(),
                nature: nature.name(),
                opening_minor: row.opening_minor,
                debit_minor: row.debit_minor,
                credit_minor: row.credit_minor,
                closing_minor: row.opening_minor + row.debit_minor - row.credit_minor,
            })
        };
        let accounts: Vec<BookAccount> = CHART.iter().filter_map(line).collect();
        BookCurrency {
            decimals: decimals(&currency),
            debit_minor: accounts.iter().map(|account| account.debit_minor).sum(),
            credit_minor: accounts.iter().map(|account| account.credit_minor).sum(),
            sum_minor: accounts.iter().map(|account| account.closing_minor).sum(),
            accounts,
            currency,
        }
    };
    codes.into_iter().map(of).collect()
}

/// `GET /api/v0/workspace/books/accounts/{account}`: its entries with the running balance, oldest first.
///
/// # Errors
/// 404 for an unknown account, 422 without a currency or for a day that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/books/accounts/{account}", tag = "finance",
    params(("account" = String, Path), PostingsQuery),
    responses((status = 200, body = Success<BookPostings>), (status = 404, body = Failure),
    (status = 422, body = Failure)))]
pub async fn account_postings(
    State(records): State<Records>,
    _context: RequestContext,
    Path(name): Path<String>,
    Query(asked): Query<PostingsQuery>,
) -> ApiResult<Success<BookPostings>> {
    let (from, to) = period(asked.from.as_deref(), asked.to.as_deref())?;
    let account = account(&name).ok_or_else(|| ApiError::not_found(say("refusal.no_account")))?;
    let currency = asked.currency.as_deref().and_then(Currency::from_code);
    let currency = currency
        .ok_or_else(|| ApiError::invalid_field("currency", "unknown", say("refusal.unknown_currency")))?;
    let limit = limit_of(asked.limit, LIMIT, LIMIT_MAX)?;
    let current = asked.p.unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let wanted = Asked {
        account: account.name().to_owned(),
        currency: currency.code().to_owned(),
        from,
        to,
    };
    let pool = records.heard().await?;
    let (count, opening_minor, closing_minor) = query::ends(pool, &wanted).await?;
    let (before, rows) = query::postings(pool, &wanted, limit, (current - 1) * limit).await?;
    let mut balance = opening_minor + before;
    let with_balance = |row: PostingRow| {
        balance += row.debit_minor - row.credit_minor;
        BookPosting {
            balance_minor: Some(balance),
            ..BookPosting::from(row)
        }
    };
    Ok(Success::new(BookPostings {
        meta: Meta::new(count.cast_unsigned(), limit, current),
        result: rows.into_iter().map(with_balance).collect(),
        account: account.name(),
        decimals: currency.decimals(),
        currency: wanted.currency,
        opening_minor,
        closing_minor,
    }))
}

/// `GET /api/v0/workspace/books/payments/{id}`: every entry of a payment, the provider's fees among them.
///
/// # Errors
/// 404 for a payment that the books do not know.
#[utoipa::path(get, path = "/api/v0/workspace/books/payments/{id}", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<PaymentPostings>), (status = 404, body = Failure)))]
pub async fn payment_postings(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
) -> ApiResult<Success<PaymentPostings>> {
    let rows = query::of_payment(records.heard().await?, id).await?;
    if rows.is_empty() {
        return Err(ApiError::not_found(say("refusal.no_payment")));
    }
    Reading::by(&sessions, &context, &staff).payment(id).await?;
    Ok(Success::new(PaymentPostings {
        payment_id: id.to_string(),
        sum_minor: rows.iter().map(|row| row.debit_minor - row.credit_minor).sum(),
        result: rows.into_iter().map(BookPosting::from).collect(),
    }))
}
