//! The real client against a stand-in of Stripe's HTTP API.

use std::sync::Arc;

use domain::id::{LeadId, PaymentId, RefundId, UserId};
use domain::money::{Currency, Money};
use gateway::{GatewayError, GatewayRefundStatus, IntentStatus, Receiver};
use parking_lot::Mutex;
use platform::config::Settings;
use platform::config::stripe::Hidden;
use stripe_standin::{Call, PUBLISHABLE_KEY, SECRET_KEY, Standin, WEBHOOK_SECRET, Weather};
use uuid::Uuid;

use super::*;

struct World {
    stripe: Stripe,
    standin: Standin,
    folder: tempfile::TempDir,
}

impl World {
    async fn open() -> Self {
        let standin = Standin::open().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        Self {
            stripe: opened(&standin, &folder).await,
            standin,
            folder,
        }
    }

    /// Pays as Stripe's script does in the payer's browser.
    async fn pay(&self, intent_id: &str, method: &str) {
        let secret = format!("{intent_id}_secret_standin");
        let form = [
            ("key", PUBLISHABLE_KEY),
            ("client_secret", secret.as_str()),
            ("payment_method", method),
        ];
        let body: Vec<String> = form
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let url = format!("{}/v1/payment_intents/{intent_id}/confirm", self.standin.url());
        post(&url, &body.join("&")).await;
    }

    fn calls(&self, what: &str) -> Vec<Call> {
        let calls = self.standin.calls().into_iter();
        calls.filter(|call| call.what == what).collect()
    }
}

/// One request by hand: the client under test is not its own proof.
async fn post(url: &str, body: &str) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let request = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
}

async fn opened(standin: &Standin, folder: &tempfile::TempDir) -> Stripe {
    let settings = Settings {
        stripe_secret_key: Some(Hidden(SECRET_KEY.to_owned())),
        stripe_publishable_key: Some(PUBLISHABLE_KEY.to_owned()),
        stripe_webhook_secret: Some(Hidden(WEBHOOK_SECRET.to_owned())),
        stripe_api_base: Some(standin.url().to_owned()),
        ..Settings::default()
    };
    let account = StripeAccount::of_settings(&settings).unwrap().unwrap();
    let place = Place::Folder(folder.path().to_owned());
    Stripe::open(account, &place, "test").await.unwrap()
}

fn request(n: u128, amount_minor: u64) -> IntentRequest {
    IntentRequest {
        payment_id: PaymentId(Uuid::from_u128(n)),
        lead_id: LeadId(Uuid::from_u128(2)),
        subject: UserId(Uuid::from_u128(3)),
        amount: Money::new(amount_minor, Currency::Gbp),
        reference: "P-00000001".to_owned(),
    }
}

fn refund(intent_id: &str, n: u128, amount_minor: u64) -> RefundRequest {
    RefundRequest {
        payment_id: PaymentId(Uuid::from_u128(1)),
        subject: UserId(Uuid::from_u128(3)),
        refund_id: RefundId(Uuid::from_u128(n)),
        intent_id: intent_id.to_owned(),
        amount_minor,
        currency: Some(Currency::Gbp),
    }
}

#[tokio::test]
async fn stripe_intent_is_paid_and_names_charge_and_card() {
    let world = World::open().await;
    let made = world
        .stripe
        .create_intent("key", &request(1, 25_907))
        .await
        .unwrap();
    assert_eq!(made.status, IntentStatus::RequiresPaymentMethod);
    world
        .pay(&made.id, "pm_card_visa_chargeDeclinedInsufficientFunds")
        .await;
    let declined = world.stripe.intent(&made.id).await.unwrap();
    assert_eq!(declined.declined.unwrap().1, "insufficient_funds");
    world.pay(&made.id, "pm_card_visa").await;
    let paid = world.stripe.intent(&made.id).await.unwrap();
    let captured = paid.captured.unwrap();
    assert_eq!(
        (paid.status, captured.amount_minor),
        (IntentStatus::Succeeded, 25_907)
    );
    assert_eq!(captured.card.unwrap().last4, "4242");
    let refused = world.stripe.cancel_intent("cancel", &made.id).await;
    assert!(matches!(refused, Err(GatewayError::Refused(_))), "{refused:?}");
}

/// What is sent of a person is an id of ours.
#[tokio::test]
async fn stripe_metadata_leads_back_and_holds_ids_alone() {
    let world = World::open().await;
    let first = world
        .stripe
        .create_intent("one", &request(1, 10_000))
        .await
        .unwrap();
    world
        .stripe
        .create_intent("two", &request(4, 10_000))
        .await
        .unwrap();
    let intents = world.standin.intents();
    let id = |n: u128| Uuid::from_u128(n).to_string();
    assert_eq!(
        intents[0]["metadata"],
        serde_json::json!({ "payment_id": id(1), "lead_id": id(2), "subject": id(3) })
    );
    assert_eq!(intents[0]["statement_descriptor_suffix"], "P-00000001");
    assert_eq!(world.standin.customers().len(), 1, "one person, one customer");
    assert_eq!(intents[0]["customer"], intents[1]["customer"]);
    let owner = world.stripe.owner(&first.id).await.unwrap().unwrap();
    assert_eq!(
        (owner.payment_id, owner.subject),
        (PaymentId(Uuid::from_u128(1)), UserId(Uuid::from_u128(3)))
    );
    // Without what was kept here, the customer is found at Stripe.
    let elsewhere = tempfile::tempdir().unwrap();
    let other = opened(&world.standin, &elsewhere).await;
    other.create_intent("three", &request(5, 10_000)).await.unwrap();
    assert_eq!(world.standin.customers().len(), 1);
    drop(world.folder);
}

#[tokio::test]
async fn stripe_key_is_one_intent_and_refuses_another_request() {
    let world = World::open().await;
    let first = world
        .stripe
        .create_intent("key", &request(1, 10_000))
        .await
        .unwrap();
    let again = world
        .stripe
        .create_intent("key", &request(1, 10_000))
        .await
        .unwrap();
    assert_eq!(first.id, again.id);
    let other = world.stripe.create_intent("key", &request(1, 20_000)).await;
    assert_eq!(other, Err(GatewayError::KeyReused));
    assert_eq!(world.standin.intents().len(), 1);
    let sent = world.calls("POST /v1/payment_intents");
    assert!(
        sent.iter()
            .all(|call| call.idempotency_key.as_deref() == Some("key"))
    );
}

/// Too little is refused here, before Stripe refuses it.
#[tokio::test]
async fn stripe_amount_below_the_smallest_charge_is_not_sent() {
    let world = World::open().await;
    let refused = world.stripe.create_intent("key", &request(1, 29)).await;
    assert!(matches!(refused, Err(GatewayError::Refused(_))));
    assert!(world.standin.calls().is_empty());
}

#[tokio::test]
async fn stripe_refunds_are_partial_bounded_and_found_again() {
    let world = World::open().await;
    let made = world
        .stripe
        .create_intent("key", &request(1, 10_000))
        .await
        .unwrap();
    world.pay(&made.id, "pm_card_visa").await;
    let part = world
        .stripe
        .refund("r1", &refund(&made.id, 11, 4_000))
        .await
        .unwrap();
    assert_eq!(
        (part.amount_minor, part.status),
        (4_000, GatewayRefundStatus::Succeeded)
    );
    assert_eq!(world.stripe.find_refund(&part.id).await.unwrap(), part);
    // The key is forgotten after a day; the refund is not.
    let again = world
        .stripe
        .refund("r1 later", &refund(&made.id, 11, 4_000))
        .await;
    assert_eq!(again, Ok(part));
    let too_much = world.stripe.refund("r2", &refund(&made.id, 12, 7_000)).await;
    assert!(matches!(too_much, Err(GatewayError::Refused(_))));
    let rest = world.stripe.refund("r3", &refund(&made.id, 13, 6_000)).await;
    assert!(rest.is_ok());
    assert_eq!(world.standin.refunds().len(), 2);
}

/// Krónur travel in hundredths, ariary without theirs, dinars with a last nought: what comes back is what was asked for.
#[tokio::test]
async fn stripe_amounts_come_back_as_they_were_asked_for() {
    let world = World::open().await;
    let cases = [
        (1, Currency::Isk, 7_772, 777_200),
        (2, Currency::Mga, 300_000, 3_000),
        (3, Currency::Kwd, 25_620, 25_620),
        (4, Currency::Jpy, 7_772, 7_772),
    ];
    for (n, currency, asked, sent) in cases {
        let request = IntentRequest {
            amount: Money::new(asked, currency),
            ..request(n, 0)
        };
        let made = world
            .stripe
            .create_intent(&format!("i{n}"), &request)
            .await
            .unwrap();
        let at = usize::try_from(n).unwrap() - 1;
        assert_eq!(world.standin.intents()[at]["amount"], sent, "{currency:?}");
        world.pay(&made.id, "pm_card_visa").await;
        let captured = world.stripe.intent(&made.id).await.unwrap().captured.unwrap();
        assert_eq!(captured.amount_minor, asked, "{currency:?}");
        let half = RefundRequest {
            currency: Some(currency),
            ..refund(&made.id, 100 + n, currency.nearest_charge(asked / 2))
        };
        let given = world.stripe.refund(&format!("r{n}"), &half).await.unwrap();
        assert_eq!(given.amount_minor, half.amount_minor, "{currency:?}");
        let found = world.stripe.find_refund(&given.id).await;
        assert_eq!(found, Ok(given), "{currency:?}");
        let kept = world.stripe.account_lines(Moment::UNIX_EPOCH).await.unwrap();
        let charge = kept
            .iter()
            .find(|line| line.currency == currency.code() && line.kind == "charge");
        assert_eq!(charge.unwrap().amount_minor.unsigned_abs(), asked, "{currency:?}");
    }
    let uneven = RefundRequest {
        currency: Some(Currency::Kwd),
        ..refund("pi_1", 200, 5_124)
    };
    let refused = world.stripe.refund("r200", &uneven).await;
    assert!(matches!(refused, Err(GatewayError::Refused(_))), "{refused:?}");
}

/// The answer is lost, the deed is done: the repetition under the same key is the same intent.
#[tokio::test]
async fn stripe_lost_answers_are_repeated_under_one_key() {
    let world = World::open().await;
    world
        .stripe
        .create_intent("before", &request(1, 10_000))
        .await
        .unwrap();
    world.standin.change_weather(Weather::AnswersLost);
    let lost = world.stripe.create_intent("key", &request(2, 10_000)).await;
    assert_eq!(lost, Err(GatewayError::Unreachable));
    world.standin.change_weather(Weather::Fair);
    world
        .stripe
        .create_intent("key", &request(2, 10_000))
        .await
        .unwrap();
    assert_eq!(world.standin.intents().len(), 2);
    let sent = world.calls("POST /v1/payment_intents");
    let under_key = sent
        .iter()
        .filter(|call| call.idempotency_key.as_deref() == Some("key"));
    assert_eq!(under_key.count(), 4, "three attempts, and one later");
}

#[tokio::test]
async fn stripe_outage_opens_the_breaker() {
    let world = World::open().await;
    world.standin.change_weather(Weather::Failing(503));
    for _ in 0..2 {
        let away = world.stripe.intent("pi_1").await;
        assert_eq!(away, Err(GatewayError::Unreachable));
    }
    let sent = world.standin.calls().len();
    let at_once = world.stripe.intent("pi_1").await;
    assert_eq!(at_once, Err(GatewayError::Unreachable));
    assert_eq!(
        world.standin.calls().len(),
        sent,
        "the open breaker sends nothing"
    );
}

/// A key that is refused is for the operator to put right: no refund fails of it.
#[tokio::test]
async fn stripe_refused_key_is_no_refusal_of_the_call() {
    let world = World::open().await;
    world.standin.change_weather(Weather::Failing(401));
    let refused = world.stripe.find_refund("re_1").await;
    assert_eq!(refused, Err(GatewayError::Unreachable));
    assert_eq!(
        world.standin.calls().len(),
        1,
        "asked again, the answer is the same"
    );
}

#[tokio::test]
async fn stripe_events_are_listed_page_by_page_in_order() {
    let world = World::open().await;
    let taken: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = taken.clone();
    let receiver: Receiver = Box::new(move |header, body| {
        let signed = gateway::signature::verify(
            &[WEBHOOK_SECRET],
            platform::clock::now(),
            &header,
            body.as_bytes(),
        );
        assert_eq!(signed, Ok(()));
        let event: serde_json::Value = serde_json::from_str(&body).unwrap();
        heard.lock().push(event["id"].as_str().unwrap().to_owned());
        Box::pin(async { true })
    });
    let made = world
        .stripe
        .create_intent("key", &request(1, 50_000))
        .await
        .unwrap();
    world.pay(&made.id, "pm_card_visa").await;
    for n in 0..60 {
        world
            .stripe
            .refund(&format!("r{n}"), &refund(&made.id, 100 + n, 100))
            .await
            .unwrap();
    }
    // One success, and two events of each refund.
    assert_eq!(world.stripe.sync(&receiver).await.unwrap(), 121);
    let ids = taken.lock().clone();
    assert!(ids.is_sorted() && ids.len() == 121, "oldest first");
    let away: Receiver = Box::new(|_, _| Box::pin(async { false }));
    let not_taken = world.stripe.sync(&away).await;
    assert!(matches!(not_taken, Err(events::SyncError::NotTaken(_))));
}

#[tokio::test]
async fn stripe_account_is_looked_at_for_the_doctor() {
    let world = World::open().await;
    world
        .standin
        .notify(Some("http://127.0.0.1:9/api/webhooks/stripe"));
    let made = world
        .stripe
        .create_intent("key", &request(1, 10_000))
        .await
        .unwrap();
    world.pay(&made.id, "pm_card_visa").await;
    let found = standing::look(&world.stripe.0.account).await.unwrap();
    assert!(found.account.unwrap().charges_enabled);
    assert!(found.endpoints.unwrap()[0].missing().is_empty());
    assert_eq!(found.undelivered, Ok(1), "the endpoint does not answer");
}
