//! What this visitor did about a property: drives the calls to action (Spec §3 "User history", D27; row F7).

use axum::extract::State;
use booking::leads::access;
use booking::leads::answer::View;
use domain::country::Flow;
use domain::id::{BookingFormId, PaymentId};
use domain::lead::{Lead, LeadStatus, LeadVariant};
use domain::payment::Payment;
use domain::user_history::PropertyHistory;
use eventlog::EventLog;
use http_kit::caller::{Caller, Person};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use projections::journey;
use projections::lead_board::form_uuid;
use records::Records;
use records::listing::{self, Listing};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(user_history))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct HistoryQuery {
    /// The capability of a visitor's own lead, for a caller without a login.
    lead_uuid: Option<String>,
}

#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = UserHistory)]
#[expect(clippy::struct_excessive_bools, reason = "the specification's flags")]
pub struct HistoryAnswer {
    enquired: bool,
    waitlisted: bool,
    contacted: bool,
    #[serde(rename = "getHelpClicked")]
    get_help_clicked: bool,
    book_form_initiated: bool,
    book_form_completed: bool,
    payment_initiated: bool,
    payment_completed: bool,
    shortlisted: bool,
    lead_uuid: Option<String>,
    form_uuid: Option<String>,
    payment_token: Option<String>,
    redirection_urls: RedirectionUrls,
    /// Rooms of the property with flags of their own.
    rooms: Vec<RoomFlags>,
}

/// Where what was begun goes on.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct RedirectionUrls {
    book_form: Option<String>,
    payment: Option<String>,
}

impl RedirectionUrls {
    fn of(listing: &Listing, lead_uuid: Option<&str>, has_form: bool, token: Option<&str>) -> Self {
        let page = match listing.flow {
            Flow::Book => "form",
            Flow::Apply => "application",
        };
        let form = |lead_uuid| {
            format!(
                "/places/{}/{page}?lead_uuid={lead_uuid}",
                listing.name.canonical_name
            )
        };
        Self {
            book_form: lead_uuid.filter(|_| has_form).map(form),
            payment: token.map(|token| format!("/payments/{token}")),
        }
    }
}

/// Enquiry and booking of one room.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomFlags {
    inventory_id: String,
    enquired: bool,
    booked: bool,
}

/// The flags of one property for whoever asks.
///
/// # Errors
/// 404 for an unknown property.
#[utoipa::path(get, path = "/api/v0/inventories/{id}/user_history", params(("id" = String, Path), HistoryQuery),
    responses((status = 200, body = Success<HistoryAnswer>), (status = 404)))]
pub async fn user_history(
    State(records): State<Records>,
    _context: RequestContext,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> ApiResult<Success<HistoryAnswer>> {
    let listing = listing::find_id(&records, &id)
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_property")))?;
    if let Some(person) = &caller.person {
        return Ok(Success::new(of_person(&records, person, &listing).await?));
    }
    // A link to somebody else's lead, or one that is gone, tells nothing.
    let answer = match query.lead_uuid.as_deref() {
        Some(lead_uuid) => of_lead(&records, &caller, lead_uuid, &listing).await?,
        None => HistoryAnswer::default(),
    };
    Ok(Success::new(answer))
}

async fn of_person(records: &Records, person: &Person, listing: &Listing) -> ApiResult<HistoryAnswer> {
    let pool = records.heard().await?;
    let flags = journey::history(pool, person.user_id, listing.root_id).await?;
    let shortlisted = journey::is_shortlisted(pool, person.user_id, listing.root_id).await?;
    let mut answer = of_flags(&records.log, person, &flags, listing).await?;
    answer.shortlisted = shortlisted;
    Ok(answer)
}

async fn of_flags(
    log: &EventLog,
    person: &Person,
    flags: &PropertyHistory,
    listing: &Listing,
) -> ApiResult<HistoryAnswer> {
    // A history can name a lead that has another owner: a login by phone claimed leads once.
    let is_theirs = |lead: &Lead| lead.belongs_to(person.user_id, person.user.email.as_ref());
    let lead_uuid = match flags.last_lead {
        Some(lead_id) => {
            let lead = log.load::<Lead>(lead_id).await?.state;
            let own = lead.personal.as_ref().filter(|_| is_theirs(&lead));
            own.map(|own| own.lead_uuid.to_string())
        }
        None => None,
    };
    let is_own = lead_uuid.is_some();
    let payment_token = token_of(log, flags.payment_id.filter(|_| is_own)).await?;
    let rooms = flags.rooms.iter().map(|(id, room)| RoomFlags {
        inventory_id: id.to_string(),
        enquired: room.enquired,
        booked: room.booked,
    });
    Ok(HistoryAnswer {
        redirection_urls: RedirectionUrls::of(
            listing,
            lead_uuid.as_deref(),
            flags.form_id.is_some(),
            payment_token.as_deref(),
        ),
        rooms: rooms.collect(),
        get_help_clicked: flags.get_help_clicked,
        enquired: flags.enquired,
        waitlisted: flags.waitlisted,
        contacted: flags.contacted,
        book_form_initiated: flags.book_form_initiated,
        book_form_completed: flags.book_form_completed,
        payment_initiated: flags.payment_initiated,
        payment_completed: flags.payment_completed,
        shortlisted: false,
        lead_uuid,
        form_uuid: flags.form_id.filter(|_| is_own).map(|id| public_form(log, id)),
        payment_token,
    })
}

async fn of_lead(
    records: &Records,
    caller: &Caller,
    lead_uuid: &str,
    listing: &Listing,
) -> ApiResult<HistoryAnswer> {
    let seen = match access::open(records, caller, lead_uuid).await {
        Ok(seen) => seen,
        // Nobody knows just now: that is no answer.
        Err(error) if error.status.is_server_error() => return Err(error),
        Err(_) => return Ok(HistoryAnswer::default()),
    };
    let root = seen
        .lead
        .submission
        .as_deref()
        .and_then(|sent| sent.inventory_root_id);
    if root != Some(listing.root_id) || seen.view == View::Masked {
        return Ok(HistoryAnswer::default());
    }
    of_own_lead(&records.log, &seen.lead, listing).await
}

async fn of_own_lead(log: &EventLog, lead: &Lead, listing: &Listing) -> ApiResult<HistoryAnswer> {
    let variant = lead.submission.as_deref().map(|sent| sent.variant);
    let waitlisted = lead.status == LeadStatus::Waitlisted;
    let contacted = variant == Some(LeadVariant::ContactUs);
    let lead_uuid = lead.personal.as_ref().map(|own| own.lead_uuid.to_string());
    let payment_token = token_of(log, lead.booked_by.or(lead.payment)).await?;
    let room = lead.submission.as_deref().and_then(|sent| sent.inventory_id);
    let room = lead
        .booked_inventory_id
        .or(room)
        .filter(|id| *id != listing.root_id);
    let rooms = room.map(|id| RoomFlags {
        inventory_id: id.to_string(),
        enquired: true,
        booked: lead.booked_by.is_some(),
    });
    Ok(HistoryAnswer {
        redirection_urls: RedirectionUrls::of(
            listing,
            lead_uuid.as_deref(),
            lead.form.is_some(),
            payment_token.as_deref(),
        ),
        rooms: rooms.into_iter().collect(),
        get_help_clicked: variant == Some(LeadVariant::GetHelp),
        enquired: !waitlisted && !contacted,
        waitlisted,
        contacted,
        book_form_initiated: lead.form.is_some(),
        book_form_completed: lead.form_completed,
        payment_initiated: lead.payment.is_some(),
        payment_completed: lead.booked_by.is_some(),
        shortlisted: false,
        lead_uuid,
        form_uuid: lead.form.map(|(id, _)| public_form(log, id)),
        payment_token,
    })
}

fn public_form(log: &EventLog, form_id: BookingFormId) -> String {
    form_uuid(log.handles(), form_id).to_string()
}

/// The link's secret half of a payment that can still be paid or was paid, for its payer. One that lost its room leads
/// nowhere: whoever goes on opens the next (decision 0023).
///
/// # Errors
/// When the log cannot be read.
pub async fn token_of(log: &EventLog, payment_id: Option<PaymentId>) -> ApiResult<Option<String>> {
    match payment_id {
        Some(payment_id) => {
            let payment = log.load::<Payment>(payment_id).await?.state;
            Ok(payment.token.clone().filter(|_| !payment.is_over()))
        }
        None => Ok(None),
    }
}
