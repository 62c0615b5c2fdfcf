//! T31: reading a history again changes nothing and sends nothing: no mail, no call of the provider, no event but the record of the read
//! itself (T30).

use reqwest::Client;
use serde_json::{Value, json};
use tests::sample;
use tests::sample::Sample;

use crate::market::{Market, log_of};
use crate::visitor::{Visitor, enquiry};

const LEADS: &str = "/api/v0/workspace/leads";
const GOOD: &str = "4242424242424242";
const REPLAYS: &str = "LATCHKEY_TEST_REPLAYS";
/// Histories that are replayed: in the gate, and in all.
const USUALLY: (usize, usize) = (30, 1_000);
/// Looks at an earlier moment cost a fold of the log each.
const MOMENTS: usize = 4;

/// What is recorded of a read.
const READ: &str = "UserPersonalDataRevealed";

/// Everything that a replay must leave alone: events by their position, without records of reads.
async fn world(market: &Market) -> Value {
    let outbox = Client::new().get(market.server.url("/dev/outbox")).send().await;
    let sent = outbox.unwrap().json::<Value>().await.unwrap();
    let sent = sent["data"].as_array().unwrap().iter();
    let log = log_of(&market.server).await;
    let events = log.span(1, log.head().await.unwrap()).await.unwrap();
    let acts = events.iter().filter(|event| event.event_type != READ);
    json!({
        "acts": acts.map(|event| event.position).collect::<Vec<_>>(),
        "mails": sent.map(|mail| &mail["id"]).collect::<Vec<_>>(),
        "provider": market.gateway().await["intents"],
    })
}

/// Every way in which staff read one history.
async fn replayed(staff: &Visitor<'_>, lead: &str, moment: Option<u64>) {
    let history = format!("{LEADS}/{lead}/timeline");
    let known = staff.get(&history).await.data().clone();
    assert!(known["count"].as_u64().unwrap() > 0, "{known}");
    staff.get(&format!("{history}/events?from=0")).await.data();
    for event in known["events"].as_array().unwrap() {
        let path = format!("/api/v0/workspace/events/{}", event["position"]);
        staff.get(&path).await.data();
    }
    let why = format!("/api/v0/workspace/why?aggregate={lead}&path=/user_details/phone");
    staff.get(&why).await.data();
    let tried = json!({ "steps": [{ "act": "close", "cause": "no_answer" }] });
    staff.post(&format!("{LEADS}/{lead}/what-if"), tried).await.data();
    if let Some(moment) = moment {
        staff.get(&format!("{history}?as_of={moment}")).await.data();
    }
}

/// Histories are replayed in every way: nothing is sent or called, and nothing written but who read them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replayed_histories_send_and_write_nothing() {
    let Sample {
        rounds: [histories],
        mut dice,
    } = sample!(REPLAYS => USUALLY);
    let market = Market::open(&[3], &[]).await;
    let visitor = Visitor::new(&market.server);
    let mut leads = Vec::new();
    for number in 1..histories {
        let email = format!("replayed{number}@example.com");
        let sent = visitor
            .post("/api/v0/leads", enquiry("Ada Lovelace", &email))
            .await;
        leads.push(sent.data()["id"].as_str().unwrap().to_owned());
    }
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    market.caught_up().await;
    let staff = Visitor::new(&market.server);
    staff.log_in_as("admin").await;
    let booked = staff
        .get(&format!("{LEADS}?q={}", buyer.email))
        .await
        .data()
        .clone();
    leads.push(booked["result"][0]["lead_id"].as_str().unwrap().to_owned());
    market.caught_up().await;

    let before = world(&market).await;
    let head = log_of(&market.server).await.head().await.unwrap();
    for (number, lead) in leads.iter().enumerate() {
        let moment = (number < MOMENTS).then(|| head - dice.below(5));
        replayed(&staff, lead, moment).await;
    }
    let payment =
        staff.get("/api/v0/workspace/payments/events").await.data()["result"][0]["payment_id"].clone();
    let dossier = format!("/api/v0/workspace/payments/{}", payment.as_str().unwrap());
    staff.get(&dossier).await.data();
    let stream = format!("payment-{}", payment.as_str().unwrap());
    assert!(
        market
            .server
            .run(&["replay", &stream])
            .contains("PaymentConfirmed")
    );
    let board = market
        .server
        .run(&["replay", "--projection", "lead_board", "--at", &head.to_string()]);
    assert!(board.contains("enquired"), "{board}");
    market.caught_up().await;
    assert_eq!(
        world(&market).await,
        before,
        "{histories} histories were replayed"
    );
}
