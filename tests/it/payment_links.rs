//! Payment links that staff make for a booking: an instalment of the rent with its breakdown, its end and its mail (D38, D100).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::visitor::{Visitor, in_days};

const GOOD: &str = "4242424242424242";
const LINKS: &str = "/api/v0/workspace/payment_links";

/// A house with a booked room, who booked it, and the lead's id.
pub(crate) async fn booked(market: &Market) -> (Buyer, String, Officer) {
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let officer = Officer::arrives(market).await;
    let lead_id = until(|| async {
        let captured = officer.events("&kind=captured").await;
        captured["result"][0]["lead_id"].as_str().map(str::to_owned)
    })
    .await;
    (buyer, lead_id, officer)
}

pub(crate) fn rent(lead_id: &str) -> Value {
    json!({ "lead_id": lead_id, "type": "rent", "amount_minor": 115_600, "due_on": in_days(10), "note": "For October",
        "reason": "Asked to pay by the month" })
}

/// The mail that tells of a paid link.
async fn receipt_mail(market: &Market, buyer: &Buyer) -> String {
    mail_of(market, buyer, "receipt_of_link").await
}

/// What a mail of this kind says.
async fn mail_of(market: &Market, buyer: &Buyer, kind: &str) -> String {
    let reader = Visitor::new(&market.server);
    let path = format!("/dev/outbox?to={}", buyer.email.replace('+', "%2B"));
    until(|| async {
        let sent = reader.get(&path).await;
        let mails = sent.data().as_array().unwrap().clone();
        let mail = mails.iter().find(|mail| mail["kind"] == kind)?;
        Some(mail["body"].as_str().unwrap().to_owned())
    })
    .await
}

/// Where no processing fee is taken no mail names one; days stand as people write them, and what was not said leaves no gap.
#[tokio::test]
async fn mails_name_no_fee_of_nothing_and_no_raw_day() {
    let market = Market::open(&[2], &[("LATCHKEY_FEE_EXEMPT_COUNTRIES", "uk")]).await;
    let (buyer, lead_id, officer) = booked(&market).await;
    let mut body = rent(&lead_id);
    body["note"] = json!("");
    let (_, made) = officer.post(LINKS, body.clone()).await;
    let asked = mail_of(&market, &buyer, "payment_link").await;
    let due: chrono::NaiveDate = in_days(10).parse().unwrap();
    let due = due.format("Please pay by %-d %B %Y.").to_string();
    assert!(asked.contains(&due), "{asked}");
    let token = token_of(&made["data"]);
    buyer.begin(&token).await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    body.as_object_mut().unwrap().remove("due_on");
    body["amount_minor"] = json!(1_000);
    officer.post(LINKS, body).await;
    let receipts = [
        receipt_mail(&market, &buyer).await,
        mail_of(&market, &buyer, "receipt").await,
    ];
    let undated = until(|| async {
        let mail = mail_of(&market, &buyer, "payment_link").await;
        (mail != asked).then_some(mail)
    })
    .await;
    for mail in receipts.into_iter().chain([asked, undated]) {
        assert!(
            !mail.contains("rocessing fee") && !mail.contains(" 0.00"),
            "{mail}"
        );
        assert!(!mail.contains("\n\n\n"), "{mail}");
        let is_raw = |word: &str| word.trim_matches(['.', ',']).parse::<chrono::NaiveDate>().is_ok();
        assert!(!mail.split_whitespace().any(is_raw), "{mail}");
    }
}

/// The mail of a paid link has the lines and the number of its receipt.
#[tokio::test]
async fn the_mail_of_a_paid_link_is_its_receipt() {
    let market = Market::open(&[2], &[]).await;
    let (buyer, lead_id, officer) = booked(&market).await;
    let (_, made) = officer.post(LINKS, rent(&lead_id)).await;
    let token = token_of(&made["data"]);
    buyer.begin(&token).await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let mail = receipt_mail(&market, &buyer).await;
    assert!(
        mail.contains("Receipt R-") && mail.contains("£1,197.93"),
        "{mail}"
    );
}

pub(crate) fn token_of(link: &Value) -> String {
    link["path"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned()
}

/// The mail leads to the link; the breakdown stands before paying; the ledger and the history tell of the rent.
#[tokio::test]
async fn a_rent_link_is_mailed_paid_and_booked_as_rent() {
    let market = Market::open(&[2], &[]).await;
    let (buyer, lead_id, officer) = booked(&market).await;
    let (status, made) = officer.post(LINKS, rent(&lead_id)).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let link = &made["data"];
    assert_eq!(
        (
            &link["amount_minor"],
            &link["processing_fee_minor"],
            &link["total_minor"],
            &link["state"]
        ),
        (&json!(115_600), &json!(4_193), &json!(119_793), &json!("open"))
    );
    let token = token_of(link);
    until(|| async {
        let told = market.messages(&buyer.email).await;
        told.contains(&"payment_link".to_owned()).then_some(())
    })
    .await;
    let shown = buyer.read(&token).await;
    assert_eq!(shown["lines"][0]["type"], "rent");
    assert_eq!(
        shown["link"],
        json!({ "due_on": in_days(10), "note": "For October", "is_expired": false })
    );
    let begun = buyer.begin(&token).await;
    assert_eq!(
        (&begun["status"], &begun["hold_expires_at"]),
        (&json!("initiated"), &Value::Null)
    );
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let id = link["payment_id"].as_str().unwrap();
    let dossier = until(|| async {
        let dossier = officer.dossier(id).await;
        let lines = dossier["ledger"]
            .as_array()
            .is_some_and(|lines| !lines.is_empty());
        lines.then_some(dossier)
    })
    .await;
    assert_eq!(dossier["balance_minor"], 0, "{dossier}");
    let ledger = dossier["ledger"].as_array().unwrap();
    assert!(ledger.iter().any(|line| line["account"] == "rent"), "{dossier}");
    let listed = officer.get(&format!("{LINKS}?lead_id={lead_id}")).await;
    assert_eq!(listed["data"]["links"][0]["state"], "paid", "{listed}");
    assert_eq!(listed["data"]["links"][0]["reason"], "Asked to pay by the month");
    let owner = Visitor::new(&market.server);
    owner.log_in(&buyer.email).await;
    let own = owner.get("/api/v0/users/activity?tab=booked").await;
    assert_eq!(
        own.data()["leads"]["result"].as_array().unwrap().len(),
        1,
        "{}",
        own.body
    );
    assert_eq!(
        own.data()["leads"]["result"][0]["links"][0]["total_minor"],
        119_793,
        "{}",
        own.body
    );
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let told = desk
        .get(&format!("/api/v0/workspace/leads/{lead_id}/timeline"))
        .await;
    let told = told.body.to_string();
    assert!(told.contains("timeline.payment_link_made"), "{told}");
    officer.every_ledger_balances().await;
}

/// What a link may not be is said with the field's name; the same press makes one link; who is no staff makes none.
#[tokio::test]
async fn a_link_out_of_bounds_is_refused_by_its_field() {
    let market = Market::open(&[2], &[]).await;
    let (_, lead_id, officer) = booked(&market).await;
    for (field, value) in [
        ("amount_minor", json!(1)),
        ("amount_minor", json!(5_000_001)),
        ("type", json!("refundable_token")),
        ("type", json!("gift")),
        ("due_on", json!("2020-01-01")),
        ("due_on", json!("soon")),
        ("due_on", json!(in_days(10).replacen('-', "- ", 1))),
        ("due_on", json!(in_days(91))),
        ("due_on", json!("9999-12-31")),
        ("due_on", json!("+10000-01-01")),
        ("expires_in_days", json!(0)),
        ("expires_in_days", json!(91)),
        ("reason", json!("")),
        ("reason", json!("\u{200B}\u{3164}\u{2800}")),
        ("note", json!("n".repeat(501))),
    ] {
        let mut body = rent(&lead_id);
        body[field] = value.clone();
        let (status, answer) = officer.post(LINKS, body).await;
        assert_eq!(
            status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{field} {value}: {answer}"
        );
        assert!(answer.to_string().contains(field), "{field}: {answer}");
    }
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let key = [("idempotency-key", "5a7e1f0a-0000-4000-8000-000000000001")];
    let mut made = Vec::new();
    for _ in 0..2 {
        let answer = desk.call(Method::POST, LINKS, Some(rent(&lead_id)), &key).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        made.push(answer.data()["path"].clone());
    }
    assert_eq!(made[0], made[1]);
    let unbooked = market.person(2, 0);
    unbooked.enquire().await;
    let leads = desk.get("/api/v0/workspace/leads").await;
    let of_unbooked = leads.data()["result"]
        .as_array()
        .unwrap()
        .iter()
        .find(|lead| lead["status"] != "booked")
        .unwrap();
    let refused = desk
        .post(LINKS, rent(of_unbooked["lead_id"].as_str().unwrap()))
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "no_booking")
    );
    let stranger = Visitor::new(&market.server);
    assert_eq!(
        stranger.post(LINKS, rent(&lead_id)).await.status,
        StatusCode::UNAUTHORIZED
    );
}

/// A link that was withdrawn, or whose time is over, says so and charges nothing.
#[tokio::test]
async fn withdrawn_and_expired_links_charge_nothing() {
    let market = Market::open(&[2], &[]).await;
    let (buyer, lead_id, officer) = booked(&market).await;
    let make = async || {
        let (status, made) = officer.post(LINKS, rent(&lead_id)).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        made["data"].clone()
    };
    let begin = async |token: &str| {
        buyer
            .post(&format!("/api/v0/payments/{token}/intent"), json!({}))
            .await
    };
    let (first, second) = (make().await, make().await);
    let withdrawn = token_of(&first);
    assert_eq!(buyer.begin(&withdrawn).await["status"], "initiated");
    let cancel = buyer
        .post(&format!("/api/v0/payments/{withdrawn}/cancel"), json!({}))
        .await;
    assert_eq!(
        cancel.0,
        StatusCode::FORBIDDEN,
        "the payer does not take it back: {}",
        cancel.1
    );
    let path = format!("{LINKS}/{}/withdraw", first["payment_id"].as_str().unwrap());
    let (status, body) = officer.post(&path, json!({ "why": "a mistake" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert!(body["errors"].to_string().contains("why"), "{body}");
    for _ in 0..2 {
        let (status, body) = officer.post(&path, json!({})).await;
        assert_eq!(
            (status, &body["data"]["state"]),
            (StatusCode::OK, &json!("withdrawn")),
            "{body}"
        );
    }
    let (status, body) = buyer.press(&withdrawn, json!({ "card_number": GOOD })).await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("payment_link_withdrawn")),
        "{body}"
    );

    let clock = Visitor::new(&market.server);
    clock.wait(15 * 24 * 60 * 60).await;
    let expired = token_of(&second);
    let (status, body) = begin(&expired).await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("payment_link_over")),
        "{body}"
    );
    assert_eq!(buyer.read(&expired).await["link"]["is_expired"], true);
    let gateway = market.gateway().await;
    let charged = gateway["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|intent| !intent["charge"].is_null())
        .count();
    assert_eq!(charged, 1, "the deposit alone");
}

/// The words for the payer stand on a link while it can be paid; who holds its address later does not read them.
#[tokio::test]
async fn note_of_a_link_is_told_while_it_is_payable() {
    let market = Market::open(&[2], &[]).await;
    let (buyer, lead_id, officer) = booked(&market).await;
    let mut tokens = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (_, made) = officer.post(LINKS, rent(&lead_id)).await;
        tokens.push(token_of(&made["data"]));
        ids.push(made["data"]["payment_id"].as_str().unwrap().to_owned());
    }
    for token in &tokens {
        assert_eq!(buyer.read(token).await["link"]["note"], "For October");
    }
    buyer.begin(&tokens[0]).await;
    assert_eq!(buyer.pay(&tokens[0], GOOD).await["status"], "success");
    officer
        .post(&format!("{LINKS}/{}/withdraw", ids[1]), json!({}))
        .await;
    Visitor::new(&market.server).wait(15 * 24 * 60 * 60).await;
    for token in &tokens {
        let link = buyer.read(token).await["link"].clone();
        assert_eq!(link["note"], "", "{link}");
    }
}
