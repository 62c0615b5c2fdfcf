//! `/places/search/{region}`: the region's rules (A11), then its search with filters from the address (A9, A10).

use std::sync::Arc;

use axum::http::StatusCode;
use domain::place::slug;
use domain::region::{RegionState, RegionType};
use http_kit::error::ApiError;
use search_index::geo::OnGlobe;
use search_index::places::{Place, PlaceGroup, Places};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shop::contract::catalogue::SearchMeta;
use shop::regions::{self, about};
use shop::search::{Fields, links, region_link, write_result};
use shop::search_params::{Asked, Known, Manner};

use super::head::{Head, NOT_LISTED, href};
use super::page::{Address, Outcome, Page, Render, written};
use crate::pages::sources::PageSources;
use crate::payload_shapes::{SearchCenter, SearchPage};

/// Links to universities, areas and places below a region.
const LINKS: usize = 24;
/// Cities with homes that the page of a place without homes names.
const NEAREST: usize = 3;

/// The page of a search's address.
///
/// # Errors
/// Only when something of ours is broken.
pub(super) fn resolve(
    sources: &PageSources,
    address: &Address<'_>,
    name: &str,
    rest: &[&str],
) -> Result<Outcome, ApiError> {
    let places = sources.records.catalogue.places();
    if rest == ["agent-view"] {
        let to = address.keeping_query(&format!("/places/search/{name}"));
        return Ok(Outcome::Redirect {
            status: StatusCode::MOVED_PERMANENTLY,
            to,
        });
    }
    let by_id = || places.get(name.parse().ok()?);
    let region = || places.by_any_spelling(name).or_else(by_id).cloned();
    // A city or university without homes is no region yet.
    let found = || region().or_else(|| places.find_unlisted(&slug(name)));
    let Some(place) = rest.is_empty().then(found).flatten() else {
        return Ok(Outcome::NotFound { message: None });
    };
    if let Some(redirect) = redirect(&places, &place, name, address) {
        return Ok(redirect);
    }
    page(sources, address, &places, &place)
}

/// A11, D8: a retired campus leads to its residence, an inactive region to its parent, another name to the canonical one.
fn redirect(places: &Places, place: &Place, name: &str, address: &Address<'_>) -> Option<Outcome> {
    let search = |canonical: &str| address.keeping_query(&format!("/places/search/{canonical}"));
    let permanent = |to: String| {
        Some(Outcome::Redirect {
            status: StatusCode::MOVED_PERMANENTLY,
            to,
        })
    };
    match place.state {
        RegionState::Retired => match &place.details.redirect_canonical_name {
            Some(residence) => permanent(search(residence)),
            None => Some(Outcome::NotFound { message: None }),
        },
        RegionState::Inactive => {
            let parent = place.details.parent.and_then(|parent| places.get(parent));
            let to = parent.map_or_else(|| "/".to_owned(), |parent| search(parent.canonical_name()));
            Some(Outcome::Redirect {
                status: StatusCode::FOUND,
                to,
            })
        }
        RegionState::Active if place.canonical_name() != name => permanent(search(place.canonical_name())),
        RegionState::Active => None,
    }
}

fn page(
    sources: &PageSources,
    address: &Address<'_>,
    places: &Places,
    place: &Arc<Place>,
) -> Result<Outcome, ApiError> {
    const ALWAYS: &str = "features_and=true&facets=true&pins=true";
    let query = format!("{}&{ALWAYS}", address.query);
    let asked = Known::with(&sources.records.catalogue, |known| {
        let read = |query: &str| Asked::read(query, Manner::Lenient, known, Some(Arc::clone(place)));
        // An address that is too much for a search still names a place (decision 0032).
        read(&query).or_else(|_| read(ALWAYS))
    })?;
    let lang = address.lang.code();
    let mut result = Vec::with_capacity(64 * 1024);
    let summary = write_result(
        &sources.records.catalogue,
        &asked,
        Fields::Card,
        address.lang,
        &mut result,
    )
    .map_err(ApiError::broken)?;
    let result = String::from_utf8(result).map_err(ApiError::broken)?;
    let shared = find_shared(&result);
    let middle = asked.destination.as_ref().unwrap_or(place);
    let near = |group| nearest(places, place, group, lang);
    let total = about::total(&sources.records.catalogue, place, middle);
    let shown = SearchPage {
        region: regions::view::plain_region(places, place, address.lang),
        is_region_page: place.is_searched_as_a_whole(),
        children: below(places, place, lang),
        universities: near(PlaceGroup::Universities),
        areas: areas(places, place, lang),
        search: RawValue::from_string(result).map_err(ApiError::broken)?,
        total_in_region: total,
        nearest: nearest_with_homes(places, place, total, lang),
        center: SearchCenter {
            lat: middle.center().lat(),
            lng: middle.center().lng(),
            label: measured_from(places, middle, lang),
            is_university: middle.details.region_type == RegionType::Establishment,
        },
        faqs: about::questions(&sources.records.catalogue, place, total, address.lang),
    };
    Ok(Outcome::Page(Box::new(Page {
        route: "search",
        head: head(sources, address, place, total, (&summary.meta, shared)),
        preload_image: summary.first_picture,
        data: written(&shown),
        json_ld: Vec::new(),
        render: Render::Server,
    })))
}

/// Cities of a country or state, those with most homes first (D6).
fn below(places: &Places, place: &Place, lang: &str) -> Vec<Value> {
    if !place.is_searched_as_a_whole() {
        return Vec::new();
    }
    let inside = |city: &&Arc<Place>| {
        city.details.region_type == RegionType::Locality
            && city.state == RegionState::Active
            && places.with_ancestors(city.id).contains(&place.id)
    };
    let mut cities: Vec<&Arc<Place>> = places.all().filter(inside).collect();
    cities.sort_by_key(|city| std::cmp::Reverse(places.homes(city.id)));
    links(places, cities.into_iter().take(LINKS), lang)
}

/// Areas of a city, by name; around a university or an area the nearest ones, so that its map has names too.
fn areas(places: &Places, place: &Place, lang: &str) -> Vec<Value> {
    if place.details.region_type != RegionType::Locality {
        return nearest(places, place, PlaceGroup::Areas, lang);
    }
    let children = places.children(place.id).into_iter();
    links(
        places,
        children
            .filter(|child| child.details.region_type == RegionType::Sublocality)
            .take(LINKS),
        lang,
    )
}

/// Universities within the region's own search.
fn nearest(places: &Places, place: &Place, group: PlaceGroup, lang: &str) -> Vec<Value> {
    if place.is_searched_as_a_whole() {
        return Vec::new();
    }
    let near = places.nearest(group, place.center(), &[place.id], LINKS);
    let inside = near.into_iter().filter(|(_, metres)| *metres <= place.radius_m());
    inside
        .map(|(university, metres)| region_link(places, university, Some(metres), lang))
        .collect()
}

/// The name of the point that distances are to: of a university whose campus is not known its town's.
fn measured_from(places: &Places, middle: &Place, lang: &str) -> String {
    let name = middle.name_in(lang);
    if !middle.details.is_without_campus {
        return name.to_owned();
    }
    let town = middle.details.locality.as_deref().unwrap_or(name);
    let above = places.above(middle).into_iter();
    let mut city = above.filter(|above| above.name() == town);
    city.next().map_or(town, |city| city.name_in(lang)).to_owned()
}

/// Where homes are instead, for a place without any.
fn nearest_with_homes(places: &Places, place: &Place, total: u64, lang: &str) -> Vec<Value> {
    if total > 0 {
        return Vec::new();
    }
    let near = places.nearest_with_homes(place.center(), NEAREST).into_iter();
    near.map(|(city, metres)| region_link(places, city, Some(metres), lang))
        .collect()
}

/// Homes of an answer as far as their photos go.
#[derive(Deserialize)]
struct ShownHomes {
    result: Vec<ShownHome>,
}

#[derive(Deserialize)]
struct ShownHome {
    #[serde(default)]
    photos: Vec<ShownPhoto>,
}

#[derive(Deserialize)]
struct ShownPhoto {
    sources: Vec<ShownSource>,
}

#[derive(Deserialize)]
struct ShownSource {
    jpeg: String,
}

/// The first photo of the homes that are shown, where a link is shared. A drawing is none: there nothing says that it is an illustration.
fn find_shared(result: &str) -> Option<String> {
    let shown: ShownHomes = serde_json::from_str(result).ok()?;
    let mut photos = shown.result.into_iter().flat_map(|home| home.photos);
    let source = photos.find_map(|photo| photo.sources.into_iter().next_back());
    source.map(|source| source.jpeg)
}

fn head(
    sources: &PageSources,
    address: &Address<'_>,
    place: &Place,
    total: u64,
    (meta, shared): (&SearchMeta, Option<String>),
) -> Head {
    let path = format!("/places/search/{}", place.canonical_name());
    let about = about::words(place, total, address.lang);
    let paged = |page: usize| {
        if page > 1 {
            format!("{path}?p={page}")
        } else {
            path.clone()
        }
    };
    let page_link = |page: Option<usize>| Some(href(sources, address.lang, &paged(page?)));
    let own = paged(meta.current_page);
    let listed = Head::listed(sources, address.lang, &about.title, about.description, &own);
    Head {
        // A place without homes has nothing to be found for.
        robots: if total == 0 { NOT_LISTED } else { listed.robots },
        prev: page_link(meta.prev),
        next: page_link(meta.next),
        image: shared.map(|path| format!("{}{path}", sources.site.origin)),
        ..listed
    }
}
