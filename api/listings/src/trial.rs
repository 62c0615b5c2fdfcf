//! A home for tests of what is done to homes.

use chrono::DateTime;
use domain::id::{InventoryId, UserId};
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryCommand};
use domain::lease::Stay;
use eventlog::{Actor, Context, EventLog, commit};
use serde_json::Value;
use uuid::Uuid;

pub(crate) const HOME: InventoryId = InventoryId(Uuid::from_u128(17));
pub(crate) const ROOM: InventoryId = InventoryId(Uuid::from_u128(2));
pub(crate) const EDITOR: UserId = UserId(Uuid::from_u128(5));

pub(crate) fn context() -> Context {
    let at = DateTime::from_timestamp(1_795_176_000, 0).unwrap();
    Context::new(at, Actor::staff(EDITOR.0))
}

fn sample(text: &str, event: &str, field: &str) -> Value {
    let sample: Value = serde_json::from_str(text).unwrap();
    sample["payload"][event][field].clone()
}

/// A home with three rooms of one type, and the stay that they are let for.
pub(crate) async fn let_home(log: &EventLog) -> Stay {
    let property = include_str!("../../../domain/events/inventory/PropertyListed.v2.json");
    let room = include_str!("../../../domain/events/inventory/RoomListed.v2.json");
    let leases = include_str!("../../../domain/events/inventory/RoomPriced.v3.json");
    let property: PropertyDetails =
        serde_json::from_value(sample(property, "PropertyListed", "property")).unwrap();
    let room: RoomDetails = serde_json::from_value(sample(room, "RoomListed", "room")).unwrap();
    let mut leases: Vec<LeaseOption> =
        serde_json::from_value(sample(leases, "RoomPriced", "leases")).unwrap();
    leases[0].rooms_available = 3;
    let stay = leases[0].stay();
    let adopt = InventoryCommand::Adopt {
        property: Box::new(property),
        rooms: vec![(room, leases.into())],
    };
    commit::<Inventory>(log, HOME, adopt, &context()).await.unwrap();
    stay
}
