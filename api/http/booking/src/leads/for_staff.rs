//! What staff change of an enquiry as its student asked: under the rules of the student's own change (row I4).

use domain::contact::{Email, FieldFault, PersonName, Phone};
use domain::id::LeadId;
use domain::lead::{Acting, Lead, LeadPersonal};
use eventlog::{Context, Position};
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use http_kit::said::say;
use platform::clock;
use records::Records;
use serde_json::{Map, Value, json};

use super::{correction, merge, move_in, payload, viewing};

/// The stay that the student wishes for. What is not said stays as it is.
#[derive(Debug, Clone, Default)]
pub struct StayWish {
    /// A day (`2027-09-11`) or a month (`2027-09`).
    pub move_in_date: Option<String>,
    /// As rooms are let: `44 weeks`.
    pub lease_duration: Option<String>,
}

/// Changes the stay and says where the log then stood.
///
/// # Errors
/// 422 naming the field, 409 where the lead is closed or booked.
pub async fn change_stay(
    records: &Records,
    lead_id: LeadId,
    wish: &StayWish,
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let mut said_anew = Map::new();
    for (name, said) in [
        ("move_in_date", &wish.move_in_date),
        ("lease_duration", &wish.lease_duration),
    ] {
        if let Some(said) = said {
            said_anew.insert(name.to_owned(), Value::from(said.trim()));
        }
    }
    let merged = merge::merged(&lead, &json!({ "lead": { "data": said_anew } }))?;
    let over = move_in::fault_of_change(records, &lead, merged.data.move_in_date.as_ref()).await?;
    let zone = viewing::zone_of_lead(records, &lead).await?;
    let checked = payload::with(payload::check(&merged, clock::now(), zone), [over])
        .map_err(|faults| ApiError::invalid(field_errors(&faults)))?;
    let change = correction::Change {
        edition: None,
        wish: checked.wish,
        personal: None,
        viewing: None,
        by_staff: None,
    };
    correction::change(records, lead_id, &change, asked).await
}

/// How the student is reached, as they told staff. What is not said stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Contact {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
}

/// Corrects the contact in one append with the act that says who and why, and says where the log then stood. Whose the lead is stays:
/// a claimed one is its account's, and an unclaimed one does not go to an address that an account has proved (decision 0026).
///
/// # Errors
/// 422 naming the field, 409 where the lead is closed, says the same already, or its person was forgotten.
pub async fn correct_contact(
    records: &Records,
    lead_id: LeadId,
    contact: &Contact,
    acting: Acting,
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let gone = || ApiError::conflict("forgotten", say("refusal.case_forgotten"));
    let known = lead.personal.clone().ok_or_else(gone)?;
    let change = correction::Change {
        edition: None,
        wish: lead.wish.clone(),
        personal: Some(corrected(known, contact)?),
        viewing: None,
        by_staff: Some(acting),
    };
    correction::change(records, lead_id, &change, asked).await
}

fn corrected(known: LeadPersonal, contact: &Contact) -> ApiResult<LeadPersonal> {
    let (mut personal, mut faults) = (known, Vec::new());
    let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    match said(&contact.name).map(|name| PersonName::parse(&name)) {
        Some(Ok(name)) => personal.name = name,
        Some(Err(code)) => faults.push(FieldFault::new("name", code)),
        None => {}
    }
    match said(&contact.email).map(|email| Email::parse(&email)) {
        Some(Ok(email)) => personal.email = email,
        Some(Err(code)) => faults.push(FieldFault::new("email", code)),
        None => {}
    }
    match said(&contact.phone).map(|phone| Phone::parse(&phone)) {
        Some(Ok(phone)) => personal.phone = phone,
        Some(Err(code)) => faults.push(FieldFault::new("phone", code)),
        None => {}
    }
    if faults.is_empty() {
        Ok(personal)
    } else {
        Err(ApiError::invalid(field_errors(&faults)))
    }
}
