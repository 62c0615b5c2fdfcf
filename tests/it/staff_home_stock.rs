//! The stock of a home at the desk: rooms by weeks, and who fills them.

use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::StatusCode;
use serde_json::json;

use crate::market::{Market, log_of, until};
use crate::visitor::Visitor;

const HOMES: &str = "/api/v0/workspace/homes";
const HOME: &str = "0193a000-0000-7000-8000-000000000001";

/// A hold fills the weeks of its room, and keeps its room type from going.
#[tokio::test]
async fn stock_shows_the_weeks_that_a_hold_takes() {
    let market = Market::open(&[2], &[]).await;
    let staff = Visitor::new(&market.server);
    staff.log_in_as("support").await;
    let home = format!("{HOMES}/{HOME}");
    market.person(0, 0).begun().await;
    let stock = staff.get(&format!("{home}/stock?from=2027-09-06")).await;
    let room = &stock.data()["rooms"][0];
    let week = |n: usize| {
        let week = &room["weeks"][n];
        (week["booked"].clone(), week["held"].clone(), week["free"].clone())
    };
    assert_eq!(
        week(0),
        (json!(0), json!(1), json!(1)),
        "moving in on the Saturday of it"
    );
    assert_eq!(week(44), (json!(0), json!(1), json!(1)));
    assert_eq!(week(45), (json!(0), json!(0), json!(2)));
    assert_eq!(
        (
            room["weeks"].as_array().unwrap().len(),
            &room["leases"][0]["held"]
        ),
        (52, &json!(1))
    );
    let bookings = staff.get(&format!("{home}/bookings")).await;
    let held = &bookings.data()[0];
    assert_eq!(
        (&held["state"], &held["length"]),
        (&json!("held"), &json!("44 weeks"))
    );
    let reference = held["reference"].as_str().unwrap().to_owned();
    let read = staff.get(&home).await.data().clone();
    assert_eq!(
        read["stakes"],
        json!({ "free": 1, "held": 1, "booked": 0, "waiting": 0 })
    );
    let tried = json!({ "rooms": [{ "room_id": market.rooms[0], "count": 0 }] });
    let tried = staff.post(&format!("{home}/what_if"), tried).await;
    let room = &tried.data()["rooms"][0];
    assert_eq!(
        (&tried.data()["is_possible"], &room["short"]),
        (&json!(false), &json!([reference]))
    );
    let path = format!("{home}/rooms/{}/withdraw", market.rooms[0]);
    let body = json!({ "position": read["position"], "reason": "It is rebuilt" });
    let refused = staff.post(&path, body).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "inventory_below_booked")
    );
    assert!(refused.body.to_string().contains(&reference), "{}", refused.body);
    let listed = staff.get(&format!("{HOMES}?q=bloomsbury-row")).await;
    let row = &listed.data()["homes"][0];
    assert_eq!((&row["free"], &row["held"]), (&json!(1), &json!(1)));
}

/// A room type that went while somebody held a room of it takes none from the others: the list says so as the home does.
#[tokio::test]
async fn held_room_of_a_type_that_went_leaves_the_others_free() {
    let market = Market::open(&[2, 3], &[]).await;
    let staff = Visitor::new(&market.server);
    staff.log_in_as("support").await;
    market.person(0, 0).begun().await;
    let context = Context::new("2026-11-20T10:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let home: InventoryId = HOME.parse().unwrap();
    let withdraw = InventoryCommand::WithdrawRoom {
        room: market.rooms[0].parse().unwrap(),
    };
    let log = log_of(&market.server).await;
    commit::<Inventory>(&log, home, withdraw, &context).await.unwrap();
    let row = until(|| async {
        let listed = staff.get(&format!("{HOMES}?q={HOME}")).await;
        let row = listed.data()["homes"][0].clone();
        (row["rooms"] == 3 && row["held"] == 1).then_some(row)
    })
    .await;
    assert_eq!(row["free"], 3);
    let read = staff.get(&format!("{HOMES}/{HOME}")).await.data().clone();
    assert_eq!(
        read["stakes"],
        json!({ "free": 3, "held": 1, "booked": 0, "waiting": 0 })
    );
}
