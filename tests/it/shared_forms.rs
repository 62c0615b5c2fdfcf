//! One form on two devices: merged field by field, told what was overwritten, resumed where it was left (N4; D79, D82), and
//! asked anew when the provider changes it meanwhile (D89).

use std::time::Duration;

use domain::id::InventoryId;
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, log_of};
use crate::streams::rest;
use crate::visitor::{Answer, Visitor, enquiry, some_property};

/// How long a stream may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn begin(visitor: &Visitor<'_>, home: &str) -> Value {
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let lead = visitor.post("/api/v0/leads/", body).await.data().clone();
    let form = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home } });
    visitor.post("/api/v0/booking_forms", form).await.data().clone()
}

pub(crate) fn address(form: &Value, rest: &str) -> String {
    format!(
        "/api/v0/booking_forms/{}{rest}",
        form["form_uuid"].as_str().unwrap()
    )
}

/// Saves fields of the personal section; each is its name, its value and what the screen showed before.
pub(crate) async fn merge(
    visitor: &Visitor<'_>,
    form: &Value,
    fields: &[(&str, &str, &str)],
    rest: Value,
) -> Answer {
    let fields: Value = fields
        .iter()
        .map(|(name, value, seen)| ((*name).to_owned(), json!({ "value": value, "seen": seen })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let mut body = rest;
    body["fields"] = fields;
    let path = address(form, "/sections/personal_form");
    visitor.call(Method::PATCH, &path, Some(body), &[]).await
}

/// Reads the next event of a stream.
pub(crate) async fn next(stream: &mut Response) -> Value {
    let mut text = String::new();
    loop {
        let piece = tokio::time::timeout(PATIENCE, stream.chunk()).await;
        text.push_str(&String::from_utf8_lossy(&piece.unwrap().unwrap().unwrap()));
        let line = text.lines().find_map(|line| line.strip_prefix("data:"));
        if let Some(read) = line.and_then(|json| serde_json::from_str(json).ok()) {
            return read;
        }
    }
}

/// Sixty-four saves of one field at once are all taken, one after another: the form holds one of them, and no caller is turned away.
#[tokio::test]
async fn saves_of_one_field_at_once_are_all_taken() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let laptop = Visitor::new(&server);
    let form = begin(&laptop, &some_property(&laptop).await).await;
    let saves = (0..64).map(|n| {
        let (laptop, form) = (&laptop, &form);
        async move {
            let city = format!("City {n}");
            merge(laptop, form, &[("city", &city, "")], json!({})).await
        }
    });
    for saved in futures::future::join_all(saves).await {
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
    }
}

/// Different fields both stay, the same field holds the last word, and its writer is told of the other one.
#[tokio::test]
async fn fields_of_two_devices_are_merged_and_overwriting_is_told() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let laptop = Visitor::new(&server);
    let form = begin(&laptop, &some_property(&laptop).await).await;
    let phone = Visitor::new(&server);
    let mut stream = phone.open(&address(&form, "/stream")).await;
    assert_eq!(next(&mut stream).await["sections"], json!({}));

    let name = [("full_name", "Mei Lin", "")];
    let first = merge(&laptop, &form, &name, json!({ "focused": "full_name" })).await;
    assert_eq!(first.data()["overwritten"], json!({}));
    let told = next(&mut stream).await;
    assert_eq!(told["sections"]["personal_form"]["full_name"], "Mei Lin");
    assert_eq!(
        told["place"],
        json!({ "section": "personal_form", "field": "full_name" })
    );

    let second = merge(
        &phone,
        &form,
        &[("city", "Leeds", ""), ("full_name", "Mei Chen", "")],
        json!({}),
    )
    .await;
    assert_eq!(second.data()["overwritten"], json!({ "full_name": "Mei Lin" }));
    let both = json!({ "full_name": "Mei Chen", "city": "Leeds" });
    assert_eq!(second.data()["form"]["sections"]["personal_form"], both);
    let seen = [("full_name", "Mei Lin", "Mei Chen")];
    let back = merge(&laptop, &form, &seen, json!({})).await;
    assert_eq!(
        back.data()["overwritten"],
        json!({}),
        "what was seen is no surprise"
    );
}

/// Two devices write at the very same time and neither loses a field.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simultaneous_saves_of_one_section_keep_every_field() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let form = begin(&mei, &some_property(&mei).await).await;
    let fields = [
        "full_name",
        "city",
        "state",
        "postcode",
        "course",
        "gender",
        "university",
        "address_line_1",
    ];
    let saves = fields.map(|field| {
        let (mei, form) = (&mei, &form);
        async move {
            merge(mei, form, &[(field, field, "")], json!({}))
                .await
                .data()
                .clone()
        }
    });
    futures::future::join_all(saves).await;
    let stored = mei.get(&address(&form, "")).await.data()["sections"]["personal_form"].clone();
    for field in fields {
        assert_eq!(stored[field], field, "{stored}");
    }
}

/// What is not valid yet is kept with the place of the focus, and is found there after a login on another device.
#[tokio::test]
async fn form_resumes_at_the_same_field_with_invalid_input() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let laptop = Visitor::new(&server);
    let form = begin(&laptop, &some_property(&laptop).await).await;
    let typed = [
        ("full_name", "Mei", ""),
        ("email", "mei@", ""),
        ("dob", "31 / 0", ""),
    ];
    let refused = merge(
        &laptop,
        &form,
        &typed,
        json!({ "complete": true, "focused": "dob" }),
    )
    .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.fields().contains(&"personal_form/email"));
    let bad = [
        ("city", "Leeds", ""),
        ("postcode", "\u{7}", ""),
        ("price", "1", ""),
    ];
    let refused = merge(&laptop, &form, &bad, json!({ "focused": "dob" })).await;
    assert_eq!(
        refused.fields(),
        ["personal_form/postcode", "personal_form/price"]
    );

    let phone = Visitor::new(&server);
    phone.log_in("mei@example.com").await;
    let resumed = phone.get(&address(&form, "")).await.data().clone();
    assert_eq!(
        resumed["place"],
        json!({ "section": "personal_form", "field": "dob" })
    );
    let kept = json!({ "full_name": "Mei", "email": "mei@", "dob": "31 / 0", "city": "Leeds" });
    assert_eq!(resumed["sections"]["personal_form"], kept);
    assert_eq!(resumed["completed_sections"], json!([]));
    // The link opened the form until its lead had an owner.
    let late = laptop.get(&address(&form, "/stream")).await;
    assert_eq!(late.status, StatusCode::FORBIDDEN);
}

pub(crate) async fn change_form(server: &Server, home: &str, change: impl FnOnce(&mut PropertyDetails)) {
    let log = log_of(server).await;
    let house = InventoryId(home.parse().unwrap());
    let mut property = log
        .load::<Inventory>(house)
        .await
        .unwrap()
        .state
        .property
        .unwrap();
    change(&mut property);
    let context = Context::new("2026-11-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let command = InventoryCommand::ChangeDetails { property };
    commit::<Inventory>(&log, house, command, &context).await.unwrap();
}

/// The provider asks one thing less and one more while a student fills in the form.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn changed_form_keeps_answers_and_asks_what_is_new() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    let mut answers = vec![
        ("full_name", "Mei Lin", ""),
        ("dob", "2004-05-06", ""),
        ("phone", "+447700900123", ""),
        ("email", "mei@example.com", ""),
        ("nationality", "CN", ""),
        ("address_line_1", "1 Park Lane", ""),
        ("city", "Leeds", ""),
        ("postcode", "LS1 1AA", ""),
        ("country", "GB", ""),
        ("university", "University of Leeds", ""),
        ("enrolment_status", "enrolled", ""),
    ];
    let whole = merge(&mei, &form, &answers, json!({ "complete": true })).await;
    assert_eq!(
        whole.data()["form"]["completed_sections"],
        json!(["personal_form"])
    );

    let mut definition = form["form"].clone();
    let fields = definition["sections"][0]["fields"].as_array_mut().unwrap();
    fields.retain(|field| field["key"] != "university");
    fields.push(json!({ "key": "visa_number", "type": "text", "required": true }));
    let asked = serde_json::from_value(definition).unwrap();
    change_form(&server, &home, |property| property.custom_form = Some(asked)).await;

    let seen = mei.get(&address(&form, "")).await.data().clone();
    assert_eq!(seen["completed_sections"], json!([]), "the new question is open");
    assert_eq!(
        seen["sections"]["personal_form"]["university"],
        "University of Leeds"
    );
    let submitted = mei.post(&address(&form, "/submit"), json!({})).await;
    assert_eq!(submitted.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        submitted.fields().contains(&"personal_form"),
        "{}",
        submitted.body
    );
    // A page that still shows the old form sends what it has.
    let old = [
        ("university", "Leeds Beckett", "University of Leeds"),
        ("course", "Law", ""),
    ];
    let refused = merge(&mei, &form, &old, json!({ "complete": true })).await;
    assert_eq!(refused.fields(), ["personal_form/visa_number"]);
    answers = vec![("visa_number", "V-1", "")];
    let done = merge(&mei, &form, &answers, json!({ "complete": true }))
        .await
        .data()["form"]
        .clone();
    assert_eq!(done["completed_sections"], json!(["personal_form"]));
    assert_eq!(done["sections"]["personal_form"]["university"], "Leeds Beckett");
    assert_eq!(done["sections"]["personal_form"]["course"], "Law");

    // Support sees the kept answer, marked, for a reason that is recorded; finance sees nothing of it.
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let leads = desk.get("/api/v0/workspace/leads").await.data().clone();
    let path = format!(
        "/api/v0/workspace/leads/{}/form",
        leads["result"][0]["lead_id"].as_str().unwrap()
    );
    let silent = desk.post(&path, json!({ "reason": " " })).await;
    assert_eq!(
        (silent.status, silent.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["reason"])
    );
    let reason = json!({ "reason": "The provider asks for the university" });
    let shown = desk.post(&path, reason.clone()).await.data().clone();
    let fields = shown["sections"][0]["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    let university = json!({ "name": "university", "answer": "Leeds Beckett", "former": true });
    assert_eq!(
        (field("university"), &field("visa_number")["former"]),
        (&university, &json!(false))
    );
    let finance = Visitor::new(&server);
    finance.log_in_as("finance").await;
    assert_eq!(finance.post(&path, reason).await.status, StatusCode::FORBIDDEN);
}

/// A form's stream tells nothing after the logout of who opened it.
#[tokio::test]
async fn form_stream_ends_with_its_login() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    mei.log_in("mei@example.com").await;
    let elsewhere = Visitor::new(&server);
    elsewhere.wait(60).await;
    elsewhere.log_in("mei@example.com").await;
    let mut ending = mei.open(&address(&form, "/stream")).await;
    assert_eq!(next(&mut ending).await["sections"], json!({}));
    let left = mei.post("/api/v0/users/logout", json!({})).await;
    assert_eq!(left.status, StatusCode::OK, "{}", left.body);
    merge(
        &elsewhere,
        &form,
        &[("full_name", "After the logout", "")],
        json!({}),
    )
    .await
    .data();
    let told = rest(ending).await;
    assert!(!told.contains("After the logout"), "{told}");
}

/// A form takes as many saves as typing makes; a script is told to wait, what was saved stays, and another form is not slowed down.
#[tokio::test]
async fn form_saves_have_a_quota_of_their_own() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let form = begin(&mei, &home).await;
    let mut saved = 0;
    let refused = loop {
        let answer = merge(
            &mei,
            &form,
            &[("full_name", &format!("Mei {saved}"), "")],
            json!({}),
        )
        .await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        saved += 1;
        assert!(saved < 400, "no quota");
    };
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
        "{}",
        refused.body
    );
    assert!(saved >= 200, "typing needs more than {saved}");
    let kept = mei.get(&address(&form, "")).await.data().clone();
    assert_eq!(
        kept["sections"]["personal_form"]["full_name"],
        format!("Mei {}", saved - 1)
    );
    let bo = Visitor::new(&server);
    let mut body = enquiry("Bo Chen", "bo@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let lead = bo.post("/api/v0/leads/", body).await.data().clone();
    let asked = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home } });
    let other = bo.post("/api/v0/booking_forms", asked).await.data().clone();
    merge(&bo, &other, &[("full_name", "Bo Chen", "")], json!({}))
        .await
        .data();
    mei.wait(5).await;
    merge(&mei, &form, &[("full_name", "Mei Lin", "")], json!({}))
        .await
        .data();
}
