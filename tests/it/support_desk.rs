//! The support desk: find any lead, replay it, look at contact data with a reason.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, in_days, some_property};

async fn found(desk: &Visitor<'_>, words: &str) -> Vec<String> {
    let words = words.replace(' ', "%20").replace('+', "%2B");
    let list = desk
        .get(&format!("/api/v0/workspace/leads?q={words}"))
        .await
        .data()
        .clone();
    list["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name_masked"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_lead_is_found_by_name_mail_phone_reference_and_home() {
    let server = Server::with_catalogue();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let mut body = enquiry("Mei Lin", "mei.lin@example.com");
    let types = mei.get(&format!("/api/v0/inventories/{home}/room_types")).await;
    let room = types.data()["result"][0]["options"][0]["inventory_id"].clone();
    let details = mei.get(&format!("/api/v0/inventories/{home}")).await;
    let canonical_name = details.data()["canonical_name"].as_str().unwrap().to_owned();
    body["lead"]["inventory_id"] = room.clone();
    let lead = mei.post("/api/v0/leads/", body).await.data().clone();
    mei.post("/api/v0/leads/", enquiry("Jo Doe", "jo@example.com"))
        .await
        .data();
    desk.log_in_as("support").await;
    let row = desk.get("/api/v0/workspace/leads?q=mei").await.data()["result"][0].clone();
    let property = row["property"]["name"].as_str().unwrap().to_owned();
    let reference = lead["reference"].as_str().unwrap().to_owned();
    for words in [
        "mei",
        "Mei L",
        "mei.lin@example.com",
        "07700 900123",
        "+447700900123",
        &reference,
        &property,
    ] {
        let hits = found(&desk, words).await;
        assert!(hits.contains(&"M••• L•••".to_owned()), "{words}: {hits:?}");
    }
    for words in [
        lead["id"].as_str().unwrap(),
        lead["lead_uuid"].as_str().unwrap(),
        &home,
        room.as_str().unwrap(),
        &canonical_name,
        &format!("mei {canonical_name}"),
    ] {
        let hits = found(&desk, words).await;
        assert_eq!(hits, ["M••• L•••"], "{words}");
    }
    let nobodys = "0193a000-0000-7000-8000-000000000001";
    assert_eq!(found(&desk, nobodys).await, Vec::<String>::new());
    assert_eq!(found(&desk, "mei jo").await, Vec::<String>::new());
    let text = row.to_string();
    assert!(!text.contains("Mei") && !text.contains("mei.lin@example.com") && !text.contains("7700900123"));
}

#[tokio::test]
async fn folding_every_change_of_a_history_gives_the_present_state() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let lead = mei.post("/api/v0/leads/", body).await.data().clone();
    let uuid = lead["lead_uuid"].as_str().unwrap();
    let day = in_days(90);
    let change = json!({ "lead": { "data": { "move_in_date": day } } });
    mei.put(&format!("/api/v0/leads/{uuid}"), change).await.data();
    let form = json!({ "booking_form": { "lead_uuid": uuid, "inventory_id": home, "flow": "book" } });
    mei.post("/api/v0/booking_forms", form).await.data();
    mei.log_in("mei@example.com").await;

    desk.log_in_as("support").await;
    let history = desk
        .get(&format!(
            "/api/v0/workspace/leads/{}/timeline",
            lead["id"].as_str().unwrap()
        ))
        .await
        .data()
        .clone();
    let events = history["events"].as_array().unwrap();
    let places: Vec<u64> = events.iter().map(|event| event["n"].as_u64().unwrap()).collect();
    assert_eq!(places, (1..=events.len() as u64).collect::<Vec<_>>());
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    for kind in [
        "UserRegistered",
        "LeadCreated",
        "LeadWishChanged",
        "BookingFormStarted",
        "LeadFormStarted",
        "UserVerified",
    ] {
        assert!(kinds.contains(&kind), "{kind} is missing in {kinds:?}");
    }
    let mut state = serde_json::Map::new();
    for change in events
        .iter()
        .flat_map(|event| event["changes"].as_array().unwrap())
    {
        let field = change["field"].as_str().unwrap();
        assert_eq!(
            state.get(field).unwrap_or(&Value::Null),
            &change["from"],
            "{field}"
        );
        state.insert(field.to_owned(), change["to"].clone());
    }
    assert_eq!(
        (&state["status"], &state["move_in_date"]),
        (&json!("form_started"), &json!(day))
    );
    assert_eq!(state["email"], "m•••@•••.com");
    assert!(!history.to_string().contains("mei@example.com"));
}

#[tokio::test]
async fn a_look_at_contact_data_needs_a_reason_and_is_recorded() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    let base = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    desk.log_in_as("support").await;
    assert_eq!(
        desk.post(&format!("{base}/reveal"), json!({ "reason": " " }))
            .await
            .fields(),
        ["reason"]
    );
    let shown = desk
        .post(
            &format!("{base}/reveal"),
            json!({ "reason": "Callback asked in chat" }),
        )
        .await;
    assert_eq!(
        (shown.data()["name"].as_str(), shown.data()["phone"].as_str()),
        (Some("Mei Lin"), Some("+447700900123"))
    );
    let history = desk.get(&format!("{base}/timeline")).await.data().clone();
    let look = history["events"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (look["type"].as_str(), look["actor"]["kind"].as_str()),
        (Some("UserPersonalDataRevealed"), Some("staff"))
    );
    assert_eq!(look["sentence"]["params"]["reason"], "Callback asked in chat");

    let created = history["events"]
        .as_array()
        .unwrap()
        .iter()
        .find(|event| event["type"] == "LeadCreated")
        .unwrap();
    let raw = desk
        .get(&format!("/api/v0/workspace/events/{}", created["position"]))
        .await;
    assert_eq!(
        (raw.data()["event_type"].as_str(), raw.data()["sealed"].as_bool()),
        (Some("LeadCreated"), Some(true))
    );
    assert!(!raw.body.to_string().contains("mei@example.com"));
    assert_eq!(
        desk.get("/api/v0/workspace/events/999999").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_lead_is_given_to_somebody_and_noted_on() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    let base = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    desk.log_in_as("support").await;
    desk.post(&format!("{base}/assign"), json!({ "owner": "me" }))
        .await
        .data();
    assert_eq!(
        desk.post(&format!("{base}/notes"), json!({ "note": "Called, no answer" }))
            .await
            .status,
        StatusCode::OK
    );
    let mine = desk.get("/api/v0/workspace/leads?owner=me").await.data().clone();
    assert_eq!(
        (
            mine["result"][0]["owner"].as_str(),
            mine["result"][0]["answered"].as_bool()
        ),
        (Some("support"), Some(false))
    );
    let counts = &mine["counts"];
    assert_eq!(
        (counts["all"].as_u64(), counts["enquired"].as_u64()),
        (Some(1), Some(1))
    );
}

#[tokio::test]
async fn new_events_appear_without_a_reload() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    desk.log_in_as("support").await;
    let base = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    let mut live = desk.open(&format!("{base}/stream")).await;
    let uuid = lead["lead_uuid"].as_str().unwrap();
    let day = in_days(90);
    let change = json!({ "lead": { "data": { "move_in_date": day } } });
    mei.put(&format!("/api/v0/leads/{uuid}"), change).await.data();
    let heard = async {
        let mut text = String::new();
        while !text.contains("\n\n") || !text.contains("data:") {
            text.push_str(&String::from_utf8_lossy(&live.chunk().await.unwrap().unwrap()));
        }
        text
    };
    let text = tokio::time::timeout(std::time::Duration::from_secs(30), heard)
        .await
        .unwrap();
    let data = text.lines().find_map(|line| line.strip_prefix("data:")).unwrap();
    let event: Value = serde_json::from_str(data).unwrap();
    assert_eq!(event["type"], "LeadWishChanged");
    assert_eq!(event["changes"][0]["to"], json!(day));
}

/// Support looks at the contact data of the newest lead with this address, and says why.
pub(crate) async fn looked_at<'s>(server: &'s Server, email: &str, reason: &str) -> Visitor<'s> {
    let staff = Visitor::new(server);
    staff.log_in_as("support").await;
    let path = format!("/api/v0/workspace/leads?q={email}");
    let found = until(|| async { staff.get(&path).await.data()["result"].get(0).cloned() }).await;
    let path = format!(
        "/api/v0/workspace/leads/{}/reveal",
        found["lead_id"].as_str().unwrap()
    );
    staff.post(&path, json!({ "reason": reason })).await.data();
    staff
}
