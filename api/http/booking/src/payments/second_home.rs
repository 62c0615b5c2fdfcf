//! A second home for the same months: its student is asked first whether it is meant. Bookings are known by the login that they belong to,
//! or by the links that the same browser keeps of enquiries with the same address; an address alone tells nobody of its bookings.

use domain::id::LeadId;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentStatus};
use eventlog::EventLog;
use http_kit::answering::current_language;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::days;
use processes::waiting;
use projections::{lead_board, listing_name};
use uuid::Uuid;

use crate::payments::Payments;

/// Links of other enquiries that one request may name.
pub(super) const LINKS_MAX: usize = 50;

/// Asks whether a second home is meant.
///
/// # Errors
/// 409 `booked_already` with the home that is booked for some of the same nights.
pub(super) async fn ask_about_second_home(
    payments: &Payments,
    (lead_id, lead): (LeadId, &Lead),
    stay: Stay,
    links: &[Uuid],
) -> ApiResult<()> {
    if lead.booked_by.is_some() {
        return Ok(());
    }
    for (other_id, other) in find_others(payments, lead_id, lead, links).await? {
        if other_id == lead_id {
            continue;
        }
        if let Some(terms) = find_booked_terms(&payments.records.log, &other).await?
            && terms.stay().overlaps(stay)
        {
            return Err(ask_question(payments, &terms).await?);
        }
    }
    Ok(())
}

/// The enquiries that are provably the same person's.
async fn find_others(
    payments: &Payments,
    lead_id: LeadId,
    lead: &Lead,
    links: &[Uuid],
) -> ApiResult<Vec<(LeadId, Lead)>> {
    let log = &payments.records.log;
    let own = waiting::leads_of_person(log, lead_id).await?;
    let mut others: Vec<(LeadId, Lead)> = own.into_iter().map(|(id, lead)| (id, lead.state)).collect();
    if links.is_empty() {
        return Ok(others);
    }
    let address = |lead: &Lead| lead.personal.as_ref().map(|own| own.email.canonical());
    let (readers, hasher) = (payments.records.heard().await?, log.handles());
    for link in links {
        let Some(other_id) = lead_board::query::find_by_uuid(readers, hasher, *link).await? else {
            continue;
        };
        let other = log.load::<Lead>(other_id).await?.state;
        // The link of a claimed enquiry shows it and no more.
        if other.is_unclaimed() && address(&other) == address(lead) {
            others.push((other_id, other));
        }
    }
    Ok(others)
}

/// What an enquiry has booked, or is paying for at this moment.
async fn find_booked_terms(log: &EventLog, lead: &Lead) -> ApiResult<Option<Terms>> {
    let Some(payment_id) = lead.booked_by.or(lead.payment) else {
        return Ok(None);
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    let is_under_way = matches!(payment.status, PaymentStatus::Processing | PaymentStatus::Pending);
    Ok(payment.terms.filter(|_| lead.booked_by.is_some() || is_under_way))
}

async fn ask_question(payments: &Payments, terms: &Terms) -> ApiResult<ApiError> {
    let home_id = terms.inventory_root_id.to_string();
    let home = listing_name::find(payments.records.read.readers(), &home_id).await?;
    let stay = terms.stay();
    let day = |day| days::day(current_language(), day);
    let question = say("refusal.booked_already")
        .with("home", home.map(|home| home.property).unwrap_or_default())
        .with("from", day(stay.move_in))
        .with("to", day(stay.ends()));
    Ok(ApiError::conflict("booked_already", question))
}
