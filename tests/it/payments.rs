//! Paying through the front door: every card, every double press, every disordered notice.

use futures::future::join_all;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, until};

const GOOD: &str = "4242424242424242";
const CHALLENGED: &str = "4000002500003155";
const DELAYED: &str = "4000000000010043";
const DELAYED_THEN_DECLINED: &str = "4000000000010050";

/// Every test card ends as it says and a decline can be followed by a good card.
#[tokio::test]
async fn test_cards_end_as_listed_and_a_decline_can_be_retried() {
    let market = Market::open(&[30], &[]).await;
    let declines = [
        (
            "4000000000000002",
            "generic_decline",
            "Your bank declined this payment without a reason. Try another card or ask your bank.",
        ),
        (
            "4000000000009995",
            "insufficient_funds",
            "There is not enough money available on this card. Try another card or method.",
        ),
        (
            "4000000000000069",
            "expired_card",
            "This card has expired. Please use another.",
        ),
        (
            "4242424242424241",
            "incorrect_number",
            "The card number is not right. Check it and try again.",
        ),
        (
            "4000000000010001",
            "do_not_honor",
            "Your bank did not approve this payment. Ask your bank or use another card.",
        ),
        (
            "4000000000010027",
            "live_mode_test_card",
            "That is a test card. Please use a real one.",
        ),
        (
            "4000000000010035",
            "testmode_decline",
            "This is a test page: only test cards work here.",
        ),
        (
            "5555555555554444",
            "testmode_decline",
            "This is a test page: only test cards work here.",
        ),
    ];
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    for (card, code, message) in declines {
        let payment = buyer.pay(&token, card).await;
        assert_eq!(
            (payment["status"].as_str(), payment["decline"]["code"].as_str()),
            (Some("failed"), Some(code))
        );
        assert_eq!(payment["decline"]["message"], message);
        assert_eq!(buyer.begin(&token).await["status"], "initiated");
    }
    let paid = buyer.pay(&token, GOOD).await;
    assert_eq!(
        (paid["status"].as_str(), paid["total_minor"].as_u64()),
        (Some("success"), Some(25_907))
    );
    assert_eq!(paid["card"], json!({ "brand": "visa", "last4": "4242" }));
    let mine = market.gateway().await["intents"].as_array().unwrap().len();
    assert_eq!(mine, 1, "one intent through all declines");
    until(|| async {
        (market
            .messages(&buyer.email)
            .await
            .contains(&"receipt".to_owned()))
        .then_some(())
    })
    .await;
}

/// A bank's question is passed or failed and a delayed payment settles or not.
#[tokio::test]
async fn bank_challenge_passes_or_fails_and_delayed_payment_settles() {
    let market = Market::open(&[30], &[]).await;
    market.plan(json!({ "settle_after_ms": 200 })).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let asked = buyer.pay(&token, CHALLENGED).await;
    assert_eq!(
        (asked["status"].as_str(), asked["next_action"]["type"].as_str()),
        (Some("processing"), Some("three_d_secure"))
    );
    let (_, failed) = buyer.press(&token, json!({ "challenge": "fail" })).await;
    assert_eq!(
        (
            failed["data"]["status"].as_str(),
            failed["data"]["decline"]["code"].as_str()
        ),
        (Some("failed"), Some("other"))
    );
    buyer.begin(&token).await;
    let asked = buyer.pay(&token, CHALLENGED).await;
    let page = format!(
        "{}{}",
        market.server.url(""),
        asked["next_action"]["url"].as_str().unwrap()
    );
    let html = Client::new()
        .get(&page)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(html.contains("3-D Secure"), "{html}");
    Client::new()
        .post(&page)
        .form(&[("challenge", "pass")])
        .send()
        .await
        .unwrap();
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;

    let patient = market.person(2, 0);
    let token = patient.begun().await;
    let pending = patient.pay(&token, DELAYED).await;
    assert_eq!(pending["status"], "pending");
    patient
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;

    let unlucky = market.person(3, 0);
    let token = unlucky.begun().await;
    unlucky.pay(&token, DELAYED_THEN_DECLINED).await;
    let failed = unlucky
        .wait_for(&token, |payment| payment["status"] == "failed")
        .await;
    assert!(failed["hold_expires_at"].is_string() || failed["hold_expires_at"].is_null());
}

#[tokio::test]
async fn double_clicks_two_tabs_and_repeated_requests_are_one_payment() {
    let market = Market::open(&[5], &[]).await;
    let buyer = market.person(1, 0);
    let lead_uuid = buyer.enquire().await;
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room } });
    let opened = join_all((0..8).map(|_| buyer.post("/api/v0/payments", asked.clone()))).await;
    let tokens: Vec<_> = opened
        .iter()
        .map(|(_, body)| body["data"]["token"].clone())
        .collect();
    assert!(
        tokens
            .iter()
            .all(|token| *token == tokens[0] && token.is_string()),
        "{opened:?}"
    );
    let token = tokens[0].as_str().unwrap();
    let begun = join_all((0..8).map(|_| buyer.begin(token))).await;
    assert!(begun.iter().all(|payment| payment["status"] == "initiated"));
    let pressed = join_all((0..8).map(|_| buyer.press(token, json!({ "card_number": GOOD })))).await;
    assert!(
        pressed.iter().all(|(status, _)| *status == StatusCode::OK),
        "{pressed:?}"
    );
    buyer
        .wait_for(token, |payment| payment["status"] == "success")
        .await;
    let again = buyer.pay(token, GOOD).await;
    assert_eq!(again["status"], "success");
    let gateway = market.gateway().await;
    let intents = gateway["intents"].as_array().unwrap();
    assert_eq!((intents.len(), intents[0]["attempts"].as_u64()), (1, Some(1)));
    assert_eq!(intents[0]["charge"]["amount_minor"], 25_907);
}

/// One idempotency key is one answer and another body under it is refused.
#[tokio::test]
async fn payment_key_gives_one_answer_and_refuses_another_body() {
    let market = Market::open(&[5, 5], &[]).await;
    let buyer = market.person(1, 0);
    let lead_uuid = buyer.enquire().await;
    let asked = |room: &str| json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": room } });
    let call = async |room: &str| {
        buyer
            .try_call(
                Method::POST,
                "/api/v0/payments",
                Some(&asked(room)),
                Some("key-1"),
            )
            .await
            .unwrap()
    };
    let first = call(&market.rooms[0]).await;
    let second = call(&market.rooms[0]).await;
    assert_eq!(first.1["data"]["token"], second.1["data"]["token"]);
    let (status, other) = call(&market.rooms[1]).await;
    assert_eq!(
        (status, other["message"]["code"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("idempotency_key_reused"))
    );
}

/// Notices repeated delayed reordered or lost end in one payment and one receipt.
#[tokio::test]
async fn notices_in_any_order_end_in_one_payment_and_receipt() {
    let market = Market::open(&[30], &[]).await;
    let storm = json!({ "duplicate_percent": 100, "duplicates": 3, "delay_ms": 400, "reorder": true, "settle_after_ms": 100 });
    for (number, plan) in [storm, json!({ "drop_percent": 100, "settle_after_ms": 100 })]
        .into_iter()
        .enumerate()
    {
        market.plan(plan).await;
        let buyer = market.person(number, 0);
        let token = buyer.begun().await;
        buyer.pay(&token, "4000000000000002").await;
        buyer.begin(&token).await;
        buyer.pay(&token, DELAYED).await;
        buyer
            .wait_for(&token, |payment| payment["status"] == "success")
            .await;
        let notices = market.gateway().await["notices"].clone();
        // Once more over HTTP, newest first, each twice.
        for notice in notices.as_array().unwrap() {
            for _ in 0..2 {
                assert_eq!(
                    deliver(&market, notice, &notice["signature"]).await,
                    StatusCode::OK
                );
            }
        }
        let after = buyer.read(&token).await;
        assert_eq!(
            (after["status"].as_str(), after["refunded_minor"].as_u64()),
            (Some("success"), Some(0))
        );
        until(|| async { (!market.messages(&buyer.email).await.is_empty()).then_some(()) }).await;
        let receipts = market.messages(&buyer.email).await;
        assert_eq!(
            receipts.iter().filter(|kind| *kind == "receipt").count(),
            1,
            "{receipts:?}"
        );
    }
}

async fn deliver(market: &Market, notice: &Value, signature: &Value) -> StatusCode {
    let request = Client::new().post(market.server.url("/api/webhooks/stripe"));
    let request = request.header("stripe-signature", signature.as_str().unwrap());
    request
        .body(notice["body"].as_str().unwrap().to_owned())
        .send()
        .await
        .unwrap()
        .status()
}

#[tokio::test]
async fn forged_notices_and_guessed_tokens_open_nothing() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let notice = json!({ "body": r#"{"id":"evt_x","type":"payment_intent.succeeded","data":{"object":{"id":"pi_x"}}}"# });
    for signature in ["", "t=1,v1=00", "v1=00", "t=99999999999,v1=00"] {
        assert_eq!(
            deliver(&market, &notice, &json!(signature)).await,
            StatusCode::BAD_REQUEST
        );
    }
    for guess in [
        "a".repeat(32),
        token.to_uppercase(),
        "x".to_owned(),
        format!("{token}0"),
    ] {
        let (status, body) = buyer
            .try_call(Method::GET, &format!("/api/v0/payments/{guess}"), None, None)
            .await
            .unwrap();
        assert_eq!(
            (status, body["message"]["user_friendly_message"].as_str()),
            (StatusCode::NOT_FOUND, Some("token not found"))
        );
    }
    let url = market.server.url(&format!("/api/v0/payments/{token}"));
    let answer = Client::new().get(url).send().await.unwrap();
    assert_eq!(answer.headers()["referrer-policy"], "no-referrer");
    assert_eq!(answer.headers()["cache-control"], "no-store");
}

/// Guesses of payment links count alike on the page, at `/_page` and at the API; answers whose address holds a link are kept by no
/// cache and told to no other site.
#[tokio::test]
async fn payment_links_are_guarded_alike_on_every_surface() {
    let market = Market::open(&[3], &[]).await;
    let token = market.person(1, 0).begun().await;
    let surfaces = |token: &str| {
        [
            format!("/payments/{token}"),
            format!("/payments/complete?token={token}"),
            format!("/_page?url=%2Fpayments%2F{token}"),
            format!("/api/v0/payments/{token}"),
        ]
    };
    let ask = async |path: &str| {
        let answer = Client::new().get(market.server.url(path)).send().await.unwrap();
        let headers = answer.headers();
        let kept = (
            headers["cache-control"].clone(),
            headers["referrer-policy"].clone(),
        );
        assert_eq!(
            (kept.0.as_bytes(), kept.1.as_bytes()),
            (&b"no-store"[..], &b"no-referrer"[..]),
            "{path}"
        );
        assert!(
            !headers.contains_key("strict-transport-security"),
            "not behind https"
        );
        (answer.status(), headers.contains_key("retry-after"))
    };
    for path in surfaces(&token) {
        assert_eq!(ask(&path).await.0, StatusCode::OK, "{path}");
    }
    // Sixty in a minute, whichever surface is asked; one more comes back with each second.
    let mut guesses = 0;
    while ask(&surfaces("a1b2c3d4e5f6a7b8c9d0e1f2")[guesses % 3]).await.0 != StatusCode::TOO_MANY_REQUESTS {
        guesses += 1;
        assert!(guesses < 200, "guessing is not limited");
    }
    for path in surfaces("a1b2c3d4e5f6a7b8c9d0e1f3") {
        let refused = until(async || {
            Some(ask(&path).await).filter(|(status, _)| *status == StatusCode::TOO_MANY_REQUESTS)
        })
        .await;
        assert!(refused.1, "{path}: when to ask again");
    }
    assert_eq!(
        ask(&surfaces(&token)[0]).await.0,
        StatusCode::OK,
        "a link that is known still opens"
    );
}

/// Browsers that came by https once come by nothing else.
#[tokio::test]
async fn behind_https_every_answer_asks_for_https() {
    let server = Server::with(&[
        ("LATCHKEY_PUBLIC_URL", "https://rooms.example"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    for path in ["/", "/api/v0/regions", "/nowhere", "/healthz"] {
        let answer = Client::new().get(server.url(path)).send().await.unwrap();
        assert_eq!(
            answer.headers()["strict-transport-security"],
            "max-age=31536000",
            "{path}"
        );
    }
}

/// Steps cannot be skipped and an unreachable gateway is a failed start that can be tried again.
#[tokio::test]
async fn payment_steps_cannot_be_skipped_and_outages_are_retryable() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    let (status, _) = buyer.press(&token, json!({ "card_number": GOOD })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    market.plan(json!({ "outage": true })).await;
    assert_eq!(buyer.begin(&token).await["status"], "init_failure");
    market.plan(json!({})).await;
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    buyer.pay(&token, GOOD).await;
    let (status, body) = buyer
        .post(&format!("/api/v0/payments/{token}/cancel"), json!({}))
        .await;
    assert_eq!(
        (status, body["message"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("payment_step_not_allowed"))
    );
}
