//! The checked-in facts: real cities, areas and universities, and words for believable names and streets.

use std::collections::BTreeMap;

use domain::country::Country;
use domain::place::Coordinates;
use domain::region::{RegionState, RegionType, Subtype};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why the checked-in facts cannot be used; only a broken build has one.
#[derive(Debug, Error)]
pub enum FactsError {
    #[error("`{file}`: {source}")]
    Csv { file: &'static str, source: csv::Error },
    #[error("`{file}`: `{value}` is no {what}")]
    Value {
        file: &'static str,
        what: &'static str,
        value: String,
    },
}

/// All facts, parsed.
#[derive(Debug)]
pub struct Facts {
    pub cities: Vec<City>,
    pub areas: Vec<Area>,
    pub universities: Vec<University>,
    pub places: Vec<Place>,
    words: BTreeMap<(Country, WordKind), Vec<String>>,
}

/// Names of a place in other languages, by their tags: the columns `name_<tag>` of its file.
pub type LocalNames = BTreeMap<String, String>;

/// A popular city (D62).
#[derive(Debug)]
pub struct City {
    pub country: Country,
    pub rank: u16,
    pub name: String,
    pub canonical_name: String,
    pub names: LocalNames,
    pub state: String,
    pub centre: Coordinates,
    pub time_zone: String,
    pub homes: usize,
    /// What an ensuite room costs per period of the country, in whole units.
    pub price: u32,
    pub half_size_e6: i32,
    pub postal: Vec<String>,
}

/// A part of a city.
#[derive(Debug)]
pub struct Area {
    pub city: String,
    pub name: String,
    pub centre: Coordinates,
}

/// A university or college.
#[derive(Debug)]
pub struct University {
    pub city: String,
    pub name: String,
    pub centre: Coordinates,
    pub aliases: Vec<String>,
    pub names: LocalNames,
}

/// Places beyond the fifty: not served yet, closed campuses, and the residences that took their place.
#[derive(Debug)]
pub struct Place {
    pub name: String,
    pub region_type: RegionType,
    pub subtype: Option<Subtype>,
    pub state: RegionState,
    pub parent: String,
    pub country: Country,
    pub locality: String,
    pub centre: Coordinates,
    pub redirect: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordKind {
    Street,
    First,
    House,
}

impl Facts {
    /// Parses the facts built into the program.
    ///
    /// # Errors
    /// Names the file and the value that cannot be read.
    pub fn load() -> Result<Self, FactsError> {
        let mut words: BTreeMap<(Country, WordKind), Vec<String>> = BTreeMap::new();
        for row in rows::<WordRow>("words.csv", include_str!("../facts/words.csv"))? {
            words.entry((row.country, row.kind)).or_default().push(row.word);
        }
        let text = include_str!("../facts/cities.csv");
        let mut cities = rows::<CityRow>("cities.csv", text)?;
        for (city, names) in cities.iter_mut().zip(local_names("cities.csv", text)?) {
            city.names = names;
        }
        let areas = rows::<AreaRow>("areas.csv", include_str!("../facts/areas.csv"))?;
        let text = include_str!("../facts/universities.csv");
        let mut universities = rows::<UniversityRow>("universities.csv", text)?;
        let names = local_names("universities.csv", text)?;
        for (university, names) in universities.iter_mut().zip(names) {
            university.names = names;
        }
        let places = rows::<PlaceRow>("places.csv", include_str!("../facts/places.csv"))?;
        Ok(Self {
            cities: cities.into_iter().map(City::try_from).collect::<Result<_, _>>()?,
            areas: areas.into_iter().map(Area::try_from).collect::<Result<_, _>>()?,
            universities: universities
                .into_iter()
                .map(University::try_from)
                .collect::<Result<_, _>>()?,
            places: places
                .into_iter()
                .map(Place::try_from)
                .collect::<Result<_, _>>()?,
            words,
        })
    }

    /// Words of one kind in a country.
    pub fn words(&self, country: Country, kind: WordKind) -> &[String] {
        self.words.get(&(country, kind)).map_or(&[], Vec::as_slice)
    }
}

fn rows<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, FactsError> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|source| FactsError::Csv { file, source })
}

/// Names of each row's place in other languages; a language without a name of it has an empty cell.
fn local_names(file: &'static str, text: &str) -> Result<Vec<LocalNames>, FactsError> {
    let unread = |source| FactsError::Csv { file, source };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().map_err(unread)?.clone();
    let mut all = Vec::new();
    for record in reader.records() {
        let record = record.map_err(unread)?;
        let cells = columns.iter().zip(&record);
        let named = cells.filter_map(|(column, name)| Some((column.strip_prefix("name_")?, name)));
        let known = named.filter(|(_, name)| !name.is_empty());
        all.push(
            known
                .map(|(tag, name)| (tag.to_owned(), name.to_owned()))
                .collect(),
        );
    }
    Ok(all)
}

fn point(file: &'static str, lat: &str, lng: &str) -> Result<Coordinates, FactsError> {
    let degrees = |text: &str| {
        Coordinates::parse_degrees(text).ok_or_else(|| FactsError::Value {
            file,
            what: "number of degrees",
            value: text.to_owned(),
        })
    };
    Ok(Coordinates::new(degrees(lat)?, degrees(lng)?))
}

#[derive(Deserialize)]
struct WordRow {
    country: Country,
    kind: WordKind,
    word: String,
}

#[derive(Deserialize)]
struct CityRow {
    country: Country,
    rank: u16,
    name: String,
    canonical_name: String,
    /// Read by [`local_names`].
    #[serde(skip)]
    names: LocalNames,
    state: String,
    lat: String,
    lng: String,
    time_zone: String,
    homes: usize,
    price: u32,
    half_size_e3: i32,
    postal: String,
}

impl TryFrom<CityRow> for City {
    type Error = FactsError;

    fn try_from(row: CityRow) -> Result<Self, FactsError> {
        Ok(Self {
            centre: point("cities.csv", &row.lat, &row.lng)?,
            country: row.country,
            rank: row.rank,
            name: row.name,
            canonical_name: row.canonical_name,
            names: row.names,
            state: row.state,
            time_zone: row.time_zone,
            homes: row.homes,
            price: row.price,
            half_size_e6: row.half_size_e3 * 1_000,
            postal: row.postal.split('|').map(str::to_owned).collect(),
        })
    }
}

#[derive(Deserialize)]
struct AreaRow {
    city: String,
    name: String,
    lat: String,
    lng: String,
}

impl TryFrom<AreaRow> for Area {
    type Error = FactsError;

    fn try_from(row: AreaRow) -> Result<Self, FactsError> {
        Ok(Self {
            centre: point("areas.csv", &row.lat, &row.lng)?,
            city: row.city,
            name: row.name,
        })
    }
}

#[derive(Deserialize)]
struct UniversityRow {
    city: String,
    name: String,
    lat: String,
    lng: String,
    aliases: String,
    /// Read by [`local_names`].
    #[serde(skip)]
    names: LocalNames,
}

impl TryFrom<UniversityRow> for University {
    type Error = FactsError;

    fn try_from(row: UniversityRow) -> Result<Self, FactsError> {
        let known = |text: String| (!text.is_empty()).then_some(text);
        Ok(Self {
            centre: point("universities.csv", &row.lat, &row.lng)?,
            city: row.city,
            name: row.name,
            aliases: known(row.aliases).into_iter().collect(),
            names: row.names,
        })
    }
}

#[derive(Deserialize)]
struct PlaceRow {
    name: String,
    region_type: RegionType,
    subtype: Option<Subtype>,
    state: RegionState,
    parent: String,
    country: Country,
    locality: String,
    lat: String,
    lng: String,
    redirect: Option<String>,
}

impl TryFrom<PlaceRow> for Place {
    type Error = FactsError;

    fn try_from(row: PlaceRow) -> Result<Self, FactsError> {
        Ok(Self {
            centre: point("places.csv", &row.lat, &row.lng)?,
            name: row.name,
            region_type: row.region_type,
            subtype: row.subtype,
            state: row.state,
            parent: row.parent,
            country: row.country,
            locality: row.locality,
            redirect: row.redirect,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::homes::metres;

    #[test]
    fn the_popular_cities_are_the_fifty_of_the_specification() {
        let facts = Facts::load().unwrap();
        let of = |country| facts.cities.iter().filter(|city| city.country == country).count();
        let counts = [
            Country::Uk,
            Country::Australia,
            Country::Ireland,
            Country::Us,
            Country::Canada,
            Country::Germany,
            Country::Spain,
        ]
        .map(of);
        assert_eq!(counts, [19, 8, 2, 14, 3, 3, 1]);
    }

    #[test]
    fn every_city_has_areas_and_a_university() {
        let facts = Facts::load().unwrap();
        assert!(facts.universities.len() >= 400);
        for city in &facts.cities {
            assert!(
                facts.areas.iter().any(|area| area.city == city.canonical_name),
                "{}",
                city.name
            );
            assert!(
                facts
                    .universities
                    .iter()
                    .any(|university| university.city == city.canonical_name),
                "{}",
                city.name
            );
        }
    }

    #[test]
    fn every_country_with_cities_has_words_for_names_and_streets() {
        let facts = Facts::load().unwrap();
        for city in &facts.cities {
            for kind in [WordKind::Street, WordKind::First, WordKind::House] {
                assert!(
                    !facts.words(city.country, kind).is_empty(),
                    "{:?} {kind:?}",
                    city.country
                );
            }
        }
    }

    /// Nearer than this, two points are one point written twice.
    const SAME_PLACE_METRES: f64 = 20.0;

    #[test]
    fn every_university_stands_at_a_point_of_its_own_near_its_city() {
        let facts = Facts::load().unwrap();
        assert!(facts.universities.len() >= 400, "{}", facts.universities.len());
        for (place, university) in facts.universities.iter().enumerate() {
            let twin = facts.universities.iter().skip(place + 1);
            for other in twin {
                let apart = metres(university.centre, other.centre);
                assert!(
                    apart > SAME_PLACE_METRES,
                    "{} and {}",
                    university.name,
                    other.name
                );
            }
            for city in &facts.cities {
                let apart = metres(university.centre, city.centre);
                assert!(
                    apart > SAME_PLACE_METRES,
                    "{} at the middle of {}",
                    university.name,
                    city.name
                );
                if city.canonical_name == university.city {
                    assert!(
                        apart < 45_000.0,
                        "{} is {apart:.0} m from {}",
                        university.name,
                        city.name
                    );
                }
            }
        }
    }
}
