//! What homes and their cities are called, as far as the log has said when a lead comes: the board's own copy (decision 290).

use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryEvent};
use domain::region::{Region, RegionEvent};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;

use crate::run::ProjectionError;

pub(super) async fn take_inventory(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    // The other events are most of the catalogue's bytes and say no name: not worth decoding.
    if !matches!(
        record.event_type.as_str(),
        "PropertyListed" | "PropertyDetailsChanged"
    ) {
        return Ok(());
    }
    if let InventoryEvent::PropertyListed { property } | InventoryEvent::PropertyDetailsChanged { property } =
        record.decode::<Inventory>()?
    {
        sqlx::query(
            "insert into lead_board_home (root_id, property, region_id) values ($1, $2, $3)
             on conflict (root_id) do update set property = excluded.property, region_id = excluded.region_id",
        )
        .bind(record.stream.id.to_string())
        .bind(&property.name)
        .bind(property.region.to_string())
        .execute(connection)
        .await?;
    }
    Ok(())
}

pub(super) async fn take_region(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    if let RegionEvent::RegionOpened { region } | RegionEvent::RegionDescribed { region } =
        record.decode::<Region>()?
    {
        sqlx::query(
            "insert into lead_board_city (region_id, name) values ($1, $2)
             on conflict (region_id) do update set name = excluded.name",
        )
        .bind(record.stream.id.to_string())
        .bind(&region.name)
        .execute(connection)
        .await?;
    }
    Ok(())
}

/// `Aspen Quarter, Leeds`
pub(super) async fn place_name(
    connection: &mut AnyConnection,
    root: Option<InventoryId>,
) -> Result<Option<String>, sqlx::Error> {
    let Some(root) = root else { return Ok(None) };
    let row: Option<(String, String)> = sqlx::query_as(
        "select h.property, coalesce(c.name, '') from lead_board_home h
         left join lead_board_city c on c.region_id = h.region_id
         where h.root_id = $1",
    )
    .bind(root.to_string())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(property, city)| format!("{property}, {city}")))
}
