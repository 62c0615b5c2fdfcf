//! For which rooms a person waits, over all of their enquiries (decision 0022).

use std::collections::BTreeMap;

use domain::id::{InventoryId, LeadId, PaymentId};
use domain::lead::Lead;
use domain::lease::Stay;
use domain::room_stock::RoomStock;
use domain::user_history::UserHistory;
use eventlog::{EventLog, Loaded, LogError};

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
    Ok(Waiting { leads, open })
}
