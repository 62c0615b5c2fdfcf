//! Homes as staff look for them, in every state: what is said of each, what a student misses, and what changed it last (HOMES.md "Who
//! keeps homes").

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::inventory::change_kind::ChangeKind;
use domain::inventory::facts::{Fact, Offered, Shown as _};
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::counted_rooms;
use domain::inventory::said::said_room;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryEvent};
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::AnyConnection;

pub use self::rows::HomeRow;
use self::rows::{HOMES, ROOMS, RoomRow};
use crate::run::{Projection, ProjectionError};

pub mod query;
mod rows;
#[cfg(test)]
mod tests;

/// The tables of `0630_staff_home.sql`.
pub struct StaffHomes;

impl Projection for StaffHomes {
    fn name(&self) -> &'static str {
        "staff_homes"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["staff_home", "staff_home_room"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["staff_home_changed", "staff_home_alike", "staff_home_reopens"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Inventory::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut sheet = Sheet::read(connection, events).await?;
            let told = events.iter().filter(|record| is_told(record));
            for record in told {
                let happened = record.decode_sealed::<Inventory>()?;
                sheet.take(record, happened);
            }
            Ok(sheet.write(connection).await?)
        })
    }
}

/// Reviews and price histories are most of the catalogue's bytes and nothing here: not worth decoding.
fn is_told(record: &RecordedEvent) -> bool {
    !["ReviewsPublished", "PriceHistoryRecorded", "ReasonGiven"].contains(&record.event_type.as_str())
}

/// The homes that a batch of events touches, read once, changed in memory and written together (decision 0017).
struct Sheet {
    homes: BTreeMap<String, HomeRow>,
    rooms: BTreeMap<String, RoomRow>,
}

impl Sheet {
    async fn read(connection: &mut AnyConnection, events: &[RecordedEvent]) -> Result<Self, sqlx::Error> {
        let ids: BTreeSet<String> = events.iter().map(|record| record.stream.id.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let homes: Vec<HomeRow> = HOMES.read(connection, &[("home_id", ids.clone())]).await?;
        let rooms: Vec<RoomRow> = ROOMS.read(connection, &[("home_id", ids)]).await?;
        Ok(Self {
            homes: homes.into_iter().map(|row| (row.home_id.clone(), row)).collect(),
            rooms: rooms.into_iter().map(|row| (row.room_id.clone(), row)).collect(),
        })
    }

    fn take(&mut self, record: &RecordedEvent, happened: InventoryEvent) {
        use InventoryEvent as E;
        let home_id = record.stream.id.to_string();
        let kind = ChangeKind::of(&happened);
        let state = HomeState::after(&happened);
        match happened {
            E::PropertyListed { property } => self.describe(record, &home_id, &property),
            E::PropertyDetailsChanged { property, set } => {
                self.describe(record, &home_id, &property.with_facts(&set));
            }
            E::RoomListed { room, is_said, set } | E::RoomDetailsChanged { room, is_said, set } => {
                self.describe_room(&home_id, (room, is_said), &set);
            }
            E::RoomWithdrawn { room } => {
                if let Some(row) = self.rooms.get_mut(&room.to_string()) {
                    row.is_let = false.into();
                }
            }
            E::RoomPriced {
                room,
                rooms,
                is_count_said,
                leases,
                set,
            } => {
                let is_imported = self.homes.get(&home_id).is_some_and(|home| home.feed.is_some());
                if let Some(row) = self.rooms.get_mut(&room.to_string()) {
                    let known = u32::try_from(row.rooms).unwrap_or(u32::MAX);
                    let (rooms, leases) = counted_rooms(known, rooms, &leases);
                    let offer = Offered {
                        rooms,
                        is_count_said: is_count_said.unwrap_or(!is_imported),
                        leases,
                    };
                    row.offer(&(room, offer).with_facts(&set).1);
                }
            }
            _ => {}
        }
        let Some(home) = self.homes.get_mut(&home_id) else {
            return;
        };
        if let Some(state) = state {
            state.key().clone_into(&mut home.state);
            home.reopens_on = state.reopens_on().map(|day| day.to_string());
        }
        if let Some(kind) = kind {
            home.note_change(record, kind);
        }
    }

    fn describe(&mut self, record: &RecordedEvent, home_id: &str, property: &PropertyDetails) {
        let at = record.occurred_at.timestamp_micros();
        let home = self.homes.entry(home_id.to_owned());
        let home = home.or_insert_with(|| HomeRow::begin(home_id, at));
        home.describe(property);
    }

    fn describe_room(&mut self, home_id: &str, (room, is_said): (RoomDetails, bool), set: &[Fact]) {
        let is_imported = self.homes.get(home_id).is_some_and(|home| home.feed.is_some());
        let room = said_room(room, is_said, is_imported).with_facts(set);
        let room_id = room.id.to_string();
        let known = self.rooms.entry(room_id.clone());
        let row = known.or_insert_with(|| RoomRow::begin(room_id, home_id));
        row.describe(&room);
    }

    /// Counts anew what the homes have together.
    fn sum_up(&mut self) {
        let mut by_home: BTreeMap<&str, Vec<&RoomRow>> = BTreeMap::new();
        for room in self.rooms.values().filter(|room| room.is_let.is_set()) {
            by_home.entry(&room.home_id).or_default().push(room);
        }
        for (home_id, home) in &mut self.homes {
            let rooms = by_home.remove(home_id.as_str());
            home.sum_up(&rooms.unwrap_or_default());
        }
    }

    async fn write(mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        self.sum_up();
        let homes: Vec<_> = self.homes.into_values().map(HomeRow::write).collect();
        HOMES.put(connection, &homes).await?;
        let rooms: Vec<_> = self.rooms.into_values().map(RoomRow::write).collect();
        ROOMS.put(connection, &rooms).await
    }
}
