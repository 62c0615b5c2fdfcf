//! What the server has to say is heard by nobody any more: it works on.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use reqwest::StatusCode;
use serde_json::Value;
use tests::{LOG_FILE, Server, in_files};

use crate::market::until;
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

/// Seconds in which the projector tries several times: it waits half a second after each.
const SEVERAL_TRIES: f64 = 2.0;

/// For how many seconds some read model has lacked an event.
async fn behind(url: &str) -> f64 {
    let answer = reqwest::get(format!("{url}/readyz")).await.unwrap();
    let models = answer.json::<Value>().await.unwrap()["read_models"].clone();
    let seconds = models.as_array().unwrap().iter();
    seconds
        .map(|model| model["lag_seconds"].as_f64().unwrap())
        .fold(0.0, f64::max)
}

/// Read models follow though nobody reads the log output any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_models_follow_while_log_output_is_blocked() {
    let mut server = Server::with(&[
        in_files("another process serves its folder"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    server.unlike_its_log("another process serves its folder");
    server.kill();
    let mut command = server.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut greeting)
        .unwrap();
    drop(child.stderr.take());
    let url = greeting
        .trim()
        .strip_prefix("latchkey serves ")
        .unwrap()
        .to_owned();
    let rename = |change: &str| {
        let statement = format!("alter table timeline_event rename column {change}");
        stored::change(&server, Part::ReadModels, &statement);
    };
    rename("sentence to planted");
    let sending = reqwest::Client::new()
        .post(format!("{url}/api/v0/leads"))
        .json(&enquiry("Mei Lin", "mei@example.com"));
    assert_eq!(sending.send().await.unwrap().status(), StatusCode::CREATED);
    // By then the projector has tried more than once, and logged into the void why it could not.
    until(|| async { (behind(&url).await >= SEVERAL_TRIES).then_some(()) }).await;
    rename("planted to sentence");
    until(|| async { (behind(&url).await <= 0.0).then_some(()) }).await;
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How long an answer took is a number for programs that read the log output.
#[tokio::test]
async fn answer_duration_is_a_number_in_the_log_output() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_LOG", "info"),
        ("LATCHKEY_LOG_FORMAT", "json"),
        (LOG_FILE, output.to_str().unwrap()),
    ]);
    Visitor::new(&server).get("/healthz").await;
    let line = until(|| async {
        let said = server.logged();
        said.lines()
            .find(|line| line.contains("\"answered\""))
            .map(str::to_owned)
    })
    .await;
    let line: Value = serde_json::from_str(&line).unwrap();
    assert!(line["duration_ms"].is_u64(), "{line}");
}
