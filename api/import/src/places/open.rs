//! Regions that an import opens: cities with what lies above and in them, and cities that the atlas does not know.

use std::sync::Arc;

use atlas::regions::{Above, describe_country, describe_place, region_id};
use domain::country::Country;
use domain::id::RegionId;
use domain::place::{Bounds, Coordinates, slug};
use domain::region::{RegionDetails, RegionType};
use search_index::places::Place;

use super::{Fact, Fresh, Gazetteer, Opened, Spot, named_id, plain};
use crate::time_zone;

/// Half the size of a city nobody described.
pub(super) const CITY_HALF: (i32, i32) = (90_000, 130_000);
/// Of an area or a university that nobody described.
pub(super) const AREA_HALF: (i32, i32) = (11_000, 16_000);
/// And of a country that its first listing opens.
pub(super) const COUNTRY_HALF: (i32, i32) = (4_000_000, 6_000_000);

/// A city that lies in the middle of its homes once all of them are read.
pub(super) struct Unsettled {
    details: RegionDetails,
    pub(super) points: Vec<Coordinates>,
}

impl Gazetteer {
    /// Puts the cities that the atlas does not know in the middle of their homes, whatever the order of rows was.
    pub(crate) fn settle(&mut self) {
        for (id, city) in std::mem::take(&mut self.unsettled) {
            let Some(centre) = median(&city.points) else {
                continue;
            };
            let details = RegionDetails {
                centre,
                bounds: Bounds::around(centre, CITY_HALF.0, CITY_HALF.1),
                time_zone: self.zone_at(city.details.country, centre),
                ..city.details
            };
            match self.opened.iter_mut().find(|opened| opened.id == id) {
                Some(opened) => opened.details = details,
                None => {
                    self.corrected.insert(id, details);
                }
            }
        }
    }

    /// Opens a city that the atlas does not know where its first listing stands; `settle` moves it.
    pub(super) fn open(&mut self, country: Country, city: &str, centre: Coordinates) -> Spot {
        let plain = plain(city);
        let above = self.country(country, centre);
        let canonical_name = if self.known_as(&plain).is_some() {
            format!("{plain}-{}", country.key().replace('_', "-"))
        } else {
            plain.clone()
        };
        let id = RegionId(named_id(&["region", country.key(), &plain]));
        let details = RegionDetails {
            name: city.to_owned(),
            canonical_name,
            region_type: RegionType::Locality,
            subtype: None,
            parent: Some(above),
            locality: Some(city.to_owned()),
            bounds: Bounds::around(centre, CITY_HALF.0, CITY_HALF.1),
            ..bare(country, centre, self.zone_at(country, centre))
        };
        let unsettled = Unsettled {
            details: details.clone(),
            points: Vec::new(),
        };
        self.unsettled.insert(id, unsettled);
        self.push_city(id, details);
        self.cities.insert((country, plain), id);
        Spot { city: id, area: None }
    }

    /// Opens a city of the atlas with its state, its areas and its universities.
    pub(super) fn open_fact(&mut self, country: Country, fact: &Fact) -> RegionId {
        let surroundings = self.facts.surroundings(country, fact);
        let parent = match &surroundings.state {
            Some(state) => self.open_state(country, state, fact),
            None => self.country(country, fact.centre),
        };
        let id = self.open_below(fact, &above(country, Some(parent), None));
        self.open_inside(country, id, fact, &surroundings.inside);
        id
    }

    pub(super) fn open_state(&mut self, country: Country, state: &Fact, city: &Fact) -> RegionId {
        let parent = self.country(country, city.centre);
        self.open_below(state, &above(country, Some(parent), Some(city)))
    }

    /// Opens the areas and universities of a city.
    pub(super) fn open_inside(&mut self, country: Country, id: RegionId, city: &Fact, inside: &[Fact]) {
        for fact in inside {
            self.open_below(fact, &above(country, Some(id), Some(city)));
        }
    }

    /// The region of a fact: the one that is there, else a new one.
    pub(super) fn open_below(&mut self, fact: &Fact, above: &Above<'_>) -> RegionId {
        let mut details = describe_place(fact, above);
        let same = |place: &&Arc<Place>| {
            place.details.region_type == details.region_type && place.details.country == details.country
        };
        let known = self.places.by_canonical_name(&details.canonical_name);
        let own = region_id(&fact.id);
        if let Some(known) = known.filter(same) {
            return known.id;
        }
        if self.places.get(own).is_some() || self.fresh_names.get(&details.canonical_name) == Some(&own) {
            return own;
        }
        if self.known_as(&details.canonical_name).is_some() {
            details.canonical_name = format!("{}-{}", details.canonical_name, slug(&fact.id));
        }
        if fact.is_city() {
            self.push_city(own, details);
        } else {
            self.push_opened(own, details);
        }
        own
    }

    pub(super) fn push_city(&mut self, id: RegionId, details: RegionDetails) {
        let fresh = Fresh {
            centre: details.centre,
            canonical_name: details.canonical_name.clone(),
        };
        self.fresh.insert(id, fresh);
        self.push_opened(id, details);
    }

    pub(super) fn push_opened(&mut self, id: RegionId, details: RegionDetails) {
        self.fresh_names.insert(details.canonical_name.clone(), id);
        self.opened.push(Opened { id, details });
    }

    pub(super) fn country(&mut self, country: Country, centre: Coordinates) -> RegionId {
        if let Some(known) = self.countries.get(&country) {
            return *known;
        }
        let id = RegionId(named_id(&["region", country.key()]));
        let zone = self.zone_at(country, centre);
        let facts = self.facts.of_country(country);
        let described = facts.map(|places| describe_country(&places.country, country, centre));
        // The atlas tells a country from a state of its name: `georgia-country`.
        let details = described.unwrap_or_else(|| RegionDetails {
            name: country.name().to_owned(),
            canonical_name: slug(country.name()),
            region_type: RegionType::Country,
            bounds: Bounds::around(centre, COUNTRY_HALF.0, COUNTRY_HALF.1),
            aliases: vec![country.iso().to_owned()],
            ..bare(country, centre, zone)
        });
        self.push_opened(id, details);
        self.countries.insert(country, id);
        id
    }

    /// The zone that clocks show at a point.
    pub(super) fn zone_at(&mut self, country: Country, point: Coordinates) -> String {
        let places = self.facts.of_country(country);
        time_zone::at(country, places, point).name().to_owned()
    }
}

/// A region with nothing but what every region has.
pub(super) fn bare(country: Country, centre: Coordinates, time_zone: String) -> RegionDetails {
    RegionDetails {
        name: String::new(),
        canonical_name: String::new(),
        region_type: RegionType::Locality,
        subtype: None,
        parent: None,
        country,
        locality: None,
        centre,
        bounds: Bounds::around(centre, 0, 0),
        time_zone,
        aliases: Vec::new(),
        local_name: None,
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    }
}

/// The point in the middle, north to south and west to east.
fn median(points: &[Coordinates]) -> Option<Coordinates> {
    let middle = |side: fn(&Coordinates) -> i32| {
        let mut sides: Vec<i32> = points.iter().map(side).collect();
        sides.sort_unstable();
        sides.get(sides.len().checked_sub(1)? / 2).copied()
    };
    Some(Coordinates::new(
        middle(|point| point.lat_e6)?,
        middle(|point| point.lng_e6)?,
    ))
}

/// Regions above a place of the atlas.
pub(super) const fn above(country: Country, parent: Option<RegionId>, city: Option<&Fact>) -> Above<'_> {
    Above {
        country,
        parent,
        city,
        time_zone: "",
    }
}
