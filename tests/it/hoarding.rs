//! Holds without payment do not keep a property out of sale (T19), and a declined card keeps its hold (D97).

use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt as _;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::market::{Buyer, Market};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// Somebody who has logged in with a code.
async fn logged_in(market: &Market, n: usize, room: usize) -> Buyer {
    let buyer = market.person(n, room);
    let visitor = Visitor::new(&market.server);
    visitor.log_in(&buyer.email).await;
    Buyer {
        client: visitor.client().clone(),
        ..buyer
    }
}

/// Opens a payment for an enquiry that says `words`, and begins it.
async fn hold(buyer: &Buyer, words: &str) -> Value {
    let mut body = buyer.lead_body();
    body["lead"]["data"] = json!({ "user_query": words });
    let (status, lead) = buyer.post("/api/v0/leads", body).await;
    assert!(status.is_success(), "{lead}");
    let asked = json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": buyer.room,
        "second_home": true } });
    let (status, opened) = buyer.post("/api/v0/payments", asked).await;
    assert_eq!(status, StatusCode::CREATED, "{opened}");
    let token = opened["data"]["token"].as_str().unwrap();
    let path = format!("/api/v0/payments/{token}/intent?second_home=true");
    let (status, begun) = buyer.post(&path, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{begun}");
    let has_begun = |payment: &Value| payment["status"] != "init_loading";
    buyer.wait_for(token, has_begun).await
}

/// Rooms shown as left, over all kinds and leases of the house.
pub(crate) async fn rooms_left(buyer: &Buyer) -> u64 {
    let path = "/api/v0/inventories/bloomsbury-row-london/room_types";
    let (_, rooms) = buyer.try_call(Method::GET, path, None, None).await.unwrap();
    let kinds = rooms["data"]["result"].as_array().unwrap().iter();
    kinds
        .flat_map(|kind| kind["options"].as_array().unwrap())
        .map(|option| option["rooms_left"].as_u64().unwrap())
        .sum()
}

#[tokio::test]
async fn five_hundred_sessions_hold_no_house_from_a_login() {
    let market = Market::open(&[5, 2], &[]).await;
    let bots: Vec<Buyer> = (0..500).map(|n| market.person(n, n % 2)).collect();
    let ends: Vec<String> = futures::stream::iter(bots)
        .map(|bot| async move {
            let token = bot.open().await;
            let path = format!("/api/v0/payments/{token}/intent");
            let (_, begun) = bot.post(&path, json!({})).await;
            begun["data"]["status"].as_str().unwrap().to_owned()
        })
        .buffer_unordered(100)
        .collect()
        .await;
    let held = ends.iter().filter(|end| *end == "initiated").count();
    assert_eq!(held, 7, "the house is full of holds");
    let mei = logged_in(&market, 900, 1).await;
    market.caught_up().await;
    assert_eq!(
        rooms_left(&mei).await,
        4,
        "at most half of each kind is shown as taken"
    );
    let token = mei.begun().await;
    assert_eq!(mei.pay(&token, GOOD).await["status"], "success");
    for n in 901..904 {
        let next = logged_in(&market, n, 0).await;
        assert_eq!(hold(&next, "and me").await["status"], "initiated");
    }
}

/// Whose room somebody logged in gets is told so and is not charged.
#[tokio::test]
async fn payer_whose_hold_yielded_is_told_and_not_charged() {
    let market = Market::open(&[1], &[]).await;
    let stranger = market.person(1, 0);
    let token = stranger.begun().await;
    let mei = logged_in(&market, 2, 0).await;
    let hers = mei.begun().await;
    let told = stranger
        .wait_for(&token, |payment| payment["status"] == "sold_out")
        .await;
    assert_eq!(told["sold_out_reason"], "no_room");
    let (status, _) = stranger.press(&token, json!({ "card_number": GOOD })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(mei.pay(&hers, GOOD).await["status"], "success");
}

/// One person holds two rooms of a house and a stranger with their address takes none of them.
#[tokio::test]
async fn person_holds_two_rooms_and_an_impostor_takes_none_of_them() {
    let market = Market::open(&[20, 20], &[]).await;
    let mei = logged_in(&market, 1, 0).await;
    let stranger = Buyer {
        phone: "+44+7911123456".to_owned(),
        ..market.person(1, 0)
    };
    for words in ["one", "two"] {
        assert_eq!(hold(&stranger, words).await["status"], "initiated");
    }
    assert_eq!(
        hold(&stranger, "three").await["sold_out_reason"],
        "too_many_holds"
    );
    let other_room = Buyer {
        room: market.rooms[1].clone(),
        ..mei.clone()
    };
    assert_eq!(hold(&mei, "mine").await["status"], "initiated");
    assert_eq!(hold(&other_room, "mine too").await["status"], "initiated");
    let third = hold(&other_room, "and one more").await;
    assert_eq!(third["sold_out_reason"], "too_many_holds", "{third}");
}

fn hold_end(payment: &Value) -> DateTime<Utc> {
    payment["hold_expires_at"].as_str().unwrap().parse().unwrap()
}

/// Presses Pay with a card that is declined; when the hold ends before, and after.
async fn declined(market: &Market, buyer: &Buyer) -> (String, DateTime<Utc>, DateTime<Utc>) {
    let payment = hold(buyer, "please").await;
    let token = payment["token"].as_str().unwrap();
    let before = buyer
        .wait_for(token, |payment| !payment["hold_expires_at"].is_null())
        .await;
    let before = hold_end(&before);
    assert_eq!(buyer.pay(token, DECLINED).await["status"], "failed");
    market.caught_up().await;
    (token.to_owned(), before, hold_end(&buyer.read(token).await))
}

/// Ten minutes, extended once while the bank is asked; a decline takes nothing of it back.
#[tokio::test]
async fn declined_card_keeps_the_hold_with_and_without_a_login() {
    let market = Market::open(&[20], &[]).await;
    for buyer in [logged_in(&market, 1, 0).await, market.person(2, 0)] {
        let (token, before, after) = declined(&market, &buyer).await;
        assert_eq!(after - before, TimeDelta::minutes(10), "extended once, then kept");
        assert_eq!(buyer.begin(&token).await["status"], "initiated");
        assert_eq!(buyer.pay(&token, DECLINED).await["status"], "failed");
        market.caught_up().await;
        assert_eq!(
            hold_end(&buyer.read(&token).await),
            after,
            "a second decline adds nothing"
        );
    }
}

/// One network address without a login begins thirty payments an hour.
#[tokio::test]
async fn anonymous_network_begins_thirty_payments_an_hour() {
    let market = Market::open(&[100], &[("LATCHKEY_DEV_TOOLS", "false")]).await;
    let mut tokens = Vec::new();
    for n in 0..31_u8 {
        let sender = Visitor::from(&market.server, [127, 0, 7, n / 4 + 1]);
        // The thirty-first about one home would have to work for it.
        let room = if n < 30 {
            &market.rooms[0]
        } else {
            &market.elsewhere
        };
        let mut body = market.person(usize::from(n), 0).lead_body();
        body["lead"]["inventory_id"] = json!(room);
        let lead = sender.post("/api/v0/leads/", body).await;
        let asked = json!({ "payment": { "lead_uuid": lead.data()["lead_uuid"], "inventory_id": room } });
        let opened = sender.post("/api/v0/payments", asked).await;
        tokens.push(opened.data()["token"].as_str().unwrap().to_owned());
    }
    let bot = Visitor::from(&market.server, [127, 0, 9, 1]);
    let begin = |token: &String| format!("/api/v0/payments/{token}/intent");
    for token in &tokens[..30] {
        assert_eq!(bot.post(&begin(token), json!({})).await.status, StatusCode::OK);
    }
    let refused = bot.post(&begin(&tokens[30]), json!({})).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.body);
    assert!(refused.retry_after.is_some());
    let elsewhere = Visitor::from(&market.server, [127, 0, 9, 2]);
    let opened = elsewhere.post(&begin(&tokens[30]), json!({})).await;
    assert_eq!(opened.status, StatusCode::OK, "another address is not held to it");
}
