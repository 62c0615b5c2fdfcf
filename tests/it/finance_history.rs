//! Finance reads a lead's history: what happened, and nothing that tells of the person (row I6).

use image::ImageFormat;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::document;

use crate::documents::{picture, send};
use crate::market::{Market, until};
use crate::visitor::Visitor;

const LEADS: &str = "/api/v0/workspace/leads";
const GOOD_CARD: &str = "4242424242424242";
/// Stands in every field that a person can write.
pub(crate) const MARKER: &str = "zyxmark";

/// A booked lead whose personal fields all carry the marker: its id, its payment, and the desk.
pub(crate) async fn marked(market: &Market) -> (String, String) {
    let mut buyer = market.person(1, 0);
    buyer.email = format!("{MARKER}@example.com");
    let enquiry = json!({ "lead": {
        "user_details": { "name": "Zyxmark Zyxmark", "email": buyer.email, "phone": buyer.phone },
        "inventory_id": buyer.room,
        "data": { "user_query": MARKER, "university": MARKER, "intake": MARKER, "configuration": MARKER, "budget": 300 },
        "meta": { "idp_form_data": { "councellor_name": "Zyxmark", "councellor_email": "zyxmark@agency.example",
            "councellor_country": MARKER, "councellor_office": MARKER } },
        "source_details": { "utm_source": MARKER },
        "referral_details": { "name": "Zyxmark", "code": "ZYXMARK" },
    } });
    let (status, sent) = buyer.post("/api/v0/leads", enquiry).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
    let uuid = sent["data"]["lead_uuid"].as_str().unwrap().to_owned();
    let token = buyer.open_for(&uuid, &buyer.room).await;
    buyer.begin(&token).await;
    buyer.pay(&token, GOOD_CARD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let student = Visitor::new(&market.server);
    student.log_in(&buyer.email).await;
    let asked =
        json!({ "booking_form": { "lead_uuid": uuid, "inventory_id": buyer.room, "source": MARKER } });
    let form = student.post("/api/v0/booking_forms", asked).await.data().clone();
    let form = format!("/api/v0/booking_forms/{}", form["form_uuid"].as_str().unwrap());
    let fields = json!({ "fields": { "first_name": { "value": MARKER } } });
    let section = format!("{form}/sections/personal_form");
    student.call(Method::PATCH, &section, Some(fields), &[]).await;
    let (status, kept) = send(market, &student, &form, picture(ImageFormat::Png)).await;
    assert_eq!(status, StatusCode::CREATED, "{kept}");
    let rating = json!({ "score": 9, "words": MARKER });
    student
        .post(&format!("/api/v0/payments/{token}/rating"), rating)
        .await;
    let lead = sent["data"]["id"].as_str().unwrap().to_owned();
    let asked = json!({ "topic": "question", "lead_uuid": uuid, "text": MARKER });
    student.post("/api/v0/support/cases", asked).await;
    (lead, uuid)
}

/// The desk writes the marker wherever it can, too.
pub(crate) async fn written_at_the_desk(desk: &Visitor<'_>, lead: &str) {
    let base = format!("{LEADS}/{lead}");
    let calls = [
        ("notes", json!({ "note": MARKER })),
        ("reveal", json!({ "reason": MARKER })),
        (
            "acts",
            json!({ "act": "close", "cause": "other", "reason": MARKER }),
        ),
        ("acts", json!({ "act": "reopen", "reason": MARKER })),
    ];
    for (path, body) in calls {
        desk.post(&format!("{base}/{path}"), body).await;
    }
}

/// Every address of the workspace that reads, with the ids of this lead in it. A dispute's evidence is for the bank and names the payer.
fn reads(ids: &[&str]) -> Vec<String> {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let all = document["paths"].as_object().unwrap().iter();
    let paths = all.filter(|(path, item)| {
        item.get("get").is_some() && path.starts_with("/api/v0/workspace/") && !path.contains("evidence")
    });
    let paths = paths.filter(|(path, _)| !path.ends_with("/stream") && !path.ends_with("/live"));
    let filled = paths.flat_map(|(path, _)| {
        let with = |id: &&str| {
            let parts = path
                .split('/')
                .map(|part| if part.starts_with('{') { id } else { part });
            parts.collect::<Vec<_>>().join("/")
        };
        ids.iter().map(with).collect::<Vec<_>>()
    });
    let mut filled: Vec<String> = filled.collect();
    filled.dedup();
    filled
}

/// Markers stand in every personal field of a lead; finance reads its history and meets none of them, in any answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finance_reads_a_history_without_personal_data() {
    let market = Market::open(&[3], &[]).await;
    let (lead, _) = marked(&market).await;
    let [desk, finance] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    finance.log_in_as("finance").await;
    written_at_the_desk(&desk, &lead).await;
    market.caught_up().await;
    let address = format!("{LEADS}/{lead}/timeline");
    let known = desk.get(&address).await.data().clone();
    assert!(known.to_string().to_lowercase().contains(MARKER), "{known}");
    let read = finance.get(&address).await.data().clone();
    assert_eq!(read["count"], known["count"]);
    assert_eq!(read["lead"]["reference"], known["lead"]["reference"]);
    assert_eq!(read["lead"]["name_masked"], "•••");
    let told = |history: &Value, field: &str| {
        let events = history["events"].as_array().unwrap().iter();
        let mut changes = events.flat_map(|event| event["changes"].as_array().unwrap());
        changes.any(|change| change["field"] == field)
    };
    for field in ["captured", "status", "property", "card", "move_in_date"] {
        assert_eq!(told(&read, field), told(&known, field), "{field}");
    }
    assert!(told(&read, "captured") && told(&known, "name") && !told(&read, "name"));

    let payment =
        finance.get("/api/v0/workspace/payments/events").await.data()["result"][0]["payment_id"].clone();
    let mut ids = vec![lead.clone(), payment.as_str().unwrap().to_owned()];
    let events = known["events"].as_array().unwrap();
    ids.extend(events.iter().map(|event| event["position"].to_string()));
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut answered = 0;
    for path in reads(&ids) {
        let answer = finance.get(&path).await;
        answered += u32::from(answer.status == StatusCode::OK);
        let text = answer.body.to_string().to_lowercase();
        assert!(!text.contains(MARKER), "{path}: {text}");
    }
    assert!(answered > 20, "only {answered} answers");
    for path in ["reveal", "notes", "acts", "export"] {
        let refused = finance.post(&format!("{LEADS}/{lead}/{path}"), json!({})).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
}

/// What happens while finance looks arrives without personal data too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stream_for_finance_hides_the_reason_of_an_act() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let uuid = buyer.enquire().await;
    let [desk, finance] = [(); 2].map(|()| Visitor::new(&market.server));
    desk.log_in_as("support").await;
    finance.log_in_as("finance").await;
    let lead = until(async || {
        let found = desk.get(&format!("{LEADS}?q={uuid}")).await.data().clone();
        Some(found["result"][0]["lead_id"].as_str()?.to_owned())
    })
    .await;
    let mut stream = finance.open(&format!("{LEADS}/{lead}/stream")).await;
    assert_eq!(stream.status(), StatusCode::OK);
    desk.post(&format!("{LEADS}/{lead}/reveal"), json!({ "reason": MARKER }))
        .await
        .data();
    let mut heard = String::new();
    while !heard.contains("user_personal_data_revealed") {
        let part = stream.chunk().await.unwrap().unwrap();
        heard.push_str(&String::from_utf8_lossy(&part));
    }
    assert!(!heard.contains(MARKER) && heard.contains("•••"), "{heard}");
}
