//! The day somebody wants to move in.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{House, Market};
use crate::visitor::{Answer, Visitor, enquiry, in_days};

fn moving_in(day: &str) -> Value {
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["data"]["move_in_date"] = json!(day);
    body
}

fn hold_refused(answer: &Answer, day: &str) {
    hold_refused_as(answer, day, "date_past");
}

fn hold_refused_as(answer: &Answer, day: &str, code: &str) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{day}");
    assert_eq!(answer.fields(), ["data/move_in_date"], "{day}");
    assert_eq!(answer.body["errors"][0]["code"], code, "{day}");
}

/// A day that is over is refused when it is said and stands when it was said before.
#[tokio::test]
async fn past_day_is_refused_when_said_and_kept_when_older() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    for day in ["1999-01-01", "2025-08", &in_days(-2)] {
        hold_refused(&mei.post("/api/v0/leads", moving_in(day)).await, day);
    }
    let mut tour = moving_in("1999-01-01");
    tour["lead"]["data"]["property_view_request_details"] =
        json!({ "date": in_days(7), "slot": "10:00", "timezone": "Europe/London", "mode": "virtual" });
    let tour = mei.post("/api/v0/leads/virtual_tour_request", tour).await;
    hold_refused(&tour, "a tour");

    let soon = in_days(1);
    let lead = mei.post("/api/v0/leads", moving_in(&soon)).await.data().clone();
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let change = |data: Value| json!({ "lead": { "data": data } });
    let back = mei
        .put(&path, change(json!({ "move_in_date": "1999-01-01" })))
        .await;
    hold_refused(&back, "a change");
    for open in [in_days(60), "january_to_march".to_owned(), soon.clone()] {
        let data = json!({ "move_in_date": open });
        assert_eq!(
            mei.put(&path, change(data)).await.data()["data"]["move_in_date"],
            open
        );
    }
    // Four days later the day has passed, and something else changes.
    mei.wait(4 * 86_400).await;
    let changed = mei.put(&path, change(json!({ "budget": 250 }))).await;
    assert_eq!(changed.data()["data"]["move_in_date"], soon);
}

/// A day further away than anything is sold is refused by its field, in an enquiry and in a change of one.
#[tokio::test]
async fn day_beyond_what_is_sold_is_refused() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    for day in ["9999-12-31", "9999-12", &in_days(4 * 366)] {
        hold_refused_as(
            &mei.post("/api/v0/leads", moving_in(day)).await,
            day,
            "date_beyond",
        );
    }
    let lead = mei.post("/api/v0/leads", moving_in(&in_days(700))).await;
    let path = format!("/api/v0/leads/{}", lead.data()["lead_uuid"].as_str().unwrap());
    let change = json!({ "lead": { "data": { "move_in_date": "2999-01-01" } } });
    hold_refused_as(&mei.put(&path, change).await, "a change", "date_beyond");
}

/// A room that is let since last month can be asked for from that day.
#[tokio::test]
async fn room_let_since_last_month_can_be_asked_for_from_then() {
    let house = House {
        rooms: vec![vec![("2025-09-13", 44, 1)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let mei = market.person(1, 0);
    let mut body = mei.lead_body();
    body["lead"]["data"] = json!({ "move_in_date": "2025-09-14" });
    let (status, refused) = mei.post("/api/v0/leads", body.clone()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    body["lead"]["data"] = json!({ "move_in_date": "2025-09-13" });
    let (status, taken) = mei.post("/api/v0/leads", body).await;
    assert_eq!(status, StatusCode::CREATED, "{taken}");
}
