//! The time zones of countries, as the table of countries names them.

use chrono_tz::Tz;
use domain::country::{Country, Zones};

/// The zone of a country that has one; `None` where it has several.
pub fn only(country: Country) -> Option<Tz> {
    match country.zones() {
        Zones::One(zone) => zone.parse().ok(),
        Zones::Several(_) => None,
    }
}

/// The westernmost zone of a country: by it a day is over everywhere in the country.
pub fn westernmost(country: Country) -> Tz {
    let (Zones::One(zone) | Zones::Several(zone)) = country.zones();
    zone.parse().unwrap_or(Tz::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zone_of_the_table_is_known() {
        for country in Country::ALL {
            let (Zones::One(zone) | Zones::Several(zone)) = country.zones();
            assert_eq!(westernmost(country).name(), zone, "{}", country.name());
        }
    }

    #[test]
    fn countries_have_one_zone_or_a_westernmost_one() {
        assert_eq!(only(Country::Jp), Some(Tz::Asia__Tokyo));
        assert_eq!(only(Country::Pt), None);
        assert_eq!(westernmost(Country::Pt), Tz::Atlantic__Azores);
        assert_eq!(westernmost(Country::Us), Tz::Pacific__Honolulu);
    }
}
