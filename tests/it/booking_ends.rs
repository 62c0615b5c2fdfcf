//! What a booking's end takes along (its payment links), and what a booking ends (its person's places in waitlists).

use domain::room_stock::PLACES_PER_IDENTITY;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::words::longest_words;

use crate::desk::Officer;
use crate::links_over::{booking, link};
use crate::market::{AUTUMN, Buyer, House, Market, until};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const DISPUTED: &str = "4000000000000259";

/// The mails of a kind, newest first.
async fn mails(market: &Market, buyer: &Buyer, kind: &str) -> Vec<String> {
    let reader = Visitor::new(&market.server);
    let sent = reader.get(&format!("/dev/outbox?to={}", buyer.email)).await;
    let all = sent.data().as_array().unwrap().iter();
    all.filter(|mail| mail["kind"] == kind)
        .map(|mail| mail["body"].as_str().unwrap().to_owned())
        .collect()
}

/// A deposit goes back in full and the booking ends: the open link is withdrawn and its payer told; the paid one is named to finance
/// in the dossier and in the answer, and goes back by a refund of its own.
#[tokio::test]
async fn ended_booking_withdraws_open_links_and_names_paid_ones() {
    let market = Market::open(&[2], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
    let officer = Officer::arrives(&market).await;
    let (lead_id, deposit_id) = booking(&officer).await;
    let (paid, open) = (link(&officer, &lead_id).await, link(&officer, &lead_id).await);
    for (_, token) in [&paid, &open] {
        assert_eq!(buyer.begin(token).await["status"], "initiated");
    }
    assert_eq!(buyer.pay(&paid.1, GOOD).await["status"], "success");
    until(|| async { (mails(&market, &buyer, "payment_link").await.len() == 2).then_some(()) }).await;
    let named = |dossier: &Value| -> Vec<(String, u64)> {
        let links = dossier["links"].as_array().unwrap().iter();
        let named = links.map(|link| {
            let state = link["state"].as_str().unwrap().to_owned();
            (state, link["refundable_minor"].as_u64().unwrap())
        });
        named.collect()
    };
    let before = [("paid".to_owned(), 119_793), ("open".to_owned(), 0)];
    assert_eq!(named(&officer.dossier(&deposit_id).await), before);
    let path = format!("/api/v0/workspace/payments/{deposit_id}/refunds");
    let asked = json!({ "booking": "cancel", "amount_minor": 25_907, "reason": "Visa refused" });
    let (status, answer) = officer.post(&path, asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    assert_eq!(named(&answer["data"])[0], before[0], "{answer}");

    let told = until(|| async { mails(&market, &buyer, "link_withdrawn").await.pop() }).await;
    assert!(told.contains("£1,197.93"), "{told}");
    let dossier = officer.dossier(&deposit_id).await;
    let after = [("paid".to_owned(), 119_793), ("withdrawn".to_owned(), 0)];
    assert_eq!(named(&dossier), after, "{dossier}");
    let (status, body) = buyer.press(&open.1, json!({ "card_number": GOOD })).await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("payment_link_withdrawn")),
        "{body}"
    );
    // The paid link's money is given back on its own, by who may give back so much.
    let grant = ["grant", "--email", "finance@staff.example", "--role", "admin"];
    market.server.run(&grant);
    let path = format!("/api/v0/workspace/payments/{}/refunds", paid.0);
    let asked = json!({ "booking": "keep", "amount_minor": 119_793, "typed_minor": 119_793, "reason": "Booking ended" });
    let (status, answer) = officer.post(&path, asked).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
    buyer
        .wait_for(&paid.1, |payment| payment["refunded_minor"] == 119_793)
        .await;
    officer.every_ledger_balances().await;
}

/// The bank holds the money and may give it back: the booking is not ended by hand until it decides.
#[tokio::test]
async fn booking_stays_while_its_dispute_is_open() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, DISPUTED).await["status"], "success");
    let (_, id) = booking(&officer).await;
    until(|| async { (officer.dossier(&id).await["dispute"] == "open").then_some(()) }).await;
    let path = format!("/api/v0/workspace/payments/{id}/cancel_booking");
    let asked = json!({ "reason": "the card was disputed" });
    let (status, refused) = officer.post(&path, asked).await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::CONFLICT, &json!("dispute_open")),
        "{refused}"
    );
    assert_eq!(buyer.read(&token).await["booking"], "booked");
}

/// A house in which each of so many kinds of room has one room.
async fn house(kinds: usize) -> Market {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]; kinds],
        token_minor: 0,
    };
    Market::with(&house, &[]).await
}

async fn waitlist(buyer: &Buyer, token: &str) -> Value {
    let path = format!("/api/v0/payments/{token}/waitlist");
    let (status, body) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body["data"].clone()
}

/// Asks for a place in the waitlist of a room that is gone.
async fn ask(buyer: &Buyer, lead: &str, room: &str) -> (String, StatusCode, Value) {
    let token = buyer.open_for(lead, room).await;
    assert_eq!(buyer.begin(&token).await["status"], "sold_out");
    let path = format!("/api/v0/payments/{token}/waitlist");
    let (status, body) = buyer.post(&path, json!({})).await;
    (token, status, body)
}

/// A sixth place is refused by its field, and free again once another is given back (T19).
#[tokio::test]
async fn waitlist_places_of_one_person_are_limited() {
    let kinds = PLACES_PER_IDENTITY + 1;
    let market = house(kinds).await;
    for room in 0..kinds {
        market.person(100 + room, room).begun().await;
    }
    let buyer = market.person(1, 0);
    let lead = buyer.enquire().await;
    let mut tokens = Vec::new();
    for room in &market.rooms[..PLACES_PER_IDENTITY] {
        let (token, status, body) = ask(&buyer, &lead, room).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        tokens.push(token);
    }
    let (token, status, body) = ask(&buyer, &lead, &market.rooms[kinds - 1]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert_eq!(
        (&body["errors"][0]["field"], &body["errors"][0]["code"]),
        (&json!("waitlist"), &json!("too_many_places")),
        "{body}"
    );
    assert!(
        body.to_string()
            .contains(&longest_words("refusal.too_many_places")),
        "{body}"
    );
    let leave = format!("/api/v0/payments/{}/waitlist/leave", tokens[0]);
    assert_eq!(buyer.post(&leave, json!({})).await.0, StatusCode::OK);
    let again = buyer
        .post(&format!("/api/v0/payments/{token}/waitlist"), json!({}))
        .await;
    assert_eq!(again.0, StatusCode::CREATED, "{}", again.1);
}

/// Five enquiries with another person's phone number, which none of them has proved, take no place from that person.
#[tokio::test]
async fn unproved_phone_number_blocks_no_waitlist_place() {
    let kinds = PLACES_PER_IDENTITY;
    let market = house(kinds).await;
    for room in 0..kinds {
        market.person(100 + room, room).begun().await;
    }
    let buyer = market.person(1, 0);
    for (n, room) in market.rooms[..PLACES_PER_IDENTITY].iter().enumerate() {
        let mut other = market.person(200 + n, 0);
        other.phone.clone_from(&buyer.phone);
        let (_, status, body) = ask(&other, &other.enquire().await, room).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
    }
    let (_, status, body) = ask(&buyer, &buyer.enquire().await, &market.rooms[0]).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
}

/// Who books a room gives up the place for the same time, and the order says why; a room that comes free is for the next.
#[tokio::test]
async fn booking_gives_up_the_waiting_place() {
    let market = house(2).await;
    let holder = market.person(0, 0);
    let held = holder.begun().await;
    let (first, second) = (market.person(1, 0), market.person(2, 0));
    let lead = first.enquire().await;
    let (first_token, status, body) = ask(&first, &lead, &market.rooms[0]).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let (second_token, status, body) = ask(&second, &second.enquire().await, &market.rooms[0]).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let other = first.open_for(&lead, &market.rooms[1]).await;
    assert_eq!(first.begin(&other).await["status"], "initiated");
    assert_eq!(first.pay(&other, GOOD).await["status"], "success");
    until(|| async {
        let shown = waitlist(&first, &first_token).await;
        (shown["place"]["state"] == "booked").then_some(())
    })
    .await;
    let shown = waitlist(&second, &second_token).await;
    assert_eq!(
        (&shown["place"]["number"], &shown["order"][0]["state"]),
        (&json!(1), &json!("booked")),
        "{shown}"
    );
    let cancel = format!("/api/v0/payments/{held}/cancel");
    assert_eq!(holder.post(&cancel, json!({})).await.0, StatusCode::OK);
    until(|| async {
        let shown = waitlist(&second, &second_token).await;
        (shown["place"]["state"] == "offered").then_some(())
    })
    .await;
    let told = until(|| async { mails(&market, &second, "place_offered").await.pop() }).await;
    assert!(told.contains(", 10:00 (London time)"), "{told}");
    assert!(mails(&market, &first, "place_offered").await.is_empty());
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let rooms = desk.get("/api/v0/workspace/awaited_rooms").await;
    assert_eq!(
        (&rooms.data()[0]["offered"], &rooms.data()[0]["ended"]),
        (&json!(1), &json!(1)),
        "{}",
        rooms.body
    );
    assert!(
        rooms.data()[0]["property"]
            .as_str()
            .unwrap()
            .contains("Bloomsbury")
    );
}
