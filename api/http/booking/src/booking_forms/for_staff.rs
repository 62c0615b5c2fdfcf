//! Another room of the same home, chosen by staff as the student asked: what was filled in stays (row I4).

use domain::booking_form::{BookingForm, BookingFormCommand};
use domain::id::InventoryId;
use domain::lead::Lead;
use eventlog::{Context, commit};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use records::{Records, listing};

use super::{is_of, refusal};

/// Gives the form the room; says which one it is, and whether the form had another one.
///
/// # Errors
/// 422 for what is no room of the lead's home, 409 without a form or once money has moved.
pub async fn choose_room(
    records: &Records,
    lead: &Lead,
    inventory_id: &str,
    asked: &Context,
) -> ApiResult<(InventoryId, bool)> {
    let unknown = || ApiError::invalid_field("inventory_id", "choice", say("validation.choice"));
    let room = listing::find_id(records, inventory_id).await?;
    let room = room
        .filter(|room| room.inventory_id != room.root_id && is_of(lead, room))
        .ok_or_else(unknown)?;
    let Some((form_id, _)) = lead.form.filter(|_| lead.booked_by.is_none()) else {
        return Err(ApiError::conflict("no_open_form", say("refusal.no_open_form")));
    };
    let command = BookingFormCommand::ChangeRoom {
        inventory_id: room.inventory_id,
        at: asked.at,
    };
    let changed = commit::<BookingForm>(&records.log, form_id, command, asked).await;
    let changed = changed.map_err(refusal)?;
    Ok((room.inventory_id, !changed.events.is_empty()))
}
