//! Cities of the atlas for an import: which of them a row means, and what lies in and above it. A country is opened with its first row and
//! dropped with the import.

use std::collections::HashMap;

use atlas::{CountryPlaces, Kind, Place, atlas};
use domain::country::Country;
use domain::place::Coordinates;
use search_index::geo::OnGlobe as _;

use super::FARTHEST_M;

/// The countries that rows have named.
#[derive(Default)]
pub(super) struct Facts {
    countries: HashMap<Country, Option<CountryPlaces>>,
}

/// Meaning of a city's name and a point to the atlas.
pub(super) enum Meant {
    City(Box<Place>),
    /// Every city of that name is more than 100 km away.
    Far,
    Unknown,
}

/// Places that are opened with a city.
pub(super) struct Surroundings {
    pub(super) state: Option<Place>,
    /// Areas and universities.
    pub(super) inside: Vec<Place>,
}

impl Facts {
    /// The facts of a country, where it is one of the atlas.
    pub(super) fn of_country(&mut self, country: Country) -> Option<&CountryPlaces> {
        let open = || {
            let facts = atlas().find_country(country.iso())?;
            Some(atlas().open_country(facts))
        };
        self.countries.entry(country).or_insert_with(open).as_ref()
    }

    /// The city of that name nearest to the point; namesakes are told apart by it.
    pub(super) fn find_city(&mut self, country: Country, name: &str, point: Coordinates) -> Meant {
        let Some(places) = self.of_country(country) else {
            return Meant::Unknown;
        };
        let named = places.find_cities(name).into_iter();
        let nearest = named
            .map(|city| (city, city.centre.metres_to(point)))
            .min_by(|(_, one), (_, other)| one.total_cmp(other));
        match nearest {
            Some((city, metres)) if metres <= FARTHEST_M => Meant::City(Box::new(city.clone())),
            Some(_) => Meant::Far,
            None => Meant::Unknown,
        }
    }

    /// The largest city of that name.
    pub(super) fn find_largest_city(&mut self, country: Country, name: &str) -> Option<Place> {
        self.of_country(country)?.find_city(name).cloned()
    }

    /// The city of that name in a state; `None` where no state is said.
    pub(super) fn find_city_in(&mut self, country: Country, name: &str, state: &str) -> Option<Place> {
        if state.is_empty() {
            return None;
        }
        self.find_largest_city(country, &format!("{name}, {state}"))
    }

    /// Whether a home of the country can stand at the point.
    pub(super) fn can_hold(&mut self, country: Country, point: Coordinates) -> bool {
        self.of_country(country)
            .is_none_or(|places| places.country.can_hold(point))
    }

    /// The state, the areas and the universities of a city.
    pub(super) fn surroundings(&mut self, country: Country, city: &Place) -> Surroundings {
        let Some(places) = self.of_country(country) else {
            return Surroundings {
                state: None,
                inside: Vec::new(),
            };
        };
        let areas = places.list_areas(&city.id).into_iter();
        let areas = areas.filter(|place| matches!(place.kind, Kind::Area));
        let inside = areas.chain(places.list_universities(&city.id));
        Surroundings {
            state: places.find_state(city).cloned(),
            inside: inside.cloned().collect(),
        }
    }
}
