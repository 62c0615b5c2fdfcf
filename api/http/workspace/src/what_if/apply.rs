//! A branch becomes real: its acts are done as commands of the log, each once (row N3).

use std::sync::Arc;

use axum::extract::State;
use domain::id::LeadId;
use eventlog::{CommitError, Context, Expected, Position, commit_together, done_before};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use processes::reactor::branch::ProviderAnswer;
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::conditions::Conditions;
use super::performing::{Became, Performing};
use super::shown::{read_from, streams_of};
use super::{Branch, Step, countable};
use crate::Services;
use crate::acts::written;
use crate::leads::board_row;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(apply_what_if))
}

/// A reason is a sentence or two.
const WHY_MAX: usize = 500;
/// What is only noted of messages that went out changes nothing that an act stands on.
const NOTED: [&str; 6] = [
    "LeadMessageSent",
    "LeadMessageRefused",
    "LeadLetterPosted",
    "PaymentMessageSent",
    "PaymentMessageRefused",
    "RefundMessageSent",
];

/// The branch as it was answered, and why it is applied.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIfApply, example = json!({ "base": 812, "steps": [{ "act": "reopen" }], "reason": "She called: the visa is here" }))]
pub struct ApplyBody {
    /// Where the branch begins.
    pub base: u64,
    /// The event of the past that it begins at: such a branch is not applied.
    #[serde(default)]
    pub from: Option<i64>,
    /// Conditions that it was tried under: such a branch is not applied.
    #[serde(default)]
    pub conditions: Conditions,
    pub steps: Vec<Step>,
    /// Why, for colleagues.
    pub reason: String,
}

/// Acts that were done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WhatIfApplied)]
pub struct Applied {
    pub branch: String,
    /// Approvals that other people are asked for.
    pub approvals: Vec<String>,
}

/// Applies a branch: its acts are done as the real ones, each once under the branch's name. A request that was cut off is sent again
/// and goes on.
///
/// # Errors
/// 404 for an unknown lead, 409 for a branch of the past or under conditions, one that was applied, or one whose lead has changed
/// since; 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/what-if/{branch}/apply", tag = "support",
    params(("id" = String, Path), ("branch" = String, Path)), request_body = ApplyBody,
    responses((status = 200, body = Success<Applied>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn apply_what_if(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((id, named)): Path<(String, String)>,
    Body(body): Body<ApplyBody>,
) -> ApiResult<Success<Applied>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    countable(&body.steps)?;
    let reason = written(&body.reason, "reason", WHY_MAX)?;
    if body.from.is_some() {
        return Err(ApiError::conflict("what_if_past", say("refusal.what_if_past")));
    }
    if !body.conditions.is_empty() {
        let says = say("refusal.what_if_conditions");
        return Err(ApiError::conflict("what_if_conditions", says));
    }
    let branch = Branch {
        lead_id,
        base: body.base,
        from: None,
        steps: &body.steps,
        conditions: None,
        left_out: None,
    };
    let branch_id = branch.id()?;
    if named != branch_id.to_string() {
        return Err(ApiError::conflict("what_if_other", say("refusal.what_if_other")));
    }
    let performing = Performing {
        records: &records,
        settings: &settings,
        context: &context,
        staff: &staff,
        lead_id,
        branch: branch_id,
        reason: &reason,
        refund_limit: None,
        provider: ProviderAnswer::PaidOut,
    };
    let end = performing.mark(
        "applied",
        context.command_id.unwrap_or_else(clock::new_id).as_bytes(),
    );
    if !performing.is_applied(&end).await? {
        performing.begin(&branch).await?;
    }
    let approvals = performing.do_all(&branch).await?;
    commit_together::<ApiError, _>(&records.log, &end, |append| async move { Ok(append) })
        .await
        .map_err(applied_already)?;
    let position = records.log.head().await?;
    records.answers_for(position);
    let branch = branch_id.to_string();
    Ok(Success::at(Applied { branch, approvals }, position))
}

/// The same branch by another request.
fn applied_already(error: CommitError<ApiError>) -> ApiError {
    match error {
        CommitError::CommandReused => ApiError::conflict("what_if_applied", say("refusal.what_if_applied")),
        other => other.into(),
    }
}

/// The refusal with the fields of the act that it is about.
fn at_step(number: usize, mut refused: ApiError) -> ApiError {
    for error in &mut refused.errors {
        error.field = format!("steps.{number}.{}", error.field);
    }
    refused
}

impl Performing<'_> {
    /// A note in the log's memory of commands, without an event.
    fn mark(&self, name: &str, said: &[u8]) -> Context {
        Context::new(clock::now(), self.staff.actor())
            .command(self.branch, said)
            .correlated(self.branch)
            .step(&format!("what if {name}"))
    }

    /// Whether this very request applied the branch before.
    async fn is_applied(&self, end: &Context) -> ApiResult<bool> {
        let known = done_before::<ApiError>(&self.records.log, end).await;
        Ok(known.map_err(applied_already)?.is_some())
    }

    /// Notes that the branch is being applied, while the lead still stands where the branch begins and no act is refused. One that was
    /// begun goes on.
    async fn begin(&self, branch: &Branch<'_>) -> ApiResult<()> {
        let begun = self.mark("begun", &[]);
        let log = &self.records.log;
        if done_before::<ApiError>(log, &begun).await?.is_some() {
            return Ok(());
        }
        self.would_pass(branch).await?;
        let (lead_id, base) = (self.lead_id, branch.base);
        commit_together::<ApiError, _>(log, &begun, |append| async move {
            let ends = unchanged(self.records, lead_id, base)
                .await
                .map_err(CommitError::Rejected)?;
            let guarded = ends.into_iter().fold(append, |append, (stream, revision)| {
                append.guard(stream, Expected::Revision(revision))
            });
            Ok(guarded)
        })
        .await?;
        Ok(())
    }

    /// Tries the acts once more, on the lead as it stands: none of them is done unless all can be.
    async fn would_pass(&self, branch: &Branch<'_>) -> ApiResult<()> {
        unchanged(self.records, self.lead_id, branch.base).await?;
        let now = self.records.log.head().await?;
        let forked = self.records.branch(now);
        let trying = Performing {
            records: &forked,
            ..*self
        };
        for (number, step) in branch.steps.iter().enumerate() {
            let tried = trying.step(number, step).await;
            tried.map_err(|refused| at_step(number, refused))?;
        }
        Ok(())
    }

    async fn do_all(&self, branch: &Branch<'_>) -> ApiResult<Vec<String>> {
        let mut approvals = Vec::new();
        for (number, step) in branch.steps.iter().enumerate() {
            let done = self.step(number, step).await;
            match done.map_err(|refused| at_step(number, refused))? {
                Became::Done => {}
                Became::WaitsForApproval(id) => approvals.push(id.to_string()),
            }
        }
        Ok(approvals)
    }
}

/// The lead's streams with their ends, where nothing was added to them after `base` but notes of messages.
///
/// # Errors
/// 409 that says how many events came, and which.
async fn unchanged(
    records: &Records,
    lead_id: LeadId,
    base: Position,
) -> ApiResult<Vec<(eventlog::StreamId, u64)>> {
    let mut ends = Vec::new();
    let mut later = Vec::new();
    for stream in streams_of(records, lead_id).await? {
        let events = read_from(&records.log, stream, 0).await?;
        ends.extend(events.last().map(|event| (stream, event.revision)));
        later.extend(
            events
                .into_iter()
                .filter(|event| event.position > base && !NOTED.contains(&event.event_type.as_str())),
        );
    }
    if later.is_empty() {
        return Ok(ends);
    }
    later.sort_by_key(|event| event.position);
    let shown: Vec<_> = later
        .iter()
        .map(|event| json!({ "position": event.position, "stream": event.stream.kind, "type": event.event_type }))
        .collect();
    let says = say("refusal.what_if_changed").with("count", later.len());
    Err(ApiError::conflict("what_if_changed", says).with_current(&json!({ "events": shown })))
}
