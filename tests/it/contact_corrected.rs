//! Staff correct how a student is reached, and any value names what set it (rows I4, N2; decision 0026).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Answer, Visitor, enquiry};

const LEADS: &str = "/api/v0/workspace/leads";

async fn sent(visitor: &Visitor<'_>, email: &str, phone: &str) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["user_details"]["phone"] = json!(phone);
    visitor.post("/api/v0/leads", body).await.data().clone()
}

async fn act(desk: &Visitor<'_>, lead: &Value, body: Value) -> Answer {
    let id = lead["id"].as_str().unwrap();
    desk.post(&format!("{LEADS}/{id}/acts"), body).await
}

async fn why(desk: &Visitor<'_>, lead: &Value, path: &str) -> Answer {
    let id = lead["id"].as_str().unwrap();
    desk.get(&format!("/api/v0/workspace/why?aggregate={id}&path={path}"))
        .await
}

/// Kinds of the messages that went to an address.
async fn mails(visitor: &Visitor<'_>, to: &str) -> Vec<String> {
    let outbox = visitor.get(&format!("/dev/outbox?to={to}")).await;
    let all = outbox.data().as_array().unwrap().iter();
    all.map(|mail| mail["kind"].as_str().unwrap().to_owned())
        .collect()
}

/// A phone set by the form, corrected by staff and taken over from a duplicate has exactly three causes, in order.
#[tokio::test]
async fn phone_has_three_causes_in_order() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [mei, desk] = [(); 2].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let kept = sent(&mei, "mei@example.com", "+447700900123").await;
    let correct = json!({ "act": "correct_contact", "phone": "+447700900456", "reason": "She gave the new number on the phone" });
    let corrected = act(&desk, &kept, correct).await;
    assert_eq!(corrected.status, StatusCode::OK, "{}", corrected.body);
    let double = sent(&Visitor::new(&server), "mei@example.com", "+447700900789").await;
    let merge = json!({ "act": "mark_double", "kept_lead_id": kept["id"], "take_phone": true, "reason": "The same student" });
    let merged = act(&desk, &double, merge).await;
    assert_eq!(merged.status, StatusCode::OK, "{}", merged.body);

    let told = until(async || {
        let answer = why(&desk, &kept, "/user_details/phone").await;
        let causes = answer.body["data"]["causes"].as_array()?.clone();
        (causes.len() >= 3).then_some(causes)
    })
    .await;
    let of = |name: &str| told.iter().map(|cause| cause[name].clone()).collect::<Vec<_>>();
    assert_eq!(
        of("type"),
        ["LeadCreated", "LeadContactChanged", "LeadContactChanged"]
    );
    let actors: Vec<&Value> = told.iter().map(|cause| &cause["actor"]["kind"]).collect();
    assert_eq!(actors, ["student", "staff", "staff"]);
    let mut places: Vec<i64> = told
        .iter()
        .map(|cause| cause["position"].as_i64().unwrap())
        .collect();
    assert!(places.is_sorted());
    places.dedup();
    let mut requests: Vec<String> = told
        .iter()
        .map(|cause| cause["correlation_id"].to_string())
        .collect();
    requests.dedup();
    assert_eq!((told.len(), places.len(), requests.len()), (3, 3, 3), "{told:?}");
    assert!(!json!(told).to_string().contains("7700900"));
    let never = why(&desk, &kept, "/payment/captured").await;
    assert_eq!(never.status, StatusCode::NOT_FOUND, "{}", never.body);
}

/// Both addresses are told, the login that owned the lead keeps it, and the new address's login gets nothing.
#[tokio::test]
async fn corrected_address_is_told_and_hands_nothing_over() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [mei, other, desk] = [(); 3].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let (old, new) = ("mei@example.com", "mei.lin@example.org");
    mei.log_in(old).await;
    let lead = sent(&mei, old, "+447700900123").await;
    let correct = |fields: Value| {
        let mut body = json!({ "act": "correct_contact", "reason": "She asked for it", "meaning": "same" });
        body.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        body
    };
    let bad = act(&desk, &lead, correct(json!({ "email": "mei", "phone": "12" }))).await;
    assert_eq!(
        (bad.status, bad.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["email", "phone"])
    );
    let wordless = act(&desk, &lead, json!({ "act": "correct_contact", "email": new })).await;
    assert_eq!(wordless.fields(), ["reason"]);
    let same = act(&desk, &lead, correct(json!({ "email": old }))).await;
    assert_eq!(
        (same.status, same.code()),
        (StatusCode::CONFLICT, "nothing_changed")
    );
    let done = act(&desk, &lead, correct(json!({ "email": new }))).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    until(async || {
        let (to_old, to_new) = (mails(&mei, old).await, mails(&mei, new).await);
        let told =
            to_old.contains(&"contact_left".to_owned()) && to_new.contains(&"contact_corrected".to_owned());
        told.then_some(())
    })
    .await;
    other.log_in(new).await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    assert_eq!(mei.get(&own).await.status, StatusCode::OK);
    assert_eq!(other.get(&own).await.status, StatusCode::NOT_FOUND);
}

/// An enquiry without a login is not moved to an address whose account would own it at once.
#[tokio::test]
async fn unclaimed_lead_is_not_corrected_to_an_accounts_address() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, owner, desk] = [(); 3].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    owner.log_in("li@example.com").await;
    let lead = sent(&guest, "mei@exmple.com", "+447700900123").await;
    let correct =
        |email: &str| json!({ "act": "correct_contact", "email": email, "reason": "A slip of the pen" });
    let taken = act(&desk, &lead, correct("li@example.com")).await;
    assert_eq!(
        (taken.status, taken.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["email"])
    );
    let done = act(&desk, &lead, correct("mei@example.com")).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    guest.log_in("mei@example.com").await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    until(async || (guest.get(&own).await.status == StatusCode::OK).then_some(())).await;
    assert_eq!(owner.get(&own).await.status, StatusCode::NOT_FOUND);
}

/// The contact in force, which is looked at with a reason.
async fn contact(desk: &Visitor<'_>, lead: &Value) -> Value {
    let path = format!("{LEADS}/{}/reveal", lead["id"].as_str().unwrap());
    let seen = desk
        .post(&path, json!({ "reason": "Callback asked in chat" }))
        .await;
    seen.data().clone()
}

fn correction(field: &str, value: &str) -> Value {
    json!({ "act": "correct_contact", (field): value, "reason": "She asked for it", "meaning": "same" })
}

fn undo() -> Value {
    json!({ "act": "undo_contact", "reason": "It was the other Mei" })
}

fn can_undo(shown: &Answer) -> bool {
    let can = shown.data()["can"].as_array().unwrap();
    can.contains(&json!("undo_contact"))
}

/// The earlier contact is put back by a press that counts once, and both addresses are told of it.
#[tokio::test]
async fn corrected_contact_is_put_back_and_both_are_told() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [mei, desk] = [(); 2].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let (old, new) = ("mei@example.com", "mei.lin@example.org");
    mei.log_in(old).await;
    let lead = sent(&mei, old, "+447700900123").await;
    let early = act(&desk, &lead, undo()).await;
    assert_eq!(
        (early.status, early.code()),
        (StatusCode::CONFLICT, "contact_undo_over")
    );
    let corrected = act(&desk, &lead, correction("email", new)).await;
    assert!(can_undo(&corrected), "{}", corrected.body);
    assert_eq!(contact(&desk, &lead).await["email"], new);
    let path = format!("{LEADS}/{}/acts", lead["id"].as_str().unwrap());
    for _twice in 0..2 {
        let key = [("idempotency-key", "undo")];
        let back = desk.call(Method::POST, &path, Some(undo()), &key).await;
        assert_eq!(back.status, StatusCode::OK, "{}", back.body);
    }
    assert_eq!(contact(&desk, &lead).await["email"], old);
    until(async || {
        let (to_old, to_new) = (mails(&mei, old).await, mails(&mei, new).await);
        let told =
            to_old.contains(&"contact_corrected".to_owned()) && to_new.contains(&"contact_left".to_owned());
        told.then_some(())
    })
    .await;
    let left = mails(&mei, new).await;
    assert_eq!(left.iter().filter(|kind| *kind == "contact_left").count(), 1);
}

/// A contact that the student changed since, or that was corrected ten minutes ago, stays as it is.
#[tokio::test]
async fn contact_is_put_back_only_soon_and_unchanged() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, desk] = [(); 2].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let lead = sent(&guest, "mei@example.com", "+447700900123").await;
    let refused = async || {
        let over = act(&desk, &lead, undo()).await;
        assert_eq!(
            (over.status, over.code()),
            (StatusCode::CONFLICT, "contact_undo_over")
        );
    };
    let corrected = act(&desk, &lead, correction("phone", "+447700900456")).await;
    assert!(can_undo(&corrected), "{}", corrected.body);
    let own = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let renamed = json!({ "lead": { "user_details": { "name": "Mei Ling" } } });
    guest.put(&own, renamed).await.data();
    refused().await;
    let again = act(&desk, &lead, correction("phone", "+447700900789")).await;
    assert!(can_undo(&again), "{}", again.body);
    desk.wait(601).await;
    refused().await;
    let kept = contact(&desk, &lead).await;
    assert_eq!(
        (&kept["name"], &kept["phone"]),
        (&json!("Mei Ling"), &json!("+447700900789"))
    );
}
