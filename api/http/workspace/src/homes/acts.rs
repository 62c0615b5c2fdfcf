//! Acts of staff on homes as a whole: one home, or up to two hundred at once, each with its own verdict; and the merge of a double.

use axum::extract::State;
use chrono::NaiveDate;
use domain::calendar::read_day;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::facts::Fact;
use eventlog::{Appended, CommitError, Context};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::{Said, say};
use listings::commands::act_on_home::{ActOnHome, HomeAct, act_on_home as act_on};
use listings::commands::edit_home::{EditHome, edit_home};
use listings::commands::merge_homes::{MergeHomes, merge_homes};
use listings::error::ListingsError;
use listings::questions::home_values::read_home_values;
use platform::clock;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::one::{HomeActWord, StaffHome, answer_with};
use super::read_edit::{PlaceAsked, read_place};
use super::refusals::refuse;
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(act_on_home))
        .endpoint(EDITING, routes!(act_on_homes))
        .endpoint(EDITING, routes!(merge_home))
}

/// Homes of one request.
const HOMES_MAX: usize = 200;

/// An act on a home.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeAct, example = json!({ "act": "pause", "reason": "The heating is being replaced", "reopens_on": "2027-12-04" }))]
pub struct ActRequest {
    act: HomeActWord,
    /// Why, for colleagues.
    reason: String,
    /// Of a pause: the day from which it is let again, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reopens_on: Option<String>,
}

/// An act of staff on many homes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomesActWord)]
pub enum BulkActWord {
    Pause,
    Reopen,
    Close,
    Move,
}

/// An act on many homes.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomesAct, example = json!({ "homes": ["01923456-789a-7bcd-8ef0-123456789abd"], "act": "close", "reason": "The provider left" }))]
pub struct BulkRequest {
    /// Ids of at most 200 homes.
    homes: Vec<String>,
    act: BulkActWord,
    /// Why, for colleagues.
    reason: String,
    /// Of a pause: the day from which they are let again, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reopens_on: Option<String>,
    /// Of a move: where to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<PlaceAsked>,
}

/// Verdict on one of many homes.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeVerdict {
    home_id: String,
    /// Empty for an unknown home.
    name: String,
    verdict: VerdictWord,
    /// Of a refusal.
    code: Option<String>,
    #[schema(value_type = Option<String>)]
    why: Option<Said>,
}

/// Outcome of an act.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomeVerdictWord)]
pub enum VerdictWord {
    Done,
    /// It was so already.
    Unchanged,
    Refused,
}

/// A merge of a double into the home that is kept.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomeMerge, example = json!({ "into": "01923456-789a-7bcd-8ef0-123456789abd", "reason": "Two feeds name one house" }))]
pub struct MergeRequest {
    /// The home that is kept.
    into: String,
    /// Why, for colleagues.
    reason: String,
}

/// Sends a home for review, asks for changes, lets it, pauses, closes or opens it again. Asked twice with the same Idempotency-Key it is
/// done once.
///
/// # Errors
/// 404 for an unknown home, 409 for an act that its state does not allow, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/acts", tag = "support", params(("id" = String, Path)),
    request_body = ActRequest,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn act_on_home(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<ActRequest>,
) -> ApiResult<Success<StaffHome>> {
    let reopens_on = read_reopening(body.reopens_on.as_deref(), matches!(body.act, HomeActWord::Pause))?;
    let asked = ActOnHome {
        home_id: id,
        act: body.act.read(reopens_on),
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &body);
    let done = act_on(&records.log, &asked, &command).await;
    done.map_err(|error| error.map(refuse))?;
    answer_with(&records, id, context.lang).await
}

/// Pauses, opens again, closes or moves many homes: each has its own verdict, in the order asked, and one that is refused stops no other.
/// Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 422 with the field for what cannot be read of any home.
#[utoipa::path(post, path = "/api/v0/workspace/homes/acts", tag = "support", request_body = BulkRequest,
    responses((status = 200, body = Success<Vec<HomeVerdict>>), (status = 422, body = Failure)))]
pub async fn act_on_homes(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<BulkRequest>,
) -> ApiResult<Success<Vec<HomeVerdict>>> {
    if body.homes.is_empty() || body.homes.len() > HOMES_MAX {
        let said = say("refusal.homes_at_once").with("max", HOMES_MAX);
        return Err(ApiError::invalid_field("homes", "too_many", said));
    }
    let bulk = Bulk {
        records: &records,
        staff: &staff,
        act: read_bulk(&records, &body)?,
        reason: body.reason.clone(),
        command: context.command(staff.actor(), &body),
    };
    let mut verdicts = Vec::with_capacity(body.homes.len());
    let mut last = 0;
    for home in &body.homes {
        let verdict = match home.parse::<InventoryId>() {
            Ok(id) => bulk.judge(id, &mut last).await?,
            Err(_) => HomeVerdict::refused(home.clone(), String::new(), refuse(ListingsError::UnknownHome)),
        };
        verdicts.push(verdict);
    }
    records.answers_for(last);
    Ok(Success::at(verdicts, last))
}

/// Merges a double into the home of the same name and address that is kept: the double's page leads there, and its bookings stay with
/// their rooms. Asked twice with the same Idempotency-Key it is done once.
///
/// # Errors
/// 404 for an unknown home, 409 for homes that are no doubles, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes/{id}/merge", tag = "support", params(("id" = String, Path)),
    request_body = MergeRequest,
    responses((status = 200, body = Success<StaffHome>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn merge_home(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<InventoryId>,
    Body(body): Body<MergeRequest>,
) -> ApiResult<Success<StaffHome>> {
    let kept = body.into.parse::<InventoryId>();
    let kept = kept.map_err(|_| ApiError::invalid_field("into", "unknown", say("refusal.no_property")))?;
    let asked = MergeHomes {
        double: id,
        kept,
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let command = context.command(staff.actor(), &body);
    let merged = merge_homes(&records.log, &asked, &command).await;
    merged.map_err(|error| error.map(refuse))?;
    answer_with(&records, id, context.lang).await
}

/// The day of reopening, which only a pause has, and which is still to come.
fn read_reopening(text: Option<&str>, is_pause: bool) -> ApiResult<Option<NaiveDate>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let refused = |code, key| Err(ApiError::invalid_field("reopens_on", code, say(key)));
    if !is_pause {
        return refused("unknown", "validation.must_be_empty");
    }
    match read_day(text.trim()) {
        Some(day) if day > clock::now().date_naive() => Ok(Some(day)),
        Some(_) => refused("date_past", "refusal.reopens_later"),
        None => refused("date_format", "validation.date_format"),
    }
}

/// An act on each of many homes.
enum EachAct {
    Act(HomeAct),
    Move(Box<Fact>),
}

fn read_bulk(records: &Records, body: &BulkRequest) -> ApiResult<EachAct> {
    let reopens_on = read_reopening(body.reopens_on.as_deref(), body.act == BulkActWord::Pause)?;
    match (&body.place, body.act) {
        (Some(place), BulkActWord::Move) => Ok(EachAct::Move(Box::new(read_place(records, place)?))),
        (None, BulkActWord::Move) => {
            let said = say("validation.required");
            Err(ApiError::invalid_field("place", "required", said))
        }
        (Some(_), _) => {
            let said = say("validation.must_be_empty");
            Err(ApiError::invalid_field("place", "unknown", said))
        }
        (None, BulkActWord::Pause) => Ok(EachAct::Act(HomeAct::Pause { reopens_on })),
        (None, BulkActWord::Reopen) => Ok(EachAct::Act(HomeAct::Reopen)),
        (None, BulkActWord::Close) => Ok(EachAct::Act(HomeAct::Close)),
    }
}

/// An act on many homes under way.
struct Bulk<'b> {
    records: &'b Records,
    staff: &'b Staff,
    act: EachAct,
    reason: String,
    command: Context,
}

impl Bulk<'_> {
    /// Does it to one home. What stands against that is its verdict; a fault of ours, or a reason that cannot be read, stops all.
    async fn judge(&self, id: InventoryId, last: &mut u64) -> ApiResult<HomeVerdict> {
        let property = self.records.log.load::<Inventory>(id).await?.state.property;
        let name = property.map(|property| property.name).unwrap_or_default();
        let verdict = match self.perform(id).await {
            Ok(appended) if appended.last == 0 => VerdictWord::Unchanged,
            Ok(appended) => {
                *last = (*last).max(appended.last);
                VerdictWord::Done
            }
            Err(CommitError::Rejected(error @ ListingsError::NoReason { .. })) => return Err(refuse(error)),
            Err(CommitError::Rejected(error)) => {
                return Ok(HomeVerdict::refused(id.to_string(), name, refuse(error)));
            }
            Err(error) => return Err(error.map(refuse).into()),
        };
        Ok(HomeVerdict {
            home_id: id.to_string(),
            name,
            verdict,
            code: None,
            why: None,
        })
    }

    async fn perform(&self, id: InventoryId) -> Result<Appended, CommitError<ListingsError>> {
        let step = self.command.step(&id.to_string());
        let by = self.staff.person.user_id;
        match &self.act {
            EachAct::Act(act) => {
                let asked = ActOnHome {
                    home_id: id,
                    act: *act,
                    reason: self.reason.clone(),
                    by,
                };
                act_on(&self.records.log, &asked, &step).await
            }
            EachAct::Move(place) => {
                // Nobody who moves many homes has read them: the place alone is meant, as each home stands.
                let read = read_home_values(&self.records.log, id).await?;
                let edit = EditHome {
                    home_id: id,
                    position: read.map_or(0, |read| read.position),
                    set: vec![(**place).clone()],
                    unset: Vec::new(),
                    reason: self.reason.clone(),
                    by,
                };
                edit_home(&self.records.log, &edit, &step).await
            }
        }
    }
}

impl HomeVerdict {
    fn refused(home_id: String, name: String, refusal: ApiError) -> Self {
        let (code, why) = match refusal.errors.into_iter().next() {
            Some(field) => (field.code, field.message),
            None => (refusal.code, *refusal.message),
        };
        Self {
            home_id,
            name,
            verdict: VerdictWord::Refused,
            code: Some(code.to_owned()),
            why: Some(why),
        }
    }
}
