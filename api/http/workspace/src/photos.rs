//! Photos of a home as staff see them: which are there, which could not be had and why; and taking one down.

use std::collections::BTreeMap;

use ::photos::commands::take_down::{TakeDownPhoto, take_down_photo};
use ::photos::store::PhotoStore;
use axum::extract::State;
use domain::contact::seen_length;
use domain::id::{InventoryId, PhotoId};
use domain::inventory::media::{Media, PhotoKind, SaidPhoto};
use domain::photo::PhotoRejection;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::access::EDITORS;
use projections::inventory_page;
use projections::photo::standing::{PhotoStanding, find_standings};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Roles that see photos and take them down.
const KEEPING: Access = Access::Staff(EDITORS);
/// A reason is a sentence or two.
const REASON_LEAST: usize = 3;
const REASON_MAX: usize = 500;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(home_photos))
        .endpoint(KEEPING, routes!(take_down))
}

/// Photos and plans of a home, then those of its room types.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomePhotos {
    photos: Vec<HomePhoto>,
}

/// A photo or a plan, and where it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomePhoto {
    photo_id: String,
    /// The room type; null for one of the home.
    room_id: Option<String>,
    /// The address that the feed names.
    place: String,
    /// `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`; null where nobody said it.
    kind: Option<&'static str>,
    /// `asked`, `fetched`, `refused` or `taken_down`.
    state: String,
    /// Why it is not there: `gone`, `unreachable`, `not_permitted`, `too_large`, `too_many_pixels`, `format_not_taken`, `not_a_picture` or
    /// `damaged`.
    refusal: Option<String>,
    /// The address of a small size, where it is shown.
    thumbnail: Option<String>,
}

/// A photo to be taken down.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd", "reason": "It shows a tenant" }))]
pub struct PhotoTakeDown {
    photo_id: String,
    /// Why, for colleagues.
    reason: String,
}

/// The photos of a home: those that are there, those that are still to be fetched, and those that could not be had.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/photos", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure)))]
pub async fn home_photos(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
) -> ApiResult<Success<HomePhotos>> {
    Ok(Success::new(list_photos(&records, id).await?))
}

/// Takes a photo of a home down: its picture is shown nowhere any more, whichever home or feed it comes from, and is not fetched again.
///
/// # Errors
/// 404 for an unknown home, or a photo that it does not name or that was never fetched; 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/photos/take_down", tag = "support", params(("id" = String, Path)),
    request_body = PhotoTakeDown,
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn take_down(
    State(records): State<Records>,
    State(store): State<PhotoStore>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<PhotoTakeDown>,
) -> ApiResult<Success<HomePhotos>> {
    let named = list_photos(&records, id).await?;
    check_reason(&body.reason)?;
    let photo = named.photos.iter().find(|photo| photo.photo_id == body.photo_id);
    let photo_id = photo.and_then(|photo| photo.photo_id.parse().ok());
    let asked = TakeDownPhoto {
        photo_id: photo_id.ok_or_else(|| refuse(PhotoRejection::Unknown))?,
        reason: body.reason.trim().to_owned(),
        by: staff.person.user_id,
        keeps_original: false,
    };
    let command = context.command(staff.actor(), &body);
    let position = match take_down_photo(&records.log, &store, asked, &command).await {
        Ok(position) => position,
        Err(error) => return Err(error.map(refuse).into()),
    };
    records.answers_for(position);
    Ok(Success::at(list_photos(&records, id).await?, position))
}

fn check_reason(reason: &str) -> ApiResult<()> {
    let length = seen_length(reason.trim());
    if length < REASON_LEAST {
        return Err(ApiError::invalid_field(
            "reason",
            "required",
            say("refusal.say_why"),
        ));
    }
    if length > REASON_MAX {
        let said = say("refusal.at_most_characters");
        let said = said.with("field", "reason").with("max", REASON_MAX);
        return Err(ApiError::invalid_field("reason", "too_long", said));
    }
    Ok(())
}

fn refuse(_rejection: PhotoRejection) -> ApiError {
    ApiError::not_found(say("refusal.no_picture"))
}

async fn list_photos(records: &Records, id: InventoryId) -> ApiResult<HomePhotos> {
    let pool = records.heard().await?;
    let page = inventory_page::page(pool, id).await?;
    let unknown = || ApiError::not_found(say("refusal.no_property"));
    let page = page.ok_or_else(unknown)?;
    let own = page.property().ok_or_else(unknown)?;
    let mut named = list_named(None, &own.media);
    for room in page.inventory.let_rooms() {
        named.extend(list_named(Some(room.details.id), &room.details.media));
    }
    let ids: Vec<PhotoId> = named
        .iter()
        .map(|(_, said)| PhotoId::of_place(&said.place))
        .collect();
    let standings = find_standings(pool, &ids).await?.into_iter();
    let standings: BTreeMap<String, PhotoStanding> = standings
        .map(|standing| (standing.photo_id.clone(), standing))
        .collect();
    let photos = named.into_iter().zip(ids);
    let photos = photos.filter_map(|((room, said), photo_id)| {
        let standing = standings.get(&photo_id.to_string())?;
        Some(describe(room, said, standing))
    });
    Ok(HomePhotos {
        photos: photos.collect(),
    })
}

fn list_named(room: Option<InventoryId>, media: &Media) -> Vec<(Option<InventoryId>, &SaidPhoto)> {
    media.pictures().map(|said| (room, said)).collect()
}

fn describe(room: Option<InventoryId>, said: &SaidPhoto, standing: &PhotoStanding) -> HomePhoto {
    let is_shown = standing.state == projections::photo::state::FETCHED;
    let content = standing.content.as_ref().filter(|_| is_shown);
    HomePhoto {
        photo_id: standing.photo_id.clone(),
        room_id: room.map(|room| room.to_string()),
        place: said.place.clone(),
        kind: said.kind.map(PhotoKind::key),
        state: standing.state.clone(),
        refusal: standing.refusal.clone(),
        thumbnail: content.map(|content| format!("/pictures/{content}/80.webp")),
    }
}
