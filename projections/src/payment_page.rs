//! Payments as their pages and the finance screens read them: the page's row, the audit list, the ledger and the gateway's
//! notices, folded together because each tells an event by what was known before it.

use domain::aggregate::Decide;
use domain::approval::Approval;
use domain::gateway_event::GatewayEvent;
use domain::id::{LeadId, PaymentId};
use domain::payment::dispute::DisputeOutcome;
use domain::payment::{Payment, PaymentEvent};
use domain::referral::Referral;
use domain::room_stock::RoomStock;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};

use self::rows::Changes;
use crate::payment_audit::DISPUTE_FEE;
use crate::run::{Projection, ProjectionError};

mod rows;

/// The tables of `0020_payment.sql`, its list of `0580_money_rows.sql`.
pub struct Payments;

impl Projection for Payments {
    fn name(&self) -> &'static str {
        "payments"
    }

    fn version(&self) -> u32 {
        9
    }

    fn tables(&self) -> &'static [&'static str] {
        &[
            "payment_page",
            "payment_audit",
            "payment_tally",
            "gateway_notice",
            "ledger_line",
            "book_source",
            "payment_cause",
        ]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &[
            "payment_page_lead",
            "payment_audit_payment",
            "payment_audit_gateway",
            "payment_audit_time",
            "payment_audit_kind",
            "payment_audit_currency",
            "payment_audit_kind_currency",
            "gateway_notice_payment",
            "gateway_notice_stream",
            "ledger_line_payment",
            "ledger_line_account",
            "ledger_line_source",
        ]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            Payment::KIND,
            GatewayEvent::KIND,
            RoomStock::KIND,
            Approval::KIND,
            Referral::KIND,
        ]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut changes = Changes::of(events, connection).await?;
            for record in events {
                changes.note_cause(record);
                if record.stream.kind == Payment::KIND {
                    changes.take_payment(record)?;
                } else if record.stream.kind == GatewayEvent::KIND {
                    changes.take_notice(record)?;
                } else if record.stream.kind == Approval::KIND {
                    changes.take_approval(record)?;
                } else if record.stream.kind == Referral::KIND {
                    changes.take_referral(record)?;
                }
            }
            Ok(changes.write(connection).await?)
        })
    }
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

/// How many payments could not be begun since then, whenever they were opened: a payment link is days old when it is used.
///
/// # Errors
/// When the read models cannot be read.
pub async fn count_not_begun(pool: &AnyPool, since: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from payment_page where status = 'init_failure' and changed_at >= $1")
        .bind(since)
        .fetch_one(pool)
        .await
}

/// Everything [`kind`] may answer: what a filter may ask for.
pub const KINDS: [&str; 19] = [
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
    DISPUTE_FEE,
    "room_given_back",
    "booking_cancelled",
    "refund_paid_elsewhere",
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
        PaymentEvent::RefundPaidElsewhere { .. } => "refund_paid_elsewhere",
        PaymentEvent::PaymentCancelled { .. } => "cancelled",
        PaymentEvent::PaymentRoomGivenBack { .. } => "room_given_back",
        PaymentEvent::PaymentBookingCancelled { .. } => "booking_cancelled",
        PaymentEvent::DisputeOpened { .. } => "dispute_opened",
        PaymentEvent::DisputeClosed { outcome, .. } => match outcome {
            DisputeOutcome::Won => "dispute_won",
            DisputeOutcome::Lost => "dispute_lost",
        },
        PaymentEvent::PaymentLinkMade { .. }
        | PaymentEvent::PaymentBegun { .. }
        | PaymentEvent::PaymentRetried { .. }
        | PaymentEvent::PaymentHoldNoted { .. }
        | PaymentEvent::IntentFailed { .. }
        | PaymentEvent::PaymentActionRequired { .. }
        | PaymentEvent::DisputeEvidenceNoted { .. }
        | PaymentEvent::PaymentMessageSent { .. }
        | PaymentEvent::RefundMessageSent { .. }
        | PaymentEvent::PaymentMessageRefused { .. } => return None,
    })
}
