//! Addresses of homes: one that the house has keeps its own, and a new one gets an address that no other home or room has or had,
//! whatever feeds call their homes. Of runs that choose the same one at a moment the first gets it: each claims it with its home.

use std::collections::HashMap;

use domain::aggregate::Decide as _;
use domain::home_address::list_choices;
use domain::id::InventoryId;
use domain::inventory::{Described, Inventory};
use eventlog::{EventLog, RecordedEvent};
use uuid::Uuid;

use crate::places::named_id;

/// Events read at a time.
const BATCH: usize = 2_000;
/// Events that say addresses.
const DESCRIBING: [&str; 4] = [
    "PropertyListed",
    "PropertyDetailsChanged",
    "RoomListed",
    "RoomDetailsChanged",
];

/// The addresses of all homes and rooms, each in sixteen bytes, with the homes that have them. Read with the first new home.
#[derive(Default)]
pub(crate) struct Addresses {
    taken: Option<HashMap<Uuid, InventoryId>>,
}

impl Addresses {
    /// Gives a home its address: the wanted one, or where another home has that, the same with digits of its own behind it.
    ///
    /// # Errors
    /// One sentence when the log cannot be read.
    pub(crate) async fn choose(
        &mut self,
        log: &EventLog,
        id: InventoryId,
        wanted: &str,
    ) -> Result<String, String> {
        if self.taken.is_none() {
            self.taken = Some(read_addresses(log).await?);
        }
        let taken = self.taken.get_or_insert_default();
        let choices = list_choices(wanted, id);
        let is_free = |address: &&String| taken.get(&key_of(address)).is_none_or(|owner| *owner == id);
        let chosen = choices
            .iter()
            .find(is_free)
            .or(choices.last())
            .cloned()
            .unwrap_or_default();
        taken.insert(key_of(&chosen), id);
        Ok(chosen)
    }
}

fn key_of(address: &str) -> Uuid {
    named_id(&["taken address", address])
}

async fn read_addresses(log: &EventLog) -> Result<HashMap<Uuid, InventoryId>, String> {
    let mut taken = HashMap::new();
    let mut position = 0;
    loop {
        let events = log.read_all(position, BATCH).await;
        let events = events.map_err(|error| format!("the log cannot be read: {error}"))?;
        let Some(last) = events.last() else {
            return Ok(taken);
        };
        position = last.position;
        for record in &events {
            if let Some(address) = read_address(record)? {
                taken.insert(key_of(&address), InventoryId(record.stream.id));
            }
        }
    }
}

/// The address that an event gives to a home or a room.
fn read_address(record: &RecordedEvent) -> Result<Option<String>, String> {
    if record.stream.kind != Inventory::KIND || !DESCRIBING.contains(&record.event_type.as_str()) {
        return Ok(None);
    }
    let event = record
        .decode_sealed::<Inventory>()
        .map_err(|error| format!("the log cannot be read: {error}"))?;
    Ok(event.described().map(|described| match described {
        Described::Property(property) => property.canonical_name.clone(),
        Described::Room(room) => room.canonical_name.clone(),
    }))
}
