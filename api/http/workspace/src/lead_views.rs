//! Views of the leads' list: those that everybody has, and filters that a member of staff saved under a name. A saved view holds filters
//! alone and no words of a person, so it lies at the desk and not in the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use domain::contact::is_blank;
use domain::id::UserId;
use domain::user::User;
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
use platform::desk::Desk;
use projections::lead_board::query;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::lead_filters::{LeadFilters, MY_TEAMS};
use crate::segment_alarms;
use crate::staff_names::name_of;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(list_views, save_view))
        .endpoint(SUPPORT, routes!(change_view, delete_view))
}

/// Views of one member of staff.
const VIEWS_MAX: usize = 50;
/// Letters of a view's name.
const NAME_MAX: usize = 60;

/// One view, with how many leads it holds now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LeadView {
    /// A word for one that everybody has, else an id.
    id: String,
    /// None for those that everybody has: their names are texts of the page.
    name: Option<String>,
    filters: LeadFilters,
    shared: bool,
    /// The caller may change it.
    own: bool,
    /// Member of staff who shares it.
    owner_name: Option<String>,
    /// Its owner gets a mail when it grows.
    alarm: bool,
    count: u64,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewLeadView, example = json!({ "name": "Leeds, September", "filters": { "city": "Leeds", "move_in_from": "2027-09-01" }, "shared": false }))]
pub struct NewView {
    name: String,
    filters: LeadFilters,
    #[serde(default)]
    shared: bool,
    /// A mail to its owner when it grows; for a sequence of steps.
    #[serde(default)]
    alarm: bool,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeadViewChange, example = json!({ "name": "Leeds in autumn" }))]
pub struct ViewChange {
    /// Left out: as it is.
    name: Option<String>,
    filters: Option<LeadFilters>,
    shared: Option<bool>,
    alarm: Option<bool>,
}

/// How many leads each view holds, and the newest event that the list has folded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Counted {
    pub(crate) newest: i64,
    pub(crate) views: BTreeMap<String, u64>,
}

/// A view as it is kept.
struct Kept {
    id: String,
    owner_id: String,
    name: Option<String>,
    filters: LeadFilters,
    shared: bool,
    alarm: bool,
}

/// What everybody has, in the order of a day's work.
fn built_in() -> Vec<Kept> {
    let with = |id: &str, set: fn(&mut LeadFilters) -> &mut Option<String>, value: &str| {
        let mut filters = LeadFilters::default();
        *set(&mut filters) = Some(value.to_owned());
        Kept {
            id: id.to_owned(),
            owner_id: String::new(),
            name: None,
            filters,
            shared: true,
            alarm: false,
        }
    };
    let mut mine = with("mine", |filters| &mut filters.owner, "me");
    mine.filters.stage = Some("open".to_owned());
    let mut my_team = with("my_team", |filters| &mut filters.team, MY_TEAMS);
    my_team.filters.stage = Some("open".to_owned());
    vec![
        mine,
        my_team,
        with("unanswered", |filters| &mut filters.attention, "unanswered"),
        with("late", |filters| &mut filters.attention, "late"),
        with("declined_today", |filters| &mut filters.stage, "declined_today"),
        with("holds_ending", |filters| &mut filters.attention, "hold_ending"),
        with("disputes", |filters| &mut filters.attention, "disputed"),
        with(
            "waits_for_student",
            |filters| &mut filters.stage,
            "waits_for_student",
        ),
    ]
}

/// The caller's views: those of everybody, their own, and those that others share.
async fn views(desk: &Desk, staff: &Staff) -> Result<Vec<Kept>, sqlx::Error> {
    let rows: Vec<(String, String, String, String, i64, i64)> = sqlx::query_as(
        "select id, owner_id, name, filters, is_shared, has_alarm from lead_view where owner_id = $1 or is_shared = 1 order by created_at, id",
    )
    .bind(staff.person.user_id.to_string())
    .fetch_all(desk.pool())
    .await?;
    let saved = rows
        .into_iter()
        .filter_map(|(id, owner_id, name, filters, shared, alarm)| {
            Some(Kept {
                id,
                owner_id,
                name: Some(name),
                // A filter that a later release no longer knows: the view is left out, and kept.
                filters: serde_json::from_str(&filters).ok()?,
                shared: shared != 0,
                alarm: alarm != 0,
            })
        });
    Ok(built_in().into_iter().chain(saved).collect())
}

/// A view of the caller's own.
async fn own_view(desk: &Desk, staff: &Staff, id: &str) -> Result<Option<Kept>, sqlx::Error> {
    let owner_id = staff.person.user_id.to_string();
    let mut all = views(desk, staff).await?.into_iter();
    Ok(all.find(|view| view.id == id && view.owner_id == owner_id))
}

async fn count(records: &Records, settings: &Settings, staff: &Staff, view: &Kept) -> ApiResult<u64> {
    // A member of staff in it may have left since.
    let Ok((mut filter, _)) = view.filters.filter(staff, settings) else {
        return Ok(0);
    };
    view.filters.look_up(records, &mut filter).await?;
    Ok(query::count(records.read.readers(), records.log.handles(), &filter).await?)
}

/// How many leads each of the caller's views holds.
///
/// # Errors
/// When a database cannot be read.
pub(crate) async fn counted(
    records: &Records,
    settings: &Settings,
    desk: &Desk,
    staff: &Staff,
) -> ApiResult<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    for view in views(desk, staff).await? {
        let found = count(records, settings, staff, &view).await?;
        counts.insert(view.id, found);
    }
    Ok(counts)
}

async fn shown(records: &Records, settings: &Settings, staff: &Staff, view: Kept) -> ApiResult<LeadView> {
    let own = view.owner_id == staff.person.user_id.to_string();
    let owner_name = match view.owner_id.parse::<UserId>() {
        Ok(owner) if !own => Some(name_of(&records.log.load::<User>(owner).await?.state)),
        Ok(_) | Err(_) => None,
    };
    Ok(LeadView {
        count: count(records, settings, staff, &view).await?,
        id: view.id,
        name: view.name,
        filters: view.filters,
        shared: view.shared,
        alarm: view.alarm,
        own,
        owner_name,
    })
}

/// The caller's views with their counts.
///
/// # Errors
/// 401 or 403 for everybody who is not of support.
#[utoipa::path(get, path = "/api/v0/workspace/leads/views", operation_id = "lead_views", tag = "support",
    responses((status = 200, body = Success<Vec<LeadView>>)))]
pub async fn list_views(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    staff: Staff,
) -> ApiResult<Success<Vec<LeadView>>> {
    records.heard().await?;
    let mut answer = Vec::new();
    for view in views(&desk, &staff).await? {
        answer.push(shown(&records, &settings, &staff, view).await?);
    }
    Ok(Success::new(answer))
}

/// A name that can be shown on a button.
fn named(name: &str) -> ApiResult<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if is_blank(&name) || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(ApiError::invalid_field(
            "name",
            "length",
            say("refusal.view_name"),
        ));
    }
    Ok(name)
}

/// The filters as they are kept: readable, and without words of a person.
fn kept(filters: &LeadFilters, staff: &Staff, settings: &Settings) -> ApiResult<String> {
    let (_, understood) = filters.filter(staff, settings)?;
    if understood.has_free_words() {
        return Err(ApiError::invalid_field(
            "q",
            "personal",
            say("refusal.view_words"),
        ));
    }
    serde_json::to_string(filters).map_err(ApiError::broken)
}

/// How many leads the owner of an alarm knows of as it is set.
async fn alarmed(records: &Records, filters: &LeadFilters, alarm: bool) -> ApiResult<i64> {
    if !alarm {
        return Ok(0);
    }
    if filters.wanted_steps()?.is_empty() {
        return Err(ApiError::invalid_field(
            "alarm",
            "no_steps",
            say("refusal.alarm_steps"),
        ));
    }
    Ok(segment_alarms::hits(records, filters).await?)
}

/// Saves filters under a name, once for each Idempotency-Key.
///
/// # Errors
/// 422 for a name or filters that cannot be kept, 409 for one view too many.
#[utoipa::path(post, path = "/api/v0/workspace/leads/views", operation_id = "save_lead_view", tag = "support", request_body = NewView,
    responses((status = 201, body = Success<LeadView>), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn save_view(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    context: RequestContext,
    staff: Staff,
    Body(new): Body<NewView>,
) -> ApiResult<(StatusCode, Success<LeadView>)> {
    let name = named(&new.name)?;
    let filters = kept(&new.filters, &staff, &settings)?;
    let alarmed = alarmed(&records, &new.filters, new.alarm).await?;
    let owner_id = staff.person.user_id.to_string();
    let id = context.command_id.unwrap_or_else(clock::new_id).to_string();
    if let Some(saved) = own_view(&desk, &staff, &id).await? {
        return Ok(Success::new(shown(&records, &settings, &staff, saved).await?).created());
    }
    let mut turn = desk.turn().await?;
    let own: i64 = sqlx::query_scalar("select count(*) from lead_view where owner_id = $1")
        .bind(owner_id.clone())
        .fetch_one(&mut *turn)
        .await?;
    if usize::try_from(own).is_ok_and(|own| own >= VIEWS_MAX) {
        let message = say("refusal.view_count").with("max", VIEWS_MAX.to_string());
        return Err(ApiError::conflict("too_many_views", message));
    }
    sqlx::query("insert into lead_view (id, owner_id, name, filters, is_shared, created_at, has_alarm, alarm_count) values ($1, $2, $3, $4, $5, $6, $7, $8)")
        .bind(id.clone())
        .bind(owner_id.clone())
        .bind(name.clone())
        .bind(filters)
        .bind(i64::from(new.shared))
        .bind(clock::now().timestamp_millis())
        .bind(i64::from(new.alarm))
        .bind(alarmed)
        .execute(&mut *turn)
        .await?;
    turn.commit().await?;
    let view = Kept {
        id,
        owner_id,
        name: Some(name),
        filters: new.filters,
        shared: new.shared,
        alarm: new.alarm,
    };
    Ok(Success::new(shown(&records, &settings, &staff, view).await?).created())
}

fn no_view() -> ApiError {
    ApiError::not_found(say("refusal.no_view"))
}

/// Renames a view of one's own, shares it or no longer, or gives it other filters.
///
/// # Errors
/// 404 for a view that is not the caller's, 422 for a name or filters that cannot be kept.
#[utoipa::path(put, path = "/api/v0/workspace/leads/views/{id}", operation_id = "change_lead_view", tag = "support",
    params(("id" = String, Path)), request_body = ViewChange,
    responses((status = 200, body = Success<LeadView>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn change_view(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(change): Body<ViewChange>,
) -> ApiResult<Success<LeadView>> {
    let owner_id = staff.person.user_id.to_string();
    let mut view = own_view(&desk, &staff, &id).await?.ok_or_else(no_view)?;
    if let Some(name) = &change.name {
        view.name = Some(named(name)?);
    }
    if let Some(filters) = change.filters {
        view.filters = filters;
    }
    view.shared = change.shared.unwrap_or(view.shared);
    view.alarm = change.alarm.unwrap_or(view.alarm);
    let alarmed = alarmed(&records, &view.filters, view.alarm).await?;
    let filters = kept(&view.filters, &staff, &settings)?;
    sqlx::query(
        "update lead_view set name = $1, filters = $2, is_shared = $3, has_alarm = $6, alarm_count = $7 where id = $4 and owner_id = $5",
    )
    .bind(view.name.clone())
    .bind(filters)
    .bind(i64::from(view.shared))
    .bind(id)
    .bind(owner_id)
    .bind(i64::from(view.alarm))
    .bind(alarmed)
    .execute(desk.pool())
    .await?;
    Ok(Success::new(shown(&records, &settings, &staff, view).await?))
}

/// Deletes a view of one's own.
///
/// # Errors
/// 404 for a view that is not the caller's.
#[utoipa::path(delete, path = "/api/v0/workspace/leads/views/{id}", operation_id = "delete_lead_view", tag = "support",
    params(("id" = String, Path)), responses((status = 200, body = Success<bool>), (status = 404, body = Failure)))]
pub async fn delete_view(
    State(desk): State<Desk>,
    _context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
) -> ApiResult<Success<bool>> {
    let gone = sqlx::query("delete from lead_view where id = $1 and owner_id = $2")
        .bind(id)
        .bind(staff.person.user_id.to_string())
        .execute(desk.pool())
        .await?;
    if gone.rows_affected() == 0 {
        return Err(no_view());
    }
    Ok(Success::new(true))
}
