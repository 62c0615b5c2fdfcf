//! A region as answers and pages show it: the contract's `Region` with what `methods` adds and `only` leaves (D51).

use std::sync::Arc;

use domain::language::Language;
use domain::region::RegionType;
use http_kit::request::listed;
use search_index::SearchIndex;
use search_index::geo::OnGlobe;
use search_index::index::active;
use search_index::places::{Place, Places};
use search_index::query::{Clause, Direction, Order, Search, SortKey};
use search_index::value::Kind;
use serde_json::{Map, Value, json};

use super::about;

/// Which fields are wanted beyond and of the usual ones; unknown names are ignored (D51).
#[derive(Debug, Default)]
pub struct Methods {
    more: Vec<String>,
    only: Option<Vec<String>>,
}

impl Methods {
    pub fn read(methods: Option<&str>, only: Option<&str>) -> Self {
        let names = |text: &str| -> Vec<String> { listed(text).map(str::to_owned).collect() };
        Self {
            more: methods.map(names).unwrap_or_default(),
            only: only.map(names).filter(|only| !only.is_empty()),
        }
    }

    fn asks(&self, name: &str) -> bool {
        self.more.iter().any(|method| method == name)
    }

    fn keeps(&self, name: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.iter().any(|field| field == name) || self.asks(name))
    }
}

/// The contract's `Region`.
pub fn plain_region(places: &Places, place: &Place, lang: Language) -> Value {
    Value::Object(usual(places, place, lang))
}

/// The region with the methods asked for.
pub fn region(
    catalogue: &SearchIndex,
    places: &Places,
    place: &Place,
    methods: &Methods,
    lang: Language,
) -> Value {
    let mut fields = usual(places, place, lang);
    for name in EXTRA {
        if methods.asks(name) {
            fields.insert(name.to_owned(), extra(catalogue, places, place, name, lang));
        }
    }
    fields.retain(|name, _| methods.keeps(name));
    Value::Object(fields)
}

fn usual(places: &Places, place: &Place, lang: Language) -> Map<String, Value> {
    let details = &place.details;
    let parent = details.parent.and_then(|parent| places.get(parent));
    let range = details.country.budget_range();
    let corner = |point: domain::place::Coordinates| json!({ "lat": point.lat(), "lng": point.lng() });
    let region = json!({
        "id": place.id,
        "name": place.name_in(lang.code()),
        "canonical_name": place.canonical_name(),
        "region_type": details.region_type,
        "subtype": details.subtype,
        "state": place.state,
        "parent_id": details.parent,
        "parent_name": parent.map(|parent| parent.name_in(lang.code())),
        "parent_canonical_name": parent.map(|parent| parent.canonical_name()),
        "redirect_canonical_name": details.redirect_canonical_name,
        "location": {
            "country": country_name(places, place, lang),
            "country_key": details.country.key(),
            "locality": details.locality,
            "coordinates": {
                "location_coordinates": corner(place.center()),
                "location_bounds": {
                    "southwest": corner(details.bounds.southwest),
                    "northeast": corner(details.bounds.northeast),
                },
            },
        },
        "ancestors": ancestors(places, place, lang),
        "period": details.country.period(),
        "currency": details.country.currency().code(),
        "budget_range": [range.0, range.1],
        "homes": places.homes(place.id),
        "time_zone": details.time_zone,
    });
    match region {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Fields that `methods` adds to the usual ones (Spec §7).
const EXTRA: [&str; 7] = [
    "ancestors_short",
    "root_name",
    "stories",
    "region_inventory_price_range",
    "application_configs",
    "meta",
    "faqs",
];

fn extra(catalogue: &SearchIndex, places: &Places, place: &Place, name: &str, lang: Language) -> Value {
    match name {
        "ancestors_short" => ancestors(places, place, lang),
        "root_name" => above(places, place)
            .last()
            .map_or(Value::Null, |root| json!(root.name_in(lang.code()))),
        "region_inventory_price_range" => price_range(catalogue, place),
        "application_configs" => json!({ "flow": place.details.country.flow().key() }),
        "meta" => {
            let words = about::words(place, about::total(catalogue, place, place), lang);
            json!({ "title": words.title, "meta": words.description, "keywords": words.keywords })
        }
        "faqs" => {
            let total = about::total(catalogue, place, place);
            json!(about::questions(catalogue, place, total, lang))
        }
        // Nobody has written stories for a region yet.
        _ => json!([]),
    }
}

/// The cheapest and the dearest starting price of the homes in a region; null where there are none.
fn price_range(catalogue: &SearchIndex, place: &Place) -> Value {
    let snapshot = catalogue.snapshot();
    let region = snapshot.vocabulary().find(Kind::Region, &place.id.to_string());
    let first = |direction| {
        let search = Search {
            clauses: vec![active(), Clause::any(None, region.into_iter().collect())],
            order: Order {
                key: SortKey::AvailablePrice,
                direction,
            },
            limit: 1,
            ..Search::default()
        };
        catalogue
            .items(&catalogue.search(&snapshot, &search))
            .first()
            .map(|item| item.price)
    };
    match (region, first(Direction::Ascending), first(Direction::Descending)) {
        (Some(_), Some(min), Some(max)) => json!({ "min": min, "max": max }),
        _ => Value::Null,
    }
}

/// The regions above a place, nearest first.
pub fn above<'p>(places: &'p Places, place: &Place) -> Vec<&'p Arc<Place>> {
    places.above(place)
}

fn ancestors(places: &Places, place: &Place, lang: Language) -> Value {
    let links = above(places, place).into_iter().map(|above| {
        json!({
            "id": above.id,
            "name": above.name_in(lang.code()),
            "canonical_name": above.canonical_name(),
            "region_type": above.details.region_type,
        })
    });
    links.collect()
}

/// The country's name in the reader's language.
pub fn country_name(places: &Places, place: &Place, lang: Language) -> String {
    let above = places.above(place).into_iter().map(Arc::as_ref);
    let mut line = std::iter::once(place).chain(above);
    let country = line.find(|above| above.details.region_type == RegionType::Country);
    country.map_or_else(
        || place.details.country.name().to_owned(),
        |country| country.name_in(lang.code()).to_owned(),
    )
}
