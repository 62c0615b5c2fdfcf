//! A lead on its way in (rows C1, C5, C6; D83, D86, T20).

use axum::http::StatusCode;
use chrono::TimeDelta;
use domain::aggregate::Decide as _;
use domain::attribution::DeviceMark;
use domain::contact::{FaultCode, FieldFault};
use domain::id::{LeadId, RegionId, UserId};
use domain::inventory::Inventory;
use domain::inventory::price_lock::QuoteLock;
use domain::language::Language;
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadVariant, Submission, reference};
use domain::moment::Moment;
use domain::user::{Reach, User, UserRejection};
use domain::user_history::UserHistoryCommand;
use eventlog::{Append, Appended, CommitError, Context, EventLog, Loaded, Position, commit_together};
use http_kit::caller::Caller;
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use http_kit::limits::{Effort, LeadAttempt, Limits};
use http_kit::proof_of_work;
use http_kit::request::RequestContext;
use platform::clock;
use platform::config::Settings;
use processes::accounts::{self, standing_still};
use processes::lead_history::{add, fact_of, note_history};
use projections::lead_board::{Ownership, personal_token, query};
use records::Records;
use records::listing::{self, Listing};
use search_index::SearchIndex;
use uuid::Uuid;

use super::access;
use super::again::{Enquiry, SentAgain, digest_of, same_lead, words_of};
use super::move_in;
use super::payload::{self, Checked, LeadPayload};
use super::question;
use super::referral;
use super::viewing;

/// Takes an enquiry in: checked, counted, once, and together with what it means for the person's history and referral.
pub(super) struct SubmitEnquiry<'s> {
    pub records: &'s Records,
    pub limits: &'s Limits,
    pub context: &'s RequestContext,
    pub caller: &'s Caller,
    pub settings: &'s Settings,
}

/// Outcome of an enquiry.
pub(super) enum Submitted {
    /// It made this lead.
    Made(Box<Lead>, Position),
    /// The same words had made a lead before.
    Again(Box<SentAgain>),
}

impl SubmitEnquiry<'_> {
    /// One enquiry, from what was sent to the lead.
    ///
    /// # Errors
    /// 422 naming every bad field, 429 with the seconds to wait.
    pub(super) async fn submit(&self, payload: &LeadPayload) -> ApiResult<Submitted> {
        let (place, checked) = self.check(payload).await?;
        let words = words_of(payload);
        let digest = digest_of(&self.records.log, self.caller, &words)?;
        let personal = personal_of(payload, &checked);
        let (lead_id, lead) = match same_lead(&self.records.log, &digest).await? {
            Enquiry::New(lead_id, lead) => (lead_id, *lead),
            Enquiry::Known(lead_id) => {
                return Ok(Submitted::Again(Box::new(SentAgain {
                    lead_id,
                    checked,
                    personal,
                })));
            }
        };
        self.count(lead_id, &checked, place.listing.as_ref()).await?;
        let shown = self.shown(payload, place.listing.as_ref()).await?;
        let asked = self.context.command(self.caller.actor(), &words);
        let sending = Sending {
            lead_id,
            digest,
            payload,
            checked,
            personal,
            place,
            language: self.context.lang,
            device: self.context.device(self.records.log.handles(), lead_id),
            shown,
            at: asked.at,
        };
        let (lead_id, appended) = self.append(&sending, lead, &asked).await?;
        let position = match appended.last {
            0 => self.records.log.head().await?,
            last => last,
        };
        self.records.answers_for(position);
        let lead = self.records.log.load::<Lead>(lead_id).await?.state;
        if !appended.repeated && sending.made(&lead) {
            return Ok(Submitted::Made(Box::new(lead), position));
        }
        // Of many at once with the same words, one made the lead: the others found it.
        Ok(Submitted::Again(Box::new(SentAgain {
            lead_id,
            checked: sending.checked,
            personal: sending.personal,
        })))
    }

    /// Every bad field of what was sent is named at once, those that only the catalogue knows among them.
    async fn check(&self, payload: &LeadPayload) -> ApiResult<(Place, Checked)> {
        let home = payload.inventory_id.as_deref().filter(|id| !id.is_empty());
        let listing = match home {
            Some(id) => listing::find_id(self.records, id).await?,
            None => None,
        };
        let region = payload.region_id.as_deref().filter(|id| !id.is_empty());
        let region_id = region.and_then(|id| region_of(&self.records.catalogue, id));
        let zone = viewing::zone_of(&self.records.catalogue, listing.as_ref(), region_id);
        let outcome = payload::check(payload, clock::now(), zone);
        let move_in = payload.data.move_in_date.as_ref();
        let unknown_home = home.is_some() && listing.is_none();
        let unknown_region = region.is_some() && region_id.is_none();
        let more = [
            move_in::fault(&self.records.catalogue, move_in, listing.as_ref(), region_id),
            unknown_home.then(|| FieldFault::new("inventory_id", FaultCode::UnknownInventory)),
            unknown_region.then(|| FieldFault::new("region_id", FaultCode::UnknownRegion)),
        ];
        let checked = payload::with(outcome, more)
            .map_err(|faults: Vec<FieldFault>| ApiError::invalid(field_errors(&faults)))?;
        Ok((Place { listing, region_id }, checked))
    }

    /// Counts the enquiry against the limits. A login has shown who somebody is; anybody else may have worked.
    async fn count(&self, lead_id: LeadId, checked: &Checked, listing: Option<&Listing>) -> ApiResult<()> {
        let effort = if self.caller.person.is_some() {
            Effort::Shown
        } else {
            let proof = self.context.proof.as_deref();
            proof_of_work::take(&self.records.log, self.limits, proof).await?
        };
        let attempt = LeadAttempt {
            lead_id,
            ip: self.context.ip,
            inbox: &checked.email.inbox(),
            home: listing.map(|listing| listing.root_id),
            effort,
        };
        self.limits.count_lead(attempt).await
    }

    /// The earlier lead for the same home whose capability a visitor sends along; a link that opens nothing is none.
    async fn shown(&self, payload: &LeadPayload, listing: Option<&Listing>) -> ApiResult<Option<LeadId>> {
        let Some((uuid, listing)) = payload.lead_uuid.as_deref().zip(listing) else {
            return Ok(None);
        };
        let seen = match access::open(self.records, self.caller, uuid).await {
            Err(error) if [StatusCode::NOT_FOUND, StatusCode::FORBIDDEN].contains(&error.status) => {
                return Ok(None);
            }
            seen => seen?,
        };
        let submission = seen.lead.submission.as_deref();
        let is_same_home =
            submission.is_some_and(|earlier| earlier.inventory_root_id == Some(listing.root_id));
        Ok((seen.by_link && is_same_home).then_some(seen.lead_id))
    }

    /// One append makes the person known, the lead, and what it means for history and referral (decision 0008). Says which lead
    /// it is: under a key that was used before, the one it was then.
    async fn append(
        &self,
        sending: &Sending<'_>,
        lead: Loaded<Lead>,
        asked: &Context,
    ) -> ApiResult<(LeadId, Appended)> {
        let stranger = UserId(clock::new_id());
        let mut seen = Some(lead);
        let appended = commit_together::<ApiError, _>(&self.records.log, asked, |append| {
            // Seen a moment ago; when that was too long, it is looked at again.
            let seen = seen.take();
            async move {
                let lead = match seen {
                    Some(lead) => lead,
                    None => self.records.log.load::<Lead>(sending.lead_id).await?,
                };
                self.compose(append, sending, lead, stranger).await
            }
        })
        .await?;
        let original = appended.reply.as_deref();
        let original = original.and_then(|bytes| Uuid::from_slice(bytes).ok());
        Ok((original.map_or(sending.lead_id, LeadId), appended))
    }

    /// Freezes what the home asks at this moment.
    async fn quote(&self, sending: &Sending<'_>) -> ApiResult<Option<QuoteLock>> {
        let home = sending.place.listing.as_ref().map(|listing| listing.root_id);
        let Some(home_id) = home.filter(|_| self.settings.days_of_quote() > 0) else {
            return Ok(None);
        };
        let revision = self.records.log.load::<Inventory>(home_id).await?.revision;
        Ok(Some(QuoteLock {
            home_id,
            revision,
            until: sending.at + TimeDelta::days(i64::from(self.settings.days_of_quote())),
        }))
    }

    async fn compose(
        &self,
        append: Append,
        sending: &Sending<'_>,
        lead: Loaded<Lead>,
        stranger: UserId,
    ) -> Result<Append, CommitError<ApiError>> {
        let (log, caller) = (&self.records.log, self.caller);
        let (append, person_id) = sender(log, append, caller, sending, stranger).await?;
        let owner = owner_of(log, caller, sending, person_id);
        let repeat = find_repeat(self.records, sending, &owner, person_id == stranger)
            .await
            .map_err(CommitError::Rejected)?;
        let quote = self.quote(sending).await.map_err(CommitError::Rejected)?;
        let site = self.context.site.kept_name().map(str::to_owned);
        let submission = Submission {
            quote,
            site,
            ..submission_of(sending, caller, person_id, &repeat)
        };
        let note = note_of(sending, caller, &submission);
        let code = submission.referral_code.clone();
        let asked = question::Asked {
            lead_id: sending.lead_id,
            person: person_id,
            sealed_by: submission.subject.unwrap_or(person_id),
            language: sending.language,
            home: sending
                .place
                .listing
                .as_ref()
                .map(|listing| listing.name.property.clone()),
            words: sending.personal.user_query.clone(),
            at: sending.at,
        };
        let command = LeadCommand::Submit {
            submission: Box::new(submission),
            personal: sending.personal.clone(),
            viewing: sending.checked.viewing.clone(),
            at: sending.at,
        };
        let events = lead
            .state
            .decide(command)
            .map_err(|rejection| CommitError::Rejected(rejection.into()))?;
        let append = add(append, sending.lead_id, &lead, &events)?;
        let append = question::open_conversation(append, &asked, self.settings)?;
        let append = note_history(log, append, person_id, note).await?;
        let contact = referral::contact_in(caller, &sending.checked);
        let referred = (person_id, sending.lead_id);
        let sent_by = referral::of(self.records, code, referred, &contact, sending.at)
            .await
            .map_err(CommitError::Rejected)?;
        let append = referral::open(log, append, sending.lead_id, sent_by).await?;
        Ok(append.reply(sending.lead_id.0.as_bytes().to_vec()))
    }
}

/// A region by its id or its canonical name.
fn region_of(catalogue: &SearchIndex, text: &str) -> Option<RegionId> {
    let places = catalogue.places();
    match text.parse().ok().map(RegionId) {
        Some(id) => places.get(id).map(|_| id),
        None => places.by_canonical_name(text).map(|place| place.id),
    }
}

/// Subject of an enquiry.
struct Place {
    listing: Option<Listing>,
    region_id: Option<RegionId>,
}

/// Everything that makes a lead.
struct Sending<'p> {
    device: DeviceMark,
    lead_id: LeadId,
    digest: String,
    payload: &'p LeadPayload,
    checked: Checked,
    personal: LeadPersonal,
    place: Place,
    /// Language of the sender.
    language: Language,
    /// An earlier lead for the same home, whose capability came with this one.
    shown: Option<LeadId>,
    at: Moment,
}

impl Sending<'_> {
    /// Whether this is what made the lead: it holds the link that was drawn for it here.
    fn made(&self, lead: &Lead) -> bool {
        let personal = lead.personal.as_ref();
        personal.is_some_and(|personal| personal.lead_uuid == self.personal.lead_uuid)
    }
}

/// Whose lead it is: of who is logged in, else of whoever has the e-mail address. Their account stands still meanwhile: after
/// the log has said that somebody is forgotten, nothing of theirs comes in.
async fn sender(
    log: &EventLog,
    append: Append,
    caller: &Caller,
    sending: &Sending<'_>,
    stranger: UserId,
) -> Result<(Append, UserId), CommitError<ApiError>> {
    if let Some(person) = &caller.person {
        let user = log.load::<User>(person.user_id).await?;
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
    let (append, person_id, expected) = accounts::meet(log, append, stranger, &reach, name)
        .await
        .map_err(|refused| refused.map(ApiError::from))?;
    Ok((standing_still(append, person_id, expected), person_id))
}

/// By what the sender's earlier leads are found. Somebody logged in repeats what is theirs, whatever address they write.
fn owner_of(log: &EventLog, caller: &Caller, sending: &Sending<'_>, person_id: UserId) -> Ownership {
    let email = || personal_token(log.handles(), "email", &sending.checked.email.canonical());
    match &caller.person {
        Some(person) => person.ownership(log),
        None => Ownership {
            user_id: Some(person_id),
            email_hash: Some(email()),
        },
    }
}

/// Earlier enquiry that an enquiry repeats.
#[derive(Default)]
struct Repeat {
    /// The same person's last lead for the same home.
    of: Option<LeadId>,
    /// One of those that the sender knows of asked for the same.
    is_same_wish: bool,
}

/// How many earlier leads for one home are looked at.
const EARLIER_MAX: i64 = 10;

async fn find_repeat(
    records: &Records,
    sending: &Sending<'_>,
    owner: &Ownership,
    is_stranger: bool,
) -> ApiResult<Repeat> {
    let Some(listing) = &sending.place.listing else {
        return Ok(Repeat::default());
    };
    // Nobody was answered about somebody who is met only now.
    let pool = if is_stranger {
        records.read.readers()
    } else {
        records.heard().await?
    };
    let rows = query::find_earlier(pool, owner, listing.root_id, EARLIER_MAX).await?;
    let earlier_ones: Vec<LeadId> = rows.iter().filter_map(query::BoardRow::id).collect();
    // Who shows one earlier lead is told of that one alone: the address may be another person's (T5).
    let known = sending
        .shown
        .map_or_else(|| earlier_ones.clone(), |shown| vec![shown]);
    let mut is_same_wish = false;
    for earlier in known {
        let lead = records.log.load::<Lead>(earlier).await?.state;
        is_same_wish = is_same_wish || asks_again(sending.checked.variant, &lead);
    }
    Ok(Repeat {
        of: sending.shown.or_else(|| earlier_ones.first().copied()),
        is_same_wish,
    })
}

/// Whether an enquiry asks for what an earlier lead asked for. A tour may have been asked for on a lead that began otherwise.
fn asks_again(variant: LeadVariant, earlier: &Lead) -> bool {
    let submission = earlier.submission.as_deref();
    let toured = variant == LeadVariant::VirtualTourEnquiry && earlier.viewing.is_some();
    toured || submission.is_some_and(|submission| variant.repeats(submission.variant))
}

/// Facts of an enquiry for the history of a logged-in student.
fn note_of(sending: &Sending<'_>, caller: &Caller, submission: &Submission) -> Option<UserHistoryCommand> {
    caller.person.as_ref()?;
    let listing = sending.place.listing.as_ref()?;
    let waitlisted = !submission.available || submission.variant == LeadVariant::JoinWaitlist;
    Some(UserHistoryCommand::Note {
        property_id: listing.root_id,
        room_id: Some(listing.inventory_id).filter(|id| *id != listing.root_id),
        lead_id: sending.lead_id,
        fact: fact_of(submission.variant, waitlisted),
        at: sending.at,
    })
}

fn submission_of(sending: &Sending<'_>, caller: &Caller, person_id: UserId, repeat: &Repeat) -> Submission {
    let (payload, listing) = (sending.payload, sending.place.listing.as_ref());
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
        // Nobody has proved yet whose it is: its key goes with it.
        subject: caller.person.is_none().then(|| UserId(clock::new_id())),
        reference: reference(sending.lead_id),
        inventory_id: listing.map(|listing| listing.inventory_id),
        inventory_root_id: listing.map(|listing| listing.root_id),
        region_id: sending.place.region_id,
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
        device: Some(sending.device),
        repeat_of: repeat.of,
        repeat_shown: sending.shown.is_some(),
        repeats_wish: repeat.is_same_wish,
        verified,
        unclaimed: caller.person.is_none(),
        // A lead without a property waits for nothing.
        available: listing.is_none_or(|listing| listing.available),
        request_digest: sending.digest.clone(),
        idempotency_key_digest: None,
        language: Some(sending.language),
        quote: None,
        site: None,
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
