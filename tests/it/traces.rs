//! What the log output says hangs together: one deposit is followed from the request of its payer to the call of the gateway by
//! one correlation id, and nothing of the payer stands in it.

use std::sync::{Arc, Mutex};

use reqwest::Client;
use serde_json::{Value, json};
use tests::{LOG_FILE, Server};

use crate::market::{Buyer, House, furnish, log_of, until};

fn lines(server: &Server) -> Vec<Value> {
    let logged = server.logged();
    let parsed = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    logged.lines().map(parsed).collect()
}

/// A field of the line, or of one of the spans it was logged in.
fn says<'l>(line: &'l Value, field: &str) -> Option<&'l str> {
    let spans = line["spans"].as_array().into_iter().flatten();
    spans
        .chain([line])
        .filter_map(|of| of[field].as_str())
        .next_back()
}

/// A deposit is followed from the request to the gateway by one correlation id.
#[tokio::test]
async fn deposit_is_traced_by_one_correlation_id() {
    let folder = tempfile::tempdir().unwrap();
    let house = House {
        rooms: vec![vec![("2027-09-11", 44, 3)]],
        token_minor: 0,
    };
    let output = folder.path().join("server.log");
    let settings = [
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_LOG", "info"),
        ("LATCHKEY_LOG_FORMAT", "json"),
        (LOG_FILE, output.to_str().unwrap()),
    ];
    let mut server = Server::with(&settings);
    server.kill();
    let room = furnish(&server, 0, &house).await.remove(0);
    server.restart();
    let buyer = Buyer {
        client: Client::new(),
        address: Arc::new(Mutex::new(server.url(""))),
        email: "philippa.quill@example.com".to_owned(),
        phone: "+44+7911123456".to_owned(),
        room,
        kept: Arc::default(),
    };
    let token = buyer.open().await;
    let begun = buyer
        .client
        .post(server.url(&format!("/api/v0/payments/{token}/intent")))
        .json(&json!({}))
        .send()
        .await
        .unwrap();
    assert!(begun.status().is_success());
    let request = begun.headers()["x-request-id"].to_str().unwrap().to_owned();
    let asked = until(|| async {
        let all = lines(&server);
        all.into_iter().find(|line| line["call"] == "create_intent")
    })
    .await;
    assert_eq!(says(&asked, "correlation.id"), Some(request.as_str()), "{asked}");
    let cause = says(&asked, "causation.id").unwrap();
    let log = log_of(&server).await;
    let events = log.read_all(0, 1_000).await.unwrap();
    let caused = events
        .iter()
        .find(|event| event.event_id.to_string() == cause)
        .unwrap();
    assert_eq!(caused.correlation_id.to_string(), request);
    let answered =
        |line: &Value| line["message"] == "answered" && line["route"] == "/api/v0/payments/{token}/intent";
    let all = lines(&server);
    let answered: Vec<&Value> = all.iter().filter(|line| answered(line)).collect();
    assert_eq!(answered.len(), 1);
    assert_eq!(says(answered[0], "request.id"), Some(request.as_str()));
    let logged = server.logged();
    for personal in ["philippa", "Mei Lin", "7911123456", &token] {
        assert!(!logged.contains(personal), "`{personal}` is in the log output");
    }
}

#[tokio::test]
async fn a_format_that_is_none_stops_the_start() {
    let server = Server::start();
    let mut doctor = server.command(&["doctor"]);
    let said = doctor.env("LATCHKEY_LOG_FORMAT", "xml").output().unwrap();
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        said.contains("the setting `log_format` is `xml`: it can be `text` or `json`"),
        "{said}"
    );
}
