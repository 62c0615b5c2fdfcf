//! The time zone of a point (D63): the one zone of its country, or that of the nearest town where a country has several.

use chrono_tz::Tz;
use domain::country::Country;
use domain::place::Coordinates;
use platform::country_zone;
use search_index::geo::OnGlobe as _;

/// A line for each zone of a country that has several: country, zone, towns as `latitude,longitude` in degrees.
const TOWNS: &str = include_str!("time_zones.txt");

/// The zone that clocks show at a point.
pub(super) fn at(country: Country, point: Coordinates) -> Tz {
    country_zone::only(country).unwrap_or_else(|| nearest(country, point))
}

fn nearest(country: Country, point: Coordinates) -> Tz {
    let towns = TOWNS
        .lines()
        .flat_map(towns_of)
        .filter(|(of, _, _)| *of == country.key());
    let away = |town: &Coordinates| town.metres_to(point);
    let nearest = towns.min_by(|(_, _, one), (_, _, other)| away(one).total_cmp(&away(other)));
    nearest
        .and_then(|(_, zone, _)| zone.parse().ok())
        .unwrap_or(Tz::UTC)
}

/// Country, zone and place of each town of a line.
fn towns_of(line: &str) -> impl Iterator<Item = (&str, &str, Coordinates)> {
    let mut words = line.split(' ');
    let (country, zone) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    words.filter_map(move |town| {
        let (lat, lng) = town.split_once(',')?;
        Some((country, zone, point(lat, lng)?))
    })
}

fn point(lat: &str, lng: &str) -> Option<Coordinates> {
    let degrees = Coordinates::parse_degrees;
    Some(Coordinates::new(degrees(lat)?, degrees(lng)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_known_zone_and_towns() {
        for line in TOWNS.lines() {
            let towns: Vec<_> = towns_of(line).collect();
            assert_eq!(towns.len(), line.split(' ').count() - 2, "{line:.40}");
            let (country, zone, _) = towns[0];
            let known = Country::ALL.iter().any(|known| known.key() == country);
            assert!(known && zone.parse::<Tz>().is_ok(), "{country} {zone}");
        }
    }

    #[test]
    fn every_zone_of_a_home_is_among_the_cases_of_clocks() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../../../domain/cases/calendar.json")).unwrap();
        let clocks = cases["clocks"].as_array().unwrap().iter();
        let known: Vec<&str> = clocks
            .flat_map(|clock| clock["zones"].as_array().unwrap())
            .filter_map(serde_json::Value::as_str)
            .collect();
        let several = TOWNS.lines().filter_map(|line| line.split(' ').nth(1));
        let single = Country::ALL
            .iter()
            .filter_map(|country| Some(country_zone::only(*country)?.name()));
        for zone in several.chain(single) {
            assert!(known.contains(&zone), "{zone}");
        }
    }

    #[test]
    fn points_have_the_zone_of_their_place() {
        for (country, lat, lng, zone) in [
            (Country::Us, "33.4255", "-111.94", "America/Phoenix"),
            (Country::Us, "40.4237", "-86.9212", "America/Indiana/Indianapolis"),
            (Country::Us, "47.66", "-117.42", "America/Los_Angeles"),
            (Country::Canada, "53.54", "-113.49", "America/Edmonton"),
            (Country::Canada, "44.64", "-63.57", "America/Halifax"),
            (Country::Spain, "28.47", "-16.25", "Atlantic/Canary"),
            (Country::Australia, "-34.93", "138.6", "Australia/Adelaide"),
            (Country::Germany, "48.13743", "11.57549", "Europe/Berlin"),
        ] {
            let point = point(lat, lng).unwrap();
            assert_eq!(at(country, point).name(), zone);
        }
    }
}
