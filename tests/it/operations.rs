//! What an operator does to a running server.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use eventlog::{Actor, Append, Context, Expected, NewEvent, StreamAppend, StreamId};
use reqwest::StatusCode;
use serde_json::Value;
use tests::{Server, in_files};
use uuid::Uuid;

use crate::heard::{metrics, told};
use crate::market::{Market, log_of, until};
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

/// What `/readyz` says, and with which status.
async fn readiness(server: &Server) -> (StatusCode, Value) {
    let answer = reqwest::get(server.url("/readyz")).await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// Runs a command to its end while everything else goes on.
pub(crate) async fn succeeds(mut command: Command) {
    let ended = tokio::task::spawn_blocking(move || command.output())
        .await
        .unwrap()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
}

/// Read models built anew beside the running server miss nothing and it follows on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rebuild_beside_a_running_server_misses_nothing() {
    let server = Server::start();
    let rebuilt = AtomicBool::new(false);
    let enquiring = async {
        let mut links = Vec::new();
        while !rebuilt.load(Relaxed) || links.len() < 20 {
            let number = links.len();
            let person = Visitor::new(&server);
            let sent = person
                .post(
                    "/api/v0/leads",
                    enquiry("Mei Lin", &format!("mei{number}@example.com")),
                )
                .await;
            assert_eq!(sent.status, StatusCode::CREATED);
            links.push(sent.data()["lead_uuid"].as_str().unwrap().to_owned());
        }
        links
    };
    let rebuilding = async {
        for _ in 0..5 {
            succeeds(server.command(&["rebuild"])).await;
        }
        rebuilt.store(true, Relaxed);
    };
    let (links, ()) = futures::future::join(enquiring, rebuilding).await;
    let (status, ready) = until(|| async {
        let (status, ready) = readiness(&server).await;
        let models = ready["read_models"].as_array().unwrap();
        let behind = models.iter().any(|model| model["lag"] != 0);
        (!behind).then_some((status, ready))
    })
    .await;
    assert_eq!(
        (status, ready["status"].as_str()),
        (StatusCode::OK, Some("ready")),
        "{ready}"
    );
    let anybody = Visitor::new(&server);
    for link in &links {
        let read = anybody.get(&format!("/api/v0/leads/{link}")).await;
        assert_eq!(
            read.status,
            StatusCode::OK,
            "one of {} enquiries is lost",
            links.len()
        );
    }
}

/// A server whose read models stand still says so until the cause is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_read_models_are_reported_until_the_cause_is_gone() {
    let address = tests::free_address().to_string();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    let rename = |change: &str| {
        let statement = format!("alter table timeline_event rename column {change}");
        stored::change(&server, Part::ReadModels, &statement);
    };
    // The fault: what is told of a lead cannot be written, which is nobody's event's fault. A table that is gone is another one,
    // of which its read model alone rests (`dropped_tables.rs`).
    rename("sentence to planted");
    let person = Visitor::new(&server);
    let sent = person
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    let (status, ready) = until(|| async {
        let (status, ready) = readiness(&server).await;
        (ready["status"] != "ready").then_some((status, ready))
    })
    .await;
    assert_eq!(
        (status, ready["status"].as_str()),
        (StatusCode::OK, Some("degraded")),
        "{ready}"
    );
    let lag = "latchkey_read_model_lag_events{name=\"lead_timeline\"}";
    let figures = metrics(&address).await;
    assert!(told(&figures, lag) >= 1.0, "{figures}");
    rename("planted to sentence");
    until(|| async { (readiness(&server).await.1["status"] == "ready").then_some(()) }).await;
}

/// A second server on the same folder is refused before it touches anything.
#[tokio::test]
async fn second_server_on_a_folder_is_refused_untouched() {
    let server = Server::start();
    let said = server.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("another server works on"), "{said}");
    let said = server.refused(&["serve", "--listen", "localhost:8080"]);
    assert!(said.contains("such as `127.0.0.1:8080`"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_to_stop_the_server_ends_though_pages_listen() {
    let market = Market::open(&[1], &[]).await;
    let token = market.person(1, 0).begun().await;
    let url = market.server.url(&format!("/api/v0/payments/{token}/stream"));
    let mut listening = reqwest::get(url).await.unwrap();
    assert!(
        listening.chunk().await.unwrap().is_some(),
        "the payment as it stands"
    );
    market.server.ask_to_stop();
    let server = Mutex::new(market.server);
    let ended = until(|| async { server.lock().unwrap().ended() }).await;
    assert!(ended.success(), "{ended}");
    while let Ok(Some(_)) = listening.chunk().await {}
}

#[tokio::test]
async fn asked_to_stop_as_soon_as_it_greets_the_server_ends_in_order() {
    let server = Server::start();
    let mut command = server.command(&["serve", "--listen", "127.0.0.1:0"]);
    let folder = server.folder().join("another");
    command.env("LATCHKEY_DATA_DIR", folder).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut greeting)
        .unwrap();
    assert!(greeting.contains("serves"), "{greeting}");
    let asked = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(asked.unwrap().success());
    let ended = child.wait().unwrap();
    assert!(ended.success(), "{ended}");
}

/// What docs/operations.md promises, and a little for a busy machine.
const STOPS_WITHIN: Duration = Duration::from_secs(25);

/// Asked to stop the server ends though its folder is gone and a read model cannot be written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_stops_on_request_without_folder_or_read_model() {
    let server = Server::with(&[
        in_files("its folder is taken away"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let person = Visitor::new(&server);
    let stuck = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
    stuck.execute_batch("begin immediate").unwrap();
    let sent = person
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "the log can be written");
    std::fs::remove_dir_all(server.folder()).unwrap();
    server.ask_to_stop();
    let server = Mutex::new(server);
    let ending = until(|| async { server.lock().unwrap().ended() });
    let ended = tokio::time::timeout(STOPS_WITHIN, ending).await;
    let code = ended.expect("the server still runs").code();
    assert_eq!(code, Some(1), "it says that it was cut off");
    drop(stuck);
}

/// Prometheus reads what the log and the front door did on an address of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prometheus_reads_metrics_on_an_address_of_their_own() {
    let address = tests::free_address();
    let address = address.to_string();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Philippa Quill", "philippa@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let note = serde_json::json!({ "note": "Called, no answer" });
    let noted = format!(
        "/api/v0/workspace/leads/{}/notes",
        sent.data()["id"].as_str().unwrap()
    );
    assert!(desk.post(&noted, note).await.status.is_success());
    for made_up in ["BREW", "WHEN"] {
        let method = reqwest::Method::from_bytes(made_up.as_bytes()).unwrap();
        let answer = reqwest::Client::new()
            .request(method, server.url("/api/v0/leads"))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
    let told = until(|| async {
        let now = metrics(&address).await;
        // The reactor and the read models have come to rest.
        let behind = |line: &str| line.starts_with("latchkey_read_model_lag_events") && !line.ends_with(" 0");
        (!now.lines().any(behind) && told(&now, "latchkey_append_queue") < 1.0).then_some(now)
    })
    .await;
    let number = |start: &str| -> f64 {
        let line = told.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("{start} is not told:\n{told}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let enquiries = "latchkey_http_seconds_count{method=\"POST\",route=\"/api/v0/leads\",status=\"201\"}";
    assert!((number(enquiries) - 1.0).abs() < f64::EPSILON);
    assert!(number("latchkey_log_position") >= 1.0);
    assert!(number("latchkey_append_seconds_count") >= 1.0);
    assert!(number("latchkey_appends_total{end=\"written\"}") >= 1.0);
    assert!(number("latchkey_hot_states_total") >= 1.0);
    assert!(
        number("latchkey_append_queue").abs() < f64::EPSILON,
        "nothing waits"
    );
    assert!(number("latchkey_outbox_failing").abs() < f64::EPSILON);
    assert!(
        !told.contains("BREW") && number("latchkey_http_seconds_count{method=\"other\"") >= 2.0,
        "whoever makes methods up fills no memory: {told}"
    );
    assert!(!told.contains("philippa") && !told.contains("Philippa"), "{told}");
    let front = reqwest::get(server.url("/metrics")).await.unwrap();
    assert_eq!(front.status(), StatusCode::NOT_FOUND);
}

/// An event of another program, in a stream of its own, whose name it gives.
async fn from_another_program(
    server: &Server,
    kind: &str,
    (event_type, schema_version): (&str, u32),
    payload: &Value,
) -> String {
    let log = log_of(server).await;
    let event = NewEvent {
        event_id: Uuid::now_v7(),
        event_type: event_type.to_owned(),
        schema_version,
        payload: payload.to_string().into_bytes(),
        subject: None,
        personal: None,
    };
    let id = Uuid::now_v7();
    let mut append = Append::new(&Context::new(std::time::SystemTime::now().into(), Actor::SYSTEM));
    append.streams.push(StreamAppend {
        stream: StreamId::stored(kind, id),
        expected: Expected::Any,
        events: vec![event],
    });
    log.append(append).await.unwrap();
    format!("{kind}-{id}")
}

/// A stopped server whose log holds an event of an older shape, and the event's stream.
async fn with_an_event_of_before() -> (Server, String) {
    let mut server = Server::start();
    server.unlike_its_log("its log holds an event of before");
    server.kill();
    let sample: Value =
        serde_json::from_str(include_str!("../../domain/events/room_stock/HoldTaken.v1.json")).unwrap();
    let shape = ("HoldTaken", 1);
    let stream = from_another_program(&server, "room_stock", shape, &sample["payload"]).await;
    (server, stream)
}

#[tokio::test]
async fn event_of_an_older_shape_is_read_as_todays() {
    let (server, stream) = with_an_event_of_before().await;
    let said = server.run(&["replay", &stream]);
    assert!(
        said.contains("\"proved\": true") && said.contains("\"yields\": false"),
        "{said}"
    );
}

/// Without the steps from its shape to today's an event cannot be read.
#[tokio::test]
async fn control_step_between_shapes_left_out_is_noticed() {
    let (server, stream) = with_an_event_of_before().await;
    let left_out = server
        .command(&["replay", &stream])
        .env("LATCHKEY_PLANTED_FAULT", "steps_left_out")
        .output()
        .unwrap();
    assert!(!left_out.status.success(), "the planted fault was not noticed");
}

/// What a server says that does not start; one that does is stopped.
pub(crate) fn refused_to_serve(server: &Server) -> String {
    let mut command = server.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut greeting)
        .unwrap();
    // Its output ends with the process, or its first line says that it serves.
    child.kill().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(greeting.is_empty(), "{greeting}");
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// A log with events of a newer program is looked at and copied but not worked on.
#[tokio::test]
async fn log_of_a_newer_program_is_read_and_copied_not_written() {
    let mut server = Server::start();
    server.unlike_its_log("its log is for a newer program");
    server.kill();
    let enquired = serde_json::json!({ "Enquired": {} });
    from_another_program(&server, "lead", ("LeadEnquired", 3), &enquired).await;
    let feed = server.folder().join("feed.csv");
    std::fs::write(&feed, "id\n").unwrap();
    let sentence = "the log holds LeadEnquired version 3 in streams of the kind `lead`, newer than this program, which \
                    knows version 1: use the newer program that wrote it";
    for working in [
        &["rebuild"][..],
        &["replay", "--correlation", "00000000-0000-0000-0000-000000000001"],
        &["grant", "--email", "ada@staff.example", "--role", "admin"],
        &["import", feed.to_str().unwrap(), "--feed", "feed"],
    ] {
        let said = server.refused(working);
        assert!(said.contains(sentence), "{working:?}: {said}");
    }
    let said = refused_to_serve(&server);
    assert!(said.contains(sentence), "{said}");
    let sick = server.refused(&["doctor"]);
    let wrong = |line: &&str| line.starts_with("WRONG");
    let named: Vec<&str> = sick.lines().filter(wrong).collect();
    assert!(
        matches!(named[..], [line] if line.contains("LeadEnquired version 3")),
        "{sick}"
    );
    assert!(server.run(&["verify"]).contains("intact"));
    if server.database().is_some() {
        // A database is copied with its own means.
        return;
    }
    let copy = server.beside("story");
    server.run(&["backup", copy.to_str().unwrap()]);
    let restored = server.folder().join("restored");
    let said = server.run(&[
        "--data-dir",
        restored.to_str().unwrap(),
        "restore",
        copy.to_str().unwrap(),
    ]);
    assert!(said.contains("restored"), "{said}");
}
