//! Addresses as they are written in their country.

use domain::country::Country;
use domain::inventory::property::PropertyDetails;
use domain::place::PlaceName;

/// One line: `41 Argyle Walk, London WC1H 8EU`.
pub fn address_line(property: &PropertyDetails) -> String {
    let (house, place) = lines(property);
    comma(&[&house, &place])
}

/// Street and number alone: `41 Argyle Walk`.
pub fn street_line(property: &PropertyDetails) -> String {
    lines(property).0
}

fn lines(property: &PropertyDetails) -> (String, String) {
    let address = &property.address;
    let long = |part: &Option<PlaceName>| {
        part.as_ref()
            .map(|name| name.long_name.clone())
            .unwrap_or_default()
    };
    let (number, street, town) = (
        long(&address.street_number),
        long(&address.route),
        long(&address.locality),
    );
    let code = long(&address.postal_code);
    let state = address
        .state
        .as_ref()
        .map(|state| state.short_name.clone())
        .unwrap_or_default();
    match property.country {
        Country::Germany => (spaced(&[&street, &number]), spaced(&[&code, &town])),
        Country::Spain | Country::France | Country::Denmark | Country::Pt | Country::It => {
            (comma(&[&street, &number]), spaced(&[&code, &town]))
        }
        Country::Us | Country::Canada => (
            spaced(&[&number, &street]),
            comma(&[&town, &spaced(&[&state, &code])]),
        ),
        Country::Australia => (spaced(&[&number, &street]), spaced(&[&town, &state, &code])),
        _ => (spaced(&[&number, &street]), spaced(&[&town, &code])),
    }
}

fn spaced(parts: &[&str]) -> String {
    joined(parts, " ")
}

fn comma(parts: &[&str]) -> String {
    joined(parts, ", ")
}

fn joined(parts: &[&str], with: &str) -> String {
    parts
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(with)
}
