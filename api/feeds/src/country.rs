//! Countries by the names that feeds write, their currencies, and the box in which their towns lie.

use std::sync::LazyLock;

use domain::place::Coordinates;

use crate::values::words::fold;

/// A line for each country: codes of two and three letters, currency with its decimals, box as `south,west,north,east`, names.
const COUNTRIES: &str = include_str!("countries.txt");

/// A country of the list of ISO 3166.
#[derive(Debug)]
pub(crate) struct Country {
    pub iso: &'static str,
    iso3: &'static str,
    /// Empty where it has none of its own.
    pub currency: &'static str,
    decimals: u32,
    /// South, west, north and east in millionths of a degree; its towns with a margin of 2.5 degrees.
    bounds: Option<[i32; 4]>,
    /// The English name first, as people know it; then how they are compared.
    names: Vec<(&'static str, String)>,
}

static ALL: LazyLock<Vec<Country>> = LazyLock::new(|| COUNTRIES.lines().filter_map(read_line).collect());

fn read_line(line: &'static str) -> Option<Country> {
    let mut cells = line.split('|');
    let mut next = || cells.next();
    let (iso, iso3, currency, decimals) = (next()?, next()?, next()?, next()?.parse().ok()?);
    let bounds: Vec<i32> = next()?
        .split(',')
        .filter_map(Coordinates::parse_degrees)
        .collect();
    let names = next()?.split(';').map(|name| (name, fold(name))).collect();
    Some(Country {
        iso,
        iso3,
        currency,
        decimals,
        bounds: <[i32; 4]>::try_from(bounds).ok(),
        names,
    })
}

impl Country {
    /// The name in sentences of the report.
    pub(crate) fn name(&self) -> &'static str {
        self.names.first().map_or(self.iso, |(name, _)| name)
    }

    /// Whether a point may lie in it; always where nothing is known of its towns.
    pub(crate) fn may_hold(&self, lat: i32, lng: i32) -> bool {
        self.bounds.is_none_or(|[south, west, north, east]| {
            (south..=north).contains(&lat) && (west..=east).contains(&lng)
        })
    }
}

/// The country of a code or a name, in any case.
pub(crate) fn find_country(text: &str) -> Option<&'static Country> {
    let text = text.trim();
    let folded = fold(text);
    ALL.iter().find(|country| {
        text.eq_ignore_ascii_case(country.iso)
            || text.eq_ignore_ascii_case(country.iso3)
            || country.names.iter().any(|(_, name)| *name == folded)
    })
}

/// A currency of some country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Currency {
    pub code: &'static str,
    pub decimals: u32,
}

/// The currency of an ISO 4217 code, in any case.
pub(crate) fn find_currency(code: &str) -> Option<Currency> {
    let code = code.trim();
    let found = ALL
        .iter()
        .find(|country| !code.is_empty() && country.currency.eq_ignore_ascii_case(code))?;
    Some(Currency {
        code: found.currency,
        decimals: found.decimals,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_country() {
        assert_eq!((ALL.len(), COUNTRIES.lines().count()), (249, 249));
    }

    #[test]
    fn countries_are_found_by_code_and_name() {
        for (text, iso) in [
            ("GB", "GB"),
            ("uk", "GB"),
            ("it", "IT"),
            ("España", "ES"),
            ("ESPANA", "ES"),
            ("PRT", "PT"),
            ("Éire", "IE"),
            ("英国", "GB"),
            ("U.S.A.", "US"),
        ] {
            assert_eq!(find_country(text).map(|country| country.iso), Some(iso), "{text}");
        }
        assert!(find_country("Leeds").is_none() && find_country("").is_none());
    }

    #[test]
    fn points_are_in_the_box_of_their_country() {
        let holds = |iso: &str, lat: i32, lng: i32| {
            let country = find_country(iso).unwrap();
            country.may_hold(lat * 1_000_000, lng * 1_000_000)
        };
        assert!(holds("GB", 53, -1) && !holds("GB", -1, 53) && !holds("GB", 0, 0));
        assert!(holds("PT", 38, -9) && !holds("PT", 38, 9));
        assert!(holds("US", 42, -71) && !holds("US", 30, 97));
        assert!(holds("ES", 28, -16));
    }

    #[test]
    fn currencies_have_their_decimals() {
        let read = |code: &str| find_currency(code).map(|found| (found.code, found.decimals));
        assert_eq!(read("eur"), Some(("EUR", 2)));
        assert_eq!(read("JPY"), Some(("JPY", 0)));
        assert_eq!(read("KWD"), Some(("KWD", 3)));
        assert_eq!((read("EURO"), read("")), (None, None));
    }
}
