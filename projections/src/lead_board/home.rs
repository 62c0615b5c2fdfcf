//! What homes and their cities are called, as far as the log has said when a lead comes: the board's own copy (decision 0017).

use std::collections::BTreeMap;

use domain::id::{InventoryId, RegionId};
use domain::inventory::Inventory;
use domain::region::Region;
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::Text;
use tables::table::{Table, row};
use uuid::Uuid;

use crate::run::ProjectionError;

const HOMES: Table = Table {
    name: "lead_board_home",
    columns: &[Text("root_id"), Text("property"), Text("region_id")],
    key: 1,
};
const CITIES: Table = Table {
    name: "lead_board_city",
    columns: &[Text("region_id"), Text("name")],
    key: 1,
};

/// What a batch of events has said of homes and cities, and what was asked for meanwhile.
#[derive(Default)]
pub(super) struct Homes {
    named: BTreeMap<Uuid, (String, RegionId)>,
    cities: BTreeMap<Uuid, String>,
    asked: BTreeMap<InventoryId, Option<(String, String)>>,
}

impl Homes {
    pub(super) fn take_inventory(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        // The other events are most of the catalogue's bytes and say no name: not worth decoding.
        if !matches!(
            record.event_type.as_str(),
            "PropertyListed" | "PropertyDetailsChanged"
        ) {
            return Ok(());
        }
        if let Some(property) = record.decode_sealed::<Inventory>()?.shown_property() {
            let named = (property.name, property.region);
            self.named.insert(record.stream.id, named);
        }
        Ok(())
    }

    pub(super) fn take_region(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        if let Some(region) = record.decode_sealed::<Region>()?.described() {
            self.cities.insert(record.stream.id, region.name.clone());
        }
        Ok(())
    }

    /// Writes what was said; what was asked for may be called otherwise now.
    pub(super) async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        if self.named.is_empty() && self.cities.is_empty() {
            return Ok(());
        }
        let done = std::mem::take(self);
        let homes = done.named.into_iter();
        let homes = homes.map(|(id, (name, region))| row![id.to_string(), name, region.to_string()]);
        HOMES.put(connection, &homes.collect::<Vec<_>>()).await?;
        let cities = done.cities.into_iter();
        let cities = cities.map(|(id, name)| row![id.to_string(), name]);
        CITIES.put(connection, &cities.collect::<Vec<_>>()).await
    }

    /// `Aspen Quarter, Leeds`, and the id of that city.
    pub(super) async fn place_of(
        &mut self,
        connection: &mut AnyConnection,
        root: Option<InventoryId>,
    ) -> Result<(Option<String>, Option<String>), sqlx::Error> {
        let Some(root) = root else { return Ok((None, None)) };
        self.write(connection).await?;
        if let Some(known) = self.asked.get(&root) {
            return Ok(known.clone().unzip());
        }
        let row: Option<(String, String, String)> = sqlx::query_as(
            "select h.property, coalesce(c.name, ''), h.region_id from lead_board_home h
             left join lead_board_city c on c.region_id = h.region_id
             where h.root_id = $1",
        )
        .bind(root.to_string())
        .fetch_optional(connection)
        .await?;
        let place = row.map(|(property, city, region)| (format!("{property}, {city}"), region));
        self.asked.insert(root, place.clone());
        Ok(place.unzip())
    }
}
