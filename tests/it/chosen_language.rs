//! Codes, mails and conversations are in the language of messages that their reader chose in the profile, else in the language of
//! the page that caused them (D137).

use serde_json::{Value, json};
use tests::Server;
use tests::words::{chinese, english};

use crate::case_teams::opened;
use crate::letters::first;
use crate::market::Market;
use crate::visitor::{Visitor, enquiry};

const MEI: &str = "mei@example.com";
const GOOD: &str = "4242424242424242";

/// Logs in from an English page and chooses Chinese for messages.
async fn choose_chinese(visitor: &Visitor<'_>, email: &str) {
    visitor.log_in(email).await;
    let choice = json!({ "reminders": true, "language": "zh", "channel": "email" });
    let chosen = visitor.put("/api/v0/users/message_settings", choice).await;
    assert_eq!(chosen.data()["language"], "zh");
}

fn assert_subject(mail: &Value, expected: &str) {
    assert_eq!(mail["subject"], expected, "{mail}");
}

/// The pages stay English: what is sent to Mei is Chinese all the same.
#[tokio::test]
async fn chosen_language_is_that_of_codes_and_mails() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    choose_chinese(&mei, MEI).await;
    let lead = mei
        .post("/api/v0/leads", enquiry("Mei Lin", MEI))
        .await
        .data()
        .clone();
    let arrived = first(&mei, MEI, "lead_anywhere").await;
    assert_subject(&arrived, &chinese("mail.lead_anywhere.subject"));

    let path = format!(
        "/api/v0/workspace/message_templates?lead_id={}",
        lead["id"].as_str().unwrap()
    );
    let template = desk.get(&path).await.data()[0].clone();
    let home = chinese("template.a_home");
    let subject = chinese("template.documents.subject").replace("{property}", &home);
    assert_eq!(template["subject"], subject, "{template}");
    let case = opened(&desk, &lead).await;
    assert_eq!(desk.get(&case).await.data()["language"], "zh");
    let answered = first(&mei, MEI, "case_message").await;
    let body = answered["body"].as_str().unwrap();
    assert!(body.contains("在此查看全部内容并回复"), "{body}");

    mei.wait(31).await;
    let again = Visitor::new(&server);
    let asked = json!({ "user": { "email": MEI } });
    again.post("/api/v0/users/generate_email_otp", asked).await.data();
    let code = first(&again, MEI, "otp").await;
    assert!(code["subject"].as_str().unwrap().contains("验证码"), "{code}");
}

/// Anybody may type Mei's address: such an enquiry is confirmed in the language of the page, as an address without an account is.
#[tokio::test]
async fn choice_counts_only_for_what_is_its_owners() {
    let server = Server::start();
    let (mei, stranger) = (Visitor::new(&server), Visitor::new(&server));
    choose_chinese(&mei, MEI).await;
    for (email, page) in [(MEI, "en"), ("ben@example.com", "zh")] {
        let path = format!("/api/v0/leads?lang={page}");
        stranger.post(&path, enquiry("Mei Lin", email)).await.data();
        let arrived = first(&stranger, email, "lead_anywhere").await;
        let key = "mail.lead_anywhere.subject";
        let expected = if page == "zh" { chinese(key) } else { english(key) };
        assert_subject(&arrived, &expected);
    }
}

/// A choice made between the beginning of a payment and its receipt counts for the receipt.
#[tokio::test]
async fn receipt_is_in_the_language_that_the_payer_chose() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let owner = Visitor::new(&market.server);
    choose_chinese(&owner, &buyer.email).await;
    buyer.pay(&token, GOOD).await;
    let receipt = first(&owner, &buyer.email, "receipt").await;
    assert!(
        receipt["subject"].as_str().unwrap().starts_with("您的收据"),
        "{receipt}"
    );
}
