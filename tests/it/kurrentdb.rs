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

/// Rooms are booked and paid while the server of the log drops cuts and starts anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rooms_are_booked_while_kurrentdb_drops_cuts_and_restarts() {
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
    let backup = market.server.beside("backup");
    let backup = ["backup", backup.to_str().unwrap()];
    for (command, sentence) in [
        (
            &["verify"][..],
            "needs the chain of hashes, which a log in KurrentDB does not have",
        ),
        (&backup, "back that server up with its own tools"),
    ] {
        let said = market.server.refused(command);
        assert!(said.contains(sentence), "{said}");
    }
    // Before the log that it works on.
    drop(market);
    drop(door);
}

/// A log in KurrentDB has its keys in PostgreSQL and nothing personal itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kurrentdb_log_keeps_keys_in_postgres_and_nothing_personal() {
    let database = KurrentDb::default();
    let mut door = database.open().await.unwrap();
    let (log, url) = (door.url(), tests::cluster().database());
    let settings = [
        ("LATCHKEY_EVENT_LOG", log.as_str()),
        ("LATCHKEY_DATABASE", url.as_str()),
    ];
    let mut market = Market::open(&[3], &settings).await;
    let name = market.server.database_name().unwrap();
    let buyer = market.person(1, 0);
    let token = books(&buyer).await;
    door = door.restart().await.unwrap();
    books(&market.person(2, 0)).await;
    let keys = || {
        let asked = "select count(*), count(*) filter (where key is null) from subject_key";
        let told = tests::cluster().run(&format!("{name}_keys"), asked);
        let (all, destroyed) = told.trim().split_once('|').unwrap();
        (all.parse::<u32>().unwrap(), destroyed.parse::<u32>().unwrap())
    };
    let (all, destroyed) = keys();
    assert!(all >= 2 && destroyed == 0, "{all} keys, {destroyed} destroyed");
    let events = tests::cluster().run(&name, "select to_regclass('event') is null");
    assert_eq!(events.trim(), "t", "the log lies elsewhere");

    market.kill_and_restart();
    let buyer = Buyer {
        address: market.person(1, 0).address,
        ..buyer
    };
    assert_eq!(buyer.read(&token).await["status"], "success");
    market
        .server
        .run(&["forget", "--although-booked", "--email", &buyer.email]);
    let (all_then, destroyed) = keys();
    assert!(
        all_then >= all && destroyed >= 1,
        "{all_then} keys, {destroyed} destroyed"
    );
    let still = buyer.read(&token).await;
    assert_eq!(still["status"], "success", "{still}");
    assert!(!still.to_string().contains(&buyer.email), "{still}");
    // Its log lies behind the door.
    drop(market);
    drop(door);
}

/// `migrate` opens everything as `serve` does, and says nothing else before.
#[test]
fn unreachable_server_is_one_sentence_naming_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = tests::free_address();
    for (setting, address) in [
        ("LATCHKEY_EVENT_LOG", format!("kurrentdb://{nobody}?tls=false")),
        ("LATCHKEY_DATABASE", format!("postgres://latchkey@{nobody}/house")),
    ] {
        let settings = [(setting, address.as_str()), ("LATCHKEY_LOG", "info")];
        let said = tests::refused_with(folder.path(), &settings, &["migrate"]);
        let lines: Vec<&str> = said.lines().collect();
        assert!(
            matches!(lines[..], [line] if line.contains(&format!("`{setting}`"))),
            "{setting}: {said}"
        );
    }
}

/// A set-up is examined before its first start: the folder is empty then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_of_the_log_is_asked_before_the_first_start() {
    let database = KurrentDb::default();
    let door = database.open().await.unwrap();
    let nobody = format!("kurrentdb://{}?tls=false", tests::free_address());
    for (url, sentence) in [
        (door.url(), "look   log          the KurrentDB server answers"),
        (
            nobody,
            "WRONG  log          the server of the setting `event_log`",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new");
        // Something that is wrong in any case, so that both answers are told in one way.
        let settings = [
            ("LATCHKEY_EVENT_LOG", url.as_str()),
            ("LATCHKEY_DATA_DIR", new.to_str().unwrap()),
            ("LATCHKEY_SMTP_URL", "smtp://127.0.0.1:1"),
            ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
        ]
        .map(|(name, value)| (name, value.to_owned()));
        let path = folder.path().to_owned();
        let asked = tokio::task::spawn_blocking(move || {
            let settings: Vec<_> = settings
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            tests::refused_with(&path, &settings, &["doctor"])
        });
        let said = asked.await.unwrap();
        assert!(said.contains(sentence), "{said}");
        assert!(!new.exists(), "nothing is made: {said}");
    }
    drop(door);
}
