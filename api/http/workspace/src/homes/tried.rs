//! Consequences of a change of prices and numbers of rooms: the bookings that it would leave without a room, those who wait and would find
//! one, and the enquiries whose price it would change. Nothing is written.

use axum::extract::State;
use domain::id::{InventoryId, LeadId};
use domain::inventory::Inventory;
use domain::inventory::asked_price::asked_minor;
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::price_lock::price_lock;
use http_kit::request::{Path, RequestContext};
use listings::questions::tried_edit::{TriedEdit, TriedRoom, try_edit};
use platform::clock;
use projections::staff_homes::query::list_leads_of;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::read_edit::read_room;
use super::refusals::refuse;
use super::values::RoomEdit;
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(EDITING, routes!(try_home_edit))
}

/// Enquiries that are looked at, the newest first.
const LEADS_MAX: u64 = 500;

/// Numbers of rooms and prices to try.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeEditTried, example = json!({ "rooms": [{ "room_id": "01923456-789a-7bcd-8ef0-123456789abd", "count": 4,
    "leases": [{ "move_in": "2027-09-11", "length": "44 weeks", "price_minor": 18900 }] }] }))]
pub struct TriedRequest {
    rooms: Vec<RoomEdit>,
}

/// Consequences of a change that is tried.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeWhatIf)]
pub struct WhatIfView {
    /// True where the edit would be made: no booking and no hold would be without a room.
    is_possible: bool,
    rooms: Vec<WhatIfRoom>,
    /// Open enquiries whose price would change.
    leads: Vec<WhatIfLead>,
    /// Open enquiries at the home that were looked at; of more than 500 the newest.
    leads_read: u64,
}

/// A room type that the change touches.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeWhatIfRoom)]
pub struct WhatIfRoom {
    room_id: String,
    name: String,
    rooms_before: u32,
    rooms_after: u32,
    /// References of enquiries whose bookings or holds would be too many.
    short: Vec<String>,
    /// Places of its waitlist, and those of them that would find a room.
    waiting: u64,
    would_find: u64,
    /// Leases whose price changes.
    leases: Vec<WhatIfLease>,
}

/// A lease before and after the change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeWhatIfLease)]
pub struct WhatIfLease {
    move_in: String,
    length: String,
    before_minor: u64,
    after_minor: u64,
}

/// An enquiry before and after the change, at the price that counts for it: one that it froze may.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeWhatIfLead)]
pub struct WhatIfLead {
    lead_id: String,
    reference: String,
    before_minor: Option<u64>,
    after_minor: Option<u64>,
}

/// Tells the consequences of a change of prices and numbers of rooms; nothing is written.
///
/// # Errors
/// 404 for an unknown home, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/what_if", tag = "support", params(("id" = String, Path)),
    request_body = TriedRequest,
    responses((status = 200, body = Success<WhatIfView>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn try_home_edit(
    State(records): State<Records>,
    context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<TriedRequest>,
) -> ApiResult<Success<WhatIfView>> {
    let now = clock::now();
    let mut set = Vec::new();
    for (place, room) in body.rooms.iter().enumerate() {
        read_room(&format!("rooms/{place}"), room, &mut set)?;
    }
    let tried = try_edit(&records.log, id, set, now).await;
    let tried = tried.map_err(|error| error.map(refuse))?;
    let found = list_leads_of(records.heard().await?, id, LEADS_MAX).await?;
    let leads_read = found.len() as u64;
    let mut leads = Vec::new();
    for lead in found {
        let room = lead
            .inventory_id
            .and_then(|room| room.parse::<InventoryId>().ok());
        let room = room.filter(|room| *room != id);
        let Ok(lead_id) = lead.lead_id.parse::<LeadId>() else {
            continue;
        };
        let state = records.log.load::<Lead>(lead_id).await?.state;
        let (before_minor, after_minor) = price_both(&records, &state, (room, &tried), now).await?;
        if before_minor != after_minor {
            leads.push(WhatIfLead {
                lead_id: lead.lead_id,
                reference: lead.reference,
                before_minor,
                after_minor,
            });
        }
    }
    Ok(Success::new(WhatIfView {
        is_possible: tried.rooms.iter().all(|room| room.short.is_empty()),
        rooms: tried
            .rooms
            .into_iter()
            .map(|room| WhatIfRoom::of(room, context.lang))
            .collect(),
        leads,
        leads_read,
    }))
}

/// Prices of an enquiry's stay before the change and after it.
async fn price_both(
    records: &Records,
    lead: &Lead,
    (room, tried): (Option<InventoryId>, &TriedEdit),
    at: Moment,
) -> ApiResult<(Option<u64>, Option<u64>)> {
    let asked = |home: &Inventory| asked_minor(home, room, &lead.wish);
    let (before, after) = (asked(&tried.before), asked(&tried.after));
    let kept = match room {
        Some(room) => price_lock(&records.log, lead, (room, None), at).await?,
        None => None,
    };
    let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
    Ok(match (kept, lock) {
        (Some(kept), Some(lock)) => {
            let counted = after.map(|after| lock.counts(kept.frozen_minor, after, at));
            (Some(kept.counts_minor), counted)
        }
        _ => (before, after),
    })
}

impl WhatIfRoom {
    fn of(room: TriedRoom, lang: Language) -> Self {
        let (before, after) = (&room.before, &room.after);
        let leases = before.leases.iter().filter_map(|lease| {
            let changed = after.lease(lease.stay())?;
            (changed.price_minor != lease.price_minor).then(|| WhatIfLease {
                move_in: lease.move_in.to_string(),
                length: lease.length.to_string(),
                before_minor: lease.price_minor,
                after_minor: changed.price_minor,
            })
        });
        Self {
            room_id: before.details.id.to_string(),
            name: after.details.name.in_language(lang.code()).to_owned(),
            rooms_before: before.rooms,
            rooms_after: after.rooms,
            leases: leases.collect(),
            waiting: room.waiting,
            would_find: room.would_find,
            short: room.short,
        }
    }
}
