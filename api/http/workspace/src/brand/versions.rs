//! Versions of the house's brand: publication, history, and the way back.

use std::sync::Arc;

use axum::extract::State;
use brands::commands::publish_draft::{PublishDraft, publish_draft};
use brands::error::BrandError;
use brands::questions::brand_state::read_brand;
use domain::brand::HOUSE_BRAND;
use eventlog::{CommitError, Context};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::request::RequestContext;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::draft::KEEPING;
use super::refusals::{refuse, say_changed};
use super::shown::{BrandVersionView, BrandView, Showing};
use crate::Services;

/// Versions of an answer.
const VERSIONS_MAX: usize = 100;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(list_brand_versions))
        .endpoint(KEEPING, routes!(publish_brand))
        .endpoint(KEEPING, routes!(take_back_brand))
}

/// A draft to publish.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 2, "reason": "Autumn look, agreed on 25 November" }))]
pub struct BrandPublication {
    /// The revision of the brand that was read: one that was changed since is not published.
    revision: u64,
    /// Why, for colleagues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// An earlier version to show again.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 3, "version": 1, "reason": "The new colour prints badly" }))]
pub struct BrandReturn {
    /// The revision of the brand that was read.
    revision: u64,
    version: u32,
    /// Why, for colleagues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Versions that readers saw, the newest first; at most a hundred.
#[utoipa::path(get, path = "/api/v0/workspace/brand/versions", tag = "admin",
    responses((status = 200, body = Success<Vec<BrandVersionView>>)))]
pub async fn list_brand_versions(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<BrandVersionView>>> {
    let state = read_brand(&records.log, HOUSE_BRAND).await?;
    let mut showing = Showing::new(&records, &settings);
    Ok(Success::new(showing.list_versions(&state, VERSIONS_MAX).await?))
}

/// Shows the draft to readers: every page with the answer, mails and papers from the next one on. Other nodes follow within two seconds.
///
/// # Errors
/// 409 with the brand where it was changed after `revision`, or where readers see the draft already; 422 with the value.
#[utoipa::path(post, path = "/api/v0/workspace/brand/publish", tag = "admin", request_body = BrandPublication,
    responses((status = 200, body = Success<BrandView>), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn publish_brand(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<BrandPublication>,
) -> ApiResult<Success<BrandView>> {
    let asked = context.command(staff.actor(), &body);
    let publish = PublishDraft {
        brand_id: HOUSE_BRAND,
        revision: Some(body.revision),
        version: None,
        reason: body.reason,
        by: Some(staff.person.user_id),
    };
    show_version((&records, &settings), &publish, &asked).await
}

/// Shows an earlier version to readers again, as a new one. A draft that somebody works on stays.
///
/// # Errors
/// 404 for a version that never was, 409 with the brand where it was changed after `revision`, or where readers see that version already.
#[utoipa::path(post, path = "/api/v0/workspace/brand/take_back", tag = "admin", request_body = BrandReturn,
    responses((status = 200, body = Success<BrandView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn take_back_brand(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<BrandReturn>,
) -> ApiResult<Success<BrandView>> {
    let asked = context.command(staff.actor(), &body);
    let publish = PublishDraft {
        brand_id: HOUSE_BRAND,
        revision: Some(body.revision),
        version: Some(body.version),
        reason: body.reason,
        by: Some(staff.person.user_id),
    };
    show_version((&records, &settings), &publish, &asked).await
}

async fn show_version(
    (records, settings): (&Records, &Arc<Settings>),
    publish: &PublishDraft,
    asked: &Context,
) -> ApiResult<Success<BrandView>> {
    let mut showing = Showing::new(records, settings);
    let done = match publish_draft(&records.log, settings, publish, asked).await {
        Ok(done) => done,
        Err(CommitError::Rejected(BrandError::ChangedMeanwhile)) => {
            return Err(say_changed(&showing.show_house().await?));
        }
        Err(error) => return Err(error.map(refuse).into()),
    };
    records.answers_for(done.last);
    Ok(Success::at(showing.show_house().await?, done.last))
}
