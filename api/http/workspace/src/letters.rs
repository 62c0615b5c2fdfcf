//! What a message to a lead's sender said, for support (row I6): asked for with a reason, and each look is an event.

use axum::extract::State;
use domain::aggregate::Decide;
use domain::correspondence::LetterText;
use domain::lead::{Lead, LeadEvent};
use domain::user::{Look, User, UserCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::acts::written;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(read_letter))
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "reason": "She says that no mail came" }))]
pub struct ReadLetterRequest {
    reason: String,
}

/// A message as it went out.
#[derive(Debug, Serialize, ToSchema)]
pub struct Letter {
    to: String,
    subject: String,
    body: String,
}

/// Shows the text of one message. Who looked, when and why becomes an event on its reader's stream.
///
/// # Errors
/// 404 where the event is no message of this lead or its reader was forgotten, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/letters/{position}", params(("id" = String, Path), ("position" = u64, Path)),
    request_body = ReadLetterRequest, responses((status = 200, body = Success<Letter>), (status = 404), (status = 422)))]
pub async fn read_letter(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path((id, position)): Path<(String, u64)>,
    Body(request): Body<ReadLetterRequest>,
) -> ApiResult<Success<Letter>> {
    let reason = written(&request.reason, "reason", 300)?;
    let (lead_id, row) = board_row(&records, &id).await?;
    let gone = || ApiError::not_found(say("refusal.no_letter"));
    let person_id = row.person().ok_or_else(gone)?;
    let events = records.log.span(position, position).await?;
    let record = events.into_iter().next().filter(|record| {
        record.position == position && record.stream.kind == Lead::KIND && record.stream.id == lead_id.0
    });
    let event = record.ok_or_else(gone)?.decode::<Lead>();
    let Ok(LeadEvent::LetterPosted { text, .. }) = event else {
        return Err(gone());
    };
    let LetterText { to, subject, body } = text.0.ok_or_else(gone)?;
    let at = clock::now();
    let command = UserCommand::Reveal {
        lead_id: Some(lead_id),
        by: staff.person.user_id,
        what: Look::Letter,
        reason,
        until: at,
        at,
    };
    let asked = context.command(staff.actor(), &request);
    // Recorded first: a look that cannot be recorded is refused.
    let recorded = commit::<User>(&records.log, person_id, command, &asked).await?;
    records.answers_for(recorded.position);
    Ok(Success::at(Letter { to, subject, body }, recorded.position))
}
