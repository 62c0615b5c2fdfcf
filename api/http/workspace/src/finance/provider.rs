//! The payment provider's account for finance (row J3): each movement with its fee beside our own books, payouts with their sums.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use domain::money::{Currency, Money};
use eventlog::EventLog;
use gateway::PaymentGateway;
use http_kit::contract::words::ProviderVerdictWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{Meta, Success};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext, limit_of};
use http_kit::said::say;
use platform::clock;
use platform::sheet::{Cell, Sheet};
use processes::provider_account::{self, ReadError};
use processes::reconciliation::listed_before;
use projections::provider_account::query::{self, LineFilter, LineRow, PayoutRow, VERDICTS};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

use super::{LIMIT, LIMIT_MAX, decimals};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(show_account))
        .endpoint(FINANCE, routes!(read_account))
        .endpoint(FINANCE, routes!(export_account))
}

/// Payouts shown beside the movements.
const PAYOUTS: u64 = 50;
/// Rows of the sheet; a year of movements is fewer.
const SHEET_MAX: u64 = 100_000;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AccountQuery {
    /// One of the verdicts.
    pub verdict: Option<String>,
    /// Only what went out with this payout.
    pub payout: Option<String>,
    /// Only what belongs to this payment.
    pub payment: Option<String>,
    pub p: Option<u64>,
    pub limit: Option<u64>,
}

impl AccountQuery {
    fn filter(&self) -> ApiResult<LineFilter> {
        let given = |field: &Option<String>| field.clone().filter(|text| !text.trim().is_empty());
        let verdict = given(&self.verdict);
        if verdict.as_deref().is_some_and(|word| !VERDICTS.contains(&word)) {
            return Err(ApiError::invalid_field(
                "verdict",
                "unknown",
                say("refusal.unknown_verdict"),
            ));
        }
        Ok(LineFilter {
            verdict,
            payout_id: given(&self.payout),
            payment_id: given(&self.payment),
            listed_before: Some(listed_before(clock::now())),
        })
    }
}

/// One movement of the provider's account beside our own books.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderLine)]
pub struct LineView {
    /// Null for what only our books know.
    pub id: Option<String>,
    /// The provider's word, e.g. `charge`; for what only our books know, ours.
    pub kind: String,
    /// Object that moved the money, e.g. a charge.
    pub source: Option<String>,
    pub amount_minor: i64,
    pub fee_minor: i64,
    pub net_minor: i64,
    pub currency: String,
    pub decimals: u32,
    pub created_at: String,
    pub available_at: Option<String>,
    pub payout_id: Option<String>,
    pub payment_id: Option<String>,
    pub payment_reference: Option<String>,
    /// Amount in our books, signed.
    pub here_minor: Option<i64>,
    pub here_currency: Option<String>,
    /// By which rate a charge of another currency was settled, as the provider writes it.
    pub exchange_rate: Option<String>,
    #[schema(value_type = ProviderVerdictWord)]
    pub verdict: String,
}

impl From<LineRow> for LineView {
    fn from(row: LineRow) -> Self {
        Self {
            decimals: decimals(&row.currency),
            id: row.line_id,
            kind: row.kind,
            source: row.source,
            amount_minor: row.amount_minor,
            fee_minor: row.fee_minor,
            net_minor: row.net_minor,
            currency: row.currency,
            created_at: row.created_at,
            available_at: row.available_at,
            payout_id: row.payout_id,
            payment_id: row.payment_id,
            payment_reference: row.reference,
            here_minor: row.here_minor,
            here_currency: row.here_currency,
            exchange_rate: row.exchange_rate,
            verdict: row.verdict,
        }
    }
}

/// Money on its way from the provider to the bank.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderPayout)]
pub struct PayoutView {
    pub id: String,
    pub amount_minor: i64,
    pub currency: String,
    pub decimals: u32,
    /// The provider's word, e.g. `in_transit`.
    pub status: String,
    pub created_at: String,
    pub arrives_at: String,
    /// How many movements went out with it, and what they come to.
    pub items: i64,
    pub items_minor: i64,
    /// True where it is the sum of its movements; null where the provider does not say which it holds.
    pub is_whole: Option<bool>,
}

impl From<PayoutRow> for PayoutView {
    fn from(row: PayoutRow) -> Self {
        let is_whole = row.is_whole();
        Self {
            decimals: decimals(&row.currency),
            id: row.payout_id,
            amount_minor: row.amount_minor,
            currency: row.currency,
            status: row.status,
            created_at: row.created_at,
            arrives_at: row.arrives_at,
            is_whole,
            items: row.items,
            items_minor: row.items_minor,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderCount)]
pub struct CountView {
    #[schema(value_type = ProviderVerdictWord)]
    pub verdict: String,
    pub count: i64,
}

/// A page of movements, with the payouts and how many movements there are by verdict.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderAccount {
    pub meta: Meta,
    pub result: Vec<LineView>,
    pub counts: Vec<CountView>,
    pub payouts: Vec<PayoutView>,
}

/// `GET /api/v0/workspace/payments/provider_account`: newest first.
///
/// # Errors
/// 422 for a filter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/provider_account", tag = "finance", params(AccountQuery),
    responses((status = 200, body = Success<ProviderAccount>), (status = 422, body = Failure)))]
pub async fn show_account(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<AccountQuery>,
) -> ApiResult<Success<ProviderAccount>> {
    let filter = asked.filter()?;
    let limit = limit_of(asked.limit, LIMIT, LIMIT_MAX)?;
    let current = asked.p.unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let pool = records.heard().await?;
    let counts = query::counts(pool, &filter).await?;
    let count: i64 = counts.iter().map(|(_, count)| count).sum();
    let lines = query::lines(pool, &filter, limit, (current - 1) * limit).await?;
    let payouts = query::payouts(pool, PAYOUTS).await?;
    Ok(Success::new(ProviderAccount {
        meta: Meta::new(count.cast_unsigned(), limit, current),
        result: lines.into_iter().map(LineView::from).collect(),
        counts: counts
            .into_iter()
            .map(|(verdict, count)| CountView { verdict, count })
            .collect(),
        payouts: payouts.into_iter().map(PayoutView::from).collect(),
    }))
}

/// That the account was read.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountRead {
    pub read: bool,
}

/// `POST /api/v0/workspace/payments/provider_account/read`: reads what is new at the provider now, instead of within a quarter of an hour.
///
/// # Errors
/// 503 while the provider does not answer; what was read until then is kept.
#[utoipa::path(post, path = "/api/v0/workspace/payments/provider_account/read", tag = "finance",
    responses((status = 200, body = Success<AccountRead>), (status = 503, body = Failure)))]
pub async fn read_account(
    State(records): State<Records>,
    State(log): State<EventLog>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    _context: RequestContext,
) -> ApiResult<Success<AccountRead>> {
    take_account(&records, &log, &*gateway).await?;
    Ok(Success::new(AccountRead { read: true }))
}

/// Reads what is new at the provider, so that the caller's next question sees it.
///
/// # Errors
/// 503 while the provider does not answer; what was read until then is kept.
pub async fn take_account(records: &Records, log: &EventLog, gateway: &dyn PaymentGateway) -> ApiResult<()> {
    let pool = records.heard().await?;
    match provider_account::read(log, gateway, pool).await {
        Ok(position) => {
            if let Some(position) = position {
                records.answers_for(position);
            }
            Ok(())
        }
        Err(ReadError::Busy) => Err(ApiError::busy()),
        Err(ReadError::Log(error)) => Err(error.into()),
        Err(ReadError::ReadModels(error)) => Err(error.into()),
        Err(error @ ReadError::Gateway(_)) => {
            tracing::warn!(%error, "the account at the payment provider could not be read");
            Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "provider_away",
                say("refusal.provider_away"),
            ))
        }
    }
}

const COLUMNS: [&str; 13] = [
    "verdict",
    "created_at",
    "kind",
    "provider_id",
    "source",
    "payment_reference",
    "currency",
    "amount",
    "fee",
    "net",
    "here",
    "available_at",
    "payout",
];

/// `GET /api/v0/workspace/payments/provider_account.csv`: the same filters as the list, newest first.
///
/// # Errors
/// 422 for a filter that cannot be read, and for more rows than a sheet takes.
#[utoipa::path(get, path = "/api/v0/workspace/payments/provider_account.csv", tag = "finance", params(AccountQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = 422, body = Failure)))]
pub async fn export_account(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<AccountQuery>,
) -> ApiResult<Response> {
    let lines = query::lines(records.heard().await?, &asked.filter()?, SHEET_MAX + 1, 0).await?;
    if lines.len() as u64 > SHEET_MAX {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too_many_rows",
            say("refusal.too_many_movements").with("max", SHEET_MAX),
        ));
    }
    let mut sheet = Sheet::begin(Vec::new(), &COLUMNS).map_err(ApiError::broken)?;
    for line in lines {
        sheet.row(cells(line)).map_err(ApiError::broken)?;
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"provider-account.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, sheet.end().map_err(ApiError::broken)?).into_response())
}

fn cells(row: LineRow) -> [Cell; 13] {
    let currency = row.currency.clone();
    let amount = |minor: i64| Cell::Number(decimal(minor, &currency));
    [
        Cell::Text(row.verdict),
        Cell::Text(row.created_at),
        Cell::Text(row.kind),
        Cell::Text(row.line_id.unwrap_or_default()),
        Cell::Text(row.source.unwrap_or_default()),
        Cell::Text(row.reference.unwrap_or_default()),
        Cell::Text(row.currency),
        amount(row.amount_minor),
        amount(row.fee_minor),
        amount(row.net_minor),
        row.here_minor
            .map_or_else(|| Cell::Number(String::new()), &amount),
        Cell::Text(row.available_at.unwrap_or_default()),
        Cell::Text(row.payout_id.unwrap_or_default()),
    ]
}

/// A signed amount as people write it.
fn decimal(minor: i64, currency: &str) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let size = minor.unsigned_abs();
    let shown = Currency::from_code(currency).map_or_else(
        || size.to_string(),
        |currency| Money::new(size, currency).decimal(),
    );
    format!("{sign}{shown}")
}
