//! Leads: sent without login, read and changed by their sender (Spec §3, §7; rows C1-C7).

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use domain::contact::{FaultCode, FieldFault};
use domain::id::LeadId;
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadRejection, LeadVariant};
use eventlog::{CommitError, EventLog, Position, Revision, commit};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, Method, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::recaptcha::{GuardedAction, PersonCheck, RecaptchaQuery};
use http_kit::request::{Path, Query, RequestContext, listed};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use records::{Records, listing};
use serde::Deserialize;

pub mod access;
mod again;
mod anew;
pub mod answer;
mod correction;
pub mod for_staff;
pub mod lease;
mod merge;
mod move_in;
pub mod payload;
mod question;
mod referral;
mod submit;
pub mod viewing;

use again::answer_again;
use answer::{InventoryRoot, LeadAnswer, View, answer_of, lead_answer};
use payload::{LeadPayload, LeadRequest};
use submit::{SubmitEnquiry, Submitted};

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(submit_lead))
        .endpoint(Access::Open, routes!(request_virtual_tour))
        .endpoint(
            Access::Capability(Capability::LeadUuid),
            routes!(get_lead, change_lead),
        )
        .undocumented(Access::Open, Method::POST, "/api/v0/leads/", submit_lead)
}

/// Sends an enquiry. The same submission again is the same lead (C6, D83).
#[utoipa::path(post, path = "/api/v0/leads", params(RecaptchaQuery), request_body = LeadRequest,
    responses((status = 201, body = Success<LeadAnswer>), (status = 200, body = Success<LeadAnswer>), (status = 403)))]
pub async fn submit_lead(
    State(records): State<Records>,
    State(limits): State<Limits>,
    State(settings): State<Arc<Settings>>,
    person: PersonCheck,
    context: RequestContext,
    caller: Caller,
    Body(request): Body<LeadRequest>,
) -> ApiResult<Response> {
    is_a_person(&person, &context, &caller, &request.lead).await?;
    submit(
        &records,
        (&limits, settings.as_ref()),
        &context,
        &caller,
        &request.lead,
    )
    .await
}

/// Who is logged in was checked before the code (D69).
async fn is_a_person(
    person: &PersonCheck,
    context: &RequestContext,
    caller: &Caller,
    asked: &LeadPayload,
) -> ApiResult<()> {
    if caller.person.is_some() {
        return Ok(());
    }
    let about = serde_json::to_string(asked).map_err(ApiError::broken)?;
    person
        .passes(GuardedAction::LeadSubmission, &about, context)
        .await
}

async fn submit(
    records: &Records,
    (limits, settings): (&Limits, &Settings),
    context: &RequestContext,
    caller: &Caller,
    payload: &LeadPayload,
) -> ApiResult<Response> {
    let enquiry = SubmitEnquiry {
        records,
        limits,
        context,
        caller,
        settings,
    };
    match enquiry.submit(payload).await? {
        Submitted::Made(lead, position) => answer_of(&lead, View::Own, position, StatusCode::CREATED),
        Submitted::Again(again) => answer_again(&records.log, caller, payload, &again).await,
    }
}

/// Asks for a live virtual tour, as a new lead or on the one named by its capability (D87).
#[utoipa::path(post, path = "/api/v0/leads/virtual_tour_request", params(RecaptchaQuery), request_body = LeadRequest,
    responses((status = 201, body = Success<LeadAnswer>), (status = 200, body = Success<LeadAnswer>), (status = 403)))]
pub async fn request_virtual_tour(
    State(records): State<Records>,
    State(limits): State<Limits>,
    State(settings): State<Arc<Settings>>,
    person: PersonCheck,
    context: RequestContext,
    caller: Caller,
    Body(mut request): Body<LeadRequest>,
) -> ApiResult<Response> {
    is_a_person(&person, &context, &caller, &request.lead).await?;
    let Some(details) = &request.lead.data.property_view_request_details else {
        let fault = FieldFault::new("data/property_view_request_details", FaultCode::Required);
        return Err(ApiError::invalid(field_errors(&[fault])));
    };
    let Some(lead_uuid) = request.lead.lead_uuid.as_deref() else {
        request.lead.meta.variant = Some(LeadVariant::VirtualTourEnquiry.key().to_owned());
        return submit(
            &records,
            (&limits, settings.as_ref()),
            &context,
            &caller,
            &request.lead,
        )
        .await;
    };
    let seen = access::open(&records, &caller, lead_uuid).await?;
    seen.changeable(&caller)?;
    let mut faults = Vec::new();
    let zone = viewing::zone_of_lead(&records, &seen.lead).await?;
    let viewing = viewing::check_viewing(details, clock::now(), zone, &mut faults)
        .ok_or_else(|| ApiError::invalid(field_errors(&faults)))?;
    let command = LeadCommand::Change {
        edition: None,
        wish: seen.lead.wish.clone(),
        personal: None,
        corrected_to: None,
        viewing: Some(viewing),
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &request);
    let changed = commit::<Lead>(&records.log, seen.lead_id, command, &asked).await?;
    records.answers_for(changed.position);
    answer(&records.log, seen.lead_id, changed.position, StatusCode::OK).await
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct LeadQuery {
    /// `inventory_root` adds the property; `forms_present` is always there (D84). Others are ignored (D51).
    methods: Option<String>,
}

/// One lead, by capability or, for its owner, by id.
#[utoipa::path(get, path = "/api/v0/leads/{id}", params(("id" = String, Path), LeadQuery),
    responses((status = 200, body = Success<LeadAnswer>), (status = 404)))]
pub async fn get_lead(
    State(records): State<Records>,
    _context: RequestContext,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<LeadQuery>,
) -> ApiResult<Success<LeadAnswer>> {
    let seen = access::open(&records, &caller, &id).await?;
    let mut answer =
        lead_answer(&seen.lead, seen.view).ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    let methods = query.methods.unwrap_or_default();
    if listed(&methods).any(|method| method == "inventory_root")
        && let Some(root_id) = &answer.inventory_root_id
    {
        answer.inventory_root = listing::find_id(&records, root_id)
            .await?
            .map(|listing| InventoryRoot {
                id: root_id.clone(),
                name: listing.name.property,
                canonical_name: listing.name.canonical_name,
                city: listing.name.city,
            });
    }
    Ok(Success::new(answer).versioned(seen.lead.edition))
}

/// Changes a lead by JSON merge: absent keeps, null clears; If-Match answers 409 with the current version (D82).
#[utoipa::path(put, path = "/api/v0/leads/{id}", params(("id" = String, Path)), request_body = LeadRequest,
    responses((status = 200, body = Success<LeadAnswer>), (status = 404), (status = 409), (status = 422)))]
pub async fn change_lead(
    State(records): State<Records>,
    context: RequestContext,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(patch): Body<serde_json::Value>,
) -> ApiResult<Response> {
    let seen = access::open(&records, &caller, &id).await?;
    seen.changeable(&caller)?;
    let merged = merge::merged(&seen.lead, &patch)?;
    let over = move_in::fault_of_change(&records, &seen.lead, merged.data.move_in_date.as_ref()).await?;
    let zone = viewing::zone_of_lead(&records, &seen.lead).await?;
    let checked = payload::with(payload::check(&merged, clock::now(), zone), [over])
        .map_err(|faults| ApiError::invalid(field_errors(&faults)))?;
    // A number is typed by the sender: with it nobody takes an enquiry that is still the address's.
    let proved = caller.person.as_ref().filter(|person| {
        if seen.lead.is_unclaimed() {
            person.has_proved_email(&checked.email)
        } else {
            person.has_proved(&checked.email, &checked.phone)
        }
    });
    let personal = seen.lead.personal.clone().map(|known| LeadPersonal {
        name: checked.name,
        email: checked.email,
        phone: checked.phone,
        user_query: checked.user_query,
        data_email: checked.data_email,
        ..known
    });
    let change = correction::Change {
        edition: if_match(&headers)?,
        wish: checked.wish,
        personal,
        viewing: checked.viewing,
        by_staff: None,
        undoes: None,
    };
    let asked = context.command(caller.actor(), &patch);
    let mut position = correction::change(&records, seen.lead_id, &change, &asked).await?;
    let changed = records.log.load::<Lead>(seen.lead_id).await?.state;
    if let Some(person) = proved.filter(|_| !changed.is_verified()) {
        let claimed =
            processes::lead_history::claim(&records.log, seen.lead_id, person.user_id, &asked.step("proved"))
                .await?;
        position = claimed.last;
    }
    records.answers_for(position);
    answer(&records.log, seen.lead_id, position, StatusCode::OK).await
}

/// The version a client has seen: `"3"`, `W/"3"` or `3`.
///
/// # Errors
/// 400 for anything else.
pub fn if_match(headers: &HeaderMap) -> ApiResult<Option<Revision>> {
    let Some(value) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    let text = value
        .to_str()
        .unwrap_or_default()
        .trim()
        .trim_start_matches("W/")
        .trim_matches('"');
    match text {
        "*" => Ok(None),
        number => number
            .parse()
            .map(Some)
            .map_err(|_| ApiError::malformed(say("refusal.if_match"))),
    }
}

/// D79: what the other change made of it comes along, so that the sender can choose.
async fn stale(log: &EventLog, lead_id: LeadId, current: u64) -> ApiResult<ApiError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    let refusal = ApiError::from(CommitError::<LeadRejection>::Conflict { current });
    Ok(refusal.with_current(&lead_answer(&lead, View::Own)))
}

async fn answer(
    log: &EventLog,
    lead_id: LeadId,
    position: Position,
    status: StatusCode,
) -> ApiResult<Response> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    answer_of(&lead, View::Own, position, status)
}
