//! What support does to a lead: a recorded look at contact data, an owner, a note (rows I1, I6; D106).

use std::sync::Arc;

use axum::extract::State;
use chrono::TimeDelta;
use domain::contact::is_blank;
use domain::contact::seen_length;
use domain::lead::{Lead, LeadCommand};
use domain::moment::Moment;
use domain::user::{Look, User, UserCommand, UserEvent};
use eventlog::{commit, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::Nothing;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::{Access, SUPPORT};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::colleagues::mentioned;
use crate::leads::{board_row, owner_of, works_on_leads};

/// Who may ask for contact data, and reads histories with them.
pub(crate) const REVEALING: Access = SUPPORT;

/// Who may write notes, and reads them.
pub(crate) const NOTING: Access = SUPPORT;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(REVEALING, routes!(reveal))
        .endpoint(SUPPORT, routes!(assign))
        .endpoint(NOTING, routes!(add_note))
}

/// How long a look at personal data lasts.
const REVEAL_MINUTES: i64 = 15;

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "reason": "She asked to be called back" }))]
pub struct RevealRequest {
    reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Revealed {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    /// The partner's adviser behind the lead (C9).
    counsellor_name: Option<String>,
    counsellor_email: Option<String>,
    /// Question that the student sent with the enquiry.
    user_query: Option<String>,
    until: String,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "owner": "me" }))]
pub struct AssignRequest {
    /// A member of staff's id, `me`, or null for no owner.
    owner: Option<String>,
    /// Why, for colleagues; may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "note": "Prefers to be called after six" }))]
pub struct NoteRequest {
    note: String,
}

/// Shows contact data for fifteen minutes. Who looked, when and why becomes an event on that person's stream.
///
/// # Errors
/// 404, or 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/reveal", params(("id" = String, Path)),
    request_body = RevealRequest, responses((status = 200, body = Success<Revealed>), (status = 404), (status = 422)))]
pub async fn reveal(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<RevealRequest>,
) -> ApiResult<Success<Revealed>> {
    let reason = written(&request.reason, "reason", 300)?;
    let (lead_id, row) = board_row(&records, &id).await?;
    let person_id = row
        .person()
        .ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    let at = clock::now();
    let until = at + TimeDelta::minutes(REVEAL_MINUTES);
    let command = UserCommand::Reveal {
        lead_id: Some(lead_id),
        by: staff.person.user_id,
        what: Look::Contact,
        reason,
        until,
        at,
    };
    let asked = context.command(staff.actor(), &request);
    // Recorded first: nobody sees a value whose look could not be written down.
    let recorded = commit::<User>(&records.log, person_id, command, &asked).await?;
    // A repeated request shows no longer than the look that was recorded for it.
    let until = recorded.events.iter().find_map(shown_until).unwrap_or(until);
    let personal = records.log.load::<Lead>(lead_id).await?.state.personal;
    let personal = personal.filter(|_| at < until);
    let counsellor = personal.as_ref().and_then(|own| own.idp_form_data.clone());
    let counsellor = counsellor.unwrap_or_default();
    let shown = Revealed {
        counsellor_name: counsellor.councellor_name,
        counsellor_email: counsellor.councellor_email,
        name: personal.as_ref().map(|own| own.name.as_str().to_owned()),
        email: personal.as_ref().map(|own| own.email.as_str().to_owned()),
        phone: personal.as_ref().map(|own| own.phone.e164().to_owned()),
        user_query: personal.as_ref().and_then(|own| own.user_query.clone()),
        until: until.to_rfc3339(),
    };
    records.answers_for(recorded.position);
    Ok(Success::at(shown, recorded.position))
}

/// Until when a look at personal data lasts, as it was recorded.
const fn shown_until(event: &UserEvent) -> Option<Moment> {
    match event {
        UserEvent::PersonalDataRevealed { until, .. } => Some(*until),
        _ => None,
    }
}

/// Gives a lead to a member of staff, or to nobody.
///
/// # Errors
/// 404, or 422 for an owner that is no id.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/assign", params(("id" = String, Path)),
    request_body = AssignRequest, responses((status = 200, body = Success<Option<String>>), (status = 404), (status = 422)))]
pub async fn assign(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<AssignRequest>,
) -> ApiResult<Success<Option<String>>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    let owner = owner_of(&staff, request.owner.as_deref())?;
    let words = request.reason.as_deref().filter(|text| !is_blank(text));
    let why = words.map(|text| written(text, "reason", 500)).transpose()?;
    let asked = context.command(staff.actor(), &request);
    let before = done_before_on::<Lead>(&records.log, lead_id, &asked).await?;
    // The owner of a repeated request may have lost their role since.
    if let Some(owner) = owner
        && before.is_none()
    {
        works_on_leads(&records.log, &settings, owner).await?;
    }
    let assigned = commit::<Lead>(
        &records.log,
        lead_id,
        LeadCommand::Assign {
            owner,
            why,
            at: clock::now(),
        },
        &asked,
    )
    .await?;
    records.answers_for(assigned.position);
    Ok(Success::at(
        owner.map(|owner| owner.to_string()),
        assigned.position,
    ))
}

/// Writes a note into a lead's history; sealed like everything said about a person. Colleagues called by `@name` or `@address` are
/// sent a mail that leads to it.
///
/// # Errors
/// 404, or 422 for an empty note.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/notes", params(("id" = String, Path)),
    request_body = NoteRequest, responses((status = 200, body = Success<Nothing>), (status = 404), (status = 422)))]
pub async fn add_note(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<NoteRequest>,
) -> ApiResult<Success<()>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    let note = written(&request.note, "note", 2_000)?;
    let asked = context.command(staff.actor(), &request);
    // Of a repeated note the first mentions count: a colleague may have lost their role since.
    let mentions = match done_before_on::<Lead>(&records.log, lead_id, &asked).await? {
        Some(_) => vec![],
        None => mentioned(&records, &settings, &note).await?,
    };
    let noted = commit::<Lead>(
        &records.log,
        lead_id,
        LeadCommand::Note {
            note_id: context.command_id.unwrap_or_else(clock::new_id),
            note,
            mentions,
            at: clock::now(),
        },
        &asked,
    )
    .await?;
    records.answers_for(noted.position);
    Ok(Success::at((), noted.position))
}

pub(crate) fn written(text: &str, field: &str, limit: usize) -> ApiResult<String> {
    let trimmed: String = text
        .trim()
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .collect();
    match seen_length(&trimmed) {
        0..=2 => Err(ApiError::invalid_field(field, "required", say("refusal.say_why"))),
        _ if trimmed.chars().count() > limit => Err(ApiError::invalid_field(
            field,
            "too_long",
            say("validation.too_long"),
        )),
        _ => Ok(trimmed),
    }
}
