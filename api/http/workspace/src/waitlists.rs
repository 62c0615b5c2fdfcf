//! The waitlists of a home's rooms, as staff see them, and a place moved to the front: shown to all who wait as an override (decision 0022).

use axum::extract::State;
use domain::contact::seen_length;
use domain::id::{InventoryId, PaymentId};
use domain::lead::{Lead, LeadCommand};
use domain::payment::Payment;
use domain::room_stock::{RoomStock, RoomStockCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::PlaceStateWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::ANY_STAFF;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use platform::clock;
use projections::payment_audit::{instant, reference};
use projections::{listing_name, waitlist};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ANY_STAFF, routes!(read_waitlists))
        .endpoint(ANY_STAFF, routes!(list_awaited))
        .endpoint(ANY_STAFF, routes!(move_up))
}

/// Rooms that are listed at once.
const ROOMS: u64 = 200;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct WaitlistQuery {
    /// The room.
    room_id: String,
}

/// One place in a room's waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WorkspacePlace)]
pub struct PlaceRow {
    pub payment_id: String,
    pub reference: String,
    pub lead_id: String,
    pub stay: String,
    /// From 1; null once the place is over.
    pub number: Option<usize>,
    #[schema(value_type = PlaceStateWord)]
    pub state: &'static str,
    pub joined_at: String,
    pub offered_until: Option<String>,
    pub is_override: bool,
}

/// A room that is or was waited for.
#[derive(Debug, Serialize, ToSchema)]
pub struct AwaitedRoom {
    pub room_id: String,
    pub property: String,
    pub room: String,
    pub city: String,
    pub waiting: i64,
    pub offered: i64,
    /// Places that are over.
    pub ended: i64,
}

/// `GET /api/v0/workspace/awaited_rooms`: those with most that wait first.
///
/// # Errors
/// When the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/awaited_rooms", tag = "finance",
    responses((status = 200, body = Success<Vec<AwaitedRoom>>)))]
pub async fn list_awaited(
    State(records): State<Records>,
    context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<AwaitedRoom>>> {
    let pool = records.heard().await?;
    let mut rooms = Vec::new();
    for awaited in waitlist::rooms(pool, ROOMS).await? {
        let name = listing_name::find(pool, &awaited.room_id).await?;
        let (property, room, city) = name.map_or_else(Default::default, |name| {
            let lang = context.lang.code();
            let room = name.room_in(lang).unwrap_or_default().to_owned();
            let city = name.city_in(lang).to_owned();
            (name.property, room, city)
        });
        rooms.push(AwaitedRoom {
            room_id: awaited.room_id,
            property,
            room,
            city,
            waiting: awaited.waiting,
            offered: awaited.offered,
            ended: awaited.ended,
        });
    }
    Ok(Success::new(rooms))
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MovePlace, example = json!({ "reason": "Wheelchair access: no other room will do" }))]
pub struct MoveBody {
    reason: String,
}

/// `GET /api/v0/workspace/waitlists?room_id=…`.
///
/// # Errors
/// 404 for an address that names no room.
#[utoipa::path(get, path = "/api/v0/workspace/waitlists", tag = "finance", params(WaitlistQuery),
    responses((status = 200, body = Success<Vec<PlaceRow>>), (status = 404, body = Failure)))]
pub async fn read_waitlists(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<WaitlistQuery>,
) -> ApiResult<Success<Vec<PlaceRow>>> {
    let room_id = query.room_id.parse::<InventoryId>();
    let room_id = room_id.map_err(|_| ApiError::not_found(say("refusal.no_room")))?;
    let stock = records.log.load::<RoomStock>(room_id).await?.state;
    Ok(Success::new(rows(&stock)))
}

/// `POST /api/v0/workspace/waitlists/{id}/move_up`: `id` is the payment that waits; asked twice it moves once. The reason stays in
/// the lead's history as a note.
///
/// # Errors
/// 404, 409 where its place is over, 422 without a reason.
#[utoipa::path(post, path = "/api/v0/workspace/waitlists/{id}/move_up", tag = "finance", params(("id" = String, Path)),
    request_body = MoveBody,
    responses((status = 200, body = Success<Vec<PlaceRow>>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn move_up(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<PaymentId>,
    Body(body): Body<MoveBody>,
) -> ApiResult<Success<Vec<PlaceRow>>> {
    let terms = records.log.load::<Payment>(id).await?.state.terms;
    let terms = terms.ok_or_else(|| ApiError::not_found(say("refusal.no_payment")))?;
    let reason = body.reason.trim();
    if seen_length(reason) < 3 || reason.chars().count() > 500 {
        return Err(ApiError::invalid_field(
            "reason",
            "required",
            say("refusal.say_why"),
        ));
    }
    let asked = context.command(staff.actor(), &body);
    let command = RoomStockCommand::MoveUp {
        payment_id: id,
        by: staff.person.user_id,
        at: asked.at,
    };
    let moved = commit::<RoomStock>(&records.log, terms.room_id, command, &asked).await?;
    let note = LeadCommand::Note {
        note_id: clock::new_id(),
        note: reason.to_owned(),
        mentions: vec![],
        at: asked.at,
    };
    let noted = commit::<Lead>(&records.log, terms.lead_id, note, &asked.step("note")).await?;
    records.answers_for(noted.position);
    Ok(Success::at(rows(&moved.state), noted.position))
}

fn rows(stock: &RoomStock) -> Vec<PlaceRow> {
    let row = |place: &domain::room_stock::Place| PlaceRow {
        payment_id: place.payment_id.to_string(),
        reference: reference(place.payment_id),
        lead_id: place.lead_id.to_string(),
        stay: place.stay.key(),
        number: stock.waitlist.number(place.payment_id),
        state: place.state.name(),
        joined_at: instant(place.joined_at),
        offered_until: place.offered_until().map(instant),
        is_override: place.moved_up.is_some(),
    };
    stock.waitlist.places.iter().map(row).collect()
}
