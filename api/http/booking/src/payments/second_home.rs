//! A second home for the same months: its student is asked first whether it is meant. Bookings are known by the login that they belong to,
//! or by the links that the same browser keeps of enquiries with the same address; an address alone tells nobody of its bookings.

use domain::id::LeadId;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentStatus};
use eventlog::EventLog;
use http_kit::answering::current_language;
use http_kit::caller::Caller;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::{clock, days};
use processes::waiting;
use projections::{lead_board, listing_name};
use records::Records;
use uuid::Uuid;

/// Links of other enquiries that one request may name.
pub(super) const LINKS_MAX: usize = 50;

/// Asks whether a second home is meant.
///
/// # Errors
/// 409 `booked_already` with the home that is booked for some of the same nights.
pub(super) async fn ask_about_second_home(
    records: &Records,
    (lead_id, lead): (LeadId, &Lead),
    stay: Stay,
    links: &[Uuid],
) -> ApiResult<()> {
    if lead.booked_by.is_some() {
        return Ok(());
    }
    for (other_id, other) in find_others(records, lead_id, lead, links).await? {
        if other_id == lead_id {
            continue;
        }
        if let Some((terms, step)) = find_terms(&records.log, &other).await?
            && terms.stay().overlaps(stay)
        {
            return Err(ask_question(records, &terms, step).await?);
        }
    }
    Ok(())
}

/// Asks the same before a room is held by a payment that was opened earlier. Only its own student is asked: who pays for another
/// person learns of no booking.
///
/// # Errors
/// As [`ask_about_second_home`].
pub(super) async fn ask_at_begin(records: &Records, payment: &Payment, caller: &Caller) -> ApiResult<()> {
    let Some(terms) = payment.terms.as_ref().filter(|terms| terms.link.is_none()) else {
        return Ok(());
    };
    // A payment that holds its room goes on; one that came to its end is told as it is.
    let is_beginning = matches!(
        payment.status,
        PaymentStatus::Init | PaymentStatus::InitFailure | PaymentStatus::Failed
    );
    if !is_beginning || payment.keeps_room(clock::now()) {
        return Ok(());
    }
    let lead = records.log.load::<Lead>(terms.lead_id).await?.state;
    let caller_id = caller.person.as_ref().map(|person| person.user_id);
    if caller_id.is_none() || caller_id != lead.person() {
        return Ok(());
    }
    ask_about_second_home(records, (terms.lead_id, &lead), terms.stay(), &[]).await
}

/// The enquiries that are provably the same person's.
async fn find_others(
    records: &Records,
    lead_id: LeadId,
    lead: &Lead,
    links: &[Uuid],
) -> ApiResult<Vec<(LeadId, Lead)>> {
    let log = &records.log;
    let own = waiting::leads_of_person(log, lead_id).await?;
    let mut others: Vec<(LeadId, Lead)> = own.into_iter().map(|(id, lead)| (id, lead.state)).collect();
    if links.is_empty() {
        return Ok(others);
    }
    let address = |lead: &Lead| lead.personal.as_ref().map(|own| own.email.canonical());
    let (readers, hasher) = (records.heard().await?, log.handles());
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

/// How far another enquiry's home is.
#[derive(Debug, Clone, Copy)]
enum Step {
    Booked,
    /// Its payment is under way, or holds a room.
    Paying,
}

/// Finds the stay that an enquiry has booked, or is paying for at this moment: two that are begun side by side are asked about before either is paid.
async fn find_terms(log: &EventLog, lead: &Lead) -> ApiResult<Option<(Terms, Step)>> {
    let Some(payment_id) = lead.booked_by.or(lead.payment) else {
        return Ok(None);
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    let is_under_way = matches!(payment.status, PaymentStatus::Processing | PaymentStatus::Pending);
    let step = match lead.booked_by {
        Some(_) => Some(Step::Booked),
        None => (is_under_way || payment.keeps_room(clock::now())).then_some(Step::Paying),
    };
    Ok(payment.terms.zip(step))
}

async fn ask_question(records: &Records, terms: &Terms, step: Step) -> ApiResult<ApiError> {
    let home_id = terms.inventory_root_id.to_string();
    let home = listing_name::find(records.read.readers(), &home_id).await?;
    let stay = terms.stay();
    let day = |day| days::day(current_language(), day);
    let question = match step {
        Step::Booked => say("refusal.booked_already"),
        Step::Paying => say("refusal.paying_already"),
    };
    let question = question
        .with("home", home.map(|home| home.property).unwrap_or_default())
        .with("from", day(stay.move_in))
        .with("to", day(stay.ends()));
    Ok(ApiError::conflict("booked_already", question))
}
