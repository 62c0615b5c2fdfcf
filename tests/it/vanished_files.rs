//! A file of the log or of its keys is deleted or emptied under a running server: it answers for nothing more from that moment
//! on, says which file it was, and whatever it had answered for is there after the next start, where anything is left to save.

use std::path::Path;

use reqwest::StatusCode;
use serde_json::Value;
use tests::{LOG_FILE, Server, in_files};

use crate::market::until;
use crate::visitor::enquiry;

/// Enquiries that are answered before the file vanishes.
const ANSWERED: u32 = 20;

fn served(folder: &Path, output: &Path) -> Server {
    let settings = [
        in_files("files of its folder are deleted"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        (LOG_FILE, output.to_str().unwrap()),
    ];
    let mut server = Server::on_with(folder, &settings);
    server.unlike_its_log("its folder is spoilt");
    server
}

async fn send(server: &Server, number: u32) -> (StatusCode, Value) {
    let client = reqwest::Client::new().post(server.url("/api/v0/leads"));
    let body = enquiry("Mei Lin", &format!("mei{number}@example.com"));
    let answer = client.json(&body).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

async fn answered(server: &Server) {
    for number in 0..ANSWERED {
        let (status, body) = send(server, number).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
    }
}

/// Enquiries in the log.
fn enquired(folder: &Path) -> u32 {
    let log = rusqlite::Connection::open(folder.join("log.db")).unwrap();
    let count = "select count(*) from event where event_type = 'LeadEnquired'";
    log.query_row(count, [], |row| row.get(0)).unwrap()
}

async fn stops_taking(server: &Server, file: &str, what: &str) {
    let (status, body) = send(server, ANSWERED).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{file}: {body}");
    assert_eq!(body["message"]["code"], "storage_unavailable", "{file}: {body}");
    // It is told a moment later than it is refused.
    until(async || {
        let ready = reqwest::get(server.url("/readyz")).await.unwrap();
        let status = ready.status();
        let ready: Value = ready.json().await.unwrap();
        let told = (&ready["status"], &ready["writes"]);
        (status == StatusCode::SERVICE_UNAVAILABLE && told == (&"read_only".into(), &"stopped".into()))
            .then_some(())
    })
    .await;
    let said = format!("{file}` {what}");
    until(async || server.logged().contains(&said).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_ahead_is_saved_when_its_file_is_deleted() {
    for file in ["log.db-wal", "log.db-shm", "keys.db-wal", "keys.db-shm"] {
        let folder = tempfile::tempdir().unwrap();
        let (data, output) = (folder.path().join("data"), folder.path().join("server.log"));
        std::fs::create_dir(&data).unwrap();
        let mut server = served(&data, &output);
        answered(&server).await;
        std::fs::remove_file(data.join(file)).unwrap();
        stops_taking(&server, file, "was deleted or moved away").await;
        server.kill();
        server.restart();
        assert_eq!(enquired(&data), ANSWERED, "{file}");
        server.run(&["verify"]);
        // Not one of their keys is missing either.
        server.run(&["doctor"]);
        let (status, body) = send(&server, ANSWERED).await;
        assert_eq!(status, StatusCode::CREATED, "{file}: {body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_ahead_is_saved_once_nobody_reads_what_is_older() {
    let folder = tempfile::tempdir().unwrap();
    let (data_dir, output) = (folder.path().join("data"), folder.path().join("server.log"));
    std::fs::create_dir(&data_dir).unwrap();
    let mut server = served(&data_dir, &output);
    answered(&server).await;
    let reader = rusqlite::Connection::open(data_dir.join("log.db")).unwrap();
    reader.execute_batch("begin; select count(*) from event").unwrap();
    let (status, body) = send(&server, ANSWERED + 1).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    std::fs::remove_file(data_dir.join("log.db-wal")).unwrap();
    stops_taking(&server, "log.db-wal", "was deleted or moved away").await;
    until(async || {
        server
            .logged()
            .contains("do not stop the server before")
            .then_some(())
    })
    .await;
    reader.execute_batch("commit").unwrap();
    until(async || {
        server
            .logged()
            .contains("is moved into the file itself")
            .then_some(())
    })
    .await;
    drop(reader);
    server.kill();
    server.restart();
    assert_eq!(enquired(&data_dir), ANSWERED + 1);
    server.run(&["verify"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_given_a_key_of_a_file_that_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (data, output) = (folder.path().join("data"), folder.path().join("server.log"));
    std::fs::create_dir(&data).unwrap();
    let server = served(&data, &output);
    answered(&server).await;
    std::fs::remove_file(data.join("keys.db")).unwrap();
    stops_taking(&server, "keys.db", "was deleted or moved away").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_was_emptied_where_it_lies_is_not_written_on() {
    for file in ["log.db", "keys.db"] {
        let folder = tempfile::tempdir().unwrap();
        let (data, output) = (folder.path().join("data"), folder.path().join("server.log"));
        std::fs::create_dir(&data).unwrap();
        let server = served(&data, &output);
        answered(&server).await;
        std::fs::write(data.join(file), "").unwrap();
        stops_taking(&server, file, "was emptied").await;
    }
}
