//! `/sitemap` (D16): every country and city with homes, and every page of words, for people; `site_files` has the maps of search engines.

use std::sync::Arc;

use ::content::{BLOG, PAGES, Shelf};
use domain::country::Country;
use domain::language::Language;
use domain::region::{RegionState, RegionType};
use platform::texts::text;
use search_index::places::{Place, Places};

use super::content::{draw, legal_links, link, link_to};
use super::head::Head;
use super::home::{country_region, listed_countries};
use super::page::Outcome;
use super::sources::PageSources;
use crate::brand::face_of;
use crate::payload_shapes::content::{PageLink, SiteMapCountry, SiteMapPage, SiteMapShelf};

pub(super) fn show_map(sources: &PageSources, lang: Language) -> Outcome {
    let places = sources.records.catalogue.places();
    let countries = listed_countries(&places)
        .into_iter()
        .filter_map(|country| map_country(&places, country, lang));
    let shown = SiteMapPage {
        countries: countries.collect(),
        shelves: list_shelves(sources, lang),
    };
    let brand = face_of(sources).name;
    let values = [("brand", brand.as_str())];
    let title = text(lang, "search_head.site_map_title", &[]);
    let description = text(lang, "search_head.site_map_description", &values);
    let head = Head::listed(sources, lang, &title, description, "/sitemap");
    draw("site_map", head, &shown, Vec::new())
}

fn map_country(places: &Places, country: Country, lang: Language) -> Option<SiteMapCountry> {
    let region = country_region(places, country)?;
    let cities = list_places(places, country)
        .into_iter()
        .filter(|place| place.details.region_type == RegionType::Locality);
    Some(SiteMapCountry {
        country: search_link(region, lang),
        homes: places.homes(region.id),
        cities: cities.map(|city| search_link(city, lang)).collect(),
    })
}

fn search_link(place: &Place, lang: Language) -> PageLink {
    link(place.name_in(lang.code()).to_owned(), &search_path(place))
}

/// Where homes of a place are searched.
pub(crate) fn search_path(place: &Place) -> String {
    format!("/places/search/{}", place.canonical_name())
}

/// Active places of a country that have homes, or whose city has, in the order of their names.
pub(crate) fn list_places(places: &Places, country: Country) -> Vec<&Arc<Place>> {
    let has_homes = |place: &Place| {
        let parent = place.details.parent;
        let near_university = place.details.region_type == RegionType::Establishment
            && parent.is_some_and(|parent| places.homes(parent) > 0);
        places.homes(place.id) > 0 || near_university
    };
    let mut listed: Vec<&Arc<Place>> = places
        .all()
        .filter(|place| {
            place.state == RegionState::Active && place.details.country == country && has_homes(place)
        })
        .collect();
    listed.sort_by(|one, other| one.name().cmp(other.name()));
    listed
}

fn list_shelves(sources: &PageSources, lang: Language) -> Vec<SiteMapShelf> {
    Shelf::ALL
        .into_iter()
        .map(|shelf| {
            let first = match shelf {
                Shelf::Students => Some(BLOG),
                Shelf::House => None,
                Shelf::Help => Some("help"),
            };
            let keys = PAGES.into_iter().filter(|page| page.shelf == shelf);
            let keys = first.into_iter().chain(keys.map(|page| page.key));
            let mut links: Vec<PageLink> = keys.filter_map(|key| link_to(sources, lang, key)).collect();
            if shelf == Shelf::Help {
                links.extend(legal_links(sources, lang));
            }
            SiteMapShelf { shelf, links }
        })
        .collect()
}
