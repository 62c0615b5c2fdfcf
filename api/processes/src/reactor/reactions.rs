//! What follows from events that need no more than themselves.

use chrono::TimeDelta;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::case::Case;
use domain::id::{BookingFormId, CaseId, InventoryId, LeadId, PaymentId, UserId};
use domain::inventory::{Inventory, InventoryEvent};
use domain::lead::Lead;
use domain::policy::{self, FollowUp};
use domain::second_factor::SecondFactor;
use domain::user::User;
use eventlog::{EventLog, LogError, RecordedEvent};

use super::causes::cause;

pub(super) fn after_lead(event: &RecordedEvent) -> (Option<PaymentId>, Vec<FollowUp>) {
    let Ok(happened) = event.decode_sealed::<Lead>() else {
        return (None, unreadable(event));
    };
    (None, policy::after_lead(LeadId(event.stream.id), &happened))
}

/// The lead of a form is named where the form began.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn after_form(
    log: &EventLog,
    event: &RecordedEvent,
) -> Result<(Option<PaymentId>, Vec<FollowUp>), LogError> {
    let Ok(happened) = event.decode_sealed::<BookingForm>() else {
        return Ok((None, unreadable(event)));
    };
    // Forms are saved field by field: only what something follows from is looked up.
    if !matches!(happened, BookingFormEvent::RoomChanged { .. }) {
        return Ok((None, vec![]));
    }
    let form = log.load::<BookingForm>(BookingFormId(event.stream.id)).await?;
    let start = form.state.start.as_deref();
    let after = start.and_then(|start| policy::after_form(start.lead_id, &happened));
    Ok((None, after.into_iter().collect()))
}

/// The catalogue says how many of a room there are, or whether a home is let: what has come free is offered to the waitlists, and
/// those of a home that is let no longer end.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn after_catalogue(
    log: &EventLog,
    event: &RecordedEvent,
    hold_for: TimeDelta,
) -> Result<(Option<PaymentId>, Vec<FollowUp>), LogError> {
    let rooms = match event.decode_sealed::<Inventory>() {
        Ok(InventoryEvent::RoomPriced { room, .. }) => vec![room],
        Ok(
            InventoryEvent::PropertyReopened {}
            | InventoryEvent::PropertyClosed { .. }
            | InventoryEvent::PropertyMerged { .. }
            | InventoryEvent::PropertyDeleted {},
        ) => {
            let home = log.load::<Inventory>(InventoryId(event.stream.id)).await?.state;
            home.rooms.iter().map(|room| room.details.id).collect()
        }
        Ok(_) | Err(_) => vec![],
    };
    let offer = |room| policy::offer_rooms(room, cause(event, hold_for));
    Ok((None, rooms.into_iter().map(offer).collect()))
}

pub(super) fn after_case(event: &RecordedEvent) -> (Option<PaymentId>, Vec<FollowUp>) {
    let Ok(happened) = event.decode_sealed::<Case>() else {
        return (None, unreadable(event));
    };
    let after = policy::after_case(CaseId(event.stream.id), &happened);
    (None, after.into_iter().collect())
}

pub(super) fn after_user(event: &RecordedEvent) -> (Option<PaymentId>, Vec<FollowUp>) {
    let Ok(happened) = event.decode_sealed::<User>() else {
        return (None, unreadable(event));
    };
    (None, policy::after_user(&happened).into_iter().collect())
}

pub(super) fn after_second_factor(event: &RecordedEvent) -> (Option<PaymentId>, Vec<FollowUp>) {
    let Ok(happened) = event.decode_sealed::<SecondFactor>() else {
        return (None, unreadable(event));
    };
    let after = policy::after_second_factor(UserId(event.stream.id), &happened);
    (None, after.into_iter().collect())
}

pub(super) fn unreadable(event: &RecordedEvent) -> Vec<FollowUp> {
    tracing::error!(position = event.position, stream = %event.stream, "an event cannot be read: nothing follows from it");
    vec![]
}
