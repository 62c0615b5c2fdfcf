//! One payment as finance reads it: our events beside the gateway's notices, the ledger, what is left to refund.

use std::sync::Arc;

use axum::extract::State;
use domain::id::PaymentId;
use domain::language::Language;
use domain::payment::consequence::{Consequence, RoomOf, consequences};
use domain::payment::dispute::DisputeOutcome;
use domain::payment::{BookingChoice, Payment, PaymentStatus};
use domain::room_stock::RoomStock;
use http_kit::caller::{Sessions, Staff};
use http_kit::contract::words::{
    AccountWord, BookingChoiceWord, ConsequenceWord, DisputeStateWord, PaymentStatusWord,
};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::history_reads::Reading;
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use projections::ledger::{self, LedgerRow};
use projections::payment_audit::{self, AuditFilter, instant, reference};
use projections::{lead_board, listing_name};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

use super::booking_links::{self, BookingLink};
use super::by_hand::Acts;
use super::refunds::{left_alone, typed_above};
use super::returned::{self, FailedRefund};
use super::{AuditRow, Details, decimals};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(FINANCE, routes!(read_dossier))
}

/// More events than one payment ever has.
const EVENTS_MAX: u64 = 1_000;

/// The bank asks the student: it answers the latest confirmation, earlier ones were declined without a question.
const ASKS: &str = "payment_intent.requires_action";

/// Which of our events a notice of the gateway confirms.
const CONFIRMS: [(&str, &[&str]); 12] = [
    ("payment_intent.created", &["intent_ready"]),
    ("payment_intent.succeeded", &["captured"]),
    ("payment_intent.payment_failed", &["declined"]),
    (ASKS, &["confirmed"]),
    ("payment_intent.processing", &["pending"]),
    ("payment_intent.canceled", &["sold_out", "cancelled"]),
    ("refund.created", &["refund_sent"]),
    ("refund.updated", &["refund_acknowledged", "refund_failed"]),
    ("refund.failed", &["refund_failed"]),
    ("charge.refund.updated", &["refund_acknowledged", "refund_failed"]),
    ("charge.dispute.created", &["dispute_opened"]),
    ("charge.dispute.closed", &["dispute_won", "dispute_lost"]),
];

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentDossier)]
pub struct Dossier {
    pub payment_id: String,
    pub reference: String,
    #[schema(value_type = PaymentStatusWord)]
    pub status: PaymentStatus,
    /// Null where no bank disputes it; of several disputes the one that is not decided, then the one that was lost.
    #[schema(value_type = Option<DisputeStateWord>)]
    pub dispute: Option<&'static str>,
    pub lead_id: String,
    pub lead_reference: String,
    pub name_masked: String,
    pub property: String,
    pub opened_at: String,
    pub currency: String,
    pub decimals: u32,
    pub captured_minor: u64,
    pub refunded_minor: u64,
    pub refund_pending_minor: u64,
    pub disputed_minor: u64,
    pub refundable_minor: u64,
    /// Amount that the reader can still give back of it without a second person; null without a limit.
    pub alone_minor: Option<u64>,
    pub processing_fee_minor: u64,
    /// Above this a refund's amount is typed.
    pub typed_above_minor: u64,
    /// Choices for the booking with a refund, and what follows from each.
    pub choices: Vec<Choice>,
    /// The booking stands, and a refund cannot cancel it: nothing is left to give back. Never while a bank has not decided a dispute,
    /// since its money may come back.
    pub can_cancel_booking: bool,
    /// The payment links of the same lead.
    pub links: Vec<BookingLink>,
    /// Refunds that came back and wait for another way.
    pub failed_refunds: Vec<FailedRefund>,
    /// Numbers of the receipt and of each refund's credit note, in the order they were made.
    pub receipts: Vec<String>,
    pub events: Vec<Pair>,
    pub ledger: Vec<LedgerLine>,
    pub balance_minor: i64,
}

/// Choice for the booking with a refund.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RefundChoice)]
pub struct Choice {
    #[schema(value_type = BookingChoiceWord)]
    pub booking: &'static str,
    /// Consequences, in order.
    #[schema(value_type = Vec<ConsequenceWord>)]
    pub then: Vec<&'static str>,
}

/// Ours beside the gateway's; either may be missing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DossierPair)]
pub struct Pair {
    pub ours: Option<AuditRow>,
    pub webhook: Option<Webhook>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = DossierWebhook)]
pub struct Webhook {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub received_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerLine {
    pub position: i64,
    pub recorded_at: String,
    pub kind: String,
    #[schema(value_type = AccountWord)]
    pub account: String,
    pub debit_minor: i64,
    pub credit_minor: i64,
}

impl From<LedgerRow> for LedgerLine {
    fn from(row: LedgerRow) -> Self {
        Self {
            position: row.position,
            recorded_at: row.recorded_at,
            kind: row.kind,
            account: row.account,
            debit_minor: row.debit_minor,
            credit_minor: row.credit_minor,
        }
    }
}

/// `GET /api/v0/workspace/payments/{id}`.
///
/// # Errors
/// 404 for an unknown payment.
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<Dossier>), (status = 404, body = Failure)))]
pub async fn read_dossier(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
) -> ApiResult<Success<Dossier>> {
    let dossier = of(&records, &settings, &staff, context.lang, id).await?;
    Reading::by(&sessions, &context, &staff).payment(id).await?;
    Ok(Success::new(dossier))
}

/// The dossier of a payment, for `staff`.
///
/// # Errors
/// 404 for an unknown payment.
pub async fn of(
    records: &Records,
    settings: &Arc<Settings>,
    staff: &Staff,
    lang: Language,
    payment_id: PaymentId,
) -> ApiResult<Dossier> {
    let pool = records.heard().await?;
    let payment = records.log.load::<Payment>(payment_id).await?.state;
    let terms = payment
        .terms
        .clone()
        .ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    let lead = lead_board::query::row(pool, terms.lead_id).await?;
    let home = listing_name::find(pool, &terms.inventory_root_id.to_string()).await?;
    let filter = AuditFilter {
        payment_id: Some(payment_id),
        ..AuditFilter::default()
    };
    let rows = payment_audit::after(pool, &filter, (0, 0), EVENTS_MAX).await?;
    let notices = payment_audit::notices(pool, payment_id).await?;
    let acts = Acts::new(records, settings)
        .show(&Details::of(lang), rows)
        .await?;
    let lines = ledger::of_payment(pool, payment_id).await?;
    let stock = records.log.load::<RoomStock>(terms.room_id).await?.state;
    let (made, _) = receipts::of_payment(&records.log, payment_id).await?;
    let currency = terms.quote.currency.code().to_owned();
    Ok(Dossier {
        payment_id: payment_id.to_string(),
        reference: reference(payment_id),
        status: payment.status,
        dispute: name_dispute_state(&payment),
        lead_id: terms.lead_id.to_string(),
        lead_reference: lead
            .as_ref()
            .map(|lead| lead.reference.clone())
            .unwrap_or_default(),
        name_masked: lead.map(|lead| lead.name_masked).unwrap_or_default(),
        property: home.map(|home| home.property).unwrap_or_default(),
        opened_at: instant(terms.opened_at),
        decimals: decimals(&currency),
        currency,
        captured_minor: payment.captured_minor(),
        refunded_minor: payment.refunded_minor(),
        refund_pending_minor: payment.refund_pending_minor(),
        disputed_minor: payment.disputed_minor(),
        refundable_minor: payment.refundable_minor(),
        alone_minor: left_alone(settings, staff, &payment, terms.quote.currency),
        processing_fee_minor: terms.quote.processing_fee_minor,
        typed_above_minor: typed_above(settings, terms.quote.currency),
        choices: choices(&stock, payment_id),
        links: booking_links::beside(records, terms.lead_id, payment_id).await?,
        failed_refunds: returned::stranded(payment_id, &payment),
        receipts: made.into_iter().map(|receipt| receipt.number).collect(),
        can_cancel_booking: payment.refundable_minor() == 0
            && !payment.has_open_dispute()
            && !payment.booking_cancelled
            && RoomOf::payment(&stock, payment_id) != RoomOf::Nobody,
        balance_minor: lines
            .iter()
            .map(|line| line.debit_minor - line.credit_minor)
            .sum(),
        events: pairs(acts, notices),
        ledger: lines.into_iter().map(LedgerLine::from).collect(),
    })
}

/// How the disputes of a payment stand, by the word that travels; the one that needs a person first.
pub(super) fn name_dispute_state(payment: &Payment) -> Option<&'static str> {
    let mut outcomes = payment.disputes.values().map(|dispute| dispute.outcome);
    if payment.has_open_dispute() {
        return Some("open");
    }
    let is_lost = outcomes.any(|outcome| outcome == Some(DisputeOutcome::Lost));
    (!payment.disputes.is_empty()).then_some(if is_lost { "lost" } else { "won" })
}

fn choices(stock: &RoomStock, payment_id: PaymentId) -> Vec<Choice> {
    let room = RoomOf::payment(stock, payment_id);
    let told = |booking: BookingChoice| {
        let then = consequences(booking, room)?;
        Some(Choice {
            booking: booking.name(),
            then: then.into_iter().map(Consequence::name).collect(),
        })
    };
    BookingChoice::ALL.into_iter().filter_map(told).collect()
}

/// Lays each notice beside the first of our events that it confirms and that has none yet; both in time order.
fn pairs(ours: Vec<AuditRow>, notices: Vec<(i64, String, String, String)>) -> Vec<Pair> {
    let mut pairs: Vec<(i64, Pair)> = ours
        .into_iter()
        .map(|row| {
            (
                row.position,
                Pair {
                    ours: Some(row),
                    webhook: None,
                },
            )
        })
        .collect();
    for (position, id, kind, received_at) in notices {
        let confirms = CONFIRMS
            .iter()
            .find(|(name, _)| *name == kind)
            .map_or(&[][..], |(_, kinds)| *kinds);
        let waits = |pair: &Pair| {
            pair.webhook.is_none()
                && pair
                    .ours
                    .as_ref()
                    .is_some_and(|row| confirms.contains(&row.kind.as_str()))
        };
        let beside = if kind == ASKS {
            pairs
                .iter_mut()
                .rev()
                .find(|(at, pair)| *at < position && waits(pair))
        } else {
            pairs.iter_mut().find(|(_, pair)| waits(pair))
        };
        let webhook = Webhook {
            id,
            kind,
            received_at,
        };
        match beside {
            Some((_, pair)) => pair.webhook = Some(webhook),
            None => pairs.push((
                position,
                Pair {
                    ours: None,
                    webhook: Some(webhook),
                },
            )),
        }
    }
    pairs.sort_by_key(|(position, _)| *position);
    pairs.into_iter().map(|(_, pair)| pair).collect()
}
