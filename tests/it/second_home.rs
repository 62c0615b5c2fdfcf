//! A second home for the same months is booked after a question, and nobody learns from an address what it has booked.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{AUTUMN, Buyer, House, Market};
use crate::visitor::{Answer, Visitor, enquiry};

const GOOD: &str = "4242424242424242";
const MEI: &str = "mei@example.com";
const NEXT_YEAR: &str = "2028-09-09";

async fn market() -> Market {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 9), (NEXT_YEAR, 44, 9)]],
        token_minor: 0,
    };
    Market::with(&house, &[]).await
}

/// Enquires for a stay of 44 weeks in a room; gives the lead's link.
async fn enquires(visitor: &Visitor<'_>, email: &str, room: &str, day: &str) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["inventory_id"] = json!(room);
    body["lead"]["data"] = json!({ "move_in_date": day, "lease_duration": "44 weeks" });
    visitor.post("/api/v0/leads/", body).await.data()["lead_uuid"].clone()
}

async fn opens(visitor: &Visitor<'_>, lead: &Value, room: &str, more: Value) -> Answer {
    let mut payment = json!({ "lead_uuid": lead, "inventory_id": room });
    payment
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    visitor
        .post("/api/v0/payments", json!({ "payment": payment }))
        .await
}

/// Books the first house's room; gives the lead's link.
async fn books(market: &Market, visitor: &Visitor<'_>) -> Value {
    let (room, payer): (_, Buyer) = (&market.rooms[0], market.person(1, 0));
    let lead = enquires(visitor, MEI, room, AUTUMN).await;
    let opened = opens(visitor, &lead, room, json!({})).await;
    let token = opened.data()["token"].as_str().unwrap();
    payer.begin(token).await;
    assert_eq!(payer.pay(token, GOOD).await["status"], "success");
    lead
}

fn is_asked(answer: &Answer) -> bool {
    let asked = (answer.status, answer.code()) == (StatusCode::CONFLICT, "booked_already");
    assert!(asked || answer.status == StatusCode::CREATED, "{}", answer.body);
    asked
}

#[tokio::test]
async fn second_home_for_the_same_months_is_a_question() {
    let market = market().await;
    let mei = Visitor::new(&market.server);
    mei.log_in(MEI).await;
    books(&market, &mei).await;
    let second = enquires(&mei, MEI, &market.elsewhere, AUTUMN).await;
    let asked = opens(&mei, &second, &market.elsewhere, json!({})).await;
    assert!(is_asked(&asked));
    let question = asked.body["message"]["user_friendly_message"].as_str().unwrap();
    assert!(
        question.contains("11 September 2027") && question.contains("15 July 2028"),
        "{question}"
    );
    let meant = opens(&mei, &second, &market.elsewhere, json!({ "second_home": true })).await;
    assert!(!is_asked(&meant));
    // Another year is another question, and the booking itself goes on without one.
    let later = enquires(&mei, MEI, &market.rooms[0], NEXT_YEAR).await;
    assert!(!is_asked(&opens(&mei, &later, &market.rooms[0], json!({})).await));
}

fn is_question(answer: &(StatusCode, Value), home: &str) -> bool {
    let asked = answer.1["message"]["code"] == "booked_already";
    let said = answer.1["message"]["user_friendly_message"]
        .as_str()
        .unwrap_or_default();
    asked && said.starts_with(home)
}

/// Two homes for the same months, neither paid: the second is a question when it is opened, and when a payment opened before is begun.
#[tokio::test]
async fn second_home_is_a_question_before_either_is_paid() {
    let market = market().await;
    let mei = Visitor::new(&market.server);
    mei.log_in(MEI).await;
    let begins = async |token: &str, more: &str| {
        let path = format!("/api/v0/payments/{token}/intent{more}");
        let answer = mei.post(&path, json!({})).await;
        (answer.status, answer.body)
    };
    let token_of = |opened: &Answer| opened.data()["token"].as_str().unwrap().to_owned();
    let first = enquires(&mei, MEI, &market.rooms[0], AUTUMN).await;
    let second = enquires(&mei, MEI, &market.elsewhere, AUTUMN).await;
    let later = enquires(&mei, MEI, &market.rooms[0], NEXT_YEAR).await;
    // Nothing is held yet: whoever only looks at two prices is not asked.
    let one = token_of(&opens(&mei, &first, &market.rooms[0], json!({})).await);
    let other = token_of(&opens(&mei, &second, &market.elsewhere, json!({})).await);
    assert_eq!(begins(&one, "").await.0, StatusCode::OK);
    let asked = begins(&other, "").await;
    assert!(is_question(&asked, "You are already paying for"), "{}", asked.1);
    assert!(is_asked(
        &opens(&mei, &second, &market.elsewhere, json!({})).await
    ));
    // The first goes on without a question, another year has none, and a second home that is meant is held.
    assert_eq!(begins(&one, "").await.0, StatusCode::OK);
    let next_year = token_of(&opens(&mei, &later, &market.rooms[0], json!({})).await);
    assert_eq!(begins(&next_year, "").await.0, StatusCode::OK);
    assert_eq!(begins(&other, "?second_home=true").await.0, StatusCode::OK);
    // Who pays for her with the link learns nothing of her other home.
    let parent = Visitor::new(&market.server);
    let third = enquires(&mei, MEI, &market.rooms[0], AUTUMN).await;
    let meant = opens(&mei, &third, &market.rooms[0], json!({ "second_home": true })).await;
    let path = format!("/api/v0/payments/{}/intent", token_of(&meant));
    let paid_for = parent.post(&path, json!({})).await;
    assert_eq!(paid_for.status, StatusCode::OK, "{}", paid_for.body);
}

/// Two homes that one login begins at the same moment: one is held, and the other is a question, whichever is decided first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_homes_begun_at_once_are_one_and_a_question() {
    let market = market().await;
    let mei = Visitor::new(&market.server);
    mei.log_in(MEI).await;
    let first = enquires(&mei, MEI, &market.rooms[0], AUTUMN).await;
    let second = enquires(&mei, MEI, &market.elsewhere, AUTUMN).await;
    let later = enquires(&mei, MEI, &market.rooms[0], NEXT_YEAR).await;
    let opens_one = async |lead: &Value, room: &str| {
        let opened = opens(&mei, lead, room, json!({})).await;
        let token = opened.data()["token"].as_str();
        token.unwrap_or_else(|| panic!("{}", opened.body)).to_owned()
    };
    let asks = async |token: &str, what: &str| {
        let path = format!("/api/v0/payments/{token}/{what}");
        let answer = mei.post(&path, json!({})).await;
        (answer.status, answer.body)
    };
    for round in 0..4 {
        let one = opens_one(&first, &market.rooms[0]).await;
        let other = opens_one(&second, &market.elsewhere).await;
        let (left, right) = tokio::join!(asks(&one, "intent"), asks(&other, "intent"));
        let is_left = left.0 == StatusCode::OK;
        let (held, asked) = if is_left { (&one, &right) } else { (&other, &left) };
        assert!(
            is_question(asked, "You are already paying for"),
            "round {round}: {left:?} {right:?}"
        );
        assert!(
            is_left != (right.0 == StatusCode::OK),
            "round {round}: {left:?} {right:?}"
        );
        // The other is asked until the first is given up.
        let cancelled = asks(held, "cancel").await;
        assert_eq!(cancelled.0, StatusCode::OK, "round {round}: {}", cancelled.1);
        // Its room is free again before the next round holds one.
        market.caught_up().await;
    }
    // Two years are no question, also at the same moment.
    let one = opens_one(&first, &market.rooms[0]).await;
    let other = opens_one(&later, &market.rooms[0]).await;
    let (left, right) = tokio::join!(asks(&one, "intent"), asks(&other, "intent"));
    assert_eq!(
        (left.0, right.0),
        (StatusCode::OK, StatusCode::OK),
        "{left:?} {right:?}"
    );
}

/// Without a login the browser's own links tell; an address alone, or another person's link, tells nothing.
#[tokio::test]
async fn bookings_of_an_address_are_told_by_links_alone() {
    let market = market().await;
    let mei = Visitor::new(&market.server);
    let booked = books(&market, &mei).await;
    let second = enquires(&mei, MEI, &market.elsewhere, AUTUMN).await;
    let links = json!({ "other_leads": [booked] });
    assert!(is_asked(
        &opens(&mei, &second, &market.elsewhere, links.clone()).await
    ));

    let stranger = Visitor::new(&market.server);
    let named = enquires(&stranger, MEI, &market.elsewhere, AUTUMN).await;
    assert!(!is_asked(
        &opens(&stranger, &named, &market.elsewhere, json!({})).await
    ));
    let roommate = Visitor::new(&market.server);
    let own = enquires(&roommate, "li@example.com", &market.elsewhere, AUTUMN).await;
    assert!(!is_asked(&opens(&roommate, &own, &market.elsewhere, links).await));
}
