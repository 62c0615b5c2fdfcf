//! The time zones of countries, as the table of countries names them.

use chrono::NaiveDate;
use chrono_tz::Tz;
use domain::country::{Country, Zones};
use domain::moment::Moment;

use crate::clock;

/// The zone of a country that has one; `None` where it has several.
pub fn only(country: Country) -> Option<Tz> {
    match country.zones() {
        Zones::One(zone) => zone.parse().ok(),
        Zones::Several(_) => None,
    }
}

/// The day that it is at a moment in a place of the country: in the place's own zone, where it names one; else in the country's, or in its
/// westernmost.
pub fn day_at(own: &str, country: Country, at: Moment) -> NaiveDate {
    let zone = own.parse::<Tz>().ok().or_else(|| only(country));
    let zone = zone.unwrap_or_else(|| westernmost(country));
    at.with_timezone(&zone).date_naive()
}

/// The same now.
pub fn today_at(own: &str, country: Country) -> NaiveDate {
    day_at(own, country, clock::now())
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
    fn day_is_that_of_the_place() {
        let at: Moment = "2026-11-29T23:30:00Z".parse().unwrap();
        for (own, country, day) in [
            ("Asia/Shanghai", Country::Cn, "2026-11-30"),
            ("America/Los_Angeles", Country::Us, "2026-11-29"),
            ("", Country::Jp, "2026-11-30"),
            ("Nowhere/Here", Country::Uk, "2026-11-29"),
            ("", Country::Us, "2026-11-29"),
        ] {
            assert_eq!(day_at(own, country, at).to_string(), day, "{own} {country:?}");
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
