//! An enquiry that a mistyped address gave to a stranger goes to its student, once staff say that it was a slip (decision 0026).

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::{Answer, Visitor, enquiry};

const TYPED: &str = "mei@exmple.com";
const TRUE: &str = "mei@example.com";

/// Enquires with a question and the wrong address, whose owner logs in: that claims the enquiry.
async fn claimed_by_a_stranger(guest: &Visitor<'_>, stranger: &Visitor<'_>) -> Value {
    let mut body = enquiry("Mei Lin", TYPED);
    body["lead"]["data"]["user_query"] = json!("Is the gym included?");
    let lead = guest.post("/api/v0/leads", body).await.data().clone();
    stranger.log_in(TYPED).await;
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    until(async || (stranger.get(&own).await.status == StatusCode::OK).then_some(())).await;
    lead
}

async fn correct(desk: &Visitor<'_>, lead: &Value, email: &str, meaning: Option<&str>) -> Answer {
    let mut act = json!({ "act": "correct_contact", "email": email, "reason": "She called" });
    if let Some(meaning) = meaning {
        act["meaning"] = json!(meaning);
    }
    let id = lead["id"].as_str().unwrap();
    desk.post(&format!("/api/v0/workspace/leads/{id}/acts"), act)
        .await
}

/// Answers the question of an enquiry; gives the words.
async fn answer(desk: &Visitor<'_>, lead: &Value, words: &str) -> String {
    let id = lead["id"].as_str().unwrap();
    let cases = desk.get(&format!("/api/v0/workspace/cases?lead_id={id}")).await;
    let case = cases.data()["result"][0]["case_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v0/workspace/cases/{case}/messages");
    let sent = desk
        .post(&path, json!({ "words": words, "channel": "email" }))
        .await;
    sent.data();
    words.to_owned()
}

/// The call behind the link of the mail with these words, once it went to this address.
async fn link_in_mail(visitor: &Visitor<'_>, to: &str, words: &str) -> String {
    until(async || {
        let outbox = visitor.get(&format!("/dev/outbox?to={to}")).await;
        let mails = outbox.data().as_array()?.clone();
        let mail = mails
            .iter()
            .find_map(|mail| mail["body"].as_str().filter(|body| body.contains(words)));
        let token = mail?
            .split("/support/")
            .nth(1)?
            .split_whitespace()
            .next()?
            .to_owned();
        Some(format!("/api/v0/support/links/{token}"))
    })
    .await
}

/// The stranger loses lead, link and conversation; the student has them with the question as it was asked.
#[tokio::test]
async fn slip_moves_the_enquiry_from_the_stranger() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [guest, stranger, mei, desk] = [(); 4].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    let lead = claimed_by_a_stranger(&guest, &stranger).await;
    let answered = answer(&desk, &lead, "The gym is included.").await;
    let old = link_in_mail(&desk, TYPED, &answered).await;
    assert_eq!(guest.get(&old).await.status, StatusCode::OK);
    let unasked = correct(&desk, &lead, TRUE, None).await;
    assert_eq!(unasked.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(unasked.fields(), ["meaning"], "staff say what they mean");
    let moved = correct(&desk, &lead, TRUE, Some("slip")).await;
    assert_eq!(moved.status, StatusCode::OK, "{}", moved.body);
    assert_eq!(moved.data()["lead_id"], lead["id"]);
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    let link = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    assert_eq!(stranger.get(&own).await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        stranger.get(&link).await.status,
        StatusCode::NOT_FOUND,
        "the link is another"
    );
    assert_eq!(stranger.get("/api/v0/support/cases").await.data(), &json!([]));
    assert_eq!(
        guest.get(&old).await.status,
        StatusCode::NOT_FOUND,
        "the mailed link too"
    );
    let answered = answer(&desk, &lead, "From seven in the morning.").await;
    let new = link_in_mail(&desk, TRUE, &answered).await;
    assert_eq!(guest.get(&new).await.status, StatusCode::OK);
    mei.log_in(TRUE).await;
    let hers = until(async || {
        let answer = mei.get(&own).await;
        (answer.status == StatusCode::OK).then(|| answer.data().clone())
    })
    .await;
    assert_eq!(hers["data"]["user_query"], "Is the gym included?");
    assert_eq!(hers["user_details"]["email"], TRUE);
    assert_eq!(
        mei.get("/api/v0/support/cases")
            .await
            .data()
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // The stranger's next login does not claim it back.
    stranger.wait(31).await;
    stranger.log_in(TYPED).await;
    assert_eq!(stranger.get(&own).await.status, StatusCode::NOT_FOUND);
    assert_eq!(mei.get(&own).await.status, StatusCode::OK);
}

/// What an account sent stays with it: its student, or another person, gets a new enquiry, and both enquiries name each other.
#[tokio::test]
async fn enquiry_of_an_account_is_made_anew_for_others() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let [owner, mei, bo, desk] = [(); 4].map(|()| Visitor::new(&server));
    desk.log_in_as("support").await;
    owner.log_in(TYPED).await;
    let mut body = enquiry("Mei Lin", TYPED);
    body["lead"]["data"]["user_query"] = json!("Is the gym included?");
    let lead = owner.post("/api/v0/leads", body).await.data().clone();
    let mut known: Vec<Value> = vec![lead["id"].clone()];
    for (who, email, meaning, question) in [
        (&mei, TRUE, "slip", json!("Is the gym included?")),
        (&bo, "bo@example.com", "other_person", Value::Null),
    ] {
        let done = correct(&desk, &lead, email, Some(meaning)).await;
        let related = done.data()["related"].as_array().unwrap().clone();
        let made = related.iter().find(|one| !known.contains(&one["lead_id"]));
        let made = made.unwrap()["lead_id"].clone();
        let path = format!("/api/v0/leads/{}", made.as_str().unwrap());
        who.log_in(email).await;
        let new = who.get(&path).await.data().clone();
        assert_eq!(new["data"]["user_query"], question, "{meaning}");
        assert_eq!(new["user_details"]["email"], email);
        assert_eq!(owner.get(&path).await.status, StatusCode::NOT_FOUND);
        let desk_of = format!("/api/v0/workspace/leads/{}/desk", made.as_str().unwrap());
        let back = desk.get(&desk_of).await.data()["related"][0]["lead_id"].clone();
        assert_eq!(back, lead["id"]);
        known.push(made);
    }
    let own = format!("/api/v0/leads/{}", lead["id"].as_str().unwrap());
    assert_eq!(owner.get(&own).await.data()["user_details"]["email"], TYPED);
}
