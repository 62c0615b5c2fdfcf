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
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::evidence::{Evidence, EvidenceError, EvidenceOffice};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(read_evidence))
        .endpoint(FINANCE, routes!(evidence_pdf))
        .endpoint(FINANCE, routes!(send_evidence))
}

/// `GET /api/v0/workspace/payments/{id}/evidence`.
///
/// # Errors
/// 404 for an unknown payment, 409 where no bank disputes it.
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<Evidence>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn read_evidence(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
) -> ApiResult<Success<Evidence>> {
    let office = EvidenceOffice::new(&records, &settings);
    let evidence = office.now(id).await.map_err(refused)?;
    Reading::by(&sessions, &context, &staff).payment(id).await?;
    Ok(Success::new(evidence))
}

/// `GET /api/v0/workspace/payments/{id}/evidence.pdf`.
///
/// # Errors
/// As [`read_evidence`].
#[utoipa::path(get, path = "/api/v0/workspace/payments/{id}/evidence.pdf", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, content_type = "application/pdf", body = Vec<u8>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn evidence_pdf(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
) -> ApiResult<Response> {
    let office = EvidenceOffice::new(&records, &settings);
    let evidence = office.now(id).await.map_err(refused)?;
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
#[schema(example = json!({ "dispute_id": "dp_1", "struck": [] }))]
pub struct SendEvidenceBody {
    /// The gateway's id of the dispute.
    pub dispute_id: String,
    /// Events whose lines the bank does not get.
    #[serde(default)]
    pub struck: Vec<Uuid>,
}

/// `POST /api/v0/workspace/payments/{id}/evidence/send`: sends the evidence on to the bank, which takes it once.
///
/// # Errors
/// 404 for an unknown payment; 409 where there is no such dispute, it is decided, its deadline is over or its evidence is sent; 422 for a
/// struck line that the evidence does not have.
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
    must_be_lines(&office, id, &body.struck).await?;
    let asked = context.command(staff.actor(), &body);
    let command = DisputeCommand::Evidence(EvidenceCommand {
        dispute_id: body.dispute_id,
        step: EvidenceStep::Asked {
            by: staff.person.user_id,
            struck: body.struck,
        },
        at: asked.at,
    });
    let committed = commit::<Payment>(&records.log, id, PaymentCommand::Dispute(command), &asked).await?;
    records.answers_for(committed.position);
    let evidence = office.now(id).await.map_err(refused)?;
    Ok((StatusCode::ACCEPTED, Success::at(evidence, committed.position)).into_response())
}

/// Refuses lines that the evidence does not have: what is struck is what finance saw.
async fn must_be_lines(office: &EvidenceOffice, id: PaymentId, struck: &[Uuid]) -> ApiResult<()> {
    if struck.is_empty() {
        return Ok(());
    }
    // A request that is sent again names lines that are struck by now.
    let evidence = office.with_struck_lines(id).await.map_err(refused)?;
    let known: BTreeSet<Uuid> = evidence
        .lines
        .iter()
        .filter_map(|line| line.event_id.parse().ok())
        .collect();
    if struck.iter().all(|line| known.contains(line)) {
        return Ok(());
    }
    Err(ApiError::invalid_field(
        "struck",
        "unknown_line",
        say("refusal.unknown_line"),
    ))
}

fn refused(error: EvidenceError) -> ApiError {
    match error {
        EvidenceError::NoPayment => ApiError::not_found(say("refusal.no_payment")),
        EvidenceError::NoDispute => ApiError::conflict("no_dispute", say("refusal.no_dispute")),
        EvidenceError::Records(error) => error.into(),
        EvidenceError::Paper(error) => ApiError::broken(error),
    }
}
