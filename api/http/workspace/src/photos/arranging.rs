//! Photos that staff send, and the order, words and rooms that they give them.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::photos::BODY_MAX;
use ::photos::commands::ask_again::ask_again;
use ::photos::commands::upload::{KeptUpload, NotTaken, drop_upload, keep_upload};
use ::photos::store::PhotoStore;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use domain::id::{InventoryId, PhotoId};
use domain::inventory::Inventory;
use domain::inventory::media::{PhotoKind, SaidPhoto};
use domain::wording::Wording;
use eventlog::CommitError;
use http_kit::body::{Body, unread};
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::{say, unknown_value};
use listings::commands::arrange_photos::{
    AddPhoto, ArrangePhotos, GivenKind, PlacedPhoto, add_photo, arrange_photos,
};
use listings::error::ListingsError;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::shown::{HomePhoto, HomePhotos, say_refusal};
use super::{KEEPING, list_photos};
use crate::Services;
use crate::homes::read_edit::{clean_name, read_wording};
use crate::homes::refusals::refuse;

/// Path of a request whose body is a whole photo.
pub const UPLOAD_PATH: &str = "/api/v0/workspace/homes/{id}/photos";

/// Takes the kind of a photo back.
const NOT_SAID: &str = "not_said";

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(
            KEEPING,
            routes!(upload_home_photo).layer(DefaultBodyLimit::max(BODY_MAX)),
        )
        .endpoint(KEEPING, routes!(arrange_home_photos))
}

/// Where a photo is to stand.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct UploadQuery {
    /// The room type; the home itself where it is left out.
    room_id: Option<String>,
    /// `exterior`, `room`, `bathroom`, `kitchen`, `common` or `plan`.
    kind: Option<String>,
}

/// A photo that was sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomePhotoUploaded)]
pub struct UploadedPhoto {
    /// Where the home stands now.
    position: u64,
    photo: HomePhoto,
}

/// All photos of a home as they are to be.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomePhotosArranged, example = json!({ "position": 4711, "reason": "The room first",
    "photos": [{ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd", "kind": "room" }] }))]
pub struct ArrangementRequest {
    /// The position of the photos that were read: what was changed of them after it refuses the arrangement.
    position: u64,
    /// Why, for colleagues.
    reason: String,
    /// In their order; one that is left out is shown at this home no more.
    photos: Vec<PlacedRequest>,
}

/// A photo among those of a home; what is left out stays as it is.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomePhotoArranged)]
pub struct PlacedRequest {
    photo_id: String,
    /// The room type; the home itself where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    room_id: Option<String>,
    /// `exterior`, `room`, `bathroom`, `kitchen`, `common`, `plan` or `not_said`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// By the tag of the language, in every language that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caption: Option<BTreeMap<String, String>>,
    /// Words for those who do not see it, in every language that they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alt: Option<BTreeMap<String, String>>,
}

/// Adds a photo to a home or a room type: the file itself is the body. It is shown once its sizes are made. The same picture of one home
/// is kept once.
///
/// # Errors
/// 404 for an unknown home, 409 for a picture that was taken down, 413 beyond twenty megabytes, 422 for a file that is no photo of ours
/// and with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/photos", tag = "support",
    params(("id" = String, Path), UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<UploadedPhoto>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 413, body = Failure), (status = 422, body = Failure)))]
pub async fn upload_home_photo(
    State(records): State<Records>,
    kept: (State<PhotoStore>, State<Arc<Settings>>),
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Query(asked): Query<UploadQuery>,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<(StatusCode, Success<UploadedPhoto>)> {
    let (State(store), State(settings)) = kept;
    let bytes = body.map_err(|rejection| unread(&rejection))?;
    let holder = read_room("room_id", asked.room_id.as_deref())?;
    let kind = asked
        .kind
        .as_deref()
        .map(|word| read_kind("kind", word))
        .transpose()?;
    check_holder(&records, id, holder).await?;
    let upload = keep_upload(&records, &store, bytes).await.map_err(refuse_file)?;
    let photo = SaidPhoto {
        place: upload.place.clone(),
        kind,
        caption: Wording::default(),
        alt: Wording::default(),
    };
    let adding = AddPhoto {
        home_id: id,
        holder,
        photo,
        by: staff.person.user_id,
    };
    let named = (&upload.place, &asked.room_id, &asked.kind);
    let command = context.command(staff.actor(), &named);
    let added = add_photo(&records.log, &adding, &command).await;
    let added = match added {
        Ok(added) => added,
        Err(error) => {
            drop_refused(&records, &store, &upload, &error).await;
            return Err(error.map(refuse).into());
        }
    };
    let asked_again = ask_for_upload(&records, &staff, &upload, &context).await?;
    records.answers_for(added.last.max(asked_again));
    let shown = list_photos(&records, &settings, id).await?;
    let position = shown.position;
    let (photo_id, room_id) = (upload.photo_id.to_string(), holder.map(|room| room.to_string()));
    let is_it = |photo: &HomePhoto| photo.photo_id == photo_id && photo.room_id == room_id;
    let photo = shown.photos.into_iter().find(is_it);
    let photo = photo.ok_or_else(|| ApiError::not_found(say("refusal.no_picture")))?;
    let answer = UploadedPhoto { position, photo };
    Ok((StatusCode::CREATED, Success::at(answer, position)))
}

/// Arranges all photos of a home and of its room types: their order, rooms, kinds and words. What a person arranges stands over what a
/// feed says of each photo until the feed changes that one. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 where its photos were changed after `position`, 422 with the field.
#[utoipa::path(put, path = "/api/v0/workspace/homes/{id}/photos", tag = "support", params(("id" = String, Path)),
    request_body = ArrangementRequest,
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn arrange_home_photos(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<ArrangementRequest>,
) -> ApiResult<Success<HomePhotos>> {
    let photos = body.photos.iter().enumerate();
    let photos = photos.map(|(index, placed)| placed.read(&format!("photos/{index}")));
    let asked = ArrangePhotos {
        home_id: id,
        position: body.position,
        photos: photos.collect::<ApiResult<_>>()?,
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &body);
    let arranged = arrange_photos(&records.log, &asked, &command).await;
    arranged.map_err(|error| error.map(refuse))?;
    let shown = list_photos(&records, &settings, id).await?;
    let position = shown.position;
    Ok(Success::at(shown, position))
}

impl PlacedRequest {
    fn read(&self, path: &str) -> ApiResult<PlacedPhoto> {
        let photo_id = self.photo_id.parse::<PhotoId>().map_err(|_| {
            let field = format!("{path}/photo_id");
            ApiError::invalid_field(field, "unknown", say("refusal.no_picture"))
        })?;
        let kind = match self.kind.as_deref() {
            None => GivenKind::AsItIs,
            Some(NOT_SAID) => GivenKind::NotSaid,
            Some(word) => GivenKind::Kind(read_kind(&format!("{path}/kind"), word)?),
        };
        let read = |part: &str, texts: &BTreeMap<String, String>| {
            read_wording(&format!("{path}/{part}"), texts, clean_name)
        };
        let caption = self.caption.as_ref().map(|texts| read("caption", texts));
        let alt = self.alt.as_ref().map(|texts| read("alt", texts));
        Ok(PlacedPhoto {
            photo_id,
            holder: read_room(&format!("{path}/room_id"), self.room_id.as_deref())?,
            kind,
            caption: caption.transpose()?,
            alt: alt.transpose()?,
        })
    }
}

fn read_room(field: &str, room: Option<&str>) -> ApiResult<Option<InventoryId>> {
    let read = room.map(|room| {
        let unknown = || ApiError::invalid_field(field, "unknown", say("refusal.no_room"));
        room.parse::<InventoryId>().map_err(|_| unknown())
    });
    read.transpose()
}

/// Looks for the home and its room type before a file is kept.
async fn check_holder(records: &Records, id: InventoryId, holder: Option<InventoryId>) -> ApiResult<()> {
    let home = records.log.load::<Inventory>(id).await?.state;
    if home.property.is_none() {
        return Err(ApiError::not_found(say("refusal.no_property")));
    }
    let is_let = |room: InventoryId| home.let_rooms().any(|known| known.details.id == room);
    if holder.is_some_and(|room| !is_let(room)) {
        return Err(ApiError::invalid_field(
            "room_id",
            "unknown",
            say("refusal.no_room"),
        ));
    }
    Ok(())
}

fn read_kind(field: &str, word: &str) -> ApiResult<PhotoKind> {
    let known = PhotoKind::ALL.into_iter().find(|kind| kind.key() == word);
    known.ok_or_else(|| ApiError::invalid_field(field, "unknown", unknown_value("kind", word)))
}

/// Deletes the bytes of a photo that the home does not take. After a failure of the log nobody knows, and they stay.
async fn drop_refused(
    records: &Records,
    store: &PhotoStore,
    upload: &KeptUpload,
    error: &CommitError<ListingsError>,
) {
    if matches!(error, CommitError::Rejected(_)) {
        drop_upload(records, store, upload).await;
    }
}

/// Has bytes looked at that could not be had before; answers with the position from which on they are due.
async fn ask_for_upload(
    records: &Records,
    staff: &Staff,
    upload: &KeptUpload,
    context: &RequestContext,
) -> ApiResult<u64> {
    if !upload.is_to_be_asked_again {
        return Ok(0);
    }
    let command = context.command(staff.actor(), &upload.place).step("ask_again");
    match ask_again(&records.log, upload.photo_id, staff.person.user_id, &command).await {
        Ok(position) => Ok(position),
        // Somebody else was faster.
        Err(CommitError::Rejected(_)) => Ok(0),
        Err(error) => Err(error.map(ApiError::broken).into()),
    }
}

fn refuse_file(why: NotTaken) -> ApiError {
    match why {
        NotTaken::Refused(refusal) => ApiError::invalid_field("photo", refusal.key(), say_refusal(refusal)),
        NotTaken::TakenDown => ApiError::conflict("photo_taken_down", say("refusal.photo_taken_down")),
        NotTaken::Database(error) => error.into(),
        NotTaken::Log(error) => error.into(),
        NotTaken::Store(error) => ApiError::broken(error),
    }
}
