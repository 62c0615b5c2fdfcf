//! Requests that say more than their sender may: notices in the provider's name, prices of one's own, fields of others (T13, T15, T17).

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use stripe_standin::{Standin, WEBHOOK_SECRET, signed};
use tests::LOG_FILE;

use crate::desk::Officer;
use crate::market::Market;
use crate::stripe;
use crate::visitor::{Visitor, enquiry};

/// How far a signature's time may be off.
const GOOD_FOR_S: i64 = 300;

fn signature(body: &str, secret: &str, later_s: i64, scheme: &str) -> String {
    let (seconds, tag) = signed(body, secret, later_s);
    format!("t={seconds},{scheme}={tag}")
}

/// Signed as the provider does it, now.
fn good(body: &str) -> String {
    signature(body, WEBHOOK_SECRET, 0, "v1")
}

async fn deliver(market: &Market, body: &str, signatures: &[String]) -> StatusCode {
    let request = Client::new()
        .post(market.server.url("/api/webhooks/stripe"))
        .body(body.to_owned());
    let request = signatures
        .iter()
        .fold(request, |request, one| request.header("stripe-signature", one));
    let answer = request.send().await.unwrap();
    let status = answer.status();
    if !status.is_success() {
        let said: Value = answer.json().await.unwrap();
        assert!(said["message"]["code"].is_string(), "{said}");
    }
    status
}

/// The success of an intent, with what is changed in it.
fn success(intent: &Value, changed: &Value) -> String {
    let mut object = intent.clone();
    object["status"] = json!("succeeded");
    object["amount_received"] = object["amount"].clone();
    object["latest_charge"] = json!("ch_forged");
    let mut event = json!({
        "id": "evt_forged", "object": "event", "type": "payment_intent.succeeded", "livemode": false,
        "data": { "object": object }
    });
    let changed = changed.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(changed);
    event.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_not_of_this_account_and_mode_count_for_nothing() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let intent = &standin.intents()[0];
    let ours = success(intent, &json!({}));
    let live = success(intent, &json!({ "livemode": true }));
    let connected = success(intent, &json!({ "account": "acct_other" }));
    let altered = ours.replacen("evt_forged", "evt_farged", 1);
    let of = |secret: &str, later_s, scheme: &str| vec![signature(&ours, secret, later_s, scheme)];
    for (why, body, signatures) in [
        ("another mode", &live, vec![good(&live)]),
        ("another account", &connected, vec![good(&connected)]),
        ("altered", &altered, vec![good(&ours)]),
        ("not signed", &ours, vec![]),
        ("two headers", &ours, vec![good(&ours), good(&ours)]),
        ("a secret that is gone", &ours, of("whsec_gone", 0, "v1")),
        ("another scheme", &ours, of(WEBHOOK_SECRET, 0, "v0")),
        ("too old", &ours, of(WEBHOOK_SECRET, -GOOD_FOR_S - 30, "v1")),
        ("too early", &ours, of(WEBHOOK_SECRET, GOOD_FOR_S + 30, "v1")),
    ] {
        let status = deliver(&market, body, &signatures).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{why}");
    }
    let large = " ".repeat(2_100_000);
    let status = deliver(&market, &large, &[good(&large)]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(buyer.read(&token).await["status"], "initiated");
    let status = deliver(&market, &ours, &[good(&ours)]).await;
    assert_eq!(
        status,
        StatusCode::OK,
        "the same is taken in where nothing is wrong"
    );
}

/// Money that is not what its payment asks for books nothing and is kept for finance, with all that is known of it (T15).
#[tokio::test(flavor = "multi_thread")]
async fn success_of_another_amount_is_kept_for_finance() {
    let standin = Standin::open().await.unwrap();
    let output = tempfile::NamedTempFile::new().unwrap();
    let market = stripe::market_with(&standin, 5, &[(LOG_FILE, output.path().to_str().unwrap())]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let intent = &standin.intents()[0];
    let changed = |id: &str, field: &str, value: Value| {
        let mut event: Value = serde_json::from_str(&success(intent, &json!({ "id": id }))).unwrap();
        event["data"]["object"][field] = value;
        event.to_string()
    };
    for notice in [
        changed("evt_penny", "amount_received", json!(1)),
        changed("evt_yen", "currency", json!("jpy")),
        changed("evt_two\nforged lines", "amount_received", json!(2)),
    ] {
        assert_eq!(deliver(&market, &notice, &[good(&notice)]).await, StatusCode::OK);
    }
    market.caught_up().await;
    assert_eq!(buyer.read(&token).await["status"], "initiated");
    let unknown = officer.get("/api/v0/workspace/payments/unknown_notices").await;
    let waiting = unknown["data"].as_array().unwrap();
    assert_eq!(waiting.len(), 3, "{unknown}");
    // A notice's id begins no line of the log output.
    let logged = market.server.logged();
    assert!(logged.contains(r"evt_two\nforged lines"), "{logged}");
    assert!(!logged.contains("\nforged"), "{logged}");
    for (id, why) in [("evt_penny", "amount_differs"), ("evt_yen", "currency_differs")] {
        let notice = waiting.iter().find(|notice| notice["gateway_event_id"] == id);
        assert_eq!(notice.unwrap()["set_aside"], why, "{unknown}");
    }
    let right = success(intent, &json!({}));
    assert_eq!(deliver(&market, &right, &[good(&right)]).await, StatusCode::OK);
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn price_and_fee_of_a_request_count_for_nothing() {
    let market = Market::open(&[3], &[]).await;
    let buyer = market.person(1, 0);
    let lead = buyer.enquire().await;
    let forged = [
        ("amount_minor", json!(-1)),
        ("amount", json!("250.00")),
        ("total_minor", json!(1e308)),
        ("processing_fee_minor", json!(0)),
        ("currency", json!("JPY")),
        ("coupon", json!("FREE")),
    ];
    for (field, value) in forged {
        let mut asked = json!({ "payment": { "lead_uuid": lead, "inventory_id": buyer.room } });
        asked["payment"][field] = value;
        let (status, said) = buyer.post("/api/v0/payments", asked).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {said}");
        assert_eq!(said["errors"][0]["field"], format!("payment/{field}"), "{said}");
    }
    let elsewhere = json!({ "payment": { "lead_uuid": lead, "inventory_id": market.elsewhere } });
    let (status, said) = buyer.post("/api/v0/payments", elsewhere).await;
    assert_eq!(
        (status, said["message"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("other_property"))
    );
    let token = buyer.open_for(&lead, &buyer.room).await;
    let path = format!("/api/v0/payments/{token}/intent");
    buyer
        .post(&path, json!({ "amount_minor": 1, "currency": "JPY" }))
        .await;
    let begun = buyer.begin(&token).await;
    assert_eq!(
        (&begun["total_minor"], &begun["currency"]),
        (&json!(25_907), &json!("GBP"))
    );
    let paid = buyer.pay(&token, "4242424242424242").await;
    assert_eq!(paid["total_minor"], 25_907);
    let intent = market.gateway().await["intents"][0].clone();
    assert_eq!(intent["charge"]["amount_minor"], 25_907, "{intent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_others_in_a_body_change_nothing() {
    let market = Market::open(&[3], &[]).await;
    let mei = Visitor::new(&market.server);
    let claimed = "01923456-789a-7bcd-8ef0-123456789abc";
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(market.rooms[0]);
    for field in ["id", "user_id", "partner_id"] {
        body["lead"][field] = json!(claimed);
    }
    body["lead"]["price"] = json!(1);
    body["lead"]["commission"] = json!(100);
    let made = mei.post("/api/v0/leads", body.clone()).await;
    let shown = made.data().to_string();
    assert!(
        !shown.contains(claimed) && !shown.contains("commission"),
        "{shown}"
    );
    body["lead"]["state"] = json!("booked");
    let booked = mei.post("/api/v0/leads", body).await;
    assert_eq!(booked.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", booked.body);
    let lead = made.data()["lead_uuid"].clone();
    let start = json!({ "booking_form": {
        "lead_uuid": lead, "inventory_id": market.rooms[0], "flow": "book", "price": 1, "state": "sent", "user_id": claimed
    } });
    let form = mei.post("/api/v0/booking_forms", start).await;
    if form.status.is_success() {
        let shown = form.data().to_string();
        assert!(!shown.contains(claimed), "{shown}");
        assert_ne!(form.data()["state"], "sent", "{shown}");
    } else {
        assert_eq!(form.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", form.body);
    }
}

/// What a link fills in is text: it runs nowhere, and no cache, search engine or other site is told of it (T36).
#[tokio::test(flavor = "multi_thread")]
async fn prefilled_link_is_text_and_stays_between_two() {
    let market = Market::open(&[3], &[]).await;
    let script = "%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let path = format!(
        "/places/bloomsbury-row-london/form?email=%22{script}&fullName%5Bfirst%5D={script}&phone%5Bfirst%5D=%00"
    );
    let same = path.replace('%', "%25").replace('&', "%26");
    // As HTML, and as the browser asks for it; so do the pages of an account, a receipt's pass and the link to a conversation.
    let mut pages = Vec::new();
    for private in [
        path,
        format!("/_page?url={same}"),
        "/_page?url=/profile/shortlist".to_owned(),
        "/_page?url=/receipts/R1%3Fpass=0f3a".to_owned(),
        "/_page?url=/support/0f3a".to_owned(),
    ] {
        let answer = Client::new()
            .get(market.server.url(&private))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{private}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
        ] {
            assert_eq!(answer.headers()[name], value, "{private} {name}");
        }
        let vary = answer.headers().get_all("vary").iter();
        let vary: Vec<_> = vary.map(|value| value.to_str().unwrap()).collect();
        assert!(vary.contains(&"accept-language, cookie"), "{private} {vary:?}");
        pages.push(answer.text().await.unwrap());
    }
    let page = &pages[0];
    assert!(page.contains("alert(1)"), "the form is filled in");
    assert!(!page.contains("<script>alert"), "{page}");
}
