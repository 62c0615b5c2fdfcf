//! For which rooms a person waits, over all of their enquiries, and for which ones a contact does (decision 0022).

use std::collections::BTreeMap;

use domain::id::{InventoryId, LeadId, PaymentId};
use domain::lead::Lead;
use domain::lease::Stay;
use domain::room_stock::RoomStock;
use domain::user_history::UserHistory;
use eventlog::{EventLog, Loaded, LogError};
use projections::lead_board;
use records::Records;
use records::error::RecordsError;

/// Enquiries of one contact that are counted.
const MOST_LEADS: i64 = 200;

/// A place that waits or is offered a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenPlace {
    pub payment_id: PaymentId,
    pub room_id: InventoryId,
    pub stay: Stay,
}

/// The enquiries of one person, as they stood when they were read, and the places that are open among them.
pub struct Waiting {
    pub leads: BTreeMap<LeadId, Loaded<Lead>>,
    pub open: Vec<OpenPlace>,
}

/// What the person of an enquiry waits for: over all enquiries that they have proved to be theirs; of an unclaimed enquiry its own
/// places.
///
/// # Errors
/// When the log cannot be read.
pub async fn of_person(log: &EventLog, lead_id: LeadId) -> Result<Waiting, LogError> {
    let leads = leads_of_person(log, lead_id).await?;
    let open = open_places(log, &leads).await?;
    Ok(Waiting { leads, open })
}

/// Reads an enquiry and, once somebody has claimed it, all others that they have proved to be theirs.
///
/// # Errors
/// When the log cannot be read.
pub async fn leads_of_person(
    log: &EventLog,
    lead_id: LeadId,
) -> Result<BTreeMap<LeadId, Loaded<Lead>>, LogError> {
    let lead = log.load::<Lead>(lead_id).await?;
    let owner = lead.state.person().filter(|_| !lead.state.is_unclaimed());
    let mut leads = BTreeMap::from([(lead_id, lead)]);
    if let Some(owner) = owner {
        for other in log.load::<UserHistory>(owner).await?.state.leads() {
            if other != lead_id {
                leads.insert(other, log.load::<Lead>(other).await?);
            }
        }
    }
    Ok(leads)
}

/// What counts when the person of an enquiry takes a place: of a claimed enquiry what [`of_person`] says; of an unclaimed one, the
/// places of every enquiry with the same address, so that more enquiries give no more places. An unproved number does
/// not count: it may be another person's.
///
/// # Errors
/// When the log or the read models cannot be read.
pub async fn of_contact(records: &Records, lead_id: LeadId) -> Result<Waiting, RecordsError> {
    let mut waiting = of_person(&records.log, lead_id).await?;
    let is_unclaimed = waiting
        .leads
        .get(&lead_id)
        .is_none_or(|lead| lead.state.is_unclaimed());
    if !is_unclaimed {
        return Ok(waiting);
    }
    let pool = records.heard().await?;
    for row in lead_board::query::of_same_address(pool, lead_id, MOST_LEADS).await? {
        if let Some(other) = row.id() {
            waiting
                .leads
                .insert(other, records.log.load::<Lead>(other).await?);
        }
    }
    waiting.open = open_places(&records.log, &waiting.leads).await?;
    Ok(waiting)
}

async fn open_places(
    log: &EventLog,
    leads: &BTreeMap<LeadId, Loaded<Lead>>,
) -> Result<Vec<OpenPlace>, LogError> {
    let mut open = Vec::new();
    let places = leads.values().flat_map(|lead| &lead.state.places);
    for (payment_id, room_id) in places {
        let stock = log.load::<RoomStock>(*room_id).await?.state;
        let place = stock.waitlist.place(*payment_id).filter(|place| place.is_alive());
        open.extend(place.map(|place| OpenPlace {
            payment_id: *payment_id,
            room_id: *room_id,
            stay: place.stay,
        }));
    }
    Ok(open)
}
