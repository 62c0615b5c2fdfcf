//! A person says how many rooms of a type there are: refused where more are taken for some night, with the payments that take them (U26).

use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryCommand, InventoryRejection};
use domain::room_stock::RoomStock;
use eventlog::{Appended, CommitError, Context, EventLog, StreamId, commit_together};

/// Changes the number of rooms of a type. What is sold and held of it is asked at this very moment: should the home or the stock change
/// meanwhile, it is asked again.
///
/// # Errors
/// [`InventoryRejection::BelowBooked`] with the payments that are in the way, and whatever else stands against an append.
pub async fn change_room_count(
    log: &EventLog,
    (home_id, room_id): (InventoryId, InventoryId),
    rooms: u32,
    context: &Context,
) -> Result<Appended, CommitError<InventoryRejection>> {
    let at = context.at;
    commit_together(log, context, |append| async move {
        let home = log.load::<Inventory>(home_id).await?;
        let stock = log.load::<RoomStock>(room_id).await?;
        let command = InventoryCommand::CountRooms {
            room: room_id,
            rooms,
            taken_above: stock.state.taken_above(rooms, at),
        };
        let events = home.state.decide(command).map_err(CommitError::Rejected)?;
        if events.is_empty() {
            return Ok(append);
        }
        append
            .guard(StreamId::of::<RoomStock>(room_id), stock.expected())
            .decision(home_id, &home, &events)
            .map_err(|error| CommitError::Log(error.into()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use domain::id::{HoldId, PaymentId, UserId};
    use domain::inventory::let_room::LeaseOption;
    use domain::inventory::on_offer::OnOffer;
    use domain::lease::Stay;
    use domain::moment::Moment;
    use domain::room_stock::{HoldRequest, RoomStockCommand};
    use eventlog::{Actor, commit};
    use serde_json::Value;
    use uuid::Uuid;

    use super::*;

    const HOME: InventoryId = InventoryId(Uuid::from_u128(17));
    const ROOM: InventoryId = InventoryId(Uuid::from_u128(2));

    fn context() -> Context {
        Context::new(DateTime::from_timestamp(1_795_176_000, 0).unwrap(), Actor::SYSTEM)
    }

    fn sample(text: &str, event: &str, field: &str) -> Value {
        let sample: Value = serde_json::from_str(text).unwrap();
        sample["payload"][event][field].clone()
    }

    /// A home with three rooms of one type, and the stay that they are let for.
    async fn let_home(log: &EventLog) -> Stay {
        let property = include_str!("../../../domain/events/inventory/PropertyListed.v1.json");
        let room = include_str!("../../../domain/events/inventory/RoomListed.v1.json");
        let leases = include_str!("../../../domain/events/inventory/RoomPriced.v1.json");
        let mut leases: Vec<LeaseOption> =
            serde_json::from_value(sample(leases, "RoomPriced", "leases")).unwrap();
        leases[0].rooms_available = 3;
        let stay = leases[0].stay();
        let adopt = InventoryCommand::Adopt {
            property: serde_json::from_value(sample(property, "PropertyListed", "property")).unwrap(),
            rooms: vec![(
                serde_json::from_value(sample(room, "RoomListed", "room")).unwrap(),
                leases.into(),
            )],
        };
        commit::<Inventory>(log, HOME, adopt, &context()).await.unwrap();
        stay
    }

    async fn hold(log: &EventLog, n: u128, stay: Stay) {
        let at: Moment = context().at;
        let hold = RoomStockCommand::Hold(HoldRequest {
            hold_id: HoldId(Uuid::from_u128(n)),
            payment_id: PaymentId(Uuid::from_u128(n)),
            continues: None,
            lead_id: None,
            identity: UserId(Uuid::from_u128(n)),
            proved: true,
            stay,
            offer: OnOffer::only(stay, 3),
            own_elsewhere: 0,
            at,
            until: at + TimeDelta::minutes(10),
        });
        commit::<RoomStock>(log, ROOM, hold, &context()).await.unwrap();
    }

    async fn rooms(log: &EventLog) -> u32 {
        log.load::<Inventory>(HOME).await.unwrap().state.rooms[0].rooms
    }

    #[tokio::test]
    async fn count_below_what_is_taken_is_refused_with_names() {
        let log = EventLog::memory();
        let stay = let_home(&log).await;
        hold(&log, 7, stay).await;
        hold(&log, 8, stay).await;
        let sell = RoomStockCommand::Sell {
            payment_id: PaymentId(Uuid::from_u128(8)),
            continues: None,
        };
        commit::<RoomStock>(&log, ROOM, sell, &context()).await.unwrap();
        let refused = change_room_count(&log, (HOME, ROOM), 1, &context()).await;
        let Err(CommitError::Rejected(InventoryRejection::BelowBooked { room, taken_above })) = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!(room, ROOM);
        assert_eq!(taken_above, [8, 7].map(|n| PaymentId(Uuid::from_u128(n))));
        assert_eq!(rooms(&log).await, 3);
        change_room_count(&log, (HOME, ROOM), 2, &context())
            .await
            .unwrap();
        assert_eq!(rooms(&log).await, 2);
        // Ten minutes later the hold is over.
        let later = Context::new(context().at + TimeDelta::minutes(10), Actor::SYSTEM);
        change_room_count(&log, (HOME, ROOM), 1, &later).await.unwrap();
        assert_eq!(rooms(&log).await, 1);
    }
}
