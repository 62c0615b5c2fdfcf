//! A lead's form for support: what was answered, also in fields that no definition asks for any more, and its documents (D89, D93).
//! Each look needs a reason and is an event; the answers about health stay sealed apart (D91).

use axum::extract::State;
use axum::http::StatusCode;
use chrono::TimeDelta;
use domain::booking_form::document_link::{Audience, DocumentLink, LinkCommand};
use domain::booking_form::{
    Answer, Answers, BookingForm, BookingFormCommand, BookingFormRejection, FormDefinition, SectionKey,
};
use domain::id::{BookingFormId, LeadId};
use domain::lead::Lead;
use domain::user::{Look, User, UserCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{DocumentAudienceWord, SectionKeyWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::{say, unknown_value};
use platform::clock;
use processes::document_link::token;
use records::{Records, listing};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::acts::written;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(read_form))
        .endpoint(SUPPORT, routes!(make_document_link))
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "reason": "Checks the passport for the provider" }))]
pub struct ReadFormRequest {
    reason: String,
}

/// A form as support sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadForm {
    submitted: bool,
    sections: Vec<LeadFormSection>,
    documents: Vec<LeadDocument>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeadFormSection {
    #[schema(value_type = SectionKeyWord)]
    key: &'static str,
    complete: bool,
    fields: Vec<LeadFormField>,
}

/// One answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadFormField {
    name: String,
    /// A ticked box is `true`.
    answer: String,
    /// The property's form does not ask for it any more; the answer was kept.
    former: bool,
}

/// A document that the student sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadDocument {
    id: Uuid,
    name: String,
    media_type: String,
    size_bytes: u64,
    opened: Vec<LeadDocumentOpening>,
}

/// One look at it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadDocumentOpening {
    #[schema(value_type = DocumentAudienceWord)]
    by: &'static str,
    at: String,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "audience": "provider" }))]
pub struct DocumentLinkRequest {
    #[schema(value_type = DocumentAudienceWord)]
    audience: String,
}

/// A link that opens one document once.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentLinkMade {
    path: String,
    expires_at: String,
}

/// Shows what the student answered. Who looked, when and why becomes an event on the student's stream.
///
/// # Errors
/// 404 where the lead has no form or its person was forgotten, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/form", params(("id" = String, Path)),
    request_body = ReadFormRequest, responses((status = 200, body = Success<LeadForm>), (status = 404), (status = 422)))]
pub async fn read_form(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<ReadFormRequest>,
) -> ApiResult<Success<LeadForm>> {
    let reason = written(&request.reason, "reason", 300)?;
    let (lead_id, row) = board_row(&records, &id).await?;
    let person_id = row.person().ok_or_else(no_form)?;
    let form = records
        .log
        .load::<BookingForm>(form_of(&records, lead_id).await?)
        .await?
        .state;
    let form = match definition_now(&records, &form).await? {
        Some(definition) => form.under(definition, clock::now()),
        None => form,
    };
    let at = clock::now();
    let command = UserCommand::Reveal {
        lead_id: Some(lead_id),
        by: staff.person.user_id,
        what: Look::Answers,
        reason,
        until: at,
        at,
    };
    let asked = context.command(staff.actor(), &request);
    // Recorded first: a look that cannot be recorded is refused.
    let recorded = commit::<User>(&records.log, person_id, command, &asked).await?;
    records.answers_for(recorded.position);
    Ok(Success::at(shown(&form), recorded.position))
}

/// Makes a link to a document: for support, who open it with their login, or for the provider of the property, who has none.
///
/// # Errors
/// 404 where the lead has no such document, 422 for another audience.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/documents/{document}/link",
    params(("id" = String, Path), ("document" = String, Path)), request_body = DocumentLinkRequest,
    responses((status = 201, body = Success<DocumentLinkMade>), (status = 404), (status = 422)))]
pub async fn make_document_link(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path((id, document)): Path<(String, String)>,
    Body(request): Body<DocumentLinkRequest>,
) -> ApiResult<(StatusCode, Success<DocumentLinkMade>)> {
    let audience = Audience::from_key(&request.audience).ok_or_else(|| {
        let message = unknown_value("audience", &request.audience);
        ApiError::invalid_field("audience", "unknown", message)
    })?;
    let absent = || ApiError::not_found(say("refusal.no_document"));
    let document_id: Uuid = document.parse().map_err(|_| absent())?;
    let (lead_id, _) = board_row(&records, &id).await?;
    let form_id = form_of(&records, lead_id).await?;
    let at = clock::now();
    let asked = context.command(staff.actor(), &(document_id, &request));
    // A repeat under the same key is the same link.
    let link_id = asked.command_id.unwrap_or_else(clock::new_id);
    let expires_at = at + lasts(audience);
    let link = DocumentLink {
        link_id,
        document_id,
        audience,
        expires_at,
    };
    let command = BookingFormCommand::Link(LinkCommand::Make { link, at });
    let refused = |rejection| match rejection {
        BookingFormRejection::NoSuchDocument => absent(),
        _ => no_form(),
    };
    let made = commit::<BookingForm>(&records.log, form_id, command, &asked)
        .await
        .map_err(|error| error.map(refused))?;
    records.answers_for(made.position);
    let kept = made
        .state
        .document_links
        .get(&link_id)
        .map_or(expires_at, |(link, _)| link.expires_at);
    let answer = DocumentLinkMade {
        path: format!("/documents/{}", token(records.log.handles(), lead_id, link_id)),
        expires_at: kept.to_rfc3339(),
    };
    Ok((StatusCode::CREATED, Success::at(answer, made.position)))
}

/// How long a link is good: the provider finds it in a mail.
const fn lasts(audience: Audience) -> TimeDelta {
    match audience {
        Audience::Staff => TimeDelta::minutes(10),
        Audience::Provider => TimeDelta::minutes(60),
    }
}

fn no_form() -> ApiError {
    ApiError::not_found(say("refusal.no_form"))
}

async fn form_of(records: &Records, lead_id: LeadId) -> ApiResult<BookingFormId> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let form = lead.form.filter(|_| lead.personal.is_some());
    Ok(form.ok_or_else(no_form)?.0)
}

/// What the property asks now; `None` where the form was sent, or the property is gone.
async fn definition_now(records: &Records, form: &BookingForm) -> ApiResult<Option<FormDefinition>> {
    let Some(start) = form.start.as_deref().filter(|_| !form.submitted) else {
        return Ok(None);
    };
    let found = listing::find_id(records, &start.inventory_id.0.to_string()).await?;
    Ok(found.map(|home| FormDefinition::of(home.custom_form, Some(home.country), home.guarantor_required)))
}

fn shown(form: &BookingForm) -> LeadForm {
    let sections = form.sections.iter().map(|(key, answers)| LeadFormSection {
        key: key.key(),
        complete: form.completed.contains(key),
        fields: fields_of(form, *key, answers),
    });
    let documents = form.documents.values().map(|document| LeadDocument {
        id: document.document_id,
        name: form
            .document_names
            .get(&document.document_id)
            .cloned()
            .flatten()
            .unwrap_or_default(),
        media_type: document.media_type.clone(),
        size_bytes: document.size_bytes,
        opened: form
            .openings(document.document_id)
            .into_iter()
            .map(|(audience, at)| LeadDocumentOpening {
                by: audience.key(),
                at: at.to_rfc3339(),
            })
            .collect(),
    });
    LeadForm {
        submitted: form.submitted,
        sections: sections.collect(),
        documents: documents.collect(),
    }
}

/// The answers of a section, those that are still asked for first.
fn fields_of(form: &BookingForm, key: SectionKey, answers: &Answers) -> Vec<LeadFormField> {
    let former = form.former_of(key);
    let mut fields: Vec<LeadFormField> = answers
        .iter()
        .map(|(name, answer)| LeadFormField {
            name: name.clone(),
            answer: match answer {
                Answer::Flag(flag) => flag.to_string(),
                Answer::Text(text) => text.clone(),
            },
            former: former.contains(name),
        })
        .filter(|field| !field.answer.is_empty())
        .collect();
    fields.sort_by_key(|field| field.former);
    fields
}
