//! The stay that a form books. It is its payment's; where nothing is opened, the stay that a payment would be opened for now. A form that
//! reads it from the address or picks one itself tells its student of another stay than the one that is paid for.

use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::payment::terms::{Rent, Terms};
use domain::payment::{Payment, PaymentStatus};
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
    if let Some(terms) = find_payment_terms(log, lead, room_id).await? {
        let house = log.load::<Inventory>(terms.inventory_root_id).await?.state;
        return Ok(Some(view::room(current_language(), &terms, &house)));
    }
    let Some(home_id) = lead.submission.as_ref().and_then(|sent| sent.inventory_root_id) else {
        return Ok(None);
    };
    let Some(found) = payment_room::find(log, home_id, room_id).await? else {
        return Ok(None);
    };
    let Some(lease) = found.lease(&lead.wish) else {
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

/// What the payment agreed on that this form's room is booked with, or would be if it were paid now.
async fn find_payment_terms(log: &EventLog, lead: &Lead, room_id: InventoryId) -> ApiResult<Option<Terms>> {
    let Some(payment_id) = lead.booked_by.or(lead.payment) else {
        return Ok(None);
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    let counts = match payment.status {
        PaymentStatus::Success => lead.booked_by == Some(payment_id),
        // The money is under way: nothing takes its place.
        PaymentStatus::Processing | PaymentStatus::Pending | PaymentStatus::InitLoading => true,
        PaymentStatus::SoldOut => false,
        PaymentStatus::Init
        | PaymentStatus::InitFailure
        | PaymentStatus::Initiated
        | PaymentStatus::Failed => {
            let fits = |terms: &Terms| payment_room::fits(&lead.wish, terms.stay());
            payment.cancelled_at.is_none() && payment.terms.as_ref().is_some_and(fits)
        }
    };
    Ok(payment.terms.filter(|terms| counts && terms.room_id == room_id))
}
