//! The feeds of tests/feeds through the command, with the maps that ship in docs/import: served homes say what a student must see.

use std::path::PathBuf;

use domain::place::slug;
use reqwest::Client;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;

/// Feeds with their maps.
const FEEDS: [(&str, &str); 11] = [
    ("01-sturents.json", "sturents"),
    ("02-housinganywhere.json", "housinganywhere"),
    ("03-inside-airbnb.csv", "inside-airbnb"),
    ("04-kyero.xml", "kyero"),
    ("05-rightmove-rtdf.json", "rightmove"),
    ("06-zillow-hotpads.xml", "hotpads"),
    ("07-schema-org.json", "schema-org"),
    ("08-sheet-de.csv", "sheet-de"),
    ("09-trovit.xml", "trovit"),
    ("10-flat-rows.csv", ""),
    ("11-nested-rooms.json", "nested-rooms"),
];
/// Feeds whose expectations name some of the rooms of each home.
const SAMPLED: [&str; 1] = ["08-sheet-de.csv"];
/// The first day of which nothing is said here: days before it may be past.
const FROM: &str = "2027-07";
/// Homes that the house cannot list yet, by a sentence of the report.
const NOT_YET: [&str; 3] = [
    "no homes are let in",
    "no point is said",
    "the house takes no money in this currency",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Imports a feed; gives its report.
fn import(server: &Server, feed: &str, map: &str) -> String {
    let file = root().join("tests/feeds").join(feed);
    let report = server.beside("report.csv");
    let map = root().join(format!("docs/import/{map}.toml"));
    let has_map = map.exists();
    let [file, map, report] = [&file, &map, &report].map(|path| path.to_str().unwrap());
    let mut arguments = vec!["import", file, "--feed", feed, "--report", report];
    if has_map {
        arguments.extend(["--map", map]);
    }
    let said = server.run(&arguments);
    assert!(said.contains(" added"), "{feed}: {said}");
    std::fs::read_to_string(report).unwrap()
}

async fn asked(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(server.url(path)).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["data"].clone()
}

/// The addresses that a home may have: by its name in one of its languages, and its id.
fn list_addresses(expected: &Value) -> Vec<String> {
    let id = slug(expected["id"].as_str().unwrap());
    let names = ["name", "name_zh", "name_es"].map(|key| expected[key].as_str());
    let whole = names.into_iter().flatten();
    let short = whole.clone().filter_map(|name| name.split(',').next());
    whole
        .chain(short)
        .map(|name| format!("{}-{id}", slug(name)))
        .collect()
}

/// Lists the differences of a home's rooms from the expectation.
fn compare_rooms(expected: &Value, rooms: &[Value]) -> Vec<String> {
    let mut unlike = Vec::new();
    for room in list_shown(expected) {
        let name = room["name"].as_str().filter(|name| *name != "not said");
        let found = rooms
            .iter()
            .find(|found| name.is_none_or(|name| found["name"] == name));
        let Some(found) = found else {
            unlike.push(format!("no room is called {name:?}"));
            continue;
        };
        if room["kind"] == "not said" && found["configuration"] != Value::Null {
            unlike.push(format!("{name:?} is said to be {}", found["configuration"]));
        }
        if let Some(size) = room["size_m2"].as_u64().filter(|size| found["area_sqm"] != *size) {
            unlike.push(format!("{name:?} has {} m², expected {size}", found["area_sqm"]));
        }
        let options = found["options"].as_array().unwrap();
        for lease in room["leases"].as_array().unwrap() {
            if let Some(option) = write_option(lease)
                && !options.iter().any(|found| is_option(found, &option))
            {
                unlike.push(format!("{name:?} has no lease {option}: {options:?}"));
            }
        }
    }
    unlike
}

fn list_shown(expected: &Value) -> Vec<&Value> {
    let rooms = expected["rooms"].as_array().unwrap().iter();
    rooms.filter(|room| is_shown(room)).collect()
}

/// Whether a room has a lease that can be had, or one with a day and a length that is let already: another one has nothing to show.
fn is_shown(room: &Value) -> bool {
    let mut leases = room["leases"].as_array().unwrap().iter();
    leases.any(|lease| write_option(lease).is_some() || !is_let_out(lease))
}

fn is_let_out(lease: &Value) -> bool {
    lease["rooms_free"] == 0 || lease["bookable"] == false
}

/// A lease that can be booked as the API lists it: `44 weeks` from a day, for a price that is shown for its own period.
fn write_option(lease: &Value) -> Option<Value> {
    // A rent from–to is asked about.
    lease["price"].as_f64()?;
    let day = lease["move_in"].as_str()?.split(' ').next()?;
    let (count, unit) = lease["length"].as_str()?.split_once(' ')?;
    let count: u64 = count.parse().ok()?;
    let is_plain = day >= FROM && day.starts_with("20") && ["weeks", "months"].contains(&unit);
    is_plain.then(|| json!({ "move_in_date": day, "lease_duration": count, "lease_duration_unit": unit }))
}

fn is_option(found: &Value, wanted: &Value) -> bool {
    ["move_in_date", "lease_duration", "lease_duration_unit"]
        .iter()
        .all(|key| found[key] == wanted[key])
}

/// The lowest price in minor units, where all prices of the home are for one period of a kind that the house knows.
fn lowest_price(expected: &Value) -> Option<u64> {
    let rooms = expected["rooms"].as_array().unwrap().iter();
    let leases = rooms.flat_map(|room| room["leases"].as_array().unwrap());
    let mut lowest: Option<f64> = None;
    let mut periods: Vec<&str> = Vec::new();
    for lease in leases {
        // A room that is let out has no price to begin with.
        if is_let_out(lease) {
            return None;
        }
        let price = lease["price"].as_f64()?;
        lowest = Some(lowest.map_or(price, |lowest| lowest.min(price)));
        periods.push(lease["period"].as_str()?.split(' ').next()?);
    }
    let is_one = ["week", "month"]
        .iter()
        .any(|period| periods.iter().all(|said| said == period));
    let minor = lowest
        .filter(|_| is_one)
        .map(|price| format!("{:.0}", price * 100.0));
    minor?.parse().ok()
}

/// The lines of a report that say that outcome of a home; an id of digits stands there without quotes.
fn lines_of<'r>(report: &'r str, id: &str, outcome: &str) -> impl Iterator<Item = &'r str> {
    let outcome = format!("\"{outcome}\"");
    let starts = [format!("{id},{outcome}"), format!("\"{id}\",{outcome}")];
    report.lines().filter(move |line| {
        let told = line.split_once(',').map_or("", |(_, told)| told);
        starts.iter().any(|start| told.starts_with(start))
    })
}

#[tokio::test]
async fn published_feeds_are_served_as_a_student_must_see_them() {
    let server = Server::start();
    let mut unlike = Vec::new();
    for (feed, map) in FEEDS {
        let report = import(&server, feed, map);
        let stem = feed.split('.').next().unwrap();
        let expected = root().join(format!("tests/feeds/{stem}.expect.json"));
        let expected = std::fs::read_to_string(expected).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        for home in expected["homes"].as_array().unwrap() {
            let id = home["id"].as_str().unwrap();
            let mut told = lines_of(&report, id, "rejected");
            let is_hard = home["uncertain"] == true || home["name"].is_null();
            if is_hard || told.any(|line| NOT_YET.iter().any(|reason| line.contains(reason))) {
                continue;
            }
            assert!(
                lines_of(&report, id, "added").next().is_some(),
                "{feed}: {id}: {report}"
            );
            if home["name"]
                .as_str()
                .is_some_and(|name| name.contains("never") || name.contains(" or "))
            {
                continue;
            }
            let rooms = until(|| async {
                for address in list_addresses(home) {
                    let found = asked(&server, &format!("/api/v0/inventories/{address}/room_types")).await;
                    if let Some(rooms) = found["result"].as_array() {
                        return Some(rooms.clone());
                    }
                }
                None
            })
            .await;
            let found = compare_rooms(home, &rooms).into_iter();
            unlike.extend(found.map(|what| format!("{feed}: {id}: {what}")));
            if SAMPLED.contains(&feed) {
                continue;
            }
            if rooms.len() != list_shown(home).len() {
                unlike.push(format!("{feed}: {id}: {} rooms", rooms.len()));
            }
            let lowest = rooms
                .iter()
                .map(|room| room["from"]["amount_minor"].as_u64())
                .min()
                .flatten();
            if let Some(price) = lowest_price(home).filter(|price| lowest != Some(*price)) {
                unlike.push(format!("{feed}: {id}: from {lowest:?}, expected {price}"));
            }
        }
        // The same feed again has nothing to say.
        let again = import(&server, feed, map);
        let changed = again
            .lines()
            .find(|line| line.contains("\"changed\"") || line.contains("\"added\""));
        assert_eq!(changed, None, "{feed}");
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

/// Facts that a feed does not say are answered as not said, and those that it says are there.
#[tokio::test]
async fn nested_feed_says_terms_and_texts_in_its_languages() {
    let server = Server::start();
    import(&server, "11-nested-rooms.json", "nested-rooms");
    let path = "/api/v0/inventories/orrinshaw-yard-mq-0001?methods=meta_facts";
    let home = until(|| async { Some(asked(&server, path).await).filter(Value::is_object) }).await;
    assert_eq!(home["meta"]["guarantor_required"], json!("false"));
    let page = until(|| async {
        let page = asked(&server, "/_page?url=/places/orrinshaw-yard-mq-0001%3Flang=zh").await;
        page["data"]["room_types"].is_array().then_some(page)
    })
    .await;
    assert_eq!(page["data"]["room_types"][0]["name"], "铜级套间");
    let description = page["data"]["description"].as_str().unwrap();
    assert!(
        !description.is_empty() && !description.contains('<'),
        "{description}"
    );
}
