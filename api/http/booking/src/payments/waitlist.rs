//! The place of a payer who found no room: its number by the log's order, a signed token that proves it, and the anonymised
//! order (decision 0022).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::SecondsFormat;
use domain::aggregate::Decide as _;
use domain::id::{InventoryId, PaymentId};
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::{Lead, LeadStep};
use domain::moment::Moment;
use domain::nights::Nights;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentStatus};
use domain::room_stock::{
    JoinRequest, Place, RoomStock, RoomStockCommand, RoomStockEvent, RoomStockRejection,
};
use eventlog::{Append, CommitError, EventLog, Position, StreamId, commit, commit_together};
use health::notary::Notary;
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::contract::words::PlaceStateWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure, Rejected as _};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use platform::{clock, days, morning};
use processes::home_clock::{choose_place_clock, find_home_clock};
use processes::{payment_room, waiting};
use records::Records;
use records::error::RecordsError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

use super::{Found, Payments, find, private};

pub(super) const BY_TOKEN: Access = Access::Capability(Capability::PaymentToken);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(BY_TOKEN, routes!(read_place))
        .endpoint(BY_TOKEN, routes!(take_place))
        .endpoint(BY_TOKEN, routes!(leave_place))
        .endpoint(Access::Open, routes!(verify_place))
}

/// Purpose for which place tokens are signed.
const PURPOSE: &str = "place";
/// More events than the stock of one room ever has.
const EVENTS_MAX: usize = 100_000;

/// A payer's view of the waitlist of the room they did not get.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitlistView {
    /// True where a place can be taken: the room is gone, and this payment has none yet.
    pub can_join: bool,
    /// How many wait or are offered a room.
    pub waiting: usize,
    /// When each hold that others have on these rooms ends, soonest first: their number is how many rooms may come free.
    pub holds_end: Vec<String>,
    pub place: Option<PlaceView>,
    /// Every place ever taken for a night of this stay, in the order of the log, without names.
    pub order: Vec<OrderLine>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceView {
    /// From 1: who is offered the next room; null once the place is over.
    pub number: Option<usize>,
    #[schema(value_type = PlaceStateWord)]
    pub state: &'static str,
    /// Where in the log the place was taken.
    pub position: u64,
    pub joined_at: String,
    /// Until when a room is kept for this place.
    pub offered_until: Option<String>,
    /// The same as the student reads it, by the clock of their city and with its name.
    pub kept_until: Option<String>,
    /// Proves number, position and room: to be kept, and verified with `/api/v0/place_tokens/verify`.
    pub token: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WaitlistOrderLine)]
pub struct OrderLine {
    /// From 1: whose turn it is; null once the place is over.
    pub number: Option<usize>,
    /// Where in the log the place was taken.
    pub position: u64,
    pub joined_at: String,
    #[schema(value_type = PlaceStateWord)]
    pub state: &'static str,
    /// A member of staff moved it to the front.
    pub is_override: bool,
    pub is_own: bool,
}

/// Statement of a place token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PlaceStatement)]
pub struct Statement {
    #[schema(value_type = String)]
    pub room: InventoryId,
    pub stay: String,
    /// The number when the place was taken: how many were before it, and one.
    pub number: usize,
    /// Where in the log the place was taken.
    pub position: u64,
    pub joined_at: String,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct JoinQuery {
    /// By whose clock the student lives, such as `Asia/Shanghai`; the home's where it is left out or not known.
    time_zone: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlaceToken, example = json!({ "token": "eyJyb29tIjoi.4f2a" }))]
pub struct TokenBody {
    token: String,
}

/// `GET /api/v0/payments/{token}/waitlist`.
///
/// # Errors
/// 404 `token not found`.
#[utoipa::path(get, path = "/api/v0/payments/{token}/waitlist", tag = "payments", params(("token" = String, Path)),
    responses((status = 200, body = Success<WaitlistView>), (status = 404, body = Failure)))]
pub async fn read_place(
    State(payments): State<Payments>,
    State(notary): State<Notary>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let view = view(&payments.records.log, &notary, &found, context.lang).await?;
    Ok(private(Success::new(view)))
}

/// `POST /api/v0/payments/{token}/waitlist`: takes a place; asked twice there is one.
///
/// # Errors
/// 404, 409 where the payment found its room, or a room is free, 422 for a person who waits for as many rooms as they may.
#[utoipa::path(post, path = "/api/v0/payments/{token}/waitlist", tag = "payments", params(("token" = String, Path), JoinQuery),
    responses((status = 201, body = Success<WaitlistView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn take_place(
    State(payments): State<Payments>,
    State(notary): State<Notary>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
    Query(asked_in): Query<JoinQuery>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let log = &payments.records.log;
    let terms = waiting_terms(&found)?;
    let own_zone = asked_in.time_zone.filter(|zone| morning::is_zone(zone));
    let time_zone = match own_zone {
        Some(zone) => zone,
        None => zone_of_home(log, terms.inventory_root_id).await?,
    };
    let offer = payment_room::on_offer(log, &found.loaded.state).await?;
    let asked = context.command(caller.actor(), &("join", &token));
    let join = JoinRequest {
        payment_id: found.payment_id,
        lead_id: terms.lead_id,
        home_id: terms.inventory_root_id,
        stay: terms.stay(),
        offer,
        open_places: 0,
        time_zone,
        at: asked.at,
    };
    let joined = commit_together::<RoomStockRejection, _>(log, &asked, |append| {
        joining(&payments.records, append, terms, join.clone())
    })
    .await
    .map_err(refused)?;
    changed(
        &payments,
        &notary,
        &found,
        (StatusCode::CREATED, joined.last, context.lang),
    )
    .await
}

/// The zone of a home; empty where none is known.
async fn zone_of_home(log: &EventLog, home_id: InventoryId) -> ApiResult<String> {
    let home = log.load::<Inventory>(home_id).await?.state;
    let clock = find_home_clock(log, Language::default(), home.property.as_deref()).await?;
    Ok(clock.map(|clock| clock.zone).unwrap_or_default())
}

/// The waitlist as it stands after a command of this payer.
async fn changed(
    payments: &Payments,
    notary: &Notary,
    found: &Found,
    (status, position, lang): (StatusCode, Position, Language),
) -> ApiResult<Response> {
    payments.records.answers_for(position);
    let view = view(&payments.records.log, notary, found, lang).await?;
    Ok(private((status, Success::at(view, position))))
}

/// A place, and its note on the lead. The person's other enquiries must not take a place meanwhile: what they wait for is counted.
async fn joining(
    records: &Records,
    append: Append,
    terms: &Terms,
    join: JoinRequest,
) -> Result<Append, CommitError<RoomStockRejection>> {
    let log = &records.log;
    let waiting = waiting::of_contact(records, terms.lead_id).await;
    let waiting = waiting.map_err(|error| match error {
        RecordsError::Log(error) => CommitError::Log(error),
        _ => CommitError::Busy,
    })?;
    let stock = log.load::<RoomStock>(terms.room_id).await?;
    let step = LeadStep::PlaceTaken {
        payment_id: join.payment_id,
        inventory_id: terms.room_id,
    };
    let at = join.at;
    let join = RoomStockCommand::Join(JoinRequest {
        open_places: waiting.open.len(),
        ..join
    });
    let events = stock.state.decide(join).map_err(CommitError::Rejected)?;
    if events.is_empty() {
        return Ok(append);
    }
    let mut append = append
        .decision(terms.room_id, &stock, &events)
        .map_err(|error| CommitError::Log(error.into()))?;
    for (lead_id, lead) in &waiting.leads {
        if *lead_id == terms.lead_id {
            append = append
                .decision(*lead_id, lead, &lead.state.progress(step, at))
                .map_err(|error| CommitError::Log(error.into()))?;
        } else {
            append = append.guard(StreamId::of::<Lead>(*lead_id), lead.expected());
        }
    }
    Ok(append)
}

/// Who waits for too many rooms reads which field it is about, and the way out.
fn refused(error: CommitError<RoomStockRejection>) -> ApiError {
    match error {
        CommitError::Rejected(rejection @ RoomStockRejection::TooManyPlaces) => {
            ApiError::invalid_field("waitlist", rejection.code(), rejection.said())
        }
        other => other.into(),
    }
}

/// `POST /api/v0/payments/{token}/waitlist/leave`: gives the place back.
///
/// # Errors
/// 404 `token not found`.
#[utoipa::path(post, path = "/api/v0/payments/{token}/waitlist/leave", tag = "payments", params(("token" = String, Path)),
    responses((status = 200, body = Success<WaitlistView>), (status = 404, body = Failure)))]
pub async fn leave_place(
    State(payments): State<Payments>,
    State(notary): State<Notary>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let log = &payments.records.log;
    let terms = terms_of(&found)?;
    let asked = context.command(caller.actor(), &("leave", &token));
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    let payment_id = own(&stock, found.payment_id, terms).map_or(found.payment_id, |place| place.payment_id);
    let leave = RoomStockCommand::Leave {
        payment_id,
        booked: false,
    };
    let left = commit::<RoomStock>(log, terms.room_id, leave, &asked).await?;
    changed(
        &payments,
        &notary,
        &found,
        (StatusCode::OK, left.position, context.lang),
    )
    .await
}

/// `POST /api/v0/place_tokens/verify`: whether this server signed a place token, and what it states. The token is in the body: it
/// belongs into no address.
///
/// # Errors
/// 422 for a token that was changed, or was never one.
#[utoipa::path(post, path = "/api/v0/place_tokens/verify", tag = "payments", request_body = TokenBody,
    responses((status = 200, body = Success<Statement>), (status = 422, body = Failure)))]
pub async fn verify_place(
    State(notary): State<Notary>,
    _context: RequestContext,
    Body(body): Body<TokenBody>,
) -> ApiResult<Success<Statement>> {
    let wrong = || ApiError::invalid_field("token", "unverified", say("refusal.place_token"));
    match stated(&notary, &body.token).map_err(ApiError::broken)? {
        Some(statement) => Ok(Success::new(statement)),
        None => Err(wrong()),
    }
}

pub(super) fn terms_of(found: &Found) -> ApiResult<&Terms> {
    let terms = found.loaded.state.terms.as_ref();
    terms.ok_or_else(|| ApiError::not_found(say("refusal.token_not_found")))
}

/// Only a payment that found no room waits for one.
fn waiting_terms(found: &Found) -> ApiResult<&Terms> {
    if may_wait(&found.loaded.state) {
        terms_of(found)
    } else {
        Err(ApiError::conflict("room_free", say("refusal.room_free")))
    }
}

fn may_wait(payment: &Payment) -> bool {
    let is_link = payment.terms.as_ref().is_some_and(|terms| terms.link.is_some());
    payment.status == PaymentStatus::SoldOut && payment.captures.is_empty() && !is_link
}

/// The place of this payment, or of another payment of the same enquiry that still counts.
pub(super) fn own<'s>(stock: &'s RoomStock, payment_id: PaymentId, terms: &Terms) -> Option<&'s Place> {
    let of_lead = |place: &&Place| place.lead_id == terms.lead_id && place.stay == terms.stay();
    let places = &stock.waitlist.places;
    let direct = stock.waitlist.place(payment_id);
    direct.or_else(|| places.iter().rev().find(of_lead))
}

/// No place was taken yet, or it is over.
fn has_none(place: Option<&PlaceView>) -> bool {
    place.is_none_or(|place| place.number.is_none())
}

async fn view(log: &EventLog, notary: &Notary, found: &Found, lang: Language) -> ApiResult<WaitlistView> {
    let terms = terms_of(found)?;
    let stay = terms.stay();
    let nights = Nights::of(stay);
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    let joined = joined(log, terms.room_id).await?;
    let position_of = |payment_id: PaymentId| {
        let found = joined.iter().find(|(id, _)| *id == payment_id);
        found.map_or(0, |(_, position)| *position)
    };
    let now = clock::now();
    let place = own(&stock, found.payment_id, terms);
    // Places for one of its nights wait for the same rooms.
    let sharing = || {
        let places = stock.waitlist.places.iter();
        places.filter(|place| Nights::of(place.stay).overlaps(nights))
    };
    let mut ends: Vec<Moment> = stock
        .holds
        .values()
        .filter(|hold| hold.nights().overlaps(nights))
        .filter_map(|hold| hold.expires_at)
        .filter(|end| *end > now)
        .collect();
    ends.sort();
    let order = sharing().map(|other| OrderLine {
        number: stock.waitlist.number(other.payment_id),
        position: position_of(other.payment_id),
        joined_at: instant(other.joined_at),
        state: other.state.name(),
        is_override: other.moved_up.is_some(),
        is_own: place.is_some_and(|own| own.payment_id == other.payment_id),
    });
    let order: Vec<OrderLine> = order.collect();
    let home = log.load::<Inventory>(terms.inventory_root_id).await?.state;
    let home_clock = find_home_clock(log, lang, home.property.as_deref()).await?;
    let place = match place {
        Some(place) => {
            let clock = choose_place_clock(place.time_zone.as_deref(), home_clock);
            let before = sharing()
                .take_while(|other| other.payment_id != place.payment_id)
                .count();
            let statement = Statement {
                room: terms.room_id,
                stay: stay.key(),
                number: before + 1,
                position: position_of(place.payment_id),
                joined_at: instant(place.joined_at),
            };
            Some(PlaceView {
                number: stock.waitlist.number(place.payment_id),
                state: place.state.name(),
                position: statement.position,
                joined_at: statement.joined_at.clone(),
                offered_until: place.offered_until().map(instant),
                kept_until: place
                    .offered_until()
                    .map(|until| days::moment(lang, until, clock.as_ref())),
                token: signed(notary, &statement).map_err(ApiError::broken)?,
            })
        }
        None => None,
    };
    Ok(WaitlistView {
        can_join: may_wait(&found.loaded.state) && !home.state.is_gone() && has_none(place.as_ref()),
        waiting: stock.waitlist.queue(stay).len(),
        holds_end: ends.into_iter().map(instant).collect(),
        place,
        order,
    })
}

/// Who joined, and where in the log that stands.
async fn joined(log: &EventLog, room_id: InventoryId) -> ApiResult<Vec<(PaymentId, Position)>> {
    let stream = StreamId::of::<RoomStock>(room_id);
    let events = log.read_stream(&stream, 0, EVENTS_MAX).await?;
    let joined = events
        .iter()
        .filter(|event| event.stream.kind == RoomStock::KIND)
        .filter_map(|event| match event.decode::<RoomStock>() {
            Ok(RoomStockEvent::WaitlistJoined { payment_id, .. }) => Some((payment_id, event.position)),
            _ => None,
        });
    Ok(joined.collect())
}

/// A statement and its signature, both in hex with a point between: letters that go through every form and mail.
fn signed(notary: &Notary, statement: &Statement) -> Result<String, String> {
    let text = serde_json::to_vec(statement).map_err(|error| error.to_string())?;
    let signature = notary.sign_text(PURPOSE, &text)?;
    Ok(format!("{}.{}", hex::encode(text), hex::encode(signature)))
}

/// Statement of a token; `None` where it was changed or never was one.
fn stated(notary: &Notary, token: &str) -> Result<Option<Statement>, String> {
    let parts = token.trim().split_once('.');
    let read =
        parts.and_then(|(text, signature)| Some((hex::decode(text).ok()?, hex::decode(signature).ok()?)));
    let Some((text, signature)) = read else {
        return Ok(None);
    };
    let Ok(signature) = <[u8; 64]>::try_from(signature) else {
        return Ok(None);
    };
    if !notary.has_signed_text(PURPOSE, &text, &signature)? {
        return Ok(None);
    }
    Ok(serde_json::from_slice(&text).ok())
}

/// RFC 3339 with microseconds (X5).
fn instant(at: Moment) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}
