//! The marketplace on a log in KurrentDB: the same front door, and a clear word where the engine cannot do something.

use kurrent_standin::Server as KurrentDb;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use crate::market::{Buyer, Market, until};
use crate::payment_kill::rebuilt_equals_live;

const GOOD: &str = "4242424242424242";

/// Enquires, begins a booking and pays the deposit.
async fn books(buyer: &Buyer) -> String {
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD).await;
    let paid = buyer
        .wait_for(&token, |payment| payment["status"] == "success")
        .await;
    assert_eq!(paid["status"], "success", "{paid}");
    token
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rooms_are_booked_and_paid_while_the_server_of_the_log_drops_cuts_and_starts_anew() {
    let database = KurrentDb::default();
    let mut door = database.open().await.unwrap();
    let url = door.url();
    let mut market = Market::open(&[3], &[("LATCHKEY_EVENT_LOG", url.as_str())]).await;
    let mut tokens = vec![(1, books(&market.person(1, 0)).await)];
    door.drop_subscriptions();
    tokens.push((2, books(&market.person(2, 0)).await));
    door = door.restart().await.unwrap();
    door.cut_connections();
    tokens.push((3, books(&market.person(3, 0)).await));
    // All three rooms are gone: the rule holds over what was written before and after.
    let late = market.person(4, 0);
    let lead = late.enquire().await;
    let asked = serde_json::json!({ "payment": { "lead_uuid": lead, "inventory_id": late.room } });
    let (status, opened) = late.post("/api/v0/payments", asked).await;
    if let Some(token) = opened["data"]["token"].as_str() {
        assert_eq!(late.begin(token).await["status"], "sold_out");
    } else {
        assert!(status.is_client_error(), "{status} {opened}");
    }

    market.kill_and_restart();
    for (number, token) in &tokens {
        let buyer = market.person(*number, 0);
        assert_eq!(buyer.read(token).await["status"], "success");
        let receipts = until(|| async {
            let kinds = market.messages(&buyer.email).await;
            let receipts = kinds.iter().filter(|kind| *kind == "receipt").count();
            (receipts > 0).then_some(receipts)
        });
        assert_eq!(receipts.await, 1);
    }
    let ready = Client::new()
        .get(market.server.url("/readyz"))
        .send()
        .await
        .unwrap();
    assert_eq!(ready.status(), StatusCode::OK);
    let ready: Value = ready.json().await.unwrap();
    assert_eq!(ready["status"], "ready", "{ready}");
    market.server.kill();
    rebuilt_equals_live(&market.server);

    let said = market.server.run(&["doctor"]);
    assert!(said.contains("KurrentDB answers"), "{said}");
    let backup = market.server.folder().join("backup");
    let backup = ["backup", backup.to_str().unwrap()];
    for command in [&["verify"][..], &backup] {
        let said = market.server.refused(command);
        assert!(
            said.contains("needs the chain of hashes, which a log in KurrentDB does not have"),
            "{said}"
        );
    }
    // Before the log that it works on.
    drop(market);
    drop(door);
}
