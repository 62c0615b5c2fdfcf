//! What a payment's page, its dossier, its evidence and its payer's mail say of a booking's end: how the booking stands, told apart
//! from what became of the money.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use stripe_standin::{Standin, WEBHOOK_SECRET};
use tests::words::{english, longest_words};

use crate::desk::Officer;
use crate::market::{AUTUMN, Buyer, House, Market, until};
use crate::money_back::{DISPUTED, dispute, listed};
use crate::stripe;
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const WHOLE: u64 = 25_907;

/// A room paid for: the payment's token and its id.
async fn paid(officer: &Officer, buyer: &Buyer, card: &str) -> (String, String) {
    let token = buyer.begun().await;
    let payment = buyer.pay(&token, card).await;
    assert_eq!(payment["status"], "success", "{payment}");
    (token, stripe::payment_id(officer, &payment).await)
}

async fn refund(officer: &Officer, id: &str, booking: &str, amount: u64) {
    let asked = json!({
        "booking": booking, "amount_minor": amount, "typed_minor": amount, "reason": "plans changed"
    });
    let path = format!("/api/v0/workspace/payments/{id}/refunds");
    let (status, answer) = officer.post(&path, asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

/// The first mail of a kind, once it was sent.
async fn mail(market: &Market, to: &str, kind: &str) -> String {
    let reader = Visitor::new(&market.server);
    until(|| async {
        let sent = reader.get(&format!("/dev/outbox?to={to}")).await;
        let mails = sent.data().as_array().unwrap().clone();
        let mail = mails.iter().find(|mail| mail["kind"] == kind)?;
        Some(mail["body"].as_str().unwrap().to_owned())
    })
    .await
}

/// What finance's list says in more words of the payment's room that was given back.
async fn end_in_the_list(officer: &Officer, id: &str) -> Value {
    until(|| async {
        let found = officer.events("&kind=room_given_back").await;
        let rows = found["result"].as_array()?.clone();
        let row = rows.into_iter().find(|row| row["payment_id"] == id)?;
        Some(row["detail"].clone())
    })
    .await
}

/// A part refund that ends the booking, and a full refund that keeps it: the page says how the booking stands, not what the money says.
#[tokio::test]
async fn payment_page_tells_booking_apart_from_money() {
    let market = Market::open(&[5], &[]).await;
    let officer = Officer::arrives(&market).await;
    let (ended, kept) = (market.person(1, 0), market.person(2, 0));
    let open = ended.open().await;
    assert_eq!(ended.read(&open).await["booking"], "not_yet");
    let (ended_token, ended_id) = paid(&officer, &ended, GOOD).await;
    assert_eq!(ended.read(&ended_token).await["booking"], "booked");
    refund(&officer, &ended_id, "cancel", 1_000).await;
    let page = ended
        .wait_for(&ended_token, |payment| payment["booking"] == "ended")
        .await;
    assert_eq!(page["refunded_minor"], 1_000, "{page}");
    assert_eq!(
        end_in_the_list(&officer, &ended_id).await,
        english("finance_detail.room_given_back_part")
    );
    let told = mail(&market, &ended.email, "booking_cancelled").await;
    let back = english("mail.money_back.refunded").replace("{amount}", "£10");
    assert!(told.contains(&back), "{told}");

    let (kept_token, kept_id) = paid(&officer, &kept, GOOD).await;
    refund(&officer, &kept_id, "keep", WHOLE).await;
    let page = kept
        .wait_for(&kept_token, |payment| payment["refunded_minor"] == WHOLE)
        .await;
    market.caught_up().await;
    assert_eq!(page["booking"], "booked", "{page}");
    assert_eq!(kept.read(&kept_token).await["booking"], "booked");
}

/// The deposit is given back with the booking while the holding fee has the same room: both pages say that it is booked.
#[tokio::test]
async fn room_kept_by_holding_fee_is_booked_on_both_pages() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 10_000,
    };
    let market = Market::with(&house, &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (fee_token, fee_id) = paid(&officer, &buyer, GOOD).await;
    let lead_uuid = buyer.lead_of(&fee_token);
    let form =
        json!({ "booking_form": { "lead_uuid": lead_uuid, "inventory_id": buyer.room, "flow": "book" } });
    let (_, form) = buyer.post("/api/v0/booking_forms", form).await;
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room,
        "form_uuid": form["data"]["form_uuid"] } });
    let (_, opened) = buyer.post("/api/v0/payments", asked).await;
    let deposit = opened["data"]["token"].as_str().unwrap();
    assert_eq!(buyer.begin(deposit).await["status"], "initiated");
    let payment = buyer.pay(deposit, GOOD).await;
    let deposit_id = stripe::payment_id(&officer, &payment).await;
    let whole = payment["total_minor"].as_u64().unwrap();
    refund(&officer, &deposit_id, "cancel", whole).await;
    until(|| async {
        let found = officer.events("&kind=room_given_back").await;
        (found["result"][0]["detail"] == english("finance_detail.room_kept_by_another")).then_some(())
    })
    .await;
    assert_eq!(buyer.read(deposit).await["booking"], "booked");
    assert_eq!(buyer.read(&fee_token).await["booking"], "booked");

    refund(&officer, &fee_id, "cancel", 10_363).await;
    for token in [deposit, &fee_token] {
        buyer
            .wait_for(token, |payment| payment["booking"] == "ended")
            .await;
    }
}

/// Other dates replace a payment, and its owner cancels another: both pages say which, and the way on is open to the enquirer.
#[tokio::test]
async fn replaced_payment_says_what_replaced_it() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (AUTUMN, 51, 3)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let buyer = market.person(1, 0);
    let lead_uuid = buyer.enquire().await;
    let path = format!("/api/v0/leads/{lead_uuid}");
    let wish = async |weeks: &str| {
        let change = json!({ "lead": { "data": { "move_in_date": AUTUMN, "lease_duration": weeks } } });
        let changed = buyer
            .try_call(Method::PUT, &path, Some(&change), None)
            .await
            .unwrap();
        assert_eq!(changed.0, StatusCode::OK, "{}", changed.1);
    };
    wish("44 weeks").await;
    let old = buyer.open_for(&lead_uuid, &buyer.room).await;
    assert_eq!(buyer.begin(&old).await["status"], "initiated");
    wish("51 weeks").await;
    let new = buyer.open_for(&lead_uuid, &buyer.room).await;
    assert_ne!(old, new);
    let replaced = buyer.read(&old).await;
    assert_eq!(replaced["withdrawn_by"], "replacement", "{replaced}");
    assert_eq!(replaced["gateway"]["client_secret"], Value::Null, "no live form");
    assert_eq!(buyer.read(&new).await["withdrawn_by"], Value::Null);
    let (status, cancelled) = buyer
        .post(&format!("/api/v0/payments/{new}/cancel"), json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{cancelled}");
    assert_eq!(cancelled["data"]["withdrawn_by"], "person", "{cancelled}");
    assert_eq!(buyer.read(&old).await["withdrawn_by"], "replacement");
}

/// A payment that was cancelled while its money was on the way: the payer is told so, and of no rival.
#[tokio::test(flavor = "multi_thread")]
async fn paid_after_cancel_is_told_as_cancelled() {
    let standin = Standin::open().await.unwrap();
    let mut market = stripe::market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.read(&token).await;
    standin.notify(None);
    stripe::press(&standin, &payment, &[("payment_method", "pm_card_visa")]).await;
    let (status, cancelled) = buyer
        .post(&format!("/api/v0/payments/{token}/cancel"), json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{cancelled}");
    market.caught_up().await;
    market.server.kill();
    market.server.run(&["stripe", "sync"]);
    market.kill_and_restart();
    let page = buyer
        .wait_for(&token, |payment| payment["status"] == "sold_out")
        .await;
    assert!(
        page["cancelled_at"].is_string() && page["sold_out_reason"].is_null(),
        "{page}"
    );
    let told = mail(&market, &buyer.email, "paid_after_cancel").await;
    assert!(
        told.contains(&longest_words("mail.paid_after_cancel.body")) && told.contains("£259.07"),
        "{told}"
    );
}

/// The refund that the bank refuses since the dashboard's took all: finance is told that nothing is left to send.
#[tokio::test(flavor = "multi_thread")]
async fn refund_beside_the_dashboards_leaves_nothing_to_send() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market_telling(&standin, "money@house.example").await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, payment) = stripe::paid_and_told(&standin, &buyer).await;
    let id = stripe::payment_id(&officer, &payment).await;
    standin.change_weather(stripe_standin::Weather::Failing(503));
    refund(&officer, &id, "cancel", WHOLE).await;
    let intent = standin.intents()[0].clone();
    let name = intent["id"].as_str().unwrap();
    let dashboard = standin.refund_in_dashboard(name, WHOLE).unwrap();
    // It names its payment: nothing has to be asked of Stripe, which does not answer now.
    let refunded = json!({ "id": dashboard, "object": "refund", "amount": WHOLE, "currency": "gbp",
        "payment_intent": name, "status": "succeeded", "metadata": intent["metadata"] });
    hand_in(&market, "refund.updated", refunded).await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == WHOLE)
        .await;
    standin.change_weather(stripe_standin::Weather::Fair);
    let told = mail(&market, "money@house.example", "refund_came_back_settled").await;
    assert!(
        told.contains(&longest_words("mail.refund_came_back_settled.body"))
            && !told.contains("Send it again"),
        "{told}"
    );
}

/// Hands in a notice with the account's own signature.
pub(crate) async fn hand_in(market: &Market, kind: &str, object: Value) {
    let body = json!({ "id": format!("evt_{kind}_{}", object["id"].as_str().unwrap()), "object": "event",
        "type": kind, "livemode": false, "data": { "object": object } })
    .to_string();
    let (seconds, tag) = stripe_standin::signed(&body, WEBHOOK_SECRET, 0);
    let answer = reqwest::Client::new()
        .post(market.server.url("/api/webhooks/stripe"))
        .header("stripe-signature", format!("t={seconds},v1={tag}"))
        .body(body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

/// Signed notices of a refund and of a dispute in another currency, or of more than was taken, wait for finance and book nothing.
#[tokio::test(flavor = "multi_thread")]
async fn refund_and_dispute_beyond_the_payment_are_set_aside() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = stripe::paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let intent = standin.intents()[0]["id"].clone();
    for (n, (currency, amount)) in [("jpy", 99_999_999_u64), ("jpy", 100), ("gbp", WHOLE + 1)]
        .into_iter()
        .enumerate()
    {
        let refund = json!({ "id": format!("re_{n}"), "object": "refund", "amount": amount, "currency": currency,
            "payment_intent": intent, "status": "succeeded" });
        hand_in(&market, "refund.updated", refund).await;
        let dispute = json!({ "id": format!("dp_{n}"), "object": "dispute", "amount": amount, "currency": currency,
            "payment_intent": intent, "status": "needs_response", "reason": "fraudulent" });
        hand_in(&market, "charge.dispute.created", dispute).await;
    }
    market.caught_up().await;
    let payment = buyer.read(&token).await;
    assert_eq!(
        (&payment["refunded_minor"], &payment["disputed_minor"]),
        (&json!(0), &json!(0)),
        "{payment}"
    );
    let unknown = officer.get("/api/v0/workspace/payments/unknown_notices").await;
    let waiting = unknown["data"].as_array().unwrap();
    assert_eq!(waiting.len(), 6, "{unknown}");
    for notice in waiting {
        let why = match notice["currency"].as_str() {
            Some("JPY") => "currency_differs",
            _ => "beyond_payment",
        };
        assert_eq!(notice["set_aside"], why, "{notice}");
        assert_eq!(notice["named_reference"], payment["reference"], "{notice}");
    }
    // What fits is booked.
    let fitting = json!({ "id": "re_good", "object": "refund", "amount": 1_000, "currency": "gbp",
        "payment_intent": intent, "status": "succeeded" });
    hand_in(&market, "refund.updated", fitting).await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_000)
        .await;
    officer.every_ledger_balances().await;
}

/// A hold that ran out says so, whether the room is free, and not that another payer took it.
#[tokio::test]
async fn lost_hold_says_whether_its_room_is_free() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let clock = buyer
        .post("/dev/clock", json!({ "forward_seconds": 2 * 3_600 }))
        .await;
    assert_eq!(clock.0, StatusCode::OK, "{}", clock.1);
    let page = buyer
        .wait_for(&token, |payment| payment["status"] == "sold_out")
        .await;
    assert_eq!(
        (&page["sold_out_reason"], &page["room_now"]),
        (&json!("hold_lost"), &json!("free")),
        "{page}"
    );
    let (status, refused) = buyer
        .post(&format!("/api/v0/payments/{token}/intent"), json!({}))
        .await;
    assert_eq!(status, StatusCode::CONFLICT, "{refused}");
    assert!(
        !refused.to_string().contains(&english("refusal.just_sold_out")),
        "{refused}"
    );
}

/// The payment's page says what the payer's bank has, until the dispute is won.
#[tokio::test]
async fn payer_reads_what_a_bank_has_of_the_payment() {
    let market = Market::open(&[5], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, id) = paid(&officer, &buyer, DISPUTED).await;
    listed(&officer, "dispute_opened").await;
    let said = english("mail.money_back.disputed").replace("{amount}", "£259.07");
    assert_eq!(buyer.read(&token).await["bank_has"], said);
    dispute(&market, &officer, &id, "won").await;
    listed(&officer, "dispute_won").await;
    assert_eq!(buyer.read(&token).await["bank_has"], Value::Null);
}
