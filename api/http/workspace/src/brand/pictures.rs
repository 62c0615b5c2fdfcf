//! Pictures of the house's brand.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use brands::commands::add_picture::{AddPicture, BYTES_MAX, add_picture};
use domain::brand::HOUSE_BRAND;
use domain::photo::ContentHash;
use http_kit::body::unread;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::request::RequestContext;
use photos::store::PhotoStore;
use records::Records;

use super::draft::KEEPING;
use super::refusals::refuse;
use super::shown::BrandPictureView;
use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        KEEPING,
        routes!(add_brand_picture).layer(DefaultBodyLimit::max(BYTES_MAX)),
    )
}

/// Takes a picture in, for a draft to name: the file itself is the body, PNG, JPEG, WebP or SVG of at most 5 MB. A drawing (SVG) is drawn to
/// pixels and never served itself.
///
/// # Errors
/// 413 beyond 5 MB, 422 for a file that is not taken, with the reason.
#[utoipa::path(post, path = "/api/v0/workspace/brand/pictures", tag = "admin",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<BrandPictureView>), (status = 413, body = Failure), (status = 422, body = Failure)))]
pub async fn add_brand_picture(
    State(records): State<Records>,
    State(store): State<PhotoStore>,
    context: RequestContext,
    staff: Staff,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<(StatusCode, Success<BrandPictureView>)> {
    let bytes = body.map_err(|rejection| unread(&rejection))?;
    let asked = context.command(staff.actor(), &ContentHash::of_bytes(&bytes));
    let add = AddPicture {
        brand_id: HOUSE_BRAND,
        bytes,
        by: Some(staff.person.user_id),
    };
    let added = match add_picture(&records.log, &store, add, &asked).await {
        Ok(added) => added,
        Err(error) => return Err(error.map(refuse).into()),
    };
    records.answers_for(added.position);
    let shown = BrandPictureView::from(&added.picture);
    Ok((StatusCode::CREATED, Success::at(shown, added.position)))
}
