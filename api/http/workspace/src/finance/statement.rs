//! A bank's or provider's file against what was read of the provider: nothing of the file is kept.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use http_kit::body::unread;
use http_kit::contract::words::FileVerdictWord;
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use projections::provider_account::query::{self, LineFilter, LineRow, PayoutRow};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

pub use super::statement_file::BYTES_MAX;
use super::statement_file::{Columns, FileFault, FileRow, letters, read};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        FINANCE,
        routes!(compare_file).layer(DefaultBodyLimit::max(BYTES_MAX)),
    )
}

/// Payouts and movements that a file is compared with, the newest.
const COMPARED: u64 = 10_000;

/// Names of the columns of a CSV file; camt.053 names its own.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// `Date` when not given.
    pub date: Option<String>,
    /// `Amount` when not given.
    pub amount: Option<String>,
    /// `Currency` when not given.
    pub currency: Option<String>,
    /// `Reference` when not given: what names a payout, charge or refund.
    pub reference: Option<String>,
}

/// One row of the file, or a payout that the file lacks.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileLine {
    /// In the file; null for what the file lacks.
    pub line: Option<usize>,
    pub date: String,
    pub amount_minor: i64,
    pub currency: String,
    pub decimals: u32,
    pub reference: String,
    #[schema(value_type = FileVerdictWord)]
    pub verdict: &'static str,
    /// The payout or movement that it is.
    pub source: Option<String>,
    /// What was read of that at the provider.
    pub there_minor: Option<i64>,
}

/// A file compared, in its own order, and then what it lacks.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileCompared {
    pub lines: Vec<FileLine>,
    pub matched: usize,
    pub differing: usize,
    /// In the file alone.
    pub unknown: usize,
    /// Arrived by the provider's word, and not in the file.
    pub missing: usize,
}

/// `POST /api/v0/workspace/reconciliation/file`: the body is a CSV file or camt.053, of at most 4 MiB and 10,000 rows.
///
/// # Errors
/// 422 for a file that cannot be read, with the line; 413 for one that is too long.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/file", tag = "finance", params(FileQuery), request_body = String,
    responses((status = 200, body = Success<FileCompared>), (status = 413, body = Failure), (status = 422, body = Failure)))]
pub async fn compare_file(
    State(records): State<Records>,
    _context: RequestContext,
    Query(asked): Query<FileQuery>,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Success<FileCompared>> {
    let body = body.map_err(|rejection| unread(&rejection))?;
    let text = letters(&body).map_err(|fault| refused(&fault))?;
    let named = |given: &Option<String>, usual: &str| {
        let given = given.as_deref().map(str::trim).filter(|name| !name.is_empty());
        given.unwrap_or(usual).chars().take(100).collect()
    };
    let columns = Columns {
        date: named(&asked.date, "Date"),
        amount: named(&asked.amount, "Amount"),
        currency: named(&asked.currency, "Currency"),
        reference: named(&asked.reference, "Reference"),
    };
    let rows = read(&text, &columns).map_err(|fault| refused(&fault))?;
    let pool = records.heard().await?;
    let payouts = query::payouts(pool, COMPARED).await?;
    let lines = query::lines(pool, &LineFilter::default(), COMPARED, 0).await?;
    Ok(Success::new(compared(rows, &payouts, &lines)))
}

fn refused(fault: &FileFault) -> ApiError {
    let (field, code) = match fault {
        FileFault::NoColumn(_) => ("columns", "no_column"),
        FileFault::TooManyRows => ("file", "too_many_rows"),
        FileFault::DocumentType => ("file", "document_type"),
        FileFault::Empty => ("file", "empty"),
        FileFault::Unreadable(_) | FileFault::Amount(_) | FileFault::Currency(_) => ("file", "unreadable"),
    };
    let said = match fault {
        FileFault::NoColumn(name) => say("refusal.file_no_column").with("name", name),
        FileFault::Unreadable(line) => say("refusal.file_unreadable").with("line", line),
        FileFault::Amount(line) => say("refusal.file_amount").with("line", line),
        FileFault::Currency(line) => say("refusal.file_currency").with("line", line),
        FileFault::TooManyRows | FileFault::DocumentType | FileFault::Empty => say("refusal.file_not_taken"),
    };
    ApiError::invalid_field(field, code, said)
}

/// A payout or movement of the provider.
struct Known {
    id: String,
    amount_minor: i64,
    currency: String,
    date: String,
    /// Expected in a bank's file.
    is_paid_out: bool,
    is_used: bool,
}

fn compared(rows: Vec<FileRow>, payouts: &[PayoutRow], lines: &[LineRow]) -> FileCompared {
    let of_payout = payouts.iter().map(|payout| Known {
        id: payout.payout_id.clone(),
        amount_minor: payout.amount_minor,
        currency: payout.currency.clone(),
        date: payout.arrives_at.clone(),
        is_paid_out: payout.status == "paid",
        is_used: false,
    });
    let of_line = lines.iter().filter_map(|line| {
        Some(Known {
            id: line.source.clone().or_else(|| line.line_id.clone())?,
            amount_minor: line.amount_minor,
            currency: line.currency.clone(),
            date: line.created_at.clone(),
            is_paid_out: false,
            is_used: false,
        })
    });
    let mut known: Vec<Known> = of_payout.chain(of_line).collect();
    let (first, last) = span(&rows);
    let mut lines: Vec<FileLine> = rows.into_iter().map(|row| judged(row, &mut known)).collect();
    let in_span = |one: &Known| {
        one.date
            .get(..10)
            .is_some_and(|day| first.as_str() <= day && day <= last.as_str())
    };
    let lacking = known
        .iter()
        .filter(|one| one.is_paid_out && !one.is_used && in_span(one));
    lines.extend(lacking.map(|one| FileLine {
        line: None,
        date: one.date.clone(),
        amount_minor: one.amount_minor,
        decimals: super::decimals(&one.currency),
        currency: one.currency.clone(),
        reference: String::new(),
        verdict: "missing",
        source: Some(one.id.clone()),
        there_minor: Some(one.amount_minor),
    }));
    let count = |verdict: &str| lines.iter().filter(|line| line.verdict == verdict).count();
    FileCompared {
        matched: count("matched"),
        differing: count("differing"),
        unknown: count("unknown"),
        missing: count("missing"),
        lines,
    }
}

/// The first and the last day of the file, as far as days are written `2026-11-26`.
fn span(rows: &[FileRow]) -> (String, String) {
    let days = rows.iter().filter_map(|row| row.date.get(..10));
    let first = days.clone().min().unwrap_or_default().to_owned();
    (first, days.max().unwrap_or_default().to_owned())
}

/// Whether a text names an id as a word of its own: `po_12` does not name `po_1`.
fn names(text: &str, id: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + id.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// By what the row names; else the only payout of that amount. A row that names what an earlier row was already is of no other.
fn judged(row: FileRow, known: &mut [Known]) -> FileLine {
    let code = row.currency.code();
    let is_same = |one: &Known| one.amount_minor == row.amount_minor && one.currency == code;
    let is_named = |one: &Known| names(&row.reference, &one.id);
    let named = known.iter().position(|one| !one.is_used && is_named(one));
    let is_repeated = named.is_none() && known.iter().any(is_named);
    let by_amount = || {
        let mut alike = known
            .iter()
            .enumerate()
            .filter(|(_, one)| !one.is_used && one.is_paid_out && is_same(one));
        alike
            .next()
            .map(|(place, _)| place)
            .filter(|_| alike.next().is_none())
    };
    let found = named.or_else(|| by_amount().filter(|_| !is_repeated));
    let verdict = match found.map(|place| is_same(&known[place])) {
        Some(true) => "matched",
        Some(false) => "differing",
        None => "unknown",
    };
    if let Some(place) = found {
        known[place].is_used = true;
    }
    let other = found.map(|place| &known[place]);
    FileLine {
        line: Some(row.line),
        date: row.date,
        amount_minor: row.amount_minor,
        currency: code.to_owned(),
        decimals: row.currency.decimals(),
        reference: row.reference,
        verdict,
        source: other.map(|one| one.id.clone()),
        there_minor: other.map(|one| one.amount_minor),
    }
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;

    use super::*;

    fn row(line: usize, reference: &str) -> FileRow {
        FileRow {
            line,
            date: "2026-11-26".to_owned(),
            amount_minor: 25_499,
            currency: Currency::Gbp,
            reference: reference.to_owned(),
        }
    }

    fn payout(id: &str) -> Known {
        Known {
            id: id.to_owned(),
            amount_minor: 25_499,
            currency: "GBP".to_owned(),
            date: "2026-11-26".to_owned(),
            is_paid_out: true,
            is_used: false,
        }
    }

    /// Two payouts of one amount, of which the bank's file has the first twice: the second has not arrived.
    #[test]
    fn repeated_row_does_not_stand_for_another_payout() {
        let mut known = [payout("po_1"), payout("po_12")];
        let mut verdict = |line, reference| judged(row(line, reference), &mut known).verdict;
        assert_eq!(verdict(2, "STRIPE po_1"), "matched");
        assert_eq!(verdict(3, "STRIPE po_1"), "unknown");
        assert!(!known[1].is_used);
    }

    #[test]
    fn reference_names_whole_ids_alone() {
        assert!(names("STRIPE-po_1/11", "po_1"));
        assert!(!names("STRIPE po_12", "po_1"));
        assert!(!names("xpo_1", "po_1"));
    }
}
