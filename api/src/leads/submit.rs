//! A lead on its way in (rows C1, C5, C6; D83, D86, T20).

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use axum::response::Response;
use domain::contact::{FaultCode, FieldFault};
use domain::id::{LeadId, RegionId, UserId};
use domain::language::Language;
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadRejection, LeadVariant, Submission, reference};
use domain::user::Reach;
use domain::user_history::UserHistoryCommand;
use eventlog::{Append, CommitError, Context, commit_together};
use projections::lead_board::{Ownership, personal_token, query};
use uuid::Uuid;

use super::history::{fact_of, note_history};
use super::payload::{self, Checked, LeadPayload};
use super::{answer, move_in, referral};
use crate::app::App;
use crate::caller::Caller;
use crate::clock;
use crate::error::{ApiError, ApiResult};
use crate::limits::LeadAttempt;
use crate::listing::{self, Listing};
use crate::login;
use crate::proof_of_work::{self, Effort};
use crate::request::RequestContext;
use crate::texts::field_errors;

/// D83: the same again within this time is the same lead.
const SAME_LEAD_SECONDS: i64 = 600;

/// Takes a lead in: checked, counted, once, and together with what it means for the person's history and referral.
///
/// # Errors
/// 422 naming every bad field, 429 with the seconds to wait.
pub(super) async fn submit(
    app: &App,
    context: &RequestContext,
    caller: &Caller,
    payload: &LeadPayload,
) -> ApiResult<Response> {
    let refuse = |faults: &[FieldFault]| ApiError::invalid(field_errors(faults));
    let outcome = payload::check(payload, clock::now());
    let listing = match payload.inventory_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => listing::find_id(app, id).await?,
        None => None,
    };
    let unknown_home = payload.inventory_id.as_deref().is_some_and(|id| !id.is_empty()) && listing.is_none();
    let region = payload.region_id.as_deref().filter(|id| !id.is_empty());
    let region_id = region.and_then(|id| region_of(app, id));
    let unknown_region = region.is_some() && region_id.is_none();
    let more = [
        move_in::fault(
            app,
            payload.data.move_in_date.as_ref(),
            listing.as_ref(),
            region_id,
        ),
        unknown_home.then(|| FieldFault::new("inventory_id", FaultCode::UnknownInventory)),
        unknown_region.then(|| FieldFault::new("region_id", FaultCode::UnknownRegion)),
    ];
    let checked = payload::with(outcome, more).map_err(|faults| refuse(&faults))?;
    let body = serde_json::to_string(payload).map_err(ApiError::broken)?;
    let digest = hex::encode(app.log.handles().hash("lead_body", &body));
    let (lead_id, known) = same_lead(app, &digest).await?;
    if known {
        return answer(app, lead_id, app.log.head().await?, StatusCode::OK).await;
    }
    let email = checked.email.canonical();
    let effort = effort_of(app, context, caller).await?;
    let attempt = LeadAttempt {
        lead_id,
        ip: context.ip,
        email: &email,
        home: listing.as_ref().map(|listing| listing.root_id),
        effort,
    };
    app.limits.count_lead(attempt).await?;
    let person_id = person_of(app, context, caller, &checked).await?;
    let sending = Sending {
        lead_id,
        person_id,
        digest,
        payload,
        checked,
        listing,
        language: context.lang,
        region_id,
    };
    let asked = context.command(caller.actor(), payload);
    let (appended, status) = send(app, caller, sending, &asked).await?;
    app.wait_for(appended.last).await;
    let original = appended
        .reply
        .as_deref()
        .and_then(|bytes| Uuid::from_slice(bytes).ok())
        .map_or(lead_id, LeadId);
    answer(app, original, appended.last, status).await
}

/// Somebody logged in has shown who they are; anybody else may have worked.
async fn effort_of(app: &App, context: &RequestContext, caller: &Caller) -> ApiResult<Effort> {
    if caller.person.is_some() {
        return Ok(Effort::Shown);
    }
    proof_of_work::take(app, context.proof.as_deref()).await
}

/// A region by its id or its canonical name.
fn region_of(app: &App, text: &str) -> Option<RegionId> {
    let places = app.catalogue.places();
    match text.parse().ok().map(RegionId) {
        Some(id) => places.get(id).map(|_| id),
        None => places.by_canonical_name(text).map(|place| place.id),
    }
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
    region_id: Option<RegionId>,
}

async fn send(
    app: &App,
    caller: &Caller,
    sending: Sending<'_>,
    asked: &Context,
) -> ApiResult<(eventlog::Appended, StatusCode)> {
    let hasher = app.log.handles();
    // Somebody logged in repeats what is theirs, whatever address they write.
    let owner = match &caller.person {
        Some(person) => person.ownership(app),
        None => Ownership {
            user_id: Some(sending.person_id),
            email_hash: Some(personal_token(
                hasher,
                "email",
                &sending.checked.email.canonical(),
            )),
            phone_hash: None,
        },
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
    let mine = root.filter(|_| caller.person.is_some());
    let note = mine.map(|property_id| UserHistoryCommand::Note {
        property_id,
        room_id,
        lead_id,
        fact: fact_of(variant, waitlisted),
        at,
    });
    let sent_by = referral::of(app, referral_code, (person_id, lead_id), at).await?;
    let created = AtomicBool::new(false);
    let appended = commit_together::<LeadRejection, _>(&app.log, asked, |append| {
        let (command, note, sent_by) = (command.clone(), note.clone(), sent_by.clone());
        let created = &created;
        async move {
            let append = decide_lead(app, append, lead_id, command, created).await?;
            let append = note_history(app, append, person_id, note).await?;
            let append = referral::open(app, append, lead_id, sent_by).await?;
            Ok(append.reply(lead_id.0.as_bytes().to_vec()))
        }
    });
    let appended = appended.await?;
    // Of many at once with the same words, one made the lead: the others found it.
    let status = if created.into_inner() && !appended.repeated {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok((appended, status))
}

async fn decide_lead(
    app: &App,
    append: Append,
    lead_id: LeadId,
    command: LeadCommand,
    created: &AtomicBool,
) -> Result<Append, CommitError<LeadRejection>> {
    use domain::aggregate::Decide;
    let loaded = app.log.load::<Lead>(lead_id).await?;
    let events = loaded.state.decide(command).map_err(CommitError::Rejected)?;
    created.store(!events.is_empty(), Ordering::Relaxed);
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(lead_id, &loaded, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

fn submission_of(sending: &Sending<'_>, caller: &Caller, repeat_of: Option<LeadId>) -> Submission {
    let (payload, listing) = (sending.payload, sending.listing.as_ref());
    let verified = caller
        .person
        .as_ref()
        .is_some_and(|person| person.has_proved(&sending.checked.email, &sending.checked.phone));
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
        region_id: sending.region_id,
        location_place_name: sending.checked.location.place_name.clone(),
        location_place_id: sending.checked.location.place_id.clone(),
        location_coordinates: sending.checked.location.coordinates,
        wish: sending.checked.wish.clone(),
        variant: sending.checked.variant,
        lead_source: word(&payload.meta.lead_source),
        payment_before_bookform: listing.is_some_and(|listing| listing.payment_before_bookform),
        source: payload.source_details.clone().cleaned(),
        user_notification: payload.event_options.user_notification.as_deref() != Some("false"),
        referral_code: word(&code),
        repeat_of,
        verified,
        unclaimed: caller.person.is_none(),
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
