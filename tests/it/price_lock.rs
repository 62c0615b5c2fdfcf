//! An enquiry freezes what its home asks: rises wait for the deadline, drops are passed on at once (decision 0025).

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::{Inventory, InventoryCommand};
use domain::money::{Currency, Period};
use eventlog::{Actor, Context, EventLog, commit};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::letters::sent;
use crate::market::{AUTUMN, Buyer, Market, log_of};
use crate::visitor::Visitor;

/// The property of the market's rooms.
pub(crate) const HOME: &str = "0193a000-0000-7000-8000-000000000001";

/// The house asks another price from now on, and one week's price as its deposit.
pub(crate) async fn reprice(market: &mut Market, price_minor: u64) {
    reprice_with(market, price_minor, 100).await;
}

/// The house asks another price from now on, and so many hundredths of a week's price as its deposit.
async fn reprice_with(market: &mut Market, price_minor: u64, deposit_percent: u32) {
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    let at = "2026-12-01T12:00:00Z";
    ask(&log, market, (price_minor, deposit_percent), at).await;
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;
}

/// Writes the price into the log of a server that does not run.
pub(crate) async fn ask(
    log: &EventLog,
    market: &Market,
    (price_minor, deposit_percent): (u64, u32),
    at: &str,
) {
    let home = InventoryId(HOME.parse().unwrap());
    let mut property = log.load::<Inventory>(home).await.unwrap().state.property.unwrap();
    property.terms.deposit_multiplier_percent = deposit_percent;
    let lease = json!([{ "move_in": AUTUMN, "length": { "duration": 44, "unit": "weeks" }, "price_minor": price_minor,
        "rooms_available": 9 }]);
    let offer = InventoryCommand::OfferLeases {
        room: InventoryId(market.rooms[0].parse().unwrap()),
        offer: serde_json::from_value::<Vec<LeaseOption>>(lease).unwrap().into(),
    };
    let context = Context::new(at.parse().unwrap(), Actor::SYSTEM);
    for command in [InventoryCommand::ChangeDetails { property }, offer] {
        commit::<Inventory>(log, home, command, &context).await.unwrap();
    }
}

async fn opened(buyer: &Buyer, lead: &str) -> Value {
    let token = buyer.open_for(lead, &buyer.room).await;
    buyer.read(&token).await
}

fn told(payment: &Value) -> (u64, &str, u64) {
    (
        payment["total_minor"].as_u64().unwrap(),
        payment["price_lock"]["state"].as_str().unwrap_or("none"),
        payment["room"]["rent"]["amount_minor"].as_u64().unwrap(),
    )
}

#[tokio::test]
async fn an_enquiry_keeps_its_price_until_the_deadline() {
    let mut market = Market::open(&[9], &[]).await;
    reprice(&mut market, 20_000).await;
    let early = market.person(1, 0);
    let lead = early.enquire().await;
    reprice(&mut market, 22_000).await;
    let kept = opened(&early, &lead).await;
    assert_eq!(told(&kept), (20_725, "kept", 20_000), "{kept}");
    let lock = &kept["price_lock"];
    assert_eq!(
        (&lock["frozen_minor"], &lock["now_minor"]),
        (&json!(20_000), &json!(22_000))
    );
    assert!(
        kept["expires_at"].as_str().unwrap()[..10] <= lock["until"].as_str().unwrap()[..10],
        "{kept}"
    );
    let late = market.person(2, 0);
    let late_lead = late.enquire().await;
    assert_eq!(told(&opened(&late, &late_lead).await), (22_798, "kept", 22_000));

    let elsewhere = json!({ "payment": { "lead_uuid": lead, "inventory_id": market.elsewhere } });
    let (status, body) = early.post("/api/v0/payments", elsewhere).await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("other_property")),
        "{body}"
    );
    let owner = Visitor::new(&market.server);
    owner.log_in(&early.email).await;
    let own = owner.get("/api/v0/users/activity?tab=enquired").await;
    let card = &own.data()["leads"]["result"][0];
    assert_eq!(
        (
            &card["room"]["price"]["amount_minor"],
            &card["price_lock"]["state"]
        ),
        (&json!(20_000), &json!("kept")),
        "{card}"
    );

    reprice(&mut market, 19_000).await;
    let owner = Visitor::new(&market.server);
    // Codes for one address are limited; the restarted server is another origin to the browser.
    owner.wait(60).await;
    owner.log_in(&early.email).await;
    let own = owner.get("/api/v0/users/activity?tab=enquired").await;
    let card = &own.data()["leads"]["result"][0];
    assert_eq!(
        (
            &card["room"]["price"]["amount_minor"],
            &card["price_lock"]["state"]
        ),
        (&json!(19_000), &json!("fell")),
        "{card}"
    );
    assert_eq!(told(&opened(&late, &late_lead).await), (19_689, "fell", 19_000));

    reprice(&mut market, 25_000).await;
    assert_eq!(told(&opened(&late, &late_lead).await), (22_798, "kept", 22_000));
    let clock = Visitor::new(&market.server);
    clock.wait(8 * 24 * 60 * 60).await;
    assert_eq!(told(&opened(&late, &late_lead).await), (25_907, "over", 25_000));
}

/// A home asks a larger deposit at the same rent: the enquiry keeps the smaller one, and its link ends with the deadline.
#[tokio::test]
async fn kept_deposit_ends_with_its_deadline() {
    let mut market = Market::open(&[9], &[]).await;
    reprice(&mut market, 20_000).await;
    let buyer = market.person(1, 0);
    let lead = buyer.enquire().await;
    reprice_with(&mut market, 20_000, 200).await;
    let token = buyer.open_for(&lead, &buyer.room).await;
    let kept = buyer.read(&token).await;
    assert_eq!(kept["total_minor"], 20_725, "{kept}");
    assert_eq!(kept["room"]["rent"]["amount_minor"], 20_000, "{kept}");
    let clock = Visitor::new(&market.server);
    clock.wait(8 * 24 * 60 * 60).await;
    let (status, body) = buyer
        .post(&format!("/api/v0/payments/{token}/intent"), json!({}))
        .await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("payment_link_expired")),
        "{body}"
    );
    let dear = opened(&buyer, &lead).await;
    assert_eq!(dear["total_minor"], 41_451, "{dear}");
}

/// A home that asks by the month now keeps no price of a week for an enquiry, and tells of no drop; so does one in another currency.
#[tokio::test]
async fn price_of_a_week_is_not_kept_beside_one_of_a_month() {
    let mut market = Market::open(&[9], &[]).await;
    reprice(&mut market, 20_000).await;
    let buyer = market.person(1, 0);
    let lead = buyer.enquire().await;
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    let home = InventoryId(HOME.parse().unwrap());
    let mut property = log.load::<Inventory>(home).await.unwrap().state.property.unwrap();
    property.period = Period::Monthly;
    let context = Context::new("2026-12-02T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let change = InventoryCommand::ChangeDetails { property };
    commit::<Inventory>(&log, home, change, &context).await.unwrap();
    ask(&log, &market, (18_000, 100), "2026-12-02T12:00:01Z").await;
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;
    let today = opened(&buyer, &lead).await;
    // 180 and the fee of 6.53.
    assert_eq!(told(&today), (18_653, "none", 18_000), "{today}");
    assert_eq!(today["room"]["rent"]["duration"], "monthly", "{today}");
    let visitor = Visitor::new(&market.server);
    let news = sent(&visitor, &buyer.email, "price_dropped").await;
    assert!(news.is_empty(), "a smaller number is no lower price: {news:?}");

    let euros = market.person(2, 0);
    let late = euros.enquire().await;
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    let mut property = log.load::<Inventory>(home).await.unwrap().state.property.unwrap();
    property.currency = Currency::Eur;
    let change = InventoryCommand::ChangeDetails { property };
    commit::<Inventory>(&log, home, change, &context).await.unwrap();
    ask(&log, &market, (99_000, 100), "2026-12-03T12:00:01Z").await;
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;
    let today = opened(&euros, &late).await;
    // 990 and the fee of 35.91.
    assert_eq!(told(&today), (102_591, "none", 99_000), "{today}");
}
