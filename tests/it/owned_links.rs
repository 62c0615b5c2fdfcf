//! What an enquiry's link does once the enquiry has an owner, and what its owner is shown of it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::{Answer, Visitor, enquiry, some_property};

const GOOD: &str = "4242424242424242";

fn refused(answer: &Answer) -> bool {
    (answer.status, answer.code()) == (StatusCode::FORBIDDEN, "log_in_first")
}

/// The link of an enquiry sent with a login shows no name and changes nothing for anybody else.
#[tokio::test]
async fn link_of_an_owned_enquiry_is_masked_and_read_only() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let ann = Visitor::new(&server);
    ann.log_in("ann@example.com").await;
    let home = some_property(&ann).await;
    let mut body = enquiry("Ann Owner", "ann@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let sent = ann.post("/api/v0/leads", body).await;
    let lead = sent.data()["lead_uuid"].as_str().unwrap().to_owned();
    let path = format!("/api/v0/leads/{lead}");

    let anybody = Visitor::new(&server);
    let bob = Visitor::new(&server);
    bob.log_in("bob@example.com").await;
    for other in [&anybody, &bob] {
        let seen = other.get(&path).await;
        assert_eq!(seen.data()["uuid"], "", "{}", seen.body);
        let text = seen.body.to_string();
        assert!(
            !text.contains("Ann") && !text.contains("ann@example.com"),
            "{text}"
        );
        let renamed = json!({ "lead": { "user_details": { "name": "Eve" } } });
        assert!(refused(&other.put(&path, renamed).await));
        let form = json!({ "booking_form": { "lead_uuid": lead, "inventory_id": home, "flow": "book" } });
        assert!(refused(&other.post("/api/v0/booking_forms", form).await));
        let payment = json!({ "payment": { "lead_uuid": lead, "inventory_id": home } });
        assert!(refused(&other.post("/api/v0/payments", payment).await));
    }
    let own = ann.get(&path).await;
    assert_eq!(own.data()["user_details"]["name"], "Ann Owner", "{}", own.body);
    let renamed = json!({ "lead": { "user_details": { "name": "Ann Other" } } });
    assert_eq!(ann.put(&path, renamed).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_booking_without_a_form_does_not_tick_one() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let owner = Visitor::new(&market.server);
    owner.log_in(&buyer.email).await;
    let booked = until(|| async {
        let activity = owner.get("/api/v0/users/activity?tab=booked").await;
        activity.data()["leads"]["result"].get(0).cloned()
    })
    .await;
    let keys: Vec<&Value> = booked["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["key"])
        .collect();
    assert_eq!(keys, ["enquired", "payment", "booked", "move_in"], "{booked}");
}

/// The name of a form opens it until the lead is claimed, then only with the owner's login; no student owns a lead as staff.
#[tokio::test]
async fn form_link_ends_with_the_claim_and_owners_are_staff() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let sender = Visitor::new(&server);
    let home = some_property(&sender).await;
    let mut body = enquiry("Ann Owner", "ann@example.com");
    body["lead"]["inventory_id"] = json!(home);
    let sent = sender.post("/api/v0/leads", body).await;
    let (lead, lead_id) = (sent.data()["lead_uuid"].clone(), sent.data()["id"].clone());
    let start = json!({ "booking_form": { "lead_uuid": lead, "inventory_id": home, "flow": "book" } });
    let form = sender.post("/api/v0/booking_forms", start).await;
    let path = format!(
        "/api/v0/booking_forms/{}",
        form.data()["form_uuid"].as_str().unwrap()
    );
    assert_eq!(sender.get(&path).await.status, StatusCode::OK);

    let ann = Visitor::new(&server);
    let account = ann.log_in("ann@example.com").await;
    assert_eq!(ann.get(&path).await.status, StatusCode::OK);
    let section = json!({ "section": {}, "complete": false });
    for refusal in [
        sender.get(&path).await,
        sender
            .put(&format!("{path}/sections/personal_form"), section)
            .await,
        sender.post(&format!("{path}/submit"), json!({})).await,
    ] {
        assert!(refused(&refusal), "{} {}", refusal.status, refusal.body);
    }

    let support = Visitor::new(&server);
    let staff = support.log_in_as("support").await;
    let assign = format!("/api/v0/workspace/leads/{}/assign", lead_id.as_str().unwrap());
    for stranger in [
        account["id"].clone(),
        json!("01923456-789a-7bcd-8ef0-123456789abc"),
    ] {
        let answer = support.post(&assign, json!({ "owner": stranger })).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
    }
    let own = support.post(&assign, json!({ "owner": staff["id"] })).await;
    assert_eq!(own.status, StatusCode::OK, "{}", own.body);
}

/// A student who is logged in on one device enquires on another without a login: the link of the mail shows it, to that student alone.
#[tokio::test]
async fn mail_link_shows_an_enquiry_sent_without_a_login() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let [mei, bob, guest] = [1, 2, 3].map(|host| Visitor::from(&server, [127, 0, 5, host]));
    mei.log_in("mei@example.com").await;
    bob.log_in("bob@example.com").await;
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(some_property(&mei).await);
    let sent = guest.post("/api/v0/leads/", body).await;
    let uuid = sent.data()["lead_uuid"].as_str().unwrap();
    let enquiries_of = |mail: &Value| {
        let words = mail["body"].as_str().unwrap().split_whitespace();
        let mut links = words.filter_map(|word| word.split_once("/profile/leads?").map(|(_, query)| query));
        links.next().map(str::to_owned)
    };
    let query = until(async || {
        let mails = guest.get("/dev/outbox?to=mei@example.com").await;
        let mut mails = mails.data().as_array().unwrap().iter();
        let mail = mails.find(|mail| mail["kind"] != "otp" && mail["code"].is_null())?;
        enquiries_of(mail)
    })
    .await;
    assert!(query.starts_with("tab=enquired&enquiry="), "{query}");
    let listed = async |visitor: &Visitor<'_>, query: &str| {
        let activity = visitor.get(&format!("/api/v0/users/activity?{query}")).await;
        assert_eq!(activity.status, StatusCode::OK, "{}", activity.body);
        activity.data()["leads"]["result"].as_array().unwrap().len()
    };
    // The list alone claims nothing, nor does the link of a mail to another person, or one that was changed.
    assert_eq!(listed(&mei, "tab=enquired").await, 0);
    assert_eq!(listed(&bob, &query).await, 0);
    assert_eq!(listed(&mei, &query.replace("enquiry=", "enquiry=0")).await, 0);
    let path = format!("/api/v0/leads/{uuid}");
    assert_ne!(guest.get(&path).await.data()["lead_uuid"], "");

    for _again in 0..2 {
        assert_eq!(listed(&mei, &query).await, 1);
    }
    assert_eq!(listed(&mei, "tab=enquired").await, 1);
    assert_eq!(listed(&bob, &query).await, 0);
    // As after any claim the enquiry's own link opens it no more.
    assert_eq!(guest.get(&path).await.data()["lead_uuid"], "");
}
