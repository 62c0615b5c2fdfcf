//! Files of feeds that staff upload: mapped, looked at as a student would see them, tried and taken in (HOMES.md "Feeds").

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::{Answer, Visitor};

const UPLOADS: &str = "/api/v0/workspace/feed_uploads";
const HEAD: &str = "ref,title,country,city,lat,lng,kind,rent,currency,period,start,term,epc";

/// A row of a file whose names are its own.
fn row(id: &str, title: &str, kind: &str) -> String {
    format!("{id},{title},GB,Leeds,53.8,-1.55,{kind},145.50,GBP,week,2028-09-11,44 weeks,C")
}

fn file(rows: &[String]) -> Vec<u8> {
    format!("{HEAD}\n{}\n", rows.join("\n")).into_bytes()
}

/// Two homes, and one in the sea.
fn houses() -> Vec<u8> {
    file(&[
        row("h-1", "Loft", "Sky Pod"),
        row("h-2", "Mill", "Studio"),
        row("h-3", "Barn", "Studio").replace("53.8", "-33.8"),
    ])
}

fn map() -> Value {
    json!({ "columns": { "property_id": "ref", "name_en": "title", "room_type": "kind", "price": "rent", "price_per": "period",
        "move_in": "start", "length": "term" }, "values": { "room_type": { "Sky Pod": "shared room" } } })
}

/// A member of support who brings feeds in.
struct Keeper<'s> {
    server: &'s Server,
    staff: Visitor<'s>,
}

impl<'s> Keeper<'s> {
    async fn open(server: &'s Server) -> Self {
        let staff = Visitor::new(server);
        staff.log_in_as("support").await;
        Self { server, staff }
    }

    async fn send(&self, feed: &str, bytes: Vec<u8>) -> (StatusCode, Value) {
        let url = self.server.url(&format!("{UPLOADS}?feed={feed}"));
        let sending = self.staff.client().post(url);
        let sending = sending.header("x-file-name", "north%20list.csv").body(bytes);
        let sent = sending.send().await.unwrap();
        (sent.status(), sent.json().await.unwrap())
    }

    /// Uploads a file; gives the upload once it was looked at.
    async fn upload(&self, feed: &str, bytes: Vec<u8>) -> Value {
        let (status, body) = self.send(feed, bytes).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        self.settled(&body["data"]).await
    }

    /// The upload once nobody works on it.
    async fn settled(&self, upload: &Value) -> Value {
        let path = path_of(upload);
        until(|| async {
            let now = self.staff.get(&path).await.data().clone();
            let stage = now["upload"]["stage"].as_str().unwrap().to_owned();
            (!["waiting", "running"].contains(&&*stage)).then_some(now)
        })
        .await
    }

    async fn change_map(&self, upload: &Value, map: &Value) -> Answer {
        let path = format!("{}/map", path_of(upload));
        self.staff.put(&path, json!({ "map": map })).await
    }

    async fn ask_for_run(&self, upload: &Value, kind: &str) -> Answer {
        let path = format!("{}/runs", path_of(upload));
        let body = json!({ "kind": kind, "missing": "report", "missing_limit": null });
        self.staff.post(&path, body).await
    }

    /// Runs an upload; gives it at the end.
    async fn run(&self, upload: &Value, kind: &str) -> Value {
        let asked = self.ask_for_run(upload, kind).await;
        assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.body);
        self.settled(upload).await
    }

    async fn imports(&self) -> Vec<Value> {
        let page = self.staff.get("/api/v0/workspace/imports").await;
        page.data()["runs"].as_array().unwrap().clone()
    }
}

fn path_of(upload: &Value) -> String {
    format!("{UPLOADS}/{}", upload["upload"]["upload_id"].as_str().unwrap())
}

/// How many homes the log holds; one that was written twice would count twice.
fn listed(server: &Server) -> u64 {
    let question = "select count(*) from event where event_type = 'PropertyListed'";
    stored::number(server, Part::Log, question)
}

fn column<'u>(upload: &'u Value, name: &str) -> &'u Value {
    let columns = upload["look"]["columns"].as_array().unwrap();
    columns.iter().find(|column| column["name"] == name).unwrap()
}

fn counts(upload: &Value) -> Value {
    let run = &upload["run"];
    json!([
        run["added"],
        run["changed"],
        run["unchanged"],
        run["rejected"],
        run["missing"]
    ])
}

/// Columns say what reads them, and the first homes are shown as they would be.
fn hold_look(mapped: &Value) {
    let kind = column(mapped, "kind");
    assert_eq!(
        (&kind["field"], &kind["is_mapped"]),
        (&json!("room_type"), &json!(true))
    );
    assert_eq!(
        kind["words"][0],
        json!({ "word": "Sky Pod", "meaning": "shared room", "is_known": true })
    );
    let epc = column(mapped, "epc");
    assert_eq!((&epc["field"], &epc["samples"]), (&Value::Null, &json!(["C"])));
    let look = &mapped["look"];
    let homes = look["homes"].as_array().unwrap();
    let told: Vec<&Value> = homes.iter().map(|home| &home["name"]).collect();
    assert_eq!(told, ["Loft", "Mill"]);
    assert_eq!(
        (&homes[0]["from_minor"], &homes[0]["period"]),
        (&json!(14_550), &json!("weekly"))
    );
    assert_eq!(homes[0]["rooms"][0]["stays"][0]["length"], "44 weeks");
    let unsaid = homes[0]["not_said"].as_array().unwrap();
    assert!(
        unsaid.contains(&json!("photos")) && unsaid.contains(&json!("bills")),
        "{unsaid:?}"
    );
    assert_eq!(
        (&look["rejected"][0]["home"], &look["checked"]),
        (&json!("h-3"), &json!(3))
    );
}

#[tokio::test]
async fn file_is_mapped_looked_at_tried_and_taken_in() {
    let server = Server::start();
    let keeper = Keeper::open(&server).await;
    let first = keeper.upload("north", houses()).await;
    assert_eq!(first["upload"]["file"], "north list.csv");
    assert_eq!(first["map_from"], "suggested");
    assert_eq!(column(&first, "ref")["samples"], json!(["h-1", "h-2", "h-3"]));

    let mapped = keeper.change_map(&first, &map()).await;
    assert_eq!(mapped.status, StatusCode::OK, "{}", mapped.body);
    let mapped = keeper.settled(&first).await;
    assert_eq!(
        (&mapped["is_looked"], &mapped["map_from"]),
        (&json!(true), &json!("person"))
    );
    hold_look(&mapped);

    let tried = keeper.run(&first, "dry_run").await;
    assert_eq!((counts(&tried), listed(&server)), (json!([2, 0, 0, 1, 0]), 0));
    assert_eq!(tried["run"]["worst"][0]["home"], "h-3");
    assert_eq!(
        (&tried["run"]["outcome"], &tried["run"]["run_id"]),
        (&json!("complete"), &Value::Null)
    );
    assert!(keeper.imports().await.is_empty(), "a dry run is none");

    let done = keeper.run(&first, "import").await;
    assert_eq!((counts(&done), listed(&server)), (json!([2, 0, 0, 1, 0]), 2));
    let report = keeper.staff.client();
    let report = report.get(server.url(&format!("{}/report", path_of(&first))));
    let report = report.send().await.unwrap().text().await.unwrap();
    assert_eq!(report.matches("\"added\"").count(), 2, "{report}");
    let run = until(|| async {
        let runs = keeper.imports().await;
        runs.first().filter(|run| run["outcome"] == "complete").cloned()
    })
    .await;
    assert_eq!(
        (&run["run_id"], &run["by"]),
        (&done["run"]["run_id"], &json!("staff"))
    );
    assert_eq!(
        (&run["feed"], &run["has_report"]),
        (&json!("north"), &json!(true))
    );
}

/// The choices of the last import are there for the next file; the same request again makes no second run.
#[tokio::test]
async fn next_file_of_a_feed_begins_with_its_map() {
    let server = Server::start();
    let keeper = Keeper::open(&server).await;
    let first = keeper.upload("north", houses()).await;
    keeper.change_map(&first, &map()).await;
    keeper.settled(&first).await;
    keeper.run(&first, "import").await;
    let next = keeper
        .upload(
            "north",
            file(&[row("h-1", "Loft", "Sky Pod"), row("h-4", "Quay", "Studio")]),
        )
        .await;
    assert_eq!(
        (&next["map_from"], &next["is_looked"]),
        (&json!("kept"), &json!(true))
    );
    let path = format!("{}/runs", path_of(&next));
    let body = json!({ "kind": "import", "missing": "report", "missing_limit": null });
    for _ in 0..2 {
        let asked = keeper
            .staff
            .call(
                Method::POST,
                &path,
                Some(body.clone()),
                &[("idempotency-key", "once")],
            )
            .await;
        assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.body);
        let done = keeper.settled(&next).await;
        assert_eq!(counts(&done), json!([1, 0, 1, 0, 1]));
        assert_eq!(done["run"]["absent"], json!(["h-2"]));
    }
    let runs = until(|| async {
        let runs = keeper.imports().await;
        (runs.len() >= 2).then_some(runs)
    })
    .await;
    assert_eq!(runs.len(), 2);

    let other = keeper.upload("north", b"id,name\n1,Loft\n".to_vec()).await;
    assert_eq!(other["map_from"], "suggested");
    assert!(other["kept_fault"].as_str().unwrap().contains("`ref`"), "{other}");
    let gone = keeper.staff.delete(&path_of(&other)).await;
    assert_eq!(gone.status, StatusCode::OK, "{}", gone.body);
    assert_eq!(
        keeper.staff.get(&path_of(&other)).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn file_that_is_no_feed_is_refused_with_a_way_out() {
    let server = Server::start();
    let keeper = Keeper::open(&server).await;
    let cases: [(&[u8], &str); 6] = [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"<!doctype html><title>Log in</title>", "web_page"),
        (b"\x1f\x8b\x08\x00aaaa", "packed"),
        (b"PK\x03\x04\x14\x00", "packed"),
        (b"%PDF-1.7", "not_a_feed"),
    ];
    for (bytes, code) in cases {
        let (status, body) = keeper.send("north", bytes.to_vec()).await;
        let error = &body["errors"][0];
        assert_eq!(
            (status, &error["code"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(code)),
            "{body}"
        );
        assert_eq!(error["field"], "file");
    }
    let (status, body) = keeper.send("%20", houses()).await;
    assert_eq!(
        (status, &body["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("feed"))
    );
    let listed = keeper.staff.get(UPLOADS).await;
    assert_eq!(listed.data()["uploads"], json!([]), "nothing is left of them");
}

/// What only reading finds is said by the look, so that a map can still name list, sign or encoding.
#[tokio::test]
async fn file_or_map_that_cannot_be_used_says_why() {
    let server = Server::start();
    let keeper = Keeper::open(&server).await;
    let long = format!("{HEAD}\n{}\n", row("h-1", &"x".repeat(9 * 1024 * 1024), "Studio"));
    let long = keeper.upload("north", long.into_bytes()).await;
    assert_eq!(long["upload"]["stage"], "failed");
    assert!(
        long["fault"].as_str().unwrap().contains("longer than"),
        "{}",
        long["fault"]
    );
    let bare = keeper.upload("north", format!("{HEAD}\n").into_bytes()).await;
    assert!(
        bare["fault"].as_str().unwrap().contains("no rows"),
        "{}",
        bare["fault"]
    );
    let refused = keeper.ask_for_run(&bare, "import").await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "not_looked")
    );

    let wrong = keeper.upload("north", houses()).await;
    for (map, named) in [
        (json!({ "columns": { "name": "titel" } }), "`titel`"),
        (json!({ "columns": { "colour": "kind" } }), "`colour`"),
        (json!({ "sheet": 2 }), "sheet"),
    ] {
        let refused = keeper.change_map(&wrong, &map).await;
        assert_eq!(
            (refused.status, refused.fields()),
            (StatusCode::UNPROCESSABLE_ENTITY, vec!["map"])
        );
        assert!(refused.body.to_string().contains(named), "{}", refused.body);
    }
    let latin = String::from_utf8(file(&[row("h-1", "Müller", "Studio")])).unwrap();
    let latin: Vec<u8> = latin
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect();
    let latin = keeper.upload("north", latin).await;
    assert_eq!(latin["look"]["has_unreadable_letters"], true);
}

/// Killed, and stopped by a person: each home is there once at the end, and the log says how each run ended.
#[tokio::test(flavor = "multi_thread")]
async fn run_that_is_cut_off_or_stopped_can_be_begun_again() {
    const HOMES: usize = 1_500;
    let mut server = Server::start();
    let rows: Vec<String> = (0..HOMES)
        .map(|number| row(&format!("h-{number}"), &format!("Loft {number}"), "Studio"))
        .collect();
    let upload = {
        let keeper = Keeper::open(&server).await;
        let upload = keeper.upload("north", file(&rows)).await;
        keeper.change_map(&upload, &map()).await;
        let upload = keeper.settled(&upload).await;
        let asked = keeper.ask_for_run(&upload, "import").await;
        assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.body);
        upload
    };
    until(|| async { (listed(&server) > 0).then_some(()) }).await;
    server.restart();
    let staff = Visitor::new(&server);
    staff.log_in_as("admin").await;
    let keeper = Keeper {
        server: &server,
        staff,
    };
    let cut_off = keeper.settled(&upload).await;
    let stage = cut_off["upload"]["stage"].as_str().unwrap();
    assert!(["stopped", "done"].contains(&stage), "{cut_off}");
    if stage == "stopped" {
        assert_eq!(cut_off["stopped_by"], "server");
    }
    let asked = keeper.ask_for_run(&upload, "import").await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.body);
    let busy = keeper.ask_for_run(&upload, "import").await;
    assert!(
        [StatusCode::CONFLICT, StatusCode::ACCEPTED].contains(&busy.status),
        "{}",
        busy.body
    );
    let cancelled = keeper
        .staff
        .post(&format!("{}/cancel", path_of(&upload)), json!({}))
        .await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.body);
    let stopped = keeper.settled(&upload).await;
    let stage = stopped["upload"]["stage"].as_str().unwrap();
    assert!(["stopped", "done"].contains(&stage), "{stopped}");
    let done = keeper.run(&upload, "import").await;
    assert_eq!(done["upload"]["stage"], "done", "{}", done["fault"]);
    assert_eq!(done["run"]["rows"], HOMES);
    assert_eq!(listed(&server), HOMES as u64);
    until(|| async {
        let runs = keeper.imports().await;
        runs.iter().all(|run| run["outcome"].is_string()).then_some(())
    })
    .await;
}

/// Every node answers for an upload; the one that has the file works on it.
#[tokio::test(flavor = "multi_thread")]
async fn node_that_has_the_file_works_for_all() {
    let database = tests::cluster().database();
    let settings = [
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_DATABASE", &*database),
    ];
    let (one, other) = (Server::with(&settings), Server::with(&settings));
    let here = Keeper::open(&one).await;
    let upload = here.upload("north", houses()).await;
    assert_eq!(upload["is_here"], true);
    let there = Keeper {
        server: &other,
        staff: here.staff.moved(&other),
    };
    there.change_map(&upload, &map()).await;
    let looked = there.settled(&upload).await;
    assert_eq!(
        (&looked["is_here"], &looked["is_looked"]),
        (&json!(false), &json!(true))
    );
    let done = there.run(&upload, "import").await;
    assert_eq!(counts(&done), json!([2, 0, 0, 1, 0]));
    assert_eq!(listed(&other), 2);
}
