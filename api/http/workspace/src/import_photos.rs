//! Photos of a feed's homes whose addresses give none, for those who ask the feed's writer to mend them.

use ::photos::show_address;
use axum::extract::State;
use domain::id::ImportRunId;
use domain::moment::Moment;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use projections::import_runs;
use projections::payment_audit::instant;
use projections::photo::naming::{DeadPhoto, list_dead};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Photos that are named; of more, the first by the names of their homes.
const NAMED_MAX: u64 = 200;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(list_dead_photos))
}

/// Photos whose addresses give none.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeadPhotos {
    photos: Vec<DeadPhotoView>,
    /// True where there are more than are named.
    is_cut: bool,
}

/// A photo that a home names and whose address gives none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeadPhoto)]
pub struct DeadPhotoView {
    home_id: String,
    /// Of the home.
    name: String,
    /// Without what follows a question mark, which may be a key.
    address: String,
    /// `gone`, `unreachable` or `not_permitted`.
    refusal: String,
    /// The status of the host's last answer.
    answered: Option<i64>,
    /// RFC 3339.
    tried_at: Option<String>,
    /// When it is asked for next; null where it is not.
    next_try_at: Option<String>,
}

/// Photos of the homes of a run's feed whose addresses give none, as they stand now: photos are fetched after the run.
///
/// # Errors
/// 404 for an unknown run.
#[utoipa::path(get, path = "/api/v0/workspace/imports/{id}/dead_photos", params(("id" = String, Path)),
    responses((status = 200, body = Success<DeadPhotos>), (status = 404)))]
pub async fn list_dead_photos(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<ImportRunId>,
) -> ApiResult<Success<DeadPhotos>> {
    let pool = records.heard().await?;
    let found = import_runs::find(pool, id).await?;
    let run = found.ok_or_else(|| ApiError::not_found(say("refusal.no_import")))?;
    let mut photos = list_dead(pool, &run.feed, NAMED_MAX + 1).await?;
    let is_cut = photos.len() as u64 > NAMED_MAX;
    photos.truncate(usize::try_from(NAMED_MAX).unwrap_or(usize::MAX));
    Ok(Success::new(DeadPhotos {
        photos: photos.into_iter().map(DeadPhotoView::from).collect(),
        is_cut,
    }))
}

impl From<DeadPhoto> for DeadPhotoView {
    fn from(photo: DeadPhoto) -> Self {
        let at = |micros: Option<i64>| Moment::from_timestamp_micros(micros?).map(instant);
        Self {
            home_id: photo.home_id,
            name: photo.name,
            address: show_address(&photo.place),
            refusal: photo.refusal,
            answered: photo.answered,
            tried_at: at(photo.tried_at),
            next_try_at: at(photo.due_at),
        }
    }
}
