//! What homes are called, as far as the log has said when a lead comes: the timeline's own copy (decision 0017).

use domain::id::InventoryId;
use domain::inventory::Inventory;
use eventlog::RecordedEvent;

use super::sheet::Sheet;
use crate::run::ProjectionError;

pub(super) fn take(sheet: &mut Sheet, record: &RecordedEvent) -> Result<(), ProjectionError> {
    // The other events are most of the catalogue's bytes and say no name: not worth decoding.
    if !matches!(
        record.event_type.as_str(),
        "PropertyListed" | "PropertyDetailsChanged"
    ) {
        return Ok(());
    }
    if let Some(property) = record.decode_sealed::<Inventory>()?.shown_property() {
        sheet.call_home(InventoryId(record.stream.id), property.name);
    }
    Ok(())
}
