//! What lies near a place: cities, areas, universities and properties (A6).

use std::sync::Arc;

use chrono::NaiveDate;
use domain::language::Language;
use domain::place::Coordinates;
use search_index::SearchIndex;
use search_index::geo::OnGlobe;
use search_index::item::Occasion;
use search_index::places::{Place, Places};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

/// Entries of each list.
const NEARBY: usize = 10;

/// The four lists around a point: `{cities, areas, universities, inventories}`; `but` is the region or property asked
/// about, and left out.
pub fn nearby_lists(
    catalogue: &SearchIndex,
    around: Coordinates,
    but: Option<Uuid>,
    today: NaiveDate,
    lang: Language,
) -> Value {
    let places = catalogue.places();
    let nearby = catalogue.nearby(around, but, NEARBY);
    let links = |near: &[(Arc<Place>, f64)]| -> Vec<Value> {
        near.iter()
            .map(|(place, metres)| region_link(&places, place, Some(*metres), lang.code()))
            .collect()
    };
    let occasion = Occasion {
        today,
        lang: lang.code(),
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

/// A region as the contract's `RegionLink`; without a distance to a university whose campus is not known.
pub fn region_link(places: &Places, place: &Place, metres: Option<f64>, lang: &str) -> Value {
    let metres = metres.filter(|_| !place.details.is_without_campus);
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
