//! Streams of events that clients hold open (decision 0030): when they end, and how many there may be.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::json;
use tests::nginx::Nginx;
use tests::words::english;

use crate::bounds::address;
use crate::market::{Market, until};
use crate::nodes::{market_on_postgres, node_beside};
use crate::visitor::{Visitor, enquiry};

/// Longer than a stream goes on after its login on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Reads what a stream tells until it ends.
pub(crate) async fn rest(mut stream: Response) -> String {
    let mut text = String::new();
    let reading = async {
        while let Ok(Some(piece)) = stream.chunk().await {
            text.push_str(&String::from_utf8_lossy(&piece));
        }
    };
    let ended = tokio::time::timeout(PATIENCE, reading).await;
    assert!(ended.is_ok(), "the stream goes on");
    text
}

/// A stream ends with the login that it was opened by, on whichever node that ends, and no other does; one payment has sixteen streams
/// and no more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_end_with_their_login_and_are_capped() {
    let market = market_on_postgres(&[1]).await;
    let (server, elsewhere) = (&market.server, node_beside(&market.server));
    let (mei, leaves, stays) = (Visitor::new(server), Visitor::new(server), Visitor::new(server));
    let sent = mei
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead = sent.data()["id"].as_str().unwrap().to_owned();
    let stream = format!("/api/v0/workspace/leads/{lead}/stream");
    leaves.log_in_as("support").await;
    stays.log_in_as("admin").await;
    let (ending, mut going_on) = (leaves.open(&stream).await, stays.open(&stream).await);
    let left = leaves
        .moved(&elsewhere)
        .post("/api/v0/users/logout", json!({}))
        .await;
    assert_eq!(left.status, StatusCode::OK, "{}", left.body);
    let note = json!({ "note": "after the logout" });
    let noted = stays
        .post(&format!("/api/v0/workspace/leads/{lead}/notes"), note)
        .await;
    assert!(noted.status.is_success(), "{}", noted.body);
    let told = rest(ending).await;
    assert!(!told.contains("data:"), "an event after the logout: {told}");
    let heard = tokio::time::timeout(PATIENCE, going_on.chunk()).await;
    assert!(heard.unwrap().unwrap().is_some(), "the other login hears of it");

    let token = market.person(1, 0).begun().await;
    let url = server.url(&format!("/api/v0/payments/{token}/stream"));
    let mut open = Vec::new();
    for _ in 0..16 {
        let listening = reqwest::get(&url).await.unwrap();
        assert_eq!(listening.status(), StatusCode::OK);
        open.push(listening);
    }
    let refused = reqwest::get(&url).await.unwrap();
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    let said = refused.text().await.unwrap();
    assert!(said.contains(&english("refusal.too_many_streams")), "{said}");
    open.pop();
    until(async || {
        let again = reqwest::get(&url).await.unwrap();
        (again.status() == StatusCode::OK).then_some(())
    })
    .await;
}

/// nginx passes a stream on as it comes, with its defaults too: it would keep an event back until a buffer is full.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_pass_nginx_at_once() {
    let market = Market::open(&[1], &[]).await;
    let nginx = Nginx::before(address(&market.server));
    let token = market.person(1, 0).begun().await;
    for front in [nginx.buffering, nginx.documented] {
        let url = format!("http://{front}/api/v0/payments/{token}/stream");
        let first = async {
            let mut stream = reqwest::get(&url).await.unwrap();
            stream.chunk().await.unwrap()
        };
        let first = tokio::time::timeout(PATIENCE, first).await;
        let first = first.unwrap_or_else(|_| panic!("{url}: nothing comes"));
        let first = String::from_utf8_lossy(&first.unwrap()).into_owned();
        assert!(first.starts_with("event: payment"), "{url}: {first}");
    }
}
