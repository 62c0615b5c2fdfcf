//! What each capability opens, to whom, and what ends it: the table of `docs/capabilities.md` walked through the front door.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::Market;
use crate::visitor::{Answer, Visitor, enquiry};

const PHONE: &str = "+447700900123";

/// An enquiry with its form and payment, sent without a login.
struct Sent {
    body: Value,
    id: String,
    lead: String,
    form: String,
    token: String,
}

/// Enquires in the name of Ann, with a phone that is another person's; starts the form and opens the payment.
async fn sent(sender: &Visitor<'_>, stranger: &Visitor<'_>, room: &str) -> Sent {
    let mut body = enquiry("Ann Owner", "ann@example.com");
    body["lead"]["inventory_id"] = json!(room);
    body["lead"]["data"] = json!({});
    let made = sender.post("/api/v0/leads", body.clone()).await;
    let lead = text(&made.data()["lead_uuid"]);
    let again = stranger.post("/api/v0/leads", body.clone()).await;
    assert_eq!(
        again.data()["lead_uuid"],
        lead,
        "nothing but the words: {}",
        again.body
    );
    let start = json!({ "booking_form": { "lead_uuid": lead, "inventory_id": room, "flow": "book" } });
    let form = text(&sender.post("/api/v0/booking_forms", start).await.data()["form_uuid"]);
    let asked = json!({ "payment": { "lead_uuid": lead, "inventory_id": room, "form_uuid": form } });
    let opened = sender.post("/api/v0/payments", asked).await;
    assert_eq!(links(&opened), (json!(lead), json!(form)), "{}", opened.body);
    Sent {
        id: text(&made.data()["id"]),
        token: text(&opened.data()["token"]),
        body,
        lead,
        form,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn links(payment: &Answer) -> (Value, Value) {
    let shown = payment.data();
    (shown["lead_uuid"].clone(), shown["form_uuid"].clone())
}

async fn log_in_by_phone(visitor: &Visitor<'_>) {
    let asked = json!({ "user": { "phone": PHONE } });
    let code = visitor.post("/api/v0/users/generate_phone_otp", asked).await;
    let otp = visitor.code_for(PHONE).await;
    let user = json!({ "user": { "phone": PHONE, "otp": otp, "session_uuid": code.data()["session_uuid"] } });
    visitor.post("/api/v0/users/login_phone_otp", user).await.data();
}

/// The payment's link shows what is paid and pays it; it leads to no lead and no form.
async fn a_payer_learns_of_no_lead(payer: &Visitor<'_>, sent: &Sent) {
    let path = format!("/api/v0/payments/{}", sent.token);
    let page = payer.get(&format!("/_page?url=/payments/{}", sent.token)).await;
    let read = payer.get(&path).await;
    assert!(read.data()["total_minor"].as_u64().unwrap() > 0, "{}", read.body);
    let begun = payer.post(&format!("{path}/intent"), json!({})).await;
    for answer in [&read, &begun] {
        assert_eq!(links(answer), (Value::Null, Value::Null), "{}", answer.body);
    }
    for answer in [&page, &read, &begun] {
        let text = answer.body.to_string();
        for secret in [&sent.lead, &sent.form, "Ann", "ann@example.com", PHONE] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

/// The same words are answered masked, without a link.
async fn words_open_nothing(stranger: &Visitor<'_>, sent: &Sent) {
    let again = stranger.post("/api/v0/leads", sent.body.clone()).await;
    assert_eq!(again.data()["id"], sent.id, "{}", again.body);
    assert_eq!(again.data()["lead_uuid"], "", "{}", again.body);
    let text = again.body.to_string();
    assert!(!text.contains(&sent.lead) && !text.contains("Owner"), "{text}");
}

#[tokio::test]
async fn each_capability_opens_its_own_thing_until_it_ends() {
    let market = Market::open(&[2], &[]).await;
    let [sender, stranger, phone_holder, ann] =
        [1, 2, 3, 4].map(|host| Visitor::from(&market.server, [127, 0, 3, host]));
    let sent = sent(&sender, &stranger, &market.rooms[0]).await;
    let (lead, form) = (
        format!("/api/v0/leads/{}", sent.lead),
        format!("/api/v0/booking_forms/{}", sent.form),
    );
    let payment = format!("/api/v0/payments/{}", sent.token);
    let with_link = format!("{payment}?lead_uuid={}", sent.lead);
    a_payer_learns_of_no_lead(&stranger, &sent).await;
    words_open_nothing(&stranger, &sent).await;
    assert_eq!(
        links(&sender.get(&with_link).await),
        (json!(sent.lead), json!(sent.form))
    );
    let mut with_own_link = sent.body.clone();
    with_own_link["lead"]["lead_uuid"] = json!(sent.lead);
    let again = sender.post("/api/v0/leads", with_own_link.clone()).await;
    assert_eq!(again.data()["lead_uuid"], sent.lead, "{}", again.body);

    // A number that the sender typed makes its holder no owner.
    log_in_by_phone(&phone_holder).await;
    let by_id = format!("/api/v0/leads/{}", sent.id);
    assert_eq!(phone_holder.get(&by_id).await.status, StatusCode::NOT_FOUND);
    let listed = phone_holder.get("/api/v0/users/activity?tab=enquired").await;
    assert_eq!(listed.data()["leads"]["result"], json!([]), "{}", listed.body);
    assert_eq!(
        links(&phone_holder.get(&payment).await),
        (Value::Null, Value::Null)
    );
    assert_eq!(sender.get(&form).await.status, StatusCode::OK);

    // The claim: from here on the owner's login alone opens it.
    ann.log_in("ann@example.com").await;
    assert_eq!(
        links(&ann.get(&payment).await),
        (json!(sent.lead), json!(sent.form))
    );
    assert_eq!(ann.get(&form).await.status, StatusCode::OK);
    let renamed = json!({ "lead": { "user_details": { "name": "Ann Otherwise" } } });
    assert_eq!(ann.put(&lead, renamed.clone()).await.status, StatusCode::OK);
    for other in [&sender, &stranger, &phone_holder] {
        assert_eq!(links(&other.get(&with_link).await), (Value::Null, Value::Null));
        assert_eq!(other.get(&lead).await.data()["lead_uuid"], "");
        assert_eq!(other.put(&lead, renamed.clone()).await.code(), "log_in_first");
        assert_eq!(other.get(&form).await.code(), "log_in_first");
    }
    words_open_nothing(&stranger, &sent).await;
    let again = sender.post("/api/v0/leads", with_own_link).await;
    assert_eq!(again.data()["lead_uuid"], "", "{}", again.body);
    let found = ann.get("/api/v0/users/activity?tab=enquired").await;
    assert_eq!(found.data()["counts"]["enquired"], 1, "{}", found.body);
}

/// An enquiry sent with a login is its account's, whatever address it names; an unclaimed one's links last thirty days.
#[tokio::test]
async fn a_named_address_owns_no_lead_and_links_grow_old() {
    let market = Market::open(&[2], &[]).await;
    let [bob, ann, sender] = [1, 2, 3].map(|host| Visitor::from(&market.server, [127, 0, 4, host]));
    ann.log_in("ann@example.com").await;
    bob.log_in("bob@example.com").await;
    let mut body = enquiry("Bob Sender", "ann@example.com");
    body["lead"]["inventory_id"] = json!(market.rooms[0]);
    let of_bob = text(&bob.post("/api/v0/leads", body).await.data()["id"]);
    let path = format!("/api/v0/leads/{of_bob}");
    assert_eq!(bob.get(&path).await.status, StatusCode::OK);
    assert_eq!(ann.get(&path).await.status, StatusCode::NOT_FOUND);
    let listed = ann.get("/api/v0/users/activity?tab=enquired").await;
    assert_eq!(listed.data()["leads"]["result"], json!([]), "{}", listed.body);

    let sent = sent(&sender, &sender, &market.rooms[0]).await;
    sender.wait(31 * 86_400).await;
    let changed = json!({ "lead": { "user_details": { "name": "Ann Later" } } });
    let lead = format!("/api/v0/leads/{}", sent.lead);
    let form = format!("/api/v0/booking_forms/{}", sent.form);
    assert_eq!(sender.put(&lead, changed).await.code(), "link_too_old");
    assert_eq!(sender.get(&form).await.code(), "link_too_old");
}
