//! A home of which little is said: no page, answer, structured data or mail holds a trace of a fact that nobody said.

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::Client;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{log_of, sample, until};
use crate::visitor::{Visitor, enquiry};

/// A fact that a home may leave unsaid, and what answers hold where it is said.
struct Fact {
    /// Where it stands in a home's description.
    at: &'static str,
    said: Value,
    unsaid: Value,
    trace: &'static str,
}

/// A fact of a home, as JSON; `null` is unsaid unless `unsaid` is something else.
fn fact(at: &'static str, said: Value, trace: &'static str) -> Fact {
    let unsaid = match at {
        "/property/description" => json!({}),
        "/property/terms/deposit_minor" => json!(0),
        "/is_count_said" => json!(false),
        _ => Value::Null,
    };
    Fact {
        at,
        said,
        unsaid,
        trace,
    }
}

fn list_facts() -> Vec<Fact> {
    let student = json!("student_accommodation");
    let green = json!({ "en": "Green doors" });
    let counted = r#""lease_duration_unit":"weeks","rooms_left":4"#;
    vec![
        fact("/property/guarantor", json!("local"), r#""guarantor":"local""#),
        fact(
            "/property/kind",
            json!("university_hall"),
            r#""type":"university_hall""#,
        ),
        fact(
            "/property/unit_type",
            student,
            r#""unit_type":"student_accommodation""#,
        ),
        fact("/property/description", green, "Green doors"),
        fact(
            "/property/facts/bills_included",
            json!(true),
            "All bills included",
        ),
        fact(
            "/property/facts/opened_year",
            json!(1987),
            r#""opened_year":1987"#,
        ),
        fact("/property/facts/residents", json!(321), "321 places"),
        fact("/property/facts/floors", json!(17), r#""floors":17"#),
        fact("/property/facts/checked_on", json!("2026-03-02"), "2026-03-02"),
        fact(
            "/property/terms/deposit_minor",
            json!(43_700),
            r#""deposit":437.0"#,
        ),
        fact("/room/bed", json!("two_singles"), "two single beds"),
        fact("/room/area_sqm", json!(14), "14 m²"),
        fact("/room/kitchen_shared_by", json!(6), "kitchen shared by 6"),
        fact("/room/dual_occupancy", json!(true), "for one or two people"),
        fact("/room/attributes/bathroom", json!("private"), "private bathroom"),
        fact("/is_count_said", json!(true), counted),
    ]
}

/// Homes that leave one fact unsaid each, behind one that says them all and before one that says none.
struct Homes {
    server: Server,
    facts: Vec<Fact>,
}

impl Homes {
    async fn open() -> Self {
        let mut server = Server::start();
        server.kill();
        let homes = Self {
            facts: list_facts(),
            server,
        };
        for number in 0..homes.count() {
            homes.list(number).await;
        }
        let Self { mut server, facts } = homes;
        server.restart();
        Self { server, facts }
    }

    fn count(&self) -> usize {
        self.facts.len() + 2
    }

    /// Whether a home leaves a fact unsaid.
    fn omits(&self, home: usize, fact: usize) -> bool {
        home == fact + 1 || home == self.facts.len() + 1
    }

    /// Writes a home into the log as its provider would have.
    async fn list(&self, number: usize) {
        let mut home = json!({
            "property": sample("PropertyListed")["property"],
            "room": sample("RoomListed")["room"],
            "is_count_said": true,
        });
        for (place, fact) in self.facts.iter().enumerate() {
            let value = if self.omits(number, place) {
                &fact.unsaid
            } else {
                &fact.said
            };
            let (parent, key) = fact.at.rsplit_once('/').unwrap();
            home.pointer_mut(parent).unwrap()[key] = value.clone();
        }
        if number == self.facts.len() + 1 {
            home["room"]["bedrooms"] = Value::Null;
            home["room"]["bathrooms"] = Value::Null;
        }
        home["property"]["canonical_name"] = json!(name_of(number));
        home["room"]["canonical_name"] = json!(format!("{}-room", name_of(number)));
        home["room"]["id"] = json!(id_of(number, 2));
        let leases = sample("RoomPriced")["leases"].clone();
        let adopt = InventoryCommand::Adopt {
            property: serde_json::from_value(home["property"].take()).unwrap(),
            rooms: vec![(
                serde_json::from_value(home["room"].take()).unwrap(),
                RoomOffer {
                    rooms: None,
                    is_count_said: home["is_count_said"] == true,
                    leases: serde_json::from_value::<Vec<LeaseOption>>(leases).unwrap(),
                },
            )],
        };
        let log = log_of(&self.server).await;
        let id = InventoryId(id_of(number, 1).parse().unwrap());
        let context = Context::new("2026-11-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
        for command in [
            adopt,
            InventoryCommand::SubmitForReview,
            InventoryCommand::Activate,
        ] {
            commit::<Inventory>(&log, id, command, &context).await.unwrap();
        }
    }

    async fn text(&self, path: &str) -> String {
        let answer = Client::new().get(self.server.url(path)).send().await.unwrap();
        answer.text().await.unwrap()
    }

    /// Searches; gives the `data` of the answer.
    async fn found(&self, query: &str) -> Value {
        let text = self.text(&format!("/api/v1/inventories?{query}")).await;
        serde_json::from_str::<Value>(&text).unwrap()["data"].clone()
    }

    async fn count_of(&self, query: &str) -> u64 {
        let found = self.found(&format!("{query}&limit=1")).await;
        found["meta"]["count"].as_u64().unwrap()
    }

    /// Every answer about a home: its page and the page's data, both endpoints.
    async fn served(&self, number: usize) -> String {
        let name = name_of(number);
        let methods = "meta_facts,meta_community_facts,active_children,feature_tags,children_short";
        let mut all = Vec::new();
        for path in [
            format!("/places/{name}"),
            format!("/_page?url=/places/{name}"),
            format!("/api/v0/inventories/{name}?methods={methods}"),
        ] {
            all.push(self.text(&path).await);
        }
        let found = self.found("limit=50").await;
        let cards = found["result"].as_array().unwrap().iter();
        let own: Vec<&Value> = cards.filter(|card| card["canonical_name"] == name).collect();
        assert_eq!(own.len(), 1, "{name}");
        all.push(own[0].to_string());
        all.join("\n")
    }
}

fn name_of(number: usize) -> String {
    format!("quill-court-{number}")
}

fn id_of(number: usize, part: usize) -> String {
    format!("0193a000-0000-7000-8000-{:012}", number * 2 + part)
}

/// Each fact is said where its home says it, and nowhere else.
#[tokio::test]
async fn unsaid_facts_leave_no_trace_in_any_answer() {
    let homes = Homes::open().await;
    let all = homes.count() as u64;
    until(|| async { (homes.count_of("name=bloomsbury").await == all).then_some(()) }).await;
    for number in 0..homes.count() {
        let served = homes.served(number).await;
        for (place, fact) in homes.facts.iter().enumerate() {
            let is_said = !homes.omits(number, place);
            assert_eq!(
                served.contains(fact.trace),
                is_said,
                "{} of {}: {served}",
                fact.trace,
                name_of(number)
            );
        }
    }
    // Which bills are included is said by features alone, and a hall is no complex of flats.
    let hall = homes.served(0).await;
    for promised in ["heating, water", "ApartmentComplex"] {
        assert!(!hall.contains(promised), "{promised}: {hall}");
    }
    let silent = homes.served(homes.count() - 1).await;
    for promised in ["og:image", "\"image\":[", "ApartmentComplex", "aggregateRating"] {
        assert!(!silent.contains(promised), "{promised}: {silent}");
    }
}

/// A fact that is not said counts neither as yes nor as no.
#[tokio::test]
async fn filters_count_what_is_not_said_apart() {
    let homes = Homes::open().await;
    let all = homes.count() as u64;
    until(|| async { (homes.count_of("name=bloomsbury").await == all).then_some(()) }).await;
    for (query, count) in [
        ("guarantor=local", all - 2),
        ("guarantor=false", 0),
        ("guarantor=not_said", 2),
        ("guarantor=local,not_said", all),
        ("type=university_hall", all - 2),
        ("meta_unit_types=student_accommodation", all - 2),
        ("meta_unit_types=independent_house", 0),
        ("meta_bedroom_counts=1", all - 1),
        ("meta_bathroom_counts=1", all - 1),
        ("bathroom_types=private_bathroom", all - 2),
        ("bathroom_types=shared_bathroom", 0),
    ] {
        assert_eq!(homes.count_of(query).await, count, "{query}");
    }
    let found = homes.found("facets=true&limit=1").await;
    let guarantors = found["facets"]["guarantor"].as_array().unwrap().iter();
    let counted: Vec<(&str, u64)> = guarantors
        .map(|facet| {
            let count = facet["count"].as_u64().unwrap();
            (facet["value"].as_str().unwrap(), count)
        })
        .collect();
    let expected = [
        ("false", 0),
        ("international", 0),
        ("local", all - 2),
        ("not_said", 2),
    ];
    assert_eq!(counted, expected);
}

/// The mail about an enquiry says no fact either, and names its picture as what it is.
#[tokio::test]
async fn mail_about_a_silent_home_says_no_fact_of_it() {
    let homes = Homes::open().await;
    let student = Visitor::new(&homes.server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(id_of(homes.count() - 1, 2));
    student.post("/api/v0/leads", body).await.data();
    let sent = until(|| async {
        let outbox = student.get("/dev/outbox?to=mei@example.com").await;
        let mails = outbox.data().clone();
        mails
            .as_array()
            .is_some_and(|all| !all.is_empty())
            .then_some(mails)
    })
    .await;
    let sent = sent.to_string();
    for fact in &homes.facts {
        assert!(!sent.contains(fact.trace), "{}: {sent}", fact.trace);
    }
    assert!(sent.contains("illustration"), "{sent}");
}

/// The lease that a map adds.
const LEASE: &str = "[columns]\nmove_in = { value = \"2028-09-01\" }\nlength = { value = \"40 weeks\" }\n";
/// The address of the imported home.
const IMPORTED: &str = "harbour-yard-n-1";

/// Imports a home whose row says where it is and what it costs, and nothing else; the map adds what is given.
fn import_silent_home(server: &Server, more: &str) {
    let rows = "id,name,country,city,lat,lng,price,currency,price_per,room_type\n\
        n-1,Harbour Yard,GB,Leeds,53.8,-1.55,185,GBP,week,Entire home/apt\n";
    let [feed, map, report] = ["silent.csv", "silent.toml", "errors.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows).unwrap();
    std::fs::write(&map, format!("feed = \"silent\"\n{more}")).unwrap();
    let [feed, map, errors] = [&feed, &map, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", map, "--report", errors]);
    assert!(said.contains("1 added"), "{said}");
}

#[tokio::test]
async fn card_and_filters_of_an_imported_home_invent_nothing() {
    let server = Server::start();
    import_silent_home(&server, LEASE);
    let visitor = Visitor::new(&server);
    let search = "/api/v1/inventories?region_canonical_name=leeds&facets=true";
    let found = until(|| async {
        let found = visitor.get(search).await.body["data"].clone();
        (found["meta"]["count"] == 1).then_some(found)
    })
    .await;
    let card = &found["result"][0];
    assert_eq!((&card["type"], &card["rooms_left"]), (&Value::Null, &Value::Null));
    // The only home of a city is the house's choice of the day there; that says nothing of the home.
    let of_the_day = json!([{ "kind": "property_of_the_day" }]);
    assert_eq!((&card["room_kinds"], &card["badges"]), (&json!([]), &of_the_day));
    assert_eq!(
        card["meta"],
        json!({ "guarantor": null, "guarantor_required": null })
    );
    let counted = |facet: &str| -> Value {
        let values = found["facets"][facet].as_array().unwrap().iter();
        let some = values.filter(|value| value["count"] != 0);
        some.map(|value| value["value"].clone()).collect()
    };
    assert_eq!(counted("guarantor"), json!(["not_said"]));
    for facet in ["room_type", "accommodation_type", "dual_occupancy", "features"] {
        assert_eq!(counted(facet), json!([]), "{facet}");
    }
    let wire = until(|| async {
        let path = format!("/api/v0/inventories/{IMPORTED}?methods=meta_facts");
        let answer = visitor.get(&path).await;
        answer.status.is_success().then(|| answer.data().clone())
    })
    .await;
    for absent in [
        "/type",
        "/unit_type",
        "/rooms_left",
        "/meta/guarantor",
        "/meta/guarantor_required",
        "/meta/deposit",
        "/meta/deposit_multiplier",
        "/meta_facts/bills_included",
    ] {
        assert_eq!(wire.pointer(absent), Some(&Value::Null), "{absent}");
    }
}

#[tokio::test]
async fn page_of_an_imported_home_says_only_what_its_feed_said() {
    let server = Server::start();
    import_silent_home(&server, LEASE);
    let visitor = Visitor::new(&server);
    let payload = until(|| async {
        let answer = visitor.get(&format!("/_page?url=/places/{IMPORTED}")).await;
        let payload = answer.data().clone();
        (payload["status"] == 200).then_some(payload)
    })
    .await;
    let (page, head) = (&payload["data"], &payload["head"]);
    let room = &page["room_types"][0];
    assert_eq!(
        (&room["facts"], &room["configuration"]),
        (&json!([]), &Value::Null)
    );
    assert_eq!(
        (&room["rooms_left"], &room["available"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(room["options"][0]["rooms_left"], Value::Null);
    assert_eq!((&page["description"], &head["image"]), (&json!(""), &Value::Null));
    let due = &page["payment_summary"][0];
    assert_eq!(
        (&due["type"], &due["is_default"]),
        (&json!("deposit"), &json!(true))
    );
    let facts = page["facts"].as_array().unwrap();
    assert!(facts.iter().all(|fact| fact["icon"] != "bolt"), "{facts:?}");
    let chrome = &payload["chrome"];
    assert_eq!(
        (&chrome["rating"], &chrome["downloads"]),
        (&Value::Null, &Value::Null)
    );
    let url = server.url(&format!("/places/{IMPORTED}"));
    let html = reqwest::get(url).await.unwrap().text().await.unwrap();
    for invented in ["og:image", "ApartmentComplex", "1 room left", "1 left"] {
        assert!(!html.contains(invented), "{invented}");
    }
}

/// Where neither feed nor map says from which day a home is let, it has a rent and no lease: it is asked about, not booked.
#[tokio::test]
async fn imported_home_without_a_day_is_asked_about() {
    let server = Server::start();
    import_silent_home(&server, "");
    let visitor = Visitor::new(&server);
    let search = "/api/v1/inventories?region_canonical_name=leeds&facets=true";
    let found = until(|| async {
        let found = visitor.get(search).await.body["data"].clone();
        (found["meta"]["count"] == 1).then_some(found)
    })
    .await;
    let card = &found["result"][0];
    assert_eq!(card["price"]["amount_minor"], 18_500);
    assert_eq!(
        (&card["available"], &card["rooms_left"]),
        (&json!(true), &Value::Null)
    );
    for facet in ["move_in_month", "stay_duration"] {
        let values = found["facets"][facet].as_array().unwrap();
        assert!(
            values.iter().all(|value| value["count"] == 0),
            "{facet}: {values:?}"
        );
    }
    let payload = until(|| async {
        let answer = visitor.get(&format!("/_page?url=/places/{IMPORTED}")).await;
        let payload = answer.data().clone();
        (payload["status"] == 200).then_some(payload)
    })
    .await;
    let page = &payload["data"];
    assert_eq!(
        (&page["available"], &page["bookable"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(page["price"]["amount_minor"], 18_500);
    let description = payload["head"]["description"].as_str().unwrap();
    assert!(!description.contains("book online"), "{description}");
    let room = &page["room_types"][0];
    assert_eq!(
        (&room["options"], &room["rooms_left"]),
        (&json!([]), &Value::Null)
    );
    assert_eq!(room["from"]["amount_minor"], 18_500);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = room["id"].clone();
    visitor.post("/api/v0/leads", body).await.data();
    let kinds = until(|| async {
        let sent = visitor.get("/dev/outbox?to=mei@example.com").await.data().clone();
        let kinds: Vec<Value> = sent.as_array()?.iter().map(|mail| mail["kind"].clone()).collect();
        (!kinds.is_empty()).then_some(kinds)
    })
    .await;
    assert!(!kinds.contains(&json!("lead_waitlisted")), "{kinds:?}");
}
