//! What if (row N3): acts are tried on a branch of a lead's history by the code that does the real ones; the log, the outbox and the
//! payment provider see nothing of it. A branch of the present can then be applied.

use std::sync::Arc;

use axum::extract::State;
use domain::id::{LeadId, StreamKey as _};
use domain::moment::Moment;
use domain::payment::BookingChoice;
use eventlog::{Actor, Context, Position};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{BookingChoiceWord, CloseCauseWord, WhatIfActWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use projections::lead_timeline::pages::positions;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::leads::board_row;

pub mod apply;
pub mod conditions;
mod performing;
pub mod price;
pub mod shown;

use conditions::Conditions;
use performing::{Performing, Tried};
use shown::{Sources, WhatIf};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(try_what_if))
        .merge(apply::endpoints())
}

/// Acts of one branch.
const STEPS_MAX: usize = 10;
/// Stands for the reason of acts that are only tried.
const TRIED: &str = "What if";

/// One act to try; which fields it needs follows from `act`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = WhatIfStep, example = json!({ "act": "refund", "amount_minor": 25000, "booking": "keep" }))]
pub struct Step {
    #[schema(value_type = WhatIfActWord)]
    pub act: String,
    /// `close`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CloseCauseWord>)]
    pub cause: Option<String>,
    /// `change_stay`: what is not said stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_in_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_duration: Option<String>,
    /// `change_room`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inventory_id: Option<String>,
    /// `refund`, `ask_refund` and `ask_cancellation`, in minor units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_minor: Option<u64>,
    /// `refund`: the amount once more, where it is so large that it must be typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typed_minor: Option<u64>,
    /// `refund`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BookingChoiceWord>)]
    pub booking: Option<BookingChoice>,
}

/// From where, and what to try.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIfRequest, example = json!({ "steps": [{ "act": "refund", "amount_minor": 25000, "booking": "keep" }] }))]
pub struct WhatIfBody {
    /// The position of an event of the lead's history; unsaid, or the newest one: the present.
    #[serde(default)]
    pub from: Option<i64>,
    pub steps: Vec<Step>,
    #[serde(default)]
    pub conditions: Conditions,
}

/// A branch: where it begins and what is tried on it. The same branch always has the same id.
pub(crate) struct Branch<'b> {
    lead_id: LeadId,
    /// It holds all events up to this position.
    base: Position,
    /// The moment of a branch of the past.
    from: Option<(i64, Moment)>,
    steps: &'b [Step],
    /// The words of its conditions; without them it can be applied.
    conditions: Option<String>,
    /// The event before its beginning that is taken as never recorded.
    left_out: Option<Position>,
}

impl Branch<'_> {
    /// Made from the lead, the position and the steps, so that the log's own memory of commands tells whether it was applied.
    fn id(&self) -> ApiResult<Uuid> {
        let from = self.from.map(|(position, _)| position);
        let made_of = serde_json::to_string(&(self.base, from, self.steps, &self.conditions))
            .map_err(ApiError::broken)?;
        let origin = Context::new(clock::now(), Actor::SYSTEM).command(self.lead_id.uuid(), &[]);
        let derived = origin.step(&format!("what if {made_of}")).command_id;
        derived.ok_or_else(|| ApiError::broken("a branch has no id"))
    }
}

/// Tries acts on a branch and answers with what they would come to. Nothing is written and nothing is sent.
///
/// # Errors
/// 404 for an unknown lead, 422 with the field. What an act is refused for stands at its step.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/what-if", tag = "support", params(("id" = String, Path)),
    request_body = WhatIfBody,
    responses((status = 200, body = Success<WhatIf>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn try_what_if(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(body): Body<WhatIfBody>,
) -> ApiResult<Success<WhatIf>> {
    let (lead_id, _) = board_row(&records, &id).await?;
    countable(&body.steps)?;
    let (base, from) = beginning(&records, lead_id, body.from).await?;
    let conditions = &body.conditions;
    let (judged_at, prices_of) = (conditions.judged_at()?, conditions.prices_of()?);
    let branch = Branch {
        lead_id,
        base,
        from,
        steps: &body.steps,
        conditions: conditions.words()?,
        left_out: conditions.left_out(&records, lead_id, base).await?,
    };
    let taken_from = match branch.left_out {
        Some(position) => records.without(position),
        None => records.clone(),
    };
    let forked = taken_from.branch(base);
    let performing = Performing {
        records: &forked,
        settings: &settings,
        context: &context,
        staff: &staff,
        lead_id,
        branch: branch.id()?,
        reason: TRIED,
        refund_limit: conditions.refund_limit,
        provider: conditions.provider(),
    };
    let begins_at = branch.from.map(|(_, moment)| moment);
    let moment = judged_at.or(begins_at);
    let tried = tried(&performing, &branch, moment).await?;
    let begun = records.log.until(base);
    let before = (&begun, begins_at.unwrap_or_else(clock::now));
    let after = (&forked.log, moment.unwrap_or_else(clock::now));
    let stay_price = price::of_stay(lead_id, before, after, prices_of).await?;
    let reader = crate::history::Reader::new(&forked, &settings, &staff.person);
    let sources = Sources {
        real: &records,
        base: &taken_from,
        branch: &forked,
        reader: &reader,
    };
    let shown = shown::answer(&sources, &branch, tried, stay_price).await?;
    Ok(Success::new(shown))
}

/// Acts are judged by the clock of the condition, or of the past event that the branch begins at.
async fn tried(performing: &Performing<'_>, branch: &Branch<'_>, moment: Option<Moment>) -> ApiResult<Tried> {
    let trying = Box::pin(performing.try_all(branch));
    match moment {
        Some(moment) => clock::shown_at(moment, trying).await,
        None => trying.await,
    }
}

fn countable(steps: &[Step]) -> ApiResult<()> {
    if (1..=STEPS_MAX).contains(&steps.len()) {
        return Ok(());
    }
    let says = say("refusal.what_if_steps").with("max", STEPS_MAX);
    Err(ApiError::invalid_field("steps", "range", says))
}

/// The position where the branch begins; with its moment where it is one of the past.
async fn beginning(
    records: &Records,
    lead_id: LeadId,
    from: Option<i64>,
) -> ApiResult<(Position, Option<(i64, Moment)>)> {
    let positions = positions(records.heard().await?, lead_id).await?;
    let Some(from) = from.filter(|from| positions.last() != Some(from)) else {
        return Ok((records.log.head().await?, None));
    };
    let unknown = || ApiError::invalid_field("from", "choice", say("refusal.what_if_from"));
    if positions.binary_search(&from).is_err() {
        return Err(unknown());
    }
    let at = from.unsigned_abs();
    let event = records.log.span(at, at).await?.into_iter().next();
    let event = event.ok_or_else(unknown)?;
    Ok((at, Some((from, event.recorded_at))))
}
