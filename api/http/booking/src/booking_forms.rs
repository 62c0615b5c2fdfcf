//! Booking and application forms: begun once per lead, saved section by section, taken up again on any device, sent
//! (rows D1-D5; D88-D93).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::aggregate::Decide;
use domain::booking_form::{
    Answers, BookingForm, BookingFormCommand, BookingFormRejection, FormDefinition, SectionKey, Start,
};
use domain::contact::FaultCode;
use domain::country::Flow;
use domain::id::{BookingFormId, LeadId, UserId};
use domain::lead::{Lead, LeadCommand, LeadStep};
use domain::user_history::{HistoryFact, UserHistoryCommand};
use eventlog::{Append, CommitError, EventLog, commit, commit_expecting, commit_together};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::{Capability, by_form};
use http_kit::contract::forms::SectionAnswers;
use http_kit::contract::words::FlowWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::field_errors::field_error;
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::{Said, say};
use platform::clock;
use processes::lead_history::note_history;
use projections::lead_board::query;
use records::Records;
use records::listing::{self, Listing};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::leads::{access, if_match};

mod answer;
pub mod for_staff;
pub mod live;
pub mod merge;
mod missing;
mod stay;

pub use answer::FormAnswer;
use answer::{answer, definition_of, refuse_unpaid, under};

const BY_FORM: Access = Access::Capability(Capability::FormUuid);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Capability(Capability::LeadUuid), routes!(start_form))
        .endpoint(BY_FORM, routes!(get_form))
        .endpoint(BY_FORM, routes!(save_section))
        .endpoint(BY_FORM, routes!(submit_form))
        .merge(merge::endpoints())
        .merge(live::endpoints())
}

/// `{booking_form: {…}}`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "booking_form": {
    "lead_uuid": "01923456-789a-7bcd-8ef0-123456789abc",
    "inventory_id": "01923456-789a-7bcd-8ef0-123456789abd",
    "flow": "book"
} }))]
pub struct StartRequest {
    booking_form: StartFields,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct StartFields {
    lead_uuid: String,
    inventory_id: String,
    #[serde(default)]
    #[schema(value_type = Option<FlowWord>)]
    flow: Option<String>,
    /// Where the link to the form came from, as its address says it (Spec §2).
    #[serde(default)]
    bookform_source: Option<String>,
}

/// Longer sources are none.
const SOURCE_MAX: usize = 60;

/// The source as it is kept: a word of letters, digits, `-`, `_` and `.`.
fn source_word(given: Option<&str>) -> Option<String> {
    let word = given?.trim();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_kept = !word.is_empty() && word.len() <= SOURCE_MAX && word.chars().all(is_word);
    is_kept.then(|| word.to_owned())
}

/// `{section: {field: value}, complete: bool}`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "section": { "first_name": "Mei", "last_name": "Lin" }, "complete": false }))]
pub struct SectionRequest {
    #[schema(value_type = SectionAnswers)]
    section: Answers,
    #[serde(default)]
    complete: bool,
}

/// Begins the form of a lead, or finds the one it has.
///
/// # Errors
/// 404 for a lead that is not the caller's, 422 for a listing that is not there.
#[utoipa::path(post, path = "/api/v0/booking_forms", request_body = StartRequest,
    responses((status = 201, body = Success<FormAnswer>), (status = 200, body = Success<FormAnswer>), (status = 404),
    (status = 422)))]
pub async fn start_form(
    State(records): State<Records>,
    context: RequestContext,
    caller: Caller,
    Body(request): Body<StartRequest>,
) -> ApiResult<(StatusCode, Success<FormAnswer>)> {
    let asked = &request.booking_form;
    let seen = access::open(&records, &caller, &asked.lead_uuid).await?;
    seen.changeable(&caller)?;
    let refuse = |code| {
        let error = field_error("booking_form/inventory_id", code);
        ApiError::invalid(vec![error])
    };
    let listing = listing::find_id(&records, &asked.inventory_id).await?;
    if let Some((form_id, _)) = seen.lead.form {
        let position = match listing.filter(|listing| listing.inventory_id != listing.root_id) {
            Some(room) if !is_of(&seen.lead, &room) => return Err(refuse(FaultCode::Choice)),
            // Once money has moved the room stands.
            Some(room) if seen.lead.booked_by.is_none() => {
                change_room(&records, &context, &caller, form_id, &room).await?
            }
            // Without a room the form is only looked up.
            Some(_) | None => None,
        };
        return Ok((
            StatusCode::OK,
            answer(&records, form_id, &seen.lead, position).await?,
        ));
    }
    // Whatever the page names: the form of a booked room is about the room that was paid for.
    let listing = match stay::find_booked_room(&records.log, &seen.lead).await? {
        Some(booked) => listing::find_id(&records, &booked.to_string()).await?,
        None => listing,
    };
    let listing = listing.ok_or_else(|| refuse(FaultCode::UnknownInventory))?;
    if !is_of(&seen.lead, &listing) {
        return Err(refuse(FaultCode::Choice));
    }
    let flow = match asked.flow.as_deref() {
        None => listing.flow,
        Some(word) => Flow::from_key(word)
            .ok_or_else(|| ApiError::invalid(vec![field_error("booking_form/flow", FaultCode::Choice)]))?,
    };
    let sealed_by = seen.lead.sealed_by();
    let sealed_by = sealed_by.ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    let source = source_word(asked.bookform_source.as_deref());
    let start = Start {
        source,
        ..start_of(seen.lead_id, sealed_by, flow, &listing)
    };
    let form_id = start.form_id;
    let command_context = context.command(caller.actor(), &request);
    let appended = commit_together::<BookingFormRejection, _>(&records.log, &command_context, |append| {
        begin(&records.log, append, seen.lead_id, start.clone(), &listing)
    })
    .await
    .map_err(refusal)?;
    records.answers_for(appended.last);
    // Somebody on another device may have been faster: the lead knows which form is the one.
    let lead = records.log.load::<Lead>(seen.lead_id).await?.state;
    let form_id = lead.form.map_or(form_id, |(form_id, _)| form_id);
    Ok((
        StatusCode::CREATED,
        answer(&records, form_id, &lead, Some(appended.last)).await?,
    ))
}

/// The form with everything said so far: where it was left, it goes on (row D3).
///
/// # Errors
/// 404 where it is absent or another person's.
#[utoipa::path(get, path = "/api/v0/booking_forms/{form_uuid}", params(("form_uuid" = String, Path)),
    responses((status = 200, body = Success<FormAnswer>), (status = 404)))]
pub async fn get_form(
    State(records): State<Records>,
    _context: RequestContext,
    caller: Caller,
    Path(form_uuid): Path<String>,
) -> ApiResult<Success<FormAnswer>> {
    let (form_id, lead) = open(&records, &caller, &form_uuid).await?;
    answer(&records, form_id, &lead, None).await
}

/// Saves a section as it stands; `complete` asks for it to be accepted as final.
///
/// # Errors
/// 404, 409 with If-Match, 422 naming every bad field.
#[utoipa::path(put, path = "/api/v0/booking_forms/{form_uuid}/sections/{key}", request_body = SectionRequest,
    params(("form_uuid" = String, Path), ("key" = String, Path)),
    responses((status = 200, body = Success<FormAnswer>), (status = 404), (status = 409), (status = 422)))]
pub async fn save_section(
    State(records): State<Records>,
    State(limits): State<Limits>,
    context: RequestContext,
    caller: Caller,
    Path((form_uuid, key)): Path<(String, String)>,
    headers: HeaderMap,
    Body(request): Body<SectionRequest>,
) -> ApiResult<Success<FormAnswer>> {
    let (form_id, lead) = open(&records, &caller, &form_uuid).await?;
    limits.count_save(form_id).await?;
    let section = SectionKey::from_key(&key).ok_or_else(|| ApiError::not_found(say("refusal.no_section")))?;
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    refuse_unpaid(&form, section, &lead)?;
    let asked = context.command(caller.actor(), &request);
    let command = BookingFormCommand::SaveSection {
        section,
        answers: request.section,
        complete: request.complete,
        at: clock::now(),
    };
    let command = under(definition_of(&records, &form).await?, command);
    let saved = match if_match(&headers)? {
        Some(version) => {
            commit_expecting::<BookingForm>(&records.log, form_id, command, &asked, version).await
        }
        None => commit::<BookingForm>(&records.log, form_id, command, &asked).await,
    };
    let saved = match saved {
        Err(error @ CommitError::Conflict { .. }) => {
            let current = answer(&records, form_id, &lead, None).await?.data;
            return Err(refusal(error).with_current(&current));
        }
        saved => saved.map_err(refusal)?,
    };
    answer(&records, form_id, &lead, Some(saved.position)).await
}

/// Sends the form.
///
/// # Errors
/// 404, or 422 naming the sections that are not complete.
#[utoipa::path(post, path = "/api/v0/booking_forms/{form_uuid}/submit", params(("form_uuid" = String, Path)),
    responses((status = 200, body = Success<FormAnswer>), (status = 404), (status = 422)))]
pub async fn submit_form(
    State(records): State<Records>,
    context: RequestContext,
    caller: Caller,
    Path(form_uuid): Path<String>,
) -> ApiResult<Success<FormAnswer>> {
    let (form_id, lead) = open(&records, &caller, &form_uuid).await?;
    let asked = context.command(caller.actor(), &form_uuid);
    let lead_id = lead_id_of(&lead)?;
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    let definition = definition_of(&records, &form).await?;
    let appended = commit_together::<BookingFormRejection, _>(&records.log, &asked, |append| {
        let command = under(definition.clone(), BookingFormCommand::Submit { at: asked.at });
        finish(&records.log, append, (form_id, lead_id), command)
    })
    .await
    .map_err(refusal)?;
    records.answers_for(appended.last);
    let position = records.log.head().await?;
    answer(&records, form_id, &lead, Some(position)).await
}

/// A lead about one home has no form of another; a lead about a place may begin one anywhere.
fn is_of(lead: &Lead, listing: &Listing) -> bool {
    let root = lead.submission.as_deref().and_then(|sent| sent.inventory_root_id);
    root.is_none_or(|root| root == listing.root_id)
}

/// Somebody went back and chose another room: what was filled in stays.
async fn change_room(
    records: &Records,
    context: &RequestContext,
    caller: &Caller,
    form_id: BookingFormId,
    room: &Listing,
) -> ApiResult<Option<eventlog::Position>> {
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    let known = form
        .start
        .as_deref()
        .is_some_and(|start| start.inventory_id == room.inventory_id);
    if known {
        return Ok(None);
    }
    let command = BookingFormCommand::ChangeRoom {
        inventory_id: room.inventory_id,
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &room.inventory_id);
    let changed = commit::<BookingForm>(&records.log, form_id, command, &asked)
        .await
        .map_err(refusal)?;
    records.answers_for(changed.position);
    Ok(Some(changed.position))
}

/// A form by its public name. The name is a capability until the lead has an owner, and no longer than the lead's own;
/// afterwards it opens the form for the owner's login alone (decision 0026). The log's own id opens nothing.
///
/// # Errors
/// 404 where it is absent, 403 where the owner has to log in first.
pub async fn open(records: &Records, caller: &Caller, form_uuid: &str) -> ApiResult<(BookingFormId, Lead)> {
    let absent = || ApiError::not_found(say("refusal.no_form"));
    let uuid: Uuid = form_uuid.parse().map_err(|_| absent())?;
    let found = records.sought(|| query::find_form(records.read.readers(), uuid));
    let (form_id, lead_id) = found.await?.ok_or_else(absent)?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    if lead.personal.is_none() {
        return Err(absent());
    }
    by_form(caller, &lead, form_id)?;
    Ok((form_id, lead))
}

fn lead_id_of(lead: &Lead) -> ApiResult<LeadId> {
    lead.submission
        .as_deref()
        .map(|sent| sent.lead_id)
        .ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))
}

fn start_of(lead_id: LeadId, person_id: UserId, flow: Flow, listing: &Listing) -> Start {
    Start {
        form_id: BookingFormId(clock::new_id()),
        lead_id,
        person_id,
        medical_subject: UserId(clock::new_id()),
        inventory_id: listing.inventory_id,
        flow,
        definition: FormDefinition::of(
            listing.custom_form.clone(),
            Some(listing.country),
            listing.guarantor_required,
        ),
        source: None,
    }
}

/// Form, lead and history in one append: no state of the log shows one without the others.
async fn begin(
    log: &EventLog,
    append: Append,
    lead_id: LeadId,
    start: Start,
    listing: &Listing,
) -> Result<Append, CommitError<BookingFormRejection>> {
    let at = append.context.at;
    let (form_id, flow, inventory_id) = (start.form_id, start.flow, start.inventory_id);
    let lead = log.load::<Lead>(lead_id).await?;
    let person_id = lead.state.person().filter(|_| lead.state.form.is_none());
    let Some(person_id) = person_id else {
        return Ok(append);
    };
    let form = log.load::<BookingForm>(form_id).await?;
    let command = BookingFormCommand::Start {
        start: Box::new(start),
        at,
    };
    let events = form.state.decide(command).map_err(CommitError::Rejected)?;
    let append = append.decision(form_id, &form, &events).map_err(stored)?;
    let step = LeadStep::FormStarted {
        form_id,
        inventory_id,
        flow,
    };
    let append = advance(append, lead_id, &lead, step)?;
    let note = UserHistoryCommand::Note {
        property_id: listing.root_id,
        room_id: Some(listing.inventory_id).filter(|id| *id != listing.root_id),
        lead_id,
        fact: HistoryFact::BookFormInitiated { form_id },
        at,
    };
    let claimed = Some(note).filter(|_| !lead.state.is_unclaimed());
    note_history(log, append, person_id, claimed).await
}

async fn finish(
    log: &EventLog,
    append: Append,
    (form_id, lead_id): (BookingFormId, LeadId),
    command: BookingFormCommand,
) -> Result<Append, CommitError<BookingFormRejection>> {
    let at = append.context.at;
    let form = log.load::<BookingForm>(form_id).await?;
    let events = form.state.decide(command).map_err(CommitError::Rejected)?;
    if events.is_empty() {
        return Ok(append);
    }
    let append = append.decision(form_id, &form, &events).map_err(stored)?;
    let lead = log.load::<Lead>(lead_id).await?;
    let append = advance(append, lead_id, &lead, LeadStep::FormCompleted { form_id })?;
    let (Some(submission), Some(person_id)) = (lead.state.submission.as_deref(), lead.state.person()) else {
        return Ok(append);
    };
    let note = submission
        .inventory_root_id
        .filter(|_| !lead.state.is_unclaimed())
        .map(|property_id| UserHistoryCommand::Note {
            property_id,
            room_id: None,
            lead_id,
            fact: HistoryFact::BookFormCompleted { form_id },
            at,
        });
    note_history(log, append, person_id, note).await
}

fn advance(
    append: Append,
    lead_id: LeadId,
    lead: &eventlog::Loaded<Lead>,
    step: LeadStep,
) -> Result<Append, CommitError<BookingFormRejection>> {
    let at = append.context.at;
    // Progress of a known lead is never turned down; an unknown one has no form.
    let events = lead
        .state
        .decide(LeadCommand::Progress { step, at })
        .map_err(|_| CommitError::Rejected(BookingFormRejection::Unknown))?;
    if events.is_empty() {
        return Ok(append);
    }
    append.decision(lead_id, lead, &events).map_err(stored)
}

fn stored<R>(error: eventlog::CodecError) -> CommitError<R> {
    CommitError::Log(error.into())
}

/// Refusal of a form.
pub fn refusal(error: CommitError<BookingFormRejection>) -> ApiError {
    use BookingFormRejection as R;
    let CommitError::Rejected(rejection) = error else {
        return without_rules(error);
    };
    match rejection {
        R::Unknown => ApiError::not_found(say("refusal.no_form")),
        R::NoSuchSection => ApiError::not_found(say("refusal.no_section")),
        R::Invalid(faults) => ApiError::invalid(missing::answer_errors(&faults)),
        R::NoSuchDocument => ApiError::not_found(say("refusal.no_document")),
        R::TooManyDocuments => ApiError::conflict("too_many_documents", say("refusal.too_many_documents")),
        R::LinkUsed => ApiError::new(StatusCode::GONE, "link_used", say("refusal.link_used")),
        R::LinkOver => ApiError::new(StatusCode::GONE, "link_over", say("refusal.link_over")),
        R::AlreadySubmitted => ApiError::conflict("already_submitted", say("refusal.already_submitted")),
        R::Incomplete(sections) => ApiError::invalid(
            sections
                .into_iter()
                .map(|section| {
                    let said = Said::of_code(&format!("incomplete_{}", section.key()));
                    FieldError::new(section.key(), "incomplete", said)
                })
                .collect(),
        ),
    }
}

/// Everything a commit can fail with that is no rule of forms.
fn without_rules(error: CommitError<BookingFormRejection>) -> ApiError {
    let plain: CommitError<domain::lead::LeadRejection> = match error {
        CommitError::Rejected(_) => return ApiError::not_found(say("refusal.no_form")),
        CommitError::Conflict { current } => CommitError::Conflict { current },
        CommitError::CommandReused => CommitError::CommandReused,
        CommitError::Busy => CommitError::Busy,
        CommitError::Log(error) => CommitError::Log(error),
    };
    plain.into()
}
