//! What staff change of an enquiry as its student asked: under the rules of the student's own change (row I4).

use domain::contact::{Email, FieldFault, PersonName, Phone, is_blank};
use domain::id::LeadId;
use domain::lead::{Acting, Lead, LeadEvent, LeadPersonal};
use domain::moment::Moment;
use domain::user::User;
use eventlog::{Context, EventLog, Position, StreamId};
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::lead_history;
use records::Records;
use serde_json::{Map, Value, json};

use super::anew::{NewEnquiry, contact_anew};
use super::{correction, merge, move_in, payload, viewing};

/// Events of a lead that are read at once.
const AT_ONCE: usize = 500;

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
        undoes: None,
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
        undoes: None,
    };
    correction::change(records, lead_id, &change, asked).await
}

/// Gives an enquiry that a mistyped address gave away to its student. Where its key is its own, it moves with its history and with what
/// was begun before the claim, and the account that claimed it loses it; what that account began stays with it, and a new enquiry says
/// the student's words anew.
///
/// # Errors
/// As [`correct_contact`].
pub async fn give_to_student(
    (records, settings): (&Records, &Settings),
    lead_id: LeadId,
    contact: &Contact,
    acting: Acting,
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    if lead.key_to_hand_over().is_err() {
        return enquire_anew((records, settings), lead_id, contact, (acting, true), asked).await;
    }
    let gone = || ApiError::conflict("forgotten", say("refusal.case_forgotten"));
    let personal = corrected(lead.personal.ok_or_else(gone)?, contact)?;
    let given = correction::hand_over(records, lead_id, (&personal, &acting), asked).await?;
    claim_where_proved(records, lead_id, given, asked).await
}

/// Claims the enquiry for an account that has proved the right address already: its student may be logged in, and then no login comes
/// that would claim it.
async fn claim_where_proved(
    records: &Records,
    lead_id: LeadId,
    given: Position,
    asked: &Context,
) -> ApiResult<Position> {
    let log = &records.log;
    let lead = log.load::<Lead>(lead_id).await?.state;
    let Some(student) = lead.person().filter(|_| lead.is_unclaimed()) else {
        return Ok(given);
    };
    let user = log.load::<User>(student).await?.state;
    let proved = user.email.filter(|email| lead.is_named(email));
    if proved.is_none() {
        return Ok(given);
    }
    let claimed = lead_history::claim(log, lead_id, student, &asked.step("proved")).await?;
    Ok(given.max(claimed.last))
}

/// Makes a new enquiry of this one, for its own student or for another person. This one stays as it is, and both name each other.
///
/// # Errors
/// As [`correct_contact`].
pub async fn enquire_anew(
    (records, settings): (&Records, &Settings),
    lead_id: LeadId,
    contact: &Contact,
    (acting, is_same_student): (Acting, bool),
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let gone = || ApiError::conflict("forgotten", say("refusal.case_forgotten"));
    let personal = corrected(lead.personal.ok_or_else(gone)?, contact)?;
    let new = NewEnquiry {
        records,
        settings,
        personal: contact_anew(personal, is_same_student),
        acting: &acting,
        is_same_student,
    };
    new.make(lead_id, asked).await
}

/// Whether a contact gives an enquiry that an account has another address: then staff say what they mean by it.
///
/// # Errors
/// 422 for an address that cannot be read.
pub fn needs_meaning(lead: &Lead, contact: &Contact) -> ApiResult<bool> {
    let Some(known) = lead.personal.clone().filter(|_| !lead.is_unclaimed()) else {
        return Ok(false);
    };
    Ok(!lead.is_named(&corrected(known, contact)?.email))
}

/// Puts back the contact that the lead had before staff corrected it, by the same change: both addresses are told.
///
/// # Errors
/// 409 where there is none to put back (see [`find_contact_to_put_back`]).
pub async fn undo_contact(
    records: &Records,
    lead_id: LeadId,
    acting: Acting,
    asked: &Context,
) -> ApiResult<Position> {
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let undoes = correction::undoable(&lead, asked.at);
    let before = find_contact_to_put_back(&records.log, (lead_id, &lead), asked.at).await?;
    let (Some(known), Some(before)) = (lead.personal, before) else {
        return Err(correction::undo_is_over());
    };
    let change = correction::Change {
        edition: None,
        wish: lead.wish,
        personal: Some(LeadPersonal {
            name: before.name,
            email: before.email,
            phone: before.phone,
            ..known
        }),
        viewing: None,
        by_staff: Some(acting),
        undoes,
    };
    correction::change(records, lead_id, &change, asked).await
}

/// The contact that can be put back now; `None` where its time is over, the contact was changed since, or putting it back would give an
/// unclaimed enquiry to an account at once.
///
/// # Errors
/// When the log cannot be read.
pub async fn find_contact_to_put_back(
    log: &EventLog,
    (lead_id, lead): (LeadId, &Lead),
    at: Moment,
) -> ApiResult<Option<LeadPersonal>> {
    if !lead.can_undo_contact(at) {
        return Ok(None);
    }
    let before = contact_before(log, lead_id).await?;
    match &before {
        Some(before) if correction::belongs_to_account(log, lead, &before.email).await? => Ok(None),
        _ => Ok(before),
    }
}

/// The contact before the last change; `None` where there was no change, or its words are gone with the person.
async fn contact_before(log: &EventLog, lead_id: LeadId) -> ApiResult<Option<LeadPersonal>> {
    let stream = StreamId::of::<Lead>(lead_id);
    let (mut before, mut now) = (None, None);
    let mut after = 0;
    loop {
        let events = log.read_stream(&stream, after, AT_ONCE).await?;
        let Some(last) = events.last() else {
            return Ok(before);
        };
        after = last.revision;
        for record in &events {
            let event = record.decode::<Lead>()?;
            if let LeadEvent::Created { personal, .. } | LeadEvent::ContactChanged { personal, .. } = event {
                before = std::mem::replace(&mut now, personal.get().cloned());
            }
        }
    }
}

fn corrected(known: LeadPersonal, contact: &Contact) -> ApiResult<LeadPersonal> {
    let (mut personal, mut faults) = (known, Vec::new());
    let said = |text: &Option<String>| text.clone().filter(|text| !is_blank(text));
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
