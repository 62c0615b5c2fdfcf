//! Values of a home from its feed and from staff: which is shown, when the feed wins, undo, and two who edit at once (U6, U26).

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, until};
use crate::visitor::{Answer, Visitor, hold_refused};

const COLUMNS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";
const MAP: &str =
    "feed = \"houses\"\n[columns]\nmove_in = { value = \"2028-09-01\" }\nlength = { value = \"44 weeks\" }\n";
/// The search that finds the home.
const FOUND: &str = "/api/v1/inventories?region_canonical_name=leeds";
const STAY: &str = "2028-09-01/44 weeks";

/// Takes in a feed of one home.
fn import(server: &Server, name: &str, price: &str) {
    import_by(server, MAP, (name, price));
}

/// The same by another map.
fn import_by(server: &Server, by: &str, (name, price): (&str, &str)) {
    let [feed, map, report] = ["homes.csv", "homes.toml", "errors.csv"].map(|file| server.beside(file));
    let row = format!("h-1,{name},GB,Leeds,53.8,-1.5,{price},GBP,week,Private room");
    std::fs::write(&feed, format!("{COLUMNS}\n{row}\n")).unwrap();
    std::fs::write(&map, by).unwrap();
    let [feed, map, errors] = [&feed, &map, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", map, "--report", errors]);
    assert!(said.contains("0 rejected"), "{said}");
}

/// A home that staff keep.
struct Kept<'s> {
    staff: Visitor<'s>,
    home: String,
}

impl<'s> Kept<'s> {
    /// The one home of a feed, opened by a member of support.
    async fn imported(server: &'s Server) -> Self {
        import(server, "Loft", "145.50");
        let staff = Visitor::new(server);
        staff.log_in_as("support").await;
        let home = until(|| async {
            let found: Value = Client::new()
                .get(server.url(FOUND))
                .send()
                .await
                .unwrap()
                .json()
                .await
                .unwrap();
            let homes = &found["data"]["result"];
            homes[0]["id"].as_str().map(str::to_owned)
        })
        .await;
        Self { staff, home }
    }

    async fn values(&self) -> Value {
        let path = format!("/api/v0/workspace/homes/{}/values/", self.home);
        self.staff.get(&path).await.data().clone()
    }

    /// A fact whose name ends like this.
    async fn fact(&self, end: &str) -> Value {
        find_fact(&self.values().await, end).clone()
    }

    async fn patch(&self, body: Value) -> Answer {
        patch(&self.staff, &self.home, body).await
    }

    /// Edits what was read a moment ago.
    async fn edit(&self, mut body: Value) -> Answer {
        body["position"] = self.values().await["position"].clone();
        body["reason"] = json!("Measured on site");
        self.patch(body).await
    }

    /// The name and the price as visitors see them.
    async fn becomes(&self, server: &Server, name: &str, price: f64) {
        let path = server.url(FOUND);
        until(|| async {
            let found: Value = Client::new()
                .get(&path)
                .send()
                .await
                .unwrap()
                .json()
                .await
                .unwrap();
            let homes = found["data"]["result"].as_array()?.iter();
            let mut same = homes.filter(|home| home["id"] == self.home.as_str());
            let home = same.next()?;
            let is_so = home["name"] == name && home["pricing"]["min_price"] == json!(price);
            is_so.then_some(())
        })
        .await;
    }
}

fn find_fact<'v>(values: &'v Value, end: &str) -> &'v Value {
    let mut facts = values["values"].as_array().unwrap().iter();
    let named = |fact: &&Value| fact["fact"].as_str().unwrap().ends_with(end);
    facts
        .find(named)
        .unwrap_or_else(|| panic!("no {end} in {values}"))
}

async fn patch(staff: &Visitor<'_>, home: &str, body: Value) -> Answer {
    let path = format!("/api/v0/workspace/homes/{home}/");
    staff.call(Method::PATCH, &path, Some(body), &[]).await
}

fn of_whom(fact: &Value) -> (&Value, &Value, &Value) {
    (&fact["value"], &fact["from"], &fact["feed"]["value"])
}

#[tokio::test]
async fn edited_value_stands_until_the_feed_changes_its_own() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let name = kept.fact("name").await;
    assert_eq!(of_whom(&name), (&json!("Loft"), &json!("feed"), &json!("Loft")));
    let price = kept.fact(STAY).await;
    let room = price["room_id"].clone();
    let lease = json!({ "move_in": "2028-09-01", "length": "44 weeks", "price_minor": 13_900 });
    let edited = kept
        .edit(
            json!({ "name": "Park Loft", "guarantor": "local", "description": { "zh": "安静" },
            "rooms": [{ "room_id": room, "count": 3, "leases": [lease] }] }),
        )
        .await;
    let values = edited.data();
    for (end, value, feed) in [
        ("name", json!("Park Loft"), json!("Loft")),
        ("guarantor", json!("local"), Value::Null),
        ("description.zh", json!("安静"), Value::Null),
        (".count", json!(3), Value::Null),
        (STAY, json!(13_900), json!(14_550)),
    ] {
        let fact = find_fact(values, end);
        assert_eq!(of_whom(fact), (&value, &json!("person"), &feed), "{fact}");
        assert_eq!(fact["person"]["reason"], "Measured on site");
        assert_eq!(fact["person"]["by"]["label"], "support");
        let note = fact["note"].as_str().unwrap();
        assert!(
            note.contains("until the feed houses changes its own value"),
            "{note}"
        );
    }
    kept.becomes(&server, "Park Loft", 139.0).await;

    // The same feed again says nothing new: the edits stand.
    import(&server, "Loft", "145.50");
    assert_eq!(kept.fact("name").await["from"], "person");
    // It renames the home, and its price stays what it was: the feed wins where it changed its word.
    import(&server, "Garden Loft", "145.50");
    let values = kept.values().await;
    let name = find_fact(&values, "name");
    assert_eq!(
        of_whom(name),
        (&json!("Garden Loft"), &json!("feed"), &json!("Garden Loft"))
    );
    assert_eq!(find_fact(&values, STAY)["value"], 13_900);
    kept.becomes(&server, "Garden Loft", 139.0).await;

    // Taken back, the feed's price is shown; a feed with another one is taken in as ever.
    let undone = kept.edit(json!({ "unset": [price["fact"], "guarantor"] })).await;
    let price = find_fact(undone.data(), STAY);
    assert_eq!(of_whom(price), (&json!(14_550), &json!("feed"), &json!(14_550)));
    assert_eq!(find_fact(undone.data(), "guarantor")["value"], Value::Null);
    kept.becomes(&server, "Garden Loft", 145.5).await;
    import(&server, "Garden Loft", "150");
    kept.becomes(&server, "Garden Loft", 150.0).await;
    assert_eq!(
        kept.fact(".count").await["value"],
        3,
        "this edit was not taken back"
    );
}

#[tokio::test]
async fn second_of_two_editors_is_told_what_changed() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let second = Visitor::new(&server);
    second.log_in_as("admin").await;
    let seen = kept.values().await["position"].clone();
    kept.edit(json!({ "name": "Park Loft" })).await.data();
    let mut body = json!({ "position": seen, "reason": "Asked the owner", "bills": "included" });
    let late = patch(&second, &kept.home, body.clone()).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.body);
    assert_eq!(late.code(), "changed_meanwhile");
    let current = &late.body["current"];
    let changed = current["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{current}");
    assert_eq!(changed[0]["fact"], "name");
    assert_eq!(of_whom(&changed[0]).0, "Park Loft");
    assert_eq!(kept.fact("bills_included").await["value"], Value::Null);
    body["position"] = current["position"].clone();
    let again = patch(&second, &kept.home, body).await;
    let bills = find_fact(again.data(), "bills_included");
    assert_eq!(
        (&bills["value"], &bills["person"]["by"]["label"]),
        (&json!("included"), &json!("admin"))
    );
}

/// The feed lets the room for no named stay any more: an edit of before is refused with the lease that is gone.
#[tokio::test]
async fn edit_of_a_lease_that_is_gone_is_refused_by_its_name() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let seen = kept.values().await["position"].clone();
    let price = kept.fact(STAY).await;
    import_by(&server, "feed = \"houses\"\n", ("Loft", "145.50"));
    let lease = json!({ "move_in": "2028-09-01", "length": "44 weeks", "price_minor": 13_900 });
    let priced = json!([{ "room_id": price["room_id"], "leases": [lease] }]);
    for body in [
        json!({ "position": seen, "reason": "Asked the owner", "rooms": priced }),
        json!({ "position": seen, "reason": "Asked the owner", "name": "Park Loft" }),
        json!({ "position": seen, "reason": "Asked the owner", "unset": [price["fact"]] }),
    ] {
        let late = kept.patch(body).await;
        assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.body);
        assert_eq!(late.code(), "changed_meanwhile");
        let named = late.body.to_string();
        assert!(named.contains(price["fact"].as_str().unwrap()), "{named}");
    }
    assert_eq!(kept.fact("name").await["value"], "Loft");
}

/// A press that is sent twice edits once, though the home moved on in between.
#[tokio::test]
async fn edit_with_one_key_is_made_once() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let seen = kept.values().await["position"].clone();
    let body = json!({ "position": seen, "reason": "Asked the owner", "name": "Park Loft" });
    let key = [("idempotency-key", "0193a000-0000-7000-8000-00000000e517")];
    let path = format!("/api/v0/workspace/homes/{}", kept.home);
    let mut positions = Vec::new();
    for _ in 0..2 {
        let answer = kept
            .staff
            .call(Method::PATCH, &path, Some(body.clone()), &key)
            .await;
        positions.push(answer.data()["position"].clone());
    }
    assert_eq!(positions[0], positions[1]);
}

#[tokio::test]
async fn bad_edits_of_a_home_name_their_field() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let room = kept.fact(STAY).await["room_id"].clone();
    let lease = |length: &str, price_minor: u64| {
        let lease = json!({ "move_in": "2028-09-01", "length": length, "price_minor": price_minor });
        json!({ "rooms": [{ "room_id": room, "leases": [lease] }] })
    };
    let stranger = "0193a000-0000-7000-8000-000000000009";
    for (body, field) in [
        (json!({ "name": " \u{200b}" }), "name"),
        (json!({ "name": "x".repeat(201) }), "name"),
        (json!({ "description": { "xx": "Text" } }), "description/xx"),
        (json!({ "guarantor": "maybe" }), "guarantor"),
        (json!({ "bills": true }), "bills"),
        (json!({ "rooms": [{ "room_id": stranger, "count": 2 }] }), "rooms"),
        (
            json!({ "rooms": [{ "room_id": "x", "count": 2 }] }),
            "rooms/0/room_id",
        ),
        (lease("44 weeks", 0), "rooms"),
        (lease("12 weeks", 14_000), "rooms"),
        (lease("soon", 14_000), "rooms/0/leases/0/length"),
        (json!({ "unset": ["name"] }), "unset"),
        (json!({ "unset": ["colour"] }), "unset"),
        (json!({ "colour": "red" }), "colour"),
    ] {
        let what = body.to_string();
        hold_refused(&kept.edit(body).await, field, &what);
    }
    let position = kept.values().await["position"].clone();
    let silent = json!({ "position": position, "reason": " ", "name": "Park Loft" });
    hold_refused(&kept.patch(silent).await, "reason", "no reason");
    let body = json!({ "position": position, "reason": "Asked the owner", "name": "Park Loft" });
    let unknown = patch(&kept.staff, stranger, body.clone()).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.body);
    let student = Visitor::new(&server);
    student.log_in("mei@uni.example").await;
    let refused = patch(&student, &kept.home, body).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(kept.fact("name").await["value"], "Loft");
}

/// Refusals and rows speak the reader's language.
#[tokio::test]
async fn values_of_a_home_are_told_in_chinese_too() {
    let server = Server::start();
    let kept = Kept::imported(&server).await;
    let path = format!("/api/v0/workspace/homes/{}", kept.home);
    let read = kept.staff.get(&format!("{path}/values?lang=zh")).await;
    assert_eq!(find_fact(read.data(), "name")["note"], "来自数据源 houses");
    let body = json!({ "position": 0, "reason": "Asked the owner", "name": "Park Loft" });
    let late = kept
        .staff
        .call(Method::PATCH, &format!("{path}?lang=zh"), Some(body), &[])
        .await;
    let said = late.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(said.contains("此房源已被修改"), "{said}");
}

/// Fewer rooms than are held are refused with the enquiries named.
#[tokio::test]
async fn fewer_rooms_than_are_held_are_refused_with_names() {
    let market = Market::open(&[2], &[]).await;
    let staff = Visitor::new(&market.server);
    staff.log_in_as("support").await;
    let home = "0193a000-0000-7000-8000-000000000001".to_owned();
    let kept = Kept { staff, home };
    let room = market.rooms[0].clone();
    let count = |count: u32| json!({ "rooms": [{ "room_id": room, "count": count }] });
    market.person(0, 0).begun().await;
    market.person(1, 0).begun().await;
    for (rooms, names) in [(0, 2), (1, 2)] {
        let refused = kept.edit(count(rooms)).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
        assert_eq!(refused.code(), "inventory_below_booked");
        assert_eq!(refused.fields().len(), names, "{}", refused.body);
    }
    let values = kept.values().await;
    let known = find_fact(&values, ".count");
    assert_eq!((&known["value"], &known["feed"]), (&json!(2), &Value::Null));
    kept.edit(count(3)).await.data();
    assert_eq!(kept.fact(".count").await["value"], 3);
    // The edit is taken back: two rooms are enough for both.
    let undo = json!({ "unset": [format!("rooms.{room}.count")] });
    kept.edit(undo).await.data();
    assert_eq!(kept.fact(".count").await["value"], 2);
}
