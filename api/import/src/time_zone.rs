//! The time zone of a point (D63): the one zone of its country, or that of the nearest city where a country has several.

use atlas::CountryPlaces;
use chrono_tz::Tz;
use domain::country::Country;
use domain::place::Coordinates;
use platform::country_zone;

/// The zone that clocks show at a point of a country, whose places are `places`.
pub(super) fn at(country: Country, places: Option<&CountryPlaces>, point: Coordinates) -> Tz {
    let nearest = || places?.zone_at(point)?.parse().ok();
    country_zone::only(country).or_else(nearest).unwrap_or(Tz::UTC)
}

#[cfg(test)]
mod tests {
    use atlas::{Kind, atlas};

    use super::*;

    fn open(country: Country) -> CountryPlaces {
        atlas().open_country(atlas().find_country(country.iso()).unwrap())
    }

    #[test]
    fn every_zone_of_a_city_of_the_atlas_is_known() {
        for country in atlas().list_countries() {
            for city in atlas().open_country(country).cities() {
                let Kind::City { time_zone, .. } = &city.kind else {
                    panic!("{} is no city", city.id);
                };
                assert!(time_zone.parse::<Tz>().is_ok(), "{}: {time_zone}", city.id);
            }
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
        for country in Country::SPECIFIED {
            let zones = match country_zone::only(country) {
                Some(zone) => vec![zone.name().to_owned()],
                None => open(country).country.time_zones,
            };
            for zone in zones {
                assert!(known.contains(&zone.as_str()), "{zone}");
            }
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
            let degrees = |text: &str| Coordinates::parse_degrees(text).unwrap();
            let point = Coordinates::new(degrees(lat), degrees(lng));
            assert_eq!(at(country, Some(&open(country)), point).name(), zone);
        }
    }
}
