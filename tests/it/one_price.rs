//! One price of a stay on every screen, and rooms that are held and not sold.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{AUTUMN, Buyer, House, Market, until};
use crate::money_told::ask;

const GOOD: &str = "4242424242424242";
const WINTER: &str = "2028-01-08";

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
        rooms: vec![vec![(AUTUMN, 44, 1), (WINTER, 26, 1)]],
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
    let held = opened(&holder, WINTER, "26 weeks").await;
    assert_eq!(holder.begin(&held).await["status"], "initiated");
    let late = market.person(3, 0);
    let token = opened(&late, WINTER, "26 weeks").await;
    let told = late.begin(&token).await;
    assert_eq!(told["status"], "sold_out");
    assert_eq!(
        told["held_until"],
        holder.read(&held).await["hold_expires_at"],
        "held, and said until when"
    );
    assert_eq!(holder.pay(&held, GOOD).await["status"], "success");
    assert_eq!(late.read(&token).await["held_until"], json!(null), "sold");
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
