//! The audit list: every payment event that finance cares for, with its amount, its cause and what it adds to the totals.

use chrono::SecondsFormat;
use domain::id::PaymentId;
use domain::moment::Moment;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::event::RefundReason;
use domain::payment::{Payment, PaymentEvent, SoldOutReason};
use eventlog::RecordedEvent;
use sqlx::{AnyConnection, AnyPool};

use crate::database::Statement;
use crate::payment_page::kind;
use crate::run::ProjectionError;

/// One row as stored, with the names other read models know.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
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
    pub currency: String,
    pub gateway_id: Option<String>,
    pub request_id: String,
    pub causation_position: Option<i64>,
}

/// Sums of one currency under the same filter.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct TotalsRow {
    pub currency: String,
    pub captured_minor: i64,
    pub refunded_minor: i64,
    pub pending_minor: i64,
    pub disputed_minor: i64,
}

/// What is looked for; empty fields leave all in.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub kind: Option<String>,
    pub currency: Option<String>,
    /// RFC 3339, inclusive.
    pub from: Option<String>,
    /// RFC 3339, exclusive.
    pub to: Option<String>,
    pub text: Option<String>,
    pub payment_id: Option<PaymentId>,
}

/// RFC 3339 with microseconds: sorts as text (X5).
pub fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// How people name a payment: short, and good enough to say on the phone.
pub fn reference(payment_id: PaymentId) -> String {
    let hex = payment_id.0.simple().to_string().to_uppercase();
    format!("P-{}", &hex[hex.len() - 8..])
}

pub(crate) async fn take(
    connection: &mut AnyConnection,
    payment_id: PaymentId,
    before: &Payment,
    after: &Payment,
    event: &PaymentEvent,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    let (Some(kind), Some(terms)) = (kind(event), &after.terms) else {
        return Ok(());
    };
    let (amount, sign) = amount(after, event);
    let change = |sum: fn(&Payment) -> u64| sum(after).cast_signed() - sum(before).cast_signed();
    sqlx::query(
        "insert into payment_audit
         (position, recorded_at, kind, detail, payment_id, reference, lead_id, root_id, amount_minor, sign, currency,
          gateway_id, request_id, causation_id, captured_minor, refunded_minor, pending_minor, disputed_minor)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
             on conflict (position) do update set recorded_at = excluded.recorded_at, kind = excluded.kind,
             detail = excluded.detail, payment_id = excluded.payment_id, reference = excluded.reference,
             lead_id = excluded.lead_id, root_id = excluded.root_id, amount_minor = excluded.amount_minor,
             sign = excluded.sign, currency = excluded.currency, gateway_id = excluded.gateway_id,
             request_id = excluded.request_id, causation_id = excluded.causation_id,
             captured_minor = excluded.captured_minor, refunded_minor = excluded.refunded_minor,
             pending_minor = excluded.pending_minor, disputed_minor = excluded.disputed_minor",
    )
    .bind(record.position.cast_signed())
    .bind(instant(record.recorded_at))
    .bind(kind)
    .bind(detail(event))
    .bind(payment_id.to_string())
    .bind(reference(payment_id))
    .bind(terms.lead_id.to_string())
    .bind(terms.inventory_root_id.to_string())
    .bind(amount.cast_signed())
    .bind(sign)
    .bind(terms.quote.currency.code())
    .bind(gateway_id(after, event))
    .bind(record.correlation_id.to_string())
    .bind(record.causation_id.map(|id| id.to_string()))
    .bind(change(Payment::captured_minor))
    .bind(change(Payment::refunded_minor))
    .bind(change(Payment::refund_pending_minor))
    .bind(change(Payment::disputed_minor))
    .execute(connection)
    .await?;
    Ok(())
}

/// The amount an event is about, and which way money moved by it.
fn amount(payment: &Payment, event: &PaymentEvent) -> (u64, i64) {
    match event {
        PaymentEvent::PaymentSucceeded { capture, .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { capture, .. }
        | PaymentEvent::PaymentCapturedAgain { capture, .. } => (capture.amount_minor, 1),
        PaymentEvent::RefundAcknowledged { amount_minor, .. }
        | PaymentEvent::DisputeOpened { amount_minor, .. } => (*amount_minor, -1),
        PaymentEvent::DisputeClosed {
            dispute_id, outcome, ..
        } => {
            let dispute = payment.disputes.get(dispute_id);
            let sign = match outcome {
                DisputeOutcome::Won => 1,
                DisputeOutcome::Lost => 0,
            };
            (dispute.map_or(0, |dispute| dispute.amount_minor), sign)
        }
        PaymentEvent::RefundRequested { amount_minor, .. }
        | PaymentEvent::RefundFailed { amount_minor, .. } => (*amount_minor, 0),
        PaymentEvent::RefundSent { refund_id, .. } => (
            payment
                .refunds
                .get(refund_id)
                .map_or(0, |refund| refund.amount_minor),
            0,
        ),
        PaymentEvent::PaymentRoomGivenBack { .. } => (payment.refunded_minor(), 0),
        _ => (
            payment.terms.as_ref().map_or(0, |terms| terms.quote.total_minor),
            0,
        ),
    }
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
        | PaymentEvent::PaymentRoomGivenBack { .. } => None,
        _ => payment.intent.as_ref().map(|intent| intent.id.clone()),
    }
}

/// A key of the catalogue `finance_detail`.
fn detail(event: &PaymentEvent) -> &'static str {
    match event {
        PaymentEvent::PaymentSucceeded { .. } => "captured",
        PaymentEvent::PaymentCapturedWithoutRoom { .. } => "captured_without_room",
        PaymentEvent::PaymentCapturedAgain { .. } => "captured_again",
        PaymentEvent::PaymentDeclined { code, .. } => code.code(),
        PaymentEvent::PaymentSoldOut { reason } => match reason {
            SoldOutReason::NoRoom => "no_room",
            SoldOutReason::HoldLost => "hold_lost",
            SoldOutReason::TooManyHolds => "too_many_holds",
        },
        PaymentEvent::RefundRequested { reason, .. } => match reason {
            RefundReason::SoldOut => "refund_sold_out",
            RefundReason::PaidTwice => "refund_paid_twice",
            RefundReason::Staff => "refund_staff",
            RefundReason::Gateway => "refund_gateway",
        },
        PaymentEvent::PaymentRoomGivenBack { vacated: false, .. } => "room_kept_by_another",
        other => kind(other).unwrap_or("noted"),
    }
}

const FROM: &str = " from payment_audit a
 left join lead_board b on b.lead_id = a.lead_id
 left join listing_name n on n.inventory_id = a.root_id
 left join payment_cause c on c.event_id = a.causation_id
 where 1 = 1";

const COLUMNS: &str =
    "select a.position, a.recorded_at, a.kind, a.detail, a.payment_id, a.reference, a.lead_id,
 b.reference as lead_reference, n.property, a.amount_minor, a.sign, a.currency, a.gateway_id, a.request_id,
 c.position as causation_position";

fn filtered(start: &str, filter: &AuditFilter) -> Statement {
    let mut query = Statement::new(format!("{start}{FROM}"));
    if let Some(kind) = &filter.kind {
        query.push(" and a.kind = ").push_bind(kind.clone());
    }
    if let Some(currency) = &filter.currency {
        query
            .push(" and a.currency = ")
            .push_bind(currency.to_uppercase());
    }
    if let Some(from) = &filter.from {
        query.push(" and a.recorded_at >= ").push_bind(from.clone());
    }
    if let Some(to) = &filter.to {
        query.push(" and a.recorded_at < ").push_bind(to.clone());
    }
    if let Some(payment_id) = filter.payment_id {
        query
            .push(" and a.payment_id = ")
            .push_bind(payment_id.to_string());
    }
    if let Some(text) = filter
        .text
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        let pattern = format!("%{}%", text.to_lowercase().replace(['%', '_', '\\'], ""));
        for (place, column) in [
            "a.reference",
            "b.reference",
            "a.gateway_id",
            "a.payment_id",
            "a.lead_id",
            "n.property",
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
        query.push(")");
    }
    query
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
    let mut query = filtered(COLUMNS, filter);
    query
        .push(" order by a.position desc limit ")
        .push_bind(limit.cast_signed());
    query.push(" offset ").push_bind(offset.cast_signed());
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
    let mut query = filtered(COLUMNS, filter);
    query.push(" and a.position > ").push_bind(position);
    query
        .push(" order by a.position limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// How many rows match, and the totals per currency over all of them.
///
/// # Errors
/// When the read models cannot be read.
pub async fn totals(pool: &AnyPool, filter: &AuditFilter) -> Result<(u64, Vec<TotalsRow>), sqlx::Error> {
    let count: i64 = filtered("select count(*)", filter)
        .build_query_scalar()?
        .fetch_one(pool)
        .await?;
    let sums =
        "select a.currency, cast(sum(a.captured_minor) as bigint) as captured_minor,
     cast(sum(a.refunded_minor) as bigint) as refunded_minor, cast(sum(a.pending_minor) as bigint) as pending_minor,
     cast(sum(a.disputed_minor) as bigint) as disputed_minor";
    let mut query = filtered(sums, filter);
    query.push(" group by a.currency order by a.currency");
    Ok((
        count.cast_unsigned(),
        query.build_query_as()?.fetch_all(pool).await?,
    ))
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
