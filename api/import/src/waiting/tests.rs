use domain::id::UserId;
use domain::inventory::InventoryCommand;
use domain::inventory::facts::Fact;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::values::FactEdit;
use eventlog::{Context, commit};
use platform::clock;
use serde_json::Value;
use uuid::Uuid;

use super::*;

const HOME: InventoryId = InventoryId(Uuid::from_u128(17));
const EDITOR: UserId = UserId(Uuid::from_u128(5));

fn sample(text: &str, event: &str, field: &str) -> Value {
    let sample: Value = serde_json::from_str(text).unwrap();
    sample["payload"][event][field].clone()
}

/// A home that its feed says is let, with a room at this price.
fn said(price_minor: u64) -> SaidHome {
    let property = include_str!("../../../../domain/events/inventory/PropertyListed.v2.json");
    let room = include_str!("../../../../domain/events/inventory/RoomListed.v2.json");
    let leases = include_str!("../../../../domain/events/inventory/RoomPriced.v3.json");
    let property: PropertyDetails =
        serde_json::from_value(sample(property, "PropertyListed", "property")).unwrap();
    let room: RoomDetails = serde_json::from_value(sample(room, "RoomListed", "room")).unwrap();
    let mut leases: Vec<LeaseOption> =
        serde_json::from_value(sample(leases, "RoomPriced", "leases")).unwrap();
    leases[0].price_minor = price_minor;
    SaidHome {
        property: Box::new(property),
        rooms: vec![(room, leases.into())],
        status: Some(Status::Active),
    }
}

async fn decided(log: &EventLog, mark: RunMark, price_minor: u64) -> WaitingHome {
    let said = said(price_minor);
    let home = log.load::<Inventory>(HOME).await.unwrap();
    let events = said.decide(&home.state, false).unwrap();
    let append = Append::new(&mark.context()).decision(HOME, &home, &events);
    WaitingHome {
        id: HOME,
        said,
        append: append.unwrap(),
    }
}

/// Staff rename and pause it while the feed's new price waits: all three stand, and the run goes on.
#[tokio::test]
async fn home_that_staff_change_while_it_waits_gets_both() {
    let (log, mark) = (EventLog::memory(), RunMark::new());
    let first = decided(&log, mark, 28_900).await;
    write_homes(&log, mark, vec![first]).await.unwrap();
    let waiting = decided(&log, mark, 29_900).await;
    let edit = FactEdit {
        set: vec![Fact::Name("Row House".into())],
        unset: vec![],
        by: EDITOR,
        reason: "Asked the owner".into(),
        taken_above: vec![],
    };
    let edit = InventoryCommand::EditFacts { edit: Box::new(edit) };
    let pause = InventoryCommand::Pause { reopens_on: None };
    for command in [edit, pause] {
        let context = Context::new(clock::now(), Actor::staff(EDITOR.0));
        commit::<Inventory>(&log, HOME, command, &context).await.unwrap();
    }
    write_homes(&log, mark, vec![waiting]).await.unwrap();
    let home = log.load::<Inventory>(HOME).await.unwrap().state;
    assert_eq!(home.property.as_deref().unwrap().name, "Row House");
    assert_eq!(home.rooms[0].leases[0].price_minor, 29_900);
    assert_eq!(home.state, HomeState::Paused { reopens_on: None });
}
