//! Acts on one photo: its picture is taken down or shown again, wherever it is named; one that could not be had is asked for again.

use std::sync::Arc;

use ::photos::commands::ask_again::ask_again;
use ::photos::commands::restore::{NotRestored, RestorePhoto, restore_photo};
use ::photos::commands::take_down::{TakeDownPhoto, take_down_photo};
use ::photos::store::PhotoStore;
use axum::extract::State;
use domain::contact::seen_length;
use domain::id::{InventoryId, PhotoId};
use domain::photo::{ContentHash, Photo, PhotoRejection};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::questions::home_photos::read_home_photos;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::shown::HomePhotos;
use super::{KEEPING, list_photos};
use crate::Services;

/// A reason is a sentence or two.
const REASON_LEAST: usize = 3;
const REASON_MAX: usize = 500;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(take_down))
        .endpoint(KEEPING, routes!(restore_home_photo))
        .endpoint(KEEPING, routes!(retry_home_photo))
}

/// A photo to be taken down.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd", "reason": "It shows a tenant" }))]
pub struct PhotoTakeDown {
    photo_id: String,
    /// Why, for colleagues.
    reason: String,
    /// Deletes the original at once: it can be shown again for thirty days otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_final: bool,
}

/// A photo to be shown again.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd", "reason": "It shows nobody" }))]
pub struct PhotoRestoration {
    photo_id: String,
    /// Why, for colleagues.
    reason: String,
}

/// A photo to be asked for again.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd" }))]
pub struct PhotoRetry {
    photo_id: String,
}

/// Takes a photo of a home down: its picture is shown nowhere any more, whichever home or feed it comes from, and is not fetched again.
///
/// # Errors
/// 404 for an unknown home, or a photo that it never named or that was never fetched; 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/photos/take_down", tag = "support", params(("id" = String, Path)),
    request_body = PhotoTakeDown,
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn take_down(
    State(records): State<Records>,
    kept: (State<PhotoStore>, State<Arc<Settings>>),
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<PhotoTakeDown>,
) -> ApiResult<Success<HomePhotos>> {
    let (State(store), State(settings)) = kept;
    let photo_id = find_photo(&records, id, &body.photo_id).await?;
    check_reason(&body.reason)?;
    let asked = TakeDownPhoto {
        photo_id,
        reason: body.reason.trim().to_owned(),
        by: staff.person.user_id,
        keeps_original: !body.is_final,
    };
    let command = context.command(staff.actor(), &body);
    let position = match take_down_photo(&records.log, &store, asked, &command).await {
        Ok(position) => position,
        Err(error) => return Err(error.map(refuse).into()),
    };
    records.answers_for(position);
    Ok(Success::at(list_photos(&records, &settings, id).await?, position))
}

/// Shows a picture again that was taken down, in every home that names it, while its original is kept.
///
/// # Errors
/// 404 for an unknown home or photo, 409 where the original is gone, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/photos/restore", tag = "support", params(("id" = String, Path)),
    request_body = PhotoRestoration,
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn restore_home_photo(
    State(records): State<Records>,
    kept: (State<PhotoStore>, State<Arc<Settings>>),
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<PhotoRestoration>,
) -> ApiResult<Success<HomePhotos>> {
    let (State(store), State(settings)) = kept;
    let photo_id = find_photo(&records, id, &body.photo_id).await?;
    check_reason(&body.reason)?;
    records.heard().await?;
    let asked = RestorePhoto {
        content: find_content(&records, photo_id).await?,
        reason: body.reason.trim().to_owned(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &body);
    let restored = restore_photo(&records, (&store, &settings), asked, &command).await;
    let position = restored.map_err(refuse_restoration)?;
    records.answers_for(position);
    Ok(Success::at(list_photos(&records, &settings, id).await?, position))
}

/// Asks at once for a photo that could not be had, with all tries before it.
///
/// # Errors
/// 404 for an unknown home or photo, 409 for one that was not refused.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/photos/retry", tag = "support", params(("id" = String, Path)),
    request_body = PhotoRetry,
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn retry_home_photo(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<PhotoRetry>,
) -> ApiResult<Success<HomePhotos>> {
    let photo_id = find_photo(&records, id, &body.photo_id).await?;
    let command = context.command(staff.actor(), &body);
    let position = match ask_again(&records.log, photo_id, staff.person.user_id, &command).await {
        Ok(position) => position,
        Err(error) => return Err(error.map(refuse).into()),
    };
    records.answers_for(position);
    Ok(Success::at(list_photos(&records, &settings, id).await?, position))
}

/// The photo of a home by its id, also one that the home names no more.
async fn find_photo(records: &Records, id: InventoryId, photo_id: &str) -> ApiResult<PhotoId> {
    let read = read_home_photos(&records.log, id).await?;
    let read = read.ok_or_else(|| ApiError::not_found(say("refusal.no_property")))?;
    let mut ids = read.all().map(|photo| PhotoId::of_place(&photo.said.place));
    let found = ids.find(|known| known.to_string() == photo_id);
    found.ok_or_else(|| refuse(PhotoRejection::Unknown))
}

async fn find_content(records: &Records, photo_id: PhotoId) -> ApiResult<ContentHash> {
    let taken = records.log.load::<Photo>(photo_id).await?.state.taken;
    let taken = taken.ok_or_else(|| refuse(PhotoRejection::Unknown))?;
    Ok(taken.content)
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

fn refuse(rejection: PhotoRejection) -> ApiError {
    match rejection {
        PhotoRejection::NotRefused => {
            ApiError::conflict("photo_not_refused", say("refusal.photo_not_refused"))
        }
        PhotoRejection::Unknown | PhotoRejection::TakenDown | PhotoRejection::NotTakenDown => {
            ApiError::not_found(say("refusal.no_picture"))
        }
    }
}

fn refuse_restoration(why: NotRestored) -> ApiError {
    match why {
        NotRestored::OriginalGone => {
            ApiError::conflict("photo_original_gone", say("refusal.photo_original_gone"))
        }
        NotRestored::Commit(error) => error.map(refuse).into(),
        NotRestored::Database(error) => error.into(),
        NotRestored::Log(error) => error.into(),
        NotRestored::Store(error) => ApiError::broken(error),
    }
}
