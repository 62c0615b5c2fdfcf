//! What a partner's link and a form's link say of themselves, as staff see it: the counsellor behind a lead (C9, D85) and
//! `bookform_source` (Spec §2).

use serde_json::{Value, json};

use crate::market::Market;
use crate::visitor::{Visitor, enquiry, some_property};

/// The value that the whole history leaves a field with.
fn field(timeline: &Value, name: &str) -> Value {
    let events = timeline["events"].as_array().unwrap();
    let mut changes = events
        .iter()
        .flat_map(|event| event["changes"].as_array().unwrap());
    let last = changes.rfind(|change| change["field"] == name);
    last.map_or(Value::Null, |change| change["to"].clone())
}

/// Staff see the four fields, masked until they give a reason, the intake, and where the form's link came from.
#[tokio::test]
async fn counsellor_and_form_source_are_shown_to_staff() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    body["lead"]["data"]["intake"] = json!("September 2027");
    body["lead"]["meta"] = json!({ "variant": "partner_enquire", "idp_form_data": {
        "councellor_name": "Ana Ruiz", "councellor_email": "ana@partner.example", "councellor_country": "Spain",
        "councellor_office": "Madrid" } });
    let lead = mei.post("/api/v0/leads", body).await.data().clone();
    for (name, source, kept) in [
        ("bo", "mail me@x.y", Value::Null),
        ("li", "spring_mail", json!("spring_mail")),
    ] {
        let mut other = enquiry("Bo Chen", &format!("{name}@example.com"));
        other["lead"]["inventory_id"] = json!(home);
        let lead = mei.post("/api/v0/leads", other).await.data().clone();
        let form = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "bookform_source": source } });
        mei.post("/api/v0/booking_forms", form).await.data();
        let support = Visitor::new(&server);
        support.log_in_as("support").await;
        let address = format!(
            "/api/v0/workspace/leads/{}/timeline",
            lead["id"].as_str().unwrap()
        );
        let timeline = support.get(&address).await.data().clone();
        assert_eq!(field(&timeline, "bookform_source"), kept);
        mei.wait(60).await;
    }
    let support = Visitor::new(&server);
    support.log_in_as("support").await;
    let address = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    let timeline = support.get(&format!("{address}/timeline")).await.data().clone();
    let shown = ["counsellor_country", "counsellor_office", "intake"].map(|name| field(&timeline, name));
    assert_eq!(shown, [json!("Spain"), json!("Madrid"), json!("September 2027")]);
    assert!(field(&timeline, "counsellor_name").is_string(), "{timeline}");
    let text = timeline.to_string();
    assert!(!text.contains("Ana Ruiz") && !text.contains("ana@partner.example"));
    let asked = json!({ "reason": "the counsellor called" });
    let plain = support
        .post(&format!("{address}/reveal"), asked)
        .await
        .data()
        .clone();
    assert_eq!(plain["counsellor_name"], "Ana Ruiz");
    assert_eq!(plain["counsellor_email"], "ana@partner.example");
}
