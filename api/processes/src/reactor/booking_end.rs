//! What a booking ends, and what its own end takes along: places in waitlists for the same time, and links that nothing is due by.

use domain::id::LeadId;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::{Payment, PaymentCommand};
use domain::room_stock::{RoomStock, RoomStockCommand};
use eventlog::{Context, EventLog};

use super::ReactorError;
use super::follow_up::give;
use crate::waiting;

/// Takes back the links of a lead that has no booking. One that is being paid is refused here, and its money goes back when it arrives.
pub(super) async fn withdraw_links(
    log: &EventLog,
    lead_id: LeadId,
    at: Moment,
    context: &Context,
) -> Result<(), ReactorError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    if lead.booked_by.is_some() {
        return Ok(());
    }
    for link in lead.links {
        let context = context.step(&link.to_string());
        give::<Payment>(log, link, PaymentCommand::Withdraw { at }, &context).await?;
    }
    Ok(())
}

/// Gives up the places of a person who has booked, where they are for the same time: the next who waits has their turn.
pub(super) async fn leave_places(
    log: &EventLog,
    lead_id: LeadId,
    context: &Context,
) -> Result<(), ReactorError> {
    let lead = log.load::<Lead>(lead_id).await?.state;
    let Some(booked_by) = lead.booked_by else {
        return Ok(());
    };
    let Some(terms) = log.load::<Payment>(booked_by).await?.state.terms else {
        return Ok(());
    };
    for place in waiting::of_person(log, lead_id).await?.open {
        if place.stay.overlaps(terms.stay()) {
            let leave = RoomStockCommand::Leave {
                payment_id: place.payment_id,
                booked: true,
            };
            let context = context.step(&place.payment_id.to_string());
            give::<RoomStock>(log, place.room_id, leave, &context).await?;
        }
    }
    Ok(())
}
