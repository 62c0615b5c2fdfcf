//! Regions: lists, one by name or id, many at once, and what lies near one (Spec §7, A5, A6, D54–D56).

use std::cmp::Ordering;
use std::sync::Arc;

use axum::extract::State;
use domain::id::RegionId;
use domain::region::{RegionState, RegionType};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{List, Meta, Success};
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext, limit_of, listed};
use http_kit::said::{say, unknown_value};
use platform::clock;
use records::Records;
use search_index::SearchIndex;
use search_index::names::Spelling;
use search_index::places::{Place, Places};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::Services;
use crate::contract::catalogue::{Nearby, RegionFields};
use crate::inventories::home;
use crate::search;

pub mod about;
pub mod view;

use view::Methods;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(bulk_regions))
        .endpoint(Access::Open, routes!(show_region))
        .endpoint(Access::Open, routes!(list_regions))
        .endpoint(Access::Open, routes!(nearby_places))
}

/// Spec §7: regions are listed a thousand at a time.
const LIMIT: u64 = 1_000;
/// D56.
const BULK_MAX: usize = 200;
/// D54: what somebody is typing brings so many.
const SEARCH_RESULTS: usize = 5;

/// Parameters of a list of regions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RegionsQuery {
    p: Option<u64>,
    /// At most 1,000.
    limit: Option<u64>,
    /// `active` unless given; `all` for every state.
    state: Option<String>,
    /// Extra fields, comma-separated.
    methods: Option<String>,
    /// Only these fields.
    only: Option<String>,
    /// Only regions below this one.
    ancestor_id: Option<String>,
    sort_key: Option<String>,
    sort_order: Option<String>,
    /// Comma-separated.
    region_types: Option<String>,
    region_type: Option<String>,
    /// Text that a visitor is typing (D54).
    search_name: Option<String>,
}

/// Regions, sorted and paged.
#[utoipa::path(get, path = "/api/v0/regions", tag = "regions", params(RegionsQuery), responses(
    (status = 200, description = "A page of regions", body = Success<List<RegionFields>>),
    (status = 422, description = "Unknown values, each named", body = http_kit::error::Failure),
))]
pub async fn list_regions(
    State(catalogue): State<Arc<SearchIndex>>,
    context: RequestContext,
    Query(query): Query<RegionsQuery>,
) -> ApiResult<Success<List<Value>>> {
    let places = catalogue.places();
    let asked = Asked::read(&query, &places)?;
    let mut found: Vec<&Arc<Place>> = match query.search_name.as_deref() {
        Some(text) => Asked::suggested(text, &places),
        None => places.all().collect(),
    };
    found.retain(|place| asked.takes(place, &places));
    if query.search_name.is_none() {
        found.sort_by(|one, other| asked.order(one, other, &places));
    }
    if query.search_name.is_some() {
        found.truncate(SEARCH_RESULTS);
    }
    let meta = Meta::new(found.len() as u64, asked.limit, asked.page);
    let skipped = usize::try_from((asked.page - 1).saturating_mul(asked.limit)).unwrap_or(usize::MAX);
    let shown = found
        .into_iter()
        .skip(skipped)
        .take(usize::try_from(asked.limit).unwrap_or(0));
    let result = shown
        .map(|place| view::region(&catalogue, &places, place, &asked.methods, context.lang))
        .collect();
    Ok(Success::new(List { meta, result }))
}

struct Asked {
    page: u64,
    limit: u64,
    state: Option<RegionState>,
    types: Vec<RegionType>,
    ancestor: Option<RegionId>,
    by_homes: bool,
    descending: bool,
    methods: Methods,
}

impl Asked {
    fn read(query: &RegionsQuery, places: &Places) -> Result<Self, ApiError> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, value: &str| {
            errors.push(FieldError::new(
                field,
                "unknown_value",
                unknown_value(field, value),
            ));
        };
        let mut types = Vec::new();
        for (field, value) in [
            ("region_types", &query.region_types),
            ("region_type", &query.region_type),
        ] {
            for word in listed(value.as_deref().unwrap_or_default()) {
                match RegionType::ALL.into_iter().find(|kind| kind.key() == word) {
                    Some(kind) => types.push(kind),
                    None => refuse(field, word),
                }
            }
        }
        let states = [RegionState::Active, RegionState::Inactive, RegionState::Retired];
        let state = match query.state.as_deref().filter(|state| !state.is_empty()) {
            None => Some(RegionState::Active),
            Some("all") => None,
            Some(word) => states.into_iter().find(|state| state.key() == word).or_else(|| {
                refuse("state", word);
                None
            }),
        };
        let by_homes = match query.sort_key.as_deref() {
            None | Some("" | "name") => false,
            Some("homes") => true,
            Some(other) => {
                refuse("sort_key", other);
                false
            }
        };
        let descending = match query.sort_order.as_deref() {
            None | Some("" | "asc") => false,
            Some("desc") => true,
            Some(other) => {
                refuse("sort_order", other);
                false
            }
        };
        if !errors.is_empty() {
            return Err(ApiError::invalid(errors));
        }
        let ancestor = query.ancestor_id.as_deref().filter(|id| !id.is_empty());
        Ok(Self {
            page: query.p.unwrap_or(1).max(1),
            limit: limit_of(query.limit, LIMIT, LIMIT)?,
            state,
            types,
            // An id nobody has lies above nothing.
            ancestor: ancestor.map(|id| by_key(places, id).map_or(RegionId(Uuid::nil()), |place| place.id)),
            by_homes,
            descending,
            methods: Methods::read(query.methods.as_deref(), query.only.as_deref()),
        })
    }

    fn takes(&self, place: &Place, places: &Places) -> bool {
        let below = |above| place.id != above && places.with_ancestors(place.id).contains(&above);
        self.state.is_none_or(|state| place.state == state)
            && (self.types.is_empty() || self.types.contains(&place.details.region_type))
            && self.ancestor.is_none_or(below)
    }

    fn order(&self, one: &Place, other: &Place, places: &Places) -> Ordering {
        let order = if self.by_homes {
            places.homes(one.id).cmp(&places.homes(other.id))
        } else {
            one.details.name.cmp(&other.details.name)
        };
        let order = if self.descending { order.reverse() } else { order };
        order.then_with(|| one.id.cmp(&other.id))
    }

    fn suggested<'p>(text: &str, places: &'p Places) -> Vec<&'p Arc<Place>> {
        if !search_index::is_enough(text) {
            return Vec::new();
        }
        let groups = search_index::places::PlaceGroup::ALL;
        let mut found: Vec<(usize, &Arc<Place>)> = groups
            .into_iter()
            .flat_map(|group| {
                let best = places.suggest(group, text, Spelling::OneTypo, SEARCH_RESULTS);
                best.into_iter().enumerate()
            })
            .collect();
        // The best city, area and university first: no group crowds out another.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, place)| place).collect()
    }
}

/// A region by id or canonical name.
pub fn by_key<'p>(places: &'p Places, key: &str) -> Option<&'p Arc<Place>> {
    match key.parse::<Uuid>() {
        Ok(id) => places.get(RegionId(id)),
        Err(_) => places.by_any_spelling(key),
    }
}

/// Fields of one region.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RegionQuery {
    methods: Option<String>,
    only: Option<String>,
    #[expect(
        dead_code,
        reason = "accepted as the specification lists it; a region is found by its name alone"
    )]
    location_place_id: Option<String>,
}

/// One region, by canonical name or id.
#[utoipa::path(get, path = "/api/v0/regions/{region}", tag = "regions", params(("region" = String, Path), RegionQuery), responses(
    (status = 200, description = "The region", body = Success<RegionFields>),
    (status = 404, description = "No such region", body = http_kit::error::Failure),
))]
pub async fn show_region(
    State(catalogue): State<Arc<SearchIndex>>,
    context: RequestContext,
    Path(key): Path<String>,
    Query(query): Query<RegionQuery>,
) -> ApiResult<Success<Value>> {
    let places = catalogue.places();
    let place = by_key(&places, &key).ok_or_else(|| ApiError::not_found(say("refusal.no_region")))?;
    let methods = Methods::read(query.methods.as_deref(), query.only.as_deref());
    Ok(Success::new(view::region(
        &catalogue,
        &places,
        place,
        &methods,
        context.lang,
    )))
}

/// Which regions are wanted at once.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BulkQuery {
    /// Comma-separated ids.
    ids: Option<String>,
    /// Comma-separated canonical names.
    canonical_names: Option<String>,
    methods: Option<String>,
    only: Option<String>,
}

/// Many regions at once, in the order asked; null where there is none (D56).
#[utoipa::path(get, path = "/api/v1/regions/index_bulk", tag = "regions", params(BulkQuery), responses(
    (status = 200, description = "Regions in the order asked", body = Success<Vec<Option<RegionFields>>>),
    (status = 422, description = "More than 200", body = http_kit::error::Failure),
))]
pub async fn bulk_regions(
    State(catalogue): State<Arc<SearchIndex>>,
    context: RequestContext,
    Query(query): Query<BulkQuery>,
) -> ApiResult<Success<Vec<Value>>> {
    let (field, keys) = match (&query.ids, &query.canonical_names) {
        (Some(ids), _) => ("ids", ids),
        (None, Some(names)) => ("canonical_names", names),
        (None, None) => {
            return Err(ApiError::invalid_field(
                "ids",
                "required",
                say("refusal.name_regions"),
            ));
        }
    };
    let keys: Vec<&str> = listed(keys).collect();
    if keys.len() > BULK_MAX {
        let message = say("refusal.too_many_values")
            .with("field", field)
            .with("max", BULK_MAX);
        return Err(ApiError::invalid_field(field, "too_many", message));
    }
    let places = catalogue.places();
    let methods = Methods::read(query.methods.as_deref(), query.only.as_deref());
    let region = |key: &str| {
        by_key(&places, key).map_or(Value::Null, |place| {
            view::region(&catalogue, &places, place, &methods, context.lang)
        })
    };
    Ok(Success::new(keys.into_iter().map(region).collect()))
}

/// Middle of a search for places.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct NearbyQuery {
    /// Region or property, by id or canonical name.
    #[param(required = true)]
    id: Option<String>,
    /// Comma-separated: which of `locality`, `sublocality`, `establishment` to answer.
    region_types: Option<String>,
    /// `true`: `id` names a property.
    for_property_page: Option<bool>,
}

/// Cities, areas, universities and properties around a region or property (A6, D55).
#[utoipa::path(get, path = "/api/v0/regions/nearby_places", tag = "regions", params(NearbyQuery), responses(
    (status = 200, description = "Four lists", body = Success<Nearby>),
    (status = 404, description = "Nothing has that id", body = http_kit::error::Failure),
))]
pub async fn nearby_places(
    State(records): State<Records>,
    context: RequestContext,
    Query(query): Query<NearbyQuery>,
) -> ApiResult<Success<Value>> {
    let Some(key) = query.id.as_deref().filter(|key| !key.is_empty()) else {
        return Err(ApiError::invalid_field(
            "id",
            "required",
            say("refusal.name_where"),
        ));
    };
    let places = records.catalogue.places();
    let region = by_key(&places, key).filter(|_| query.for_property_page != Some(true));
    let (around, but) = if let Some(place) = region {
        (place.center(), place.id.0)
    } else {
        let found = home::find(&records, key).await?;
        let (_, home) = found.ok_or_else(|| ApiError::not_found(say("refusal.no_region_or_property")))?;
        (home.middle(), home.id().0)
    };
    let today = clock::now().date_naive();
    let mut lists = search::nearby_lists(&records.catalogue, around, Some(but), today, context.lang);
    let wanted = query
        .region_types
        .as_deref()
        .unwrap_or("locality,sublocality,establishment");
    for (kind, list) in [
        ("locality", "cities"),
        ("sublocality", "areas"),
        ("establishment", "universities"),
    ] {
        if !listed(wanted).any(|word| word == kind) {
            lists[list] = Value::Array(Vec::new());
        }
    }
    Ok(Success::new(lists))
}
