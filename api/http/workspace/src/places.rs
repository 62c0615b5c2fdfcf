//! Places as staff see and correct them: cities, areas and universities with their names, their centre and the words by which they are
//! found (decision 0048).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use axum::extract::State;
use domain::id::RegionId;
use domain::language::Language;
use domain::place::{Bounds, Coordinates};
use domain::region::{RegionDetails, RegionRejection};
use domain::wording::Wording;
use eventlog::CommitError;
use gazetteer::access::MENDERS;
use gazetteer::commands::mend_place::{MendPlace, mend_place};
use gazetteer::error::PlaceError;
use gazetteer::questions::known_place::{KnownPlace, read_place};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::RegionTypeWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

/// Who may see what is known of places, and correct it.
const MENDING: Access = Access::Staff(MENDERS);
/// Places of one answer; a word narrows them.
const SHOWN_MAX: usize = 50;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(MENDING, routes!(list_places))
        .endpoint(MENDING, routes!(show_place))
        .endpoint(MENDING, routes!(change_place))
}

/// Narrows the list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlacesQuery {
    /// A part of a name, in any language, or of a postcode.
    text: Option<String>,
    /// So many places were read already: the answer begins behind them.
    skip: Option<usize>,
}

/// A point on earth, in degrees.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacePoint {
    lat: f64,
    lng: f64,
}

/// The box around a place.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceBox {
    southwest: PlacePoint,
    northeast: PlacePoint,
}

/// A place in the list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PlaceLine {
    id: String,
    name: String,
    canonical_name: String,
    #[schema(value_type = RegionTypeWord)]
    kind: String,
    /// ISO code.
    country: String,
    /// The place above it.
    lies_in: Option<String>,
    /// Homes that a search of it finds.
    homes: u64,
    /// Staff corrected it: no import takes that back.
    is_mended: bool,
}

/// All that is known of a place.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = KnownPlace)]
pub struct PlaceView {
    id: String,
    /// Where it stands: a correction names it.
    revision: u64,
    name: String,
    /// Names in further languages, by their tags.
    local_names: BTreeMap<String, String>,
    /// Other names and postcodes by which it is found.
    found_by: Vec<String>,
    canonical_name: String,
    #[schema(value_type = RegionTypeWord)]
    kind: String,
    /// ISO code.
    country: String,
    lies_in: Option<String>,
    centre: PlacePoint,
    bounds: PlaceBox,
    time_zone: String,
    homes: u64,
    is_mended: bool,
}

/// Facts of a place to correct; one that is not named stays.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 3, "reason": "The centre stood in a field", "centre": { "lat": 53.79648, "lng": -1.54785 },
    "local_names": {}, "found_by": ["LS1", "LS2"] }))]
pub struct PlaceEdit {
    /// The revision of the place that was read: one that was corrected since refuses the edit.
    revision: u64,
    /// Why, for colleagues.
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// By the tag of their language; null takes the name away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    local_names: BTreeMap<String, Option<String>>,
    /// All of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found_by: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    centre: Option<PlacePoint>,
    /// Without it the box moves with the centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<PlaceBox>,
}

/// Places by a part of a name, those with most homes first; fifty at a time.
#[utoipa::path(get, path = "/api/v0/workspace/places", tag = "support", params(PlacesQuery),
    responses((status = 200, body = Success<Vec<PlaceLine>>)))]
pub async fn list_places(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<PlacesQuery>,
) -> ApiResult<Success<Vec<PlaceLine>>> {
    let places = records.catalogue.places();
    let wanted = query.text.as_deref().unwrap_or_default().trim().to_lowercase();
    let is_called = |names: Vec<String>| names.iter().any(|name| name.to_lowercase().contains(&wanted));
    let mut found: Vec<_> = places
        .all()
        .filter(|place| wanted.is_empty() || is_called(place.names()))
        .collect();
    found.sort_by_key(|place| (Reverse(places.homes(place.id)), place.canonical_name().to_owned()));
    let page = found
        .into_iter()
        .skip(query.skip.unwrap_or_default())
        .take(SHOWN_MAX);
    let lines = page.map(|place| PlaceLine {
        id: place.id.to_string(),
        name: place.name().to_owned(),
        canonical_name: place.canonical_name().to_owned(),
        kind: place.details.region_type.key().to_owned(),
        country: place.details.country.iso().to_owned(),
        lies_in: name_above(&records, &place.details),
        homes: places.homes(place.id),
        is_mended: place.details.is_mended,
    });
    Ok(Success::new(lines.collect()))
}

/// A place: its names, its centre, its box, the words that find it, and the homes that its search finds.
///
/// # Errors
/// 404 for an unknown place.
#[utoipa::path(get, path = "/api/v0/workspace/places/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<PlaceView>), (status = 404, body = Failure)))]
pub async fn show_place(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<RegionId>,
) -> ApiResult<Success<PlaceView>> {
    Ok(Success::new(show(&records, id).await?))
}

/// Corrects what is known of a place. Its homes stay its own, and are counted anew around a centre that moved; no import takes a correction
/// back. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown place, 409 with the place where it was changed after `revision`, 422 with the field.
#[utoipa::path(patch, path = "/api/v0/workspace/places/{id}", tag = "support", params(("id" = String, Path)),
    request_body = PlaceEdit,
    responses((status = 200, body = Success<PlaceView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn change_place(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<RegionId>,
    Body(body): Body<PlaceEdit>,
) -> ApiResult<Success<PlaceView>> {
    let mend = MendPlace {
        place_id: id,
        revision: body.revision,
        name: body.name.clone(),
        local_names: body.local_names.clone(),
        found_by: body.found_by.clone(),
        centre: body.centre.map(|point| read_point("centre", point)).transpose()?,
        bounds: body.bounds.map(read_box).transpose()?,
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let asked = context.command(staff.actor(), &body);
    let done = match mend_place(&records.log, &mend, &asked).await {
        Ok(done) => done,
        Err(CommitError::Rejected(PlaceError::ChangedMeanwhile)) => {
            let refused = ApiError::conflict("changed_meanwhile", say("refusal.place_changed"));
            return Err(refused.with_current(&show(&records, id).await?));
        }
        Err(error) => return Err(error.map(refuse).into()),
    };
    // Nothing was to be written where everything is so already.
    let position = if done.last == 0 {
        records.log.head().await?
    } else {
        done.last
    };
    records.answers_for(position);
    Ok(Success::at(show(&records, id).await?, position))
}

async fn show(records: &Records, id: RegionId) -> ApiResult<PlaceView> {
    let known = read_place(&records.log, id).await?;
    let KnownPlace { details, revision } = known.ok_or_else(|| refuse(PlaceError::UnknownPlace))?;
    let local = details.local_name.iter().flat_map(Wording::texts);
    let local = local.filter(|(tag, _)| *tag != Language::default().code());
    let local_names = local
        .map(|(tag, name)| (tag.to_owned(), name.to_owned()))
        .collect();
    Ok(PlaceView {
        id: id.to_string(),
        revision,
        local_names,
        kind: details.region_type.key().to_owned(),
        country: details.country.iso().to_owned(),
        lies_in: name_above(records, &details),
        centre: show_point(details.centre),
        bounds: PlaceBox {
            southwest: show_point(details.bounds.southwest),
            northeast: show_point(details.bounds.northeast),
        },
        homes: records.catalogue.places().homes(id),
        is_mended: details.is_mended,
        name: details.name,
        found_by: details.aliases,
        canonical_name: details.canonical_name,
        time_zone: details.time_zone,
    })
}

fn name_above(records: &Records, details: &RegionDetails) -> Option<String> {
    let places = records.catalogue.places();
    places.get(details.parent?).map(|above| above.name().to_owned())
}

fn show_point(point: Coordinates) -> PlacePoint {
    let degrees = |millionths: i32| f64::from(millionths) / 1e6;
    PlacePoint {
        lat: degrees(point.lat_e6),
        lng: degrees(point.lng_e6),
    }
}

fn read_box(given: PlaceBox) -> ApiResult<Bounds> {
    Ok(Bounds {
        southwest: read_point("bounds.southwest", given.southwest)?,
        northeast: read_point("bounds.northeast", given.northeast)?,
    })
}

fn read_point(field: &str, given: PlacePoint) -> ApiResult<Coordinates> {
    let degrees = |number: f64| Coordinates::parse_degrees(&format!("{number:.6}"));
    let point = degrees(given.lat).zip(degrees(given.lng));
    let point = point.map(|(lat, lng)| Coordinates::new(lat, lng));
    point
        .filter(|point| point.on_earth())
        .ok_or_else(|| ApiError::invalid_field(field, "range", say("refusal.off_earth")))
}

fn refuse(error: PlaceError) -> ApiError {
    match error {
        PlaceError::UnknownPlace => ApiError::not_found(say("refusal.no_region")),
        PlaceError::NoReason { .. } => ApiError::invalid_field("reason", "required", say("refusal.say_why")),
        PlaceError::TooLong { field, max } => {
            let said = say("refusal.at_most_characters");
            ApiError::invalid_field(field, "too_long", said.with("field", field).with("max", max))
        }
        PlaceError::TooMany { max } => {
            let said = say("refusal.too_many_names").with("max", max);
            ApiError::invalid_field("found_by", "too_many", said)
        }
        PlaceError::UnknownLanguage(tag) => {
            let said = say("refusal.no_such_language").with("language", tag);
            ApiError::invalid_field("local_names", "unknown", said)
        }
        PlaceError::OutsideCountry(country) => {
            let said = say("refusal.outside_country").with("country", country);
            ApiError::invalid_field("centre", "outside_country", said)
        }
        PlaceError::ChangedMeanwhile => ApiError::conflict("changed_meanwhile", say("refusal.place_changed")),
        PlaceError::Rejected(RegionRejection::NoName) => {
            ApiError::invalid_field("name", "required", say("validation.required"))
        }
        PlaceError::Rejected(RegionRejection::CentreOutside) => {
            ApiError::invalid_field("bounds", "centre_outside", say("refusal.centre_outside"))
        }
        PlaceError::Rejected(RegionRejection::OffEarth) => {
            ApiError::invalid_field("centre", "range", say("refusal.off_earth"))
        }
        // A correction leaves everything else as it is.
        PlaceError::Rejected(other) => ApiError::broken(&other),
    }
}
