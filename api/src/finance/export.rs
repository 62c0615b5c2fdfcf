//! The audit list as CSV: streamed from the read model row by row, harmless to spreadsheets (T29).

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::money::{Currency, Money};
use projections::payment_audit::{self, AuditFilter};

use super::{AuditQuery, AuditRow, Details};
use crate::app::App;
use crate::error::{ApiResult, Failure};
use crate::request::{Query, RequestContext};

/// Rows read at once.
const PIECE: u64 = 1_000;

const COLUMNS: [&str; 15] = [
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
];

/// `GET /api/v0/workspace/payments/events.csv`: the same filters as the list, oldest first.
///
/// # Errors
/// 422 for a filter that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/payments/events.csv", tag = "finance", params(AuditQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = 422, body = Failure)))]
pub async fn export_events(
    State(app): State<App>,
    context: RequestContext,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Response> {
    let filter = query.filter()?;
    let details = Details::of(context.lang);
    app.heard().await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"payment-events.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(pieces(app, filter, details))).into_response())
}

fn pieces(
    app: App,
    filter: AuditFilter,
    details: Details,
) -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> {
    async_stream::try_stream! {
        yield written(&[COLUMNS.map(str::to_owned).to_vec()])?;
        let mut position = 0;
        loop {
            let rows = payment_audit::after(app.read.readers(), &filter, position, PIECE)
                .await
                .map_err(std::io::Error::other)?;
            let Some(last) = rows.last() else {
                break;
            };
            position = last.position;
            let rows: Vec<Vec<String>> = rows.into_iter().map(|row| cells(details.row(row))).collect();
            yield written(&rows)?;
        }
    }
}

fn written(rows: &[Vec<String>]) -> Result<Bytes, std::io::Error> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(row.iter().map(|cell| harmless(cell)))
            .map_err(std::io::Error::other)?;
    }
    writer
        .into_inner()
        .map(Bytes::from)
        .map_err(|error| std::io::Error::other(error.to_string()))
}

fn cells(row: AuditRow) -> Vec<String> {
    let amount = u64::try_from(row.amount_minor).unwrap_or_default();
    let amount = Currency::from_code(&row.currency).map_or_else(
        || amount.to_string(),
        |currency| Money::new(amount, currency).decimal(),
    );
    let direction = match row.sign {
        1 => "in",
        -1 => "out",
        _ => "none",
    };
    vec![
        row.position.to_string(),
        row.recorded_at,
        row.kind,
        row.detail,
        row.payment_reference,
        row.payment_id,
        row.lead_reference,
        row.lead_id,
        row.property,
        amount,
        direction.to_owned(),
        row.currency,
        row.gateway_id.unwrap_or_default(),
        row.request_id.unwrap_or_default(),
        row.causation_position
            .map(|position| position.to_string())
            .unwrap_or_default(),
    ]
}

/// A cell that a spreadsheet would take for a formula begins with an apostrophe.
fn harmless(cell: &str) -> String {
    let first = cell.trim_start_matches(['"', '\'', ' ']).chars().next();
    match first {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n') => format!("'{cell}"),
        Some(_) | None => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_look_like_formulas_are_made_harmless() {
        for bad in ["=1+1", "+1", "-1", "@sum", "\t=1", " =1", "\"=1", "\r=1"] {
            assert!(harmless(bad).starts_with('\''), "{bad:?}");
        }
        assert_eq!(harmless("P-9E71"), "P-9E71");
        assert_eq!(harmless("259.07"), "259.07");
        assert_eq!(harmless(""), "");
    }

    #[test]
    fn cells_with_commas_and_quotes_stay_one_cell() {
        let line = written(&[vec!["a,b".to_owned(), "say \"hi\"".to_owned()]]).unwrap();
        assert_eq!(line.as_ref(), b"\"a,b\",\"say \"\"hi\"\"\"\r\n");
    }
}
