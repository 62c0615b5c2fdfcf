//! Values of a home from its feed and from people, and edits of them, as staff see and make them (U6, decision 0044).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use domain::id::InventoryId;
use eventlog::CommitError;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use listings::commands::edit_home::{EditHome, edit_home};
use listings::error::ListingsError;
use listings::questions::home_values::read_home_values;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::read_edit::{self, AddressEdit, PlaceAsked, PointAsked, TermsEdit};
use super::refusals::{name_gone, refuse};
use super::shown::{HomeChanges, HomeValuesView, Showing};
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(home_values))
        .endpoint(EDITING, routes!(change_home))
}

/// Facts to change; one that is not named stays.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "position": 4711, "reason": "Measured on site", "name": "Queen House", "guarantor": "not_required",
    "rooms": [{ "room_id": "01923456-789a-7bcd-8ef0-123456789abd", "count": 4,
        "leases": [{ "move_in": "2027-09-11", "length": "44 weeks", "price_minor": 18900 }] }],
    "unset": ["bills_included"] }))]
pub struct HomeEdit {
    /// The position of the values that were read: what was changed after it refuses the edit.
    pub(super) position: u64,
    /// Why, for colleagues.
    pub(super) reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Names for readers of other languages, by the tag of the language; null takes one away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) names: BTreeMap<String, Option<String>>,
    /// By the tag of their language; null takes the text away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) description: BTreeMap<String, Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guarantor: Option<GuarantorSaid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bills: Option<BillsSaid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<KindSaid>,
    /// The whole address: a part that is left out is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<AddressEdit>,
    /// The whole list, by their keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) facilities: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) terms: Option<TermsEdit>,
    /// Moves it to another city or area of its country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<PlaceAsked>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) coordinates: Option<PointAsked>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) rooms: Vec<RoomEdit>,
    /// Names of facts that show the feed's value again, as the values name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) unset: Vec<String>,
}

/// Who may stand surety.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuarantorSaid {
    Local,
    International,
    NotRequired,
    NotSaid,
}

/// Whether the rent includes all bills.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BillsSaid {
    Included,
    Apart,
    NotSaid,
}

/// A kind of house.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindSaid {
    StudentAccommodation,
    Apartment,
    UniversityHall,
    House,
    NotSaid,
}

/// Facts of one room type to change.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomEdit {
    pub(super) room_id: String,
    /// How many rooms of the type there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<u32>,
    /// By the tag of the language, in every language that it has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) name: BTreeMap<String, String>,
    /// Such as `private_room`, `shared_kitchen`; what is left out is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) types: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) leases: Vec<LeaseEdit>,
}

/// The price of one lease that the room is let for.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaseEdit {
    pub(super) move_in: String,
    /// Such as `44 weeks`.
    pub(super) length: String,
    /// For each period, in minor units of the home's currency.
    pub(super) price_minor: u64,
}

/// The values of a home: of each fact what is shown, what its feed says, what a person set, and who said so when.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/values", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<HomeValuesView>), (status = 404, body = Failure)))]
pub async fn home_values(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
) -> ApiResult<Success<HomeValuesView>> {
    Ok(Success::new(show(&records, &settings, id).await?))
}

/// Sets facts of a home over its feed's values, and takes such edits back. A value that a person set is shown until the feed changes its
/// own. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 with what changed, and with the names of facts that are gone, where it was changed after `position`, 409 with the bookings where fewer rooms would be
/// left than are taken for some night, 422 with the field.
#[utoipa::path(patch, path = "/api/v0/workspace/homes/{id}", tag = "support", params(("id" = String, Path)),
    request_body = HomeEdit,
    responses((status = 200, body = Success<HomeValuesView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn change_home(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<HomeEdit>,
) -> ApiResult<Success<HomeValuesView>> {
    let edit = EditHome {
        home_id: id,
        position: body.position,
        set: read_edit::read_facts(&records, id, &body).await?,
        unset: body.unset.clone(),
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let asked = context.command(staff.actor(), &body);
    if let Err(error) = edit_home(&records.log, &edit, &asked).await {
        return Err(refuse_meanwhile(&records, &settings, id, error).await?);
    }
    let shown = show(&records, &settings, id).await?;
    let position = shown.position;
    records.answers_for(position);
    Ok(Success::at(shown, position))
}

/// The answer to an edit that stands against the home; one that was changed meanwhile comes with what changed.
pub(super) async fn refuse_meanwhile(
    records: &Records,
    settings: &Settings,
    id: InventoryId,
    error: CommitError<ListingsError>,
) -> ApiResult<ApiError> {
    let meanwhile = match error {
        CommitError::Rejected(ListingsError::ChangedMeanwhile(meanwhile)) => meanwhile,
        other => return Ok(other.map(refuse).into()),
    };
    let read = read_home_values(&records.log, id).await?;
    let mut showing = Showing::new(&records.log, settings, read.as_ref());
    let current = HomeChanges {
        position: meanwhile.position,
        changed: showing.show_all(&meanwhile.changed).await?,
    };
    let mut refused = ApiError::conflict("changed_meanwhile", say("refusal.home_changed"));
    refused.errors = meanwhile.gone.iter().map(name_gone).collect();
    Ok(refused.with_current(&current))
}

async fn show(records: &Records, settings: &Settings, id: InventoryId) -> ApiResult<HomeValuesView> {
    let read = read_home_values(&records.log, id).await?;
    let read = read.ok_or_else(|| refuse(ListingsError::UnknownHome))?;
    let values = Showing::new(&records.log, settings, Some(&read))
        .show_all(&read.values)
        .await?;
    HomeValuesView::of(id, &read, values).ok_or_else(|| refuse(ListingsError::UnknownHome))
}
