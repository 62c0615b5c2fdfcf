//! Countries as the pack's first block says them: codes, currency, phone code, time zones, and the box in which their homes lie.

use domain::language::Language;
use domain::place::{Bounds, Coordinates};

use crate::place::{Name, given, official_in, point, read_name, whole_canonical};

/// Facts of a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Country {
    /// ISO 3166 codes, `GB` and `GBR`.
    pub iso2: String,
    pub iso3: String,
    pub name: String,
    pub official_name: String,
    pub canonical_name: String,
    /// Digits behind the `+`; `1-242` within the North American plan.
    pub dial_code: String,
    /// ISO 4217 code; empty where the country has none of its own.
    pub currency: String,
    pub currency_name: String,
    /// Digits behind the point of an amount, where they are known.
    pub minor_units: Option<u8>,
    /// `EU`, `AS`, …
    pub continent: String,
    pub capital: String,
    /// Tags of the languages that are spoken there, the most spoken first.
    pub languages: Vec<String>,
    /// The specification's word, where it has one: `uk`.
    pub key: Option<String>,
    /// Where its homes lie; none for two countries without people.
    pub limits: Option<Limits>,
    /// IANA names of the time zones of its cities, that of most people first.
    pub time_zones: Vec<String>,
    /// Other names.
    pub names: Vec<Name>,
}

impl Country {
    /// The name in a language of the product, else in English.
    pub fn name_in(&self, language: &str) -> &str {
        let own = Language::from_code(language).and_then(|language| official_in(&self.names, language));
        own.unwrap_or(&self.name)
    }

    /// Whether a point can lie in the country: true where nothing is known of its limits.
    pub fn can_hold(&self, point: Coordinates) -> bool {
        self.limits.is_none_or(|limits| limits.hold(point))
    }

    /// Every word that people write behind a city to name the country.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        let own = [&self.iso2, &self.iso3, &self.name, &self.official_name];
        let others = self.names.iter().map(|name| &name.text);
        own.into_iter().chain(&self.key).chain(others).map(String::as_str)
    }
}

/// The box around a country. It may cross the line where the day changes: then its west is greater than its east.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub southwest: Coordinates,
    pub northeast: Coordinates,
}

impl Limits {
    pub const fn hold(self, point: Coordinates) -> bool {
        let (west, east) = (self.southwest.lng_e6, self.northeast.lng_e6);
        let is_between = if west <= east {
            west <= point.lng_e6 && point.lng_e6 <= east
        } else {
            west <= point.lng_e6 || point.lng_e6 <= east
        };
        is_between && self.southwest.lat_e6 <= point.lat_e6 && point.lat_e6 <= self.northeast.lat_e6
    }

    /// The same as a region keeps it, whose boxes do not cross that line.
    pub const fn as_bounds(self) -> Bounds {
        let (west, east) = if self.southwest.lng_e6 <= self.northeast.lng_e6 {
            (self.southwest.lng_e6, self.northeast.lng_e6)
        } else {
            (-180_000_000, 180_000_000)
        };
        Bounds {
            southwest: Coordinates::new(self.southwest.lat_e6, west),
            northeast: Coordinates::new(self.northeast.lat_e6, east),
        }
    }

    /// The same box, larger by so many microdegrees on each side.
    pub(crate) fn grown_by(self, margin_e6: i32) -> Self {
        let wrapped = |lng: i32| {
            if lng > 180_000_000 {
                lng - 360_000_000
            } else if lng < -180_000_000 {
                lng + 360_000_000
            } else {
                lng
            }
        };
        let (southwest, northeast) = (self.southwest, self.northeast);
        Self {
            southwest: Coordinates::new(
                southwest.lat_e6 - margin_e6,
                wrapped(southwest.lng_e6 - margin_e6),
            ),
            northeast: Coordinates::new(
                northeast.lat_e6 + margin_e6,
                wrapped(northeast.lng_e6 + margin_e6),
            ),
        }
    }
}

/// The countries of their block, in the order of their codes.
pub(crate) fn read_countries(text: &str) -> Vec<Country> {
    let mut countries: Vec<Country> = Vec::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        match fields.next() {
            Some("n") => {
                if let Some(country) = countries.last_mut() {
                    country.names.extend(read_name(fields));
                }
            }
            Some("K") => countries.extend(read_country(fields)),
            Some(_) | None => {}
        }
    }
    countries
}

fn read_country<'f>(mut fields: impl Iterator<Item = &'f str>) -> Option<Country> {
    let (iso2, name, kept) = (fields.next()?, fields.next()?, fields.next()?);
    let mut next = || fields.next().unwrap_or_default();
    Some(Country {
        iso2: iso2.to_owned(),
        name: name.to_owned(),
        canonical_name: whole_canonical(name, kept),
        iso3: next().to_owned(),
        official_name: next().to_owned(),
        dial_code: next().to_owned(),
        currency: next().to_owned(),
        currency_name: next().to_owned(),
        minor_units: next().parse().ok(),
        continent: next().to_owned(),
        capital: next().to_owned(),
        languages: listed(next(), ','),
        key: given(next()).map(str::to_owned),
        limits: read_limits(next()),
        time_zones: listed(next(), ' '),
        names: Vec::new(),
    })
}

fn listed(field: &str, separator: char) -> Vec<String> {
    field
        .split(separator)
        .filter_map(given)
        .map(str::to_owned)
        .collect()
}

fn read_limits(field: &str) -> Option<Limits> {
    let mut sides = field.split(',');
    let mut corner = || point(sides.next()?, sides.next()?);
    Some(Limits {
        southwest: corner()?,
        northeast: corner()?,
    })
}
