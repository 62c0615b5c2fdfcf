//! What an operator and staff do about read models while the server serves: look, try again, build anew, roll back, replay.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::operations::succeeds;
use crate::visitor::{Visitor, enquiry};

fn read_models(server: &Server) -> rusqlite::Connection {
    let stored = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
    stored.busy_timeout(Duration::from_secs(30)).unwrap();
    stored
}

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_login_that_was_left_out_is_seen_in_the_workspace_and_taken_in_once_the_cause_is_gone() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let stored = read_models(&server);
    // The fault: a second login cannot be taken in.
    stored
        .execute_batch("create unique index planted on session (length(token_digest))")
        .unwrap();
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
    let logins = || -> i64 {
        stored
            .query_row("select count(*) from session", [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(logins(), 1);

    let retry = "/api/v0/workspace/read_models/session/retry";
    let early = admin.post(retry, json!({})).await;
    assert_eq!(
        (early.status, &early.data()["parked"]),
        (StatusCode::OK, &json!(1))
    );
    stored.execute_batch("drop index planted").unwrap();
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spoilt_row_is_found_repaired_and_rolled_back_while_people_read_without_one_error() {
    let server = Server::start();
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
        let stored = read_models(&server);
        let owner = || -> Option<String> {
            stored
                .query_row("select owner from lead_board", [], |row| row.get(0))
                .unwrap()
        };
        stored
            .execute_batch("update lead_board set owner = 'nobody we know'")
            .unwrap();
        let (same, told) = said(&server, &["rebuild", "lead_board", "--compare"]).await;
        assert!(
            !same && told.contains("1 read models are not what the log says"),
            "{told}"
        );
        succeeds(server.command(&["rebuild", "lead_board"])).await;
        assert_eq!(owner(), None);
        succeeds(server.command(&["rebuild", "lead_board", "--rollback"])).await;
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
        assert!(told.contains("no projection is called `nothing`"), "{told}");
        over.store(true, Relaxed);
    };
    futures::future::join(reading, operating).await;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_node_says_which_one_folds_and_shows_what_was_written_and_another_folds_when_that_one_is_killed()
 {
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
