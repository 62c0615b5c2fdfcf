//! The draft of the house's brand, and a look at what a change of it would come to.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use brands::access::KEEPERS;
use brands::commands::change_draft::{ChangeDraft, change_draft, merge_look};
use brands::error::BrandError;
use brands::questions::brand_state::read_brand;
use domain::brand::{BrandRejection, HOUSE_BRAND};
use eventlog::CommitError;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::refusals::{refuse, say_changed};
use super::shown::{BrandColours, BrandValues, BrandView, Showing};
use crate::Services;

/// Who keeps the brand.
pub(super) const KEEPING: Access = Access::Staff(KEEPERS);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(show_brand))
        .endpoint(KEEPING, routes!(draft_brand))
        .endpoint(KEEPING, routes!(preview_brand))
}

/// Values to change; one that is not named stays, and null gives one back to what ships.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 0, "values": { "name": "Quayside", "main_colour": "#7A2E5D" } }))]
pub struct BrandEdit {
    /// The revision of the brand that was read: one that was changed since refuses the edit.
    revision: u64,
    #[schema(value_type = BrandValues)]
    values: BTreeMap<String, Value>,
}

/// Values to look at, over those of the draft.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "values": { "main_colour": "#E8743B" } }))]
pub struct BrandTrial {
    #[schema(value_type = BrandValues)]
    values: BTreeMap<String, Value>,
}

/// The draft with these values.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandPreview {
    values: BrandValues,
    colours: BrandColours,
}

/// The house's brand: its draft, what readers see of it, and what file or environment give.
#[utoipa::path(get, path = "/api/v0/workspace/brand", tag = "admin", responses((status = 200, body = Success<BrandView>)))]
pub async fn show_brand(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<BrandView>> {
    Ok(Success::new(
        Showing::new(&records, &settings).show_house().await?,
    ))
}

/// Changes the draft. Readers see nothing of it until it is published.
///
/// # Errors
/// 409 with the brand where it was changed after `revision`, 422 with the value.
#[utoipa::path(patch, path = "/api/v0/workspace/brand", tag = "admin", request_body = BrandEdit,
    responses((status = 200, body = Success<BrandView>), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn draft_brand(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<BrandEdit>,
) -> ApiResult<Success<BrandView>> {
    let asked = context.command(staff.actor(), &body);
    let change = ChangeDraft {
        brand_id: HOUSE_BRAND,
        revision: Some(body.revision),
        changes: body.values.into_iter().collect(),
        by: Some(staff.person.user_id),
    };
    let mut showing = Showing::new(&records, &settings);
    let done = match change_draft(&records.log, &change, &asked).await {
        Ok(done) => done,
        Err(CommitError::Rejected(BrandError::ChangedMeanwhile)) => {
            return Err(say_changed(&showing.show_house().await?));
        }
        Err(error) => return Err(error.map(refuse).into()),
    };
    // Nothing was to be written where everything is so already.
    let position = if done.last == 0 {
        records.log.head().await?
    } else {
        done.last
    };
    records.answers_for(position);
    Ok(Success::at(showing.show_house().await?, position))
}

/// Tries values over those of the draft: answers with its colours, and how well they can be read. Nothing is kept.
///
/// # Errors
/// 422 with the value.
#[utoipa::path(post, path = "/api/v0/workspace/brand/preview", tag = "admin", request_body = BrandTrial,
    responses((status = 200, body = Success<BrandPreview>), (status = 422, body = Failure)))]
pub async fn preview_brand(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Body(body): Body<BrandTrial>,
) -> ApiResult<Success<BrandPreview>> {
    let state = read_brand(&records.log, HOUSE_BRAND).await?;
    let tried: Map<String, Value> = body.values.into_iter().collect();
    let look = merge_look(&state.brand.draft, &tried).map_err(refuse)?;
    look.check()
        .map_err(|fault| refuse(BrandRejection::Fault(fault).into()))?;
    Ok(Success::new(BrandPreview {
        values: BrandValues::of(&look)?,
        colours: BrandColours::of(&look),
    }))
}
