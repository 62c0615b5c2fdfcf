//! What homes are called, as far as the log has said when a lead comes: the timeline's own copy (decision 290).

use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryEvent};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;

use crate::run::ProjectionError;

pub(super) async fn take(
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
            "insert into timeline_home (root_id, property) values ($1, $2)
             on conflict (root_id) do update set property = excluded.property",
        )
        .bind(record.stream.id.to_string())
        .bind(&property.name)
        .execute(connection)
        .await?;
    }
    Ok(())
}

pub(super) async fn name(
    connection: &mut AnyConnection,
    root: Option<InventoryId>,
) -> Result<Option<String>, sqlx::Error> {
    let Some(root) = root else { return Ok(None) };
    sqlx::query_scalar("select property from timeline_home where root_id = $1")
        .bind(root.to_string())
        .fetch_optional(connection)
        .await
}
