//! Somebody is forgotten through the front door: at the support desk by an administrator, or by their own wish. (What is
//! left anywhere, `forgetting.rs` looks for.)

use aho_corasick::AhoCorasick;
use eventlog::HandleHasher;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::{Server, in_files};

use crate::desk::Officer;
use crate::forgetting::{erased, files};
use crate::letters::first;
use crate::market::{Market, until};
use crate::visitor::{Answer, Visitor, enquiry};

const HOUSE: &str = "0193a000-0000-7000-8000-000000000001";
const GOOD_CARD: &str = "4242424242424242";
const DISPUTES: &str = "4000000000000259";

/// A lead of somebody who has logged in.
async fn enquired(visitor: &Visitor<'_>, email: &str) -> Value {
    visitor.log_in(email).await;
    let sent = visitor.post("/api/v0/leads/", enquiry("Mei Lin", email)).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    sent.data().clone()
}

async fn lead_of(staff: &Visitor<'_>, email: &str) -> Value {
    let found = staff.get(&format!("/api/v0/workspace/leads?q={email}")).await;
    found.data()["result"][0].clone()
}

/// The events of a lead's history, by the key of their sentence, once one of them is told.
async fn told(staff: &Visitor<'_>, lead: &Value, wanted: &str) -> Value {
    let path = format!(
        "/api/v0/workspace/leads/{}/timeline",
        lead["lead_id"].as_str().unwrap()
    );
    until(|| async {
        let history = staff.get(&path).await.data().clone();
        let events = history["events"].as_array().unwrap();
        let found = events.iter().find(|event| event["sentence"]["key"] == wanted)?;
        Some(json!({ "event": found, "lead": history["lead"] }))
    })
    .await
}

/// An administrator erases somebody and the history says who did it and why.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrator_erases_a_person_and_history_says_why() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    enquired(&mei, "mei@example.com").await;
    let support = Visitor::from(&server, [127, 0, 8, 1]);
    support.log_in_as("support").await;
    let admin = Visitor::from(&server, [127, 0, 8, 2]);
    admin.log_in_as("admin").await;
    let lead = lead_of(&support, "mei@example.com").await;
    let path = format!(
        "/api/v0/workspace/leads/{}/forget",
        lead["lead_id"].as_str().unwrap()
    );
    let asked = |confirm: &Value| json!({ "reason": "not_needed", "confirm": confirm });
    let refused = support.post(&path, asked(&lead["reference"])).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let refused = admin.post(&path, asked(&json!("another"))).await;
    assert_eq!(
        refused.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        refused.body
    );
    assert_eq!(refused.fields(), ["confirm"]);
    let refused = admin
        .post(
            &path,
            json!({ "reason": "because", "confirm": lead["reference"] }),
        )
        .await;
    assert!(refused.status.is_client_error(), "{}", refused.body);
    assert!(mei.get("/api/v0/users/details").await.data()["email"].is_string());

    admin.post(&path, asked(&lead["reference"])).await.data();
    let details = mei.get("/api/v0/users/details").await;
    assert_eq!(details.status, StatusCode::UNAUTHORIZED, "{}", details.body);
    let seen = told(&support, &lead, "timeline.user_forgotten.not_needed").await;
    assert_eq!(seen["event"]["actor"]["kind"], "staff", "{seen}");
    assert_eq!(seen["lead"]["name_masked"], "", "{seen}");
    // Their address is free once nothing is left: whoever proves it now is somebody new.
    erased(&server, 1).await;
    let other = Visitor::from(&server, [127, 0, 8, 3]);
    other.wait(31).await;
    other.log_in("mei@example.com").await;
    let activity = other.get("/api/v0/users/activity?tab=enquired").await;
    assert_eq!(activity.data()["leads"]["result"], json!([]), "{}", activity.body);
    // Done again, it changes nothing.
    admin.post(&path, asked(&lead["reference"])).await.data();

    let own = Visitor::from(&server, [127, 0, 8, 4]);
    own.log_in_as("admin").await;
    own.post("/api/v0/leads/", enquiry("Ada Root", "admin@staff.example"))
        .await
        .data();
    let lead = until(|| async {
        let lead = lead_of(&own, "admin@staff.example").await;
        lead["lead_id"].is_string().then_some(lead)
    })
    .await;
    let path = format!(
        "/api/v0/workspace/leads/{}/forget",
        lead["lead_id"].as_str().unwrap()
    );
    let refused = own.post(&path, asked(&lead["reference"])).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "own_account")
    );
}

/// The words of somebody who was forgotten make a new enquiry however soon they come again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_a_forgotten_person_make_a_new_enquiry() {
    let server = Server::start();
    let mei = Visitor::new(&server);
    let asks = || mei.post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"));
    let mut last = asks().await;
    assert_eq!(last.status, StatusCode::CREATED, "{}", last.body);
    for _ in 0..3 {
        assert_eq!(asks().await.data()["id"], last.data()["id"]);
        // Another process destroys the key; the server looks for itself only now and then.
        server.run(&["forget", "--email", "mei@example.com"]);
        let again = asks().await;
        assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
        assert_ne!(again.data()["id"], last.data()["id"]);
        last = again;
    }
}

/// Somebody has their own data erased with a fresh code and their uploads are gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn person_erases_own_data_and_uploads_with_a_fresh_code() {
    let market = Market::open(&[3], &[]).await;
    let server = &market.server;
    let support = Visitor::from(server, [127, 0, 8, 1]);
    support.log_in_as("support").await;
    let mut buyer = market.person(1, 0);
    buyer.email = "jo@example.com".to_owned();
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD_CARD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let lead = lead_of(&support, "jo@example.com").await;
    let jo = Visitor::new(server);
    jo.log_in("jo@example.com").await;
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_id"], "inventory_id": HOUSE, "flow": "book" } });
    let form = jo.post("/api/v0/booking_forms", form).await.data().clone();
    let documents = format!(
        "/api/v0/booking_forms/{}/documents",
        form["form_uuid"].as_str().unwrap()
    );
    // What only begins as a picture is none.
    let html = b"\xFF\xD8\xFF<html><script>alert(1)</script>".to_vec();
    let sending = jo.client().post(server.url(&documents)).body(html);
    let refused = sending.header("x-file-name", "pass.jpg").send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let sending = jo
        .client()
        .post(server.url(&documents))
        .body(b"%PDF-1.7 jo startxref %%EOF".to_vec());
    let sent = sending.header("x-file-name", "pass.pdf").send().await.unwrap();
    assert_eq!(
        sent.status(),
        StatusCode::CREATED,
        "{}",
        sent.text().await.unwrap()
    );
    let uploads = || match market.server.database_name() {
        Some(database) => tests::cluster().run(&database, "select count(*) from latchkey_desk.document"),
        None => std::fs::read_dir(server.folder().join("documents"))
            .unwrap()
            .count()
            .to_string(),
    };
    assert_eq!(uploads().trim(), "1");

    let proof = jo.erasure_proof("email", "jo@example.com").await;
    let (session, otp) = (&proof["session_uuid"], proof["otp"].as_str().unwrap().to_owned());
    let asked = |by: &str, otp: &str| json!({ "by": by, "otp": otp, "session_uuid": session });
    let wrong = if otp == "000000" { "000001" } else { "000000" };
    let stranger = Visitor::from(server, [127, 0, 8, 5]);
    for (who, body, status) in [
        (&stranger, asked("email", &otp), StatusCode::UNAUTHORIZED),
        (&jo, asked("phone", &otp), StatusCode::CONFLICT),
        (&jo, asked("email", wrong), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let refused = who.post("/api/v0/users/forget", body).await;
        assert_eq!(refused.status, status, "{}", refused.body);
    }
    jo.post("/api/v0/users/forget", asked("email", &otp)).await.data();
    let details = jo.get("/api/v0/users/details").await;
    assert!(details.body["data"].is_null(), "{}", details.body);
    let seen = told(&support, &lead, "timeline.user_forgotten.asked").await;
    assert_eq!(seen["event"]["actor"]["kind"], "student", "{seen}");
    erased(server, 1).await;
    assert_eq!(uploads().trim(), "0");
    // What was paid stays, without the person.
    let still = buyer.read(&token).await;
    assert_eq!(still["status"], "success", "{still}");
    assert!(!still.to_string().contains("jo@example.com"), "{still}");
}

/// A login's code, which its owner may be talked into reading out, erases nothing; the code that erases logs in nowhere.
#[tokio::test]
async fn erasure_code_is_good_for_erasing_alone() {
    let server = Server::start();
    for (by, to) in [("email", "mei@uni.example"), ("phone", "+447700900123")] {
        let [owner, elsewhere] = [0; 2].map(|_| Visitor::new(&server));
        let proof = login_proof(&owner, by, to).await;
        log_in_by(&owner, by, to, &proof).await.data();

        let mut login = login_proof(&elsewhere, by, to).await;
        login["by"] = json!(by);
        let refused = owner.post("/api/v0/users/forget", login.clone()).await;
        assert_eq!(refused.fields(), ["otp"], "{}", refused.body);
        log_in_by(&elsewhere, by, to, &login).await.data();

        let erasure = owner.erasure_proof(by, to).await;
        let refused = log_in_by(&Visitor::new(&server), by, to, &erasure).await;
        assert_eq!(refused.fields(), ["user/otp"], "{}", refused.body);
        let letter = first(&owner, to, "erasure_code").await;
        for said in ["erase", "did not ask for it", "support"] {
            assert!(letter["body"].as_str().unwrap().contains(said), "{letter}");
        }
        owner.post("/api/v0/users/forget", erasure).await.data();
        let details = elsewhere.get("/api/v0/users/details").await;
        assert!(details.body["data"].is_null(), "{}", details.body);
    }
}

/// Asks for the code of a login, half a minute after any code of before.
async fn login_proof(visitor: &Visitor<'_>, by: &str, to: &str) -> Value {
    visitor.wait(31).await;
    let mut user = json!({});
    user[by] = json!(to);
    let path = format!("/api/v0/users/generate_{by}_otp");
    let sent = visitor.post(&path, json!({ "user": user })).await;
    let session = sent.data()["session_uuid"].clone();
    json!({ "otp": visitor.code_for(to).await, "session_uuid": session })
}

async fn log_in_by(visitor: &Visitor<'_>, by: &str, to: &str, proof: &Value) -> Answer {
    let mut user = json!({ "otp": proof["otp"], "session_uuid": proof["session_uuid"] });
    user[by] = json!(to);
    let path = format!("/api/v0/users/login_{by}_otp");
    visitor.post(&path, json!({ "user": user })).await
}

/// Files below the server's folder in which the mark of a device can be read.
fn with_marks(server: &Server) -> Vec<String> {
    files_with(server, br#""device":{"#)
}

fn files_with(server: &Server, bytes: &[u8]) -> Vec<String> {
    let sought = AhoCorasick::new([bytes]).unwrap();
    let mut found = files(server.folder());
    found.retain(|file| sought.is_match(&std::fs::read(file).unwrap_or_default()));
    found.iter().map(|file| file.display().to_string()).collect()
}

/// Files that hold the token by which the desk finds a number as people read it out.
fn with_token_of(server: &Server, national: &str) -> Vec<String> {
    let hasher = HandleHasher::open(&server.folder().join("handles.key")).unwrap();
    files_with(server, &hasher.hash("phone", national)[..8])
}

/// The marks by which enquiry and payment are seen to come from one device are sealed, and are gone with their person, as is what the
/// person is found by.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_of_a_device_go_with_their_person() {
    const SAME: &str = "from the network and in the browser of the enquiry";
    let searched = in_files("every byte of its folder is searched");
    let market = Market::open(&[3], &[searched]).await;
    let server = &market.server;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, DISPUTES).await;
    let payment_id = until(|| async {
        let found = officer.events("&kind=dispute_opened").await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    market.caught_up().await;
    let path = format!("/api/v0/workspace/payments/{payment_id}/evidence");
    let begun = || async {
        let evidence = officer.get(&path).await["data"].clone();
        let lines = evidence["lines"].as_array().unwrap();
        let line = lines.iter().find(|line| line["type"] == "PaymentBegun");
        line.unwrap_or_else(|| panic!("{evidence}")).clone()
    };
    let known = begun().await;
    assert!(known["text"].as_str().unwrap().contains(SAME), "{known}");
    assert_eq!(with_marks(server), Vec::<String>::new());
    let event = officer
        .get(&format!("/api/v0/workspace/events/{}", known["position"]))
        .await;
    assert_eq!(event["data"]["sealed"], true, "{event}");
    assert_eq!(
        event["data"]["payload"]["PaymentBegun"]["device"],
        Value::Null,
        "{event}"
    );

    let national = buyer.phone.trim_start_matches("+44+");
    assert!(!with_token_of(server, national).is_empty());
    let asks_back = server.refused(&["forget", "--email", &buyer.email]);
    assert!(
        asks_back.contains("is booked (L-")
            && asks_back.contains("`--although-booked`; nothing was forgotten"),
        "{asks_back}"
    );
    server.run(&["forget", "--although-booked", "--email", &buyer.email]);
    // Another process destroyed the keys; the server hears of it from the log.
    until(|| async {
        let line = begun().await;
        let told = line["text"].as_str()?.to_owned();
        (!told.contains("of the enquiry") && !told.contains("than the enquiry")).then_some(())
    })
    .await;
    market.caught_up().await;
    assert_eq!(with_marks(server), Vec::<String>::new());
    until(|| async { with_token_of(server, national).is_empty().then_some(()) }).await;
}
