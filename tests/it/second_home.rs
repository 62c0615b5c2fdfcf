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
