//! An enquiry whose address was corrected is the corrected address's alone: the former one neither sees nor forgets it, and forgetting
//! the present one leaves nothing of it readable.

use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};
use tests::{Server, in_files};

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry};

const HOUSE: &str = "0193a000-0000-7000-8000-000000000001";
const FORMER: &str = "mie@example.com";
const PRESENT: &str = "mei@example.com";

/// Sends an enquiry with a mistyped address, begins its form, then corrects the address by the link. Gives the lead.
async fn corrected(visitor: &Visitor<'_>) -> Value {
    let mut body = enquiry("Mei Lin", FORMER);
    body["lead"]["inventory_id"] = json!(HOUSE);
    let lead = visitor.post("/api/v0/leads", body).await.data().clone();
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": HOUSE, "flow": "book" } });
    let form = visitor.post("/api/v0/booking_forms", form).await.data().clone();
    let section = format!(
        "/api/v0/booking_forms/{}/sections/personal_form",
        form["form_uuid"].as_str().unwrap()
    );
    let filled =
        json!({ "section": { "full_name": "Mei Lin", "medical_condition": "asthma" }, "complete": false });
    visitor.put(&section, filled).await.data();
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let correct = json!({ "lead": { "user_details": { "email": PRESENT } } });
    visitor.put(&link, correct).await.data();
    lead
}

async fn listed(visitor: &Visitor<'_>) -> usize {
    let activity = visitor.get("/api/v0/users/activity?tab=enquired").await;
    activity.data()["leads"]["result"].as_array().unwrap().len()
}

/// Sealed events of leads and forms whose key is still there.
fn readable(server: &Server) -> i64 {
    let log = Connection::open(server.folder().join("log.db")).unwrap();
    let keys = server.folder().join("keys.db");
    log.execute("attach ?1 as keys", [keys.to_str().unwrap()])
        .unwrap();
    log.query_row(
        "select count(*) from event e join stream s on s.id = e.stream
         where s.kind in ('lead', 'booking_form') and e.sealed is not null
           and not exists (select 1 from keys.subject_key k where k.subject = e.subject_id and k.key is null)",
        [],
        |row| row.get(0),
    )
    .unwrap()
}

/// The former address's login neither lists, opens nor changes it, and the present one's has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn corrected_enquiry_is_of_the_new_address_alone() {
    let market = Market::open(&[1], &[]).await;
    let server = &market.server;
    let sender = Visitor::new(server);
    let lead = corrected(&sender).await;
    let path = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());

    let former = Visitor::from(server, [127, 0, 8, 1]);
    former.log_in(FORMER).await;
    assert_eq!(listed(&former).await, 0);
    assert_eq!(former.get(&path).await.status, StatusCode::NOT_FOUND);
    let renamed = json!({ "lead": { "user_details": { "name": "Eve" } } });
    assert_eq!(former.put(&path, renamed).await.status, StatusCode::NOT_FOUND);

    let present = Visitor::from(server, [127, 0, 8, 2]);
    present.log_in(PRESENT).await;
    assert_eq!(listed(&present).await, 1);
    let own = present.get(&path).await;
    assert_eq!(own.data()["user_details"]["email"], PRESENT, "{}", own.body);
}

/// A login by phone takes no enquiry, not even with its link: whoever sends one types any number.
#[tokio::test]
async fn phone_login_claims_no_enquiry() {
    let server = Server::start();
    let sender = Visitor::new(&server);
    let sent = sender.post("/api/v0/leads", enquiry("Mei Lin", PRESENT)).await;
    let link = format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
    let caller = Visitor::from(&server, [127, 0, 8, 1]);
    let ask = json!({ "user": { "phone": "+447700900123" } });
    let asked = caller.post("/api/v0/users/generate_phone_otp", ask).await;
    let otp = caller.code_for("+447700900123").await;
    let session = asked.data()["session_uuid"].clone();
    let user = json!({ "user": { "phone": "+447700900123", "otp": otp, "session_uuid": session } });
    caller.post("/api/v0/users/login_phone_otp", user).await.data();
    assert_eq!(listed(&caller).await, 0);
    let renamed = json!({ "lead": { "user_details": { "name": "Mei Ling" } } });
    caller.put(&link, renamed).await.data();
    assert_eq!(listed(&caller).await, 0);

    let owner = Visitor::from(&server, [127, 0, 8, 2]);
    owner.log_in(PRESENT).await;
    assert_eq!(listed(&owner).await, 1);
}

/// Forgetting the former address leaves the enquiry to its owner; forgetting the owner leaves no event of it readable.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn corrected_enquiry_is_forgotten_with_its_owner() {
    let market = Market::open(&[1], &[in_files("the keys are looked at")]).await;
    let server = &market.server;
    let sender = Visitor::new(server);
    let lead = corrected(&sender).await;
    let support = Visitor::from(server, [127, 0, 8, 3]);
    support.log_in_as("support").await;
    let row = async || {
        let found = support
            .get(&format!(
                "/api/v0/workspace/leads?q={}",
                lead["reference"].as_str().unwrap()
            ))
            .await;
        found.data()["result"][0].clone()
    };

    let before = readable(server);
    assert!(before >= 4, "enquiry, form, condition, correction: {before}");
    server.run(&["forget", "--email", FORMER]);
    assert_eq!(readable(server), before);
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let still = sender.get(&link).await;
    assert_eq!(still.data()["user_details"]["name"], "Mei Lin", "{}", still.body);
    assert_eq!(row().await["name_masked"], "M••• L•••");

    server.run(&["forget", "--email", PRESENT]);
    assert_eq!(readable(server), 0);
    until(|| async { (row().await["name_masked"] == "").then_some(()) }).await;
    assert_eq!(sender.get(&link).await.status, StatusCode::NOT_FOUND);
}

/// A referred person who writes the referrer's own number later, or whose referrer comes to be reached by it, waits for a review.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn contact_shared_later_holds_the_referral() {
    let market = Market::open(&[3], &[]).await;
    let server = &market.server;
    let referrer = Visitor::new(server);
    let code = referrer.log_in("ann@example.com").await["referral_code"].clone();
    let mut own = enquiry("Ann Owner", "ann@example.com");
    own["lead"]["inventory_id"] = json!(HOUSE);
    referrer.post("/api/v0/leads", own).await.data();
    let support = Visitor::from(server, [127, 0, 8, 3]);
    support.log_in_as("support").await;
    let held = async || {
        let found = support
            .get("/api/v0/workspace/leads?attention=referral_held")
            .await;
        found.data()["meta"]["count"].as_u64().unwrap()
    };

    let friend = Visitor::from(server, [127, 0, 8, 4]);
    let mut sent = enquiry("Bob Friend", "bob@example.com");
    sent["lead"]["user_details"]["phone"] = json!("+447700900555");
    sent["lead"]["referral_details"] = json!({ "code": code });
    let lead = friend.post("/api/v0/leads", sent).await.data().clone();
    assert_eq!(held().await, 0);
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let shared = json!({ "lead": { "user_details": { "phone": "+447700900123" } } });
    friend.put(&link, shared).await.data();
    assert_eq!(held().await, 1);

    // The referrer's next enquiry names the number that a referred buyer wrote before.
    let buyer = market.person(7, 0);
    let mut body = buyer.lead_body();
    body["lead"]["referral_details"] = json!({ "code": code });
    let (_, sent) = buyer.post("/api/v0/leads", body).await;
    let token = buyer
        .open_for(sent["data"]["lead_uuid"].as_str().unwrap(), &buyer.room)
        .await;
    let mut other = enquiry("Ann Owner", "ann@example.com");
    other["lead"]["inventory_id"] = json!(market.elsewhere);
    other["lead"]["user_details"]["phone"] = json!(buyer.phone);
    referrer.post("/api/v0/leads", other).await.data();
    assert_eq!(held().await, 1);
    buyer.begin(&token).await;
    buyer.pay(&token, "4242424242424242").await;
    until(|| async { (held().await == 2).then_some(()) }).await;
}
