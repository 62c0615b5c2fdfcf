//! What an operator sees of a folder from the command line: a stream replayed to a moment, and whether all is well.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{Server, in_files};

use crate::market::log_of;
use crate::visitor::{Visitor, enquiry};

const NAME: &str = "Philippa Quill";
const EMAIL: &str = "philippa@example.com";
/// What the change of the lead looks like in the log.
const CHANGE: &str = "\"budget\":275";

/// A lead is replayed to a moment and a request over all streams without naming anybody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replay_shows_a_lead_and_a_request_without_personal_data() {
    let server = Server::start();
    let visitor = Visitor::new(&server);
    let sent = visitor.post("/api/v0/leads", enquiry(NAME, EMAIL)).await;
    let lead = sent.data()["lead_uuid"].as_str().unwrap().to_owned();
    let position = sent.body["position"].as_u64().unwrap();
    let path = format!("/api/v0/leads/{lead}");
    let changed = visitor
        .put(&path, json!({ "lead": { "data": { "budget": 275 } } }))
        .await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);

    let log = log_of(&server).await;
    let events = log.read_all(0, 1_000).await.unwrap();
    let submitted = events
        .iter()
        .find(|event| event.event_type == "LeadEnquired")
        .unwrap();
    let stream = submitted.stream.to_string();
    let now = server.run(&["replay", &stream]);
    let then = server.run(&["replay", &stream, "--until", &position.to_string()]);
    assert!(now.contains(CHANGE) && !then.contains(CHANGE), "{now}\n\n{then}");
    assert!(then.contains("LeadEnquired"), "{then}");
    let (_, state) = now.split_once(":\n").unwrap();
    let state: Value = serde_json::from_str(state).unwrap();
    assert!(state.to_string().contains(CHANGE), "{state}");
    let before = server.refused(&["replay", &stream, "--until", "2020-01-01T00:00:00Z"]);
    assert!(before.contains("holds nothing of"), "{before}");
    let other_flag = server.refused(&["replay", &stream, "--at", "3"]);
    assert!(other_flag.contains("--at"), "{other_flag}");
    let nothing = server.refused(&["replay"]);
    assert!(
        nothing.contains("<STREAM|--correlation <CORRELATION>|--projection <PROJECTION>>"),
        "{nothing}"
    );
    let unknown = server.refused(&["replay", "house-1"]);
    assert!(
        unknown.contains("is no stream") && unknown.contains("booking_form"),
        "{unknown}"
    );

    let request = server.run(&["replay", "--correlation", &submitted.correlation_id.to_string()]);
    assert!(
        request.contains("LeadEnquired") && request.contains(&stream),
        "{request}"
    );
    for told in [&now, &then, &request] {
        assert!(!told.contains("Philippa") && !told.contains(EMAIL), "{told}");
    }
}

/// Who has read enough of what a command prints ends it without a failure.
#[test]
fn command_output_may_be_cut_off_without_failure() {
    let server = Server::start();
    for arguments in [
        &["doctor"][..],
        &["signing-key"],
        &["verify"],
        &["contract"],
        &["rebuild", "journey"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = server.command(arguments).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    }
}

/// A replay of a read model that is stopped leaves no folder behind.
#[test]
fn replay_that_is_stopped_leaves_no_folder() {
    let room = tempfile::tempdir().unwrap();
    let folders = || std::fs::read_dir(room.path()).unwrap().count();
    // Nobody reads on: it stands in the middle of its rows.
    let mut replay = Server::shared()
        .command(&["replay", "--projection", "inventory_page", "--at", "5000"])
        .env("TMPDIR", room.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    replay.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(folders(), 1);
    let asked = Command::new("kill").arg(replay.id().to_string()).status();
    assert!(asked.unwrap().success());
    let ended = replay.wait().unwrap();
    assert_eq!((ended.success(), folders()), (false, 0), "{ended}");
}

/// The doctor finds a healthy folder healthy and says what is wrong with a sick one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_passes_a_healthy_folder_and_names_faults() {
    let mut server = Server::with(&[
        in_files("files of its folder are spoilt"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    server.unlike_its_log("its folder is spoilt");
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry(NAME, EMAIL))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let healthy = server.run(&["doctor"]);
    assert!(!healthy.contains("WRONG"), "{healthy}");
    for part in [
        "disk",
        "space",
        "server",
        "keys",
        "log",
        "clock",
        "read models",
        "outbox",
    ] {
        assert!(
            healthy
                .lines()
                .any(|line| line.starts_with("ok") && line.contains(part)),
            "{part}: {healthy}"
        );
    }
    assert!(healthy.contains("one runs on this folder"), "{healthy}");
    server.kill();

    let key = server.folder().join("handles.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let connection = rusqlite::Connection::open(server.folder().join("log.db")).unwrap();
    let ahead = "update event set recorded_at = recorded_at + 3600000000 where position = (select max(position) from event)";
    connection.execute(ahead, []).unwrap();
    drop(connection);
    let read = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
    let parked = "insert into parked values ('lead_board', 1, 'lead', '0192f0c1-2b3c-7d4e-8f5a-6b7c8d9e0f1a', 'LeadEnquired', 'no such thing')";
    read.execute(parked, []).unwrap();
    drop(read);
    let sick = server.refused(&["doctor"]);
    for said in [
        "chmod 600",
        "broken at event",
        "clock went back",
        "`lead_board` leaves out",
    ] {
        assert!(sick.contains(said), "{said}: {sick}");
    }
    std::fs::remove_file(server.folder().join("keys.db")).unwrap();
    let lost = server.refused(&["doctor"]);
    assert!(lost.contains("take it from the backup"), "{lost}");
    assert!(
        !server.folder().join("keys.db").exists(),
        "the doctor changes nothing"
    );
}
