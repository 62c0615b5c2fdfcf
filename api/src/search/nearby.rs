//! What lies near a place: cities, areas, universities and properties (A6).

use std::sync::Arc;

use chrono::NaiveDate;
use domain::place::Coordinates;
use projections::catalogue::Catalogue;
use projections::catalogue::geo::OnGlobe;
use projections::catalogue::item::Occasion;
use projections::catalogue::places::{Place, Places};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

/// Entries of each list.
const NEARBY: usize = 10;

/// The four lists around a point: `{cities, areas, universities, inventories}`; `but` is the region or property asked
/// about, and left out.
pub fn nearby_lists(
    catalogue: &Catalogue,
    around: Coordinates,
    but: Option<Uuid>,
    today: NaiveDate,
    lang: &str,
) -> Value {
    let places = catalogue.places();
    let nearby = catalogue.nearby(around, but, NEARBY);
    let links = |near: &[(Arc<Place>, f64)]| -> Vec<Value> {
        near.iter()
            .map(|(place, metres)| region_link(&places, place, Some(*metres), lang))
            .collect()
    };
    let occasion = Occasion {
        today,
        origin: Some(around),
    };
    let cards = nearby.inventories.iter().filter_map(|(item, _)| {
        let mut card = Vec::new();
        item.write_card(&occasion, false, &mut card);
        RawValue::from_string(String::from_utf8(card).ok()?).ok()
    });
    json!({
        "cities": links(&nearby.cities),
        "areas": links(&nearby.areas),
        "universities": links(&nearby.universities),
        "inventories": cards.collect::<Vec<_>>(),
    })
}

/// A region as the contract's `RegionLink`.
pub fn region_link(places: &Places, place: &Place, metres: Option<f64>, lang: &str) -> Value {
    json!({
        "id": place.id,
        "name": place.name_in(lang),
        "canonical_name": place.canonical_name(),
        "region_type": place.details.region_type,
        "lat": place.center().lat(),
        "lng": place.center().lng(),
        "homes": places.homes(place.id),
        "distance_m": metres.map(f64::round),
    })
}

/// A region as the contract's `Region`.
pub fn region_view(places: &Places, place: &Place, lang: &str) -> Value {
    let details = &place.details;
    let above: Vec<&Arc<Place>> = places
        .with_ancestors(place.id)
        .into_iter()
        .skip(1)
        .filter_map(|id| places.get(id))
        .collect();
    let parent = above.first();
    let corner = |corner: Coordinates| json!({ "lat": corner.lat(), "lng": corner.lng() });
    let ancestor = |place: &&Arc<Place>| {
        json!({
            "id": place.id,
            "name": place.name_in(lang),
            "canonical_name": place.canonical_name(),
            "region_type": place.details.region_type,
        })
    };
    json!({
        "id": place.id,
        "name": place.name_in(lang),
        "canonical_name": place.canonical_name(),
        "region_type": details.region_type,
        "subtype": details.subtype,
        "state": place.state,
        "parent_id": details.parent,
        "parent_name": parent.map(|parent| parent.name_in(lang)),
        "parent_canonical_name": parent.map(|parent| parent.canonical_name()),
        "location": {
            "country": details.country.name(),
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
        "ancestors": above.iter().map(ancestor).collect::<Vec<_>>(),
        "period": details.country.period(),
        "currency": details.country.currency().code(),
        "budget_range": [details.country.budget_range().0, details.country.budget_range().1],
    })
}
