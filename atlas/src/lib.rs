//! Facts of countries, states, cities, areas and universities with their names, for every house, with or without the demo catalogue. They
//! lie compressed in the binary; a question opens the blocks that it needs and drops them with its answer. Nothing here knows which homes
//! there are: places that have some are regions of the log.

use std::sync::LazyLock;

mod country;
mod country_places;
mod distance;
mod find;
pub mod key;
mod pack;
mod place;
pub mod regions;

pub use country::{Country, Limits};
pub use country_places::CountryPlaces;
pub use find::{Found, Sought};
pub use place::{Form, Kind, Name, Place};

use key::fold;
use pack::{Block, Holds, Pack};

/// The facts.
#[derive(Debug)]
pub struct Atlas {
    pack: Pack,
}

/// The directory of the blocks, read on first use.
static ATLAS: LazyLock<Atlas> = LazyLock::new(|| Atlas {
    pack: Pack::read(pack::FILE),
});

/// The facts that are compiled in.
pub fn atlas() -> &'static Atlas {
    &ATLAS
}

impl Atlas {
    /// Lines that name the date of the facts, their sources and licences.
    pub fn sources(&self) -> &[&'static str] {
        &self.pack.sources
    }

    /// All countries, in the order of their codes.
    pub fn list_countries(&self) -> Vec<Country> {
        let block = self
            .pack
            .blocks
            .iter()
            .find(|block| block.holds == Holds::Countries);
        block.map_or_else(Vec::new, |block| country::read_countries(&block.open()))
    }

    /// The country of an ISO code, or of any of its names: `GB`, `uk`, `Deutschland`.
    pub fn find_country(&self, code: &str) -> Option<Country> {
        let wanted = fold(code);
        let countries = self.list_countries();
        let is_code = |country: &Country| fold(&country.iso2) == wanted || fold(&country.iso3) == wanted;
        let is_named = |country: &Country| country.all_names().any(|name| fold(name) == wanted);
        let at = countries
            .iter()
            .position(is_code)
            .or_else(|| countries.iter().position(is_named))?;
        countries.into_iter().nth(at)
    }

    /// Every place of a country, to ask several things of. The answer holds a few megabytes for a large country: drop it.
    pub fn open_country(&self, country: Country) -> CountryPlaces {
        let is_own = |block: &&Block| matches!(block.holds, Holds::Places(code) if code == country.iso2);
        let own = self.pack.blocks.iter().filter(is_own);
        let places = own
            .flat_map(|block| place::read_places(&country.iso2, block.open().lines()))
            .collect();
        CountryPlaces::new(country, places)
    }

    /// Cities within so many metres of a point, the nearest first, whichever countries they are in.
    pub fn find_cities_near(
        &self,
        point: domain::place::Coordinates,
        metres: f64,
        room: usize,
    ) -> Vec<(Place, f64)> {
        let margin = distance::margin_e6(point, metres);
        let near = self.list_countries().into_iter().filter(|country| {
            country
                .limits
                .is_some_and(|limits| limits.grown_by(margin).hold(point))
        });
        let mut found: Vec<(Place, f64)> = near
            .flat_map(|country| {
                let places = self.open_country(country);
                let near = places.find_cities_near(point, metres, room).into_iter();
                near.map(|(place, away)| (place.clone(), away))
                    .collect::<Vec<_>>()
            })
            .collect();
        found.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        found.truncate(room);
        found
    }
}

#[cfg(test)]
mod tests;
