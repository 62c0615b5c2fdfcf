//! Payments as their pages and the finance screens read them: the page's row, the audit list, the ledger and the gateway's
//! notices, folded together because each tells an event by what was known before it.

use domain::aggregate::Decide;
use domain::gateway_event::{GatewayEvent, GatewayEventEvent};
use domain::id::{LeadId, PaymentId};
use domain::payment::dispute::DisputeOutcome;
use domain::payment::{Payment, PaymentEvent};
use domain::room_stock::RoomStock;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};

use crate::payment_tally::Tally;
use crate::run::{Projection, ProjectionError};
use crate::{ledger, payment_audit};

/// The tables of `0020_payment.sql`.
pub struct Payments;

impl Projection for Payments {
    fn name(&self) -> &'static str {
        "payments"
    }

    fn version(&self) -> u32 {
        3
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            "payment_page",
            "payment_audit",
            "payment_tally",
            "gateway_notice",
            "ledger_line",
            "payment_cause",
        ]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Payment::KIND, GatewayEvent::KIND, RoomStock::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut tally = Tally::default();
            for record in events {
                sqlx::query(
                    "insert into payment_cause (event_id, position) values ($1, $2)
             on conflict (event_id) do update set position = excluded.position",
                )
                .bind(record.event_id.to_string())
                .bind(record.position.cast_signed())
                .execute(&mut *connection)
                .await?;
                if record.stream.kind == Payment::KIND {
                    take_payment(connection, record, &mut tally).await?;
                } else if record.stream.kind == GatewayEvent::KIND {
                    take_notice(connection, record).await?;
                }
            }
            tally.write(connection).await?;
            Ok(())
        })
    }
}

async fn take_payment(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    tally: &mut Tally,
) -> Result<(), ProjectionError> {
    let payment_id = PaymentId(record.stream.id);
    let event = record.decode::<Payment>()?;
    let before = state_of(connection, payment_id).await?;
    let mut after = before.clone();
    after.evolve(&event);
    // Secrets stay in the sealed part of the log.
    after.token = None;
    if let Some(intent) = &mut after.intent {
        intent.client_secret = None;
    }
    put_page(connection, payment_id, &after, record).await?;
    payment_audit::take(connection, payment_id, &before, &after, &event, record, tally).await?;
    ledger::take(connection, payment_id, &before, &event, record).await?;
    Ok(())
}

async fn state_of(connection: &mut AnyConnection, payment_id: PaymentId) -> Result<Payment, ProjectionError> {
    let row: Option<String> = sqlx::query_scalar("select state from payment_page where payment_id = $1")
        .bind(payment_id.to_string())
        .fetch_optional(connection)
        .await?;
    // A row that cannot be read would be our own writing: the fold then goes on from what the event says.
    Ok(row
        .and_then(|row| serde_json::from_str(&row).ok())
        .unwrap_or_default())
}

async fn put_page(
    connection: &mut AnyConnection,
    payment_id: PaymentId,
    payment: &Payment,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    let Some(terms) = &payment.terms else {
        return Ok(());
    };
    let state = serde_json::to_string(payment).unwrap_or_default();
    sqlx::query(
        "insert into payment_page
         (payment_id, token_digest, lead_id, room_id, root_id, form_id, status, currency, total_minor, opened_at, revision, state)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (payment_id) do update
         set status = excluded.status, revision = excluded.revision, state = excluded.state",
    )
    .bind(payment_id.to_string())
    .bind(&terms.token_digest)
    .bind(terms.lead_id.to_string())
    .bind(terms.room_id.to_string())
    .bind(terms.inventory_root_id.to_string())
    .bind(terms.form_id.map(|id| id.to_string()))
    .bind(payment.status.name())
    .bind(terms.quote.currency.code())
    .bind(terms.quote.total_minor.cast_signed())
    .bind(payment_audit::instant(terms.opened_at))
    .bind(record.revision.cast_signed())
    .bind(state)
    .execute(connection)
    .await?;
    Ok(())
}

async fn take_notice(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let GatewayEventEvent::GatewayEventReceived {
        gateway_event_id,
        gateway_event_type,
        object_id,
        payment_id,
        ..
    } = record.decode::<GatewayEvent>()?;
    sqlx::query(
        "insert into gateway_notice (position, payment_id, gateway_event_id, kind, object_id, received_at)
         values ($1, $2, $3, $4, $5, $6)
             on conflict (position) do update set payment_id = excluded.payment_id,
             gateway_event_id = excluded.gateway_event_id, kind = excluded.kind, object_id = excluded.object_id,
             received_at = excluded.received_at",
    )
    .bind(record.position.cast_signed())
    .bind(payment_id.map(|id| id.to_string()))
    .bind(gateway_event_id)
    .bind(gateway_event_type)
    .bind(object_id)
    .bind(payment_audit::instant(record.recorded_at))
    .execute(connection)
    .await?;
    Ok(())
}

/// The payment a link's token stands for, by the token's digest.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find_by_digest(pool: &AnyPool, digest: &str) -> Result<Option<PaymentId>, sqlx::Error> {
    let row: Option<String> =
        sqlx::query_scalar("select payment_id from payment_page where token_digest = $1")
            .bind(digest)
            .fetch_optional(pool)
            .await?;
    Ok(row.and_then(|id| id.parse().ok()))
}

/// The payments of a lead, oldest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_lead(pool: &AnyPool, lead_id: LeadId) -> Result<Vec<PaymentId>, sqlx::Error> {
    let rows: Vec<String> = sqlx::query_scalar(
        "select payment_id from payment_page where lead_id = $1 order by opened_at, payment_id",
    )
    .bind(lead_id.to_string())
    .fetch_all(pool)
    .await?;
    Ok(rows.iter().filter_map(|id| id.parse().ok()).collect())
}

/// Everything [`kind`] may answer: what a filter may ask for.
pub const KINDS: [&str; 16] = [
    "opened",
    "intent_ready",
    "confirmed",
    "captured",
    "declined",
    "pending",
    "sold_out",
    "refund_requested",
    "refund_sent",
    "refund_acknowledged",
    "refund_failed",
    "cancelled",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
    "room_given_back",
];

/// Names an event for people who audit: what kind of thing it was for the money.
pub(crate) const fn kind(event: &PaymentEvent) -> Option<&'static str> {
    Some(match event {
        PaymentEvent::PaymentOpened { .. } => "opened",
        PaymentEvent::IntentReady { .. } => "intent_ready",
        PaymentEvent::PaymentConfirmed { .. } => "confirmed",
        PaymentEvent::PaymentSucceeded { .. }
        | PaymentEvent::PaymentCapturedWithoutRoom { .. }
        | PaymentEvent::PaymentCapturedAgain { .. } => "captured",
        PaymentEvent::PaymentDeclined { .. } => "declined",
        PaymentEvent::PaymentDelayed {} => "pending",
        PaymentEvent::PaymentSoldOut { .. } => "sold_out",
        PaymentEvent::RefundRequested { .. } => "refund_requested",
        PaymentEvent::RefundSent { .. } => "refund_sent",
        PaymentEvent::RefundAcknowledged { .. } => "refund_acknowledged",
        PaymentEvent::RefundFailed { .. } => "refund_failed",
        PaymentEvent::PaymentCancelled { .. } => "cancelled",
        PaymentEvent::PaymentRoomGivenBack { .. } => "room_given_back",
        PaymentEvent::DisputeOpened { .. } => "dispute_opened",
        PaymentEvent::DisputeClosed { outcome, .. } => match outcome {
            DisputeOutcome::Won => "dispute_won",
            DisputeOutcome::Lost => "dispute_lost",
        },
        PaymentEvent::PaymentBegun { .. }
        | PaymentEvent::PaymentRetried { .. }
        | PaymentEvent::PaymentHoldNoted { .. }
        | PaymentEvent::IntentFailed { .. }
        | PaymentEvent::PaymentActionRequired { .. }
        | PaymentEvent::PaymentMessageSent { .. }
        | PaymentEvent::RefundMessageSent { .. }
        | PaymentEvent::PaymentMessageRefused { .. } => return None,
    })
}
