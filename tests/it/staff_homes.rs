//! Homes at the desk: found, made, let, paused, moved, merged and closed by staff, with their history, undo and stock (HOMES.md "Who keeps
//! homes").

use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Answer, Visitor, hold_refused, in_days};

const HOMES: &str = "/api/v0/workspace/homes";
const COLUMNS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";
const MAP: &str =
    "feed = \"houses\"\n[columns]\nmove_in = { value = \"2028-09-01\" }\nlength = { value = \"44 weeks\" }\n";

/// Takes in a feed of a home in Leeds and one in York.
fn import(server: &Server) {
    let [feed, map, report] = ["homes.csv", "homes.toml", "errors.csv"].map(|file| server.beside(file));
    let rows = [
        "h-1,Loft,GB,Leeds,53.8,-1.5,145.50,GBP,week,Private room",
        "h-2,Mill,GB,York,53.96,-1.08,120,GBP,week,Private room",
    ];
    std::fs::write(&feed, format!("{COLUMNS}\n{}\n", rows.join("\n"))).unwrap();
    std::fs::write(&map, MAP).unwrap();
    let [feed, map, errors] = [&feed, &map, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", map, "--report", errors]);
    assert!(said.contains("0 rejected"), "{said}");
}

/// A member of support at a server with a feed's two homes.
struct Desk<'s> {
    server: &'s Server,
    staff: Visitor<'s>,
}

impl<'s> Desk<'s> {
    async fn open(server: &'s Server) -> Self {
        import(server);
        let staff = Visitor::new(server);
        staff.log_in_as("support").await;
        let desk = Self { server, staff };
        until(|| async { (desk.found("york").await == 1).then_some(()) }).await;
        desk
    }

    /// Homes that students find in a city.
    async fn found(&self, city: &str) -> u64 {
        let path = format!("/api/v1/inventories?region_canonical_name={city}");
        let found: Value = Client::new()
            .get(self.server.url(&path))
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        found["data"]["meta"]["count"].as_u64().unwrap_or_default()
    }

    async fn becomes(&self, city: &str, homes: u64) {
        until(|| async { (self.found(city).await == homes).then_some(()) }).await;
    }

    async fn list(&self, query: &str) -> Value {
        let path = format!("{HOMES}?{query}");
        self.staff.get(&path).await.data().clone()
    }

    async fn id_of(&self, name: &str) -> String {
        let listed = self.list(&format!("q={name}")).await;
        listed["homes"][0]["home_id"].as_str().unwrap().to_owned()
    }

    async fn read(&self, home: &str) -> Value {
        self.staff.get(&format!("{HOMES}/{home}")).await.data().clone()
    }

    async fn post(&self, home: &str, what: &str, mut body: Value) -> Answer {
        body["reason"] = json!("Asked by the owner");
        self.staff.post(&format!("{HOMES}/{home}/{what}"), body).await
    }

    async fn act(&self, home: &str, act: &str) -> Answer {
        self.post(home, "acts", json!({ "act": act })).await
    }

    async fn make(&self, name: &str, street: &str) -> Value {
        let lease = json!({ "move_in": "2028-09-01", "length": "44 weeks", "price_minor": 18_900 });
        let body = json!({ "reason": "A landlord by phone", "name": name, "place": { "city": "leeds" },
            "address": { "street_number": "12", "route": street, "postal_code": "LS1 1AA" }, "lat": 53.801, "lng": -1.549,
            "rooms": [{ "name": { "en": "Ensuite" }, "types": ["private_room", "private_bathroom"], "count": 3, "leases": [lease] }] });
        self.staff.post(HOMES, body).await.data().clone()
    }

    async fn steps(&self, home: &str) -> Vec<Value> {
        let history = self.staff.get(&format!("{HOMES}/{home}/history")).await;
        history.data()["steps"].as_array().unwrap().clone()
    }
}

fn state_of(answer: &Answer) -> &str {
    answer.data()["state"].as_str().unwrap()
}

fn texts(values: &Value) -> Vec<&str> {
    values
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

#[tokio::test]
async fn home_is_made_reviewed_and_let_by_staff() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let made = desk.make("Park Lane House", "Park Lane").await;
    let home = made["home_id"].as_str().unwrap().to_owned();
    assert_eq!(made["state"], "draft");
    assert_eq!(texts(&made["can"]), ["submit", "activate"]);
    let url = server.url(made["url"].as_str().unwrap());
    let page = reqwest::get(&url).await.unwrap();
    assert_eq!(page.status(), StatusCode::NOT_FOUND, "a draft has no page");
    let listed = desk.list("q=park+lane").await;
    let row = &listed["homes"][0];
    assert_eq!(
        (&row["state"], &row["rooms"], &row["leases"]),
        (&json!("draft"), &json!(3), &json!(1))
    );
    assert_eq!(
        (&row["changed_what"], &row["changed_by"]["label"]),
        (&json!("listed"), &json!("support"))
    );
    assert!(texts(&row["lacks"]).contains(&"photos"), "{row}");

    for (act, state) in [
        ("submit", "in_review"),
        ("ask_changes", "changes_asked"),
        ("submit", "in_review"),
        ("activate", "active"),
    ] {
        assert_eq!(state_of(&desk.act(&home, act).await), state, "{act}");
    }
    desk.becomes("leeds", 2).await;
    let late = desk.act(&home, "submit").await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "inventory_wrong_state")
    );
}

#[tokio::test]
async fn home_is_paused_and_closed_with_a_reason_and_an_undo() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let made = desk.make("Park Lane House", "Park Lane").await;
    let home = made["home_id"].as_str().unwrap().to_owned();
    let url = server.url(made["url"].as_str().unwrap());
    desk.act(&home, "activate").await.data();
    desk.becomes("leeds", 2).await;
    let past = desk
        .post(
            &home,
            "acts",
            json!({ "act": "pause", "reopens_on": "2020-01-01" }),
        )
        .await;
    hold_refused(&past, "reopens_on", "a day that is over");

    let pause = json!({ "act": "pause", "reopens_on": "2099-03-01" });
    let paused = desk.post(&home, "acts", pause).await;
    assert_eq!(
        (state_of(&paused), &paused.data()["reopens_on"]),
        ("paused", &json!("2099-03-01"))
    );
    desk.becomes("leeds", 1).await;
    let steps = desk.steps(&home).await;
    let newest = &steps[0];
    assert_eq!(
        (
            &newest["kind"],
            &newest["reason"],
            &newest["by"]["label"],
            &newest["can_undo"]
        ),
        (
            &json!("paused"),
            &json!("Asked by the owner"),
            &json!("support"),
            &json!(true)
        )
    );
    let undone = desk.post(&home, "undo", json!({ "step": newest["step"] })).await;
    assert_eq!(state_of(&undone), "active");
    desk.becomes("leeds", 2).await;
    let again = desk.post(&home, "undo", json!({ "step": newest["step"] })).await;
    assert_eq!(
        (again.status, again.code()),
        (StatusCode::CONFLICT, "undo_not_possible")
    );

    let closed = desk.act(&home, "close").await;
    assert_eq!(
        (state_of(&closed), &closed.data()["closed_by"]),
        ("closed", &json!("staff"))
    );
    let gone = until(|| async {
        let page = reqwest::get(&url).await.unwrap();
        (page.status() != StatusCode::OK).then_some(page.status())
    })
    .await;
    assert_eq!(gone, StatusCode::GONE);
    let first = desk.steps(&home).await.pop().unwrap();
    assert_eq!(
        (&first["kind"], &first["can_undo"]),
        (&json!("listed"), &json!(false))
    );
    assert!(!first["why_not"].as_str().unwrap().is_empty());
}

/// A home that is paused until a day is found again on it, without anybody's press.
#[tokio::test]
async fn paused_home_is_let_again_on_its_day() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let loft = desk.id_of("loft").await;
    let pause = json!({ "act": "pause", "reopens_on": in_days(2) });
    desk.post(&loft, "acts", pause).await.data();
    until(|| async { (desk.found("leeds").await != 1).then_some(()) }).await;
    desk.staff.wait(3 * 24 * 3_600).await;
    desk.becomes("leeds", 1).await;
}

/// A press that is sent twice makes one home.
#[tokio::test]
async fn draft_with_one_key_is_made_once() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let key = [("idempotency-key", "0193a000-0000-7000-8000-00000000e517")];
    let body = json!({ "reason": "A landlord by phone", "name": "Twice", "place": { "city": "leeds" } });
    let mut made = Vec::new();
    for _ in 0..2 {
        let answer = desk
            .staff
            .call(Method::POST, HOMES, Some(body.clone()), &key)
            .await;
        made.push(answer.data()["home_id"].clone());
    }
    assert_eq!(made[0], made[1]);
    assert_eq!(desk.list("q=twice").await["total"], 1);
    let bare = made[0].as_str().unwrap();
    let early = desk.act(bare, "activate").await;
    assert_eq!(
        (early.status, early.code()),
        (StatusCode::CONFLICT, "inventory_no_rooms")
    );
    for (body, field) in [
        (
            json!({ "name": "X", "place": { "city": "nowhere" } }),
            "place/city",
        ),
        (
            json!({ "name": "X", "place": { "city": "university-of-leeds" } }),
            "place",
        ),
        (
            json!({ "name": "X", "place": { "city": "york", "area": "university-of-leeds" } }),
            "place",
        ),
        (json!({ "name": " ", "place": { "city": "leeds" } }), "name"),
        (
            json!({ "name": "X", "place": { "city": "leeds" }, "lat": 1.5 }),
            "lng",
        ),
        (
            json!({ "name": "X", "place": { "city": "leeds" }, "currency": "XXQ" }),
            "currency",
        ),
    ] {
        let mut body = body;
        body["reason"] = json!("A landlord by phone");
        let what = body.to_string();
        hold_refused(&desk.staff.post(HOMES, body).await, field, &what);
    }
}

#[tokio::test]
async fn rooms_and_leases_come_and_go_where_no_feed_says_them() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let made = desk.make("Park Lane House", "Park Lane").await;
    let home = made["home_id"].as_str().unwrap();
    let lease = |price: u64| json!({ "move_in": "2028-09-01", "length": "51 weeks", "price_minor": price });
    let room = json!({ "name": { "en": "Studio", "zh": "单间公寓" }, "count": 2, "leases": [lease(28_900)] });
    let added = json!({ "position": made["position"], "room": room });
    let added = desk.post(home, "rooms", added.clone()).await;
    let rooms = added.data()["rooms"].as_array().unwrap().clone();
    assert_eq!((rooms.len(), &rooms[1]["name"]["zh"]), (2, &json!("单间公寓")));
    let late = json!({ "position": made["position"], "room": { "name": { "en": "Late" }, "count": 1 } });
    let late = desk.post(home, "rooms", late).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
    let studio = rooms[1]["room_id"].as_str().unwrap();
    let path = format!("{HOMES}/{home}/rooms/{studio}");
    for (leases, code) in [
        (json!([lease(0)]), "no_price"),
        (json!([lease(27_900), lease(26_900)]), "let_twice"),
    ] {
        let body = json!({ "position": added.data()["position"], "reason": "Prices of next year", "leases": leases });
        let refused = desk.staff.put(&format!("{path}/leases"), body).await;
        hold_refused(&refused, "rooms", code);
        assert_eq!(refused.body["errors"][0]["code"], code);
    }
    let body = json!({ "position": added.data()["position"], "reason": "Prices of next year", "leases": [lease(27_900)] });
    let priced = desk.staff.put(&format!("{path}/leases"), body).await;
    assert_eq!(priced.data()["rooms"][1]["leases"][0]["price_minor"], 27_900);
    let body = json!({ "position": priced.data()["position"] });
    let without = desk.post(home, &format!("rooms/{studio}/withdraw"), body).await;
    assert_eq!(without.data()["rooms"].as_array().unwrap().len(), 1);
    let newest = desk.steps(home).await.remove(0);
    assert_eq!(
        (&newest["kind"], &newest["can_undo"]),
        (&json!("rooms_changed"), &json!(false))
    );

    let loft = desk.id_of("loft").await;
    let position = desk.read(&loft).await["position"].clone();
    let room = json!({ "position": position, "room": { "name": { "en": "Attic" }, "count": 1 } });
    let refused = desk.post(&loft, "rooms", room).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "home_of_feed")
    );
}

/// One home that is refused stops no other; the feed does not move a home back.
#[tokio::test]
async fn many_homes_are_paused_and_moved_each_with_its_verdict() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let loft = desk.id_of("loft").await;
    let draft = desk.make("Park Lane House", "Park Lane").await["home_id"].clone();
    let homes = json!([loft, draft, "0193a000-0000-7000-8000-000000000009"]);
    let verdicts = async |body: Value| {
        let path = format!("{HOMES}/acts");
        let answer = desk.staff.post(&path, body).await;
        let all = answer.data().as_array().unwrap().clone();
        all.iter()
            .map(|home| home["verdict"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let pause = json!({ "homes": homes, "act": "pause", "reason": "A storm" });
    assert_eq!(verdicts(pause.clone()).await, ["done", "refused", "refused"]);
    assert_eq!(verdicts(pause).await, ["unchanged", "refused", "refused"]);
    let reopen = json!({ "homes": [loft], "act": "reopen", "reason": "It is over" });
    assert_eq!(verdicts(reopen).await, ["done"]);

    let to_york =
        json!({ "homes": [loft], "act": "move", "reason": "Wrong city", "place": { "city": "york" } });
    assert_eq!(verdicts(to_york.clone()).await, ["done"]);
    assert_eq!(desk.list("city=york").await["total"], 2);
    assert_eq!(desk.read(&loft).await["city"]["name"], "York");
    import(&server);
    let again = verdicts(to_york).await;
    assert_eq!(again, ["unchanged"], "the move survives its feed");
    let steps = desk.steps(&loft).await;
    let moved = steps.iter().find(|step| step["kind"] == "edited").unwrap();
    assert_eq!(
        (&moved["changes"][0]["fact"], &moved["can_undo"]),
        (&json!("place"), &json!(true))
    );
    let back = desk.post(&loft, "undo", json!({ "step": moved["step"] })).await;
    assert_eq!(back.data()["city"]["name"], "Leeds");

    let path = format!("{HOMES}/acts");
    for (body, field) in [
        (
            json!({ "homes": [], "act": "pause", "reason": "A storm" }),
            "homes",
        ),
        (
            json!({ "homes": [loft], "act": "move", "reason": "A storm" }),
            "place",
        ),
        (
            json!({ "homes": [loft], "act": "pause", "reason": " " }),
            "reason",
        ),
        (
            json!({ "homes": [loft], "act": "close", "reason": "A storm", "reopens_on": "2099-01-01" }),
            "reopens_on",
        ),
    ] {
        let what = body.to_string();
        hold_refused(&desk.staff.post(&path, body).await, field, &what);
    }
}

#[tokio::test]
async fn double_leads_to_the_home_that_is_kept() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    let kept = desk.make("Park Lane House", "Park Lane").await;
    let double = desk.make("Park-Lane house", "Park Lane").await;
    let other = desk.make("Park Lane House", "Mill Road").await;
    let ids = [&kept, &double, &other].map(|home| home["home_id"].as_str().unwrap());
    let [kept_id, double_id, other_id] = ids;
    let alike = desk.read(double_id).await["doubles"].clone();
    assert_eq!(
        (alike.as_array().unwrap().len(), &alike[0]["home_id"]),
        (1, &kept["home_id"])
    );
    desk.act(double_id, "activate").await.data();
    let into_draft = desk.post(double_id, "merge", json!({ "into": kept_id })).await;
    assert_eq!(into_draft.code(), "kept_not_let");
    desk.act(kept_id, "activate").await.data();
    let refused = desk.post(double_id, "merge", json!({ "into": other_id })).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "not_a_double")
    );
    let merged = desk.post(double_id, "merge", json!({ "into": kept_id })).await;
    assert_eq!(
        (state_of(&merged), &merged.data()["merged_into"]),
        ("deleted", &kept["home_id"])
    );
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let asked = server.url(double["url"].as_str().unwrap());
    let led = until(|| async {
        let answer = client.get(&asked).send().await.unwrap();
        answer
            .headers()
            .get("location")
            .map(|to| (answer.status(), to.to_str().unwrap().to_owned()))
    })
    .await;
    assert_eq!(led.0, StatusCode::MOVED_PERMANENTLY);
    assert!(led.1.ends_with(kept["url"].as_str().unwrap()), "{}", led.1);
    assert_eq!(
        desk.list("q=park").await["total"],
        2,
        "a merged home is listed no more"
    );
    assert_eq!(desk.list("q=park&state=deleted").await["total"], 1);
    let step = desk.steps(double_id).await.remove(0);
    assert_eq!(
        (&step["kind"], &step["can_undo"]),
        (&json!("merged"), &json!(false))
    );
}

#[tokio::test]
async fn homes_are_filtered_counted_and_paged() {
    let server = Server::start();
    let desk = Desk::open(&server).await;
    desk.make("Park Lane House", "Park Lane").await;
    let all = desk.list("").await;
    assert_eq!(
        (&all["total"], &all["counts"]),
        (&json!(3), &json!({ "active": 2, "draft": 1 }))
    );
    assert_eq!(all["feeds"], json!(["houses"]));
    for (query, homes) in [
        ("feed=houses", 2),
        ("state=draft", 1),
        ("city=york", 1),
        ("q=h-2", 1),
        ("q=ls1", 1),
        ("lacks=photos&state=draft", 1),
        ("lacks=leases", 0),
        ("changed_since=2099-01-01", 0),
    ] {
        assert_eq!(desk.list(query).await["total"], homes, "{query}");
    }
    let (mut seen, mut after) = (Vec::new(), String::new());
    for _ in 0..3 {
        let page = desk.list(&format!("limit=1&after={after}")).await;
        seen.push(page["homes"][0]["home_id"].clone());
        after = page["next"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!(after, "", "three pages are all");
    seen.sort_by_key(Value::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 3);
    for (query, field) in [
        ("state=open", "state"),
        ("lacks=love", "lacks"),
        ("city=nowhere", "city"),
        ("after=x", "after"),
    ] {
        let refused = desk.staff.get(&format!("{HOMES}?{query}")).await;
        hold_refused(&refused, field, query);
    }
}
