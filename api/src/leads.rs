//! Leads: sent without login, read and changed by their sender (Spec §3, §7; rows C1-C7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::contact::{FaultCode, FieldFault};
use domain::id::{LeadId, ReferralId, UserId};
use domain::language::Language;
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadRejection, LeadVariant, Submission, reference};
use domain::referral::{Referral, ReferralCommand};
use domain::user::Reach;
use domain::user_history::{HistoryFact, UserHistory, UserHistoryCommand};
use eventlog::{Append, CommitError, Context, Position, Revision, commit, commit_expecting, commit_together};
use projections::lead_board::{Ownership, personal_token, query};
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::clock;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult, Rejected};
use crate::listing::{self, Listing};
use crate::login;
use crate::request::{Body, Path, RequestContext};
use crate::texts::field_errors;

pub mod access;
pub mod answer;
mod merge;
pub mod payload;

use answer::{LeadAnswer, View, lead_answer};
use payload::{Checked, LeadPayload, LeadRequest};

/// D83: the same again within this time is the same lead.
const SAME_LEAD_SECONDS: i64 = 600;

impl Rejected for LeadRejection {
    fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "not_found",
            Self::AlreadySubmitted => "idempotency_key_reused",
            Self::Closed(_) => "lead_closed",
            Self::NotBooked => "not_booked",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::AlreadySubmitted => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Closed(_) | Self::NotBooked => StatusCode::CONFLICT,
        }
    }
}

/// Sends an enquiry. The same submission again is the same lead (C6, D83).
#[utoipa::path(post, path = "/api/v0/leads", request_body = LeadRequest,
    responses((status = 201, body = Success<LeadAnswer>), (status = 200, body = Success<LeadAnswer>)))]
pub async fn submit_lead(
    State(app): State<App>,
    context: RequestContext,
    caller: Caller,
    Body(request): Body<LeadRequest>,
) -> ApiResult<Response> {
    submit(&app, &context, &caller, &request.lead).await
}

/// Asks for a live virtual tour, as a new lead or on the one named by its capability (D87).
#[utoipa::path(post, path = "/api/v0/leads/virtual_tour_request", request_body = LeadRequest,
    responses((status = 201, body = Success<LeadAnswer>), (status = 200, body = Success<LeadAnswer>)))]
pub async fn request_virtual_tour(
    State(app): State<App>,
    context: RequestContext,
    caller: Caller,
    Body(mut request): Body<LeadRequest>,
) -> ApiResult<Response> {
    let Some(details) = &request.lead.data.property_view_request_details else {
        let fault = FieldFault::new("data/property_view_request_details", FaultCode::Required);
        return Err(ApiError::invalid(field_errors(context.lang, &[fault])));
    };
    let Some(lead_uuid) = request.lead.lead_uuid.as_deref() else {
        request.lead.meta.variant = Some(LeadVariant::VirtualTourEnquiry.key().to_owned());
        return submit(&app, &context, &caller, &request.lead).await;
    };
    let seen = access::open(&app, &caller, lead_uuid).await?;
    seen.changeable()?;
    let mut faults = Vec::new();
    let viewing = payload::check_viewing(details, clock::now(), &mut faults)
        .ok_or_else(|| ApiError::invalid(field_errors(context.lang, &faults)))?;
    let command = LeadCommand::Change {
        wish: seen.lead.wish.clone(),
        personal: None,
        viewing: Some(viewing),
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &request);
    let changed = commit::<Lead>(&app.log, seen.lead_id, command, &asked).await?;
    app.wait_for(changed.position).await;
    answer(&app, seen.lead_id, changed.position, StatusCode::OK).await
}

/// One lead, by capability or, for its owner, by id.
#[utoipa::path(get, path = "/api/v0/leads/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Success<LeadAnswer>), (status = 404)))]
pub async fn get_lead(
    State(app): State<App>,
    _context: RequestContext,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Success<LeadAnswer>> {
    let seen = access::open(&app, &caller, &id).await?;
    lead_answer(&seen.lead, seen.version, seen.view)
        .map(Success::new)
        .ok_or_else(|| ApiError::not_found("Lead"))
}

/// Changes a lead by JSON merge: absent keeps, null clears; If-Match answers 409 with the current version (D82).
#[utoipa::path(put, path = "/api/v0/leads/{id}", params(("id" = String, Path)), request_body = LeadRequest,
    responses((status = 200, body = Success<LeadAnswer>), (status = 404), (status = 409), (status = 422)))]
pub async fn change_lead(
    State(app): State<App>,
    context: RequestContext,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(patch): Body<serde_json::Value>,
) -> ApiResult<Response> {
    let seen = access::open(&app, &caller, &id).await?;
    seen.changeable()?;
    let merged = merge::merged(&seen.lead, &patch)?;
    let checked = payload::check(&merged, clock::now())
        .map_err(|faults| ApiError::invalid(field_errors(context.lang, &faults)))?;
    let personal = seen.lead.personal.clone().map(|known| LeadPersonal {
        name: checked.name,
        email: checked.email,
        phone: checked.phone,
        user_query: checked.user_query,
        ..known
    });
    let command = LeadCommand::Change {
        wish: checked.wish,
        personal: personal.map(Box::new),
        viewing: checked.viewing,
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &patch);
    let changed = match if_match(&headers)? {
        Some(version) => commit_expecting::<Lead>(&app.log, seen.lead_id, command, &asked, version).await?,
        None => commit::<Lead>(&app.log, seen.lead_id, command, &asked).await?,
    };
    app.wait_for(changed.position).await;
    answer(&app, seen.lead_id, changed.position, StatusCode::OK).await
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
            .map_err(|_| ApiError::malformed("The header If-Match must hold the version that was read")),
    }
}

async fn submit(
    app: &App,
    context: &RequestContext,
    caller: &Caller,
    payload: &LeadPayload,
) -> ApiResult<Response> {
    let refuse = |faults: &[FieldFault]| ApiError::invalid(field_errors(context.lang, faults));
    let mut outcome = payload::check(payload, clock::now());
    let listing = match payload.inventory_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => listing::find_id(app, id).await?,
        None => None,
    };
    if payload.inventory_id.as_deref().is_some_and(|id| !id.is_empty()) && listing.is_none() {
        let fault = FieldFault::new("inventory_id", FaultCode::UnknownInventory);
        outcome = Err(outcome.err().into_iter().flatten().chain([fault]).collect());
    }
    let checked = outcome.map_err(|faults| refuse(&faults))?;
    let body = serde_json::to_string(payload).map_err(ApiError::broken)?;
    let digest = hex::encode(app.log.handles().hash("lead_body", &body));
    let (lead_id, known) = same_lead(app, &digest).await?;
    if known {
        return answer(app, lead_id, app.log.head().await?, StatusCode::OK).await;
    }
    app.limits.count_lead(context.ip, &checked.email.canonical())?;
    let person_id = person_of(app, context, caller, &checked).await?;
    let sending = Sending {
        lead_id,
        person_id,
        digest,
        payload,
        checked,
        listing,
        language: context.lang.into(),
    };
    let asked = context.command(caller.actor(), payload);
    let appended = send(app, caller, sending, &asked).await?;
    app.wait_for(appended.last).await;
    let original = appended
        .reply
        .as_deref()
        .and_then(|bytes| Uuid::from_slice(bytes).ok())
        .map_or(lead_id, LeadId);
    let status = if appended.repeated {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    answer(app, original, appended.last, status).await
}

/// The lead that an equal body makes now: its id comes from the body and the ten minutes it falls in, so that two at once
/// meet in one stream.
async fn same_lead(app: &App, digest: &str) -> ApiResult<(LeadId, bool)> {
    let now = clock::now();
    let slice = now.timestamp() / SAME_LEAD_SECONDS;
    let id = |slice: i64| LeadId(app.log.handles().id("lead_id", &format!("{digest}:{slice}")));
    for lead_id in [id(slice), id(slice - 1)] {
        let lead = app.log.load::<Lead>(lead_id).await?.state;
        if lead
            .created_at
            .is_some_and(|at| (now - at).num_seconds() < SAME_LEAD_SECONDS)
        {
            return Ok((lead_id, true));
        }
    }
    Ok((id(slice), false))
}

/// Whose lead it is: of who is logged in, else of whoever has the e-mail address.
async fn person_of(
    app: &App,
    context: &RequestContext,
    caller: &Caller,
    checked: &Checked,
) -> ApiResult<UserId> {
    if let Some(person) = &caller.person {
        return Ok(person.user_id);
    }
    let reach = Reach::Email(checked.email.clone());
    let (user_id, _) = login::know(
        app,
        context.request_id,
        &reach,
        Some(checked.name.clone()),
        caller.actor(),
    )
    .await?;
    Ok(user_id)
}

/// Everything that makes a lead.
struct Sending<'p> {
    lead_id: LeadId,
    person_id: UserId,
    digest: String,
    payload: &'p LeadPayload,
    checked: Checked,
    listing: Option<Listing>,
    /// What the sender reads.
    language: Language,
}

async fn send(
    app: &App,
    caller: &Caller,
    sending: Sending<'_>,
    asked: &Context,
) -> ApiResult<eventlog::Appended> {
    let hasher = app.log.handles();
    let owner = Ownership {
        user_id: Some(sending.person_id),
        email_hash: Some(personal_token(
            hasher,
            "email",
            &sending.checked.email.canonical(),
        )),
        phone_hash: None,
    };
    let root = sending.listing.as_ref().map(|listing| listing.root_id);
    let repeat_of = match root {
        Some(root) => query::latest(app.read.readers(), &owner, root)
            .await?
            .and_then(|row| row.id()),
        None => None,
    };
    let submission = submission_of(&sending, caller, repeat_of);
    let variant = submission.variant;
    let referral_code = submission.referral_code.clone();
    let waitlisted = !submission.available || variant == LeadVariant::JoinWaitlist;
    let personal = personal_of(&sending);
    let (lead_id, person_id, at) = (sending.lead_id, sending.person_id, asked.at);
    let command = LeadCommand::Submit {
        submission: Box::new(submission),
        personal,
        viewing: sending.checked.viewing.clone(),
        at,
    };
    let room_id = sending
        .listing
        .as_ref()
        .map(|listing| listing.inventory_id)
        .filter(|id| Some(*id) != root);
    let note = root.map(|property_id| UserHistoryCommand::Note {
        property_id,
        room_id,
        lead_id,
        fact: fact_of(variant, waitlisted),
        at,
    });
    let referral = referral_code.map(|code| ReferralCommand::Open {
        code,
        // Codes are given out by the referral programme; until then nobody can be named.
        referrer: None,
        referred: person_id,
        lead_id,
        at,
    });
    let appended = commit_together::<LeadRejection, _>(&app.log, asked, |append| {
        let (command, note, referral) = (command.clone(), note.clone(), referral.clone());
        async move {
            let append = decide_lead(app, append, lead_id, command).await?;
            let append = note_history(app, append, person_id, note).await?;
            let append = open_referral(app, append, lead_id, referral).await?;
            Ok(append.reply(lead_id.0.as_bytes().to_vec()))
        }
    });
    Ok(appended.await?)
}

async fn decide_lead(
    app: &App,
    append: Append,
    lead_id: LeadId,
    command: LeadCommand,
) -> Result<Append, CommitError<LeadRejection>> {
    use domain::aggregate::Decide;
    let loaded = app.log.load::<Lead>(lead_id).await?;
    let events = loaded.state.decide(command).map_err(CommitError::Rejected)?;
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(lead_id, &loaded, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// Adds a fact to a person's history in the same append (F7).
///
/// # Errors
/// When the history cannot be read.
pub async fn note_history<R>(
    app: &App,
    append: Append,
    person_id: UserId,
    note: Option<UserHistoryCommand>,
) -> Result<Append, CommitError<R>> {
    use domain::aggregate::Decide;
    let Some(note) = note else { return Ok(append) };
    let loaded = app.log.load::<UserHistory>(person_id).await?;
    let events = loaded.state.decide(note).unwrap_or_default();
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(person_id, &loaded, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// D123: a referred lead opens its referral, PENDING; the first payment completes it. The stream goes by the lead's id.
async fn open_referral(
    app: &App,
    append: Append,
    lead_id: LeadId,
    open: Option<ReferralCommand>,
) -> Result<Append, CommitError<LeadRejection>> {
    use domain::aggregate::Decide;
    let Some(open) = open else { return Ok(append) };
    let referral_id = ReferralId(lead_id.0);
    let loaded = app.log.load::<Referral>(referral_id).await?;
    // A referral that the rules turn down leaves the lead as it is.
    let events = loaded.state.decide(open).unwrap_or_default();
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(referral_id, &loaded, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

const fn fact_of(variant: LeadVariant, waitlisted: bool) -> HistoryFact {
    match variant {
        _ if waitlisted => HistoryFact::Waitlisted,
        LeadVariant::ContactUs => HistoryFact::Contacted,
        LeadVariant::GetHelp => HistoryFact::GetHelpClicked,
        LeadVariant::JoinWaitlist => HistoryFact::Waitlisted,
        LeadVariant::AskQuestionFaqCta
        | LeadVariant::Enquire
        | LeadVariant::VirtualTourEnquiry
        | LeadVariant::ReferredByEnquiry
        | LeadVariant::PartnerEnquire
        | LeadVariant::BookNow
        | LeadVariant::ApplyNow
        | LeadVariant::EditDetails
        | LeadVariant::GenericForm => HistoryFact::Enquired,
    }
}

fn submission_of(sending: &Sending<'_>, caller: &Caller, repeat_of: Option<LeadId>) -> Submission {
    let (payload, listing) = (sending.payload, sending.listing.as_ref());
    let verified = caller.person.as_ref().is_some_and(|person| {
        person
            .user
            .email
            .as_ref()
            .is_some_and(|email| email.canonical() == sending.checked.email.canonical())
            || person
                .user
                .phone
                .as_ref()
                .is_some_and(|phone| *phone == sending.checked.phone)
    });
    let code = payload
        .referral_details
        .code
        .clone()
        .or_else(|| payload.source_details.referral_code.clone());
    let word = |value: &Option<String>| payload::short(value.as_ref(), "", 200, &mut Vec::new());
    Submission {
        lead_id: sending.lead_id,
        person_id: sending.person_id,
        reference: reference(sending.lead_id),
        inventory_id: listing.map(|listing| listing.inventory_id),
        inventory_root_id: listing.map(|listing| listing.root_id),
        region_id: payload.region_id.as_deref().and_then(|id| id.parse().ok()),
        location_place_name: word(&payload.location_place_name),
        wish: sending.checked.wish.clone(),
        variant: sending.checked.variant,
        lead_source: word(&payload.meta.lead_source),
        payment_before_bookform: listing.is_some_and(|listing| listing.payment_before_bookform),
        source: payload.source_details.clone().cleaned(),
        user_notification: payload.event_options.user_notification.as_deref() != Some("false"),
        referral_code: word(&code),
        repeat_of,
        verified,
        // A lead without a property waits for nothing.
        available: listing.is_none_or(|listing| listing.available),
        request_digest: sending.digest.clone(),
        idempotency_key_digest: None,
        language: Some(sending.language),
    }
}

fn personal_of(sending: &Sending<'_>) -> LeadPersonal {
    let referrer = payload::short(
        sending.payload.referral_details.name.as_ref(),
        "",
        200,
        &mut Vec::new(),
    );
    LeadPersonal {
        lead_uuid: Uuid::new_v4(),
        name: sending.checked.name.clone(),
        email: sending.checked.email.clone(),
        phone: sending.checked.phone.clone(),
        user_query: sending.checked.user_query.clone(),
        idp_form_data: sending.payload.meta.idp_form_data.clone(),
        referrer_name: referrer,
    }
}

async fn answer(app: &App, lead_id: LeadId, position: Position, status: StatusCode) -> ApiResult<Response> {
    let loaded = app.log.load::<Lead>(lead_id).await?;
    let own =
        lead_answer(&loaded.state, loaded.revision, View::Own).ok_or_else(|| ApiError::not_found("Lead"))?;
    Ok((status, Success::at(own, position)).into_response())
}
