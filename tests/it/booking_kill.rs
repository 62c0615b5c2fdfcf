//! From a payment to its booking, its referral and its receipt: the server is killed after each step of that chain, and the chain ends
//! once and whole (FEATURES L4).

use domain::id::{LeadId, ReferralId};
use domain::referral::{Referral, ReferralStatus};
use futures::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use tests::Server;

use crate::desk::Officer;
use crate::market::{Buyer, Market, log_of, until};

const GOOD: &str = "4242424242424242";
/// How many events after the press the server dies, one round each.
const STEPS: std::ops::RangeInclusive<u64> = 1..=5;

async fn head(server: &Server) -> u64 {
    log_of(server).await.head().await.unwrap()
}

/// Enquires with the code of a friend and begins to pay; gives the lead and the payment's token.
async fn begun(buyer: &Buyer, code: &Value) -> (LeadId, String) {
    let mut body = buyer.lead_body();
    body["lead"]["referral_details"] = json!({ "name": "A friend", "code": code });
    let (_, lead) = buyer.post("/api/v0/leads", body).await;
    let lead_id = lead["data"]["id"].as_str().unwrap().parse().unwrap();
    let lead_uuid = lead["data"]["lead_uuid"].as_str().unwrap();
    let token = buyer.open_for(lead_uuid, &buyer.room).await;
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    (lead_id, token)
}

/// Presses Pay; the server may die meanwhile, and no answer may come.
async fn press(buyer: &Buyer, token: &str) {
    let path = format!("/api/v0/payments/{token}/sandbox_confirm");
    let card = json!({ "card_number": GOOD });
    let _lost = buyer.try_call(Method::POST, &path, Some(&card), None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_killed_after_each_step_ends_the_chain_once() {
    let mut market = Market::open(&[9], &[]).await;
    let officer = Officer::arrives(&market).await;
    let code = officer.get("/api/v0/users/details").await["data"]["referral_code"].clone();
    let mut chains = Vec::new();
    for step in STEPS {
        let buyer = market.person(usize::try_from(step).unwrap(), 0);
        let (lead_id, token) = begun(&buyer, &code).await;
        let before = head(&market.server).await;
        let reached = until(|| async { (head(&market.server).await >= before + step).then_some(()) });
        join(press(&buyer, &token), reached).await;
        market.kill_and_restart();
        chains.push((buyer, lead_id, token));
    }
    for (buyer, _, token) in &chains {
        until(|| async {
            let status = buyer.read(token).await["status"].clone();
            if status == "initiated" {
                press(buyer, token).await;
            }
            (status == "success").then_some(())
        })
        .await;
    }
    for (buyer, ..) in &chains {
        // On PostgreSQL the next node waits for what the killed one had leased.
        until(|| async {
            let told = market.messages(&buyer.email).await;
            told.iter().any(|kind| kind == "receipt").then_some(())
        })
        .await;
    }
    market.caught_up().await;
    let log = log_of(&market.server).await;
    for (buyer, lead_id, token) in &chains {
        let referral = log.load::<Referral>(ReferralId(lead_id.0)).await.unwrap();
        assert_eq!(referral.state.status, Some(ReferralStatus::Completed), "{token}");
        let told = market.messages(&buyer.email).await;
        let receipts = told.iter().filter(|kind| *kind == "receipt");
        assert_eq!(receipts.count(), 1, "{told:?}");
    }
    let intents = market.gateway().await["intents"].clone();
    let intents = intents.as_array().unwrap();
    assert_eq!(intents.len(), chains.len());
    assert!(
        intents
            .iter()
            .all(|intent| intent["charge"]["refunded_minor"] == 0)
    );
}
