//! The box and the filters of the leads' list: everything that support knows of a lead finds it, and the answer says how the words were
//! understood.

use serde_json::{Value, json};
use tests::Server;

use crate::market::{Market, until};
use crate::visitor::{Visitor, enquiry, in_days, some_property};

const GOOD: &str = "4242424242424242";

/// The answer to words and filters.
async fn asked(desk: &Visitor<'_>, query: &[(&str, &str)]) -> Value {
    let query = written(query);
    desk.get(&format!("/api/v0/workspace/leads?{query}"))
        .await
        .data()
        .clone()
}

fn written(query: &[(&str, &str)]) -> String {
    let mut url = reqwest::Url::parse("http://desk").unwrap();
    url.query_pairs_mut().extend_pairs(query);
    url.query().unwrap_or_default().to_owned()
}

/// References of the leads that words and filters leave.
async fn found(desk: &Visitor<'_>, query: &[(&str, &str)]) -> Vec<String> {
    let list = asked(desk, query).await;
    let rows = list["result"].as_array().unwrap().iter();
    rows.map(|row| row["reference"].as_str().unwrap().to_owned())
        .collect()
}

/// What of the words was understood as what.
fn understood(list: &Value) -> Vec<(String, String)> {
    let parts = list["understood"].as_array().unwrap().iter();
    let text = |part: &Value, name: &str| part[name].as_str().unwrap().to_owned();
    parts
        .map(|part| (text(part, "kind"), text(part, "written")))
        .collect()
}

/// A booking that was paid for, with its payment's ids.
struct Booked {
    reference: String,
    token: String,
    ids: Vec<String>,
}

async fn booked(market: &Market, desk: &Visitor<'_>) -> Booked {
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let row = until(|| async {
        let list = asked(desk, &[("status", "booked")]).await;
        let row = list["result"][0].clone();
        row.is_object().then_some(row)
    })
    .await;
    let lead_id = row["lead_id"].as_str().unwrap().to_owned();
    let gateway = market.gateway().await.to_string();
    let ids = ["pi_", "ch_"].map(|prefix| {
        let start = gateway.find(&format!("\"{prefix}")).unwrap() + 1;
        let rest = &gateway[start..];
        let name = &rest[..rest.find('"').unwrap()];
        // The client's secret begins with the intent's id.
        name.split("_secret").next().unwrap().to_owned()
    });
    Booked {
        reference: row["reference"].as_str().unwrap().to_owned(),
        token,
        ids: [&ids[..], &[lead_id]].concat(),
    }
}

/// A lead is found by everything that a payment is known by.
#[tokio::test]
async fn lead_is_found_by_token_reference_and_gateway_ids() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let paid = booked(&market, &desk).await;
    let link = market.server.url(&format!("/payment/{}", paid.token));
    let room = market.rooms[0].clone();
    let mut words = vec![
        paid.token.as_str(),
        &link,
        &paid.reference,
        &room,
        "buyer1@example.com",
    ];
    words.extend(paid.ids.iter().map(String::as_str));
    for words in words {
        assert_eq!(
            found(&desk, &[("q", words)]).await,
            [paid.reference.as_str()],
            "{words}"
        );
    }
    assert!(found(&desk, &[("q", "pi_unknown")]).await.is_empty());
}

async fn partners_lead(market: &Market) -> String {
    let partner = Visitor::new(&market.server);
    let mut body = enquiry("Ana Lopez", "ana@example.com");
    body["lead"]["meta"] = json!({ "variant": "partner_enquire", "idp_form_data": { "councellor_name": "Ana Ruiz",
        "councellor_email": "ruiz@partner.example", "councellor_country": "Spain", "councellor_office": "Madrid" } });
    body["lead"]["data"]["move_in_date"] = json!("2027-09");
    let sent = partner.post("/api/v0/leads/", body).await;
    sent.data()["reference"].as_str().unwrap().to_owned()
}

/// Filters narrow by status, city, property, partner, source, owner and days; words of dates and statuses do the same in both languages.
#[tokio::test]
async fn filters_and_words_of_dates_narrow_the_list() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let paid = booked(&market, &desk).await.reference;
    let sent = partners_lead(&market).await;
    let both = [sent.as_str(), paid.as_str()];
    let (today, tomorrow) = (in_days(0), in_days(1));
    let only = |reference: &str| vec![reference.to_owned()];
    for (query, reference) in [
        (("property", "bloomsbury-row-london"), &paid),
        (("partner", "madrid"), &sent),
        (("source", "Newsletter"), &sent),
        (("move_in_from", "2027-08-01"), &sent),
        (("status", "booked"), &paid),
        (("q", "booked"), &paid),
        (("q", "已预订"), &paid),
        (("q", "madrid"), &sent),
        (("q", "newsletter"), &sent),
        (("q", "moves in september 2027"), &sent),
        (("q", "2027年9月入住"), &sent),
    ] {
        assert_eq!(found(&desk, &[query]).await, only(reference), "{query:?}");
    }
    for query in [
        ("created_from", today.as_str()),
        ("created_to", &today),
        ("q", "today"),
        ("q", "本月"),
    ] {
        let mut hits = found(&desk, &[query]).await;
        hits.sort();
        let mut wanted = both;
        wanted.sort_unstable();
        assert_eq!(hits, wanted, "{query:?}");
    }
    for query in [
        ("created_from", tomorrow.as_str()),
        ("q", "yesterday"),
        ("owner", "me"),
    ] {
        assert!(found(&desk, &[query]).await.is_empty(), "{query:?}");
    }
}

/// A city finds the leads of its homes, beside the box and in it; so does a room's name.
#[tokio::test]
async fn city_and_room_find_the_leads_of_a_home() {
    let server = Server::with_catalogue();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    let home = some_property(&mei).await;
    let types = mei.get(&format!("/api/v0/inventories/{home}/room_types")).await;
    let room = types.data()["result"][0]["options"][0]["inventory_id"].clone();
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = room;
    let sent = mei.post("/api/v0/leads/", body).await;
    mei.post("/api/v0/leads/", enquiry("Jo Doe", "jo@example.com"))
        .await
        .data();
    let reference = sent.data()["reference"].as_str().unwrap();
    let row = asked(&desk, &[("q", reference)]).await["result"][0].clone();
    let city = row["property"]["region"].as_str().unwrap();
    let room = row["room"].as_str().unwrap().to_lowercase();
    let room = room.split_whitespace().find(|word| word.len() > 3).unwrap();
    for query in [("city", city), ("q", city), ("q", room), ("property", &home)] {
        assert_eq!(found(&desk, &[query]).await, [reference], "{query:?}");
    }
    assert!(found(&desk, &[("city", "Atlantis")]).await.is_empty());
}

/// The answer says what each part of the words was taken for, and what remains without it.
#[tokio::test]
async fn box_says_how_it_understood_the_words() {
    let market = Market::open(&[9], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let list = asked(&desk, &[("q", "mei booked last week \"lost\" mei@example.com")]).await;
    let told = understood(&list);
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(kind, part)| (kind.as_str(), part.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("words", "mei"),
            ("status", "booked"),
            ("created", "last week"),
            ("words", "\"lost\""),
            ("contact", "mei@example.com")
        ]
    );
    assert_eq!(
        list["understood"][2]["without"],
        "mei booked \"lost\" mei@example.com"
    );
    for (field, value) in [
        ("created_from", "soon"),
        ("move_in_to", "2027-13-01"),
        ("stage", "asleep"),
        ("status", "sold"),
    ] {
        let refused = desk
            .get(&format!("/api/v0/workspace/leads?{field}={value}"))
            .await;
        assert_eq!(refused.fields(), [field]);
    }
    let order = "/api/v0/workspace/leads?created_from=2026-11-02&created_to=2026-11-01";
    assert_eq!(desk.get(order).await.fields(), ["created_to"]);
}
