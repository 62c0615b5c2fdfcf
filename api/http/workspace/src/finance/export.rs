//! The audit list as CSV: streamed from the read model row by row (T29).

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::money::{Currency, Money};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext};
use platform::config::Settings;
use platform::sheet::{Cell, Sheet};
use projections::payment_audit::{self, AuditFilter};
use records::Records;

use crate::Services;

use super::by_hand::Acts;
use super::{AuditQuery, AuditRow, Details};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(export_events))
}

/// Rows read at once.
const PIECE: u64 = 1_000;

/// `amount` is what came in, with a minus what went out, and empty where nothing moved: its sum in a currency is the list's net, and
/// what the ledger says of the gateway's account and of what the house paid back itself. `event_amount` is what the event names. The
/// last four are of acts of staff, and empty where nothing was recorded.
const COLUMNS: [&str; 20] = [
    "position",
    "recorded_at",
    "kind",
    "detail",
    "payment_reference",
    "payment_id",
    "lead_reference",
    "lead_id",
    "property",
    "amount",
    "direction",
    "currency",
    "gateway_id",
    "request_id",
    "because_of",
    "event_amount",
    "asked_by",
    "reason",
    "approved_by",
    "approval_reason",
];

/// `GET /api/v0/workspace/payments/events.csv`: the same filters as the list, oldest first.
///
/// # Errors
/// 422 for a filter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/events.csv", tag = "finance", params(AuditQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = 422, body = Failure)))]
pub async fn export_events(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Response> {
    let filter = query.filter()?;
    let details = Details::of(context.lang);
    records.heard().await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"payment-events.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((
        headers,
        Body::from_stream(pieces(records, settings, filter, details)),
    )
        .into_response())
}

fn pieces(
    records: Records,
    settings: Arc<Settings>,
    filter: AuditFilter,
    details: Details,
) -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> {
    async_stream::try_stream! {
        yield Sheet::begin(Vec::new(), &COLUMNS)?.end().map(Bytes::from)?;
        let mut place = (0, 0);
        let mut acts = Acts::new(&records, &settings);
        loop {
            let rows = payment_audit::after(records.read.readers(), &filter, place, PIECE)
                .await
                .map_err(std::io::Error::other)?;
            let Some(last) = rows.last() else {
                break;
            };
            place = (last.position, last.line);
            let mut sheet = Sheet::go_on(Vec::new());
            let shown = acts.show(&details, rows).await;
            for row in shown.map_err(|error| std::io::Error::other(error.code))? {
                sheet.row(cells(row))?;
            }
            yield sheet.end().map(Bytes::from)?;
        }
    }
}

fn cells(row: AuditRow) -> [Cell; 20] {
    let amount = u64::try_from(row.amount_minor).unwrap_or_default();
    let amount = Currency::from_code(&row.currency).map_or_else(
        || amount.to_string(),
        |currency| Money::new(amount, currency).decimal(),
    );
    let (direction, moved) = match row.sign {
        1 => ("in", amount.clone()),
        -1 => ("out", format!("-{amount}")),
        _ => ("none", String::new()),
    };
    let act = row.by_hand.as_ref();
    let told = |text: Option<&String>| Cell::Text(text.cloned().unwrap_or_default());
    let by_hand = [
        told(act.map(|act| &act.asked_by)),
        told(act.and_then(|act| act.reason.as_ref())),
        told(act.and_then(|act| act.approved_by.as_ref())),
        told(act.and_then(|act| act.approval_reason.as_ref())),
    ];
    let [asked_by, reason, approved_by, approval_reason] = by_hand;
    let because_of = row.causation_position.map(|position| position.to_string());
    [
        Cell::Number(row.position.to_string()),
        Cell::Text(row.recorded_at),
        Cell::Text(row.kind),
        Cell::Text(row.detail),
        Cell::Text(row.payment_reference),
        Cell::Text(row.payment_id),
        Cell::Text(row.lead_reference),
        Cell::Text(row.lead_id),
        Cell::Text(row.property),
        Cell::Number(moved),
        Cell::Text(direction.to_owned()),
        Cell::Text(row.currency),
        Cell::Text(row.gateway_id.unwrap_or_default()),
        Cell::Text(row.request_id.unwrap_or_default()),
        Cell::Number(because_of.unwrap_or_default()),
        Cell::Number(amount),
        asked_by,
        reason,
        approved_by,
        approval_reason,
    ]
}
