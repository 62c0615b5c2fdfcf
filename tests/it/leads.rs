//! Enquiries: without login, once, with every bad field named, and nobody else's business.

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::Server;

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, some_property};

#[tokio::test]
async fn an_enquiry_needs_no_login_and_is_read_back_by_its_link() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let lead = sent.data();
    assert_eq!(
        (lead["state"].as_str(), lead["repeat"].as_bool()),
        (Some("enquired"), Some(false))
    );
    let read = mei
        .get(&format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap()))
        .await;
    assert_eq!(read.data()["user_details"]["email"], "mei@example.com");
    assert_eq!(
        read.data()["user_details"]["phone_details"]["country_code"],
        "+44"
    );
}

/// A lead's own link shows that lead alone without a login and nothing to press.
#[tokio::test]
async fn lead_link_shows_that_lead_alone_read_only_without_login() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    let lead_uuid = sent.data()["lead_uuid"].as_str().unwrap();
    let page = async |visitor: &Visitor<'_>, lead_uuid: &str| {
        let url = format!("/_page?url=/profile/leads%3Flead_uuid={lead_uuid}");
        visitor.get(&url).await.data().clone()
    };
    let stranger = Visitor::new(&server);
    let shown = page(&stranger, lead_uuid).await;
    assert_eq!(shown["route"], "profile");
    assert_eq!(shown["data"]["lead"]["lead_uuid"], lead_uuid);
    assert!(shown["data"]["lead"]["next_action"].is_null());
    assert!(!shown.to_string().contains("Mei"), "a link tells nobody's name");
    let guessed = page(&stranger, "01a1faa9-0d29-472e-8e4e-80cf72076097").await;
    assert!(
        guessed["redirect"]
            .as_str()
            .unwrap()
            .starts_with("/?login=1&next=")
    );
    mei.log_in("mei@example.com").await;
    assert!(
        page(&mei, lead_uuid).await["data"]["lead"].is_null(),
        "who is logged in has the whole list"
    );
}

#[tokio::test]
async fn the_same_submission_twice_makes_one_lead() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let send = || mei.post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"));
    let answers = join_all((0..8).map(|_| send())).await;
    let first = answers[0].data()["id"].clone();
    assert!(answers.iter().all(|answer| answer.data()["id"] == first));
    assert_eq!(send().await.status, StatusCode::OK);
}

/// A retry with its key gets the first lead and another body under it is refused.
#[tokio::test]
async fn retried_lead_key_returns_the_first_lead_or_refuses() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let send = |body| {
        mei.call(
            Method::POST,
            "/api/v0/leads",
            Some(body),
            &[("idempotency-key", "k1")],
        )
    };
    let first = send(enquiry("Mei Lin", "mei@example.com")).await;
    let again = send(enquiry("Mei Lin", "mei@example.com")).await;
    assert_eq!(first.data()["id"], again.data()["id"]);
    let other = send(enquiry("Li Wei", "li@example.com")).await;
    assert_eq!(
        (other.status, other.code()),
        (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused")
    );
}

/// A second enquiry about the same home says that it is a repeat.
#[tokio::test]
async fn second_enquiry_for_a_home_is_marked_as_a_repeat() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    let home = some_property(&mei).await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    assert_eq!(
        mei.post("/api/v0/leads/", body.clone()).await.data()["repeat"],
        false
    );
    body["lead"]["data"]["user_query"] = json!("Is there a bike store?");
    let again = mei.post("/api/v0/leads/", body).await;
    assert_eq!(again.data()["repeat"], true);
    let history = format!("/api/v0/inventories/{home}/user_history");
    assert_eq!(mei.get(&history).await.data()["enquired"], true);
}

/// What a stranger sends in my name is mine only once I prove the address.
#[tokio::test]
async fn strangers_enquiry_is_mine_only_after_i_prove_the_address() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, stranger, desk) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    mei.log_in("mei@example.com").await;
    let home = some_property(&mei).await;
    let history = format!("/api/v0/inventories/{home}/user_history");
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(home);
    mei.post("/api/v0/leads/", body.clone()).await.data();
    let mine = mei.get(&history).await.data()["lead_uuid"].clone();

    body["lead"]["data"]["user_query"] = json!("May I move in tomorrow?");
    let sent = stranger.post("/api/v0/leads/", body).await;
    assert_eq!(
        sent.data()["repeat"],
        false,
        "what I asked is not told to a stranger"
    );
    assert_eq!(mei.get(&history).await.data()["lead_uuid"], mine);
    let enquired = mei.get("/api/v0/users/activity?tab=enquired").await;
    assert_eq!(enquired.data()["counts"]["enquired"], 1);
    desk.log_in_as("support").await;
    let board = desk.get("/api/v0/workspace/leads?q=mei%40example.com").await;
    let repeats = board.data()["result"].as_array().unwrap().iter();
    assert_eq!(
        repeats.filter(|lead| lead["repeat"] == true).count(),
        1,
        "{}",
        board.body
    );

    // The same code that logs in verifies (D86): now it counts, and the stranger's link opens nothing of it.
    mei.wait(60).await;
    mei.log_in("mei@example.com").await;
    let lead = sent.data()["lead_uuid"].as_str().unwrap();
    assert_eq!(mei.get(&history).await.data()["lead_uuid"], lead);
    let link = format!("/api/v0/leads/{lead}");
    let seen = stranger.get(&link).await;
    assert_eq!(
        (seen.data()["uuid"].as_str(), seen.data()["verified"].as_bool()),
        (Some(""), Some(true))
    );
    assert!(!seen.body.to_string().contains("mei@example.com"));
    let refused = stranger
        .put(&link, json!({ "lead": { "data": { "university": "Leeds" } } }))
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::FORBIDDEN, "log_in_first")
    );
    let paying = json!({ "payment": { "lead_uuid": lead, "inventory_id": home } });
    let refused = stranger.post("/api/v0/payments", paying).await;
    assert_eq!(refused.code(), "log_in_first", "{}", refused.body);
    let changed = mei
        .put(&link, json!({ "lead": { "data": { "university": "Leeds" } } }))
        .await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
}

#[tokio::test]
async fn of_twenty_identical_enquiries_at_once_one_made_the_lead() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    let body = enquiry("Mei Lin", "mei@example.com");
    let answers = join_all((0..20).map(|_| mei.post("/api/v0/leads/", body.clone()))).await;
    let made = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::CREATED);
    assert_eq!(made.count(), 1);
    let first = &answers[0].data()["lead_uuid"];
    assert!(answers.iter().all(|answer| answer.data()["lead_uuid"] == *first));
}

/// A value of the wrong kind is named by its path in the reader's words.
#[tokio::test]
async fn value_of_the_wrong_type_is_named_by_path_in_their_language() {
    let mei = Visitor::new(Server::shared());
    let path = "/api/v0/users/generate_email_otp";
    let wrong = mei.post(path, json!({ "user": { "email": 5 } })).await;
    assert_eq!(wrong.body["errors"][0]["field"], "user/email");
    assert_eq!(wrong.body["errors"][0]["message"], "`user/email` must be text");
    let list = mei
        .post(path, json!({ "user": ["mei@example.com", null, null, null] }))
        .await;
    assert_eq!(
        list.body["errors"][0]["message"],
        "`user` must be an object with named fields"
    );
    let none = mei.post(path, json!({ "user": null })).await;
    assert_eq!(
        none.body["errors"][0]["message"],
        "`user` must be an object with named fields"
    );
}

/// Every bad field is named with a sentence in the reader's language.
#[tokio::test]
async fn bad_fields_are_named_with_sentences_in_their_language() {
    let mei = Visitor::new(Server::shared());
    let body = json!({ "lead": { "state": "booked", "inventory_id": "gone",
        "user_details": { "name": " ", "email": "123@example.com", "phone": "07700 900123" } } });
    let refused = mei.post("/api/v0/leads/?lang=zh", body).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.fields(),
        [
            "state",
            "user_details/name",
            "user_details/email",
            "user_details/phone",
            "inventory_id"
        ]
    );
    assert_eq!(refused.body["errors"][1]["message"], "此项必填");
}

#[tokio::test]
async fn other_peoples_leads_do_not_exist() {
    let server = Server::start();
    let (mei, li) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    let by_id = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    li.log_in("li@example.com").await;
    for stranger in [&mei, &li] {
        let answer = stranger.get(&by_id).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::NOT_FOUND, "not_found")
        );
        assert_eq!(
            stranger
                .put(&by_id, json!({ "lead": { "data": {} } }))
                .await
                .status,
            StatusCode::NOT_FOUND
        );
    }
    assert_eq!(
        li.get("/api/v0/leads/no-such-thing").await.status,
        StatusCode::NOT_FOUND
    );
    mei.log_in("mei@example.com").await;
    let own = mei.get(&by_id).await;
    assert_eq!(own.data()["user_details"]["name"], "Mei Lin");
    assert_eq!(
        own.data()["verified"],
        true,
        "the code proved the address of the enquiry"
    );
}

#[tokio::test]
async fn a_change_merges_and_a_stale_one_is_told_the_current_version() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    // The mail that tells of its arrival is no change of anybody's.
    until(async || {
        let sent = mei.get("/dev/outbox?to=mei%40example.com").await;
        (!sent.data().as_array().unwrap().is_empty()).then_some(())
    })
    .await;
    let change =
        json!({ "lead": { "data": { "university": null, "budget": 250 }, "price": 1, "state": "booked" } });
    let seen = format!("\"{}\"", lead["version"]);
    let seen = [("if-match", seen.as_str())];
    let changed = mei.call(Method::PUT, &path, Some(change.clone()), &seen).await;
    assert_eq!(
        changed.data()["data"],
        json!({ "budget": 250, "move_in_date": lead["data"]["move_in_date"] })
    );
    assert_eq!(changed.data()["state"], "enquired");
    let stale = mei.call(Method::PUT, &path, Some(change), &seen).await;
    assert_eq!(
        (stale.status, stale.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
    assert_eq!(
        stale.body["current"]["data"]["budget"], 250,
        "both are there to choose from (D79)"
    );
}

#[tokio::test]
async fn a_lead_keeps_the_place_it_was_sent_for() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["location_place_id"] = json!("ChIJ-Leeds");
    body["lead"]["location_place_name"] = json!("Headingley, Leeds");
    body["lead"]["location_coordinates_latitude"] = json!(95);
    let refused = mei.post("/api/v0/leads/", body.clone()).await;
    assert_eq!(
        refused.fields(),
        ["location_coordinates_latitude", "location_coordinates_longitude"]
    );
    body["lead"]["location_coordinates_latitude"] = json!(53.819_3);
    body["lead"]["location_coordinates_longitude"] = json!(-1.5764);
    body["lead"]["inventory_id"] = json!(some_property(&mei).await);
    let lead = mei.post("/api/v0/leads/", body).await.data().clone();
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let read = mei
        .get(&format!(
            "{path}?methods=inventory_root,forms_present&cache=false"
        ))
        .await;
    let read = read.data();
    assert_eq!(
        (&read["location_place_id"], &read["location_place_name"]),
        (&json!("ChIJ-Leeds"), &json!("Headingley, Leeds"))
    );
    assert_eq!(
        (
            read["location_coordinates_latitude"].as_f64(),
            read["location_coordinates_longitude"].as_f64()
        ),
        (Some(53.819_3), Some(-1.5764))
    );
    assert_eq!(read["inventory_root"]["id"], read["inventory_root_id"]);
    assert!(read["inventory_root"]["canonical_name"].is_string());
    assert!(mei.get(&path).await.data()["inventory_root"].is_null());
}

#[tokio::test]
async fn a_changed_address_has_to_be_proved_again() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await
        .data()
        .clone();
    assert_eq!(lead["verified"], true);
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let to = |email: &str| json!({ "lead": { "user_details": { "email": email } } });
    assert_eq!(
        mei.put(&path, to("li@example.com")).await.data()["verified"],
        false
    );
    assert_eq!(
        mei.put(&path, to("mei@example.com")).await.data()["verified"],
        true
    );
}

/// A virtual tour is asked for on a half hour that is still to come.
#[tokio::test]
async fn virtual_tour_starts_on_a_coming_half_hour() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    let details = |field: &str| format!("data/property_view_request_details/{field}");
    let tour = |date: &str, slot: &str, zone: &str| json!({ "date": date, "slot": slot, "timezone": zone, "mode": "virtual" });
    body["lead"]["data"]["property_view_request_details"] = tour("2020-01-01", "08:15", "Nowhere/Land");
    let refused = mei.post("/api/v0/leads/virtual_tour_request", body.clone()).await;
    assert_eq!(
        refused.fields(),
        [details("date"), details("slot"), details("timezone")]
    );
    let clock = mei.post("/dev/clock", json!({ "forward_seconds": 1 })).await;
    let today = &clock.data()["now"].as_str().unwrap()[..10];
    // At 09:00 it is 14 hours later there than in Greenwich: over. At 18:00 it is 11 hours earlier: to come.
    body["lead"]["data"]["property_view_request_details"] = tour(today, "09:00", "Pacific/Kiritimati");
    let late = mei.post("/api/v0/leads/virtual_tour_request", body.clone()).await;
    assert!(
        [vec![details("slot")], vec![details("date")]]
            .contains(&late.fields().iter().map(|f| (*f).to_owned()).collect()),
        "{}",
        late.body
    );
    body["lead"]["data"]["property_view_request_details"] = tour(today, "18:00", "Pacific/Pago_Pago");
    let asked = mei.post("/api/v0/leads/virtual_tour_request", body).await;
    assert_eq!(asked.data()["state"], "viewing_requested");
}

#[tokio::test]
async fn what_cannot_be_used_is_named_however_deep_it_lies() {
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["region_id"] = json!("zz");
    body["lead"]["data"]["move_in_date"] = json!("yesterday-ish");
    body["lead"]["data"]["lease_duration"] = json!("-5 parsecs");
    body["lead"]["meta"] = json!({ "variant": "partner_enquire",
        "idp_form_data": { "councellor_email": "not-an-email", "councellor_country": "x".repeat(9_999) } });
    let refused = Visitor::new(Server::shared()).post("/api/v0/leads/", body).await;
    let mut fields = refused.fields();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "data/lease_duration",
            "data/move_in_date",
            "meta/idp_form_data/councellor_country",
            "meta/idp_form_data/councellor_email",
            "region_id"
        ]
    );
}

/// D26, D27, D81: what a kind of enquiry makes of its lead, and of the button on the home's page.
const KINDS: [(&str, &str, &str); 12] = [
    ("get_help", "enquired", ""),
    ("ask_question_faq_cta", "enquired", "enquired"),
    ("enquire", "enquired", "enquired"),
    ("virtual_tour_enquiry", "enquired", "enquired"),
    ("referred_by_enquiry", "enquired", "enquired"),
    ("partner_enquire", "enquired", "enquired"),
    ("book_now", "enquired", "enquired"),
    ("apply_now", "enquired", "enquired"),
    ("contact_us", "enquired", "contacted"),
    ("join_waitlist", "waitlisted", "waitlisted"),
    ("edit_details", "enquired", "enquired"),
    ("generic_form", "enquired", "enquired"),
];

/// Every kind of enquiry makes its lead and its mark on the home.
#[tokio::test]
async fn each_kind_of_enquiry_makes_a_lead_and_marks_the_home() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    for (variant, state, mark) in KINDS {
        let email = format!("{variant}@example.com");
        let student = Visitor::new(&server);
        let mut body = enquiry("Mei Lin", &email);
        body["lead"]["inventory_id"] = json!(home);
        body["lead"]["meta"] = json!({ "variant": variant });
        if variant == "ask_question_faq_cta" {
            let refused = student.post("/api/v0/leads/", body.clone()).await;
            assert_eq!(refused.fields(), ["data/user_query"]);
            body["lead"]["data"]["user_query"] = json!("Is there a bike store?");
        }
        let lead = student.post("/api/v0/leads/", body).await.data().clone();
        assert_eq!(lead["state"], state, "{variant}");
        let uuid = lead["lead_uuid"].as_str().unwrap();
        let history = student
            .get(&format!(
                "/api/v0/inventories/{home}/user_history?lead_uuid={uuid}"
            ))
            .await;
        for known in ["enquired", "waitlisted", "contacted"] {
            assert_eq!(
                history.data()[known],
                json!(known == mark || (mark.is_empty() && known == "enquired")),
                "{variant} {known}"
            );
        }
        let page = format!("/_page?url=/forms/submit%3Flead_uuid={uuid}");
        let page = student.get(&page).await;
        assert_eq!(
            (page.status, page.body["data"]["status"].as_u64()),
            (StatusCode::OK, Some(200))
        );
    }
    let unknown = json!({ "lead": { "user_details": {}, "meta": { "variant": "gift" } } });
    let refused = mei.post("/api/v0/leads/", unknown).await;
    assert!(refused.fields().contains(&"meta/variant"));
}
