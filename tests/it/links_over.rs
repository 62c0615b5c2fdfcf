//! Money that reaches a payment link that is over goes back by itself, and what a payer left open is closed (D100).

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::{Standin, Weather};

use crate::desk::Officer;
use crate::market::{Buyer, Market, until};
use crate::stripe;
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const LINKS: &str = "/api/v0/workspace/payment_links";
const FORTNIGHT_S: u64 = 14 * 24 * 60 * 60;

/// The lead of the only booking, and the payment that made it.
pub(crate) async fn booking(officer: &Officer) -> (String, String) {
    until(|| async {
        let captured = officer.events("&kind=captured").await;
        let row = &captured["result"][0];
        let name = |field: &str| row[field].as_str().map(str::to_owned);
        Some((name("lead_id")?, name("payment_id")?))
    })
    .await
}

/// A rent link of this lead: its payment and its token.
pub(crate) async fn link(officer: &Officer, lead_id: &str) -> (String, String) {
    let body =
        json!({ "lead_id": lead_id, "type": "rent", "amount_minor": 115_600, "reason": "Monthly rent" });
    let (status, made) = officer.post(LINKS, body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let path = made["data"]["path"].as_str().unwrap();
    let token = path.rsplit('/').next().unwrap().to_owned();
    (made["data"]["payment_id"].as_str().unwrap().to_owned(), token)
}

/// A booking on Stripe with a link whose page is open.
struct OpenPage {
    buyer: Buyer,
    officer: Officer,
    deposit_id: String,
    link: (String, String),
    page: Value,
}

impl OpenPage {
    async fn of(standin: &Standin, market: &Market) -> Self {
        let buyer = market.person(1, 0);
        let deposit = stripe::paid(standin, &buyer).await;
        buyer
            .wait_for(&deposit, |payment| payment["status"] == "success")
            .await;
        let officer = Officer::arrives(market).await;
        let (lead_id, deposit_id) = booking(&officer).await;
        let link = link(&officer, &lead_id).await;
        let page = buyer.begin(&link.1).await;
        assert_eq!(page["status"], "initiated", "{page}");
        until(|| async { (standin.undelivered() == 0).then_some(()) }).await;
        Self {
            buyer,
            officer,
            deposit_id,
            link,
            page,
        }
    }

    /// Its payer presses in Stripe's own form. The notice is lost, and Stripe answers no question until the weather is fair again.
    async fn pressed_unnoticed(&self, standin: &Standin) {
        standin.notify(None);
        let card = [("payment_method", "pm_card_visa")];
        let (status, answer) = stripe::press(standin, &self.page, &card).await;
        standin.change_weather(Weather::Failing(503));
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    /// All of the link's money is back with its payer, and the link's own ledger balances.
    async fn goes_back(&self) {
        let (link_id, token) = &self.link;
        let given_back = self
            .buyer
            .wait_for(token, |payment| payment["refunded_minor"] == 119_793)
            .await;
        assert_eq!(given_back["status"], "sold_out", "{given_back}");
        let dossier = until(|| async {
            let dossier = self.officer.dossier(link_id).await;
            (dossier["refunded_minor"] == 119_793).then_some(dossier)
        })
        .await;
        assert_eq!(dossier["balance_minor"], 0, "{dossier}");
    }
}

/// A link is withdrawn while its payer's press is on its way to Stripe: the money that comes in goes back.
#[tokio::test(flavor = "multi_thread")]
async fn withdrawn_link_gives_back_what_was_pressed() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let open = OpenPage::of(&standin, &market).await;
    open.pressed_unnoticed(&standin).await;
    let path = format!("{LINKS}/{}/withdraw", open.link.0);
    let (status, withdrawn) = open.officer.post(&path, json!({})).await;
    assert_eq!(
        (status, &withdrawn["data"]["state"]),
        (StatusCode::OK, &json!("withdrawn")),
        "{withdrawn}"
    );
    standin.change_weather(Weather::Fair);
    open.goes_back().await;
}

/// A booking ends while the payer of its link presses: the money that comes in goes back.
#[tokio::test(flavor = "multi_thread")]
async fn link_of_an_ended_booking_gives_back() {
    let standin = Standin::open().await.unwrap();
    let market = stripe::market(&standin).await;
    let open = OpenPage::of(&standin, &market).await;
    let path = format!("/api/v0/workspace/payments/{}", open.deposit_id);
    let asked = json!({ "booking": "keep", "amount_minor": 25_907, "reason": "Goodwill" });
    let (status, answer) = open.officer.post(&format!("{path}/refunds"), asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    until(|| async {
        let dossier = open.officer.dossier(&open.deposit_id).await;
        (dossier["refunded_minor"] == 25_907).then_some(())
    })
    .await;
    open.pressed_unnoticed(&standin).await;
    // Nothing is left to give back, so that the booking ends without Stripe.
    let ended = json!({ "reason": "The guest has left" });
    let (status, answer) = open.officer.post(&format!("{path}/cancel_booking"), ended).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    until(|| async {
        let told = market.messages(&open.buyer.email).await;
        told.contains(&"booking_cancelled".to_owned()).then_some(())
    })
    .await;
    standin.change_weather(Weather::Fair);
    open.goes_back().await;
}

/// A payer may finish within the grace; after it the timer closes what was left open, at the gateway as well.
#[tokio::test]
async fn expired_link_is_finished_in_grace_or_closed() {
    let market = Market::open(&[2], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let officer = Officer::arrives(&market).await;
    let (lead_id, _) = booking(&officer).await;
    let (finished, left) = (link(&officer, &lead_id).await, link(&officer, &lead_id).await);
    for (_, token) in [&finished, &left] {
        assert_eq!(buyer.begin(token).await["status"], "initiated");
    }
    let clock = Visitor::new(&market.server);
    clock.wait(FORTNIGHT_S + 5 * 60).await;
    assert_eq!(buyer.pay(&finished.1, GOOD).await["status"], "success");
    assert_eq!(buyer.read(&left.1).await["status"], "initiated");
    clock.wait(20 * 60).await;
    let intents = until(|| async {
        let intents = market.gateway().await["intents"].clone();
        let cancelled = |intent: &&Value| intent["status"] == "canceled";
        let all = intents.as_array().unwrap();
        (all.iter().filter(cancelled).count() == 1).then_some(intents)
    })
    .await;
    assert_eq!(intents.as_array().unwrap().len(), 3, "{intents}");
    let (status, body) = buyer.press(&left.1, json!({ "card_number": GOOD })).await;
    assert_eq!(status, StatusCode::CONFLICT, "{body}");
    let shown = officer.get(&format!("{LINKS}?lead_id={lead_id}")).await;
    let stand: Vec<&Value> = shown["data"]["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["state"])
        .collect();
    assert_eq!(stand, ["expired", "paid"], "{shown}");
}
