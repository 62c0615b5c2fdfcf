//! The waitlist of a room that is sold out: places by the log's order, tokens that prove them, and offers one after another (decision 0022).

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use futures::future::join_all;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::market::{AUTUMN, Buyer, House, Market, log_of, until};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const WINTER: &str = "2028-01-08";

pub(crate) async fn waitlist(buyer: &Buyer, token: &str) -> Value {
    let path = format!("/api/v0/payments/{token}/waitlist");
    let (status, body) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body["data"].clone()
}

async fn join(buyer: &Buyer, token: &str) -> Value {
    join_from(buyer, token, "").await
}

/// Takes a place on a device of that time zone.
async fn join_from(buyer: &Buyer, token: &str, zone: &str) -> Value {
    let path = format!("/api/v0/payments/{token}/waitlist?time_zone={zone}");
    let (status, body) = buyer.post(&path, json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    body["data"].clone()
}

/// Opens a payment for the autumn: a wish that leaves the stay open would be led to one with a room.
pub(crate) async fn opened(buyer: &Buyer) -> String {
    let mut body = buyer.lead_body();
    body["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
    let (_, lead) = buyer.post("/api/v0/leads", body).await;
    let lead_uuid = lead["data"]["lead_uuid"].as_str().unwrap();
    buyer.open_for(lead_uuid, &buyer.room).await
}

/// Opens a payment that finds no room, and takes a place.
pub(crate) async fn queued(buyer: &Buyer) -> String {
    let token = opened(buyer).await;
    assert_eq!(buyer.begin(&token).await["status"], "sold_out");
    join(buyer, &token).await;
    token
}

pub(crate) async fn offered(buyer: &Buyer, token: &str) -> Value {
    until(|| async {
        let shown = waitlist(buyer, token).await;
        (shown["place"]["state"] == "offered").then_some(shown)
    })
    .await
}

/// A room that the catalogue itself shows as sold out is waited for: an enquiry for the waitlist has its place there, one however often it asks.
#[tokio::test]
async fn waitlist_enquiry_takes_a_place_for_a_sold_out_room() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 0), (WINTER, 26, 9)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    for (number, person) in [(1, 0), (2, 1)] {
        let buyer = market.person(person, 0);
        let mut body = buyer.lead_body();
        body["lead"]["meta"] = json!({ "variant": "join_waitlist" });
        body["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
        let (status, lead) = buyer.post("/api/v0/leads", body).await;
        assert_eq!(status, StatusCode::CREATED, "{lead}");
        let lead = lead["data"]["lead_uuid"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            let token = buyer.open_for(&lead, &market.rooms[0]).await;
            assert_eq!(buyer.begin(&token).await["status"], "sold_out");
            assert_eq!(join(&buyer, &token).await["place"]["number"], number);
        }
    }
    // A stay that no lease has is refused as ever.
    let buyer = market.person(7, 0);
    let wish = json!({ "move_in_date": AUTUMN, "lease_duration": "3 weeks" });
    let mut body = buyer.lead_body();
    body["lead"]["data"] = wish;
    let (_, lead) = buyer.post("/api/v0/leads", body).await;
    let open =
        json!({ "payment": { "lead_uuid": lead["data"]["lead_uuid"], "inventory_id": market.rooms[0] } });
    let (status, refused) = buyer.post("/api/v0/payments", open).await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::CONFLICT, &json!("not_bookable"))
    );
}

/// Of parallel payers three hold a room; the others have the numbers 1 to n without a gap, by the log's order.
#[tokio::test]
async fn parallel_payers_get_three_holds_and_numbers_without_gaps() {
    let market = Market::open(&[3], &[]).await;
    let payers: Vec<Buyer> = (0..12).map(|n| market.person(n, 0)).collect();
    let ends = join_all(payers.iter().map(|payer| async {
        let token = payer.open().await;
        let held = payer.begin(&token).await["status"] == "initiated";
        if !held {
            join(payer, &token).await;
        }
        (held, token)
    }))
    .await;
    assert_eq!(ends.iter().filter(|(held, _)| *held).count(), 3);
    let mut places = Vec::new();
    for (payer, (_, token)) in payers.iter().zip(&ends).filter(|(_, (held, _))| !held) {
        let shown = waitlist(payer, token).await;
        assert_eq!(shown["holds_end"].as_array().unwrap().len(), 3, "{shown}");
        let place = &shown["place"];
        places.push((
            place["number"].as_u64().unwrap(),
            place["position"].as_u64().unwrap(),
            place["token"].clone(),
        ));
    }
    places.sort_by_key(|(number, ..)| *number);
    let numbers: Vec<u64> = places.iter().map(|(number, ..)| *number).collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<_>>());
    assert!(
        places.is_sorted_by_key(|(_, position, _)| *position),
        "the log's order: {places:?}"
    );

    let anybody = Visitor::new(&market.server);
    for (number, position, token) in &places {
        let verified = anybody
            .post("/api/v0/place_tokens/verify", json!({ "token": token }))
            .await;
        assert_eq!(
            (&verified.data()["number"], &verified.data()["position"]),
            (&json!(number), &json!(position))
        );
        let text = token.as_str().unwrap();
        // Another digit inside of the statement, and inside of the signature.
        for at in [20, text.len() - 3] {
            let other = if &text[at..=at] == "0" { "1" } else { "0" };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let refused = anybody
                .post("/api/v0/place_tokens/verify", json!({ "token": changed }))
                .await;
            assert_eq!(
                refused.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{}",
                refused.body
            );
        }
    }
    let none = anybody
        .post("/api/v0/place_tokens/verify", json!({ "token": "hello" }))
        .await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
}

fn is_kept_until_ten_in_shanghai(place: &Value) {
    let until = place["offered_until"].as_str().unwrap();
    assert!(until.contains("T02:00:00"), "{until}");
    let kept = place["kept_until"].as_str().unwrap();
    assert!(kept.ends_with(", 10:00 (Shanghai time)"), "{kept}");
}

async fn is_told_of_a_room(market: &Market, buyer: &Buyer) {
    until(|| async {
        let told = market.messages(&buyer.email).await;
        told.contains(&"place_offered".to_owned()).then_some(())
    })
    .await;
}

/// Neither somebody without a place nor a place whose turn it is not gets the room that is kept.
async fn nobody_jumps_the_queue(stranger: &Buyer, waiting: &str) {
    let take = format!("/api/v0/payments/{waiting}/waitlist/take");
    let early = stranger.post(&take, json!({})).await;
    assert_eq!(
        (early.0, &early.1["message"]["code"]),
        (StatusCode::CONFLICT, &json!("no_offer"))
    );
    let jumps = opened(stranger).await;
    let jumped = stranger.begin(&jumps).await;
    assert_eq!(
        (&jumped["status"], &jumped["room_now"]),
        (&json!("sold_out"), &json!("held")),
        "{jumped}"
    );
}

/// The enquiry wishes for another stay by now: the payment is for the one that was offered.
async fn takes_the_offered_stay(market: &Market, buyer: &Buyer, token: &str) {
    let lead = buyer.lead_of(token);
    let wish = json!({ "lead": { "data": { "move_in_date": WINTER, "lease_duration": "26 weeks" } } });
    let path = format!("/api/v0/leads/{}", lead.as_str().unwrap());
    let changed = buyer.try_call(Method::PUT, &path, Some(&wish), None).await;
    assert_eq!(changed.unwrap().0, StatusCode::OK);
    let own = taken_by_link(market, token).await;
    let begun = buyer.begin(&own).await;
    assert_eq!(
        (&begun["status"], &begun["room"]["move_in_date"]),
        (&json!("initiated"), &json!(AUTUMN))
    );
    assert_eq!(buyer.pay(&own, GOOD).await["status"], "success");
}

/// The payment of the room that is kept, opened on another device by the mail's link; pressed twice it is one.
async fn taken_by_link(market: &Market, token: &str) -> String {
    let phone = Client::new();
    let take = market
        .server
        .url(&format!("/api/v0/payments/{token}/waitlist/take"));
    let mut opened = Vec::new();
    for _ in 0..2 {
        let answer: Value = phone.post(&take).send().await.unwrap().json().await.unwrap();
        opened.push(answer["data"]["token"].as_str().unwrap().to_owned());
    }
    assert_eq!(opened[0], opened[1]);
    opened.remove(0)
}

/// A room that comes free is for number 1 alone, by mail and on the page, until ten in the morning where they live; unclaimed it is for the
/// next, who takes exactly that stay by the link alone, whatever the enquiry wishes by then.
#[tokio::test]
async fn a_free_room_is_offered_to_number_one_and_then_the_next() {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1), (WINTER, 26, 9)]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let (first, second, stranger) = (market.person(1, 0), market.person(2, 0), market.person(3, 0));
    let first_token = opened(&first).await;
    assert_eq!(first.begin(&first_token).await["status"], "sold_out");
    join_from(&first, &first_token, "Asia/Shanghai").await;
    let second_token = queued(&second).await;
    assert_eq!(waitlist(&second, &second_token).await["place"]["number"], 2);
    let (status, body) = holder
        .post(&format!("/api/v0/payments/{held}/cancel"), json!({}))
        .await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let shown = offered(&first, &first_token).await;
    is_kept_until_ten_in_shanghai(&shown["place"]);
    is_told_of_a_room(&market, &first).await;
    let numbers = |shown: &Value| -> Vec<Option<u64>> {
        let order = shown["order"].as_array().unwrap();
        order.iter().map(|line| line["number"].as_u64()).collect()
    };
    let waits = waitlist(&second, &second_token).await;
    assert_eq!(numbers(&waits), [Some(1), Some(2)], "{waits}");
    assert_eq!(
        (&waits["place"]["state"], &waits["place"]["number"]),
        (&json!("waiting"), &json!(2))
    );
    let told = market.messages(&second.email).await;
    assert!(!told.contains(&"place_offered".to_owned()));
    nobody_jumps_the_queue(&stranger, &second_token).await;

    let clock = Visitor::new(&market.server);
    clock.wait(31 * 60).await;
    offered(&first, &first_token).await;
    clock.wait(36 * 60 * 60).await;
    offered(&second, &second_token).await;
    let lapsed = waitlist(&first, &first_token).await;
    assert_eq!(
        (&lapsed["place"]["state"], &lapsed["place"]["number"]),
        (&json!("lapsed"), &Value::Null)
    );
    let lead = second.lead_of(&second_token);
    takes_the_offered_stay(&market, &second, &second_token).await;
    let places = waitlist(&first, &first_token).await["order"].clone();
    let became: Vec<&str> = places
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line["state"].as_str())
        .collect();
    assert_eq!(became, ["lapsed", "taken"], "{places}");
    assert_eq!(
        (&places[0]["is_own"], &places[1]["is_own"]),
        (&json!(true), &json!(false))
    );
    let text = places.to_string();
    assert!(
        !text.contains("buyer") && !text.contains(lead.as_str().unwrap()),
        "nobody is named: {text}"
    );
}

/// Staff may move a place to the front, with a reason; everybody who waits reads that it was an override.
#[tokio::test]
async fn a_place_moved_up_by_staff_is_shown_as_an_override() {
    let market = Market::open(&[1], &[]).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let (first, second) = (market.person(1, 0), market.person(2, 0));
    let (first_token, second_token) = (queued(&first).await, queued(&second).await);
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let listed = desk
        .get(&format!(
            "/api/v0/workspace/waitlists?room_id={}",
            market.rooms[0]
        ))
        .await;
    let id = listed.data()[1]["payment_id"].as_str().unwrap().to_owned();
    let path = format!("/api/v0/workspace/waitlists/{id}/move_up");
    for blank in [" ", "\u{200B}\u{3164}\u{2800}"] {
        let without = desk.post(&path, json!({ "reason": blank })).await;
        assert_eq!(without.fields(), ["reason"], "{}", without.body);
    }
    let moved = desk
        .post(
            &path,
            json!({ "reason": "No other room is wheelchair accessible" }),
        )
        .await;
    assert_eq!(moved.data()[1]["number"], 1, "{}", moved.body);
    let seen = waitlist(&first, &first_token).await;
    assert_eq!(
        (&seen["place"]["number"], &seen["order"][1]["is_override"]),
        (&json!(2), &json!(true)),
        "{seen}"
    );
    holder
        .post(&format!("/api/v0/payments/{held}/cancel"), json!({}))
        .await;
    offered(&second, &second_token).await;
    let (status, body) = second
        .post(
            &format!("/api/v0/payments/{second_token}/waitlist/leave"),
            json!({}),
        )
        .await;
    assert_eq!(
        (status, &body["data"]["place"]["state"]),
        (StatusCode::OK, &json!("left")),
        "{body}"
    );
    offered(&first, &first_token).await;
}

/// Enquiries without a login count together where they name one address: the sixth place is refused, to others not.
#[tokio::test]
async fn sixth_place_of_one_contact_without_login_is_refused() {
    let market = Market::open(&[1; 6], &[]).await;
    for room in 0..6 {
        market.person(100 + room, room).begun().await;
    }
    let mei = market.person(1, 0);
    let lead = mei.enquire().await;
    for room in &market.rooms[..5] {
        let token = mei.open_for(&lead, room).await;
        assert_eq!(mei.begin(&token).await["status"], "sold_out");
        join(&mei, &token).await;
    }
    // Another browser and number: the address alone tells that both enquiries are of one person.
    let sixth = Buyer {
        email: mei.email.clone(),
        ..market.person(2, 5)
    };
    let token = sixth.open().await;
    assert_eq!(sixth.begin(&token).await["status"], "sold_out");
    let path = format!("/api/v0/payments/{token}/waitlist");
    let (status, refused) = sixth.post(&path, json!({})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    assert_eq!(refused["errors"][0]["code"], "too_many_places", "{refused}");
    queued(&market.person(50, 5)).await;
}

/// A room that was sold comes back in the catalogue: it is for the first who waits, at once, and for no payer who comes later.
#[tokio::test]
async fn room_the_catalogue_returns_is_for_the_first() {
    let mut market = Market::open(&[1], &[]).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let (first, second) = (market.person(1, 0), market.person(2, 0));
    let (first_token, second_token) = (queued(&first).await, queued(&second).await);
    assert_eq!(holder.pay(&held, GOOD).await["status"], "success");
    market.caught_up().await;
    market.server.kill();
    let home = InventoryId("0193a000-0000-7000-8000-000000000001".parse().unwrap());
    let log = log_of(&market.server).await;
    let leases = json!([{ "move_in": AUTUMN, "length": { "duration": 44, "unit": "weeks" }, "price_minor": 28_900,
        "rooms_available": 2 }]);
    let offer = InventoryCommand::OfferLeases {
        room: InventoryId(market.rooms[0].parse().unwrap()),
        offer: serde_json::from_value::<Vec<LeaseOption>>(leases).unwrap().into(),
    };
    let context = Context::new("2026-12-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    commit::<Inventory>(&log, home, offer, &context).await.unwrap();
    drop(log);
    market.kill_and_restart();
    offered(&first, &first_token).await;
    let late = market.person(3, 0);
    let late_token = late.open().await;
    assert_eq!(late.begin(&late_token).await["status"], "sold_out");
    let lead = first.lead_of(&first_token);
    let own = first.open_for(lead.as_str().unwrap(), &first.room).await;
    assert_eq!(first.begin(&own).await["status"], "initiated");
    assert_eq!(waitlist(&second, &second_token).await["place"]["number"], 1);
}
