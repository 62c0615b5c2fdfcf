//! The time zones of the countries of the catalogue.

use chrono_tz::Tz;
use domain::country::Country;

enum Zones {
    One(Tz),
    Several { westernmost: Tz },
}

const fn zones(country: Country) -> Zones {
    match country {
        Country::Us => Zones::Several {
            westernmost: Tz::Pacific__Honolulu,
        },
        Country::Canada => Zones::Several {
            westernmost: Tz::America__Vancouver,
        },
        Country::Spain => Zones::Several {
            westernmost: Tz::Atlantic__Canary,
        },
        Country::Australia => Zones::Several {
            westernmost: Tz::Australia__Perth,
        },
        Country::Uk => Zones::One(Tz::Europe__London),
        Country::Ireland => Zones::One(Tz::Europe__Dublin),
        Country::France => Zones::One(Tz::Europe__Paris),
        Country::Germany => Zones::One(Tz::Europe__Berlin),
        Country::Singapore => Zones::One(Tz::Asia__Singapore),
        Country::Uae => Zones::One(Tz::Asia__Dubai),
        Country::India => Zones::One(Tz::Asia__Kolkata),
        Country::NewZealand => Zones::One(Tz::Pacific__Auckland),
        Country::Korea => Zones::One(Tz::Asia__Seoul),
        Country::Denmark => Zones::One(Tz::Europe__Copenhagen),
    }
}

/// The zone of a country that has one; `None` where it has several.
pub const fn only(country: Country) -> Option<Tz> {
    match zones(country) {
        Zones::One(zone) => Some(zone),
        Zones::Several { .. } => None,
    }
}

/// The westernmost zone of a country: by it a day is over everywhere in the country.
pub const fn westernmost(country: Country) -> Tz {
    match zones(country) {
        Zones::One(zone) | Zones::Several { westernmost: zone } => zone,
    }
}
