//! A home that is paused, closed or let again: what its page, its status on the wire, the search and those who wait see (U5, U14).

use domain::inventory::InventoryCommand;
use domain::inventory::state::ClosedBy;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::stock_by_nights::while_it_rests;
use crate::waitlist::{offered, opened, queued, waitlist};

const HOUSE: &str = "bloomsbury-row-london";

/// The page's status, its home's state with the day of reopening, and the word of the wire.
async fn seen(market: &Market) -> (StatusCode, Value, Value, Value) {
    let page = reqwest::get(market.server.url(&format!("/places/{HOUSE}")));
    let status = page.await.unwrap().status();
    let asked = market.server.url(&format!("/_page?url=/places/{HOUSE}"));
    let payload: Value = reqwest::get(asked).await.unwrap().json().await.unwrap();
    let home = &payload["data"]["data"];
    let asked = market.server.url(&format!("/api/v0/inventories/{HOUSE}"));
    let wire: Value = reqwest::get(asked).await.unwrap().json().await.unwrap();
    (
        status,
        home["state"].clone(),
        home["reopens_on"].clone(),
        wire["data"]["status"].clone(),
    )
}

async fn becomes(market: &Market, status: u16, (state, day, wire): (&str, Value, &str)) {
    let wanted = (
        StatusCode::from_u16(status).unwrap(),
        json!(state),
        day,
        json!(wire),
    );
    until(|| async { (seen(market).await == wanted).then_some(()) }).await;
}

/// Homes that a search of what is let finds.
async fn found(market: &Market) -> u64 {
    let asked = market.server.url("/api/v1/inventories?name=bloomsbury&limit=5");
    let homes: Value = reqwest::get(asked).await.unwrap().json().await.unwrap();
    homes["data"]["meta"]["count"].as_u64().unwrap()
}

/// The state on a card of the home, and the page as a crawler reads it: nothing of a paused home is sold out.
async fn shown_as(market: &Market, state: &str) {
    let asked = market
        .server
        .url("/api/v1/inventories?name=bloomsbury&statuses=inactive");
    until(|| async {
        let found: Value = reqwest::get(&asked).await.unwrap().json().await.unwrap();
        let cards = found["data"]["result"].as_array().unwrap();
        let card = cards.iter().find(|card| card["canonical_name"] == HOUSE)?;
        (card["state"] == state).then_some(())
    })
    .await;
    let page = reqwest::get(market.server.url(&format!("/places/{HOUSE}")));
    let html = page.await.unwrap().text().await.unwrap();
    assert!(!html.contains("schema.org/SoldOut"), "{html}");
}

#[tokio::test]
async fn paused_home_is_calm_and_a_closed_one_is_gone() {
    let mut market = Market::open(&[1], &[]).await;
    becomes(&market, 200, ("active", Value::Null, "active")).await;
    until(|| async { (found(&market).await == 2).then_some(()) }).await;
    let pause = InventoryCommand::Pause {
        reopens_on: Some("2028-03-01".parse().unwrap()),
    };
    while_it_rests(&mut market, vec![pause]).await;
    becomes(&market, 200, ("paused", json!("2028-03-01"), "inactive")).await;
    until(|| async { (found(&market).await == 1).then_some(()) }).await;
    shown_as(&market, "paused").await;
    let close = InventoryCommand::Close {
        by: ClosedBy::Provider,
    };
    while_it_rests(&mut market, vec![close]).await;
    becomes(&market, 410, ("closed", Value::Null, "inactive")).await;
    shown_as(&market, "closed").await;
    let page = reqwest::get(market.server.url(&format!("/places/{HOUSE}")));
    let html = page.await.unwrap().text().await.unwrap();
    assert!(html.contains("noindex"), "a crawler forgets it");
    assert!(!html.contains("application/ld+json"), "nothing is offered");
    while_it_rests(&mut market, vec![InventoryCommand::Reopen]).await;
    becomes(&market, 200, ("active", Value::Null, "active")).await;
    until(|| async { (found(&market).await == 2).then_some(()) }).await;
}

/// A room that comes free while its home is paused is offered to nobody, and to the first who waits once it is let again.
#[tokio::test]
async fn reopened_home_offers_its_room_to_the_first_who_waits() {
    let mut market = Market::open(&[1], &[]).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let first = market.person(1, 0);
    let token = queued(&first).await;
    let pause = InventoryCommand::Pause { reopens_on: None };
    while_it_rests(&mut market, vec![pause]).await;
    let cancel = format!("/api/v0/payments/{held}/cancel");
    let (status, body) = holder.post(&cancel, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    market.caught_up().await;
    let told = market.messages(&first.email).await;
    assert!(!told.contains(&"place_offered".to_owned()), "{told:?}");
    while_it_rests(&mut market, vec![InventoryCommand::Reopen]).await;
    offered(&first, &token).await;
}

/// Who waits for a room of a home that closes is told so once, and is asked to wait no more.
#[tokio::test]
async fn closed_home_ends_its_waitlist_and_tells_who_waits() {
    let mut market = Market::open(&[1], &[]).await;
    market.person(0, 0).begun().await;
    let first = market.person(1, 0);
    let token = queued(&first).await;
    let close = InventoryCommand::Close { by: ClosedBy::Staff };
    while_it_rests(&mut market, vec![close]).await;
    let shown = until(|| async {
        let shown = waitlist(&first, &token).await;
        (shown["place"]["state"] == "closed").then_some(shown)
    })
    .await;
    assert_eq!(
        (&shown["can_join"], &shown["place"]["number"]),
        (&json!(false), &Value::Null)
    );
    let told = until(|| async {
        let told = market.messages(&first.email).await;
        told.contains(&"home_closed".to_owned()).then_some(told)
    })
    .await;
    let times = told.iter().filter(|kind| *kind == "home_closed").count();
    assert_eq!(times, 1, "{told:?}");
}

/// A room that is kept for a place when its home is paused is still taken by it, and by nobody else.
#[tokio::test]
async fn offered_room_of_a_paused_home_is_still_taken() {
    let mut market = Market::open(&[1], &[]).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let (first, late) = (market.person(1, 0), market.person(2, 0));
    let token = queued(&first).await;
    let cancel = format!("/api/v0/payments/{held}/cancel");
    let (status, body) = holder.post(&cancel, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    offered(&first, &token).await;
    let begun_late = opened(&late).await;
    let pause = InventoryCommand::Pause { reopens_on: None };
    while_it_rests(&mut market, vec![pause]).await;
    assert_eq!(late.begin(&begun_late).await["status"], "sold_out");
    let take = format!("/api/v0/payments/{token}/waitlist/take");
    let (status, body) = first.post(&take, json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let own = body["data"]["token"].as_str().unwrap();
    assert_eq!(first.begin(own).await["status"], "initiated");
    assert_eq!(first.pay(own, "4242424242424242").await["status"], "success");
}
