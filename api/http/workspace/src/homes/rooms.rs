//! Room types and leases of homes that people list: added and taken away by staff. The rooms of a feed's home are its feed's.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::media::Media;
use domain::inventory::room_offer::RoomOffer;
use domain::language::Language;
use eventlog::CommitError;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::commands::change_rooms::{ChangeRooms, RoomChange, change_rooms};
use listings::error::ListingsError;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::one::{StaffHome, answer_with};
use super::read_edit::{clean_name, read_sharing, read_terms, read_wording};
use super::values::refuse_meanwhile;
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(add_home_room))
        .endpoint(EDITING, routes!(withdraw_home_room))
        .endpoint(EDITING, routes!(set_home_leases))
}

/// A room type as its maker describes it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewHomeRoom)]
pub struct NewRoom {
    /// By the tag of the language.
    name: BTreeMap<String, String>,
    /// Such as `private_room`, `shared_kitchen`; what is left out is not said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    types: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size_sqm: Option<u16>,
    /// How many there are.
    count: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leases: Vec<NewLease>,
}

/// A lease that a room is let for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewHomeLease)]
pub struct NewLease {
    move_in: String,
    /// Such as `44 weeks`.
    length: String,
    /// For each period, in minor units of the home's currency.
    price_minor: u64,
    /// How many of the rooms are let for it; all of them where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rooms_available: Option<u32>,
}

/// A room type to add.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeRoomAddition, example = json!({ "position": 4711, "reason": "The attic is finished",
    "room": { "name": { (Language::default().code()): "Studio" }, "types": ["private_room", "private_bathroom", "private_kitchen"], "count": 4,
        "leases": [{ "move_in": "2027-09-11", "length": "44 weeks", "price_minor": 28900 }] } }))]
pub struct RoomAddition {
    /// The position of the home that was read: what was changed after it refuses the edit.
    position: u64,
    /// Why, for colleagues.
    reason: String,
    room: NewRoom,
}

/// A room type to let no longer.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeRoomWithdrawal, example = json!({ "position": 4711, "reason": "The house is rebuilt" }))]
pub struct RoomWithdrawal {
    /// The position of the home that was read: what was changed after it refuses the edit.
    position: u64,
    /// Why, for colleagues.
    reason: String,
}

/// All leases of a room type.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeLeases, example = json!({ "position": 4711, "reason": "Prices of next year",
    "leases": [{ "move_in": "2027-09-11", "length": "44 weeks", "price_minor": 28900 }] }))]
pub struct LeasesRequest {
    /// The position of the home that was read: what was changed after it refuses the edit.
    position: u64,
    /// Why, for colleagues.
    reason: String,
    /// In place of those that it has.
    leases: Vec<NewLease>,
}

/// Adds a room type to a home that people list. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 for a feed's home and where it was changed after `position`, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/rooms", tag = "support", params(("id" = String, Path)),
    request_body = RoomAddition,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn add_home_room(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<RoomAddition>,
) -> ApiResult<Success<StaffHome>> {
    let property = records.log.load::<Inventory>(id).await?.state.property;
    let address = property
        .map(|property| property.canonical_name)
        .unwrap_or_default();
    let (room, offer) = body.room.read("room", &address)?;
    let room = Box::new(room);
    let asked = ChangeRooms {
        home_id: id,
        position: body.position,
        change: RoomChange::Add { room, offer },
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &body);
    let done = change_rooms(&records.log, &asked, &command).await;
    settle(&records, &settings, id, done).await?;
    answer_with(&records, id, context.lang).await
}

/// Lets a room type of a home no longer, where nobody has booked or holds one of its rooms for a night to come. Asked twice with the same
/// Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 for a feed's home, with the bookings where there are some, and where it was changed after `position`, 422
/// with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/rooms/{room_id}/withdraw", tag = "support",
    params(("id" = String, Path), ("room_id" = String, Path)), request_body = RoomWithdrawal,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn withdraw_home_room(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((id, room)): Path<(InventoryId, InventoryId)>,
    Body(body): Body<RoomWithdrawal>,
) -> ApiResult<Success<StaffHome>> {
    let asked = ChangeRooms {
        home_id: id,
        position: body.position,
        change: RoomChange::Withdraw { room },
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &(room, &body));
    let done = change_rooms(&records.log, &asked, &command).await;
    settle(&records, &settings, id, done).await?;
    answer_with(&records, id, context.lang).await
}

/// Puts leases in place of those that a room type of a home is let for. What is booked stays booked. Asked twice with the same
/// Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 for a feed's home and where it was changed after `position`, 422 with the field.
#[utoipa::path(put, path = "/api/v0/workspace/homes/{id}/rooms/{room_id}/leases", tag = "support",
    params(("id" = String, Path), ("room_id" = String, Path)), request_body = LeasesRequest,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn set_home_leases(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((id, room)): Path<(InventoryId, InventoryId)>,
    Body(body): Body<LeasesRequest>,
) -> ApiResult<Success<StaffHome>> {
    let home = records.log.load::<Inventory>(id).await?.state;
    let known = home.let_rooms().find(|known| known.details.id == room);
    let known = known.map_or((0, &[][..]), |known| (known.rooms, known.leases.as_slice()));
    let asked = ChangeRooms {
        home_id: id,
        position: body.position,
        change: RoomChange::Leases {
            room,
            leases: read_leases("leases", &body.leases, known)?,
        },
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &(room, &body));
    let done = change_rooms(&records.log, &asked, &command).await;
    settle(&records, &settings, id, done).await?;
    answer_with(&records, id, context.lang).await
}

/// Turns what stands against a change of rooms into its answer.
async fn settle<T>(
    records: &Records,
    settings: &Settings,
    id: InventoryId,
    done: Result<T, CommitError<ListingsError>>,
) -> ApiResult<()> {
    match done {
        Ok(_) => Ok(()),
        Err(error) => Err(refuse_meanwhile(records, settings, id, error).await?),
    }
}

impl NewRoom {
    /// The room type with its offer, in a home of this address.
    ///
    /// # Errors
    /// 422 naming the field that cannot be read.
    pub(super) fn read(&self, path: &str, address: &str) -> ApiResult<(RoomDetails, RoomOffer)> {
        let name = read_wording(&format!("{path}/name"), &self.name, clean_name)?;
        if name.is_blank() {
            let field = format!("{path}/name");
            return Err(ApiError::invalid_field(
                field,
                "required",
                say("validation.required"),
            ));
        }
        let id = InventoryId(clock::new_id());
        let room = RoomDetails {
            id,
            canonical_name: write_address(address, id),
            name,
            attributes: read_sharing(&format!("{path}/types"), &self.types)?,
            bedrooms: None,
            bathrooms: None,
            area_sqm: self.size_sqm,
            bed: None,
            floor: None,
            sleeps: None,
            kitchen_shared_by: None,
            dual_occupancy: None,
            asked_minor: None,
            pictures: Vec::new(),
            media: Media::default(),
        };
        let offer = RoomOffer {
            rooms: Some(self.count),
            is_count_said: true,
            leases: read_leases(&format!("{path}/leases"), &self.leases, (self.count, &[]))?,
        };
        Ok((room, offer))
    }
}

/// Names that no other room has.
fn write_address(home: &str, room: InventoryId) -> String {
    let id = room.0.simple().to_string();
    let end = id.get(LAST_DIGITS..).unwrap_or(&id);
    format!("{home}-room-{end}")
}

/// Digits of an id that no other one made at the same time has.
const LAST_DIGITS: usize = 20;

/// The leases of a room type with this many rooms; one for the same stay as before keeps its days and its deposit.
fn read_leases(
    path: &str,
    leases: &[NewLease],
    (rooms, before): (u32, &[LeaseOption]),
) -> ApiResult<Vec<LeaseOption>> {
    let read = leases.iter().enumerate().map(|(place, lease)| {
        let stay = read_terms(&format!("{path}/{place}"), &lease.move_in, &lease.length)?;
        let same = before.iter().find(|known| known.stay() == stay);
        Ok(LeaseOption {
            move_in: stay.move_in,
            length: stay.length,
            price_minor: lease.price_minor,
            rooms_available: lease.rooms_available.unwrap_or(rooms),
            terms: same.map(|known| known.terms).unwrap_or_default(),
        })
    });
    read.collect()
}
