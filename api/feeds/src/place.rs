//! Reads where a home stands, and refuses a point that cannot be right: swapped numbers, a lost minus, another city's point.

use domain::place::Coordinates;

use crate::country::{Country, find_country};
use crate::fields::Field;
use crate::home::Place;
use crate::reading::{Reading, is_same_text};
use crate::stats::Stats;
use crate::values::html::clean_line;

/// A home lies at most so far from the middle of its city, in metres.
const CITY_RADIUS: f64 = 60_000.0;
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_195.0;

/// A city that the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Town {
    /// Its one name.
    pub name: String,
    /// The code of its state, where there are states.
    pub state: Option<String>,
    pub point: Coordinates,
}

/// Places that the caller knows.
pub trait Atlas {
    /// The cities of a country that are called so, in any language.
    fn find_towns(&self, country: &str, name: &str) -> Vec<Town>;
}

/// Knows no place.
#[derive(Debug, Clone, Copy)]
pub struct NoAtlas;

impl Atlas for NoAtlas {
    fn find_towns(&self, _country: &str, _name: &str) -> Vec<Town> {
        Vec::new()
    }
}

/// Reads a place; faults say what is wrong with it.
pub(crate) fn read_place(reading: &mut Reading<'_>, atlas: &dyn Atlas, stats: &Stats) -> Place {
    let country = read_country(reading);
    let mut place = Place {
        country: country.map(|country| country.iso),
        state: reading.text(Field::State),
        city: None,
        area: reading.text(Field::Area),
        street: reading.text(Field::Address),
        postal_code: reading.text(Field::PostalCode),
        point: read_point(reading, country),
        middle: None,
    };
    let Some(country) = country else {
        return place;
    };
    let Some(names) = read_city(reading, country) else {
        return place;
    };
    let known = names.iter().find_map(|name| {
        let towns = atlas.find_towns(country.iso, name);
        (!towns.is_empty()).then_some(towns)
    });
    if let Some(towns) = known {
        place.city = choose_town(reading, &place, &towns);
    } else {
        let name = names.first().cloned().unwrap_or_default();
        if let Some(point) = place.point {
            check_neighbours(reading, stats, country, &name, point);
        } else {
            place.middle = stats.find_any_middle(country.iso, &name);
        }
        place.city = Some(name);
    }
    place
}

fn read_country(reading: &mut Reading<'_>) -> Option<&'static Country> {
    if let Some(cell) = reading.cell(Field::Country) {
        let found = find_country(&cell.text);
        if found.is_none() {
            reading.wrong(
                &cell.path,
                &cell.text,
                "it is no country: write its ISO code, such as GB",
            );
        }
        return found;
    }
    // `Leeds, United Kingdom` says it too.
    let city = reading
        .cell(Field::City)
        .map(|cell| clean_line(&cell.text))
        .unwrap_or_default();
    let found = city.rsplit_once(',').and_then(|(_, last)| find_country(last));
    if found.is_none() {
        let column = reading.column_names(Field::Country);
        let reason = "no country is said: write country = { value = \"GB\" }, or what it is, into the map";
        reading.wrong(&column, "", reason);
    }
    found
}

/// The names by which a city is looked for, the fullest first: `Glasgow City`, `Glasgow`; `Dublin 8`, `Dublin`.
fn read_city(reading: &mut Reading<'_>, country: &Country) -> Option<Vec<String>> {
    let Some(cell) = reading.cell(Field::City) else {
        let column = reading.column_names(Field::City);
        reading.wrong(&column, "", "no city is said");
        return None;
    };
    let line = clean_line(&cell.text);
    let mut parts: Vec<&str> = line.split(',').map(str::trim).collect();
    while let Some(other) = parts
        .last()
        .filter(|_| parts.len() > 1)
        .and_then(|last| find_country(last))
    {
        if other.iso != country.iso {
            let reason = format!(
                "the city is in {} by its own name, and the home's country is {}",
                other.name(),
                country.name()
            );
            reading.wrong(&cell.path, &cell.text, reason);
            return None;
        }
        parts.pop();
    }
    let name = parts.first().copied().unwrap_or_default();
    // `Granada (Province)`.
    let name = name.split('(').next().unwrap_or(name).trim();
    if name.is_empty() {
        reading.wrong(&cell.path, &cell.text, "it names no city");
        return None;
    }
    let mut names = vec![name.to_owned()];
    if let Some(city) = name.strip_suffix(" City").or_else(|| name.strip_suffix(" city")) {
        names.push(city.trim().to_owned());
    }
    if let Some((city, district)) = name.rsplit_once(' ') {
        let digits = district.trim_end_matches(char::is_alphabetic);
        let is_district = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_district {
            names.push(city.trim().to_owned());
        }
    }
    Some(names)
}

fn read_point(reading: &mut Reading<'_>, country: Option<&Country>) -> Option<Coordinates> {
    let lat = reading.cell(Field::Lat);
    let lng = reading.cell(Field::Lng);
    let (lat, lng) = match (lat, lng) {
        (Some(lat), Some(lng)) => (lat, lng),
        (None, None) => {
            let column = reading.column_names(Field::Lat);
            reading.warn(
                &column,
                "",
                "no point is said: the home is listed in its city, without a pin and distances",
            );
            return None;
        }
        (Some(one), None) | (None, Some(one)) => {
            reading.warn(
                &one.path,
                &one.text,
                "half of the point is missing: the home is listed without a pin",
            );
            return None;
        }
    };
    let mut degrees = [0; 2];
    for (cell, degrees) in [&lat, &lng].into_iter().zip(&mut degrees) {
        let Some(read) = read_degrees(&cell.text) else {
            reading.wrong(
                &cell.path,
                &cell.text,
                "it is no number of degrees, such as 53.79922",
            );
            return None;
        };
        *degrees = read;
    }
    let [south, east] = degrees;
    let point = Coordinates::new(south, east);
    let fault = find_fault(south, east, country)
        .or_else(|| (!point.on_earth()).then(|| "the point is not on the earth".to_owned()));
    if let Some(reason) = fault {
        let path = format!("{}, {}", lat.path, lng.path);
        reading.wrong(&path, &format!("{}, {}", lat.text, lng.text), reason);
        return None;
    }
    Some(point)
}

/// Degrees in millionths; a comma is a decimal sign here, since no degree has thousands.
fn read_degrees(text: &str) -> Option<i32> {
    let text = text.trim().trim_end_matches('°');
    if text.contains(['e', 'E']) {
        let number: f64 = text.parse().ok()?;
        return Coordinates::parse_degrees(&format!("{number:.6}"));
    }
    Coordinates::parse_degrees(&text.replacen(',', ".", 1))
}

/// Why a point cannot be in a country.
fn find_fault(lat: i32, lng: i32, country: Option<&Country>) -> Option<String> {
    if (lat, lng) == (0, 0) {
        return Some("0, 0 is in the sea: leave both empty where the point is not known".to_owned());
    }
    let country = country.filter(|country| !country.may_hold(lat, lng))?;
    let name = country.name();
    Some(if country.may_hold(lng, lat) {
        format!("latitude and longitude are swapped: so the point is not in {name}")
    } else if country.may_hold(lat, -lng) {
        format!("the longitude has lost its minus, or has one too many: so the point is not in {name}")
    } else if country.may_hold(-lat, lng) {
        format!("the latitude has lost its minus, or has one too many: so the point is not in {name}")
    } else {
        format!("the point is not in {name}")
    })
}

/// The town among those of one name that is nearest to the point, or that is in the state.
fn choose_town(reading: &mut Reading<'_>, place: &Place, towns: &[Town]) -> Option<String> {
    let is_in_state = |town: &&Town| match (&place.state, &town.state) {
        (Some(said), Some(state)) => is_same_text(said, state),
        _ => false,
    };
    let column = reading.column_names(Field::City);
    let Some(point) = place.point else {
        let town = towns.iter().find(is_in_state).or_else(|| towns.first())?;
        return Some(town.name.clone());
    };
    let away = |town: &&Town| measure(town.point, point);
    let nearest = towns
        .iter()
        .min_by(|one, other| away(one).total_cmp(&away(other)))?;
    if away(&nearest) > CITY_RADIUS {
        let reason = format!(
            "the point is {:.0} km away from {}",
            away(&nearest) / 1_000.0,
            nearest.name
        );
        reading.wrong(&column, &nearest.name, reason);
        return None;
    }
    let is_elsewhere =
        place.state.is_some() && towns.iter().any(|town| is_in_state(&town)) && !is_in_state(&nearest);
    if is_elsewhere || is_unlike_state(place, nearest) {
        let reason = format!(
            "the point lies in {}, {}, and another state is said: the home is listed where its point is",
            nearest.name,
            nearest.state.as_deref().unwrap_or_default()
        );
        let said = place.state.clone().unwrap_or_default();
        let column = reading.column_names(Field::State);
        reading.warn(&column, &said, reason);
    }
    Some(nearest.name.clone())
}

/// Whether a home's state is a code like the town's, and another one.
fn is_unlike_state(place: &Place, town: &Town) -> bool {
    let (Some(said), Some(state)) = (&place.state, &town.state) else {
        return false;
    };
    let is_code = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code(said) && is_code(state) && said != state
}

/// Compares a point with those of the file's other homes in the city.
fn check_neighbours(
    reading: &mut Reading<'_>,
    stats: &Stats,
    country: &Country,
    city: &str,
    point: Coordinates,
) {
    let Some(middle) = stats.find_middle(country.iso, city) else {
        return;
    };
    let away = measure(middle, point);
    if away > CITY_RADIUS {
        let column = reading.column_names(Field::City);
        let reason = format!(
            "the point is {:.0} km away from the other homes of {city}",
            away / 1_000.0
        );
        reading.wrong(&column, city, reason);
    }
}

/// Metres between two points; exact enough within a country.
pub(crate) fn measure(one: Coordinates, other: Coordinates) -> f64 {
    let degrees = |millionths: i32| f64::from(millionths) / 1_000_000.0;
    let (lat, lng) = (
        degrees(one.lat_e6) - degrees(other.lat_e6),
        degrees(one.lng_e6) - degrees(other.lng_e6),
    );
    let middle = f64::midpoint(degrees(one.lat_e6), degrees(other.lat_e6)).to_radians();
    (lat * DEGREE).hypot(lng * DEGREE * middle.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_points_are_explained() {
        let fault =
            |lat: i32, lng: i32, iso: &str| find_fault(lat, lng, find_country(iso)).unwrap_or_default();
        assert_eq!(fault(53_800_000, -1_540_000, "GB"), "");
        assert!(fault(-1_540_000, 53_800_000, "GB").contains("swapped"));
        assert!(fault(38_700_000, 9_139_300, "PT").contains("lost its minus"));
        assert!(fault(0, 0, "GB").contains("in the sea"));
        assert!(fault(48_850_000, 2_350_000, "AU").contains("not in Australia"));
        assert_eq!(fault(48_850_000, 2_350_000, "XX"), "");
    }

    #[test]
    fn degrees_and_distances_are_read() {
        assert_eq!(read_degrees("51,52942"), Some(51_529_420));
        assert_eq!(read_degrees("-1.54915"), Some(-1_549_150));
        assert_eq!(read_degrees("-6e-05"), Some(-60));
        assert_eq!(read_degrees("north"), None);
        let (leeds, london) = (
            Coordinates::new(53_800_000, -1_549_000),
            Coordinates::new(51_507_000, -128_000),
        );
        assert!((270_000.0..275_000.0).contains(&measure(leeds, london)));
    }
}
