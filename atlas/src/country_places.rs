//! The places of one country, opened whole: for an import, which asks about every row.

use std::collections::HashMap;

use domain::place::Coordinates;

use crate::country::Country;
use crate::distance::metres_between;
use crate::key::{fold, fold_spelled_out, without_ending};
use crate::place::{Form, Kind, Place};

/// A country with its states, cities, areas and universities.
#[derive(Debug)]
pub struct CountryPlaces {
    pub country: Country,
    /// States, then cities by population, each with what lies in it.
    places: Vec<Place>,
    /// Cities by the keys of their names, the largest first.
    cities: HashMap<String, Vec<usize>>,
    /// Keys that people write behind a city and that do not belong to its name.
    endings: Vec<String>,
}

impl CountryPlaces {
    pub(crate) fn new(country: Country, places: Vec<Place>) -> Self {
        let mut cities: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, place) in places.iter().enumerate().filter(|(_, place)| place.is_city()) {
            for key in keys_of(place) {
                let known = cities.entry(key).or_default();
                if !known.contains(&number) {
                    known.push(number);
                }
            }
        }
        let mut endings: Vec<String> = country.all_names().map(fold).collect();
        endings.push("city".to_owned());
        Self {
            country,
            places,
            cities,
            endings,
        }
    }

    /// The place with this id, such as `geonames:2640729`.
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.id == id)
    }

    /// Every place, states first, then cities by population with their areas and universities behind them.
    pub fn all(&self) -> impl Iterator<Item = &Place> {
        self.places.iter()
    }

    /// Cities by population; parts of cities are among them.
    pub fn cities(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| place.is_city())
    }

    /// The state that a city is in.
    pub fn find_state(&self, city: &Place) -> Option<&Place> {
        let Kind::City { state, .. } = &city.kind else {
            return None;
        };
        self.states()
            .find(|(code, _)| code == state)
            .map(|(_, place)| place)
    }

    /// States with their codes.
    fn states(&self) -> impl Iterator<Item = (&str, &Place)> {
        self.places.iter().filter_map(|place| match &place.kind {
            Kind::State { code } => Some((code.as_str(), place)),
            Kind::City { .. } | Kind::Area | Kind::University { .. } => None,
        })
    }

    /// Areas of a city, and the cities that are a part of it.
    pub fn list_areas(&self, city: &str) -> Vec<&Place> {
        let lies_in = |place: &&Place| match &place.kind {
            Kind::Area => place.city.as_deref() == Some(city),
            Kind::City { part_of, .. } => part_of.as_deref() == Some(city),
            Kind::State { .. } | Kind::University { .. } => false,
        };
        self.places.iter().filter(lies_in).collect()
    }

    /// Universities and colleges of a city, those in towns near it too.
    pub fn list_universities(&self, city: &str) -> Vec<&Place> {
        let lies_in = |place: &&Place| place.is_university() && place.city.as_deref() == Some(city);
        self.places.iter().filter(lies_in).collect()
    }

    /// The largest city of this name.
    pub fn find_city(&self, text: &str) -> Option<&Place> {
        self.find_cities(text).into_iter().next()
    }

    /// Cities of this name, the largest first: in any language, however its accents are written, with or without its state, its country or
    /// "City" behind it.
    pub fn find_cities(&self, text: &str) -> Vec<&Place> {
        let mut key = fold(text);
        let mut state: Option<&str> = None;
        loop {
            let named = self.with_key(&key, state);
            if !named.is_empty() {
                return named;
            }
            if let Some(shorter) = without_ending(&key, &self.endings) {
                key = shorter;
            } else if let Some((shorter, code)) = self.without_state(&key).filter(|_| state.is_none()) {
                (key, state) = (shorter, Some(code));
            } else if let Some(shorter) = key.strip_prefix("city of ") {
                key = shorter.to_owned();
            } else {
                return Vec::new();
            }
        }
    }

    /// Cities with that key, in that state where one is named.
    fn with_key(&self, key: &str, wanted: Option<&str>) -> Vec<&Place> {
        let numbers = self.cities.get(key).into_iter().flatten();
        let cities = numbers.filter_map(|number| self.places.get(*number));
        let is_there = |city: &&Place| match &city.kind {
            Kind::City { state, .. } => wanted.is_none_or(|wanted| wanted == state),
            Kind::State { .. } | Kind::Area | Kind::University { .. } => false,
        };
        cities.filter(is_there).collect()
    }

    /// The key without the name or the letters of a state behind it, and the state's code.
    fn without_state(&self, key: &str) -> Option<(String, &str)> {
        self.states().find_map(|(code, place)| {
            let letters = Some(code).filter(|code| code.chars().all(char::is_alphabetic));
            let mut endings: Vec<String> = keys_of(place);
            endings.extend(letters.map(fold));
            Some((without_ending(key, &endings)?, code))
        })
    }

    /// The time zone of the city nearest to a point.
    pub fn zone_at(&self, point: Coordinates) -> Option<&str> {
        let away = |city: &&Place| metres_between(point, city.centre);
        let nearest = self
            .cities()
            .min_by(|one, other| away(one).total_cmp(&away(other)))?;
        match &nearest.kind {
            Kind::City { time_zone, .. } => Some(time_zone.as_str()),
            Kind::State { .. } | Kind::Area | Kind::University { .. } => None,
        }
    }

    /// Cities within so many metres of a point, the nearest first.
    pub fn find_cities_near(&self, point: Coordinates, metres: f64, room: usize) -> Vec<(&Place, f64)> {
        let mut near: Vec<(&Place, f64)> = self
            .cities()
            .map(|city| (city, metres_between(point, city.centre)))
            .filter(|(_, away)| *away <= metres)
            .collect();
        near.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        near.truncate(room);
        near
    }
}

/// The keys under which a place is known; postcodes are no names of it.
fn keys_of(place: &Place) -> Vec<String> {
    let others = place.names.iter().filter(|name| name.form != Form::Postcode);
    let names = std::iter::once(place.name.as_str()).chain(others.map(|name| name.text.as_str()));
    names
        .flat_map(|name| std::iter::once(fold(name)).chain(fold_spelled_out(name)))
        .filter(|key| !key.is_empty())
        .collect()
}
