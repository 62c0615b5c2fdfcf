//! Paying through Stripe: the binary with a Stripe account in its settings, against a stand-in of Stripe's API.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use stripe_standin::{PUBLISHABLE_KEY, SECRET_KEY, Standin, WEBHOOK_SECRET, Weather};

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};

const WHOLE: u64 = 25_907;

/// A market whose money moves through Stripe. The secret of its notices is being renewed.
pub(crate) async fn market(standin: &Standin) -> Market {
    market_of(standin, 5).await
}

/// The same with so many rooms.
pub(crate) async fn market_of(standin: &Standin, rooms: u32) -> Market {
    market_with(standin, rooms, &[]).await
}

/// The same with five rooms, telling finance of disputes and of refunds that come back.
pub(crate) async fn market_telling(standin: &Standin, finance: &str) -> Market {
    market_with(standin, 5, &[("LATCHKEY_FINANCE_EMAIL", finance)]).await
}

pub(crate) async fn market_with(standin: &Standin, rooms: u32, beside: &[(&str, &str)]) -> Market {
    let secrets = format!("whsec_old,{WEBHOOK_SECRET}");
    let settings = [
        ("LATCHKEY_STRIPE_SECRET_KEY", SECRET_KEY),
        ("LATCHKEY_STRIPE_PUBLISHABLE_KEY", PUBLISHABLE_KEY),
        ("LATCHKEY_STRIPE_WEBHOOK_SECRET", &*secrets),
        ("LATCHKEY_STRIPE_API_BASE", standin.url()),
    ];
    let settings = [settings.as_slice(), beside].concat();
    let market = Market::open(&[rooms], &settings).await;
    deliver(standin, &market);
    market
}

fn deliver(standin: &Standin, market: &Market) {
    standin.notify(Some(&market.server.url("/api/webhooks/stripe")));
}

/// Presses Pay in Stripe's own form, as its script in the payer's browser does: this server hears nothing of it.
pub(crate) async fn press(
    standin: &Standin,
    payment: &Value,
    method: &[(&str, &str)],
) -> (StatusCode, Value) {
    let secret = payment["gateway"]["client_secret"].as_str().unwrap();
    let key = payment["gateway"]["publishable_key"].as_str().unwrap();
    let (intent_id, _) = secret.split_once("_secret").unwrap();
    let url = format!("{}/v1/payment_intents/{intent_id}/confirm", standin.url());
    let form = [[("key", key), ("client_secret", secret)].as_slice(), method].concat();
    let answer = Client::new().post(url).form(&form).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

pub(crate) async fn paid(standin: &Standin, buyer: &Buyer) -> String {
    let token = buyer.open().await;
    let payment = buyer.begin(&token).await;
    assert_eq!(payment["status"], "initiated", "{payment}");
    let (status, answer) = press(standin, &payment, &[("payment_method", "pm_card_visa")]).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    token
}

/// The same, once the server has heard of it: the payment's token and its page.
pub(crate) async fn paid_and_told(standin: &Standin, buyer: &Buyer) -> (String, Value) {
    let token = paid(standin, buyer).await;
    let page = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    (token, page)
}

/// What a slow method began on the n-th intent comes to a good end, and its payment to success.
async fn settled(standin: &Standin, nth: usize, buyer: &Buyer, token: &str) {
    let intent = standin.intents()[nth]["id"].as_str().unwrap().to_owned();
    let url = format!("{}/v1/test_helpers/settle/{intent}", standin.url());
    let settle = Client::new().post(url).bearer_auth(SECRET_KEY).send().await;
    assert_eq!(settle.unwrap().status(), StatusCode::OK);
    buyer
        .wait_for(token, |payment| payment["status"] == "success")
        .await;
}

/// The payment's id, once its capture is listed for finance.
pub(crate) async fn payment_id(officer: &Officer, payment: &Value) -> String {
    let reference = payment["reference"].as_str().unwrap();
    until(|| async {
        let found = officer.events(&format!("&kind=captured&q={reference}")).await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await
}

/// A deposit is paid, refunded and its webhook taken in on Stripe.
#[tokio::test(flavor = "multi_thread")]
async fn deposit_on_stripe_is_paid_refunded_and_taken_in() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.open().await;
    let payment = buyer.begin(&token).await;
    assert_eq!(
        (
            &payment["gateway"]["kind"],
            &payment["gateway"]["publishable_key"]
        ),
        (&json!("stripe"), &json!(PUBLISHABLE_KEY))
    );
    // Stripe's form says itself what is wrong with a card, and takes the next one.
    let declined = [("payment_method", "pm_card_visa_chargeDeclinedInsufficientFunds")];
    let (status, answer) = press(&standin, &payment, &declined).await;
    assert_eq!(
        (status, &answer["error"]["decline_code"]),
        (StatusCode::PAYMENT_REQUIRED, &json!("insufficient_funds"))
    );
    press(&standin, &payment, &[("payment_method", "pm_card_visa")]).await;
    let paid = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(paid["card"], json!({ "brand": "visa", "last4": "4242" }));
    assert_eq!(paid["total_minor"], WHOLE);

    let id = payment_id(&officer, &paid).await;
    let asked = json!({ "booking": "keep", "amount_minor": 1_000, "reason": "plans changed" });
    let (status, answer) = officer
        .post(&format!("/api/v0/workspace/payments/{id}/refunds"), asked)
        .await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 1_000)
        .await;
    let intents = standin.intents();
    assert_eq!(intents.len(), 1, "one intent through the decline");
    assert_eq!(intents[0]["metadata"]["payment_id"], json!(id));
    assert_eq!(standin.refunds().len(), 1);
    until(|| async { (standin.undelivered() == 0).then_some(()) }).await;
    officer.every_ledger_balances().await;
}

/// What is done in Stripe's dashboard, and what a bank does, names no payment of ours.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_dashboard_refund_and_dispute_find_their_payment() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let intent = standin.intents()[0]["id"].as_str().unwrap().to_owned();
    standin.refund_in_dashboard(&intent, 2_000).unwrap();
    let payment = buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 2_000)
        .await;
    let id = payment_id(&officer, &payment).await;
    standin.dispute(&intent, "needs_response");
    until(|| async {
        let opened = officer.events("&kind=dispute_opened").await;
        (opened["result"][0]["payment_id"] == id).then_some(())
    })
    .await;
    // Until the bank has decided nothing is back, and no act says so.
    let dossier = officer.dossier(&id).await;
    assert_eq!(
        (
            &dossier["dispute"],
            &dossier["refundable_minor"],
            &dossier["can_cancel_booking"]
        ),
        (&json!("open"), &json!(0), &json!(false)),
        "{dossier}"
    );
    standin.dispute(&intent, "won");
    until(|| async { (officer.dossier(&id).await["dispute"] == "won").then_some(()) }).await;
    until(|| async { (standin.undelivered() == 0).then_some(()) }).await;
    officer.every_ledger_balances().await;
}

/// Notices that were lost are fetched by the next start, and by the command.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_events_that_were_lost_are_fetched() {
    let standin = Standin::open().await.unwrap();
    let mut market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.read(&token).await;
    market.server.kill();
    standin.notify(None);
    press(&standin, &payment, &[("payment_method", "pm_card_visa")]).await;
    let said = market.server.run(&["stripe", "sync"]);
    assert!(said.contains("missing is taken in"), "{said}");
    let again = market.server.run(&["stripe", "sync"]);
    assert!(again.contains("all of which are known"), "{again}");
    market.kill_and_restart();
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;

    let next = market.person(2, 0);
    let token = next.begun().await;
    let payment = next.read(&token).await;
    market.server.kill();
    press(&standin, &payment, &[("payment_method", "pm_card_visa")]).await;
    market.kill_and_restart();
    next.wait_for(&token, |payment| payment["status"] == "success")
        .await;
}

/// What Stripe could not tell while it was away is fetched once it answers again.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_events_are_fetched_after_an_outage() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    let intent = standin.intents()[0]["id"].as_str().unwrap().to_owned();
    standin.notify(None);
    standin.refund_in_dashboard(&intent, 2_000).unwrap();
    standin.change_weather(Weather::Failing(503));
    let unlucky = market.person(2, 0);
    let other = unlucky.open().await;
    assert_eq!(unlucky.begin(&other).await["status"], "init_failure");
    standin.change_weather(Weather::Fair);
    until(|| async {
        let begun = unlucky.begin(&other).await;
        (begun["status"] == "initiated").then_some(())
    })
    .await;
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 2_000)
        .await;
}

/// A payer who proves who they are, or a slow method, keeps the room: Stripe says that Pay was pressed.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_press_keeps_the_room_while_the_bank_asks() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.read(&token).await;
    press(
        &standin,
        &payment,
        &[("payment_method", "pm_card_authenticationRequired")],
    )
    .await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "processing")
        .await;
    press(&standin, &payment, &[("authentication", "fail")]).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "failed")
        .await;
    let again = buyer.begin(&token).await;
    assert_eq!(
        again["gateway"]["client_secret"],
        payment["gateway"]["client_secret"]
    );

    let patient = market.person(2, 0);
    let token = patient.begun().await;
    let payment = patient.read(&token).await;
    press(&standin, &payment, &[("payment_method", "pm_usBankAccount")]).await;
    patient
        .wait_for(&token, |payment| payment["status"] == "pending")
        .await;
    settled(&standin, 1, &patient, &token).await;
}

/// A page that was loaded again while the bank asks is given what Stripe's script needs to show the question again.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_secret_is_named_while_the_bank_asks() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.read(&token).await;
    let asks = [("payment_method", "pm_card_authenticationRequired")];
    press(&standin, &payment, &asks).await;
    let asked = buyer
        .wait_for(&token, |payment| payment["status"] == "processing")
        .await;
    let secret = &asked["gateway"]["client_secret"];
    assert_eq!(secret, &payment["gateway"]["client_secret"]);
    press(&standin, &payment, &[("authentication", "pass")]).await;
    let paid = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(paid["gateway"]["client_secret"], Value::Null);
}

/// A voucher is paid days later: the room is kept without an end until Stripe says how it went.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_voucher_keeps_its_room_until_it_is_paid() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.read(&token).await;
    press(&standin, &payment, &[("payment_method", "pm_multibanco")]).await;
    buyer
        .wait_for(&token, |payment| {
            payment["status"] == "pending" && payment["hold_expires_at"].is_null()
        })
        .await;
    settled(&standin, 0, &buyer, &token).await;
}

/// Who is forgotten is forgotten at Stripe too, however often it has to be asked.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_customer_goes_with_the_forgotten_person() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = paid(&standin, &buyer).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(standin.customers().len(), 1);
    standin.change_weather(Weather::Failing(503));
    let refused = market
        .server
        .refused(&["forget", "--although-booked", "--email", &buyer.email]);
    assert!(
        refused.contains("the payment provider keeps the customer"),
        "{refused}"
    );
    standin.change_weather(Weather::Fair);
    market
        .server
        .run(&["forget", "--although-booked", "--email", &buyer.email]);
    assert_eq!(standin.customers().len(), 0);
    let deletions = standin.calls().into_iter();
    let deletions =
        deletions.filter(|call| call.what.starts_with("DELETE /v1/customers/") && call.status == 200);
    assert_eq!(deletions.count(), 1);
}

/// The sandbox, its pages and its card form are absent.
#[tokio::test(flavor = "multi_thread")]
async fn stripe_account_leaves_no_sandbox() {
    let standin = Standin::open().await.unwrap();
    let market = market(&standin).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let (status, _) = buyer
        .press(&token, json!({ "card_number": "4242424242424242" }))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    for path in ["/dev/sandbox", "/sandbox/3ds/pi_1"] {
        let answer = Client::new().get(market.server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    // Stripe's script, frames and API are named on the payment page alone.
    for (path, named) in [("/".to_owned(), false), (format!("/payments/{token}"), true)] {
        let page = Client::new().get(market.server.url(&path)).send().await.unwrap();
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert_eq!(
            policy.contains("frame-src https://js.stripe.com"),
            named,
            "{policy}"
        );
        assert_eq!(policy.contains("stripe.com"), named, "{policy}");
    }
    let forged = Client::new()
        .post(market.server.url("/api/webhooks/stripe"))
        .header("stripe-signature", "t=1,v1=00")
        .body("{}")
        .send()
        .await
        .unwrap();
    assert_eq!(forged.status(), StatusCode::BAD_REQUEST);
    let examined = market.server.run(&["doctor"]);
    assert!(
        examined.contains("test mode") && examined.contains("GBP"),
        "{examined}"
    );
    assert!(!examined.contains(SECRET_KEY) && !examined.contains(WEBHOOK_SECRET));
    standin.change_weather(Weather::Failing(503));
    let away = market.server.refused(&["doctor"]);
    assert!(away.contains("it does not answer"), "{away}");
}

/// A key alone, or keys of two modes, stop the start with a sentence that does not repeat them.
#[tokio::test]
async fn stripe_settings_that_do_not_fit_stop_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let said = |settings: &[(&str, &str)]| tests::refused_with(folder.path(), settings, &["migrate"]);
    let alone = said(&[("LATCHKEY_STRIPE_SECRET_KEY", "sk_test_s3cret")]);
    assert!(
        alone.contains("`stripe_webhook_secret`") && !alone.contains("s3cret"),
        "{alone}"
    );
    let mixed = said(&[
        ("LATCHKEY_STRIPE_SECRET_KEY", "sk_live_s3cret"),
        ("LATCHKEY_STRIPE_PUBLISHABLE_KEY", "pk_test_s3cret"),
        ("LATCHKEY_STRIPE_WEBHOOK_SECRET", "whsec_s3cret"),
    ]);
    assert!(
        mixed.contains("do not belong together") && !mixed.contains("s3cret"),
        "{mixed}"
    );
}
