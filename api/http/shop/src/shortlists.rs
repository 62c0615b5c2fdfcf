//! The shortlist (row F6, D22, D129): adding twice is one entry, removing takes the entry's id or the property's.

use axum::extract::State;
use domain::contact::FaultCode;
use domain::id::{InventoryId, ShortlistEntryId, StreamKey};
use domain::shortlist::{Shortlist, ShortlistCommand};
use eventlog::{Actor, commit};
use http_kit::body::Body;
use http_kit::caller::Person;
use http_kit::endpoints::{Endpoints, Method, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_error;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use records::{Records, listing};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(add))
        .endpoint(Access::LoggedIn, routes!(remove))
        .undocumented(
            Access::LoggedIn,
            Method::POST,
            "/api/v0/auth/users/inventories_shortlists/",
            add,
        )
}

/// `{inventories_shortlist: {inventory_id}}`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "inventories_shortlist": { "inventory_id": "01923456-789a-7bcd-8ef0-123456789abc" } }))]
pub struct ShortlistRequest {
    inventories_shortlist: ShortlistFields,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct ShortlistFields {
    inventory_id: String,
}

/// One entry (Spec §3).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShortlistEntry)]
pub struct Entry {
    id: String,
    inventory_id: String,
}

/// Puts a property on the shortlist.
///
/// # Errors
/// 422 for a property that is not there, 409 when the list is full.
#[utoipa::path(post, path = "/api/v0/auth/users/inventories_shortlists", operation_id = "add_to_shortlist", request_body = ShortlistRequest,
    responses((status = 200, body = Success<Entry>), (status = 401), (status = 422)))]
pub async fn add(
    State(records): State<Records>,
    context: RequestContext,
    person: Person,
    Body(request): Body<ShortlistRequest>,
) -> ApiResult<Success<Entry>> {
    let wanted = &request.inventories_shortlist.inventory_id;
    let Some(listing) = listing::find_id(&records, wanted).await? else {
        let field = "inventories_shortlist/inventory_id";
        return Err(ApiError::invalid(vec![field_error(
            field,
            FaultCode::UnknownInventory,
        )]));
    };
    let inventory_id = listing.root_id;
    let entry_id = ShortlistEntryId(clock::new_id());
    let command = ShortlistCommand::Add {
        entry_id,
        inventory_id,
        at: clock::now(),
    };
    let asked = context.command(Actor::student(person.user_id.uuid()), &request);
    let added = commit::<Shortlist>(&records.log, person.user_id, command, &asked).await?;
    let entry_id = added
        .state
        .entries
        .get(&inventory_id)
        .copied()
        .unwrap_or(entry_id);
    let entry = Entry {
        id: entry_id.to_string(),
        inventory_id: inventory_id.to_string(),
    };
    records.answers_for(added.position);
    Ok(Success::at(entry, added.position))
}

/// Takes a property off the shortlist; what is not on it is gone already.
///
/// # Errors
/// 404 for what neither is, nor was on the list, nor is a property.
#[utoipa::path(delete, path = "/api/v0/auth/users/inventories_shortlists/{id}", operation_id = "remove_from_shortlist", params(("id" = String, Path)),
    responses((status = 200, body = Success<Option<Entry>>), (status = 401), (status = 404)))]
pub async fn remove(
    State(records): State<Records>,
    context: RequestContext,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Success<Option<Entry>>> {
    let list = records.log.load::<Shortlist>(person.user_id).await?.state;
    let found = match find_entry(&list, &id) {
        Some(found) => Some(found),
        // A room's or an imported id stands for its property too.
        None => match listing::find_id(&records, &id).await? {
            Some(listing) => find_entry(&list, &listing.root_id.to_string()),
            None if list.removed.iter().any(|entry_id| entry_id.to_string() == id) => None,
            None => return Err(ApiError::not_found(say("refusal.no_shortlist_entry"))),
        },
    };
    let Some((inventory_id, entry_id)) = found else {
        return Ok(Success::new(None));
    };
    let command = ShortlistCommand::Remove {
        inventory_id,
        at: clock::now(),
    };
    let asked = context.command(Actor::student(person.user_id.uuid()), &id);
    let removed = commit::<Shortlist>(&records.log, person.user_id, command, &asked).await?;
    let entry = Entry {
        id: entry_id.to_string(),
        inventory_id: inventory_id.to_string(),
    };
    records.answers_for(removed.position);
    Ok(Success::at(Some(entry), removed.position))
}

fn find_entry(list: &Shortlist, id: &str) -> Option<(InventoryId, ShortlistEntryId)> {
    list.entries
        .iter()
        .find(|(inventory_id, entry_id)| inventory_id.to_string() == id || entry_id.to_string() == id)
        .map(|(inventory_id, entry_id)| (*inventory_id, *entry_id))
}
