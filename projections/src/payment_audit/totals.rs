//! How many rows of the list match, and what they come to in each currency.

use sqlx::any::AnyRow;
use sqlx::{AnyPool, FromRow, Row as _};
use tables::Statement;

use super::filter::{AuditFilter, between, filtered, of_kind};
use crate::payment_tally::{Span, Stretch, stretches};

/// Sums of one currency under the same filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalsRow {
    pub currency: String,
    pub captured_minor: i64,
    pub refunded_minor: i64,
    pub pending_minor: i64,
    pub disputed_minor: i64,
    /// The gateway's charges for disputes, less what it gave back of it.
    pub fees_minor: i64,
}

tables::from_row!(TotalsRow {
    currency,
    captured_minor,
    refunded_minor,
    pending_minor,
    disputed_minor,
    fees_minor
});

/// How many rows match, and the totals per currency over all of them.
///
/// # Errors
/// When the read models cannot be read.
pub async fn totals(pool: &AnyPool, filter: &AuditFilter) -> Result<(u64, Vec<TotalsRow>), sqlx::Error> {
    let mut query = Statement::new(
        "select currency, cast(sum(events) as bigint) as events, cast(sum(captured_minor) as bigint) as captured_minor,
         cast(sum(refunded_minor) as bigint) as refunded_minor, cast(sum(pending_minor) as bigint) as pending_minor,
         cast(sum(disputed_minor) as bigint) as disputed_minor,
         cast(sum(fees_minor) as bigint) as fees_minor from (",
    );
    if filter.is_tallied() {
        for (place, part) in stretches(filter.from.as_deref(), filter.to.as_deref())
            .iter()
            .enumerate()
        {
            query.push(if place == 0 { "" } else { " union all " });
            sums_of(&mut query, part, filter);
        }
    } else {
        query = filtered(
            "select a.currency, count(*) as events, cast(sum(a.captured_minor) as bigint) as captured_minor,
             cast(sum(a.refunded_minor) as bigint) as refunded_minor, cast(sum(a.pending_minor) as bigint) as pending_minor,
             cast(sum(a.disputed_minor) as bigint) as disputed_minor, cast(sum(a.fees_minor) as bigint) as fees_minor",
            filter,
        );
        query.push(" group by a.currency order by a.currency");
        return Ok(counted(query.build_query_as()?.fetch_all(pool).await?));
    }
    query.push(") as parts group by currency order by currency");
    Ok(counted(query.build_query_as()?.fetch_all(pool).await?))
}

/// One stretch of time: rows of the tally, or single events.
fn sums_of(query: &mut Statement, part: &Stretch, filter: &AuditFilter) {
    const SUMS: &str = "captured_minor, refunded_minor, pending_minor, disputed_minor, fees_minor";
    if part.span == Span::Row {
        query
            .push("select currency, cast(1 as bigint) as events, ")
            .push(SUMS);
        query.push(" from payment_audit where 1 = 1");
        between(query, "recorded_at", part.from.as_deref(), part.to.as_deref());
    } else {
        query.push("select currency, events, ").push(SUMS);
        query
            .push(" from payment_tally where span = ")
            .push_bind(part.span as i64);
        between(query, "bucket", part.from.as_deref(), part.to.as_deref());
    }
    of_kind(query, "", filter);
}

struct CountedRow {
    events: i64,
    totals: TotalsRow,
}

impl<'r> FromRow<'r, AnyRow> for CountedRow {
    fn from_row(row: &'r AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            events: row.try_get("events")?,
            totals: TotalsRow::from_row(row)?,
        })
    }
}

fn counted(rows: Vec<CountedRow>) -> (u64, Vec<TotalsRow>) {
    let count: i64 = rows.iter().map(|row| row.events).sum();
    (
        count.cast_unsigned(),
        rows.into_iter().map(|row| row.totals).collect(),
    )
}
