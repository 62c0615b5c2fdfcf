//! Bookings for which an import leaves too few rooms: their room type is closed, and the report names them (decision 0022).

use chrono::NaiveDate;
use domain::id::InventoryId;
use domain::inventory::facts::count_shown;
use domain::inventory::{Inventory, InventoryEvent};
use domain::lead::Lead;
use domain::payment::Payment;
use domain::room_stock::RoomStock;
use eventlog::{EventLog, LogError};

/// A sentence for each room type that gets fewer rooms by `events` than are sold for some night from `today` on.
pub(super) async fn explain_too_few(
    log: &EventLog,
    before: &Inventory,
    events: &[InventoryEvent],
    today: NaiveDate,
) -> Result<Vec<String>, LogError> {
    let mut told = Vec::new();
    for event in events {
        let InventoryEvent::RoomPriced {
            room,
            rooms: Some(rooms),
            set,
            ..
        } = event
        else {
            continue;
        };
        let rooms = &count_shown(*room, *rooms, set);
        let known = before.rooms.iter().find(|known| known.details.id == *room);
        // Most rows change a price: only a smaller number can leave a booking without a room.
        if known.is_none_or(|known| known.rooms <= *rooms) {
            continue;
        }
        let names = name_bookings(log, *room, *rooms, today).await?;
        if !names.is_empty() {
            let (room, names) = (room.to_string(), names.join(", "));
            told.push(format!(
                "room {room} has more bookings than the {rooms} rooms of this row, and is closed: {names}"
            ));
        }
    }
    Ok(told)
}

/// The references of the enquiries that have a night for which there would be too few rooms, each once.
async fn name_bookings(
    log: &EventLog,
    room: InventoryId,
    rooms: u32,
    today: NaiveDate,
) -> Result<Vec<String>, LogError> {
    let stock = log.load::<RoomStock>(room).await?.state;
    let mut names = Vec::new();
    for payment_id in stock.sold_above(rooms, today) {
        let terms = log.load::<Payment>(payment_id).await?.state.terms;
        let enquiry = match terms {
            Some(terms) => log.load::<Lead>(terms.lead_id).await?.state.submission,
            None => None,
        };
        let name = enquiry.map_or_else(|| payment_id.to_string(), |enquiry| enquiry.reference.clone());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use domain::aggregate::{Decide as _, fold};
    use domain::id::{HoldId, PaymentId, UserId};
    use domain::inventory::let_room::LeaseOption;
    use domain::inventory::on_offer::OnOffer;
    use domain::room_stock::{HoldRequest, RoomStockCommand};
    use eventlog::{Actor, Context, commit};
    use uuid::Uuid;

    use super::*;

    const ROOM: InventoryId = InventoryId(Uuid::from_u128(2));

    fn event(text: &str) -> InventoryEvent {
        let sample: serde_json::Value = serde_json::from_str(text).unwrap();
        serde_json::from_value(sample["payload"].clone()).unwrap()
    }

    fn listed() -> InventoryEvent {
        event(include_str!(
            "../../../domain/events/inventory/RoomListed.v1.json"
        ))
    }

    /// The price list of a room type with four rooms, and the same with other numbers.
    fn priced(rooms: u32) -> (InventoryEvent, Vec<LeaseOption>) {
        let priced = event(include_str!(
            "../../../domain/events/inventory/RoomPriced.v2.json"
        ));
        let InventoryEvent::RoomPriced { room, leases, .. } = priced else {
            panic!("the sample is a RoomPriced");
        };
        let list = leases.clone();
        let priced = InventoryEvent::RoomPriced {
            room,
            rooms: Some(rooms),
            is_count_said: None,
            leases,
            set: vec![],
        };
        (priced, list)
    }

    async fn book(log: &EventLog, n: u128) {
        let context = Context::new(DateTime::from_timestamp(1_795_176_000, 0).unwrap(), Actor::SYSTEM);
        let stay = priced(4).1[0].stay();
        let payment_id = PaymentId(Uuid::from_u128(n));
        let hold = RoomStockCommand::Hold(HoldRequest {
            hold_id: HoldId(Uuid::from_u128(n)),
            payment_id,
            continues: None,
            lead_id: None,
            identity: UserId(Uuid::from_u128(n)),
            proved: true,
            stay,
            offer: OnOffer::only(stay, 4),
            own_elsewhere: 0,
            at: context.at,
            until: context.at + TimeDelta::minutes(10),
        });
        let sell = RoomStockCommand::Sell {
            payment_id,
            continues: None,
        };
        for command in [hold, sell] {
            commit::<RoomStock>(log, ROOM, command, &context).await.unwrap();
        }
    }

    #[tokio::test]
    async fn bookings_without_a_room_are_named_once_each() {
        let log = EventLog::memory();
        book(&log, 7).await;
        book(&log, 8).await;
        let before = fold::<Inventory>(&[listed(), priced(4).0]);
        let told = async |rooms, day: &str| {
            let events = [priced(rooms).0];
            let today = day.parse().unwrap();
            explain_too_few(&log, &before, &events, today).await.unwrap()
        };
        let names = [7, 8]
            .map(|n| PaymentId(Uuid::from_u128(n)).to_string())
            .join(", ");
        let sentence =
            format!("room {ROOM} has more bookings than the 1 rooms of this row, and is closed: {names}");
        assert_eq!(told(1, "2027-01-01").await, [sentence]);
        assert_eq!(told(2, "2027-01-01").await, Vec::<String>::new());
        assert_eq!(told(1, "2029-01-01").await, Vec::<String>::new(), "they are over");
        // A list with as many rooms as before asks nothing of the log.
        let mut same = before.clone();
        same.evolve(&priced(1).0);
        let events = [priced(1).0];
        let told = explain_too_few(&log, &same, &events, "2027-01-01".parse().unwrap()).await;
        assert_eq!(told.unwrap(), Vec::<String>::new());
    }
}
