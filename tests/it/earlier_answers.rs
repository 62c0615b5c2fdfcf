//! A returning student's form begins with what their last one said.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::Market;
use crate::visitor::{Visitor, enquiry, some_property};

const EARLIER: &str = "/api/v0/users/earlier_answers";

fn personal(city: &str) -> Value {
    json!({ "full_name": "Mei Lin", "dob": "2004-05-06", "phone": "+447700900123", "email": "mei@example.com",
        "nationality": "CN", "address_line_1": "1 Park Lane", "city": city, "postcode": "LS1 1AA", "country": "GB",
        "university": "University of Leeds", "enrolment_status": "enrolled", "medical_condition": "asthma" })
}

/// Sends an enquiry and saves one section of its form.
async fn answer(visitor: &Visitor<'_>, section: &str, answers: Value, complete: bool) {
    let home = some_property(visitor).await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    // The same words twice would be the same enquiry.
    body["lead"]["data"]["user_query"] = json!(answers["city"]);
    let lead = visitor.post("/api/v0/leads/", body).await.data().clone();
    let begin =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    let form = visitor.post("/api/v0/booking_forms", begin).await.data().clone();
    let path = format!(
        "/api/v0/booking_forms/{}/sections/{section}",
        form["form_uuid"].as_str().unwrap()
    );
    let saved = visitor
        .put(&path, json!({ "section": answers, "complete": complete }))
        .await;
    assert_eq!(saved.status, StatusCode::OK);
}

// The newest complete answers of each section; what was left half typed and the medical condition are not among them.
#[tokio::test]
async fn earlier_answers_are_the_newest_complete_ones_of_the_owner() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    assert_eq!(mei.get(EARLIER).await.status, StatusCode::UNAUTHORIZED);
    mei.log_in("mei@example.com").await;
    assert_eq!(mei.get(EARLIER).await.data()["sections"], json!({}));

    answer(&mei, "personal_form", personal("Leeds"), true).await;
    answer(&mei, "personal_form", personal("York"), true).await;
    answer(&mei, "personal_form", json!({ "city": "Bath" }), false).await;
    let known = mei.get(EARLIER).await.data()["sections"].clone();
    let mut expected = personal("York");
    expected.as_object_mut().unwrap().remove("medical_condition");
    assert_eq!(known, json!({ "personal_form": expected }));

    let other = Visitor::new(&server);
    other.log_in("li@example.com").await;
    assert_eq!(other.get(EARLIER).await.data()["sections"], json!({}));
}
