//! The finance desk (rows J1, J2): every payment event with filters and totals, one payment's dossier, exports.

use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, Days};
use domain::calendar;
use domain::language::Language;
use domain::moment::Moment;
use domain::money::Currency;
use http_kit::contract::words::{AuditKindWord, Sign};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{Meta, Success};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext, limit_of};
use http_kit::said::say;
use platform::config::Settings;
use platform::texts::find;
use projections::payment_audit::{self, AuditFilter, AuditRow as StoredRow, TotalsRow, instant};
use projections::payment_page::KINDS;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

use by_hand::{Acts, ByHand};

pub mod alerts;
pub mod approvals;
mod asked_words;
pub mod booking_links;
pub mod books;
mod by_hand;
pub mod chain;
pub mod decisions;
pub mod dossier;
pub mod evidence;
pub mod export;
mod granting;
pub mod kept_statements;
pub mod person_search;
pub mod provider;
pub mod reconciliation;
pub mod refunds;
pub mod requested;
pub mod returned;
pub mod rewards;
pub mod spreadsheet;
pub mod statement;
mod statement_refusals;
mod statement_views;
pub mod unknown;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_events))
        .merge(requested::endpoints())
        .merge(statement::endpoints())
        .merge(kept_statements::endpoints())
        .merge(export::endpoints())
        .merge(dossier::endpoints())
        .merge(evidence::endpoints())
        .merge(refunds::endpoints())
        .merge(alerts::endpoints())
        .merge(spreadsheet::endpoints())
        .merge(reconciliation::endpoints())
        .merge(approvals::endpoints())
        .merge(decisions::endpoints())
        .merge(books::endpoints())
        .merge(chain::endpoints())
        .merge(provider::endpoints())
        .merge(returned::endpoints())
        .merge(person_search::endpoints())
        .merge(rewards::endpoints())
        .merge(unknown::endpoints())
}

/// Rows of a page when the request does not say (D44), and the most it may ask for.
const LIMIT: u64 = 20;
const LIMIT_MAX: u64 = 200;

/// The filters of list and export.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// One kind of event, or `disputes`: all that tell of a dispute.
    pub kind: Option<String>,
    /// Events that post into the books, alone.
    pub money: Option<bool>,
    pub currency: Option<String>,
    /// A day or an instant; included.
    pub from: Option<String>,
    /// A day (included) or an instant (not included).
    pub to: Option<String>,
    pub q: Option<String>,
    pub p: Option<u64>,
    pub limit: Option<u64>,
}

impl AuditQuery {
    pub fn filter(&self) -> ApiResult<AuditFilter> {
        let known = |code: &String| {
            Currency::from_code(code)
                .map(|currency| currency.code().to_owned())
                .ok_or_else(|| {
                    ApiError::invalid_field("currency", "unknown", say("refusal.unknown_currency"))
                })
        };
        let known_kind = |kind: String| {
            let known = KINDS.contains(&kind.as_str()) || kind == payment_audit::DISPUTES;
            known.then_some(kind).ok_or_else(|| {
                ApiError::invalid_field("kind", "unknown", say("refusal.unknown_payment_event"))
            })
        };
        let given = |field: &Option<String>| field.clone().filter(|text| !text.trim().is_empty());
        let end = |field: &Option<String>, name| given(field).map(|text| start(&text, name, 0)).transpose();
        let ends = end(&self.from, "from")?.zip(end(&self.to, "to")?);
        if ends.is_some_and(|(from, to)| from > to) {
            return Err(ApiError::malformed(say("refusal.period_order")));
        }
        Ok(AuditFilter {
            is_money: self.money.unwrap_or_default(),
            kind: given(&self.kind).map(known_kind).transpose()?,
            currency: given(&self.currency).as_ref().map(known).transpose()?,
            from: given(&self.from)
                .map(|text| start(&text, "from", 0))
                .transpose()?,
            to: given(&self.to).map(|text| start(&text, "to", 1)).transpose()?,
            text: given(&self.q).map(|text| text.chars().take(100).collect()),
            payment_id: None,
        })
    }
}

/// The last microsecond of the last year of four digits.
const END_OF_9999: i64 = 253_402_300_799_999_999;

/// A day begins at midnight UTC, `later` days on; an instant is itself.
fn start(text: &str, field: &'static str, later: u64) -> ApiResult<String> {
    let day = calendar::read_day(text)
        .and_then(|day| day.checked_add_days(Days::new(later)))
        .and_then(|day| day.and_hms_opt(0, 0, 0));
    let moment: Option<Moment> = day
        .map(|day| day.and_utc())
        .or_else(|| DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc()));
    // Instants are compared as texts, and a year of five digits begins with a plus.
    moment
        .map(|moment| {
            instant(Moment::from_timestamp_micros(END_OF_9999).map_or(moment, |end| moment.min(end)))
        })
        .ok_or_else(|| ApiError::invalid_field(field, "invalid", say("refusal.day_or_time")))
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AuditRow {
    pub position: i64,
    /// 0 for the event itself, 1 for what the gateway charged by it.
    pub line: i64,
    pub recorded_at: String,
    #[schema(value_type = AuditKindWord)]
    pub kind: String,
    pub detail: String,
    pub payment_id: String,
    pub payment_reference: String,
    pub lead_id: String,
    pub lead_reference: String,
    pub property: String,
    pub amount_minor: i64,
    /// 1: money in, -1: money out, 0: no money moved.
    #[schema(value_type = Sign)]
    pub sign: i64,
    pub currency: String,
    pub decimals: u32,
    pub gateway_id: Option<String>,
    pub request_id: Option<String>,
    pub causation_position: Option<i64>,
    /// Of an act of staff: who and why.
    pub by_hand: Option<ByHand>,
}

/// A list with the totals of everything that matches, not only of the page.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditPage {
    pub meta: Meta,
    pub result: Vec<AuditRow>,
    pub totals: Vec<CurrencyTotals>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CurrencyTotals {
    pub currency: String,
    pub decimals: u32,
    pub captured_minor: i64,
    pub refunded_minor: i64,
    pub pending_minor: i64,
    pub disputed_minor: i64,
    /// Fees that the gateway charged for disputes, less what it gave back of them.
    pub fees_minor: i64,
    /// Money that came in less all that went out: the sum of the amounts of the events that are listed.
    pub net_minor: i64,
}

/// `GET /api/v0/workspace/payments/events`: newest first.
///
/// # Errors
/// 422 for a filter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/events", tag = "finance", params(AuditQuery),
    responses((status = 200, body = Success<AuditPage>), (status = 422, body = Failure)))]
pub async fn list_events(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Success<AuditPage>> {
    let filter = query.filter()?;
    let limit = limit_of(query.limit, LIMIT, LIMIT_MAX)?;
    let current = query.p.unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let pool = records.heard().await?;
    let (count, totals) = payment_audit::totals(pool, &filter).await?;
    let rows = payment_audit::page(pool, &filter, limit, (current - 1) * limit).await?;
    let details = Details::of(context.lang);
    Ok(Success::new(AuditPage {
        meta: Meta::new(count, limit, current),
        result: Acts::new(&records, &settings).show(&details, rows).await?,
        totals: totals.into_iter().map(CurrencyTotals::from).collect(),
    }))
}

impl From<TotalsRow> for CurrencyTotals {
    fn from(row: TotalsRow) -> Self {
        Self {
            decimals: decimals(&row.currency),
            net_minor: row.captured_minor - row.refunded_minor - row.disputed_minor - row.fees_minor,
            currency: row.currency,
            captured_minor: row.captured_minor,
            refunded_minor: row.refunded_minor,
            pending_minor: row.pending_minor,
            disputed_minor: row.disputed_minor,
            fees_minor: row.fees_minor,
        }
    }
}

/// Digits after the point; our own tables hold known currencies only.
pub fn decimals(currency: &str) -> u32 {
    Currency::from_code(currency).map_or(2, Currency::decimals)
}

/// The sentences of the catalogue `finance_detail` in one language.
pub struct Details(Language);

impl Details {
    pub const fn of(lang: Language) -> Self {
        Self(lang)
    }

    pub fn row(&self, row: StoredRow) -> AuditRow {
        let detail = find(self.0, &format!("finance_detail.{}", row.detail)).map(str::to_owned);
        AuditRow {
            decimals: decimals(&row.currency),
            detail: detail.unwrap_or(row.detail),
            position: row.position,
            line: row.line,
            recorded_at: row.recorded_at,
            kind: row.kind,
            payment_id: row.payment_id,
            payment_reference: row.reference,
            lead_id: row.lead_id,
            lead_reference: row.lead_reference.unwrap_or_default(),
            property: row.property.unwrap_or_default(),
            amount_minor: row.amount_minor,
            sign: row.sign,
            currency: row.currency,
            gateway_id: row.gateway_id,
            request_id: Some(row.request_id),
            causation_position: row.causation_position,
            by_hand: None,
        }
    }
}
