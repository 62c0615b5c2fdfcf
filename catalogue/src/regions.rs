//! Countries, states, cities, areas and universities as regions.

use std::collections::{BTreeMap, BTreeSet};

use domain::country::Country;
use domain::id::RegionId;
use domain::place::{Bounds, Coordinates, slug};
use domain::region::{RegionCommand, RegionDetails, RegionState, RegionType, Subtype};
use domain::wording::Wording;

use crate::facts::{City, Facts, LocalNames, Place, University};
use crate::ids::Ids;
use crate::texts::bilingual;

/// Half sizes of the boxes around small places, in microdegrees.
const AREA_HALF: (i32, i32) = (11_000, 16_000);
const CAMPUS_HALF: (i32, i32) = (9_000, 14_000);

/// A region with the commands that bring it about.
#[derive(Debug)]
pub struct NewRegion {
    pub id: RegionId,
    pub details: RegionDetails,
    pub commands: Vec<RegionCommand>,
}

/// All regions, parents before children, found by canonical name.
#[derive(Debug, Default)]
pub struct Regions {
    pub all: Vec<NewRegion>,
    by_name: BTreeMap<String, usize>,
}

impl Regions {
    /// Makes the regions of all facts.
    pub fn of(facts: &Facts, ids: &mut Ids) -> Self {
        let mut regions = Self::default();
        let countries: BTreeSet<Country> = facts.cities.iter().map(|city| city.country).collect();
        for country in countries {
            let cities: Vec<&City> = facts
                .cities
                .iter()
                .filter(|city| city.country == country)
                .collect();
            regions.add_country(country, &cities, ids);
        }
        for city in &facts.cities {
            regions.add_city(city, ids);
        }
        for area in &facts.areas {
            regions.add_area(&area.city, &area.name, area.centre, ids);
        }
        for university in &facts.universities {
            regions.add_university(university, ids);
        }
        for place in &facts.places {
            regions.add_place(place, ids);
        }
        regions
    }

    /// The region of that canonical name.
    pub fn find(&self, canonical_name: &str) -> Option<&NewRegion> {
        self.by_name
            .get(canonical_name)
            .and_then(|place| self.all.get(*place))
    }

    fn add(&mut self, details: RegionDetails, state: RegionState, ids: &mut Ids) {
        if self.by_name.contains_key(&details.canonical_name) {
            return;
        }
        let redirect = details.redirect_canonical_name.clone();
        let described = RegionDetails {
            redirect_canonical_name: None,
            ..details.clone()
        };
        let mut commands = vec![RegionCommand::Describe {
            region: Box::new(described),
        }];
        match (state, redirect) {
            (RegionState::Active, _) | (RegionState::Retired, None) => {}
            (RegionState::Inactive, _) => commands.push(RegionCommand::Deactivate),
            (RegionState::Retired, Some(redirect_canonical_name)) => {
                commands.push(RegionCommand::Retire {
                    redirect_canonical_name,
                });
            }
        }
        self.by_name
            .insert(details.canonical_name.clone(), self.all.len());
        self.all.push(NewRegion {
            id: RegionId(ids.next_id()),
            details,
            commands,
        });
    }

    fn add_country(&mut self, country: Country, cities: &[&City], ids: &mut Ids) {
        let centres: Vec<Coordinates> = cities.iter().map(|city| city.centre).collect();
        let zone = cities
            .first()
            .map_or_else(String::new, |city| city.time_zone.clone());
        let mut details = bare(
            country.name(),
            slug(country.name()),
            RegionType::Country,
            country,
            zone,
            &centres,
        );
        details.aliases = vec![country.iso().to_owned()];
        details.local_name = Some(bilingual(country.name(), second_name(country)));
        self.add(details, RegionState::Active, ids);
        let states: BTreeSet<&str> = cities.iter().map(|city| city.state.as_str()).collect();
        for state in states {
            let inside: Vec<&&City> = cities.iter().filter(|city| city.state == state).collect();
            let centres: Vec<Coordinates> = inside.iter().map(|city| city.centre).collect();
            let zone = inside
                .first()
                .map_or_else(String::new, |city| city.time_zone.clone());
            let canonical = state_canonical(state, cities);
            let parent = self.find(&slug(country.name())).map(|region| region.id);
            let details = bare(state, canonical, RegionType::State, country, zone, &centres);
            self.add(RegionDetails { parent, ..details }, RegionState::Active, ids);
        }
    }

    fn add_city(&mut self, city: &City, ids: &mut Ids) {
        let state = slug(&city.state);
        let parent = self
            .find(&format!("{state}-state"))
            .or_else(|| self.find(&state))
            .map(|region| region.id);
        let details = RegionDetails {
            parent,
            locality: Some(city.name.clone()),
            bounds: Bounds::around(city.centre, city.half_size_e6, city.half_size_e6 * 3 / 2),
            aliases: city.names.values().cloned().collect(),
            local_name: local_name(&city.name, &city.names),
            popular_rank: Some(city.rank),
            ..bare(
                &city.name,
                city.canonical_name.clone(),
                RegionType::Locality,
                city.country,
                city.time_zone.clone(),
                &[city.centre],
            )
        };
        self.add(details, RegionState::Active, ids);
    }

    fn add_area(&mut self, city: &str, name: &str, centre: Coordinates, ids: &mut Ids) {
        let Some(parent) = self.find(city) else { return };
        let details = RegionDetails {
            parent: Some(parent.id),
            locality: parent.details.locality.clone(),
            bounds: Bounds::around(centre, AREA_HALF.0, AREA_HALF.1),
            ..bare(
                name,
                format!("{}-{city}", slug(name)),
                RegionType::Sublocality,
                parent.details.country,
                parent.details.time_zone.clone(),
                &[centre],
            )
        };
        self.add(details, RegionState::Active, ids);
    }

    fn add_university(&mut self, university: &University, ids: &mut Ids) {
        let Some(parent) = self.find(&university.city) else {
            return;
        };
        let plain = slug(&university.name);
        let taken = self.by_name.contains_key(&plain);
        let canonical = if taken {
            format!("{plain}-{}", university.city)
        } else {
            plain
        };
        let mut aliases = university.aliases.clone();
        aliases.extend(university.names.values().cloned());
        let details = RegionDetails {
            subtype: Some(Subtype::University),
            parent: Some(parent.id),
            locality: parent.details.locality.clone(),
            bounds: Bounds::around(university.centre, CAMPUS_HALF.0, CAMPUS_HALF.1),
            aliases,
            local_name: local_name(&university.name, &university.names),
            ..bare(
                &university.name,
                canonical,
                RegionType::Establishment,
                parent.details.country,
                parent.details.time_zone.clone(),
                &[university.centre],
            )
        };
        self.add(details, RegionState::Active, ids);
    }

    fn add_place(&mut self, place: &Place, ids: &mut Ids) {
        let country = slug(place.country.name());
        let Some(parent) = self.find(&place.parent).or_else(|| self.find(&country)) else {
            return;
        };
        let plain = slug(&place.name);
        let canonical = match place.region_type {
            RegionType::Country | RegionType::State | RegionType::Locality => plain,
            RegionType::Sublocality | RegionType::Establishment => format!("{plain}-{}", place.parent),
        };
        let details = RegionDetails {
            subtype: place.subtype,
            parent: Some(parent.id),
            locality: Some(place.locality.clone()),
            bounds: Bounds::around(place.centre, AREA_HALF.0, AREA_HALF.1),
            redirect_canonical_name: place.redirect.clone(),
            ..bare(
                &place.name,
                canonical,
                place.region_type,
                place.country,
                parent.details.time_zone.clone(),
                &[place.centre],
            )
        };
        self.add(details, place.state, ids);
    }
}

/// A region with nothing but what every region has; its centre and box come from the points.
fn bare(
    name: &str,
    canonical_name: String,
    region_type: RegionType,
    country: Country,
    time_zone: String,
    points: &[Coordinates],
) -> RegionDetails {
    let ends = |of: fn(&Coordinates) -> i32| {
        let low = points.iter().map(of).min().unwrap_or_default();
        let high = points.iter().map(of).max().unwrap_or_default();
        (low, high)
    };
    let (south, north) = ends(|point| point.lat_e6);
    let (west, east) = ends(|point| point.lng_e6);
    RegionDetails {
        name: name.to_owned(),
        canonical_name,
        region_type,
        subtype: None,
        parent: None,
        country,
        locality: None,
        centre: Coordinates::new(i32::midpoint(south, north), i32::midpoint(west, east)),
        bounds: Bounds {
            southwest: Coordinates::new(south - 250_000, west - 350_000),
            northeast: Coordinates::new(north + 250_000, east + 350_000),
        },
        time_zone,
        aliases: Vec::new(),
        local_name: None,
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    }
}

/// A state's canonical name; one that shares its name with a city of the country says that it is the state.
fn state_canonical(state: &str, cities: &[&City]) -> String {
    let plain = slug(state);
    if cities.iter().any(|city| city.canonical_name == plain) {
        format!("{plain}-state")
    } else {
        plain
    }
}

/// A name with those in other languages, where there are any.
fn local_name(name: &str, names: &LocalNames) -> Option<Wording> {
    let with_one = |all: Wording, (tag, name): (&String, &String)| all.with(tag, name);
    (!names.is_empty()).then(|| names.iter().fold(Wording::english(name), with_one))
}

/// Names a country in the second language of the demo facts.
const fn second_name(country: Country) -> &'static str {
    match country {
        Country::Us => "美国",
        Country::Uk => "英国",
        Country::Canada => "加拿大",
        Country::Spain => "西班牙",
        Country::Ireland => "爱尔兰",
        Country::Australia => "澳大利亚",
        Country::Germany => "德国",
        Country::France => "法国",
        Country::Singapore => "新加坡",
        Country::Uae => "阿联酋",
        Country::India => "印度",
        Country::NewZealand => "新西兰",
        Country::Korea => "韩国",
        Country::Denmark => "丹麦",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions() -> Regions {
        Regions::of(&Facts::load().unwrap(), &mut Ids::new(1))
    }

    #[test]
    fn every_region_but_a_country_lies_in_one_that_came_before_it() {
        let regions = regions();
        for (place, region) in regions.all.iter().enumerate() {
            match region.details.parent {
                None => assert_eq!(region.details.region_type, RegionType::Country),
                Some(parent) => assert!(
                    regions.all[..place].iter().any(|earlier| earlier.id == parent),
                    "{}",
                    region.details.name
                ),
            }
        }
    }

    #[test]
    fn a_city_called_like_its_state_keeps_the_short_name() {
        let regions = regions();
        assert_eq!(
            regions.find("new-york").unwrap().details.region_type,
            RegionType::Locality
        );
        assert_eq!(
            regions.find("new-york-state").unwrap().details.region_type,
            RegionType::State
        );
        assert!(
            regions
                .all
                .iter()
                .filter(|r| r.details.region_type == RegionType::Locality)
                .all(|r| r.details.parent.is_some())
        );
    }

    #[test]
    fn every_retired_campus_leads_to_a_residence_that_exists() {
        let regions = regions();
        let retired: Vec<&NewRegion> = regions
            .all
            .iter()
            .filter(|region| region.details.redirect_canonical_name.is_some())
            .collect();
        assert!(retired.len() >= 4);
        for campus in retired {
            let target = campus.details.redirect_canonical_name.as_deref().unwrap();
            assert_eq!(
                regions.find(target).unwrap().details.subtype,
                Some(Subtype::Residence),
                "{target}"
            );
        }
    }
}
