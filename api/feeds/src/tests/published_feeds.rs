//! Every feed of tests/feeds is read with its map, and its homes are what its `.expect.json` says that a student must see.

use std::path::PathBuf;

use serde_json::Value;

use super::compare::compare_home;
use super::{find_taken, read_text};
use crate::{Entry, Outcome};

/// Feed, its expectations, its map.
const FEEDS: [(&str, &str, &str); 11] = [
    ("01-sturents.json", "01-sturents", "sturents"),
    ("02-housinganywhere.json", "02-housinganywhere", "housinganywhere"),
    ("03-inside-airbnb.csv", "03-inside-airbnb", "inside-airbnb"),
    ("04-kyero.xml", "04-kyero", "kyero"),
    ("05-rightmove-rtdf.json", "05-rightmove-rtdf", "rightmove"),
    ("06-zillow-hotpads.xml", "06-zillow-hotpads", "hotpads"),
    ("07-schema-org.json", "07-schema-org", "schema-org"),
    ("08-sheet-de.csv", "08-sheet-de", "sheet-de"),
    ("09-trovit.xml", "09-trovit", "trovit"),
    ("10-flat-rows.csv", "10-flat-rows", ""),
    ("11-nested-rooms.json", "11-nested-rooms", "nested-rooms"),
];
/// Lines that a map may have.
const MAP_LINES: usize = 20;

fn open(folder: &str, name: &str) -> Vec<u8> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(folder).join(name)).unwrap()
}

fn read_map(name: &str) -> String {
    if name.is_empty() {
        return "feed = \"flat-rows\"".to_owned();
    }
    let map = String::from_utf8(open("docs/import", &format!("{name}.toml"))).unwrap();
    let lines = map
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    assert!(
        lines.count() <= MAP_LINES,
        "{name}.toml has more than {MAP_LINES} lines"
    );
    map
}

#[test]
fn published_feeds_become_the_homes_of_their_expectations() {
    let mut mismatches = Vec::new();
    for (feed, expected, map) in FEEDS {
        let read = read_text(open("tests/feeds", feed), &read_map(map));
        let (entries, summary) = read.unwrap_or_else(|error| panic!("{feed}: {error}"));
        let expected = open("tests/feeds", &format!("{expected}.expect.json"));
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let mut note = |what: String| mismatches.push(format!("{feed}: {what}"));
        if expected["records"] != summary.records {
            note(format!(
                "{} records, expected {}",
                summary.records, expected["records"]
            ));
        }
        let lawful = &expected["homes_taken"];
        let is_lawful = |count: &Value| *count == summary.taken;
        if !lawful
            .as_array()
            .map_or_else(|| is_lawful(lawful), |counts| counts.iter().any(is_lawful))
        {
            note(format!("{} homes taken, expected {lawful}", summary.taken));
        }
        for home in expected["homes"].as_array().unwrap() {
            let id = home["id"].as_str().unwrap();
            match find_taken(&entries, id) {
                Some(taken) => compare_home(home, taken).into_iter().for_each(&mut note),
                None if home["uncertain"] == true => {}
                None => note(format!("{id} is not taken: {:?}", find_faults(&entries, id))),
            }
        }
        for bad in expected["bad"].as_array().unwrap() {
            check_bad(bad, &entries).into_iter().for_each(&mut note);
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

fn find_faults<'e>(entries: &'e [Entry], id: &str) -> Vec<&'e str> {
    let of_id = entries.iter().filter(|entry| entry.id == id);
    of_id
        .flat_map(|entry| &entry.faults)
        .map(|fault| fault.reason.as_str())
        .collect()
}

/// A bad row is named in a fault, or left out; a rejected one is no home. Rows without an id of their own are not looked for.
fn check_bad(bad: &Value, entries: &[Entry]) -> Option<String> {
    let (place, verdict) = (bad["where"].as_str()?, bad["verdict"].as_str()?);
    let words: Vec<&str> = place.split([' ', ',']).collect();
    // The longest id that the place begins with: `QF-2-A-2` is a lease of `QF-2`.
    let id = entries
        .iter()
        .map(|entry| entry.id.as_str())
        .filter(|id| !id.is_empty() && words[0].starts_with(id))
        .max_by_key(|id| id.len())?;
    let own: Vec<&Entry> = entries.iter().filter(|entry| entry.id == id).collect();
    let is_said = own
        .iter()
        .any(|entry| !entry.faults.is_empty() || !matches!(entry.outcome, Outcome::Taken(_)));
    // What the feed says well is taken without a word.
    let is_plain = verdict == "taken" || verdict.contains("not bookable") || verdict.contains("not shown");
    let is_certain = bad["uncertain"] != true;
    if is_certain && !is_said && !is_plain {
        return Some(format!("{place}: nothing is said, expected {verdict}"));
    }
    let is_whole = words.len() == 1 && words[0] == id;
    let is_taken = own.iter().any(|entry| matches!(entry.outcome, Outcome::Taken(_)));
    (is_certain && is_whole && verdict == "rejected" && is_taken && own.len() == 1)
        .then(|| format!("{place} is taken, expected {verdict}"))
}

/// Ids of thirty digits are JSON numbers that differ in the last digit alone.
#[test]
fn published_feeds_keep_long_ids_apart() {
    let (entries, _) = read_text(open("tests/feeds", "01-sturents.json"), &read_map("sturents")).unwrap();
    for id in ["100000000000000000000000000001", "100000000000000000000000000002"] {
        assert!(find_taken(&entries, id).is_some(), "{id}");
    }
}

/// Scripts and tags of titles are in no text of any home.
#[test]
fn published_feeds_leave_no_markup_in_names() {
    for (feed, _, map) in FEEDS {
        let (entries, _) = read_text(open("tests/feeds", feed), &read_map(map)).unwrap();
        for entry in &entries {
            let Outcome::Taken(home) = &entry.outcome else {
                continue;
            };
            let names = home
                .rooms
                .iter()
                .flat_map(|room| room.name.values())
                .chain(home.name.values());
            for text in names.chain(home.description.values()) {
                let is_plain = !text.contains("<script") && !text.contains("onerror") && !text.contains("</");
                assert!(is_plain, "{feed} {}: {text}", entry.id);
            }
        }
    }
}

/// Several places in the feeds ask for a fact that no map reads: the columns are listed once, with what they could be.
#[test]
fn unread_columns_are_listed_with_what_they_could_be() {
    let map = "feed = \"x\"\n[columns]\nproperty_id = \"listingReference\"\nname = \"alias\"\n";
    let (_, summary) = read_text(open("tests/feeds", "02-housinganywhere.json"), map).unwrap();
    let could_be = |column: &str| {
        let unused = summary.unused.iter().find(|unused| unused.column == column);
        unused.map(|unused| unused.could_be)
    };
    assert_eq!(could_be("flatPrice"), Some(Some("price")));
    assert_eq!(could_be("bedroomCount"), Some(Some("bedrooms")));
    assert_eq!(could_be("currentOccupancy"), Some(None));
    assert_eq!(could_be("alias"), None);
}
