//! What the home page shows: popular cities by country with the number of homes and from how much (A8, D62).

use std::sync::Arc;

use domain::brand::look::BrandLook;
use domain::country::Country;
use domain::id::RegionId;
use domain::inventory::Status;
use domain::language::Language;
use domain::region::{RegionState, RegionType, Subtype};
use platform::forms::forms_of;
use search_index::SearchIndex;
use search_index::index::active;
use search_index::item::Price;
use search_index::places::{Place, Places};
use search_index::query::{Clause, Direction, Order, Search, SortKey};
use search_index::value::{Kind, Value as Facet};
use serde_json::{Value, json};
use shop::inventories::words::words;

use crate::brand::face_of;
use crate::pages::head::Head;
use crate::pages::page::{Page, Render, written};
use crate::pages::sources::PageSources;

/// The first countries, in the order of the specification's list; others in which homes are let follow.
const COUNTRIES: [Country; 7] = [
    Country::Uk,
    Country::Australia,
    Country::Ireland,
    Country::Us,
    Country::Canada,
    Country::Germany,
    Country::Spain,
];

/// The home page.
pub fn page(sources: &PageSources, lang: Language) -> Page {
    let shown = home_page(sources, lang);
    let total = |name: &str| forms_of(lang).write_number(&shown["totals"][name].to_string());
    let (homes, universities, cities) = (total("homes"), total("universities"), total("cities"));
    let values = [
        ("homes", homes.as_str()),
        ("universities", &universities),
        ("cities", &cities),
    ];
    // A figure of none says nothing.
    let is_counted = [&homes, &universities, &cities]
        .into_iter()
        .all(|total| total != "0");
    let plain = if is_counted { "" } else { "_plain" };
    let description = words(lang, &format!("inventory.home_description{plain}"), &values);
    let tagline = BrandLook::say(&face_of(sources).brand.look.tagline, lang).map(ToOwned::to_owned);
    let title = tagline.unwrap_or_else(|| words(lang, "inventory.home_title", &[]));
    let head = Head::listed(sources, lang, &title, description, "/");
    Page {
        route: "home",
        head,
        data: written(&shown),
        json_ld: Vec::new(),
        render: Render::Server,
        preload_image: None,
    }
}

/// The contract's `HomePage`.
pub fn home_page(sources: &PageSources, lang: Language) -> Value {
    let catalogue = &sources.records.catalogue;
    let places = catalogue.places();
    let countries = listed_countries(&places).into_iter().filter_map(|country| {
        // A city without homes is found by the box alone.
        let cities: Vec<Value> = places
            .popular_cities(country)
            .into_iter()
            .filter(|city| places.homes(city.id) > 0)
            .map(|city| city_card(catalogue, &places, city, lang))
            .collect();
        (!cities.is_empty()).then(|| {
            json!({ "key": country.key(), "name": country_name(&places, country, lang), "cities": cities })
        })
    });
    json!({ "countries": countries.collect::<Vec<_>>(), "totals": totals(&places) })
}

/// D18: whether a country goes by this name in addresses: its own (`united-kingdom`) or its short one (`uk`).
pub fn is_country(sources: &PageSources, name: &str) -> bool {
    let places = sources.records.catalogue.places();
    let is_opened = |country: &Country| {
        Country::SPECIFIED.contains(country) || country_region(&places, *country).is_some()
    };
    let named = || places.by_canonical_name(name);
    Country::find(name).as_ref().is_some_and(is_opened)
        || named().is_some_and(|place| place.details.region_type == RegionType::Country)
}

/// Countries in which homes are let: those of the specification's list in its order, then the others, most homes first.
pub(crate) fn listed_countries(places: &Places) -> Vec<Country> {
    let mut listed = places.countries_with_homes();
    let place_of = |country: &Country| COUNTRIES.iter().position(|first| first == country);
    listed.sort_by_key(|country| place_of(country).unwrap_or(COUNTRIES.len()));
    listed
}

/// Menu of the frame around every page: popular cities by country.
pub fn country_menu(sources: &PageSources, lang: Language) -> Value {
    let places = sources.records.catalogue.places();
    let countries = listed_countries(&places).into_iter().filter_map(|country| {
        let region = country_region(&places, country)?;
        let cities: Vec<Value> = places
            .popular_cities(country)
            .into_iter()
            .map(|city| {
                json!({ "id": city.id, "name": city.name_in(lang.code()), "canonical_name": city.canonical_name() })
            })
            .collect();
        Some(json!({
            "key": country.key(),
            "name": region.name_in(lang.code()),
            "canonical_name": region.canonical_name(),
            "cities": cities,
        }))
    });
    countries.collect()
}

fn city_card(catalogue: &SearchIndex, places: &Places, city: &Place, lang: Language) -> Value {
    json!({
        "name": city.name_in(lang.code()),
        "canonical_name": city.canonical_name(),
        "image": format!("/pictures/{}/city.svg", city.canonical_name()),
        "homes": places.homes(city.id),
        "from": cheapest(catalogue, city.id),
    })
}

/// The lowest price somebody can book in a region now.
fn cheapest(catalogue: &SearchIndex, region: RegionId) -> Option<Price> {
    let snapshot = catalogue.snapshot();
    let region = snapshot.vocabulary().find(Kind::Region, &region.to_string())?;
    let search = Search {
        clauses: vec![
            active(),
            Clause::any(None, vec![region]),
            Clause::any(None, vec![Facet::AVAILABLE]),
        ],
        order: Order {
            key: SortKey::AvailablePrice,
            direction: Direction::Ascending,
        },
        limit: 1,
        ..Search::default()
    };
    let items = catalogue.items(&catalogue.search(&snapshot, &search));
    items
        .first()
        .filter(|item| item.status == Status::Active)
        .map(|item| item.price)
}

fn totals(places: &Places) -> Value {
    let active = || places.all().filter(|place| place.state == RegionState::Active);
    let of = |kind: RegionType| active().filter(move |place| place.details.region_type == kind);
    let homes: u64 = of(RegionType::Country)
        .map(|country| places.homes(country.id))
        .sum();
    let universities = active()
        .filter(|place| place.details.subtype == Some(Subtype::University))
        .count();
    let ranked = of(RegionType::Locality).filter(|city| city.details.popular_rank.is_some());
    let let_in = || of(RegionType::Locality).filter(|city| places.homes(city.id) > 0);
    // A house without a popular list counts the cities of its homes.
    let cities = match ranked.count() {
        0 => let_in().count(),
        listed => listed,
    };
    json!({ "homes": homes, "universities": universities, "cities": cities })
}

pub(crate) fn country_region(places: &Places, country: Country) -> Option<&Arc<Place>> {
    places
        .all()
        .find(|place| place.details.region_type == RegionType::Country && place.details.country == country)
}

fn country_name(places: &Places, country: Country, lang: Language) -> String {
    country_region(places, country).map_or_else(
        || country.name().to_owned(),
        |region| region.name_in(lang.code()).to_owned(),
    )
}
