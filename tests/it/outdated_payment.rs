//! Card forms that are open for a room that their student does not want any more.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::market::{Buyer, Market, until};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const NO_FUNDS: &str = "4000000000009995";

/// Begins the form for a room, or goes back in it and chooses another one.
async fn choose_room(buyer: &Buyer, lead_uuid: &str, room: &str) {
    let form = json!({ "booking_form": { "lead_uuid": lead_uuid, "inventory_id": room, "flow": "book" } });
    let (status, body) = buyer.post("/api/v0/booking_forms", form).await;
    assert!(status.is_success(), "{status} {body}");
}

/// The path of the acts of support on a lead.
async fn acts_of(buyer: &Buyer, lead_uuid: &str) -> String {
    let path = format!("/api/v0/leads/{lead_uuid}");
    let (_, lead) = buyer.try_call(Method::GET, &path, None, None).await.unwrap();
    let id = lead["data"]["id"].as_str().unwrap();
    format!("/api/v0/workspace/leads/{id}/acts")
}

/// Waits until the card form is closed, and pays for the other room.
async fn pay_instead(buyer: &Buyer, closed: &str, (lead_uuid, room): (&str, &str)) {
    until(async || buyer.read(closed).await["cancelled_at"].is_string().then_some(())).await;
    let (refused, body) = buyer.press(closed, json!({ "card_number": GOOD })).await;
    assert_eq!(refused, StatusCode::CONFLICT, "{body}");
    let token = buyer.open_for(lead_uuid, room).await;
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
}

/// Another room, chosen in the form by the student or by support, closes the card form of the old one.
#[tokio::test]
async fn open_card_form_of_another_room_is_closed() {
    let market = Market::open(&[3, 3], &[]).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    for (n, by_support) in [(1, false), (2, true)] {
        let buyer = market.person(n, 0);
        let lead_uuid = buyer.enquire().await;
        choose_room(&buyer, &lead_uuid, &buyer.room).await;
        let token = buyer.open_for(&lead_uuid, &buyer.room).await;
        assert_eq!(buyer.begin(&token).await["status"], "initiated");
        let other = &market.rooms[1];
        if by_support {
            let act = json!({ "act": "change_room", "reason": "She rang", "inventory_id": other });
            let done = desk.post(&acts_of(&buyer, &lead_uuid).await, act).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.body);
        } else {
            choose_room(&buyer, &lead_uuid, other).await;
        }
        pay_instead(&buyer, &token, (&lead_uuid, other)).await;
    }
}

/// A room is changed before the card form of the old one opens, as it can be while the provider prepares it: it closes as soon as it is
/// open. One that is opened after the change stays.
#[tokio::test]
async fn card_form_that_opens_after_a_change_is_closed() {
    let market = Market::open(&[3, 3], &[]).await;
    let buyer = market.person(1, 0);
    let lead_uuid = buyer.enquire().await;
    choose_room(&buyer, &lead_uuid, &buyer.room).await;
    let token = buyer.open_for(&lead_uuid, &buyer.room).await;
    let other = &market.rooms[1];
    choose_room(&buyer, &lead_uuid, other).await;
    market.caught_up().await;
    buyer.begin(&token).await;
    pay_instead(&buyer, &token, (&lead_uuid, other)).await;
}

/// A card form that is open for the room that the form names stays open through a decline and through the same choice again.
#[tokio::test]
async fn card_form_of_the_chosen_room_stays_open() {
    let market = Market::open(&[3, 3], &[]).await;
    let buyer = market.person(1, 1);
    let lead_uuid = buyer.enquire().await;
    choose_room(&buyer, &lead_uuid, &market.rooms[0]).await;
    choose_room(&buyer, &lead_uuid, &buyer.room).await;
    let token = buyer.open_for(&lead_uuid, &buyer.room).await;
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    choose_room(&buyer, &lead_uuid, &buyer.room).await;
    buyer.pay(&token, NO_FUNDS).await;
    buyer
        .wait_for(&token, |payment| payment["status"] == "failed")
        .await;
    market.caught_up().await;
    assert!(buyer.read(&token).await["cancelled_at"].is_null());
    assert_eq!(buyer.begin(&token).await["status"], "initiated");
    assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
}
