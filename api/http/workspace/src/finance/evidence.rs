//! What the log holds against a dispute: as JSON under the names that Stripe gives to evidence, as a PDF for a bank, and sent on to
//! the bank by finance, once.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use domain::id::PaymentId;
use domain::payment::dispute::DisputeCommand;
use domain::payment::evidence::{EvidenceCommand, EvidenceStep};
use domain::payment::{Payment, PaymentCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::{Sessions, Staff};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::history_reads::Reading;
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, Query, RequestContext, listed};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::evidence::{Choice, Evidence, EvidenceError, EvidenceOffice};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(read_evidence))
        .endpoint(FINANCE, routes!(evidence_pdf))
        .endpoint(FINANCE, routes!(send_evidence))
}

/// Which dispute's evidence is read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct EvidenceQuery {
    /// The gateway's id of the dispute; the payment's first one where it is left out.
    pub dispute_id: Option<String>,
}

/// Which dispute's evidence is written, and with which lines while it is not sent.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct EvidencePaperQuery {
    /// The gateway's id of the dispute; the payment's first one where it is left out.
    pub dispute_id: Option<String>,
    /// Events whose lines are left out, between commas.
    pub struck: Option<String>,
    /// Event of the last line that is taken; every line where it is left out.
    #[param(value_type = Option<String>)]
    pub last_seen: Option<Uuid>,
}

/// `GET /api/v0/workspace/payments/{id}/evidence`.
///
/// # Errors
/// 404 for an unknown payment, 409 where no bank disputes it, or there is no such dispute.
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence", tag = "finance", params(("id" = String, Path), EvidenceQuery),
    responses((status = 200, body = Success<Evidence>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn read_evidence(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Query(asked): Query<EvidenceQuery>,
) -> ApiResult<Success<Evidence>> {
    let office = EvidenceOffice::new(&records, &settings);
    let every = Choice::default();
    let evidence = office.now(id, asked.dispute_id.as_deref(), &every).await;
    let evidence = evidence.map_err(refused)?;
    Reading::by(&sessions, &context, &staff).payment(id).await?;
    Ok(Success::new(evidence))
}

/// `GET /api/v0/workspace/payments/{id}/evidence.pdf`: what was sent; before that, what would be sent with these lines.
///
/// # Errors
/// As [`read_evidence`]; 422 for a line that the evidence does not have.
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence.pdf", tag = "finance", params(("id" = String, Path), EvidencePaperQuery),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn evidence_pdf(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Query(asked): Query<EvidencePaperQuery>,
) -> ApiResult<Response> {
    let office = EvidenceOffice::new(&records, &settings);
    let dispute_id = asked.dispute_id.as_deref();
    let choice = Choice {
        struck: read_struck(asked.struck.as_deref())?,
        last_seen: asked.last_seen,
    };
    must_be_lines(&office, (id, dispute_id), &choice).await?;
    let evidence = office.now(id, dispute_id, &choice).await.map_err(refused)?;
    Reading::by(&sessions, &context, &staff).payment(id).await?;
    let name = format!("attachment; filename=\"{}-evidence.pdf\"", evidence.reference);
    let written = tokio::task::spawn_blocking(move || office.paper(&evidence, clock::now())).await;
    let bytes = written.map_err(ApiError::broken)?.map_err(ApiError::broken)?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "dispute_id": "dp_1", "struck": [], "last_seen": "01923456-789a-7bcd-8ef0-123456789abc" }))]
pub struct SendEvidenceBody {
    /// The gateway's id of the dispute.
    pub dispute_id: String,
    /// Events whose lines the bank does not get.
    #[serde(default)]
    pub struck: Vec<Uuid>,
    /// Event of the last line that was shown: lines that came later are not sent.
    pub last_seen: Uuid,
}

/// `POST /api/v0/workspace/payments/{id}/evidence/send`: sends the lines that were shown on to the bank, which takes them
/// once. `came_since` of the dispute counts the lines that came later.
///
/// # Errors
/// 404 for an unknown payment; 409 where there is no such dispute, it is decided, its deadline is over or its evidence is sent; 422 for a
/// line that the evidence does not have.
#[utoipa::path(post, path = "/api/v0/workspace/payments/{id}/evidence/send", tag = "finance", request_body = SendEvidenceBody,
    params(("id" = String, Path)),
    responses((status = 202, body = Success<Evidence>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn send_evidence(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<SendEvidenceBody>,
) -> ApiResult<Response> {
    let office = EvidenceOffice::new(&records, &settings);
    let choice = Choice {
        struck: body.struck.clone(),
        last_seen: Some(body.last_seen),
    };
    must_be_lines(&office, (id, Some(&body.dispute_id)), &choice).await?;
    let asked = context.command(staff.actor(), &body);
    let command = DisputeCommand::Evidence(EvidenceCommand {
        dispute_id: body.dispute_id.clone(),
        step: EvidenceStep::Asked {
            by: staff.person.user_id,
            struck: choice.struck,
            last_seen: choice.last_seen,
        },
        at: asked.at,
    });
    let committed = commit::<Payment>(&records.log, id, PaymentCommand::Dispute(command), &asked).await?;
    records.answers_for(committed.position);
    let sent = office.now(id, Some(&body.dispute_id), &Choice::default()).await;
    let evidence = sent.map_err(refused)?;
    Ok((StatusCode::ACCEPTED, Success::at(evidence, committed.position)).into_response())
}

/// Reads events between commas.
fn read_struck(written: Option<&str>) -> ApiResult<Vec<Uuid>> {
    let events = listed(written.unwrap_or_default());
    let read: Result<Vec<Uuid>, _> = events.map(str::parse::<Uuid>).collect();
    read.map_err(|_| refuse_line("struck"))
}

/// Refuses lines that the evidence does not have: a choice is made among the lines that finance saw.
async fn must_be_lines(
    office: &EvidenceOffice,
    (id, dispute_id): (PaymentId, Option<&str>),
    choice: &Choice,
) -> ApiResult<()> {
    if *choice == Choice::default() {
        return Ok(());
    }
    // A request that is sent again names lines that are struck by now.
    let evidence = office.with_every_line(id, dispute_id).await.map_err(refused)?;
    let known: BTreeSet<Uuid> = evidence
        .lines
        .iter()
        .filter_map(|line| line.event_id.parse().ok())
        .collect();
    if !choice.struck.iter().all(|line| known.contains(line)) {
        return Err(refuse_line("struck"));
    }
    if choice.last_seen.is_some_and(|line| !known.contains(&line)) {
        return Err(refuse_line("last_seen"));
    }
    Ok(())
}

fn refuse_line(field: &'static str) -> ApiError {
    ApiError::invalid_field(field, "unknown_line", say("refusal.unknown_line"))
}

fn refused(error: EvidenceError) -> ApiError {
    match error {
        EvidenceError::NoPayment => ApiError::not_found(say("refusal.no_payment")),
        EvidenceError::NoDispute => ApiError::conflict("no_dispute", say("refusal.no_dispute")),
        EvidenceError::Records(error) => error.into(),
        EvidenceError::Paper(error) => ApiError::broken(error),
    }
}
