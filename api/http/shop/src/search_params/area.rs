//! Where a search looks (D45, D46, D48): a box, a circle, or all that lies in a country or state.

use std::sync::Arc;

use domain::id::RegionId;
use domain::place::Coordinates;
use http_kit::said::say;
use search_index::geo::from_degrees;
use search_index::places::{PLACE_RADIUS_M, Place};
use search_index::query::{Area, Clause, Group};
use search_index::value::{Kind, Value};

use super::{Known, Reader, map_box};

/// T35: no search is wider.
const RADIUS_MAX_M: f64 = 5_000_000.0;

/// A place to look in.
pub(super) struct Placed {
    pub area: Area,
    pub clauses: Vec<Clause>,
    pub origin: Option<Coordinates>,
    /// What somebody named to measure from; the middle of a country or state is no such place.
    pub measured: Option<Coordinates>,
    pub region: Option<Arc<Place>>,
    pub destination: Option<Arc<Place>>,
}

/// Reads the area; the named `region` of a page's path stands for `region_canonical_name`.
pub(super) fn read(reader: &mut Reader, known: &Known<'_>, region: Option<Arc<Place>>) -> Placed {
    let place = |name: &str| known.places.by_canonical_name(name).cloned();
    let region = region.or_else(|| reader.word("region_canonical_name", place));
    let locality = reader.word("locality_canonical_name", place);
    let university = reader.word("university", place);
    let destination = reader.word("destination_coordinates", coordinates);
    let center = center(reader);
    let radius = radius(reader);
    let corners =
        ["lat1", "lng1", "lat2", "lng2"].map(|corner| reader.number(&format!("region_bounds_{corner}")));
    let shape = reader.word("region_type", |word| {
        ["circle", "bounds"].contains(&word).then(|| word.to_owned())
    });

    let measured = destination.or(university.as_ref().map(|place| place.center()));
    let mut placed = Placed {
        area: Area::Everywhere,
        clauses: localities(reader, known),
        origin: measured,
        measured,
        region: region.clone().or_else(|| locality.clone()),
        destination: university,
    };
    let bounds = map_box(corners);
    let wants_bounds =
        shape.as_deref() == Some("bounds") || (shape.is_none() && corners.iter().any(Option::is_some));
    if wants_bounds && bounds.is_none() {
        reader.no_box();
    }
    let circle_of = |center, widest: f64| {
        let radius_m = radius.unwrap_or(widest);
        Area::Circle {
            center,
            radius_m,
            widest_m: radius_m.max(widest),
        }
    };
    if let Some(bounds) = bounds.filter(|_| wants_bounds) {
        placed.area = Area::Box(bounds);
        placed.clauses.push(Clause::placed_or_in(None));
        placed.origin = placed
            .origin
            .or(region.map(|region| region.center()))
            .or(Some(bounds.center()));
    } else if let Some(center) = center {
        placed.area = circle_of(center, PLACE_RADIUS_M);
        placed.clauses.push(Clause::placed_or_in(None));
    } else if let Some(place) = locality.or(region) {
        if place.is_searched_as_a_whole() {
            placed.clauses.push(inside(known, &[place.id]));
            placed.origin = placed.origin.or(Some(place.center()));
        } else {
            // A university chosen in a city: the circle is drawn around the university (D48).
            let middle = placed
                .destination
                .as_ref()
                .map_or(place.center(), |university| university.center());
            placed.area = circle_of(middle, place.radius_m());
            // A home without a point is found by its city or area, and within no distance (decision 0047).
            let own = region_value(known, place.id).filter(|_| placed.destination.is_none());
            placed.clauses.push(Clause::placed_or_in(own));
            if radius.is_some_and(|metres| metres < place.radius_m()) {
                placed
                    .clauses
                    .push(Clause::any(Group::Distance, vec![Value::PLACED]));
            }
        }
    }
    placed
}

/// Listings in any of the regions.
fn inside(known: &Known<'_>, regions: &[RegionId]) -> Clause {
    let values = regions.iter().filter_map(|region| region_value(known, *region));
    Clause::any(None, values.collect())
}

fn region_value(known: &Known<'_>, region: RegionId) -> Option<Value> {
    known
        .snapshot
        .vocabulary()
        .find(Kind::Region, &region.to_string())
}

/// `locality`: names or canonical names of cities and areas.
fn localities(reader: &mut Reader, known: &Known<'_>) -> Vec<Clause> {
    let find = |word: &str| {
        let canonical = known.places.by_canonical_name(word).map(|place| vec![place.id]);
        canonical.or_else(|| {
            let named: Vec<RegionId> = known.places.by_name(word).map(|place| place.id).collect();
            (!named.is_empty()).then_some(named)
        })
    };
    let chosen = reader.words("locality", find);
    let regions: Vec<RegionId> = chosen.into_iter().flat_map(|(_, regions)| regions).collect();
    if regions.is_empty() {
        Vec::new()
    } else {
        vec![inside(known, &regions)]
    }
}

fn center(reader: &mut Reader) -> Option<Coordinates> {
    let given = reader.word("region_center", coordinates);
    let (lat, lng) = (reader.number("region_lat"), reader.number("region_lng"));
    let point = match (lat, lng) {
        (Some(lat), Some(lng)) => {
            let point = from_degrees(lat, lng);
            if point.is_none() {
                reader.unknown("region_lat", &format!("{lat}, {lng}"));
            }
            point
        }
        (Some(_), None) => {
            reader.missing("region_lng", "region_lat");
            None
        }
        (None, Some(_)) => {
            reader.missing("region_lat", "region_lng");
            None
        }
        (None, None) => None,
    };
    point.or(given)
}

/// `lat,lng`.
fn coordinates(word: &str) -> Option<Coordinates> {
    let (lat, lng) = word.split_once(',')?;
    from_degrees(lat.trim().parse().ok()?, lng.trim().parse().ok()?)
}

fn radius(reader: &mut Reader) -> Option<f64> {
    let mut radius = None;
    for name in ["region_radius", "locality_radius", "distance"] {
        if name == "distance" && reader.one(name) == Some("all") {
            continue;
        }
        match reader.number(name) {
            Some(metres) if metres > RADIUS_MAX_M => {
                reader.refuse(
                    say("refusal.at_most_metres")
                        .with("field", name)
                        .with("max", RADIUS_MAX_M),
                );
            }
            Some(metres) if metres <= 0.0 => reader.unknown(name, &metres.to_string()),
            Some(metres) => radius = Some(metres),
            None => {}
        }
    }
    radius
}
