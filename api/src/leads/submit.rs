//! A lead on its way in (rows C1, C5, C6; D83, D86, T20).

use axum::http::StatusCode;
use axum::response::Response;
use domain::aggregate::Decide as _;
use domain::contact::{FaultCode, FieldFault};
use domain::id::{LeadId, RegionId, UserId};
use domain::language::Language;
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadVariant, Submission, reference};
use domain::moment::Moment;
use domain::user::{Reach, User, UserRejection};
use domain::user_history::UserHistoryCommand;
use eventlog::{Append, Appended, CommitError, Context, Expected, Loaded, StreamId, commit_together};
use parking_lot::Mutex;
use projections::lead_board::{Ownership, personal_token, query};
use uuid::Uuid;

use super::again::{Enquiry, answer_again, digest_of, same_lead, words_of};
use super::answer::View;
use super::history::{add, fact_of, note_history};
use super::payload::{self, Checked, LeadPayload};
use super::{access, answer_of, move_in, referral, viewing};
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
    let listing = match payload.inventory_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => listing::find_id(app, id).await?,
        None => None,
    };
    let unknown_home = payload.inventory_id.as_deref().is_some_and(|id| !id.is_empty()) && listing.is_none();
    let region = payload.region_id.as_deref().filter(|id| !id.is_empty());
    let region_id = region.and_then(|id| region_of(app, id));
    let unknown_region = region.is_some() && region_id.is_none();
    let zone = viewing::zone_of(app, listing.as_ref(), region_id);
    let outcome = payload::check(payload, clock::now(), zone);
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
    let words = words_of(payload);
    let digest = digest_of(app, caller, &words)?;
    let (lead_id, lead) = match same_lead(app, &digest).await? {
        Enquiry::Known(lead_id) => {
            let personal = personal_of(payload, &checked);
            return answer_again(app, caller, (payload, &checked, &personal), lead_id).await;
        }
        Enquiry::New(lead_id, lead) => (lead_id, *lead),
    };
    let inbox = checked.email.inbox();
    let effort = effort_of(app, context, caller).await?;
    let attempt = LeadAttempt {
        lead_id,
        ip: context.ip,
        inbox: &inbox,
        home: listing.as_ref().map(|listing| listing.root_id),
        effort,
    };
    app.limits.count_lead(attempt).await?;
    let asked = context.command(caller.actor(), &words);
    let shown = shown(app, caller, payload, listing.as_ref()).await?;
    let sending = Sending {
        lead_id,
        digest,
        payload,
        checked,
        listing,
        language: context.lang,
        region_id,
        shown,
        at: asked.at,
    };
    let sent = send(app, caller, &sending, lead, &asked).await?;
    let position = match sent.appended.last {
        0 => app.log.head().await?,
        last => last,
    };
    app.answers_for(position);
    if let Some(lead) = sent.created {
        return answer_of(&lead, View::Own, position, StatusCode::CREATED);
    }
    // Of many at once with the same words, one made the lead: the others found it.
    let personal = personal_of(payload, &sending.checked);
    answer_again(app, caller, (payload, &sending.checked, &personal), sent.lead_id).await
}

/// The earlier lead for the same home whose capability a visitor sends along; a link that opens nothing is none.
async fn shown(
    app: &App,
    caller: &Caller,
    payload: &LeadPayload,
    listing: Option<&Listing>,
) -> ApiResult<Option<LeadId>> {
    let Some((uuid, listing)) = payload.lead_uuid.as_deref().zip(listing) else {
        return Ok(None);
    };
    let seen = match access::open(app, caller, uuid).await {
        Err(error) if error.status == StatusCode::NOT_FOUND => return Ok(None),
        seen => seen?,
    };
    let submission = seen.lead.submission.as_deref();
    let is_same_home = submission.is_some_and(|earlier| earlier.inventory_root_id == Some(listing.root_id));
    Ok((seen.by_link && is_same_home).then_some(seen.lead_id))
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

/// Everything that makes a lead.
struct Sending<'p> {
    lead_id: LeadId,
    digest: String,
    payload: &'p LeadPayload,
    checked: Checked,
    listing: Option<Listing>,
    /// What the sender reads.
    language: Language,
    region_id: Option<RegionId>,
    /// An earlier lead for the same home, whose capability came with this one.
    shown: Option<LeadId>,
    at: Moment,
}

/// What came of it.
struct Sent {
    lead_id: LeadId,
    appended: Appended,
    /// The lead, if this made it.
    created: Option<Lead>,
}

/// One append makes the person known, the lead, and what it means for history and referral (decision 0008).
async fn send(
    app: &App,
    caller: &Caller,
    sending: &Sending<'_>,
    lead: Loaded<Lead>,
    asked: &Context,
) -> ApiResult<Sent> {
    let stranger = UserId(clock::new_id());
    let personal = personal_of(sending.payload, &sending.checked);
    let (seen, created) = (&Mutex::new(Some(lead)), &Mutex::new(None));
    let appended = commit_together::<ApiError, _>(&app.log, asked, |append| {
        let personal = personal.clone();
        async move {
            *created.lock() = None;
            let (append, person_id) = sender(app, append, caller, sending, stranger).await?;
            let owner = owner_of(app, caller, sending, person_id);
            let repeat_of = repeat_of(app, sending, &owner, person_id == stranger)
                .await
                .map_err(CommitError::Rejected)?;
            let submission = submission_of(sending, caller, person_id, repeat_of);
            let (note, code) = (
                note_of(sending, caller, &submission),
                submission.referral_code.clone(),
            );
            // Seen a moment ago; when that was too long, it is looked at again.
            let kept = seen.lock().take();
            let lead = match kept {
                Some(lead) => lead,
                None => app.log.load::<Lead>(sending.lead_id).await?,
            };
            let command = LeadCommand::Submit {
                submission: Box::new(submission),
                personal,
                viewing: sending.checked.viewing.clone(),
                at: sending.at,
            };
            let (append, made) = decide_lead(append, sending.lead_id, lead, command)?;
            *created.lock() = made;
            let append = note_history(app, append, person_id, note).await?;
            let contact = referral::Contact::of(caller, &sending.checked);
            let sent_by = referral::of(app, code, (person_id, sending.lead_id), &contact, sending.at)
                .await
                .map_err(CommitError::Rejected)?;
            let append = referral::open(app, append, sending.lead_id, sent_by).await?;
            Ok(append.reply(sending.lead_id.0.as_bytes().to_vec()))
        }
    })
    .await?;
    let original = appended
        .reply
        .as_deref()
        .and_then(|bytes| Uuid::from_slice(bytes).ok());
    Ok(Sent {
        lead_id: original.map_or(sending.lead_id, LeadId),
        created: created.lock().take().filter(|_| !appended.repeated),
        appended,
    })
}

/// Whose lead it is: of who is logged in, else of whoever has the e-mail address. Their account stands still meanwhile: after
/// the log has said that somebody is forgotten, nothing of theirs comes in.
async fn sender(
    app: &App,
    append: Append,
    caller: &Caller,
    sending: &Sending<'_>,
    stranger: UserId,
) -> Result<(Append, UserId), CommitError<ApiError>> {
    if let Some(person) = &caller.person {
        let user = app.log.load::<User>(person.user_id).await?;
        if user.state.forgotten {
            return Err(CommitError::Rejected(UserRejection::Forgotten.into()));
        }
        return Ok((
            standing_still(append, person.user_id, user.expected()),
            person.user_id,
        ));
    }
    let reach = Reach::Email(sending.checked.email.clone());
    let name = Some(sending.checked.name.clone());
    let (append, person_id, expected) = login::meet(app, append, stranger, &reach, name).await?;
    Ok((standing_still(append, person_id, expected), person_id))
}

/// What the append adds to an account, it adds where it was seen; an account to which it adds nothing must not have moved either.
fn standing_still(append: Append, person_id: UserId, expected: Expected) -> Append {
    let account = StreamId::of::<User>(person_id);
    if append.streams.iter().any(|added| added.stream == account) {
        append
    } else {
        append.guard(account, expected)
    }
}

/// By what the sender's earlier leads are found. Somebody logged in repeats what is theirs, whatever address they write.
fn owner_of(app: &App, caller: &Caller, sending: &Sending<'_>, person_id: UserId) -> Ownership {
    let email = || personal_token(app.log.handles(), "email", &sending.checked.email.canonical());
    match &caller.person {
        Some(person) => person.ownership(app),
        None => Ownership {
            user_id: Some(person_id),
            email_hash: Some(email()),
        },
    }
}

/// The same person's last lead for the same home.
async fn repeat_of(
    app: &App,
    sending: &Sending<'_>,
    owner: &Ownership,
    is_stranger: bool,
) -> ApiResult<Option<LeadId>> {
    let Some(listing) = &sending.listing else {
        return Ok(None);
    };
    // Nobody was answered about somebody who is met only now.
    let pool = if is_stranger {
        app.read.readers()
    } else {
        app.heard().await?
    };
    let row = query::latest(pool, owner, listing.root_id).await?;
    Ok(row.and_then(|row| row.id()))
}

/// What is recorded of an enquiry in the history of a logged-in student.
fn note_of(sending: &Sending<'_>, caller: &Caller, submission: &Submission) -> Option<UserHistoryCommand> {
    caller.person.as_ref()?;
    let listing = sending.listing.as_ref()?;
    let waitlisted = !submission.available || submission.variant == LeadVariant::JoinWaitlist;
    Some(UserHistoryCommand::Note {
        property_id: listing.root_id,
        room_id: Some(listing.inventory_id).filter(|id| *id != listing.root_id),
        lead_id: sending.lead_id,
        fact: fact_of(submission.variant, waitlisted),
        at: sending.at,
    })
}

/// The append with the lead, and the lead as it is then, if it was not there before.
fn decide_lead(
    append: Append,
    lead_id: LeadId,
    loaded: Loaded<Lead>,
    command: LeadCommand,
) -> Result<(Append, Option<Lead>), CommitError<ApiError>> {
    let events = loaded
        .state
        .decide(command)
        .map_err(|rejection| CommitError::Rejected(rejection.into()))?;
    let append = add(append, lead_id, &loaded, &events)?;
    let made = (!events.is_empty()).then(|| {
        let mut lead = loaded.state;
        for event in &events {
            lead.evolve(event);
        }
        lead
    });
    Ok((append, made))
}

fn submission_of(
    sending: &Sending<'_>,
    caller: &Caller,
    person_id: UserId,
    repeat_of: Option<LeadId>,
) -> Submission {
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
        person_id,
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
        repeat_of: sending.shown.or(repeat_of),
        repeat_shown: sending.shown.is_some(),
        verified,
        unclaimed: caller.person.is_none(),
        // A lead without a property waits for nothing.
        available: listing.is_none_or(|listing| listing.available),
        request_digest: sending.digest.clone(),
        idempotency_key_digest: None,
        language: Some(sending.language),
    }
}

fn personal_of(payload: &LeadPayload, checked: &Checked) -> LeadPersonal {
    let referrer = payload.referral_details.name.as_ref();
    LeadPersonal {
        lead_uuid: Uuid::new_v4(),
        name: checked.name.clone(),
        email: checked.email.clone(),
        phone: checked.phone.clone(),
        user_query: checked.user_query.clone(),
        idp_form_data: payload.meta.idp_form_data.clone(),
        referrer_name: payload::short(referrer, "", 200, &mut Vec::new()),
        data_email: checked.data_email.clone(),
    }
}
