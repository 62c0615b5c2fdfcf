//! Cities by name for the reader of feeds: those of the house, with the points that it has given them, and those of the atlas.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use atlas::{CountryPlaces, Kind, atlas};
use domain::place::Coordinates;
use feeds::{Atlas, Town};
use search_index::geo::OnGlobe as _;
use search_index::places::Place;

use crate::places::plain;

/// Two cities of one name that lie nearer together are one: the house's, which may have been moved.
const SAME_M: f64 = 50_000.0;
/// Names whose cities are kept: a file repeats few of them.
const NAMES_MAX: usize = 20_000;

/// Cities of the house and of the atlas. A country of the atlas is opened with the first name that is looked for in it.
pub(super) struct Towns {
    /// By the ISO code of the country and the plain name.
    of_house: HashMap<(String, String), Vec<Town>>,
    countries: RefCell<HashMap<String, Option<CountryPlaces>>>,
    found: RefCell<HashMap<(String, String), Vec<Town>>>,
}

impl Towns {
    pub(super) fn new<'p>(cities: impl Iterator<Item = &'p Arc<Place>>) -> Self {
        let mut of_house: HashMap<(String, String), Vec<Town>> = HashMap::new();
        for city in cities {
            let town = Town {
                name: city.name().to_owned(),
                state: None,
                point: city.center(),
            };
            for name in city.names() {
                let key = (city.details.country.iso().to_owned(), plain(&name));
                let towns = of_house.entry(key).or_default();
                if !towns.contains(&town) {
                    towns.push(town.clone());
                }
            }
        }
        Self {
            of_house,
            countries: RefCell::default(),
            found: RefCell::default(),
        }
    }

    fn look_up(&self, country: &str, name: &str) -> Vec<Town> {
        let of_house = self.of_house.get(&(country.to_owned(), plain(name)));
        let mut towns = of_house.cloned().unwrap_or_default();
        let mut countries = self.countries.borrow_mut();
        let places = countries.entry(country.to_owned()).or_insert_with(|| {
            let facts = atlas().find_country(country)?;
            Some(atlas().open_country(facts))
        });
        let cities = places.iter().flat_map(|places| places.find_cities(name));
        for city in cities {
            let known = towns.iter_mut().find(|town| is_same(town.point, city.centre));
            let state = match &city.kind {
                Kind::City { state, .. } if !state.is_empty() => Some(state.clone()),
                _ => None,
            };
            match known {
                Some(town) => town.state = state,
                None => towns.push(Town {
                    name: city.name.clone(),
                    state,
                    point: city.centre,
                }),
            }
        }
        towns
    }
}

impl Atlas for Towns {
    fn find_towns(&self, country: &str, name: &str) -> Vec<Town> {
        let key = (country.to_owned(), name.to_owned());
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        let towns = self.look_up(country, name);
        let mut found = self.found.borrow_mut();
        if found.len() < NAMES_MAX {
            found.insert(key, towns.clone());
        }
        towns
    }
}

fn is_same(one: Coordinates, other: Coordinates) -> bool {
    one.metres_to(other) <= SAME_M
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_of_the_atlas_are_found_by_every_name() {
        let towns = Towns::new(std::iter::empty());
        for (country, name) in [
            ("DE", "München"),
            ("DE", "慕尼黑"),
            ("PT", "Lisbon"),
            ("GB", "Leeds"),
        ] {
            assert!(!towns.find_towns(country, name).is_empty(), "{name}");
        }
        assert!(towns.find_towns("GB", "Nowhere-on-Sea").is_empty());
        let oxfords = towns.find_towns("US", "Oxford");
        assert!(
            oxfords.iter().any(|town| town.state.as_deref() == Some("MS")),
            "{oxfords:?}"
        );
    }
}
