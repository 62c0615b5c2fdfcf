//! Homes of countries that no page named before: opened by their first import, shown with their own money and clocks, and paid for where the
//! provider charges in their currency (U29, decision 0045).

use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryCommand};
use domain::money::Currency;
use eventlog::{Actor, Context, commit};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use stripe_standin::Standin;
use tests::Server;

use crate::desk::Officer;
use crate::market::{Market, log_of, until};
use crate::price_lock::HOME;
use crate::provider_account::{account, line};
use crate::stripe;

const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/import/listings.toml");
const ROWS: &str = "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n\
    q-1,Quarto no Bonfim,PT,Porto,41.1524,-8.5968,450.50,EUR,month,Private room,,\n\
    q-2,Waseda Room,Japan,Tokyo,35.7056,139.7190,85000,JPY,month,Private room,,\n\
    q-3,Salmiya Flat,KW,Hawalli,29.3330,48.0290,256.25,KWD,month,Entire home/apt,,\n\
    q-4,Atlantis Palace,Atlantis,Poseidonis,31.0,-24.0,10,EUR,month,Private room,,\n";

async fn found(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(server.url(path)).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["data"].clone()
}

/// A server without the demo that has read the feed.
fn with_homes() -> Server {
    let server = Server::start();
    take_in(&server, (ROWS, MAP), 3);
    let refused = std::fs::read_to_string(server.beside("errors.csv")).unwrap();
    assert!(refused.contains("\"Atlantis\""), "{refused}");
    server
}

/// Reads a feed of which so many homes are taken in.
fn take_in(server: &Server, (rows, map): (&str, &str), homes: usize) {
    let [feed, report] = ["feed.csv", "errors.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows).unwrap();
    let [feed, errors] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", map, "--report", errors]);
    assert!(said.contains(&format!("{homes} added")), "{said}");
}

/// The home of a city, once the search has it.
async fn home_in(server: &Server, city: &str) -> Value {
    let path = format!("/api/v1/inventories?region_canonical_name={city}");
    until(|| async {
        let homes = found(server, &path).await;
        (homes["meta"]["count"] == 1).then(|| homes["result"][0].clone())
    })
    .await
}

/// Each home is found in its city with its price as its currency counts it.
#[tokio::test]
async fn homes_of_any_country_are_found_with_their_own_money() {
    let server = with_homes();
    for (city, price, currency, shown) in [
        ("porto", 450.5, "EUR", "€450.50"),
        ("tokyo", 85_000.0, "JPY", "¥85,000"),
        ("hawalli", 256.25, "KWD", "256.250"),
    ] {
        let home = home_in(&server, city).await;
        let pricing = &home["pricing"];
        assert_eq!(pricing["min_price"], price, "{city}: {home}");
        assert_eq!(
            (&pricing["currency"], &pricing["duration"]),
            (&json!(currency), &json!("monthly"))
        );
        let page = format!("/places/{}", home["canonical_name"].as_str().unwrap());
        let answer = Client::new().get(server.url(&page)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{page}");
        let html = answer.text().await.unwrap();
        assert!(html.contains(shown), "{page} has no {shown}");
        assert!(!html.contains("¥85,000.00"), "yen have no decimals");
    }
}

/// A rent that is larger than what the search compares is shown whole.
#[tokio::test]
async fn rent_of_tens_of_millions_is_shown_as_it_is() {
    let server = Server::start();
    let map = server.beside("feed.toml");
    let lease = "move_in = { value = \"2028-09-01\" }\nlength = { value = \"12 months\" }\n";
    std::fs::write(&map, format!("feed = \"palaces\"\n[columns]\n{lease}")).unwrap();
    let rows = "id,name,country,city,lat,lng,price,currency,price_per,room_type\n\
        p-1,Palace,JP,Tokyo,35.7056,139.7190,60000000,JPY,month,Private room\n";
    take_in(&server, (rows, map.to_str().unwrap()), 1);
    let home = home_in(&server, "tokyo").await;
    assert_eq!(home["pricing"]["min_price"], 60_000_000.0, "{home}");
}

/// A budget is in units of the home's currency, of thousandths and of none too.
#[tokio::test]
async fn budgets_are_in_units_of_any_currency() {
    let server = with_homes();
    for (city, below, above) in [
        ("porto", "400", "500"),
        ("tokyo", "84999", "85001"),
        ("hawalli", "256", "256.30"),
    ] {
        home_in(&server, city).await;
        let path = format!("/api/v1/inventories?region_canonical_name={city}");
        for (budget, count) in [
            (format!("min_price={below}&max_price={above}"), 1),
            (format!("max_price={below}"), 0),
            (format!("min_price={above}"), 0),
        ] {
            let homes = found(&server, &format!("{path}&{budget}")).await;
            assert_eq!(homes["meta"]["count"], count, "{city} {budget}");
        }
    }
}

/// A region says the clocks, the currency and the budgets of its country.
#[tokio::test]
async fn regions_of_any_country_say_its_clocks_and_currency() {
    let server = with_homes();
    for (region, key, zone, currency, budget) in [
        ("porto", "pt", "Europe/Lisbon", "EUR", 1_000),
        ("tokyo", "jp", "Asia/Tokyo", "JPY", 150_000),
        ("hawalli", "kw", "Asia/Kuwait", "KWD", 1_000),
        ("japan", "jp", "Asia/Tokyo", "JPY", 150_000),
    ] {
        let path = format!("/api/v0/regions/{region}");
        let region =
            until(|| async { Some(found(&server, &path).await).filter(|region| !region.is_null()) }).await;
        assert_eq!(region["location"]["country_key"], key, "{path}");
        assert_eq!(
            (&region["time_zone"], &region["currency"]),
            (&json!(zone), &json!(currency)),
            "{path}"
        );
        assert_eq!(region["budget_range"], json!([0, budget]), "{path}");
    }
}

/// The home page and the menu name countries in which homes are let, and no other one.
#[tokio::test]
async fn countries_without_homes_are_not_listed() {
    let server = with_homes();
    for city in ["porto", "tokyo", "hawalli"] {
        home_in(&server, city).await;
    }
    let countries = until(|| async {
        let countries = found(&server, "/_page?url=/").await["data"]["countries"].clone();
        (countries.as_array()?.len() == 3).then_some(countries)
    })
    .await;
    let named: Vec<(&Value, &Value)> = countries
        .as_array()
        .unwrap()
        .iter()
        .map(|country| (&country["key"], &country["cities"][0]["canonical_name"]))
        .collect();
    let [jp, kw, pt] = ["jp", "kw", "pt"].map(Value::from);
    let [tokyo, hawalli, porto] = ["tokyo", "hawalli", "porto"].map(Value::from);
    assert_eq!(named, [(&jp, &tokyo), (&kw, &hawalli), (&pt, &porto)]);
    for (place, robots) in [
        ("portugal", "index,follow"),
        ("tokyo", "index,follow"),
        ("lisbon", "noindex,nofollow"),
    ] {
        let page = found(&server, &format!("/_page?url=/places/search/{place}")).await;
        assert_eq!(page["head"]["robots"], robots, "{place}");
    }
    let lost = Client::new().get(server.url("/places/search/spain")).send().await;
    assert_eq!(lost.unwrap().status(), StatusCode::NOT_FOUND);
}

/// A country that the settings open has its page and its places before a home stands there, and is listed nowhere.
#[tokio::test]
async fn setting_opens_a_country_before_its_first_home() {
    let settings = [
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_OPEN_COUNTRIES", "pt, jp"),
    ];
    let mut server = Server::with(&settings);
    server.restart();
    let page = found(&server, "/_page?url=/places/search/japan").await;
    assert_eq!(page["data"]["region"]["name"], "Japan", "{page}");
    assert_eq!(page["head"]["robots"], "noindex,nofollow");
    let offered = found(&server, "/api/v0/search/suggest?q=porto&lang=en").await;
    assert!(offered.to_string().contains("\"porto\""), "{offered}");
    let home = found(&server, "/_page?url=/").await;
    assert_eq!(home["data"]["countries"], json!([]));
}

/// Writes what the home asks in into the log, and starts the server again.
async fn ask_in(market: &mut Market, currency: Currency) {
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    let home = InventoryId(HOME.parse().unwrap());
    let mut property = log.load::<Inventory>(home).await.unwrap().state.property.unwrap();
    property.currency = currency;
    let context = Context::new("2026-12-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let change = InventoryCommand::ChangeDetails { property };
    commit::<Inventory>(&log, home, change, &context).await.unwrap();
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;
}

/// Stripe does not charge the pound of Sudan.
#[tokio::test(flavor = "multi_thread")]
async fn currency_that_the_gateway_lacks_is_refused_by_name() {
    let standin = Standin::open().await.unwrap();
    let mut market = stripe::market(&standin).await;
    ask_in(&mut market, Currency::Sdg).await;
    let buyer = market.person(1, 0);
    let asked = json!({ "payment": { "lead_uuid": buyer.enquire().await, "inventory_id": buyer.room } });
    let (status, answer) = buyer.post("/api/v0/payments", asked).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    let refusal = &answer["message"];
    assert_eq!(refusal["code"], "currency_not_charged", "{answer}");
    let said = refusal["user_friendly_message"].as_str().unwrap();
    assert!(said.contains("SDG") && said.contains("not charged"), "{said}");
    assert!(standin.intents().is_empty());
    // Yen are charged, and have no decimals: 250 of them are worth less than the least deposit.
    ask_in(&mut market, Currency::Jpy).await;
    let buyer = market.person(3, 0);
    let token = buyer.open().await;
    let payment = buyer.begin(&token).await;
    assert_eq!(payment["status"], "initiated", "{payment}");
    assert_eq!(standin.intents()[0]["amount"], 7_772, "7,500 and the fee of 272");
    assert_eq!(standin.intents()[0]["currency"], "jpy");
}

/// Stripe takes krónur in hundredths and sends them back so: student, finance and books know whole ones alone.
#[tokio::test(flavor = "multi_thread")]
async fn kronur_are_charged_refunded_and_reconciled_whole() {
    let standin = Standin::open().await.unwrap();
    let mut market = stripe::market(&standin).await;
    ask_in(&mut market, Currency::Isk).await;
    standin.notify(Some(&market.server.url("/api/webhooks/stripe")));
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let (token, paid) = stripe::paid_and_told(&standin, &buyer).await;
    assert_eq!(paid["total_minor"], 10_363, "{paid}");
    let intent = standin.intents()[0].clone();
    assert_eq!(
        (&intent["amount"], &intent["currency"]),
        (&json!(1_036_300), &json!("isk"))
    );

    let id = stripe::payment_id(&officer, &paid).await;
    let asked = json!({ "booking": "keep", "amount_minor": 100, "reason": "plans changed" });
    let refunds = format!("/api/v0/workspace/payments/{id}/refunds");
    let (status, answer) = officer.post(&refunds, asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    buyer
        .wait_for(&token, |payment| payment["refunded_minor"] == 100)
        .await;
    assert_eq!(standin.refunds()[0]["amount"], 10_000);

    standin.dispute(intent["id"].as_str().unwrap(), "needs_response");
    buyer
        .wait_for(&token, |payment| payment["disputed_minor"] == 10_363)
        .await;
    market.caught_up().await;
    let read = account(&officer, "").await;
    for (kind, minor) in [("charge", 10_363), ("refund", -100)] {
        let moved = line(&read, kind);
        assert_eq!(
            (&moved["amount_minor"], &moved["verdict"]),
            (&json!(minor), &json!("matched")),
            "{moved}"
        );
    }
    officer.every_ledger_balances().await;
}
