//! My activity: bookings, enquiries, shortlist (D20; row G1): each lead as a card with its steps and what comes next.

use std::sync::Arc;

use axum::extract::State;
use domain::booking_form::BookingForm;
use domain::calendar;
use domain::country::Flow;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::{Lead, LeadStatus};
use domain::payment::Payment;
use eventlog::EventLog;
use http_kit::caller::Person;
use http_kit::contract::price::Price;
use http_kit::contract::words::{
    LeadStatusWord, NextActionWord, PaymentStatusWord, StepKeyWord, StepStateWord,
};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{List, Meta, Success};
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::price_lock::{PriceLockView, price_lock};
use http_kit::request::{Query, RequestContext};
use http_kit::said::say;
use http_kit::stay_price::{PriceLine, price_of_stay};
use platform::clock;
use projections::lead_board::query::{self, BoardRow, Which};
use projections::{journey, listing_name};
use records::Records;
use search_index::item::Occasion;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::Services;
use crate::contract::catalogue::InventoryCard;
use crate::payment_links::{self, LinkLine};

mod mail_link;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::LoggedIn, routes!(activity))
}

/// D44: profile lists.
const LIMIT: u64 = 20;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ActivityQuery {
    /// `booked` (default), `enquired`, `shortlisted`, `recently_viewed`.
    #[param(pattern = "^(booked|enquired|shortlisted|recently_viewed)$")]
    tab: Option<String>,
    p: Option<u64>,
    /// The proof in a mail's link: the enquiry that the mail tells of is claimed, where it names an address that this login has proved.
    enquiry: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Activity {
    counts: Counts,
    leads: List<ActivityLead>,
    #[schema(value_type = Vec<InventoryCard>)]
    shortlisted: Vec<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityCounts)]
pub struct Counts {
    booked: u64,
    enquired: u64,
    shortlisted: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityLead {
    lead_uuid: String,
    reference: String,
    #[schema(value_type = LeadStatusWord)]
    state: String,
    property: PropertyLine,
    room: Option<RoomLine>,
    move_in_date: Option<String>,
    steps: Vec<Step>,
    next_action: Option<NextAction>,
    payment: Option<PaymentLine>,
    /// Payment links that staff made for this booking, oldest first; those taken back are left out.
    links: Vec<LinkLine>,
    /// Price that the enquiry froze, while nothing is booked.
    price_lock: Option<PriceLockView>,
    created_at: String,
}

#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ActivityProperty)]
pub struct PropertyLine {
    name: String,
    canonical_name: String,
    image: String,
    address: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityRoom)]
pub struct RoomLine {
    name: String,
    #[schema(value_type = Price)]
    price: PriceLine,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityStep)]
pub struct Step {
    #[schema(value_type = StepKeyWord)]
    key: &'static str,
    #[schema(value_type = StepStateWord)]
    state: &'static str,
    at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NextAction {
    #[schema(value_type = NextActionWord)]
    key: &'static str,
    href: String,
    deadline: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityPayment)]
pub struct PaymentLine {
    token: String,
    #[schema(value_type = PaymentStatusWord)]
    status: &'static str,
    total_minor: u64,
    currency: &'static str,
}

/// Lists what I booked, asked for and put aside.
///
/// # Errors
/// 401 for a visitor, 422 for a tab that does not exist.
#[utoipa::path(get, path = "/api/v0/users/activity", params(ActivityQuery),
    responses((status = 200, body = Success<Activity>), (status = 401), (status = 422)))]
pub async fn activity(
    State(records): State<Records>,
    context: RequestContext,
    person: Person,
    Query(query): Query<ActivityQuery>,
) -> ApiResult<Success<Activity>> {
    let page = query.p.unwrap_or(1).max(1);
    let (which, other) = match query.tab.as_deref().unwrap_or("booked") {
        "booked" => (Which::Booked, Which::Enquired),
        "enquired" => (Which::Enquired, Which::Booked),
        "shortlisted" | "recently_viewed" => return shortlisted_only(&records, &person, context.lang).await,
        _ => {
            return Err(ApiError::invalid_field("tab", "choice", say("refusal.tab")));
        }
    };
    if let Some(link) = &query.enquiry {
        mail_link::claim_enquiry(&records, &context, &person, link).await?;
    }
    let owner = person.ownership(&records.log);
    let pool = records.heard().await?;
    let board = query::owned(pool, &owner, which, page, LIMIT).await?;
    let other = query::owned(pool, &owner, other, 1, 0).await?.total;
    let mut result = Vec::with_capacity(board.rows.len());
    for row in &board.rows {
        result.extend(card(&records, row, context.lang).await?);
    }
    let (booked_count, enquired_count) = if which == Which::Booked {
        (board.total, other)
    } else {
        (other, board.total)
    };
    let shortlisted = shortlisted(&records, &person, context.lang).await?;
    Ok(Success::new(Activity {
        counts: Counts {
            booked: booked_count,
            enquired: enquired_count,
            shortlisted: shortlisted.len(),
        },
        leads: List {
            meta: Meta::new(board.total, LIMIT, page),
            result,
        },
        shortlisted,
    }))
}

async fn shortlisted_only(
    records: &Records,
    person: &Person,
    lang: Language,
) -> ApiResult<Success<Activity>> {
    let owner = person.ownership(&records.log);
    let pool = records.heard().await?;
    let booked = query::owned(pool, &owner, Which::Booked, 1, 0).await?.total;
    let enquired = query::owned(pool, &owner, Which::Enquired, 1, 0).await?.total;
    let shortlisted = shortlisted(records, person, lang).await?;
    Ok(Success::new(Activity {
        counts: Counts {
            booked,
            enquired,
            shortlisted: shortlisted.len(),
        },
        leads: List {
            meta: Meta::new(0, LIMIT, 1),
            result: vec![],
        },
        shortlisted,
    }))
}

/// The shortlist as search cards, newest entry first.
async fn shortlisted(records: &Records, person: &Person, lang: Language) -> ApiResult<Vec<Value>> {
    let entries = journey::shortlist(records.heard().await?, person.user_id).await?;
    let occasion = Occasion {
        today: clock::now().date_naive(),
        lang: lang.code(),
        origin: None,
    };
    let mut cards = Vec::with_capacity(entries.len());
    for inventory_id in entries {
        let Some(item): Option<Arc<_>> = records.catalogue.item(inventory_id) else {
            continue;
        };
        let of_the_day = records.catalogue.property_of_the_day(item.region, occasion.today) == Some(item.id);
        let mut json = Vec::new();
        item.write_card(&occasion, of_the_day, &mut json);
        cards.push(serde_json::from_slice(&json).map_err(ApiError::broken)?);
    }
    Ok(cards)
}

/// One lead as its own link shows it without a login (D19): to read, with nothing to press and no way to its payment.
///
/// # Errors
/// When the read models or the log cannot be read.
pub async fn shown_by_link(
    records: &Records,
    lead_uuid: &str,
    lang: Language,
) -> ApiResult<Option<ActivityLead>> {
    let Ok(uuid) = lead_uuid.parse() else {
        return Ok(None);
    };
    let pool = records.heard().await?;
    let Some(lead_id) = query::find_by_uuid(pool, records.log.handles(), uuid).await? else {
        return Ok(None);
    };
    let Some(row) = query::row(pool, lead_id).await? else {
        return Ok(None);
    };
    let shown = card(records, &row, lang).await?;
    Ok(shown.map(|lead| ActivityLead {
        next_action: None,
        payment: lead.payment.map(|payment| PaymentLine {
            token: String::new(),
            ..payment
        }),
        links: vec![],
        ..lead
    }))
}

#[expect(clippy::too_many_lines, reason = "one card, field by field")]
async fn card(records: &Records, row: &BoardRow, lang: Language) -> ApiResult<Option<ActivityLead>> {
    let Some(lead_id) = row.id() else { return Ok(None) };
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let Some(personal) = lead.personal.as_ref() else {
        return Ok(None);
    };
    let lead_uuid = personal.lead_uuid.to_string();
    let listing = match row.inventory_id.as_deref().or(row.root_id.as_deref()) {
        Some(id) => listing_name::find(records.read.readers(), id).await?,
        None => None,
    };
    let canonical = match row.root_id.as_deref() {
        Some(root) => listing_name::find(records.read.readers(), root)
            .await?
            .map(|found| found.canonical_name),
        None => None,
    };
    let home = match row.root_id.as_deref().and_then(|root| root.parse().ok()) {
        Some(root) => records.log.load::<Inventory>(InventoryId(root)).await?.state,
        None => Inventory::default(),
    };
    let payment = match lead.booked_by.or(lead.payment) {
        Some(payment_id) => Some(records.log.load::<Payment>(payment_id).await?.state),
        None => None,
    };
    let property = listing
        .as_ref()
        .map_or_else(PropertyLine::default, |listing| PropertyLine {
            name: listing.property_in(lang.code()).to_owned(),
            canonical_name: canonical.clone().unwrap_or_default(),
            image: listing.picture.clone().unwrap_or_default(),
            address: listing.address.clone(),
        });
    let kept = match listing.as_ref().and_then(listing_name::ListingName::id) {
        Some(room_id) => price_lock(&records.log, &lead, (room_id, None), clock::now()).await?,
        None => None,
    };
    let room = listing.as_ref().and_then(|listing| {
        let name = listing.room_in(lang.code())?.to_owned();
        let price = price_of_stay(&home, listing, &lead, payment.as_ref())?;
        let amount_minor = kept.as_ref().map_or(price.amount_minor, |kept| kept.counts_minor);
        let price = PriceLine {
            amount_minor,
            ..price
        };
        Some(RoomLine { name, price })
    });
    let place = canonical.as_ref().map(|name| Place {
        canonical_name: name,
        room_id: listing
            .as_ref()
            .filter(|listing| listing.inventory_id != listing.root_id)
            .map(|listing| listing.inventory_id.as_str()),
        flow: home.property.as_deref().map(|property| property.country.flow()),
    });
    let next_action = match &place {
        Some(place) => next_action(&records.log, &lead, &lead_uuid, place, payment.as_ref()).await?,
        None => None,
    };
    Ok(Some(ActivityLead {
        reference: row.reference.clone(),
        state: row.status.clone(),
        property,
        room,
        move_in_date: move_in(&lead, payment.as_ref()),
        steps: steps(&lead, row, payment.as_ref()),
        next_action,
        payment: payment.as_ref().and_then(payment_line),
        links: payment_links::of_booking(records, lead_id, &lead).await?,
        price_lock: kept,
        created_at: row.created_at.clone(),
        lead_uuid,
    }))
}

fn move_in(lead: &Lead, payment: Option<&Payment>) -> Option<String> {
    let paid = payment
        .and_then(|payment| payment.terms.as_ref())
        .map(|terms| terms.move_in_date.to_string());
    paid.or_else(|| wished_day(lead))
}

fn wished_day(lead: &Lead) -> Option<String> {
    lead.wish.move_in_date.as_deref().map(calendar::in_form_of_today)
}

fn payment_line(payment: &Payment) -> Option<PaymentLine> {
    let (terms, token) = (payment.terms.as_ref()?, payment.token.clone()?);
    Some(PaymentLine {
        token,
        status: payment.status.name(),
        total_minor: terms.quote.total_minor,
        currency: terms.quote.currency.code(),
    })
}

/// Enquired, form, payment, booked, move-in: done, now, or later.
fn steps(lead: &Lead, row: &BoardRow, payment: Option<&Payment>) -> Vec<Step> {
    let reached = match lead.status {
        LeadStatus::Created
        | LeadStatus::Enquired
        | LeadStatus::Waitlisted
        | LeadStatus::ViewingRequested
        | LeadStatus::FormStarted
        | LeadStatus::Cancelled
        | LeadStatus::Lost => 1,
        LeadStatus::FormCompleted | LeadStatus::PaymentStarted => 2,
        LeadStatus::Booked => 4,
        LeadStatus::Completed => 5,
    };
    let going_on = !matches!(lead.status, LeadStatus::Cancelled | LeadStatus::Lost);
    let paid = payment
        .and_then(|payment| payment.succeeded_at)
        .map(|at| at.to_rfc3339());
    let times = [Some(row.created_at.clone()), None, paid.clone(), paid, None];
    ["enquired", "form", "payment", "booked", "move_in"]
        .into_iter()
        .zip(times)
        .enumerate()
        // Nobody filled one in where the payment comes first.
        .filter(|(_, (key, _))| *key != "form" || lead.form.is_some() || reached < 2)
        .map(|(place, (key, at))| Step {
            key,
            state: if place < reached {
                "done"
            } else if place == reached && going_on {
                "now"
            } else {
                "later"
            },
            at,
        })
        .collect()
}

/// Where a lead goes on: its home's pages, and the room it is about.
struct Place<'p> {
    canonical_name: &'p str,
    room_id: Option<&'p str>,
    flow: Option<Flow>,
}

impl Place<'_> {
    /// The form's page with the room and stay that were asked for, so that nothing is chosen twice.
    fn form(&self, lead: &Lead, lead_uuid: &str) -> String {
        let flow = lead.form.map(|(_, flow)| flow).or(self.flow);
        let page = if flow == Some(Flow::Apply) {
            "application"
        } else {
            "form"
        };
        let day = wished_day(lead);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("lead_uuid", lead_uuid);
        for (name, value) in [
            ("inventory_id", self.room_id),
            ("move_in_date", day.as_deref()),
            ("lease_duration", lead.wish.lease_duration.as_deref()),
        ] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        format!("/places/{}/{page}?{}", self.canonical_name, query.finish())
    }
}

/// D27: what the student may do next, and until when.
async fn next_action(
    log: &EventLog,
    lead: &Lead,
    lead_uuid: &str,
    place: &Place<'_>,
    payment: Option<&Payment>,
) -> ApiResult<Option<NextAction>> {
    let applies = lead
        .form
        .map_or(place.flow, |(_, flow)| Some(flow))
        .is_some_and(|flow| flow == Flow::Apply);
    let form = place.form(lead, lead_uuid);
    let (key, href) = match lead.status {
        LeadStatus::Created | LeadStatus::Enquired | LeadStatus::ViewingRequested if applies => {
            ("apply_now", form)
        }
        LeadStatus::Created | LeadStatus::Enquired | LeadStatus::ViewingRequested => ("book", form),
        LeadStatus::FormStarted if applies => ("continue_to_apply", form),
        LeadStatus::FormStarted => ("continue_to_book", form),
        LeadStatus::FormCompleted | LeadStatus::PaymentStarted => {
            // One that lost its room leads nowhere: the next is opened (decision 0023).
            let token = payment
                .filter(|payment| !payment.is_over())
                .and_then(|payment| payment.token.as_ref());
            let href = token.map_or_else(
                || format!("/places/{}/payment?lead_uuid={lead_uuid}", place.canonical_name),
                |token| format!("/payments/{token}"),
            );
            ("continue_to_pay", href)
        }
        LeadStatus::Booked if are_documents_due(log, lead).await? => ("add_documents", form),
        LeadStatus::Waitlisted
        | LeadStatus::Booked
        | LeadStatus::Cancelled
        | LeadStatus::Lost
        | LeadStatus::Completed => return Ok(None),
    };
    let held_until = payment
        .filter(|_| lead.booked_by.is_none())
        .and_then(|payment| payment.hold)
        .and_then(|hold| hold.expires_at);
    Ok(Some(NextAction {
        key,
        href,
        deadline: held_until.map(|until| until.to_rfc3339()),
    }))
}

/// Whether a booking still waits for what is asked after the payment (D92).
async fn are_documents_due(log: &EventLog, lead: &Lead) -> ApiResult<bool> {
    match lead.form {
        Some((form_id, _)) => {
            let form = log.load::<BookingForm>(form_id).await?.state;
            Ok(!form.open_after_payment().is_empty())
        }
        None => Ok(false),
    }
}
