//! Photos of a home as staff keep them: which are there, which could not be had and why, who named each; and what is done to them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::extract::State;
use domain::id::{ImportRunId, InventoryId, PhotoId};
use domain::inventory::media::PhotoKind;
use domain::wording::Wording;
use eventlog::ActorKind;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::access::EDITORS;
use listings::commands::arrange_photos::PHOTOS_MAX;
use listings::questions::home_photos::{NamedPhoto, read_home_photos};
use listings::questions::home_values::Origin;
use platform::config::Settings;
use projections::import_runs;
use projections::payment_audit::instant;
use projections::photo::standing::{PhotoStanding, find_standings};
use records::Records;
use sqlx::AnyPool;

use self::shown::{HomePhoto, HomePhotos, PhotoSourceKind, PhotoSourceView};
use crate::Services;
use crate::homes::shown::Showing;

pub mod acts;
pub mod arranging;
pub mod shown;

/// Roles that keep photos.
const KEEPING: Access = Access::Staff(EDITORS);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(home_photos))
        .merge(arranging::endpoints())
        .merge(acts::endpoints())
}

/// The photos of a home and of its room types: those that are there, those that are still to be made, those that could not be had, and
/// those that nobody names any more.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/photos", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<HomePhotos>), (status = 404, body = Failure)))]
pub async fn home_photos(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
) -> ApiResult<Success<HomePhotos>> {
    Ok(Success::new(list_photos(&records, &settings, id).await?))
}

/// Answers with the photos of a home as they stand now.
///
/// # Errors
/// 404 for an unknown home.
async fn list_photos(records: &Records, settings: &Settings, id: InventoryId) -> ApiResult<HomePhotos> {
    let read = read_home_photos(&records.log, id).await?;
    let read = read.ok_or_else(|| ApiError::not_found(say("refusal.no_property")))?;
    records.answers_for(read.position);
    let pool = records.heard().await?;
    let ids: Vec<PhotoId> = read
        .all()
        .map(|photo| PhotoId::of_place(&photo.said.place))
        .collect();
    let standings = find_standings(pool, &ids).await?.into_iter();
    let standings: HashMap<String, PhotoStanding> = standings
        .map(|standing| (standing.photo_id.clone(), standing))
        .collect();
    let mut sources = Sources {
        pool,
        showing: Showing::new(&records.log, settings, None),
        feed: read.feed().map(str::to_owned),
        runs: HashMap::new(),
    };
    let named = read.named.iter().map(|photo| (photo, true));
    let former = read.former.iter().map(|photo| (photo, false));
    let mut photos = Vec::with_capacity(ids.len());
    for (photo, is_named) in named.chain(former) {
        let photo_id = PhotoId::of_place(&photo.said.place).to_string();
        let source = sources.tell(&photo.origin).await?;
        let standing = standings.get(&photo_id);
        photos.push(show_photo((photo, is_named), photo_id, source, standing));
    }
    Ok(HomePhotos {
        position: read.position,
        most: PHOTOS_MAX as u64,
        photos,
    })
}

fn show_photo(
    (photo, is_named): (&NamedPhoto, bool),
    photo_id: String,
    source: PhotoSourceView,
    standing: Option<&PhotoStanding>,
) -> HomePhoto {
    let said = &photo.said;
    let mut shown = HomePhoto::awaited(photo_id, &said.place, source);
    shown.room_id = photo.room.map(|room| room.to_string());
    shown.is_named = is_named;
    shown.kind = said.kind.map(PhotoKind::key);
    shown.caption = list_texts(&said.caption);
    shown.alt = list_texts(&said.alt);
    if let Some(standing) = standing {
        shown.stand(standing);
    }
    shown
}

fn list_texts(wording: &Wording) -> BTreeMap<String, String> {
    let texts = wording.texts();
    texts
        .map(|(tag, text)| (tag.to_owned(), text.to_owned()))
        .collect()
}

/// Who named photos: the runs of feeds are asked for once each.
struct Sources<'s> {
    pool: &'s AnyPool,
    showing: Showing<'s>,
    feed: Option<String>,
    runs: HashMap<ImportRunId, Option<String>>,
}

impl Sources<'_> {
    async fn tell(&mut self, origin: &Origin) -> ApiResult<PhotoSourceView> {
        let at = Some(instant(origin.at));
        let feed = self
            .feed
            .clone()
            .filter(|_| origin.actor.kind != ActorKind::Staff);
        let Some(feed) = feed else {
            return Ok(PhotoSourceView {
                kind: PhotoSourceKind::Person,
                feed: None,
                run_id: None,
                by: Some(self.showing.name_actor(origin.actor).await?),
                at,
            });
        };
        let run = ImportRunId(origin.correlation_id);
        let run_id = if let Some(known) = self.runs.get(&run) {
            known.clone()
        } else {
            let found = import_runs::find(self.pool, run).await?;
            let run_id = found.map(|found| found.run_id);
            self.runs.insert(run, run_id.clone());
            run_id
        };
        Ok(PhotoSourceView {
            kind: PhotoSourceKind::Feed,
            feed: Some(feed),
            run_id,
            by: None,
            at,
        })
    }
}
