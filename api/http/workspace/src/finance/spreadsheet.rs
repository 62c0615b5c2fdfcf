//! The audit list as an Excel workbook: amounts are numbers with the currency's decimals, texts are never formulas.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use projections::payment_audit;
use records::Records;
use rust_xlsxwriter::{Format, Workbook, XlsxError};

use crate::Services;

use super::by_hand::Acts;
use super::{AuditQuery, AuditRow, Details};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(export_workbook))
}

/// Rows of a workbook: it is made in memory. More are exported as CSV, which is streamed.
const ROWS_MAX: u64 = 50_000;

/// Names of the columns; `amount` is signed, and empty where nothing moved.
const COLUMNS: [&str; 18] = [
    "position",
    "recorded_at",
    "kind",
    "detail",
    "payment_reference",
    "payment_id",
    "lead_reference",
    "property",
    "amount",
    "event_amount",
    "currency",
    "gateway_id",
    "request_id",
    "because_of",
    "asked_by",
    "reason",
    "approved_by",
    "approval_reason",
];

/// `GET /api/v0/workspace/payments/events.xlsx`: the same filters as the list, oldest first, at most 50,000 rows.
///
/// # Errors
/// 422 for a filter that cannot be read, or where more rows match.
#[utoipa::path(get, path = "/api/v0/workspace/payments/events.xlsx", tag = "finance", params(AuditQuery),
    responses((status = 200, content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body = Vec<u8>),
    (status = 422, body = Failure)))]
pub async fn export_workbook(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Response> {
    let filter = query.filter()?;
    let pool = records.heard().await?;
    let rows = payment_audit::after(pool, &filter, (0, 0), ROWS_MAX + 1).await?;
    if rows.len() as u64 > ROWS_MAX {
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too_many_rows",
            say("refusal.too_many_rows").with("max", ROWS_MAX),
        ));
    }
    let details = Details::of(context.lang);
    let rows = Acts::new(&records, &settings).show(&details, rows).await?;
    let made = tokio::task::spawn_blocking(move || workbook(&rows)).await;
    let bytes = made.map_err(ApiError::broken)?.map_err(ApiError::broken)?;
    let headers = [
        (
            header::CONTENT_TYPE,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"payment-events.xlsx\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, bytes).into_response())
}

fn workbook(rows: &[AuditRow]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("payment events")?;
    let bold = Format::new().set_bold();
    for (column, name) in (0_u16..).zip(COLUMNS) {
        sheet.write_string_with_format(0, column, name, &bold)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let mut formats: BTreeMap<u32, Format> = BTreeMap::new();
    for (line, row) in (1_u32..).zip(rows) {
        let format = formats
            .entry(row.decimals)
            .or_insert_with(|| amount_format(row.decimals));
        let because = row.causation_position.map(|position| position.to_string());
        let act = row.by_hand.as_ref();
        let texts = [
            (1, row.recorded_at.as_str()),
            (2, &row.kind),
            (3, &row.detail),
            (4, &row.payment_reference),
            (5, &row.payment_id),
            (6, &row.lead_reference),
            (7, &row.property),
            (10, &row.currency),
            (11, row.gateway_id.as_deref().unwrap_or_default()),
            (12, row.request_id.as_deref().unwrap_or_default()),
            (13, because.as_deref().unwrap_or_default()),
            (14, act.map_or("", |act| &act.asked_by)),
            (15, act.and_then(|act| act.reason.as_deref()).unwrap_or_default()),
            (
                16,
                act.and_then(|act| act.approved_by.as_deref()).unwrap_or_default(),
            ),
            (
                17,
                act.and_then(|act| act.approval_reason.as_deref())
                    .unwrap_or_default(),
            ),
        ];
        sheet.write_string(line, 0, row.position.to_string())?;
        for (column, text) in texts {
            sheet.write_string(line, column, text)?;
        }
        if row.sign != 0 {
            sheet.write_number_with_format(
                line,
                8,
                decimal(row.sign * row.amount_minor, row.decimals),
                format,
            )?;
        }
        sheet.write_number_with_format(line, 9, decimal(row.amount_minor, row.decimals), format)?;
    }
    book.save_to_buffer()
}

/// `#,##0.00` with as many decimals as the currency has.
fn amount_format(decimals: u32) -> Format {
    let digits = "0".repeat(usize::try_from(decimals).unwrap_or_default());
    let point = if decimals == 0 { "" } else { "." };
    Format::new().set_num_format(format!("#,##0{point}{digits}"))
}

/// The number that the decimal text of an amount names: cells hold floating point, and 15 digits of it are exact.
fn decimal(minor: i64, decimals: u32) -> f64 {
    let scale = 10_u64.pow(decimals);
    let size = minor.unsigned_abs();
    let sign = if minor < 0 { "-" } else { "" };
    let width = usize::try_from(decimals).unwrap_or_default();
    let text = format!("{sign}{}.{:0width$}", size / scale, size % scale);
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_signed_numbers_with_decimals() {
        assert!((decimal(-25_907, 2) + 259.07).abs() < f64::EPSILON);
        assert!((decimal(5, 2) - 0.05).abs() < f64::EPSILON);
        assert!((decimal(-12_000, 0) + 12_000.0).abs() < f64::EPSILON);
    }
}
