//! The 200 homes of an operator without the demo, as CSV, JSON and XML: what a student sees of each column on page, card, search and in
//! structured data, and what the next feed may change.

use std::fmt::Write as _;

use reqwest::{Client, StatusCode};
use serde_json::{Map, Value, json};
use tests::Server;

use crate::market::until;
use crate::stock_by_nights::{booked, find_buyer, left_becomes};
use crate::visitor::Visitor;

const HOMES: u32 = 200;
const MOVE_IN: &str = "2027-09-11";
const FACILITIES: &str = "Gym|Lift";
const PROVIDER: &str = "Harbour Lets";

/// A city with an area of it, and a point there in millionths of a degree.
const CITIES: [(&str, &str, i32, i32); 3] = [
    ("Leeds", "Headingley", 53_819_000, -1_580_000),
    ("Manchester", "Fallowfield", 53_443_000, -2_219_000),
    ("Bristol", "Redcliffe", 51_450_000, -2_590_000),
];
const NAMES: [&str; 4] = ["Harbour Yard", "Queen House", "Alder Court", "Mill House"];
/// The feed's word for a room, and the name of its kind where it has one.
const KINDS: [(&str, Option<&str>); 4] = [
    ("Ensuite Room", Some("Ensuite Room")),
    ("Studio", Some("Studio Room")),
    ("Entire home/apt", None),
    ("Private Room", None),
];

/// The operator's word about one home.
#[derive(Clone)]
struct Home {
    number: u32,
    price: u32,
    lat: String,
    lng: String,
}

impl Home {
    fn id(&self) -> String {
        format!("mh-{:04}", self.number)
    }

    fn pick<T: Copy, const N: usize>(&self, all: [T; N]) -> T {
        all[self.number as usize % N]
    }

    fn address(&self) -> String {
        let name = self.pick(NAMES).to_lowercase().replace(' ', "-");
        format!("{name}-{}-{}", self.number, self.id())
    }

    fn has_bills(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    fn needs_no_guarantor(&self) -> bool {
        self.number.is_multiple_of(5)
    }

    const fn rooms(&self) -> u32 {
        1 + self.number % 12
    }

    const fn deposit(&self) -> u32 {
        150 + 10 * (self.number % 7)
    }

    fn text(&self) -> String {
        format!(
            "House {} stands in a quiet street. The desk is open from 8 to 20.",
            self.number
        )
    }

    /// A row for each of its two leases; what is not said is empty.
    fn rows(&self) -> [Vec<(&'static str, String)>; 2] {
        let (city, area, ..) = self.pick(CITIES);
        let (kind, _) = self.pick(KINDS);
        let flag = |is_said: bool, words: &str| if is_said { words.to_owned() } else { String::new() };
        [("44 weeks", self.price), ("51 weeks", self.price - 5)].map(|(length, price)| {
            vec![
                ("property_id", self.id()),
                ("name", format!("{} {}", self.pick(NAMES), self.number)),
                ("country", "GB".to_owned()),
                ("city", city.to_owned()),
                ("area", area.to_owned()),
                ("address", format!("{} Park Lane", self.number)),
                ("lat", self.lat.clone()),
                ("lng", self.lng.clone()),
                ("provider", PROVIDER.to_owned()),
                ("description", self.text()),
                ("facilities", FACILITIES.to_owned()),
                ("bills", flag(self.has_bills(), "all included")),
                ("guarantor", flag(self.needs_no_guarantor(), "not required")),
                ("room_id", "r-1".to_owned()),
                ("room_name", "Classic".to_owned()),
                ("room_type", kind.to_owned()),
                ("room_bedrooms", flag(kind == "Entire home/apt", "2")),
                ("rooms_total", self.rooms().to_string()),
                ("price", price.to_string()),
                ("currency", "GBP".to_owned()),
                ("price_per", "week".to_owned()),
                ("move_in", MOVE_IN.to_owned()),
                ("length", length.to_owned()),
                ("deposit", self.deposit().to_string()),
                ("rooms_left", self.rooms().to_string()),
            ]
        })
    }
}

/// The homes, always the same ones.
fn make_homes() -> Vec<Home> {
    let mut seed = 2_463_534_242_u32;
    let mut draw = |most: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed % most
    };
    let degrees = |middle: i32, off: u32| format!("{:.5}", f64::from(middle + off.cast_signed()) / 1e6);
    let make = |number: u32| {
        let (_, _, lat, lng) = CITIES[number as usize % CITIES.len()];
        Home {
            number,
            price: 120 + draw(100),
            lat: degrees(lat, draw(8_000)),
            lng: degrees(lng, draw(8_000)),
        }
    };
    (1..=HOMES).map(make).collect()
}

fn write_csv(homes: &[Home]) -> String {
    let rows: Vec<_> = homes.iter().flat_map(Home::rows).collect();
    let names: Vec<&str> = rows[0].iter().map(|(name, _)| *name).collect();
    let mut text = names.join(",");
    for row in &rows {
        let cells: Vec<&str> = row.iter().map(|(_, cell)| cell.as_str()).collect();
        write!(text, "\n{}", cells.join(",")).unwrap();
    }
    text
}

fn write_json(homes: &[Home]) -> String {
    let row = |cells: Vec<(&str, String)>| {
        let said = cells.into_iter().filter(|(_, cell)| !cell.is_empty());
        said.map(|(name, cell)| (name.to_owned(), json!(cell)))
            .collect::<Map<String, Value>>()
    };
    let rows: Vec<_> = homes.iter().flat_map(Home::rows).map(row).collect();
    json!({ "homes": rows }).to_string()
}

fn write_xml(homes: &[Home]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<homes>\n".to_owned();
    for row in homes.iter().flat_map(Home::rows) {
        text.push_str("<home>");
        for (name, cell) in row.iter().filter(|(_, cell)| !cell.is_empty()) {
            write!(text, "<{name}>{cell}</{name}>").unwrap();
        }
        text.push_str("</home>\n");
    }
    text + "</homes>\n"
}

/// Imports a file of that name; gives what was said.
fn import(server: &Server, name: &str, text: String, options: &[&str]) -> String {
    let [feed, report] = [name, "report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, text).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    let usual = ["import", feed, "--feed", "operator", "--report", report];
    server.run(&[&usual[..], options].concat())
}

async fn data(visitor: &Visitor<'_>, path: &str) -> Value {
    visitor.get(path).await.body["data"].clone()
}

/// The page says everything that the feed says of it, and nothing else.
fn check_page(home: &Home, page: &Value) {
    let number = home.number;
    assert!(
        page["description"].as_str().unwrap().contains(&home.text()),
        "{number}: {page}"
    );
    let keys: Vec<&Value> = page["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| &feature["key"])
        .collect();
    let is_there = |key: &str| keys.iter().any(|known| **known == key);
    assert!(is_there("gym") && is_there("lift"), "{number}: {keys:?}");
    assert_eq!(is_there("all_bills"), home.has_bills(), "{number}: {keys:?}");
    let titles: Vec<&str> = page["facts"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|fact| fact["title"].as_str())
        .collect();
    assert_eq!(
        titles.contains(&"All bills included"),
        home.has_bills(),
        "{number}: {titles:?}"
    );
    assert!(
        !titles.contains(&"Some bills not included"),
        "{number}: {titles:?}"
    );
    assert!(titles.contains(&"Let by Harbour Lets"), "{number}: {titles:?}");
    for (side, said) in [("lat", &home.lat), ("lng", &home.lng)] {
        assert_eq!(page[side].as_f64(), said.parse().ok(), "{number}: {side}");
    }
    let rooms = page["room_types"].as_array().unwrap();
    assert_eq!(rooms.len(), 1, "{number}: one card of a room with its leases");
    assert_eq!(rooms[0]["options"].as_array().unwrap().len(), 2, "{number}");
    assert_eq!(rooms[0]["rooms_left"], home.rooms(), "{number}");
    if let (_, Some(kind)) = home.pick(KINDS) {
        assert_eq!(rooms[0]["configuration"], kind, "{number}");
    } else {
        assert_ne!(rooms[0]["configuration"], "Studio Room", "{number}");
    }
    let due = &page["payment_summary"][0];
    assert_eq!(
        (&due["amount"]["amount_minor"], &due["is_default"]),
        (&json!(home.deposit() * 100), &json!(false))
    );
    assert_eq!(page["reviews"]["rating"], Value::Null, "{number}");
}

/// Structured data and the wire say the same of it.
async fn check_wire(server: &Server, visitor: &Visitor<'_>, home: &Home) {
    let wire = data(visitor, &format!("/api/v0/inventories/{}", home.address())).await;
    let (_, area, ..) = home.pick(CITIES);
    assert_eq!(wire["location"]["district"]["long_name"], area, "{wire}");
    assert_eq!(
        wire["meta"]["deposit"].as_f64(),
        Some(f64::from(home.deposit())),
        "{wire}"
    );
    let guarantor = if home.needs_no_guarantor() {
        json!("false")
    } else {
        Value::Null
    };
    assert_eq!(wire["meta"]["guarantor"], guarantor, "{wire}");
    let html = Client::new()
        .get(server.url(&format!("/places/{}", home.address())))
        .send()
        .await
        .unwrap();
    let html = html.text().await.unwrap();
    let json_ld: String = html
        .split("<script")
        .filter(|part| part.contains("application/ld+json"))
        .filter_map(|part| part.split("</script>").next())
        .collect();
    assert!(
        json_ld.contains("GeoCoordinates") && json_ld.contains("Park Lane"),
        "{json_ld}"
    );
    for invented in ["aggregateRating", "\"image\""] {
        assert!(!json_ld.contains(invented), "{invented}: {json_ld}");
    }
}

/// Homes that a search of Leeds finds, once there are so many.
async fn find_in_leeds(visitor: &Visitor<'_>, count: usize) -> Value {
    let search = "/api/v1/inventories?region_canonical_name=leeds&facets=true&limit=100";
    until(|| async {
        let found = data(visitor, search).await;
        (found["meta"]["count"] == count).then_some(found)
    })
    .await
}

fn of_facet(found: &Value, facet: &str, value: &str) -> Value {
    let values = found["facets"][facet].as_array().unwrap();
    values
        .iter()
        .find(|counted| counted["value"] == value)
        .map_or(json!(0), |counted| counted["count"].clone())
}

#[tokio::test]
async fn student_sees_what_the_operator_says_of_200_homes() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let homes = make_homes();
    let said = import(&server, "homes.csv", write_csv(&homes), &[]);
    assert!(said.contains("200 added"), "{said}");
    // The same homes in another form are the same homes.
    for (name, text) in [
        ("homes.json", write_json(&homes)),
        ("homes.xml", write_xml(&homes)),
    ] {
        let said = import(&server, name, text, &[]);
        assert!(
            said.contains("0 added, 0 changed, 200 unchanged, 0 rejected"),
            "{name}: {said}"
        );
    }
    let visitor = Visitor::new(&server);
    let in_leeds: Vec<&Home> = homes
        .iter()
        .filter(|home| home.number.is_multiple_of(3))
        .collect();
    let found = find_in_leeds(&visitor, in_leeds.len()).await;
    let said = in_leeds.iter().filter(|home| home.needs_no_guarantor()).count();
    assert_eq!(of_facet(&found, "guarantor", "false"), said);
    assert_eq!(of_facet(&found, "guarantor", "not_said"), in_leeds.len() - said);
    let cards = found["result"].as_array().unwrap();
    for home in in_leeds
        .iter()
        .filter(|home| [6, 9, 12, 15].contains(&home.number))
    {
        let path = format!("/_page?url=/places/{}", home.address());
        let page = until(|| async {
            let page = data(&visitor, &path).await["data"].clone();
            page["room_types"].is_array().then_some(page)
        })
        .await;
        check_page(home, &page);
        check_wire(&server, &visitor, home).await;
        let card = cards
            .iter()
            .find(|card| card["canonical_name"] == home.address())
            .unwrap();
        assert_eq!(card["price"]["amount_minor"], (home.price - 5) * 100, "{card}");
        assert_eq!(card["rooms_left"], home.rooms(), "{card}");
    }
    let city = data(&visitor, "/_page?url=/places/search/leeds").await["data"].clone();
    let centre = [&city["center"]["lat"], &city["center"]["lng"]];
    assert_eq!(centre, [53.796_48, -1.547_85], "the city's own, not a home's");
    let universities = city["universities"].as_array().unwrap();
    let is_wanted = |place: &Value| place["canonical_name"] == "university-of-leeds";
    assert!(universities.iter().any(is_wanted), "{universities:?}");
    next_feed_changes_what_it_may(&server, &visitor, homes).await;
}

/// Books the one room of home 12; the next feed raises a price, leaves eleven homes out and says that all rooms are free.
async fn next_feed_changes_what_it_may(server: &Server, visitor: &Visitor<'_>, mut homes: Vec<Home>) {
    let [taken, dearer, gone] = [12, 6, 195].map(|number: usize| homes[number - 1].clone());
    let rooms = data(
        visitor,
        &format!("/api/v0/inventories/{}/room_types", taken.address()),
    )
    .await;
    let room = rooms["result"][0]["id"].as_str().unwrap().to_owned();
    let ada = find_buyer(server, &room, "ada", "+44+7900000001");
    assert_eq!(booked(&ada, (MOVE_IN, "44 weeks")).await, "success");
    left_becomes(server, &taken.address(), json!([0, [0, 0]])).await;
    homes.truncate(189);
    homes[5].price = 250;
    let said = import(server, "next.csv", write_csv(&homes), &["--missing", "withdraw"]);
    assert!(
        said.contains("0 added, 1 changed, 188 unchanged, 0 rejected"),
        "{said}"
    );
    let path = format!("/_page?url=/places/{}", dearer.address());
    until(|| async {
        let page = data(visitor, &path).await["data"].clone();
        (page["price"]["amount_minor"] == 24_500).then_some(())
    })
    .await;
    find_in_leeds(visitor, 63).await;
    // Pages hear of it apart from the search.
    let closed = server.url(&format!("/places/{}", gone.address()));
    until(|| async {
        let status = reqwest::get(&closed).await.unwrap().status();
        (status == StatusCode::GONE).then_some(())
    })
    .await;
    left_becomes(server, &taken.address(), json!([0, [0, 0]])).await;
    let ben = find_buyer(server, &room, "ben", "+44+7900000002");
    assert_eq!(booked(&ben, (MOVE_IN, "51 weeks")).await, "sold_out");
}
