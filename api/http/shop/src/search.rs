//! `GET /api/v1/inventories`, suggestions while typing, and what lies near a place (Spec §7, A1–A3, A6, A7).

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::language::Language;
use http_kit::caller::Caller;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use search_index::SearchIndex;
use search_index::query::From;

use crate::Services;
use crate::contract::catalogue::FoundInventories;
use crate::listed_statuses::admit_statuses;
use crate::search_params::{Asked, Known, Manner};

mod answer;
mod facet_values;
mod nearby;
pub mod suggest;

pub use answer::{Fields, Summary, links, write_result};
pub use facet_values::ShownFacets;
pub use nearby::{nearby_lists, region_link};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(list_inventories))
        .merge(suggest::endpoints())
}

/// Properties that match, one page at a time, with their facets and pins on request.
///
/// Every parameter of the specification's search is honoured; an unknown value is answered 422 naming its parameter.
#[utoipa::path(
    get,
    path = "/api/v1/inventories",
    tag = "search",
    params(
        ("p" = Option<usize>, Query, minimum = 1, description = "Page, from 1"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1_000, description = "Results a page, 10 unless given, at most 1,000"),
        ("next_token" = Option<String>, Query, description = "Goes on after the last result of an answer"),
        ("region_canonical_name" = Option<String>, Query, description = "Where to look"),
        ("region_type" = Option<String>, Query, description = "`circle` or `bounds`"),
        ("region_center" = Option<String>, Query, description = "`lat,lng`"),
        ("destination_coordinates" = Option<String>, Query, description = "`lat,lng` that distances are measured from"),
        ("locality" = Option<String>, Query, description = "Names of cities or areas"),
        ("locality_canonical_name" = Option<String>, Query, description = "A city or area"),
        ("region_lat" = Option<f64>, Query, minimum = -90, maximum = 90),
        ("region_lng" = Option<f64>, Query, minimum = -180, maximum = 180),
        ("region_radius" = Option<f64>, Query, exclusive_minimum = 0, maximum = 5_000_000, description = "Metres"),
        ("locality_radius" = Option<f64>, Query, exclusive_minimum = 0, maximum = 5_000_000, description = "Metres"),
        ("region_bounds_lat1" = Option<f64>, Query, minimum = -90, maximum = 90),
        ("region_bounds_lng1" = Option<f64>, Query, minimum = -180, maximum = 180),
        ("region_bounds_lat2" = Option<f64>, Query, minimum = -90, maximum = 90),
        ("region_bounds_lng2" = Option<f64>, Query, minimum = -180, maximum = 180),
        ("min_price" = Option<f64>, Query),
        ("max_price" = Option<f64>, Query),
        ("range_available_price" = Option<String>, Query, description = "`100,250`, either end open"),
        ("weekly_range_price" = Option<String>, Query, description = "The same, per week"),
        ("duration" = Option<String>, Query, description = "Period of the budget: `weekly` or `monthly`"),
        ("meta_types" = Option<String>, Query),
        ("room_types" = Option<String>, Query),
        ("bathroom_types" = Option<String>, Query),
        ("kitchen_types" = Option<String>, Query),
        ("meta_bedroom_counts" = Option<String>, Query),
        ("meta_bathroom_counts" = Option<String>, Query),
        ("meta_unit_types" = Option<String>, Query),
        ("type" = Option<String>, Query),
        ("statuses" = Option<String>, Query, description = "`active` unless given; `deleted` is for staff"),
        ("guarantor" = Option<String>, Query, description = "`not_said`: homes that say nothing of it"),
        ("features" = Option<String>, Query),
        ("tags" = Option<String>, Query),
        ("owner" = Option<String>, Query),
        ("name" = Option<String>, Query),
        ("move_in_month" = Option<String>, Query),
        ("meta_min_lease_duration" = Option<usize>, Query, description = "Weeks or months, after the period"),
        ("meta_max_lease_duration" = Option<usize>, Query),
        ("features_and" = Option<bool>, Query),
        ("available" = Option<bool>, Query),
        ("use_open_search" = Option<bool>, Query),
        ("facets" = Option<bool>, Query, description = "Adds what every filter value would leave"),
        ("pins" = Option<bool>, Query, description = "Adds all matches for the map, up to 1,000"),
        ("sort_key" = Option<String>, Query),
        ("sort_order" = Option<String>, Query),
        ("only" = Option<String>, Query),
        ("except" = Option<String>, Query),
        ("methods" = Option<String>, Query),
        ("lang" = Option<String>, Query),
        ("whitelabel_partner_id" = Option<String>, Query),
    ),
    responses(
        (status = 200, description = "A page of properties", body = Success<FoundInventories>),
        (status = 403, description = "Deleted properties are for staff", body = http_kit::error::Failure),
        (status = 400, description = "A malformed range or a search that costs too much", body = http_kit::error::Failure),
        (status = 422, description = "Unknown values, each named", body = http_kit::error::Failure),
    )
)]
pub async fn list_inventories(
    State(catalogue): State<Arc<SearchIndex>>,
    context: RequestContext,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    let asked = Known::with(&catalogue, |known| {
        Asked::read(&query, Manner::Strict, known, None)
    })?;
    admit_statuses(&caller, &asked.statuses)?;
    Ok(json_answer(answer_of(
        &catalogue,
        &asked,
        Fields::Whole,
        context.lang,
    )?))
}

/// The search's answer in its envelope.
pub fn answer_of(
    catalogue: &SearchIndex,
    asked: &Asked,
    fields: Fields,
    lang: Language,
) -> Result<Vec<u8>, ApiError> {
    let mut body = Vec::with_capacity(16 * 1024);
    body.extend_from_slice(br#"{"message":"success","data":"#);
    write_result(catalogue, asked, fields, lang, &mut body).map_err(ApiError::broken)?;
    body.push(b'}');
    Ok(body)
}

fn json_answer(body: Vec<u8>) -> Response {
    (
        [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))],
        body,
    )
        .into_response()
}

/// Results before the page, where pages are counted.
fn offset(from: From) -> usize {
    match from {
        From::Offset(offset) => offset,
        From::After(_) => 0,
    }
}
