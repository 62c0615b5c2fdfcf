//! Messages between enquiry and booking: how far a form or a payment has come, and reminders (D137). Each goes out once for its
//! fact, reminders only to people who did not say no, and support sees what was written (row I6).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::words::longest_words;

use crate::mail::Heard;
use crate::market::{Market, until};
use crate::receiver::{Answer, Receiver};
use crate::visitor::{Visitor, enquiry, some_property};

const MEI: &str = "mei@example.com";
const NUMBER: &str = "+447700900123";
const A_DAY_AND_MORE: u64 = 25 * 3_600;
const DELAYED_THEN_DECLINED: &str = "4000000000010050";
const DECLINED: &str = "4000000000009995";

/// A form begun for an enquiry of this address.
async fn begin(visitor: &Visitor<'_>, home: &str, email: &str, notified: Option<&str>) -> Value {
    let mut body = enquiry("Mei Lin", email);
    body["lead"]["inventory_id"] = json!(home);
    if let Some(notified) = notified {
        body["lead"]["event_options"] = json!({ "user_notification": notified });
    }
    let lead = visitor.post("/api/v0/leads/", body).await.data().clone();
    let form =
        json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    visitor.post("/api/v0/booking_forms", form).await.data();
    lead
}

/// Messages of a kind to an address, newest first.
pub(crate) async fn sent(visitor: &Visitor<'_>, to: &str, kind: &str) -> Vec<Value> {
    let path = format!("/dev/outbox?to={}", to.replace('+', "%2B"));
    let all = visitor.get(&path).await.data().clone();
    let all = all.as_array().unwrap().iter();
    all.filter(|message| message["kind"] == kind).cloned().collect()
}

pub(crate) async fn first(visitor: &Visitor<'_>, to: &str, kind: &str) -> Value {
    until(async || sent(visitor, to, kind).await.into_iter().next()).await
}

/// The path of the link that ends reminders.
fn link_in(text: &str) -> String {
    let (_, rest) = text.split_once("/unsubscribe/").unwrap();
    let token: String = rest
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .collect();
    format!("/unsubscribe/{token}")
}

pub(crate) async fn timeline(desk: &Visitor<'_>, lead: &Value) -> Vec<Value> {
    let path = format!(
        "/api/v0/workspace/leads/{}/timeline",
        lead["id"].as_str().unwrap()
    );
    let history = desk.get(&path).await.data().clone();
    history["events"].as_array().unwrap().clone()
}

/// A form that was left is reminded of once, a restart later too, and one press of the link ends reminders.
#[tokio::test]
async fn left_form_is_reminded_of_once_until_unsubscribed() {
    let Market { mut server, .. } = Market::open(&[9], &[]).await;
    let lead = {
        let mei = Visitor::new(&server);
        let home = some_property(&mei).await;
        begin(&mei, &home, MEI, None).await
    };
    // What waits for its day is not early because of a restart.
    server.restart();
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    mei.wait(3_600).await;
    first(&mei, MEI, "lead_enquired").await;
    assert!(sent(&mei, MEI, "form_left").await.is_empty(), "it is too early");
    mei.wait(A_DAY_AND_MORE).await;
    let mail = first(&mei, MEI, "form_left").await;
    let body = mail["body"].as_str().unwrap();
    assert!(body.contains("/profile/leads?tab=enquired"), "{body}");

    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let told = until(async || {
        let events = timeline(&desk, &lead).await;
        let reminder = "timeline.lead_letter_sent.form_left";
        events
            .into_iter()
            .find(|event| event["sentence"]["key"] == reminder)
    })
    .await;
    assert_eq!(told["sentence"]["params"]["to"], "m•••@•••.com");

    let link = link_in(body);
    let looked = mei.client().get(server.url(&link)).send().await.unwrap();
    assert_eq!(looked.status(), StatusCode::OK);
    let policy = looked.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(looked.text().await.unwrap().contains("<form method=\"post\">"));
    // As a mail program presses it (RFC 8058): no cookie, no login.
    let press = |path: String| {
        let pressed = reqwest::Client::new().post(server.url(&path));
        let body = "List-Unsubscribe=One-Click";
        let form = "application/x-www-form-urlencoded";
        pressed.header("content-type", form).body(body).send()
    };
    let changed = link.replacen('-', "-1", 1);
    assert_eq!(press(changed).await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(press(link.clone()).await.unwrap().status(), StatusCode::OK);

    begin(&mei, &home, MEI, None).await;
    begin(&mei, &home, "bo@example.com", None).await;
    mei.wait(A_DAY_AND_MORE).await;
    first(&mei, "bo@example.com", "form_left").await;
    assert_eq!(sent(&mei, MEI, "form_left").await.len(), 1, "switched off");
    mei.wait(100 * 86_400).await;
    let late = press(link).await.unwrap();
    assert_eq!(late.status(), StatusCode::NOT_FOUND, "the link is at its end");
}

/// Who said no at the enquiry gets no reminder; the confirmation goes all the same.
#[tokio::test]
async fn reminder_needs_the_enquirys_consent() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    begin(&mei, &home, MEI, Some("false")).await;
    begin(&mei, &home, "bo@example.com", Some("true")).await;
    mei.wait(A_DAY_AND_MORE).await;
    first(&mei, "bo@example.com", "form_left").await;
    first(&mei, MEI, "lead_enquired").await;
    assert!(sent(&mei, MEI, "form_left").await.is_empty());
}

/// Mail programs find the link of a reminder in its header, and of nothing else.
#[tokio::test]
async fn reminder_mail_carries_one_click_unsubscribe_headers() {
    let heard = Heard::default();
    let mails = heard.start(&[]);
    let url = mails.url();
    let settings = [
        ("LATCHKEY_DEV_TOOLS", "true"),
        ("LATCHKEY_SMTP_URL", url.as_str()),
        ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
    ];
    let Market { server, .. } = Market::open(&[9], &settings).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    begin(&mei, &home, MEI, None).await;
    until(async || (heard.of("mail", MEI).len() == 1).then_some(())).await;
    mei.wait(A_DAY_AND_MORE).await;
    let mails = until(async || {
        let mails = heard.of("mail", MEI);
        (mails.len() == 2).then_some(mails)
    })
    .await;
    assert_eq!(mails[0]["unsubscribe"], "");
    assert_eq!(mails[1]["unsubscribe_post"], "List-Unsubscribe=One-Click");
    let header = mails[1]["unsubscribe"].as_str().unwrap();
    let link = link_in(mails[1]["text"].as_str().unwrap());
    assert!(
        header.starts_with('<') && header.ends_with(&format!("{link}>")),
        "{header}"
    );
    assert!(mails[1]["html"].as_str().unwrap().contains(&link));
}

/// Language and way that a person chose are those of their reminder, through the provider of text messages.
#[tokio::test]
async fn chosen_language_and_channel_are_those_of_the_reminder() {
    let provider = Receiver::start(|_, _| Answer::status(200));
    let url = format!("http://token@127.0.0.1:{}/", provider.port);
    let settings = [("LATCHKEY_DEV_TOOLS", "true"), ("LATCHKEY_SMS_URL", url.as_str())];
    let Market { server, .. } = Market::open(&[9], &settings).await;
    let mei = Visitor::new(&server);
    mei.log_in(MEI).await;
    let path = "/api/v0/users/message_settings";
    let before = mei.get(path).await.data().clone();
    assert_eq!(
        before,
        json!({ "reminders": true, "language": null, "channel": "email", "channels": ["email"] })
    );
    let choice = |channel: &str, language: &str| json!({ "reminders": true, "language": language, "channel": channel });
    let refused = mei.put(path, choice("sms", "zh")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["channel"]);
    assert_eq!(mei.put(path, choice("email", "tlh")).await.fields(), ["language"]);
    let phone = Visitor::new(&server);
    let asked = json!({ "user": { "phone": NUMBER } });
    let sent_code = phone
        .post("/api/v0/users/generate_phone_otp", asked)
        .await
        .data()
        .clone();
    let posted = until(async || provider.posted().into_iter().next()).await.json();
    let text = posted["text"].as_str().unwrap().to_owned();
    let code: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    let login =
        json!({ "user": { "phone": NUMBER, "otp": code, "session_uuid": sent_code["session_uuid"] } });
    phone.post("/api/v0/users/login_phone_otp", login).await.data();
    let chosen = phone.put(path, choice("whatsapp", "zh")).await.data().clone();
    assert_eq!(chosen["channel"], "whatsapp");
    assert_eq!(phone.get(path).await.data(), &chosen);
    let home = some_property(&phone).await;
    begin(&phone, &home, MEI, None).await;
    phone.wait(A_DAY_AND_MORE).await;
    let reminder = until(async || {
        let all = provider.posted().into_iter();
        all.map(|one| one.json()).find(|one| one["kind"] == "form_left")
    })
    .await;
    assert_eq!(reminder["to"], NUMBER);
    assert_eq!(reminder["channel"], "whatsapp");
    assert!(
        reminder["text"].as_str().unwrap().contains("已保存"),
        "{reminder}"
    );
}

/// A payer whose bank takes days and says no is told once.
#[tokio::test]
async fn delayed_payment_that_fails_is_told_once() {
    let market = Market::open(&[30], &[]).await;
    market.plan(json!({ "settle_after_ms": 200 })).await;
    let unlucky = market.person(1, 0);
    let token = unlucky.begun().await;
    unlucky.pay(&token, DELAYED_THEN_DECLINED).await;
    let failed = async || {
        let kinds = market.messages(&unlucky.email).await;
        kinds.contains(&"payment_failed".to_owned()).then_some(kinds)
    };
    let kinds = until(failed).await;
    let of = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
    assert_eq!(of("payment_failed"), 1, "{kinds:?}");
    assert!(of("payment_pending") <= 1 && of("receipt") == 0, "{kinds:?}");
}

/// Who leaves a payment is reminded once while the room is held; who leaves it declined is told that nothing was charged.
#[tokio::test]
async fn left_payment_is_reminded_of_once_while_the_room_is_held() {
    let market = Market::open(&[30], &[]).await;
    let (left, refused) = (market.person(1, 0), market.person(2, 0));
    left.begun().await;
    let token = refused.begun().await;
    let (_, declined) = refused.press(&token, json!({ "card_number": DECLINED })).await;
    assert_eq!(declined["data"]["status"], "failed");
    let desk = Visitor::new(&market.server);
    desk.wait(301).await;
    let told = async |email: &str| {
        let mut kinds = market.messages(email).await;
        kinds.retain(|kind| kind.starts_with("payment_"));
        kinds
    };
    let ends = [(&left, "payment_left"), (&refused, "payment_failed")];
    for (buyer, kind) in ends {
        until(async || (told(&buyer.email).await == [kind]).then_some(())).await;
    }
    desk.wait(2_400).await;
    market.caught_up().await;
    for (buyer, kind) in ends {
        assert_eq!(told(&buyer.email).await, [kind], "{}", buyer.email);
    }
}

/// A reminder that is due while nobody sends it is looked at again: once the hold has ended, its payer is not told of it.
#[tokio::test]
async fn reminder_of_a_hold_that_ended_is_not_sent() {
    let market = Market::open(&[30], &[]).await;
    let left = market.person(1, 0);
    left.begun().await;
    // Reminder and end of the hold lie behind the clock at once, as after a time without a server.
    Visitor::new(&market.server).wait(601).await;
    market.caught_up().await;
    let kinds = market.messages(&left.email).await;
    assert!(!kinds.contains(&"payment_left".to_owned()), "{kinds:?}");
}

/// The text of a message is shown for a reason alone, and the look is an event.
#[tokio::test]
async fn text_of_a_message_is_read_with_a_recorded_reason() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let lead = begin(&mei, &home, MEI, None).await;
    desk.log_in_as("support").await;
    let key = "timeline.lead_letter_sent.arrived";
    let message = until(async || {
        let events = timeline(&desk, &lead).await;
        events.into_iter().find(|event| event["sentence"]["key"] == key)
    })
    .await;
    let of = |lead: &Value, position: &Value| {
        format!(
            "/api/v0/workspace/leads/{}/letters/{position}",
            lead["id"].as_str().unwrap()
        )
    };
    let path = of(&lead, &message["position"]);
    assert_eq!(
        desk.post(&path, json!({ "reason": " " })).await.fields(),
        ["reason"]
    );
    let why = json!({ "reason": "She says that no mail came" });
    assert_eq!(
        mei.call(Method::POST, &path, Some(why.clone()), &[]).await.status,
        StatusCode::UNAUTHORIZED
    );
    let read = desk.post(&path, why.clone()).await.data().clone();
    assert_eq!(read["to"], MEI);
    let words = longest_words("mail.lead_enquired.body");
    assert!(read["body"].as_str().unwrap().contains(&words), "{read}");
    // Other messages may be noted meanwhile.
    let look = until(async || {
        let events = timeline(&desk, &lead).await;
        events
            .into_iter()
            .find(|event| event["type"] == "UserPersonalDataRevealed")
    })
    .await;
    assert_eq!(look["sentence"]["params"]["reason"], "She says that no mail came");
    let other = begin(&mei, &home, "bo@example.com", None).await;
    let elsewhere = of(&other, &message["position"]);
    assert_eq!(
        desk.post(&elsewhere, why.clone()).await.status,
        StatusCode::NOT_FOUND
    );
    server.run(&["forget", "--email", MEI]);
    // Another process forgets: this one learns it from the log.
    until(async || (desk.post(&path, why.clone()).await.status == StatusCode::NOT_FOUND).then_some(())).await;
}
