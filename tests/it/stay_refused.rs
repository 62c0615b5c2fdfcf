//! A stay or room that support cannot give a student, and one that the lead has already: each is refused for its own reason.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{AUTUMN, House, Market};
use crate::visitor::{Answer, Visitor, enquiry};

const WINTER: &str = "2028-01-08";
const MEI: &str = "mei@example.com";

/// A house whose first room has a stay that is sold out, and whose second one is let in winter alone.
async fn open_house() -> Market {
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 9), (AUTUMN, 51, 0)], vec![(WINTER, 26, 9)]],
        token_minor: 0,
    };
    Market::with(&house, &[]).await
}

async fn enquire(mei: &Visitor<'_>, room: &str) -> Value {
    let mut body = enquiry("Mei Lin", MEI);
    body["lead"]["inventory_id"] = json!(room);
    body["lead"]["data"] = json!({ "move_in_date": AUTUMN, "lease_duration": "44 weeks" });
    mei.post("/api/v0/leads/", body).await.data().clone()
}

async fn act(desk: &Visitor<'_>, lead: &Value, body: Value) -> Answer {
    let id = lead["id"].as_str().unwrap();
    desk.post(&format!("/api/v0/workspace/leads/{id}/acts"), body)
        .await
}

async fn change_stay(desk: &Visitor<'_>, lead: &Value, (day, length): (&str, &str)) -> Answer {
    let change =
        json!({ "act": "change_stay", "reason": "She rang", "move_in_date": day, "lease_duration": length });
    act(desk, lead, change).await
}

async fn change_room(desk: &Visitor<'_>, lead: &Value, room: &str) -> Answer {
    let change = json!({ "act": "change_room", "reason": "She rang", "inventory_id": room });
    act(desk, lead, change).await
}

/// The code of the refused field.
fn code_of(refused: &Answer) -> &str {
    refused.body["errors"][0]["code"].as_str().unwrap()
}

/// Sold out, let in another room alone, and not let at all are three reasons.
#[tokio::test]
async fn refused_stay_names_its_own_reason() {
    let market = open_house().await;
    let (mei, desk) = (Visitor::new(&market.server), Visitor::new(&market.server));
    let lead = enquire(&mei, &market.rooms[0]).await;
    desk.log_in_as("support").await;
    for (stay, code) in [
        ((AUTUMN, "51 weeks"), "sold_out"),
        ((WINTER, "26 weeks"), "room_not_let"),
        (("2027-12-01", "44 weeks"), "not_let"),
    ] {
        let refused = change_stay(&desk, &lead, stay).await;
        assert_eq!(refused.fields(), ["move_in_date"], "{stay:?}: {}", refused.body);
        assert_eq!(code_of(&refused), code, "{stay:?}");
    }
    let form = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": market.rooms[0], "flow": "book" } });
    mei.post("/api/v0/booking_forms", form).await.data();
    for (room, code) in [(&market.rooms[1], "room_not_let"), (&market.elsewhere, "choice")] {
        let refused = change_room(&desk, &lead, room).await;
        assert_eq!(refused.fields(), ["inventory_id"], "{}", refused.body);
        assert_eq!(code_of(&refused), code);
    }
}

/// Another spelling of the stay, and the room that the form has, change nothing and are announced to no student.
#[tokio::test]
async fn same_stay_spelled_anew_is_no_change() {
    let market = open_house().await;
    let (mei, desk) = (Visitor::new(&market.server), Visitor::new(&market.server));
    let lead = enquire(&mei, &market.rooms[0]).await;
    let form = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": market.rooms[0], "flow": "book" } });
    mei.post("/api/v0/booking_forms", form).await.data();
    desk.log_in_as("support").await;
    for stay in [(AUTUMN, "44 weeks"), (AUTUMN, "44"), (AUTUMN, " 44 weeks ")] {
        let refused = change_stay(&desk, &lead, stay).await;
        assert_eq!(
            (refused.status, refused.code()),
            (StatusCode::CONFLICT, "nothing_changed"),
            "{stay:?}"
        );
    }
    let refused = change_room(&desk, &lead, &market.rooms[0]).await;
    assert_eq!(refused.code(), "nothing_changed", "{}", refused.body);
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let bare = json!({ "lead": { "data": { "lease_duration": "44" } } });
    let kept = mei.put(&path, bare).await;
    assert_eq!(kept.data()["data"]["lease_duration"], "44 weeks", "{}", kept.body);
    market.caught_up().await;
    let sent = mei.get(&format!("/dev/outbox?to={MEI}")).await;
    let mails = sent.data().as_array().unwrap();
    assert!(
        mails.iter().all(|mail| mail["kind"] != "changed_for_you"),
        "{mails:?}"
    );
    let id = lead["id"].as_str().unwrap();
    let history = desk.get(&format!("/api/v0/workspace/leads/{id}/timeline")).await;
    let told = history.data().to_string();
    assert!(
        !told.contains("lead_wish_changed") && !told.contains("stay_changed"),
        "{told}"
    );
}
