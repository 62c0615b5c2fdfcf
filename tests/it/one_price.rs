//! One price of a stay on every screen, and rooms that are held and not sold.

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::words::english;

use crate::desk::Officer;
use crate::market::{AUTUMN, Buyer, House, Market, log_of, until};
use crate::money_told::ask;
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const WINTER: &str = "2028-01-08";
/// After the stay of 44 weeks from the autumn: both can be had of one room.
const NEXT_AUTUMN: &str = "2028-09-09";

/// Enquires for a stay and opens its payment; gives the token.
async fn opened(buyer: &Buyer, day: &str, length: &str) -> String {
    let (status, opened) = ask(buyer, &buyer.room, day, length).await;
    assert_eq!(status, StatusCode::CREATED, "{opened}");
    opened["data"]["token"].as_str().unwrap().to_owned()
}

async fn page(market: &Market, query: &str) -> String {
    let path = format!("/places/bloomsbury-row-london{query}");
    let answer = Client::new().get(market.server.url(&path)).send().await.unwrap();
    answer.text().await.unwrap()
}

/// Price and availability of the room's offer in the page's structured data.
async fn offer(market: &Market) -> Option<(f64, String)> {
    let html = page(market, "").await;
    let scripts = html
        .split("<script")
        .filter(|part| part.contains("application/ld+json"));
    let documents = scripts.filter_map(|part| {
        let text = part.split_once('>')?.1.split("</script>").next()?;
        serde_json::from_str::<Value>(text).ok()
    });
    let offers = documents.map(|document| match document {
        Value::Array(all) => all,
        one => vec![one],
    });
    let offer = offers
        .flatten()
        .find_map(|document| document.pointer("/itemListElement/0/item/offers").cloned())?;
    Some((
        offer["price"].as_f64()?,
        offer["availability"].as_str()?.to_owned(),
    ))
}

async fn offered(market: &Market, price: f64, availability: &str) {
    let wanted = Some((price, format!("https://schema.org/{availability}")));
    until(|| async { (offer(market).await == wanted).then_some(()) }).await;
}

#[tokio::test]
async fn every_screen_tells_the_price_of_the_stay() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (NEXT_AUTUMN, 26, 1)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let role = ["grant", "--email", "finance@staff.example", "--role", "support"];
    market.server.run(&role);
    let desk = Officer::arrives(&market).await;
    offered(&market, 289.0, "InStock").await;

    let first = market.person(1, 0);
    let token = opened(&first, AUTUMN, "44 weeks").await;
    first.begin(&token).await;
    assert_eq!(first.pay(&token, GOOD).await["status"], "success");
    offered(&market, 309.0, "InStock").await;

    let holder = market.person(2, 0);
    let held = opened(&holder, NEXT_AUTUMN, "26 weeks").await;
    assert_eq!(holder.begin(&held).await["status"], "initiated");
    let late = market.person(3, 0);
    let token = opened(&late, NEXT_AUTUMN, "26 weeks").await;
    let told = late.begin(&token).await;
    assert_eq!(told["status"], "sold_out");
    assert_eq!(told["room_now"], "held");
    assert_eq!(
        told["held_until"],
        holder.read(&held).await["hold_expires_at"],
        "held, and said until when"
    );
    assert_eq!(holder.pay(&held, GOOD).await["status"], "success");
    let told = late.read(&token).await;
    assert_eq!(told["held_until"], json!(null));
    assert_eq!(told["room_now"], "sold");
    offered(&market, 289.0, "SoldOut").await;

    let prices = until(|| async {
        let leads = desk.get("/api/v0/workspace/leads").await["data"]["result"].clone();
        let mut prices: Vec<(String, u64)> = leads
            .as_array()?
            .iter()
            .filter_map(|lead| {
                Some((
                    lead["status"].as_str()?.to_owned(),
                    lead["price"]["amount_minor"].as_u64()?,
                ))
            })
            .collect();
        prices.sort();
        let booked = prices.iter().filter(|(status, _)| status == "booked").count();
        (booked == 2).then(|| prices.iter().map(|(_, price)| *price).collect::<Vec<_>>())
    })
    .await;
    assert_eq!(
        prices.iter().filter(|price| **price == 28_900).count(),
        1,
        "{prices:?}"
    );
    assert_eq!(
        prices.iter().filter(|price| **price == 30_900).count(),
        2,
        "{prices:?}"
    );
}

/// What was agreed stands on every screen once it is paid, whatever the next import says.
#[tokio::test]
async fn price_of_a_paid_stay_is_the_agreed_one() {
    let mut market = Market::open(&[2], &[]).await;
    let buyer = market.person(1, 0);
    let token = opened(&buyer, AUTUMN, "44 weeks").await;
    buyer.begin(&token).await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    market.caught_up().await;
    market.server.kill();
    let dearer = [(AUTUMN, 44, 2)].map(|(day, weeks, rooms)| {
        json!({ "move_in": day, "length": { "duration": weeks, "unit": "weeks" }, "price_minor": 39_900,
            "rooms_available": rooms })
    });
    let home = InventoryId("0193a000-0000-7000-8000-000000000001".parse().unwrap());
    let offer = InventoryCommand::OfferLeases {
        room: InventoryId(market.rooms[0].parse().unwrap()),
        offer: serde_json::from_value::<Vec<LeaseOption>>(json!(dearer))
            .unwrap()
            .into(),
    };
    let context = Context::new("2026-12-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let log = log_of(&market.server).await;
    commit::<Inventory>(&log, home, offer, &context).await.unwrap();
    drop(log);
    market.kill_and_restart();
    market.caught_up().await;

    assert_eq!(buyer.read(&token).await["room"]["rent"]["amount_minor"], 28_900);
    let owner = Visitor::new(&market.server);
    owner.log_in(&buyer.email).await;
    let booked = owner.get("/api/v0/users/activity?tab=booked").await;
    let price = &booked.data()["leads"]["result"][0]["room"]["price"];
    assert_eq!(price["amount_minor"], 28_900, "{}", booked.body);
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let leads = desk.get("/api/v0/workspace/leads").await;
    assert_eq!(leads.data()["result"][0]["price"]["amount_minor"], 28_900);
    let later = market.person(2, 0);
    let token = opened(&later, AUTUMN, "44 weeks").await;
    assert_eq!(later.read(&token).await["room"]["rent"]["amount_minor"], 39_900);
}

/// A payer who waited reads that the room is free again once the other's hold has ended, and may hold it.
#[tokio::test]
async fn room_is_free_again_once_the_hold_ends() {
    let market = Market::open(&[1], &[]).await;
    let holder = market.person(1, 0);
    let held = holder.begun().await;
    let late = market.person(2, 0);
    let token = late.open().await;
    assert_eq!(late.begin(&token).await["room_now"], "held");
    let cancel = format!("/api/v0/payments/{held}/cancel");
    let (status, body) = holder.post(&cancel, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let told = until(|| async {
        let told = late.read(&token).await;
        (told["room_now"] != "held").then_some(told)
    })
    .await;
    assert_eq!(
        (&told["room_now"], &told["held_until"]),
        (&json!("free"), &json!(null))
    );
    assert_eq!(told["status"], "sold_out");
    let lead = late.lead_of(&token);
    let again = late.open_for(lead.as_str().unwrap(), &late.room).await;
    assert_eq!(late.begin(&again).await["status"], "initiated");
}

#[tokio::test]
async fn neighbours_are_free_in_the_month_of_the_move() {
    let market = Market::open(&[1], &[]).await;
    let neighbours = async |day: &str| {
        page(&market, &format!("?move_in_date={day}"))
            .await
            .contains("elsewhere-900-london")
    };
    until(|| async { neighbours(AUTUMN).await.then_some(()) }).await;
    assert!(!neighbours(WINTER).await);
}

#[tokio::test]
async fn fee_is_what_the_settings_say() {
    for (setting, fee, percent) in [
        (("LATCHKEY_PROCESSING_FEE_PERCENT", "2.5"), 625, "2.5"),
        (("LATCHKEY_FEE_EXEMPT_COUNTRIES", "uk"), 0, "0"),
    ] {
        let market = Market::open(&[2], &[setting]).await;
        let buyer = market.person(1, 0);
        let told = buyer.read(&opened(&buyer, AUTUMN, "44 weeks").await).await;
        assert_eq!(
            (
                &told["subtotal_minor"],
                &told["processing_fee_minor"],
                &told["processing_fee_percent"]
            ),
            (&json!(25_000), &json!(fee), &json!(percent)),
            "{told}"
        );
    }
}

/// The stay of a form is its payment's, whichever stay the room is let for first and whatever is sold meanwhile: before anything is
/// opened, beside an open payment, once it is paid, and after the dates were changed.
#[tokio::test]
async fn form_tells_the_stay_of_its_payment() {
    const EARLY: &str = "2026-12-06";
    let house = House {
        rooms: vec![vec![(EARLY, 12, 5), (AUTUMN, 44, 1)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let buyer = market.person(1, 0);
    let mut asked = buyer.lead_body();
    asked["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
    let (_, lead) = buyer.post("/api/v0/leads", asked).await;
    let lead = lead["data"].clone();
    let asked = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": buyer.room, "flow": "book" } });
    let stay = async || {
        let (_, form) = buyer.post("/api/v0/booking_forms", asked.clone()).await;
        let stay = form["data"]["stay"].clone();
        (
            stay["move_in_date"].clone(),
            stay["lease_duration"].clone(),
            stay["rent"]["amount_minor"].clone(),
        )
    };
    let autumn = (json!(AUTUMN), json!(44), json!(28_900));
    assert_eq!(stay().await, autumn, "nothing is opened");

    let token = buyer
        .open_for(lead["lead_uuid"].as_str().unwrap(), &buyer.room)
        .await;
    buyer.begin(&token).await;
    assert_eq!(stay().await, autumn, "the payment waits");
    let wish = json!({ "lead": { "data": { "move_in_date": EARLY, "lease_duration": "12 weeks" } } });
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let changed = buyer
        .try_call(reqwest::Method::PUT, &path, Some(&wish), None)
        .await;
    assert!(changed.unwrap().0.is_success());
    assert_eq!(
        stay().await,
        (json!(EARLY), json!(12), json!(30_900)),
        "other dates, another payment"
    );

    let (_, lead) = buyer
        .post(
            "/api/v0/payments",
            json!({ "payment": { "lead_uuid": lead["lead_uuid"], "inventory_id": buyer.room } }),
        )
        .await;
    let token = lead["data"]["token"].as_str().unwrap();
    assert_eq!(lead["data"]["room"]["move_in_date"], EARLY);
    buyer.begin(token).await;
    assert_eq!(buyer.pay(token, GOOD).await["status"], "success");
    until(async || (stay().await.0 == json!(EARLY)).then_some(())).await;
    assert_eq!(
        stay().await,
        (json!(EARLY), json!(12), json!(30_900)),
        "it is paid"
    );
}

/// Where the last room of a stay is held, support cannot move another student to it, and who leaves the stay open is led to one with a room.
#[tokio::test]
async fn stay_without_a_room_is_not_offered() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (AUTUMN, 51, 2)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let (holder, late) = (market.person(1, 0), market.person(2, 0));
    let held = opened(&holder, AUTUMN, "44 weeks").await;
    assert_eq!(holder.begin(&held).await["status"], "initiated");
    let (_, lead) = late.post("/api/v0/leads", late.lead_body()).await;
    let lead = lead["data"].clone();
    let token = late
        .open_for(lead["lead_uuid"].as_str().unwrap(), &late.room)
        .await;
    assert_eq!(late.read(&token).await["room"]["lease_duration"], 51);

    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let base = format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap());
    let shown = desk.get(&format!("{base}/desk")).await.data().clone();
    let stays: Vec<_> = shown["stays"].as_array().unwrap().iter().collect();
    assert_eq!(stays.len(), 1, "{shown}");
    assert_eq!(stays[0]["lease_duration"], "51 weeks");
    let change = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
    let refused = desk.post(&format!("{base}/acts"), change).await;
    assert_eq!(refused.fields(), ["move_in_date"], "{}", refused.body);
    assert!(
        refused
            .body
            .to_string()
            .contains(&english("refusal.stay_sold_out")),
        "{}",
        refused.body
    );
    // Their own hold takes nothing from the holder.
    market.caught_up().await;
    let leads = desk.get("/api/v0/workspace/leads").await.data()["result"].clone();
    let own = leads
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["lead_id"] != lead["id"])
        .unwrap();
    let path = format!(
        "/api/v0/workspace/leads/{}/desk",
        own["lead_id"].as_str().unwrap()
    );
    let shown = desk.get(&path).await.data().clone();
    assert_eq!(shown["stays"].as_array().unwrap().len(), 2, "{shown}");
}

/// A form that is begun after the room was paid for is about that room, whatever room or home the page names; so is the desk.
#[tokio::test]
async fn form_of_a_booked_room_is_about_that_room() {
    for named in 0..2 {
        let house = House {
            rooms: vec![vec![(AUTUMN, 44, 2)], vec![(AUTUMN, 51, 2)]],
            token_minor: 0,
        };
        let market = Market::with(&house, &[]).await;
        let buyer = market.person(1, 0);
        let (_, lead) = buyer.post("/api/v0/leads", buyer.lead_body()).await;
        let lead = lead["data"].clone();
        let token = buyer
            .open_for(lead["lead_uuid"].as_str().unwrap(), &buyer.room)
            .await;
        buyer.begin(&token).await;
        assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
        market.caught_up().await;
        let home = "0193a000-0000-7000-8000-000000000001";
        let other = [market.rooms[1].as_str(), home][named];
        let asked = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": other, "flow": "book" } });
        let (_, form) = buyer.post("/api/v0/booking_forms", asked).await;
        let stay = &form["data"]["stay"];
        assert_eq!(stay["move_in_date"], AUTUMN, "{form}");
        assert_eq!(stay["rent"]["amount_minor"], 28_900, "{form}");
        assert_eq!(form["data"]["inventory_id"], json!(buyer.room), "{form}");
        let desk = Visitor::new(&market.server);
        desk.log_in_as("support").await;
        let path = format!("/api/v0/workspace/leads/{}/desk", lead["id"].as_str().unwrap());
        let shown = desk.get(&path).await.data().clone();
        assert_eq!(
            (
                &shown["stay"]["inventory_id"],
                &shown["stay"]["rent"]["amount_minor"]
            ),
            (&json!(buyer.room), &json!(28_900)),
            "{shown}"
        );
    }
}
