//! What an operator and staff do about read models while the server serves: look, try again, build anew, roll back, replay.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{Server, sample};

use crate::market::until;
use crate::operations::succeeds;
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/import/listings.toml");

/// What a command says, and whether it succeeds, while everything else goes on.
async fn said(server: &Server, arguments: &[&str]) -> (bool, String) {
    let mut command = server.command(arguments);
    let ended = tokio::task::spawn_blocking(move || command.output())
        .await
        .unwrap()
        .unwrap();
    let said = [ended.stdout, ended.stderr].concat();
    (
        ended.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

async fn standing(staff: &Visitor<'_>, name: &str) -> Value {
    let asked = staff.get("/api/v0/workspace/read_models").await;
    assert_eq!(asked.status, StatusCode::OK);
    let models = asked.data()["read_models"].as_array().unwrap().clone();
    models.into_iter().find(|model| model["name"] == name).unwrap()
}

/// A login that was left out is seen in the workspace and taken in once the cause is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parked_login_is_shown_and_retried_in_the_workspace() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    // The fault: a second login cannot be taken in.
    let spoilt = "create unique index planted on session (length(token_digest))";
    stored::change(&server, Part::ReadModels, spoilt);
    let mei = Visitor::new(&server);
    mei.log_in("mei@uni.example").await;
    let left_out = until(|| async {
        let model = standing(&admin, "session").await;
        (model["parked"] == 1).then_some(model)
    })
    .await;
    let event = &left_out["left_out"][0];
    assert_eq!(event["event_type"], "UserSessionOpened", "{left_out}");
    assert!(
        event["stream"].as_str().unwrap().starts_with("user-"),
        "{left_out}"
    );
    assert!(!event["error"].as_str().unwrap().is_empty() && event["since"].is_string());
    let ready: Value = reqwest::get(server.url("/readyz"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(ready["status"], "degraded");
    let logins = || stored::number(&server, Part::ReadModels, "select count(*) from session");
    assert_eq!(logins(), 1);

    let retry = "/api/v0/workspace/read_models/session/retry";
    let early = admin.post(retry, json!({})).await;
    assert_eq!(
        (early.status, &early.data()["parked"]),
        (StatusCode::OK, &json!(1))
    );
    stored::change(&server, Part::ReadModels, "drop index planted");
    let retried = admin.post(retry, json!({})).await;
    assert_eq!((&retried.data()["parked"], logins()), (&json!(0), 2));
    let known = mei.get("/api/v0/users/activity").await;
    assert_eq!(known.status, StatusCode::OK, "the login counts now");
    until(|| async { (standing(&admin, "session").await["parked"] == 0).then_some(()) }).await;

    let unknown = admin
        .post("/api/v0/workspace/read_models/none/retry", json!({}))
        .await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// A spoilt row is found repaired and rolled back while people read without one error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spoilt_row_is_found_repaired_and_rolled_back_under_reads() {
    let mut server = Server::start();
    server.unlike_its_log("a spoilt row is put back");
    let person = Visitor::new(&server);
    let sent = person
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let link = format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
    let over = AtomicBool::new(false);
    let reading = async {
        let mut looks = 0;
        while !over.load(Relaxed) || looks < 10 {
            for address in [link.as_str(), "/api/v1/inventories?limit=5", "/api/v0/regions"] {
                let read = person.get(address).await;
                assert_eq!(read.status, StatusCode::OK, "{address}");
            }
            looks += 1;
        }
    };
    let operating = async {
        let (same, told) = said(&server, &["rebuild", "--compare"]).await;
        assert!(same && told.contains("the same: "), "{told}");
        let owner = || stored::cell(&server, Part::ReadModels, "select owner from lead_board");
        let spoilt = "update lead_board set owner = 'nobody we know'";
        stored::change(&server, Part::ReadModels, spoilt);
        let (same, told) = said(&server, &["rebuild", "lead_board", "--compare"]).await;
        assert!(
            !same && told.contains("1 read models are not what the log says"),
            "{told}"
        );
        succeeds(server.command(&["rebuild", "lead_board"])).await;
        assert_eq!(owner(), None);
        let (done, told) = said(&server, &["rebuild", "lead_board", "--rollback"]).await;
        assert!(
            done && told.contains("those that served until now, through event"),
            "{told}"
        );
        assert_eq!(
            owner().as_deref(),
            Some("nobody we know"),
            "what served before serves again"
        );
        let (done, told) = said(&server, &["rebuild"]).await;
        assert!(
            done && told.contains("lead_board: 2 rows of `lead_board`"),
            "{told}"
        );
        assert_eq!(owner(), None);
        let (_, told) = said(&server, &["rebuild", "nothing"]).await;
        let known = "no read model is called `nothing`; there are approvals, brands, case_board, import_runs, inventory_page, journey, lead_board";
        assert!(told.contains(known), "{told}");
        over.store(true, Relaxed);
    };
    futures::future::join(reading, operating).await;
}

/// An administrator lets the rows of before serve again and undoes that while the server goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrator_rolls_read_models_back_and_forth_live() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let asks = async |number: u8| {
        let person = Visitor::new(&server);
        let email = format!("mei{number}@example.com");
        let sent = person.post("/api/v0/leads", enquiry("Mei Lin", &email)).await;
        let link = format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
        assert_eq!(person.get(&link).await.status, StatusCode::OK);
        sent.body["position"].as_u64().unwrap()
    };
    let one_more = async |way: &str| {
        let path = format!("/api/v0/workspace/read_models/lead_board/{way}");
        admin.post(&path, json!({})).await
    };
    let kept = async || standing(&admin, "lead_board").await["kept_through"].clone();
    let owners = || {
        let asked = "select coalesce(owner, '') from lead_board order by created_at";
        let rows = stored::rows(&server, Part::ReadModels, asked).into_iter();
        rows.flatten().flatten().collect::<Vec<String>>()
    };
    asks(1).await;
    assert_eq!(kept().await, Value::Null);
    let early = one_more("rollback").await;
    assert_eq!(
        early.status,
        StatusCode::CONFLICT,
        "nothing is kept: {}",
        early.body
    );
    let spoilt = "update lead_board set owner = 'nobody we know'";
    stored::change(&server, Part::ReadModels, spoilt);
    let rebuilt = one_more("rebuild").await;
    assert_eq!(rebuilt.data()["repaired"], 2, "{}", rebuilt.body);
    let before = kept().await;
    assert!(before.is_u64(), "{before}");
    let second = asks(2).await;

    let back = one_more("rollback").await;
    assert_eq!(back.status, StatusCode::OK, "{}", back.body);
    assert_eq!(back.data()["serves_through"], before);
    assert!(back.data()["kept_through"].as_u64().unwrap() >= second);
    assert_eq!(kept().await, back.data()["kept_through"]);
    // What was written since is taken in by these rows too, and so is what is new.
    assert_eq!(owners(), ["nobody we know", ""]);
    asks(3).await;
    assert_eq!(owners(), ["nobody we know", "", ""]);

    let again = one_more("rollback").await;
    assert_eq!(
        again.data()["serves_through"],
        back.data()["kept_through"],
        "{}",
        again.body
    );
    assert_eq!(owners(), ["", "", ""]);
    let unknown = admin
        .post("/api/v0/workspace/read_models/none/rollback", json!({}))
        .await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// Who rolls the logins back is still logged in when the answer comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrator_who_rolls_logins_back_stays_logged_in() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let early = Visitor::new(&server);
    early.log_in_as("admin").await;
    let rebuilt = early
        .post("/api/v0/workspace/read_models/session/rebuild", json!({}))
        .await;
    assert_eq!(rebuilt.status, StatusCode::OK, "{}", rebuilt.body);
    for number in 0..3 {
        let late = Visitor::new(&server);
        let email = format!("late{number}@staff.example");
        server.run(&["grant", "--email", &email, "--role", "admin"]);
        late.log_in(&email).await;
        let back = late
            .post("/api/v0/workspace/read_models/session/rollback", json!({}))
            .await;
        assert_eq!(back.status, StatusCode::OK, "{}", back.body);
        let asked = late.get("/api/v0/workspace/read_models").await;
        assert_eq!(asked.status, StatusCode::OK, "{}", asked.body);
    }
}

#[tokio::test]
async fn a_read_model_is_replayed_as_it_was_at_an_event() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let person = Visitor::new(&server);
    let mut positions = Vec::new();
    for number in 0..2 {
        let email = format!("mei{number}@example.com");
        let sent = person.post("/api/v0/leads", enquiry("Mei Lin", &email)).await;
        assert_eq!(sent.status, StatusCode::CREATED);
        positions.push(sent.body["position"].as_u64().unwrap());
    }
    let leads = |at: u64| {
        let said = server.run(&["replay", "--projection", "lead_board", "--at", &at.to_string()]);
        let rows = said
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.filter(|row| row["table"] == "lead_board").count()
    };
    assert_eq!((leads(0), leads(positions[0]), leads(positions[1])), (0, 1, 2));
}

/// The promise after a kill.
const TAKEN_OVER: Duration = Duration::from_secs(5);

/// Every node says which one folds and shows what was written and another folds when that one is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn projecting_node_is_named_by_all_and_replaced_when_killed() {
    let url = tests::cluster().database();
    let start = || {
        Server::with(&[
            ("LATCHKEY_DATABASE", url.as_str()),
            ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ])
    };
    let mut first = start();
    let second = start();
    let admin = Visitor::new(&second);
    admin.log_in_as("admin").await;
    let before = admin.get("/api/v0/workspace/read_models").await.data().clone();
    assert_eq!(before["folds_here"], false, "{before}");
    let reads_its_own = async |name: &str| {
        let person = Visitor::new(&second);
        let sent = person.post("/api/v0/leads", enquiry("Mei Lin", name)).await;
        let link = format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
        person.get(&link).await.status
    };
    assert_eq!(reads_its_own("one@example.com").await, StatusCode::OK);
    // Built anew from another process, and by the node that does not fold.
    let (same, told) = said(&first, &["rebuild"]).await;
    assert!(same && !told.contains("are not what the log says"), "{told}");
    let rebuilt = admin
        .post("/api/v0/workspace/read_models/lead_board/rebuild", json!({}))
        .await;
    assert_eq!(rebuilt.data()["repaired"], 0);
    assert_eq!(reads_its_own("two@example.com").await, StatusCode::OK);

    first.kill();
    let killed = Instant::now();
    until(|| async {
        let now = admin.get("/api/v0/workspace/read_models").await.data().clone();
        (now["folds_here"] == true && now["owner"] != before["owner"]).then_some(())
    })
    .await;
    assert!(
        killed.elapsed() < TAKEN_OVER,
        "taken over after {:?}",
        killed.elapsed()
    );
    assert_eq!(reads_its_own("three@example.com").await, StatusCode::OK);
}

/// A feed says what the home is called; it keeps its address.
fn import(server: &Server, name: &str) {
    let feed = server.folder().join("feed.csv");
    let report = server.folder().join("errors.csv");
    let rows = format!(
        "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n\
         u-1,{name},GB,Leeds,53.8,-1.5,50,GBP,night,Private room,,\n"
    );
    std::fs::write(&feed, rows).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    server.run(&["import", feed, "--map", MAP, "--report", report]);
}

/// Leads for a home that is renamed between them are folded anew under the name of their day.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leads_of_a_renamed_home_are_refolded_under_the_old_name() {
    let server = Server::start();
    for (name, writer) in [("Aspen Hall", "aspen-hall"), ("Birch Hall", "birch-hall")] {
        import(&server, name);
        let person = Visitor::new(&server);
        let home = until(|| async {
            let found = person.get("/api/v1/inventories?limit=5").await;
            let home = &found.data()["result"][0];
            (home["name"] == name).then(|| home["id"].clone())
        })
        .await;
        let mut body = enquiry("Mei Lin", &format!("{writer}@example.com"));
        body["lead"]["inventory_id"] = home;
        let sent = person.post("/api/v0/leads", body).await;
        assert!(sent.status.is_success(), "{}", sent.body);
    }
    let homes = until(|| async {
        let asked = "select property from lead_board order by created_at";
        let rows = stored::rows(&server, Part::ReadModels, asked).into_iter();
        let homes: Vec<String> = rows.flatten().flatten().collect();
        (homes.len() == 2).then_some(homes)
    })
    .await;
    assert_eq!(homes, ["Aspen Hall, Leeds", "Birch Hall, Leeds"]);
    let (same, told) = said(&server, &["rebuild", "--compare"]).await;
    assert!(same, "{told}");
}

/// Rows and searches that are not what the log says fail their story.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_stale_rows_and_searches_are_noticed() {
    let planted = [
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_PLANTED_FAULT", "index_stands_still"),
    ];
    let mut server = Server::with(&planted);
    let named = async |server: &Server, name: &str| {
        import(server, name);
        let known = format!("select count(*) from listing_name where property = '{name}'");
        until(|| async { (stored::number(server, Part::ReadModels, &known) > 0).then_some(()) }).await;
    };
    named(&server, "Aspen Hall").await;
    // A feed is written in several transactions; the index knows what it found when it started.
    server.restart();
    let person = Visitor::new(&server);
    until(|| async {
        let found = person.get("/api/v1/inventories?limit=5").await;
        (found.data()["meta"]["count"] == 1).then_some(())
    })
    .await;
    named(&server, "Birch Hall").await;
    // Another process wrote that: the server has to hear of it.
    let last = stored::number(&server, Part::Log, "select max(position) from event");
    until(|| async {
        let ready: Value = reqwest::get(server.url("/readyz"))
            .await
            .ok()?
            .json()
            .await
            .ok()?;
        (ready["head"] == last).then_some(())
    })
    .await;
    let spoilt = "update listing_name set property = 'spoilt'";
    stored::change(&server, Part::ReadModels, spoilt);
    let found = server.differences().join("\n");
    assert!(found.contains("rows of `listing_name`"), "{found}");
    assert!(found.contains("/api/v1/inventories"), "{found}");
}

/// Read models that the demo catalogue fills; the gate folds one of them anew.
const FILLED: [&str; 2] = ["inventory_page", "listing_name"];

/// The demo catalogue is searched and shown as it is folded anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn demo_catalogue_is_served_as_it_is_folded_anew() {
    let mut server = Server::with_catalogue();
    let person = Visitor::new(&server);
    let sent = person
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert!(sent.status.is_success(), "{}", sent.body);
    if tests::sample::is_whole() {
        assert_eq!(server.differences(), Vec::<String>::new());
    } else {
        let model = sample!().dice.one_of(&FILLED).to_owned();
        let (same, told) = said(&server, &["rebuild", model, "--compare"]).await;
        assert!(same, "{told}");
    }
}
