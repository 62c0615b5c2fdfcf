//! A file of the log or of its keys is deleted or emptied under a running server: it answers for nothing more from that moment
//! on, says which file it was, and whatever it had answered for is there after the next start, where anything is left to save.

use std::path::{Path, PathBuf};

use reqwest::StatusCode;
use serde_json::Value;
use tempfile::TempDir;
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

/// A server that has answered so many enquiries, and the folder of its data, which lies in the one that is to be kept.
async fn after_enquiries() -> (TempDir, PathBuf, Server) {
    let folder = tempfile::tempdir().unwrap();
    let (files, output) = (folder.path().join("data"), folder.path().join("server.log"));
    std::fs::create_dir(&files).unwrap();
    let server = served(&files, &output);
    for number in 0..ANSWERED {
        let (status, body) = send(&server, number).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
    }
    (folder, files, server)
}

/// Enquiries in the log.
fn enquired(folder: &Path) -> u32 {
    let log = rusqlite::Connection::open(folder.join("log.db")).unwrap();
    let count = "select count(*) from event where event_type = 'LeadEnquired'";
    log.query_row(count, [], |row| row.get(0)).unwrap()
}

async fn stops_taking(server: &Server, file: &str, what: &str) {
    takes_nothing(server, file).await;
    says(server, &format!("{file}` {what}")).await;
}

async fn takes_nothing(server: &Server, file: &str) {
    // Nothing is answered as done from this moment on; a read that failed before the log has looked is told as `busy`.
    until(async || {
        let (status, body) = send(server, ANSWERED).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{file}: {body}");
        (body["message"]["code"] == "storage_unavailable").then_some(())
    })
    .await;
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
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_ahead_is_saved_when_its_file_is_deleted() {
    for file in ["log.db-wal", "log.db-shm", "keys.db-wal", "keys.db-shm"] {
        let (_kept, data, mut server) = after_enquiries().await;
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

async fn says(server: &Server, what: &str) {
    until(async || server.logged().contains(what).then_some(())).await;
}

/// What was written ahead is saved though whoever reads has made an empty file of that name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_wal_is_saved_despite_a_readers_empty_file() {
    for file in ["log.db-wal", "keys.db-wal"] {
        let (_kept, data, mut server) = after_enquiries().await;
        std::fs::remove_file(data.join(file)).unwrap();
        // So does SQLite for every connection that is opened to read.
        std::fs::write(data.join(file), "").unwrap();
        stops_taking(&server, file, "is another file than the one that was opened").await;
        says(&server, "is moved into the file itself").await;
        server.kill();
        server.restart();
        assert_eq!(enquired(&data), ANSWERED, "{file}");
        server.run(&["verify"]);
        server.run(&["doctor"]);
    }
}

/// No command opens a log whose write-ahead file is gone under its server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_refuse_a_log_whose_wal_is_gone_under_its_server() {
    let (_kept, data, mut server) = after_enquiries().await;
    let reader = rusqlite::Connection::open(data.join("log.db")).unwrap();
    reader.execute_batch("begin; select count(*) from event").unwrap();
    let (status, body) = send(&server, ANSWERED + 1).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    std::fs::remove_file(data.join("log.db-wal")).unwrap();
    stops_taking(&server, "log.db-wal", "was deleted or moved away").await;
    let unsafe_to_open = "do not stop the server before";
    let said = server.refused(&["verify"]);
    assert!(said.contains(unsafe_to_open), "{said}");
    let looked = server.command(&["doctor"]).output().unwrap();
    let found = String::from_utf8_lossy(&looked.stdout);
    assert!(found.contains(unsafe_to_open), "{found}");
    assert!(!data.join("log.db-wal").exists(), "neither has made one");
    reader.execute_batch("commit").unwrap();
    says(&server, "is moved into the file itself").await;
    drop(reader);
    server.kill();
    server.restart();
    assert_eq!(enquired(&data), ANSWERED + 1);
    server.run(&["verify"]);
}

/// What was written ahead is missed when its file is emptied or cut short. A write that was under way at that moment makes the file long
/// again: then what was lost is found as damage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emptied_or_shortened_wal_is_noticed() {
    for (left, then) in [(0, 0), (8_192, 8_192), (0, 400_000)] {
        let (_kept, data, server) = after_enquiries().await;
        let ahead = std::fs::OpenOptions::new()
            .write(true)
            .open(data.join("log.db-wal"))
            .unwrap();
        ahead.set_len(left).unwrap();
        ahead.set_len(then).unwrap();
        // Until the writer looks, whoever reads may be the first to miss it.
        let causes = [
            "log.db-wal` was emptied or cut short",
            "it is damaged or another file",
        ];
        let said = || causes.iter().find(|cause| server.logged().contains(**cause));
        until(async || said().map(|_| ())).await;
        takes_nothing(&server, "log.db-wal").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_key_is_in_the_write_ahead_file_alone() {
    let (_kept, data, mut server) = after_enquiries().await;
    server.kill();
    std::fs::write(data.join("keys.db-wal"), "").unwrap();
    std::fs::remove_file(data.join("keys.db-shm")).unwrap();
    server.restart();
    assert_eq!(enquired(&data), ANSWERED);
    // It finds the key of everybody.
    server.run(&["doctor"]);
}

/// What was written ahead is saved once nobody reads what is older.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pending_wal_is_saved_once_older_readers_are_gone() {
    let (_kept, data_dir, mut server) = after_enquiries().await;
    let reader = rusqlite::Connection::open(data_dir.join("log.db")).unwrap();
    reader.execute_batch("begin; select count(*) from event").unwrap();
    let (status, body) = send(&server, ANSWERED + 1).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    std::fs::remove_file(data_dir.join("log.db-wal")).unwrap();
    stops_taking(&server, "log.db-wal", "was deleted or moved away").await;
    says(&server, "do not stop the server before").await;
    reader.execute_batch("commit").unwrap();
    says(&server, "is moved into the file itself").await;
    drop(reader);
    server.kill();
    server.restart();
    assert_eq!(enquired(&data_dir), ANSWERED + 1);
    server.run(&["verify"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_given_a_key_of_a_file_that_was_deleted() {
    let (_kept, data, server) = after_enquiries().await;
    std::fs::remove_file(data.join("keys.db")).unwrap();
    stops_taking(&server, "keys.db", "was deleted or moved away").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_was_emptied_where_it_lies_is_not_written_on() {
    for file in ["log.db", "keys.db"] {
        let (_kept, data, server) = after_enquiries().await;
        std::fs::write(data.join(file), "").unwrap();
        stops_taking(&server, file, "was emptied").await;
    }
}

/// Of a file beside the log whose loss would take what is written now with it, nothing is written any more; of the others it is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_taken_away_beside_the_log_is_told_with_what_to_do() {
    let told = async |server: &Server, file: &str| {
        until(async || {
            let ready = reqwest::get(server.url("/readyz")).await.unwrap();
            let ready: Value = ready.json().await.unwrap();
            let gone = ready["gone_files"].as_array().cloned().unwrap_or_default();
            let gone = gone.into_iter().find(|gone| gone["file"] == file)?;
            Some((ready["status"].clone(), gone))
        })
        .await
    };
    for file in ["handles.key", "desk.db"] {
        let (_kept, data, server) = after_enquiries().await;
        std::fs::remove_file(data.join(file)).unwrap();
        stops_taking(&server, file, "was deleted or moved away").await;
        let (_, gone) = told(&server, file).await;
        assert!(gone["advice"].as_str().unwrap().contains("backup"), "{gone}");
    }
    let (_kept, data, server) = after_enquiries().await;
    std::fs::remove_file(data.join("reactor.db")).unwrap();
    let (status, gone) = told(&server, "reactor.db").await;
    assert_eq!(status, "degraded");
    assert!(
        gone["advice"].as_str().unwrap().contains("anew from the log"),
        "{gone}"
    );
    std::fs::remove_dir_all(data.join("heads")).unwrap();
    let (_, gone) = told(&server, "heads").await;
    assert!(
        gone["advice"].as_str().unwrap().contains("copy outside"),
        "{gone}"
    );
    let (status, body) = send(&server, ANSWERED).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
}
