//! The history of a home as staff read it: each act with who, why and what it changed, and with its undo or the reason why there is none.

use std::sync::Arc;

use axum::extract::State;
use domain::id::{ImportRunId, InventoryId};
use eventlog::ActorKind;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::HomeChangeWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, Query, RequestContext, limit_of};
use http_kit::said::{Said, say};
use listings::commands::undo_step::{UndoStep, undo_step};
use listings::questions::home_steps::{
    FactChange, HomeStep, HomeSteps, WhyNot, is_booked_above, read_home_steps,
};
use platform::clock;
use platform::config::Settings;
use projections::import_runs;
use projections::payment_audit::instant;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::EDITING;
use super::one::{StaffHome, answer_with};
use super::refusals::{refuse, say_why_not};
use super::shown::{FactValue, Showing, value_of};
use crate::Services;
use crate::history::ActorRef;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(home_history))
        .endpoint(EDITING, routes!(undo_home_step))
}

/// Steps of a page.
const LIMIT: u64 = 50;
const LIMIT_MAX: u64 = 200;

/// Which steps.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct HistoryQuery {
    /// Steps before this one: `next` of the answer.
    before: Option<u64>,
    limit: Option<u64>,
}

/// A page of a home's history, the newest step first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeHistory {
    steps: Vec<StepRow>,
    /// How many there are.
    count: u64,
    /// Where the next page begins; null on the last.
    next: Option<u64>,
}

/// One act on a home.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeStep)]
pub struct StepRow {
    /// An undo names it.
    step: u64,
    at: String,
    #[schema(value_type = HomeChangeWord)]
    kind: &'static str,
    by: ActorRef,
    /// The run of the feed that it came with.
    run_id: Option<String>,
    /// Why, where somebody said so.
    reason: Option<String>,
    changes: Vec<ChangeRow>,
    can_undo: bool,
    /// Why it is not undone.
    #[schema(value_type = Option<String>)]
    why_not: Option<Said>,
}

/// A fact before and after a step.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeFactChange)]
pub struct ChangeRow {
    /// Its name.
    fact: String,
    room_id: Option<String>,
    /// Null where nothing was said, or the home had no such fact.
    from: Option<FactValue>,
    to: Option<FactValue>,
}

/// An undo of a step.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeUndo, example = json!({ "step": 4711, "reason": "Wrong home" }))]
pub struct UndoRequest {
    /// As the history names it.
    step: u64,
    /// Why, for colleagues.
    reason: String,
}

/// The history of a home, the newest step first.
///
/// # Errors
/// 404 for an unknown home.
#[utoipa::path(get, path = "/api/v0/workspace/homes/{id}/history", tag = "support",
    params(("id" = String, Path), HistoryQuery),
    responses((status = 200, body = Success<HomeHistory>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn home_history(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<InventoryId>,
    Query(asked): Query<HistoryQuery>,
) -> ApiResult<Success<HomeHistory>> {
    let limit = limit_of(asked.limit, LIMIT, LIMIT_MAX)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let read = read_home_steps(&records.log, id).await?;
    let read = read.ok_or_else(|| ApiError::not_found(say("refusal.no_property")))?;
    let before = asked.before.unwrap_or(u64::MAX);
    let mut earlier = read.steps.iter().rev().filter(|step| step.position < before);
    let page: Vec<&HomeStep> = earlier.by_ref().take(limit).collect();
    let next = earlier.next().and(page.last()).map(|step| step.position);
    let mut telling = Telling {
        records: &records,
        showing: Showing::new(&records.log, &settings, None),
        read: &read,
    };
    let mut steps = Vec::with_capacity(page.len());
    for step in page {
        steps.push(telling.tell(step).await?);
    }
    Ok(Success::new(HomeHistory {
        steps,
        count: read.steps.len() as u64,
        next,
    }))
}

/// Undoes a step of a home; the undo is a step of its own. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 where the step is not undone, with the reason, 422 for a step that the home does not have.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/undo", tag = "support", params(("id" = String, Path)),
    request_body = UndoRequest,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn undo_home_step(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<UndoRequest>,
) -> ApiResult<Success<StaffHome>> {
    let undo = UndoStep {
        home_id: id,
        step: body.step,
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let asked = context.command(staff.actor(), &body);
    let undone = undo_step(&records.log, &undo, &asked).await;
    undone.map_err(|error| error.map(refuse))?;
    answer_with(&records, id, context.lang).await
}

/// Tells steps of one home.
struct Telling<'t> {
    records: &'t Records,
    showing: Showing<'t>,
    read: &'t HomeSteps,
}

impl Telling<'_> {
    async fn tell(&mut self, step: &HomeStep) -> ApiResult<StepRow> {
        let why_not = self.find_why_not(step).await?;
        let is_staff = step.actor.kind == ActorKind::Staff;
        let run = ImportRunId(step.correlation_id);
        let run = if is_staff {
            None
        } else {
            import_runs::find(self.records.read.readers(), run).await?
        };
        Ok(StepRow {
            step: step.position,
            at: instant(step.at),
            kind: step.kind.key(),
            by: self.showing.name_actor(step.actor).await?,
            run_id: run.map(|run| run.run_id),
            reason: step.reason.clone(),
            changes: step.changes.iter().filter_map(show_change).collect(),
            can_undo: why_not.is_none(),
            why_not: why_not.map(say_why_not),
        })
    }

    async fn find_why_not(&self, step: &HomeStep) -> ApiResult<Option<WhyNot>> {
        let undo = match self.read.plan_undo(step) {
            Ok(undo) => undo,
            Err(why) => return Ok(Some(why)),
        };
        let home = &self.read.home;
        let is_booked = is_booked_above(&self.records.log, home, &undo, clock::now()).await?;
        Ok(is_booked.then_some(WhyNot::Booked))
    }
}

fn show_change(change: &FactChange) -> Option<ChangeRow> {
    let key = change.key()?;
    Some(ChangeRow {
        fact: key.to_string(),
        room_id: key.room().map(|room| room.to_string()),
        from: change.before.as_ref().and_then(value_of),
        to: change.after.as_ref().and_then(value_of),
    })
}
