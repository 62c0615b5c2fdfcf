//! The audit list: every payment event that finance cares for, with its amount, its cause and what it adds to the totals.

use std::collections::HashSet;

use chrono::SecondsFormat;
use domain::id::PaymentId;
use domain::moment::Moment;
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, FromRow, Row as _};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::payment_page::kind;
use crate::payment_tally::{Span, Stretch, Sums, Tally, stretches};

mod detail;
mod moved;
mod sought;

use detail::detail;
use moved::{Moved, moved};
use sought::by_number;
pub use sought::{DISPUTES, open_disputes, stuck};

/// One row as stored, with the names other read models know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    pub position: i64,
    pub recorded_at: String,
    pub kind: String,
    pub detail: String,
    pub payment_id: String,
    pub reference: String,
    pub lead_id: String,
    pub lead_reference: Option<String>,
    pub property: Option<String>,
    pub amount_minor: i64,
    pub sign: i64,
    /// What the gateway charged for a dispute by this event, below zero where it gave that back.
    pub fee_minor: i64,
    pub currency: String,
    pub gateway_id: Option<String>,
    pub request_id: String,
    pub causation_position: Option<i64>,
}

tables::from_row!(AuditRow {
    position,
    recorded_at,
    kind,
    detail,
    payment_id,
    reference,
    lead_id,
    lead_reference,
    property,
    amount_minor,
    sign,
    fee_minor,
    currency,
    gateway_id,
    request_id,
    causation_position
});

/// Sums of one currency under the same filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalsRow {
    pub currency: String,
    pub captured_minor: i64,
    pub refunded_minor: i64,
    pub pending_minor: i64,
    pub disputed_minor: i64,
}

tables::from_row!(TotalsRow {
    currency,
    captured_minor,
    refunded_minor,
    pending_minor,
    disputed_minor
});

/// What is looked for; empty fields leave all in.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// One kind, or [`DISPUTES`].
    pub kind: Option<String>,
    /// Events that post into the books, alone.
    pub is_money: bool,
    pub currency: Option<String>,
    /// RFC 3339, inclusive.
    pub from: Option<String>,
    /// RFC 3339, exclusive.
    pub to: Option<String>,
    pub text: Option<String>,
    pub payment_id: Option<PaymentId>,
}

/// Kinds of events that post into the books.
pub const MONEY: [&str; 8] = [
    "captured",
    "refund_requested",
    "refund_acknowledged",
    "refund_failed",
    "refund_paid_elsewhere",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
];

/// RFC 3339 with microseconds: sorts as text (X5).
pub fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// How people name a payment: short, and good enough to say on the phone.
pub fn reference(payment_id: PaymentId) -> String {
    let hex = payment_id.0.simple().to_string().to_uppercase();
    format!("P-{}", &hex[hex.len() - 8..])
}

const TABLE: Table = Table {
    name: "payment_audit",
    columns: &[
        Number("position"),
        Text("recorded_at"),
        Text("kind"),
        Text("detail"),
        Text("payment_id"),
        Text("reference"),
        Text("lead_id"),
        Text("root_id"),
        Number("amount_minor"),
        Number("sign"),
        Text("currency"),
        Text("gateway_id"),
        Text("request_id"),
        Text("causation_id"),
        Number("captured_minor"),
        Number("refunded_minor"),
        Number("pending_minor"),
        Number("disputed_minor"),
        Number("fee_minor"),
    ],
    key: 1,
};

/// A row to be, and what it adds to count and totals.
pub(crate) struct Entry {
    position: i64,
    recorded_at: String,
    kind: &'static str,
    currency: &'static str,
    sums: Sums,
    stored: Vec<Value>,
}

/// What the list says of an event, given the payment before and after it; `None` where finance does not care.
pub(crate) fn entry(
    payment_id: PaymentId,
    (before, after): (&Payment, &Payment),
    event: &PaymentEvent,
    record: &RecordedEvent,
) -> Option<Entry> {
    let (kind, terms) = (kind(event)?, after.terms.as_ref()?);
    let Moved {
        amount_minor,
        sign,
        fee_minor,
    } = moved(before, after, event);
    let change = |sum: fn(&Payment) -> u64| sum(after).cast_signed() - sum(before).cast_signed();
    let (position, recorded_at) = (record.position.cast_signed(), instant(record.recorded_at));
    let currency = terms.quote.currency.code();
    let sums = [
        change(Payment::captured_minor),
        change(Payment::refunded_minor),
        change(Payment::refund_pending_minor),
        change(Payment::disputed_minor),
    ];
    let stored = row![
        position,
        recorded_at.as_str(),
        kind,
        detail(after, event),
        payment_id.to_string(),
        reference(payment_id),
        terms.lead_id.to_string(),
        terms.inventory_root_id.to_string(),
        amount_minor.cast_signed(),
        sign,
        currency,
        gateway_id(after, event),
        record.correlation_id.to_string(),
        record.causation_id.map(|id| id.to_string()),
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        fee_minor,
    ];
    Some(Entry {
        position,
        recorded_at,
        kind,
        currency,
        sums,
        stored,
    })
}

/// Adds rows. An event is the same whenever it is folded: what stands there stays, and is counted once.
pub(crate) async fn add(connection: &mut AnyConnection, mut entries: Vec<Entry>) -> Result<(), sqlx::Error> {
    let positions = entries.iter().map(|entry| entry.position);
    let (Some(first), Some(last)) = (positions.clone().min(), positions.max()) else {
        return Ok(());
    };
    let there: Vec<i64> =
        sqlx::query_scalar("select position from payment_audit where position >= $1 and position <= $2")
            .bind(first)
            .bind(last)
            .fetch_all(&mut *connection)
            .await?;
    let mut there: HashSet<i64> = there.into_iter().collect();
    entries.retain(|entry| there.insert(entry.position));
    let mut tally = Tally::default();
    for entry in &entries {
        tally.add(&entry.recorded_at, entry.kind, entry.currency, entry.sums);
    }
    let rows: Vec<Vec<Value>> = entries.into_iter().map(|entry| entry.stored).collect();
    TABLE.add(connection, &rows).await?;
    tally.write(connection).await
}

fn gateway_id(payment: &Payment, event: &PaymentEvent) -> Option<String> {
    match event {
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => Some(capture.charge_id.clone()),
        PaymentEvent::PaymentDeclined { attempt_id, .. } => Some(attempt_id.clone()),
        PaymentEvent::RefundSent {
            gateway_refund_id, ..
        }
        | PaymentEvent::RefundAcknowledged {
            gateway_refund_id, ..
        } => Some(gateway_refund_id.clone()),
        PaymentEvent::DisputeOpened { dispute_id, .. } | PaymentEvent::DisputeClosed { dispute_id, .. } => {
            Some(dispute_id.clone())
        }
        PaymentEvent::RefundFailed { refund_id, .. } => payment
            .refunds
            .get(refund_id)
            .and_then(|refund| refund.gateway_refund_id.clone()),
        PaymentEvent::PaymentOpened { .. }
        | PaymentEvent::RefundRequested { .. }
        | PaymentEvent::PaymentRoomGivenBack { .. }
        | PaymentEvent::RefundPaidElsewhere { .. }
        | PaymentEvent::PaymentBookingCancelled { .. } => None,
        _ => payment.intent.as_ref().map(|intent| intent.id.clone()),
    }
}

const NAMES: &str = " left join lead_board b on b.lead_id = a.lead_id
 left join listing_name n on n.inventory_id = a.root_id
 left join payment_cause c on c.event_id = a.causation_id";

const COLUMNS: &str =
    "select a.position, a.recorded_at, a.kind, a.detail, a.payment_id, a.reference, a.lead_id,
 b.reference as lead_reference, n.property, a.amount_minor, a.sign, a.fee_minor, a.currency, a.gateway_id, a.request_id,
 c.position as causation_position from (select * from payment_audit where position in (";

impl AuditFilter {
    /// What is looked for by its words, if it is.
    fn words(&self) -> Option<&str> {
        self.text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// Count and totals are read from the tally, unless single payments are looked for.
    fn is_tallied(&self) -> bool {
        self.payment_id.is_none() && self.words().is_none()
    }
}

/// Begins a list of matching events; names are joined only where words are looked for.
fn filtered(start: &str, filter: &AuditFilter) -> Statement {
    let names = filter.words().map_or("", |_| NAMES);
    let mut query = Statement::new(format!("{start} from payment_audit a{names} where 1 = 1"));
    of_kind(&mut query, "a.", filter);
    between(
        &mut query,
        "a.recorded_at",
        filter.from.as_deref(),
        filter.to.as_deref(),
    );
    if let Some(payment_id) = filter.payment_id {
        query
            .push(" and a.payment_id = ")
            .push_bind(payment_id.to_string());
    }
    if let Some(text) = filter.words() {
        // `_` stays: it stands for any one character of a pattern, so an id finds itself.
        let pattern = format!("%{}%", text.to_lowercase().replace(['%', '\\'], ""));
        for (place, column) in [
            "a.reference",
            "b.reference",
            "a.gateway_id",
            "a.payment_id",
            "a.lead_id",
            "n.property",
            "a.request_id",
        ]
        .iter()
        .enumerate()
        {
            query
                .push(if place == 0 { " and (lower(" } else { " or lower(" })
                .push(column)
                .push(") like ")
                .push_bind(pattern.clone());
        }
        by_number(&mut query, text);
        query.push(")");
    }
    query
}

fn of_kind(query: &mut Statement, table: &str, filter: &AuditFilter) {
    if filter.kind.as_deref() == Some(DISPUTES) {
        let kinds = format!(" and {table}kind in ");
        query.push(&kinds).push_list(sought::OF_DISPUTES);
    } else if let Some(kind) = &filter.kind {
        query
            .push(&format!(" and {table}kind = "))
            .push_bind(kind.clone());
    }
    if filter.is_money && filter.kind.is_none() {
        query.push(&format!(" and {table}kind in ")).push_list(MONEY);
    }
    if let Some(currency) = &filter.currency {
        query
            .push(&format!(" and {table}currency = "))
            .push_bind(currency.to_uppercase());
    }
}

fn between(query: &mut Statement, column: &str, from: Option<&str>, to: Option<&str>) {
    if let Some(from) = from {
        query
            .push(&format!(" and {column} >= "))
            .push_bind(from.to_owned());
    }
    if let Some(to) = to {
        query.push(&format!(" and {column} < ")).push_bind(to.to_owned());
    }
}

/// A page of rows, newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn page(
    pool: &AnyPool,
    filter: &AuditFilter,
    limit: u64,
    offset: u64,
) -> Result<Vec<AuditRow>, sqlx::Error> {
    // The rows before a page are passed over in an index alone; names are looked up for the page's own.
    let mut query = filtered(&format!("{COLUMNS}select a.position"), filter);
    query
        .push(" order by a.recorded_at desc, a.position desc limit ")
        .push_bind(limit.cast_signed());
    query.push(" offset ").push_bind(offset.cast_signed());
    query.push(")) a").push(NAMES);
    query.push(" order by a.recorded_at desc, a.position desc");
    query.build_query_as()?.fetch_all(pool).await
}

/// Up to `limit` rows after a position, oldest first: what an export reads piece by piece.
///
/// # Errors
/// When the read models cannot be read.
pub async fn after(
    pool: &AnyPool,
    filter: &AuditFilter,
    position: i64,
    limit: u64,
) -> Result<Vec<AuditRow>, sqlx::Error> {
    let mut query = filtered(&format!("{COLUMNS}select a.position"), filter);
    query.push(" and a.position > ").push_bind(position);
    query
        .push(" order by a.position limit ")
        .push_bind(limit.cast_signed());
    query.push(")) a").push(NAMES).push(" order by a.position");
    query.build_query_as()?.fetch_all(pool).await
}

/// How many rows match, and the totals per currency over all of them.
///
/// # Errors
/// When the read models cannot be read.
pub async fn totals(pool: &AnyPool, filter: &AuditFilter) -> Result<(u64, Vec<TotalsRow>), sqlx::Error> {
    let mut query = Statement::new(
        "select currency, cast(sum(events) as bigint) as events, cast(sum(captured_minor) as bigint) as captured_minor,
         cast(sum(refunded_minor) as bigint) as refunded_minor, cast(sum(pending_minor) as bigint) as pending_minor,
         cast(sum(disputed_minor) as bigint) as disputed_minor from (",
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
             cast(sum(a.disputed_minor) as bigint) as disputed_minor",
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
    const SUMS: &str = "captured_minor, refunded_minor, pending_minor, disputed_minor";
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

/// The gateway's notices about a payment: position, its id there, type, when received.
///
/// # Errors
/// When the read models cannot be read.
pub async fn notices(
    pool: &AnyPool,
    payment_id: PaymentId,
) -> Result<Vec<(i64, String, String, String)>, sqlx::Error> {
    sqlx::query_as(
        "select position, gateway_event_id, kind, received_at from gateway_notice where payment_id = $1 order by position",
    )
    .bind(payment_id.to_string())
    .fetch_all(pool)
    .await
}

#[cfg(test)]
mod tests;
