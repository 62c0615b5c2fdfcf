//! The audit list: every payment event that finance cares for, with its amount, its cause and what it adds to the totals.

use std::collections::HashSet;

use domain::id::PaymentId;
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::payment_page::kind;
pub use crate::payment_tally::instant;
use crate::payment_tally::{Sums, Tally};

mod detail;
mod filter;
mod moved;
mod sought;
mod totals;

use detail::detail;
pub use filter::{AuditFilter, MONEY};
use filter::{NAMES, filtered};
use moved::{Moved, charged, moved};
pub use sought::{DISPUTE_FEE, DISPUTES, open_disputes, stuck};
pub use totals::{TotalsRow, totals};

/// One row as stored, with the names other read models know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    pub position: i64,
    /// 0 for the event itself, 1 for what the gateway charged by it.
    pub line: i64,
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
    pub currency: String,
    pub gateway_id: Option<String>,
    pub request_id: String,
    pub causation_position: Option<i64>,
}

tables::from_row!(AuditRow {
    position,
    line,
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
    currency,
    gateway_id,
    request_id,
    causation_position
});

/// How people name a payment: short, and good enough to say on the phone.
pub fn reference(payment_id: PaymentId) -> String {
    let hex = payment_id.0.simple().to_string().to_uppercase();
    format!("P-{}", &hex[hex.len() - 8..])
}

const TABLE: Table = Table {
    name: "payment_audit",
    columns: &[
        Number("position"),
        Number("line"),
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
        Number("fees_minor"),
    ],
    key: 2,
};

/// A row to be, and what it adds to count and totals.
pub(crate) struct Entry {
    position: i64,
    line: i64,
    recorded_at: String,
    kind: &'static str,
    currency: &'static str,
    sums: Sums,
    stored: Vec<Value>,
}

/// Rows of an event: its own, and one of what the gateway charged by it; none where finance does not care.
pub(crate) fn entries(
    payment_id: PaymentId,
    (before, after): (&Payment, &Payment),
    event: &PaymentEvent,
    record: &RecordedEvent,
) -> Vec<Entry> {
    let (Some(kind), Some(terms)) = (kind(event), after.terms.as_ref()) else {
        return vec![];
    };
    let (position, recorded_at) = (record.position.cast_signed(), instant(record.recorded_at));
    let currency = terms.quote.currency.code();
    let row_of = |line: i64, kind: &'static str, detail: &'static str, moved: Moved, sums: Sums| Entry {
        position,
        line,
        kind,
        currency,
        sums,
        stored: row![
            position,
            line,
            recorded_at.as_str(),
            kind,
            detail,
            payment_id.to_string(),
            reference(payment_id),
            terms.lead_id.to_string(),
            terms.inventory_root_id.to_string(),
            moved.amount_minor.cast_signed(),
            moved.sign,
            currency,
            gateway_id(after, event),
            record.correlation_id.to_string(),
            record.causation_id.map(|id| id.to_string()),
            sums[0],
            sums[1],
            sums[2],
            sums[3],
            sums[4],
        ],
        recorded_at: recorded_at.clone(),
    };
    let change = |sum: fn(&Payment) -> u64| sum(after).cast_signed() - sum(before).cast_signed();
    let sums = [
        change(Payment::captured_minor),
        change(Payment::refunded_minor),
        change(Payment::refund_pending_minor),
        change(Payment::disputed_minor),
        0,
    ];
    let own = row_of(0, kind, detail(after, event), moved(before, after, event), sums);
    let fee = charged(before, event).map(|(fee, fee_minor)| {
        let detail = if fee_minor > 0 {
            DISPUTE_FEE
        } else {
            "dispute_fee_back"
        };
        row_of(1, DISPUTE_FEE, detail, fee, [0, 0, 0, 0, fee_minor])
    });
    std::iter::once(own).chain(fee).collect()
}

/// Adds rows. An event is the same whenever it is folded: what stands there stays, and is counted once.
pub(crate) async fn add(connection: &mut AnyConnection, mut entries: Vec<Entry>) -> Result<(), sqlx::Error> {
    let positions = entries.iter().map(|entry| entry.position);
    let (Some(first), Some(last)) = (positions.clone().min(), positions.max()) else {
        return Ok(());
    };
    let there: Vec<(i64, i64)> =
        sqlx::query_as("select position, line from payment_audit where position >= $1 and position <= $2")
            .bind(first)
            .bind(last)
            .fetch_all(&mut *connection)
            .await?;
    let mut there: HashSet<(i64, i64)> = there.into_iter().collect();
    entries.retain(|entry| there.insert((entry.position, entry.line)));
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

const COLUMNS: &str =
    "select a.position, a.line, a.recorded_at, a.kind, a.detail, a.payment_id, a.reference, a.lead_id,
 b.reference as lead_reference, n.property, a.amount_minor, a.sign, a.currency, a.gateway_id, a.request_id,
 c.position as causation_position from (select * from payment_audit where (position, line) in (";

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
    let mut query = filtered(&format!("{COLUMNS}select a.position, a.line"), filter);
    query
        .push(" order by a.recorded_at desc, a.position desc, a.line desc limit ")
        .push_bind(limit.cast_signed());
    query.push(" offset ").push_bind(offset.cast_signed());
    query.push(")) a").push(NAMES);
    query.push(" order by a.recorded_at desc, a.position desc, a.line desc");
    query.build_query_as()?.fetch_all(pool).await
}

/// Up to `limit` rows after a place, its position and line, oldest first: what an export reads piece by piece.
///
/// # Errors
/// When the read models cannot be read.
pub async fn after(
    pool: &AnyPool,
    filter: &AuditFilter,
    (position, line): (i64, i64),
    limit: u64,
) -> Result<Vec<AuditRow>, sqlx::Error> {
    let mut query = filtered(&format!("{COLUMNS}select a.position, a.line"), filter);
    query.push(" and (a.position, a.line) > (").push_bind(position);
    query.push(", ").push_bind(line).push(")");
    query
        .push(" order by a.position, a.line limit ")
        .push_bind(limit.cast_signed());
    query
        .push(")) a")
        .push(NAMES)
        .push(" order by a.position, a.line");
    query.build_query_as()?.fetch_all(pool).await
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
mod histories;
#[cfg(test)]
mod tests;
