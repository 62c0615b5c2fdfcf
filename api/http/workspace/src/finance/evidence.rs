//! What the log holds against a dispute, gathered the moment it is asked for: each line with the event that says it, as JSON under the
//! names that Stripe gives to evidence, and as a PDF for a bank. Names and addresses stay masked, as everywhere in finance.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use domain::id::PaymentId;
use domain::language::Language;
use domain::money::Money;
use domain::payment::Payment;
use domain::payment::dispute::DisputeOutcome;
use domain::payment::terms::Terms;
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use platform::texts::text;
use projections::lead_timeline::query::{TimelineRow, history};
use projections::listing_name;
use projections::payment_audit::{instant, reference};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

mod paper;
mod sentence;

use sentence::Sentences;

/// Everything that answers a dispute.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisputeEvidence)]
pub struct Evidence {
    pub payment_id: String,
    pub reference: String,
    pub disputes: Vec<DisputeLine>,
    /// Under Stripe's names (<https://docs.stripe.com/api/disputes/evidence_object>).
    pub evidence: StripeEvidence,
    /// Every event of the booking that the fields rest on, in order.
    pub lines: Vec<EvidenceLine>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EvidenceDispute)]
pub struct DisputeLine {
    pub id: String,
    pub amount: String,
    /// `open`, `won` or `lost`.
    pub outcome: &'static str,
}

/// The fields that the log can fill.
#[derive(Debug, Serialize, ToSchema)]
pub struct StripeEvidence {
    /// Who asked for what, from where it was proved, when: the log-ins and acts of the payer.
    pub access_activity_log: String,
    /// Messages that were delivered, or that no mail server took.
    pub customer_communication: String,
    pub product_description: String,
    /// The day on which the stay begins.
    pub service_date: String,
    pub refund_policy: String,
    pub refund_policy_disclosure: String,
    /// What was given back or refused, and when.
    pub refund_refusal_explanation: String,
    /// The bank's own check of the payer, and all else.
    pub uncategorized_text: String,
}

/// One thing that happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EvidenceLine {
    pub at: String,
    pub text: String,
    /// The event that says so: `latchkey prove POSITION` proves it.
    pub event_id: String,
    pub position: i64,
    #[serde(rename = "type")]
    pub kind: String,
}

/// `GET /api/v0/workspace/payments/{id}/evidence`.
///
/// # Errors
/// 404 for an unknown payment, 409 where no bank disputes it.
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<Evidence>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn read_evidence(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    Path(id): Path<PaymentId>,
) -> ApiResult<Success<Evidence>> {
    Ok(Success::new(of(&records, &settings, id).await?))
}

/// `GET /api/v0/workspace/payments/{id}/evidence.pdf`.
///
/// # Errors
/// As [`read_evidence`].
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence.pdf", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn evidence_pdf(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    Path(id): Path<PaymentId>,
) -> ApiResult<Response> {
    let evidence = of(&records, &settings, id).await?;
    let name = format!("attachment; filename=\"{}-evidence.pdf\"", evidence.reference);
    let seller = settings.seller().to_owned();
    let written = tokio::task::spawn_blocking(move || paper::write(&evidence, &seller, clock::now())).await;
    let bytes = written.map_err(ApiError::broken)?.map_err(ApiError::broken)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

async fn of(records: &Records, settings: &Settings, payment_id: PaymentId) -> ApiResult<Evidence> {
    let pool = records.heard().await?;
    let payment = records.log.load::<Payment>(payment_id).await?.state;
    let unknown = || ApiError::not_found(say("refusal.no_payment"));
    let terms = payment.terms.clone().ok_or_else(unknown)?;
    if payment.disputes.is_empty() {
        return Err(ApiError::conflict("no_dispute", say("refusal.no_dispute")));
    }
    let home = listing_name::find(pool, &terms.inventory_root_id.to_string()).await?;
    let home = home.map(|home| home.property).unwrap_or_default();
    let rows = history(pool, terms.lead_id).await?;
    let sentences = Sentences::english();
    let told = rows.iter().map(|placed| &placed.row);
    let told = told.filter(|row| !OF_STAFF.contains(&row.event_type.as_str()));
    let lines: Vec<EvidenceLine> = told.map(|row| line(&sentences, row)).collect();
    Ok(Evidence {
        payment_id: payment_id.to_string(),
        reference: reference(payment_id),
        disputes: disputes(&payment, &terms),
        evidence: fields(settings, &terms, &home, &lines),
        lines,
    })
}

fn line(sentences: &Sentences, row: &TimelineRow) -> EvidenceLine {
    EvidenceLine {
        at: row.recorded_at.clone(),
        text: sentences.of(row),
        event_id: row.event_id.clone(),
        position: row.position,
        kind: row.event_type.clone(),
    }
}

fn disputes(payment: &Payment, terms: &Terms) -> Vec<DisputeLine> {
    let shown = |minor| {
        let money = Money::new(minor, terms.quote.currency);
        format!("{} {}", money.currency.code(), money.decimal())
    };
    let each = payment.disputes.iter().map(|(id, dispute)| DisputeLine {
        id: id.clone(),
        amount: shown(dispute.amount_minor),
        outcome: match dispute.outcome {
            None => "open",
            Some(DisputeOutcome::Won) => "won",
            Some(DisputeOutcome::Lost) => "lost",
        },
    });
    each.collect()
}

/// Which events fill which of Stripe's fields, by what their stored types begin with.
const ACTS: [&str; 6] = ["Lead", "Form", "BookingForm", "User", "Handle", "Session"];
/// The house's own words and looks: no act of the payer, and free texts of staff, which no bank reads.
const OF_STAFF: [&str; 5] = [
    "UserPersonalDataRevealed",
    "LeadAssigned",
    "LeadNoteAdded",
    "LeadCancelled",
    "LeadLost",
];
const MESSAGES: [&str; 6] = [
    "LeadLetterPosted",
    "PaymentMessageSent",
    "PaymentMessageRefused",
    "RefundMessageSent",
    "LeadMessageSent",
    "LeadMessageRefused",
];
const REFUNDS: [&str; 6] = [
    "RefundRequested",
    "RefundSent",
    "RefundAcknowledged",
    "RefundFailed",
    "RefundPaidElsewhere",
    "PaymentBookingCancelled",
];

fn fields(settings: &Settings, terms: &Terms, home: &str, lines: &[EvidenceLine]) -> StripeEvidence {
    let is_message = |line: &EvidenceLine| MESSAGES.contains(&line.kind.as_str());
    let is_refund = |line: &EvidenceLine| REFUNDS.contains(&line.kind.as_str());
    let is_act =
        |line: &EvidenceLine| !is_message(line) && ACTS.iter().any(|start| line.kind.starts_with(start));
    let stay = terms.stay();
    let values = [("brand", settings.brand_name.as_str())];
    let law = |key: &str| text(Language::En, key, &values);
    let due = terms
        .quote
        .lines
        .iter()
        .map(|line| line.kind.code().replace('_', " "));
    StripeEvidence {
        access_activity_log: told(lines, is_act),
        customer_communication: told(lines, is_message),
        product_description: format!(
            "Student room at {home}, {} {} from {}; paid: {}",
            stay.length.duration,
            stay.length.unit.key(),
            stay.move_in,
            due.collect::<Vec<_>>().join(", ")
        ),
        service_date: stay.move_in.to_string(),
        refund_policy: law("legal.terms_4_text"),
        refund_policy_disclosure: format!(
            "{} Every line of the price was shown before paying, at {}.",
            law("legal.terms_3_text"),
            instant(terms.opened_at)
        ),
        refund_refusal_explanation: told(lines, is_refund),
        uncategorized_text: told(lines, |line| {
            !is_act(line) && !is_message(line) && !is_refund(line)
        }),
    }
}

fn told(lines: &[EvidenceLine], is_meant: impl Fn(&EvidenceLine) -> bool) -> String {
    let lines = lines.iter().filter(|line| is_meant(line));
    let lines = lines.map(|line| {
        format!(
            "{}  {}  [event {} at {}]",
            line.at, line.text, line.event_id, line.position
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
