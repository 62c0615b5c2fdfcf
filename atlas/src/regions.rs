//! Places as regions: what a house describes when its first home stands in a city, and what a page shows of a place without homes.

use domain::country::Country as Market;
use domain::id::RegionId;
use domain::language::Language;
use domain::place::{Bounds, Coordinates};
use domain::region::{RegionDetails, RegionType, Subtype};
use domain::wording::Wording;
use sha2::{Digest as _, Sha256};

use crate::country::Country;
use crate::place::{Form, Kind, Name, Place, official_in};

/// Half sizes of boxes, north to south and west to east, in microdegrees.
const CITY_HALF: (i32, i32) = (90_000, 130_000);
const AREA_HALF: (i32, i32) = (11_000, 16_000);
const CAMPUS_HALF: (i32, i32) = (9_000, 14_000);
const STATE_HALF: (i32, i32) = (2_000_000, 3_000_000);

/// Regions that a region lies in.
#[derive(Debug, Clone, Copy)]
pub struct Above<'p> {
    pub country: Market,
    pub parent: Option<RegionId>,
    /// The city of what lies in one.
    pub city: Option<&'p Place>,
    /// Where the place itself has none.
    pub time_zone: &'p str,
}

/// The region's id, the same on every machine: it follows from the place's id.
pub fn region_id(place_id: &str) -> RegionId {
    let digest = Sha256::new()
        .chain_update("place")
        .chain_update([0])
        .chain_update(place_id)
        .finalize();
    let mut bytes = [0_u8; 16];
    for (to, from) in bytes.iter_mut().zip(digest) {
        *to = from;
    }
    RegionId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// A place below a country as a region.
pub fn describe_place(place: &Place, above: &Above<'_>) -> RegionDetails {
    let (region_type, half) = match place.kind {
        Kind::State { .. } => (RegionType::State, STATE_HALF),
        Kind::City { .. } => (RegionType::Locality, CITY_HALF),
        Kind::Area => (RegionType::Sublocality, AREA_HALF),
        Kind::University { .. } => (RegionType::Establishment, CAMPUS_HALF),
    };
    let time_zone = match (&place.kind, above.city.map(|city| &city.kind)) {
        (Kind::City { time_zone, .. }, _) | (_, Some(Kind::City { time_zone, .. })) => time_zone.as_str(),
        _ => above.time_zone,
    };
    let city = match place.kind {
        Kind::State { .. } => None,
        Kind::City { .. } => Some(place),
        Kind::Area | Kind::University { .. } => above.city,
    };
    RegionDetails {
        name: place.name.clone(),
        canonical_name: place.canonical_name.clone(),
        region_type,
        subtype: place.is_university().then_some(Subtype::University),
        parent: above.parent,
        country: above.country,
        locality: town_of(place).or_else(|| city.map(|city| city.name.clone())),
        centre: place.centre,
        bounds: Bounds::around(place.centre, half.0, half.1),
        time_zone: time_zone.to_owned(),
        aliases: other_names(&place.name, &place.names),
        local_name: name_in_languages(&place.name, &place.names),
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: matches!(
            place.kind,
            Kind::University {
                is_on_campus: false,
                ..
            }
        ),
        is_mended: false,
    }
}

/// The town of a university outside its city.
fn town_of(place: &Place) -> Option<String> {
    match &place.kind {
        Kind::University { town, .. } => town.clone(),
        Kind::State { .. } | Kind::City { .. } | Kind::Area => None,
    }
}

/// A country as a region; `centre` stands for its middle where its limits are not known.
pub fn describe_country(country: &Country, market: Market, centre: Coordinates) -> RegionDetails {
    let bounds = country.limits.map(crate::Limits::as_bounds);
    let middle = bounds.map(|bounds| {
        Coordinates::new(
            i32::midpoint(bounds.southwest.lat_e6, bounds.northeast.lat_e6),
            i32::midpoint(bounds.southwest.lng_e6, bounds.northeast.lng_e6),
        )
    });
    let mut aliases = vec![country.iso2.clone()];
    aliases.extend(other_names(&country.name, &country.names));
    RegionDetails {
        name: country.name.clone(),
        canonical_name: country.canonical_name.clone(),
        region_type: RegionType::Country,
        subtype: None,
        parent: None,
        country: market,
        locality: None,
        centre: middle.unwrap_or(centre),
        bounds: bounds.unwrap_or_else(|| Bounds::around(centre, 4_000_000, 6_000_000)),
        time_zone: country.time_zones.first().cloned().unwrap_or_default(),
        aliases,
        local_name: name_in_languages(&country.name, &country.names),
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    }
}

/// The names in the product's languages; none where it has no other name in them.
fn name_in_languages(name: &str, names: &[Name]) -> Option<Wording> {
    let shown = Language::ALL
        .into_iter()
        .filter(|language| *language != Language::default());
    let wording = shown.fold(Wording::english(name), |wording, language| {
        match official_in(names, language) {
            Some(own) => wording.with(language.code(), own),
            None => wording,
        }
    });
    (wording != Wording::english(name)).then_some(wording)
}

/// Names to find a place by that are not shown as its name: abbreviations, endonyms, postcodes, and names in other languages.
fn other_names(name: &str, names: &[Name]) -> Vec<String> {
    let is_shown = |other: &Name| {
        let language = Language::written_as(&other.language);
        other.form == Form::Official && language.is_some_and(|language| language != Language::default())
    };
    let mut others: Vec<String> = Vec::new();
    for other in names
        .iter()
        .filter(|other| !is_shown(other) && other.text != name)
    {
        if !others.contains(&other.text) {
            others.push(other.text.clone());
        }
    }
    others
}
