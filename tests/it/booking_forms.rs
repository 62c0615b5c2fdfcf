//! Booking forms: saved as they are typed, taken up again elsewhere, sent when complete.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::Market;
use crate::visitor::{Visitor, enquiry, some_property};

async fn begin(visitor: &Visitor<'_>, home: &str) -> Value {
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let lead = visitor.post("/api/v0/leads/", body).await.data().clone();
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    visitor.post("/api/v0/booking_forms", form).await.data().clone()
}

fn section(form: &Value, key: &str) -> String {
    format!(
        "/api/v0/booking_forms/{}/sections/{key}",
        form["form_uuid"].as_str().unwrap()
    )
}

fn contact() -> Value {
    json!({ "full_name": "Li Chen", "relation": "mother", "phone": "+8613912345678", "email": "li@example.cn" })
}

fn personal() -> Value {
    json!({ "full_name": "Mei Lin", "dob": "2004-05-06", "phone": "+447700900123", "email": "mei@example.com",
        "nationality": "CN", "address_line_1": "1 Park Lane", "city": "Leeds", "postcode": "LS1 1AA", "country": "GB",
        "university": "University of Leeds", "enrolment_status": "enrolled", "medical_condition": "asthma" })
}

#[tokio::test]
async fn half_a_form_goes_on_after_login_on_another_device() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let phone = Visitor::new(&server);
    let home = some_property(&phone).await;
    let form = begin(&phone, &home).await;
    let half = json!({ "section": { "full_name": "Mei", "email": "mei@" }, "complete": false });
    assert_eq!(
        phone.put(&section(&form, "personal_form"), half).await.status,
        StatusCode::OK
    );

    let laptop = Visitor::new(&server);
    laptop.log_in("mei@example.com").await;
    let activity = laptop
        .get("/api/v0/users/activity?tab=enquired")
        .await
        .data()
        .clone();
    let lead = &activity["leads"]["result"][0];
    assert_eq!(
        (lead["state"].as_str(), lead["next_action"]["key"].as_str()),
        (Some("form_started"), Some("continue_to_book"))
    );
    let again =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    let resumed = laptop.post("/api/v0/booking_forms", again).await;
    assert_eq!(resumed.data()["form_uuid"], form["form_uuid"]);
    assert_eq!(
        resumed.data()["sections"]["personal_form"],
        json!({ "full_name": "Mei", "email": "mei@" })
    );
}

#[tokio::test]
async fn a_form_is_sent_once_every_section_is_complete() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    let submit = format!(
        "/api/v0/booking_forms/{}/submit",
        form["form_uuid"].as_str().unwrap()
    );
    let early = mei.post(&submit, json!({})).await;
    assert_eq!(early.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(early.fields().contains(&"personal_form"));

    let bad = json!({ "section": { "full_name": "Mei", "dob": "2020-01-01" }, "complete": true });
    let refused = mei.put(&section(&form, "personal_form"), bad).await;
    assert!(
        refused.fields().contains(&"personal_form/dob") && refused.fields().contains(&"personal_form/email")
    );
    let said = refused.body.to_string();
    assert!(said.contains("Enter your e-mail address"), "{said}");

    let visible: Vec<String> = form["form"]["sections"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|section| section["hidden"] == false && section["after_payment"] == false)
        .map(|section| section["key"].as_str().unwrap().to_owned())
        .collect();
    for key in visible {
        let answers = match key.as_str() {
            "personal_form" => personal(),
            "emergency_form" => contact(),
            _ => json!({ "same_as_emergency": true }),
        };
        let saved = mei
            .put(
                &section(&form, &key),
                json!({ "section": answers, "complete": true }),
            )
            .await;
        assert!(
            saved.data()["completed_sections"]
                .as_array()
                .unwrap()
                .contains(&json!(key))
        );
    }
    let sent = mei.post(&submit, json!({})).await;
    assert_eq!(sent.data()["status"], "completed");
    assert_eq!(
        sent.data()["sections"]["personal_form"]["medical_condition"],
        "asthma"
    );
    assert_eq!(mei.post(&submit, json!({})).await.data()["status"], "completed");
    let late = mei
        .put(
            &section(&form, "emergency_form"),
            json!({ "section": contact(), "complete": true }),
        )
        .await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "already_submitted")
    );
}

/// Hong Kong and the Emirates have no postal codes, and are asked for none; everywhere else one is needed.
#[tokio::test]
async fn postal_code_is_asked_for_where_the_country_has_them() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    let save = async |country: &str, postcode: Option<&str>| {
        let mut answers = personal();
        answers["country"] = json!(country);
        answers["postcode"] = json!(postcode.unwrap_or_default());
        let body = json!({ "section": answers, "complete": true });
        mei.put(&section(&form, "personal_form"), body).await
    };
    for country in ["GB", "CN", "IE"] {
        let refused = save(country, None).await;
        assert_eq!(refused.fields(), ["personal_form/postcode"], "{country}");
        assert_eq!(save(country, Some("100000")).await.status, StatusCode::OK);
    }
    for country in ["HK", "AE", "ZW"] {
        assert_eq!(save(country, None).await.status, StatusCode::OK, "{country}");
    }
}

/// Another room of the house keeps the form and another house has none.
#[tokio::test]
async fn booking_form_survives_a_change_of_room_not_of_house() {
    let server = Server::with_catalogue();
    let mei = Visitor::new(&server);
    let (home, rooms) = home_with_rooms(&mei).await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let lead = mei.post("/api/v0/leads", body).await.data().clone();
    let begin = |room: &str| {
        let form = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": room } });
        mei.post("/api/v0/booking_forms", form)
    };
    let first = begin(&rooms[0]).await.data().clone();
    let half = json!({ "section": { "full_name": "Mei" } });
    mei.put(&section(&first, "personal_form"), half).await.data();
    let second = begin(&rooms[1]).await.data().clone();
    assert_eq!(second["form_uuid"], first["form_uuid"]);
    assert_eq!(second["inventory_id"].as_str(), Some(rooms[1].as_str()));
    assert_eq!(second["sections"]["personal_form"]["full_name"], "Mei");
    let others = mei.get("/api/v1/inventories?limit=5").await;
    let elsewhere = others.data()["result"][4]["id"].as_str().unwrap().to_owned();
    let room = room_of(&mei, &elsewhere).await;
    let refused = begin(&room).await;
    assert_eq!(
        (refused.status, refused.fields()),
        (
            StatusCode::UNPROCESSABLE_ENTITY,
            vec!["booking_form/inventory_id"]
        )
    );
}

async fn rooms_of(visitor: &Visitor<'_>, home: &str) -> Vec<String> {
    let rooms = visitor
        .get(&format!("/api/v0/inventories/{home}?methods=active_children"))
        .await;
    let kinds = rooms.data()["active_children"].as_array().unwrap().clone();
    let stays = kinds.iter().flat_map(|kind| kind["options"].as_array().unwrap());
    let ids: BTreeSet<String> = stays
        .map(|stay| stay["inventory_id"].as_str().unwrap().to_owned())
        .collect();
    ids.into_iter().collect()
}

async fn room_of(visitor: &Visitor<'_>, home: &str) -> String {
    rooms_of(visitor, home).await.remove(0)
}

/// A home with at least two rooms.
async fn home_with_rooms(visitor: &Visitor<'_>) -> (String, Vec<String>) {
    let found = visitor.get("/api/v1/inventories?limit=4").await;
    for home in found.data()["result"].as_array().unwrap() {
        let id = home["id"].as_str().unwrap();
        let rooms = rooms_of(visitor, id).await;
        if rooms.len() > 1 {
            return (id.to_owned(), rooms);
        }
    }
    panic!("no home has two rooms");
}

#[tokio::test]
async fn a_document_is_asked_for_after_the_payment_and_not_before() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    let documents = format!(
        "/api/v0/booking_forms/{}/documents",
        form["form_uuid"].as_str().unwrap()
    );
    let send = async |bytes: Vec<u8>| {
        let request = mei.client().post(server.url(&documents)).body(bytes);
        let answer = request.header("x-file-name", "pass.pdf").send().await.unwrap();
        answer.status()
    };
    assert_eq!(send(b"%PDF-1.7".to_vec()).await, StatusCode::CONFLICT);
    assert_eq!(
        send(vec![b'x'; 11 * 1024 * 1024]).await,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let early = json!({ "section": { "identity_number": "P1" } });
    let refused = mei.put(&section(&form, "confirmation_documents"), early).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "not_paid_yet")
    );
}

#[tokio::test]
async fn a_form_that_is_not_mine_does_not_exist() {
    let mei = Visitor::new(Server::shared());
    let unknown = "/api/v0/booking_forms/01923456-789a-7bcd-8ef0-123456789abc";
    assert_eq!(mei.get(unknown).await.status, StatusCode::NOT_FOUND);
    let start = json!({ "booking_form": { "lead_uuid": "01923456-789a-7bcd-8ef0-123456789abc", "inventory_id": "x" } });
    assert_eq!(
        mei.post("/api/v0/booking_forms", start).await.status,
        StatusCode::NOT_FOUND
    );
}

/// The line of the payment and the house's own answer to "Can I cancel after I book?" name the same days (D40).
#[tokio::test]
async fn what_a_deposit_line_promises_is_what_the_house_answers() {
    let server = Server::with_catalogue();
    let mei = Visitor::new(&server);
    let found = mei
        .get("/api/v1/inventories?region_canonical_name=london&available=true&limit=20")
        .await;
    let mut compared = 0;
    for (at, home) in (1..).zip(found.data()["result"].as_array().unwrap()) {
        let mei = Visitor::from(&server, [127, 0, 1, at]);
        let path = format!("/_page?url=/places/{}", home["canonical_name"].as_str().unwrap());
        let page = mei.get(&path).await.body["data"]["data"].clone();
        let Some(room) = page["room_types"][0]["options"]
            .as_array()
            .and_then(|options| options.iter().find(|option| option["rooms_left"] != json!(0)))
        else {
            continue;
        };
        let mut sent = enquiry("Mei Lin", &format!("mei{at}@example.com"));
        sent["lead"]["inventory_id"] = room["inventory_id"].clone();
        sent["lead"]["data"] = json!({
            "move_in_date": room["move_in_date"],
            "lease_duration": format!("{} {}", room["lease_duration"], room["lease_duration_unit"].as_str().unwrap()),
        });
        let lead = mei.post("/api/v0/leads/", sent).await.data().clone();
        let asked = json!({ "payment": { "lead_uuid": lead["lead_uuid"], "inventory_id": room["inventory_id"], "payment_types": [] } });
        let opened = mei.post("/api/v0/payments", asked).await;
        if opened.status != StatusCode::OK && opened.status != StatusCode::CREATED {
            continue;
        }
        let line = opened.data()["lines"][0].clone();
        let answer = page["faqs"]
            .as_array()
            .unwrap()
            .iter()
            .find(|faq| faq["question"] == "Can I cancel after I book?")
            .and_then(|faq| faq["answer"].as_str())
            .unwrap();
        if line["type"] == "deposit" {
            let days = format!("Yes. Within {} days of booking", line["refundable_days"]);
            assert!(
                line["refundable"] == json!(true) && answer.starts_with(&days),
                "{line} {answer}"
            );
        } else {
            assert_eq!(
                (&line["refundable"], &line["refundable_days"]),
                (&json!(true), &Value::Null)
            );
        }
        assert!(answer.contains("after your stay"), "{answer}");
        compared += 1;
    }
    assert!(compared > 3, "only {compared} homes could be asked");
}
