//! Places as the pack's records say them: a line for each, a line for each of its names behind it. Areas and universities follow their
//! city; a line `-` ends a city's list.

use std::ops::Range;

use domain::language::Language;
use domain::place::{Coordinates, slug};

use crate::key::fold;

/// A name of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// `en`, `zh-Hans`, …; `und` for any.
    pub language: String,
    pub form: Form,
    pub text: String,
}

/// Form of a name of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Official,
    /// In the language that is spoken there.
    Endonym,
    Abbreviation,
    Former,
    Common,
    /// A postcode, or the first half of one, whose homes lie in the place.
    Postcode,
}

impl Form {
    /// Reads the word of the column `form`.
    pub fn from_key(key: &str) -> Option<Self> {
        Some(match key {
            "official" => Self::Official,
            "endonym" => Self::Endonym,
            "abbreviation" => Self::Abbreviation,
            "former" => Self::Former,
            "common" => Self::Common,
            "postcode" => Self::Postcode,
            _ => return None,
        })
    }
}

/// Facts of a place below a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it is registered: `geonames:2640729`, `ror:052gg0110`, `state:GB-ENG`; `own:…` for what has no register.
    pub id: String,
    /// ISO code of its country, `GB`.
    pub country: String,
    pub name: String,
    /// Its address; no other place has it.
    pub canonical_name: String,
    /// Its own centre or campus, or that of its town where nothing nearer is known.
    pub centre: Coordinates,
    /// Other names, without the one that it is listed by.
    pub names: Vec<Name>,
    /// The city that it lies in or near, by id; none for states and cities.
    pub city: Option<String>,
    pub kind: Kind,
}

/// Facts of one kind of place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    State {
        code: String,
    },
    City {
        /// The code of its state; empty where it is in none.
        state: String,
        population: u64,
        /// IANA name.
        time_zone: String,
        /// The id of the city that it is a part of.
        part_of: Option<String>,
    },
    Area,
    University {
        /// Its town, where that is not its city.
        town: Option<String>,
        /// Whether its point is the campus and not the middle of its town.
        is_on_campus: bool,
        is_college: bool,
        domain: Option<String>,
    },
}

impl Place {
    /// The name in a language of the product, else the one it is listed by.
    pub fn name_in(&self, language: &str) -> &str {
        self.official_in(language).unwrap_or(&self.name)
    }

    /// Its official name in the language of that code, where that is known.
    pub(crate) fn official_in(&self, language: &str) -> Option<&str> {
        official_in(&self.names, Language::from_code(language)?)
    }

    /// Whether that is one of its names, however it is written.
    pub fn is_called(&self, name: &str) -> bool {
        let wanted = fold(name);
        let others = self.names.iter().filter(|name| name.form != Form::Postcode);
        let mut names = std::iter::once(&self.name).chain(others.map(|name| &name.text));
        names.any(|name| fold(name) == wanted)
    }

    pub const fn is_city(&self) -> bool {
        matches!(self.kind, Kind::City { .. })
    }

    pub const fn is_university(&self) -> bool {
        matches!(self.kind, Kind::University { .. })
    }
}

/// The official name of that language among `names`.
pub(crate) fn official_in(names: &[Name], language: Language) -> Option<&str> {
    let mut official = names.iter().filter(|name| name.form == Form::Official);
    official
        .find(|name| Language::written_as(&name.language) == Some(language))
        .map(|name| name.text.as_str())
}

/// One record of a country's block by its number, and the city that it follows; no other record is made a place.
pub(crate) fn read_record(country: &str, text: &str, number: usize) -> Option<(Place, Option<Place>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut starts = (0..lines.len()).filter(|at| is_record(lines[*at]));
    let own = record_lines(&lines, starts.nth(number)?);
    let before = own.start;
    let host = lines[..before]
        .iter()
        .rposition(|line| line.starts_with("C\t") || *line == "-")
        .filter(|at| lines[*at] != "-" && !lines[before].starts_with("C\t"));
    let host = host.map(|at| record_lines(&lines, at));
    let wanted = host.into_iter().flatten().chain(own).map(|at| lines[at]);
    let mut places = read_places(country, wanted);
    let place = places.pop()?;
    Some((place, places.pop()))
}

/// Places have a letter before their first tab, names a small one.
fn is_record(line: &str) -> bool {
    line.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// The line of a record with those of its names behind it.
fn record_lines(lines: &[&str], start: usize) -> Range<usize> {
    let names = lines[start + 1..]
        .iter()
        .take_while(|line| line.starts_with("n\t"));
    start..start + 1 + names.count()
}

/// The states of a country from the lines of its first block, which begins with them.
pub(crate) fn read_states(country: &str, text: &str) -> Vec<Place> {
    let lines = text.lines();
    read_places(
        country,
        lines.take_while(|line| line.starts_with("S\t") || line.starts_with("n\t")),
    )
}

/// The records of these lines, in their order.
pub(crate) fn read_places<'l>(country: &str, lines: impl Iterator<Item = &'l str>) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut city: Option<Host> = None;
    for line in lines {
        let mut fields = line.split('\t');
        match fields.next() {
            Some("n") => {
                if let Some(place) = places.last_mut() {
                    place.names.extend(read_name(fields));
                }
            }
            Some("-") => city = None,
            Some(kind) => {
                let Some(place) = read_place(kind, country, fields, city.as_ref()) else {
                    continue;
                };
                if place.is_city() {
                    city = Some(Host {
                        id: place.id.clone(),
                        centre: place.centre,
                    });
                }
                places.push(place);
            }
            None => {}
        }
    }
    places
}

/// The city whose areas and universities are being read.
struct Host {
    id: String,
    centre: Coordinates,
}

/// Reads language, form and text of a name.
pub(crate) fn read_name<'f>(mut fields: impl Iterator<Item = &'f str>) -> Option<Name> {
    Some(Name {
        language: fields.next()?.to_owned(),
        form: Form::from_key(fields.next()?)?,
        text: fields.next()?.to_owned(),
    })
}

/// The whole canonical name from what the pack keeps of it: nothing where it follows from the name, else what it has beyond that.
pub(crate) fn whole_canonical(name: &str, kept: &str) -> String {
    if kept.is_empty() || kept.starts_with('-') {
        format!("{}{kept}", slug(name))
    } else {
        kept.to_owned()
    }
}

fn read_place<'f>(
    kind: &str,
    country: &str,
    mut fields: impl Iterator<Item = &'f str>,
    city: Option<&Host>,
) -> Option<Place> {
    let (id, name) = (fields.next()?, fields.next()?);
    // Fields at the end that are empty are not written: a university may have nothing behind its name.
    let canonical_name = whole_canonical(name, fields.next().unwrap_or_default());
    let mut next = || fields.next().unwrap_or_default();
    let (id, centre, kind) = match kind {
        "S" => {
            let centre = point(next(), next())?;
            (
                format!("state:{country}-{id}"),
                centre,
                Kind::State { code: id.to_owned() },
            )
        }
        "C" => {
            let state = next().to_owned();
            let centre = point(next(), next())?;
            let kind = Kind::City {
                state,
                population: next().parse().ok()?,
                time_zone: next().to_owned(),
                part_of: given(next()).map(|id| format!("geonames:{id}")),
            };
            (format!("geonames:{id}"), centre, kind)
        }
        "A" => (
            format!("own:{canonical_name}"),
            point(next(), next())?,
            Kind::Area,
        ),
        "U" => {
            let town = given(next()).map(str::to_owned);
            let own = point(next(), next());
            let kind = Kind::University {
                town,
                is_on_campus: next() == "c",
                is_college: next() == "c",
                domain: given(next()).map(str::to_owned),
            };
            let id = if id.starts_with("own:") {
                id.to_owned()
            } else {
                format!("ror:{id}")
            };
            (id, own.or(city.map(|city| city.centre))?, kind)
        }
        _ => return None,
    };
    let city = match kind {
        Kind::Area | Kind::University { .. } => city.map(|city| city.id.clone()),
        Kind::State { .. } | Kind::City { .. } => None,
    };
    Some(Place {
        id,
        country: country.to_owned(),
        name: name.to_owned(),
        canonical_name,
        centre,
        names: Vec::new(),
        city,
        kind,
    })
}

/// A field that is not empty.
pub(crate) fn given(field: &str) -> Option<&str> {
    Some(field).filter(|field| !field.is_empty())
}

pub(crate) fn point(lat: &str, lng: &str) -> Option<Coordinates> {
    let (lat, lng) = (Coordinates::parse_degrees(lat)?, Coordinates::parse_degrees(lng)?);
    Some(Coordinates::new(lat, lng))
}
