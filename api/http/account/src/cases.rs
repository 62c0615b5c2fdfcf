//! A person's own cases: they open one, read what staff answered and answer back, logged in or by the link of a mail (row G4).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use chrono::TimeDelta;
use domain::case::{Case, CaseCommand, CaseTopic, NewMessage, Opening, Side};
use domain::correspondence::MessageChannel;
use domain::id::{CaseId, LeadId};
use domain::lead::Lead;
use eventlog::{Actor, commit};
use http_kit::body::Body;
use http_kit::caller::Person;
use http_kit::capability::{Capability, is_owner};
use http_kit::contract::cases::{AttachmentShown, MessageShown, message_words, subject};
use http_kit::contract::words::{CaseStatusWord, CaseTopicWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use processes::case_link;
use projections::case_board::{self, CaseRow};
use projections::lead_board::query::{self, Which};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

const BY_LINK: Access = Access::Capability(Capability::CaseLink);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(own_cases, open_case))
        .endpoint(Access::LoggedIn, routes!(own_case))
        .endpoint(Access::LoggedIn, routes!(answer_case))
        .endpoint(BY_LINK, routes!(linked_case))
        .endpoint(BY_LINK, routes!(answer_by_link))
}

/// Enquiries of one person whose cases are listed with their own.
const LEADS_MAX: u64 = 100;

/// One case in its person's list.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnCase {
    case_id: String,
    #[schema(value_type = CaseTopicWord)]
    topic: &'static str,
    subject: Option<String>,
    #[schema(value_type = CaseStatusWord)]
    status: &'static str,
    opened_at: String,
    last_at: String,
    /// The newest message is of staff, and the case waits for its person.
    is_answered: bool,
}

/// A case with everything that was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnCaseThread {
    case_id: String,
    #[schema(value_type = CaseTopicWord)]
    topic: &'static str,
    subject: Option<String>,
    #[schema(value_type = CaseStatusWord)]
    status: &'static str,
    messages: Vec<MessageShown>,
    attachments: Vec<AttachmentShown>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "topic": "booking", "subject": "When do I get the key?", "words": "I arrive on a Sunday." }))]
pub struct OpenCase {
    #[schema(value_type = CaseTopicWord)]
    topic: String,
    subject: String,
    words: String,
    /// The enquiry or booking it is about.
    lead_id: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "words": "Thank you, that helps." }))]
pub struct CaseAnswer {
    words: String,
}

/// The caller's cases, the newest message first.
///
/// # Errors
/// 401 without a login.
#[utoipa::path(get, path = "/api/v0/support/cases", tag = "support",
    responses((status = 200, body = Success<Vec<OwnCase>>), (status = 401, body = Failure)))]
pub async fn own_cases(
    State(records): State<Records>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<Vec<OwnCase>>> {
    let pool = records.heard().await?;
    let owner = person.ownership(&records.log);
    let mut leads: Vec<LeadId> = Vec::new();
    for which in [Which::Enquired, Which::Booked] {
        let board = query::owned(pool, &owner, which, 1, LEADS_MAX).await?;
        leads.extend(board.rows.iter().filter_map(query::BoardRow::id));
    }
    let mut cases = Vec::new();
    for row in case_board::of_person(pool, person.user_id, &leads).await? {
        cases.extend(listed(&records, &person, &row).await?);
    }
    Ok(Success::new(cases))
}

/// A case of the list; none for one about an enquiry that names this person, who has not taken it for theirs.
async fn listed(records: &Records, person: &Person, row: &CaseRow) -> ApiResult<Option<OwnCase>> {
    let Some(case_id) = row.id() else { return Ok(None) };
    let case = match own(records, person, case_id).await {
        Err(error) if error.status == StatusCode::NOT_FOUND => return Ok(None),
        case => case?,
    };
    let moment = |ms| {
        chrono::DateTime::from_timestamp_millis(ms)
            .unwrap_or_default()
            .to_rfc3339()
    };
    Ok(Some(OwnCase {
        case_id: row.case_id.clone(),
        topic: row.topic().key(),
        subject: case.subject,
        status: row.status().key(),
        opened_at: moment(row.opened_at),
        last_at: moment(row.last_at),
        is_answered: row.last_side == Side::Staff.key(),
    }))
}

/// Opens a case with its first message, once for each Idempotency-Key.
///
/// # Errors
/// 401 without a login, 404 for an enquiry that is not the caller's, 422 with the field, 429 for too many messages in an hour.
#[utoipa::path(post, path = "/api/v0/support/cases", tag = "support", request_body = OpenCase,
    responses((status = 201, body = Success<OwnCaseThread>), (status = 401, body = Failure), (status = 404, body = Failure),
    (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn open_case(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(limits): State<Limits>,
    context: RequestContext,
    person: Person,
    Body(body): Body<OpenCase>,
) -> ApiResult<Response> {
    let topic = CaseTopic::from_key(&body.topic)
        .ok_or_else(|| ApiError::invalid_field("topic", "choice", unknown_value("topic", &body.topic)))?;
    let (about, words) = (subject(&body.subject)?, message_words(&body.words)?);
    let lead_id = own_lead(&records, &person, body.lead_id.as_deref()).await?;
    limits.count_case_message(person.user_id).await?;
    let asked = context.command(Actor::student(person.user_id.0), &body);
    let id = context.command_id.unwrap_or_else(clock::new_id);
    let opening = Opening {
        person: person.user_id,
        sealed_by: person.user_id,
        lead_id,
        topic,
        language: context.lang,
        subject: about,
        site: context.site.kept_name().map(str::to_owned),
        first: of_person(id, words, &settings),
    };
    let command = CaseCommand::Open {
        opening: Box::new(opening),
        at: asked.at,
    };
    let opened = commit::<Case>(&records.log, CaseId(id), command, &asked).await?;
    records.answers_for(opened.position);
    let thread = thread(CaseId(id), &opened.state);
    Ok((StatusCode::CREATED, Success::at(thread, opened.position)).into_response())
}

/// One of the caller's cases.
///
/// # Errors
/// 401 without a login, 404 for a case that is not the caller's.
#[utoipa::path(get, path = "/api/v0/support/cases/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<OwnCaseThread>), (status = 401, body = Failure), (status = 404, body = Failure)))]
pub async fn own_case(
    State(records): State<Records>,
    _context: RequestContext,
    person: Person,
    Path(id): Path<CaseId>,
) -> ApiResult<Success<OwnCaseThread>> {
    let case = own(&records, &person, id).await?;
    Ok(Success::new(thread(id, &case)))
}

/// Answers in one of the caller's cases, once for each Idempotency-Key; a closed case is open again.
///
/// # Errors
/// 401 without a login, 404 for a case that is not the caller's, 409 for a full one, 422 with the field, 429 for too many in an hour.
#[utoipa::path(post, path = "/api/v0/support/cases/{id}/messages", tag = "support", params(("id" = String, Path)),
    request_body = CaseAnswer,
    responses((status = 200, body = Success<OwnCaseThread>), (status = 401, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn answer_case(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(limits): State<Limits>,
    context: RequestContext,
    person: Person,
    Path(id): Path<CaseId>,
    Body(body): Body<CaseAnswer>,
) -> ApiResult<Success<OwnCaseThread>> {
    own(&records, &person, id).await?;
    limits.count_case_message(person.user_id).await?;
    let actor = Actor::student(person.user_id.0);
    answer(&records, &settings, (&context, actor), id, &body).await
}

/// The case behind the link of a mail.
///
/// # Errors
/// 404 for a link that is over or never was one.
#[utoipa::path(get, path = "/api/v0/support/links/{token}", tag = "support", params(("token" = String, Path)),
    responses((status = 200, body = Success<OwnCaseThread>), (status = 404, body = Failure)))]
pub async fn linked_case(
    State(records): State<Records>,
    _context: RequestContext,
    Path(token): Path<String>,
) -> ApiResult<Success<OwnCaseThread>> {
    let (id, case) = by_link(&records, &token).await?;
    Ok(Success::new(thread(id, &case)))
}

/// Answers by the link of a mail, once for each Idempotency-Key.
///
/// # Errors
/// 404 for a link that is over, 409 for a full case, 422 with the field, 429 for too many messages in an hour.
#[utoipa::path(post, path = "/api/v0/support/links/{token}/messages", tag = "support", params(("token" = String, Path)),
    request_body = CaseAnswer,
    responses((status = 200, body = Success<OwnCaseThread>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn answer_by_link(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(limits): State<Limits>,
    context: RequestContext,
    Path(token): Path<String>,
    Body(body): Body<CaseAnswer>,
) -> ApiResult<Success<OwnCaseThread>> {
    let (id, case) = by_link(&records, &token).await?;
    if let Some(person) = case.person {
        limits.count_case_message(person).await?;
    }
    answer(&records, &settings, (&context, Actor::VISITOR), id, &body).await
}

async fn answer(
    records: &Records,
    settings: &Settings,
    (context, actor): (&RequestContext, Actor),
    id: CaseId,
    body: &CaseAnswer,
) -> ApiResult<Success<OwnCaseThread>> {
    let words = message_words(&body.words)?;
    let asked = context.command(actor, body);
    let message_id = context.command_id.unwrap_or_else(clock::new_id);
    let command = CaseCommand::Write {
        message: Box::new(of_person(message_id, words, settings)),
        at: asked.at,
    };
    let written = commit::<Case>(&records.log, id, command, &asked).await?;
    records.answers_for(written.position);
    Ok(Success::at(thread(id, &written.state), written.position))
}

fn of_person(message_id: uuid::Uuid, words: String, settings: &Settings) -> NewMessage {
    NewMessage {
        message_id,
        side: Side::Person,
        channel: MessageChannel::Email,
        words,
        due: Some(clock::now() + TimeDelta::hours(settings.hours_for_reply())),
    }
}

async fn own_lead(records: &Records, person: &Person, id: Option<&str>) -> ApiResult<Option<LeadId>> {
    let Some(id) = id.filter(|id| !id.is_empty()) else {
        return Ok(None);
    };
    let absent = || ApiError::not_found(say("refusal.no_lead"));
    let lead_id: LeadId = id.parse().map_err(|_| absent())?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    if belongs(person, &lead) {
        Ok(Some(lead_id))
    } else {
        Err(absent())
    }
}

fn belongs(person: &Person, lead: &Lead) -> bool {
    let caller = http_kit::caller::Caller {
        person: Some(person.clone()),
        had_token: true,
    };
    is_owner(&caller, lead)
}

/// A case of this person: their own, or about a lead that is theirs.
pub(crate) async fn own(records: &Records, person: &Person, id: CaseId) -> ApiResult<Case> {
    let absent = || ApiError::not_found(say("refusal.no_case"));
    let case = records.log.load::<Case>(id).await?.state;
    if !case.is_there() {
        return Err(absent());
    }
    let is_theirs = match case.lead_id {
        Some(lead_id) => belongs(person, &records.log.load::<Lead>(lead_id).await?.state),
        None => case.person == Some(person.user_id),
    };
    if is_theirs { Ok(case) } else { Err(absent()) }
}

async fn by_link(records: &Records, token: &str) -> ApiResult<(CaseId, Case)> {
    let absent = || ApiError::not_found(say("refusal.case_link_over"));
    let id = case_link::named_by(token).ok_or_else(absent)?;
    let case = records.log.load::<Case>(id).await?.state;
    let holder = case_link::find_holder(&records.log, &case).await?;
    if !case_link::opens(records.log.handles(), (token, holder), clock::now()) {
        return Err(absent());
    }
    // Without its words nothing is left to be read or answered.
    if case.subject.is_none() {
        return Err(absent());
    }
    Ok((id, case))
}

pub(crate) fn thread(case_id: CaseId, case: &Case) -> OwnCaseThread {
    OwnCaseThread {
        case_id: case_id.to_string(),
        topic: case.topic.key(),
        subject: case.subject.clone(),
        status: case.status.key(),
        messages: MessageShown::thread(case),
        attachments: AttachmentShown::all(case),
    }
}
