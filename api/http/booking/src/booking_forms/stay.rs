//! The stay that a form books. It is its payment's; where nothing is opened, the stay that a payment would be opened for now. A form that
//! reads it from the address or picks one itself tells its student of another stay than the one that is paid for.

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::payment::terms::{Rent, Terms};
use eventlog::EventLog;
use http_kit::answering::current_language;
use http_kit::error::ApiResult;
use http_kit::price_lock::price_lock;
use platform::clock;
use processes::payment_room;

use crate::payments::view::{self, RoomView};

/// Reads the stay that this lead's form books in this room; `None` where the room is not let for what the lead wishes.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn find_stay(
    log: &EventLog,
    lead: &Lead,
    room_id: InventoryId,
) -> ApiResult<Option<RoomView>> {
    let agreed = payment_room::agreed_terms(log, lead).await?;
    // A booked room is the one that was paid for, whatever the form was begun with.
    let of_form = |terms: &Terms| lead.booked_by.is_some() || terms.room_id == room_id;
    if let Some(terms) = agreed.filter(of_form) {
        let house = log.load::<Inventory>(terms.inventory_root_id).await?.state;
        return Ok(Some(view::room(current_language(), &terms, &house)));
    }
    let Some(home_id) = lead.submission.as_ref().and_then(|sent| sent.inventory_root_id) else {
        return Ok(None);
    };
    let Some(found) = payment_room::find(log, home_id, room_id).await? else {
        return Ok(None);
    };
    let Some(lease) = found.lease(lead, &lead.wish) else {
        return Ok(None);
    };
    let kept = price_lock(log, lead, (room_id, Some(lease.stay())), clock::now()).await?;
    let rent = Rent {
        amount_minor: kept.map_or(lease.price_minor, |kept| kept.counts_minor),
        period: found.property.period,
    };
    let stay = (lease.stay(), rent, found.property.currency);
    let name = view::room_name(current_language(), Some(&found.room));
    Ok(Some(view::stay_view(name, stay)))
}

/// The room that a lead has booked, as its payment says.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn find_booked_room(log: &EventLog, lead: &Lead) -> ApiResult<Option<InventoryId>> {
    let Some(payment_id) = lead.booked_by else {
        return Ok(None);
    };
    let terms = log.load::<Payment>(payment_id).await?.state.terms;
    Ok(terms.map(|terms| terms.room_id))
}
