//! What a lead's stay costs, as screens show it; the rule is the domain's (decision 0025).

use domain::id::LeadId;
use domain::inventory::Inventory;
use domain::inventory::stay_price::stay_price_minor;
use domain::lead::Lead;
use domain::money::Money;
use domain::payment::Payment;
use domain::payment::terms::Terms;
use eventlog::EventLog;
use platform::clock;
use projections::listing_name;
use serde::Serialize;

use crate::error::ApiResult;
use crate::price_lock::price_lock;

/// A price as the contract shows it.
#[derive(Debug, Clone, Serialize)]
pub struct PriceLine {
    pub amount_minor: u64,
    pub currency: String,
    pub symbol: &'static str,
    pub decimals: u32,
    pub duration: String,
}

/// Price of a lead's stay, where its room is known, for every list of leads.
pub fn price_of_stay(
    home: &Inventory,
    listing: &listing_name::ListingName,
    lead: &Lead,
    payment: Option<&Payment>,
) -> Option<PriceLine> {
    let terms = payment.and_then(|payment| payment.terms.as_ref());
    let is_paid = payment.is_some_and(|payment| payment.succeeded_at.is_some());
    // What was agreed stands, whatever the catalogue says since.
    let agreed = terms
        .filter(|_| is_paid)
        .and_then(|terms| Some((terms, terms.rent?)));
    if let Some((terms, rent)) = agreed {
        let price = Money::new(rent.amount_minor, terms.quote.currency);
        return Some(line_of(price, rent.period.key().to_owned()));
    }
    let lowest = price_line(listing)?;
    let room_id = listing.id()?;
    let room = home.rooms.iter().find(|room| room.details.id == room_id);
    let paid = terms.filter(|terms| terms.room_id == room_id).map(Terms::stay);
    let stay = room.and_then(|room| stay_price_minor(room, paid, &lead.wish));
    Some(PriceLine {
        amount_minor: stay.unwrap_or(lowest.amount_minor),
        ..lowest
    })
}

/// The same for a row of the workspace.
///
/// # Errors
/// When the log cannot be read.
pub async fn price_of_row(
    log: &EventLog,
    listing: &listing_name::ListingName,
    lead_id: LeadId,
) -> ApiResult<Option<PriceLine>> {
    let Some(root) = listing.root() else {
        return Ok(price_line(listing));
    };
    let lead = log.load::<Lead>(lead_id).await?.state;
    let home = log.load::<Inventory>(root).await?.state;
    let payment = match lead.booked_by.or(lead.payment) {
        Some(payment_id) => Some(log.load::<Payment>(payment_id).await?.state),
        None => None,
    };
    let kept = match listing.id() {
        Some(room_id) => price_lock(log, &lead, (room_id, None), clock::now()).await?,
        None => None,
    };
    let price = price_of_stay(&home, listing, &lead, payment.as_ref());
    Ok(price.map(|price| PriceLine {
        amount_minor: kept.map_or(price.amount_minor, |kept| kept.counts_minor),
        ..price
    }))
}

/// The lowest price of a listing as the contract shows it.
fn price_line(listing: &listing_name::ListingName) -> Option<PriceLine> {
    let currency = listing_name::currency(listing)?;
    let amount_minor = listing.price_minor.and_then(|minor| u64::try_from(minor).ok())?;
    Some(line_of(
        Money::new(amount_minor, currency),
        listing.period.clone(),
    ))
}

fn line_of(price: Money, duration: String) -> PriceLine {
    PriceLine {
        amount_minor: price.amount_minor,
        currency: price.currency.code().to_owned(),
        symbol: price.currency.symbol(),
        decimals: price.currency.decimals(),
        duration,
    }
}
