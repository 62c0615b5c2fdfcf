//! The eleven feeds of tests/feeds with the maps of docs/import, and what bad input gets.

use chrono::NaiveDate;
use domain::place::Coordinates;

use crate::{Atlas, Entry, FeedMap, Outcome, Stopped, Summary, Town, read_feed};

mod bad_input;
mod compare;
mod hostile;
mod published_feeds;

/// The day on which the feeds of tests/feeds are judged.
fn judged_on() -> NaiveDate {
    "2026-11-27".parse().unwrap()
}

/// Cities of the feeds by their names, as a catalogue of places knows them.
struct Towns;

/// Country, state, latitude and longitude in degrees, names: the first is the one.
const TOWNS: &[(&str, &str, f64, f64, &[&str])] = &[
    ("GB", "", 53.797, -1.543, &["Leeds"]),
    ("GB", "", 53.381, -1.470, &["Sheffield"]),
    ("GB", "", 52.953, -1.150, &["Nottingham"]),
    ("GB", "", 51.508, -0.126, &["London"]),
    ("GB", "", 53.481, -2.237, &["Manchester"]),
    ("GB", "", 52.407, -1.512, &["Coventry"]),
    ("GB", "", 51.480, -3.180, &["Cardiff"]),
    ("GB", "", 51.455, -2.597, &["Bristol"]),
    ("GB", "", 55.865, -4.258, &["Glasgow"]),
    ("NL", "", 51.922, 4.479, &["Rotterdam"]),
    ("NL", "", 52.091, 5.122, &["Utrecht"]),
    ("NL", "", 52.007, 4.356, &["Delft"]),
    ("PT", "", 38.717, -9.133, &["Lisbon", "Lisboa"]),
    ("ES", "", 39.470, -0.377, &["Valencia"]),
    ("ES", "", 37.178, -3.601, &["Granada"]),
    ("ES", "", 37.389, -5.984, &["Sevilla", "Seville"]),
    ("ES", "", 41.389, 2.159, &["Barcelona"]),
    ("US", "MA", 42.358, -71.060, &["Boston"]),
    ("US", "TX", 30.267, -97.743, &["Austin"]),
    ("IE", "", 53.333, -6.249, &["Dublin"]),
    ("IE", "", 53.272, -9.049, &["Galway"]),
    ("DE", "", 51.534, 9.932, &["Göttingen"]),
    ("DE", "", 51.340, 12.371, &["Leipzig"]),
    (
        "DE",
        "",
        47.996,
        7.850,
        &["Freiburg", "Freiburg i. Br.", "Freiburg im Breisgau"],
    ),
    ("DE", "", 52.524, 13.411, &["Berlin"]),
    ("IT", "", 44.494, 11.339, &["Bologna"]),
    ("IT", "", 45.464, 9.190, &["Milan", "Milano"]),
    ("AU", "", -34.929, 138.599, &["Adelaide"]),
];

impl Atlas for Towns {
    fn find_towns(&self, country: &str, name: &str) -> Vec<Town> {
        let known = TOWNS
            .iter()
            .filter(|(of, _, _, _, names)| *of == country && names.contains(&name));
        known
            .map(|(_, state, lat, lng, names)| Town {
                name: names[0].to_owned(),
                state: (!state.is_empty()).then(|| (*state).to_owned()),
                point: Coordinates::new(to_millionths(*lat), to_millionths(*lng)),
            })
            .collect()
    }
}

fn to_millionths(degrees: f64) -> i32 {
    Coordinates::parse_degrees(&format!("{degrees:.6}")).unwrap()
}

/// Reads a text with a map in TOML, as on the day of judgement.
fn read_text(text: impl Into<Vec<u8>>, map: &str) -> Result<(Vec<Entry>, Summary), String> {
    let source: Vec<u8> = text.into();
    let map = FeedMap::from_toml(map)?;
    let mut entries = Vec::new();
    let mut take = |entry: Entry| -> Result<(), Stopped> {
        entries.push(entry);
        Ok(())
    };
    let summary = read_feed(&source, &map, &Towns, judged_on(), &mut take)?;
    Ok((entries, summary))
}

/// The home of an id that was taken.
fn find_taken<'e>(entries: &'e [Entry], id: &str) -> Option<&'e crate::Home> {
    entries.iter().find_map(|entry| match &entry.outcome {
        Outcome::Taken(home) if entry.id == id => Some(&**home),
        _ => None,
    })
}
