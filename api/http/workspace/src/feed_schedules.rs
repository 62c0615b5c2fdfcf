//! Feeds of the house with their schedules: those of the setting, those that staff set here, and those that came by file alone.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use domain::import_run::MissingRule;
use fetching::feeds_file::Missing;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::{FeedPlaceWord, MissingRuleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use intake::error::IntakeError;
use intake::scheduled::{KnownFeed, ScheduleDesk, WantedFeed};
use platform::config::Settings;
use platform::desk::Desk;
use projections::import_runs::{self, RunFilter};
use projections::payment_audit::instant;
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::Services;
use crate::feed_health::FeedHealth;
use crate::feed_refusals::refuse;
use crate::feed_uploads::KEEPING;
use crate::imports::{ImportRun, Showing};
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(KEEPING, routes!(list_feeds))
        .endpoint(KEEPING, routes!(change_feed))
        .endpoint(KEEPING, routes!(remove_feed))
        .endpoint(KEEPING, routes!(run_feed))
}

/// Every feed of the house, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseFeeds {
    feeds: Vec<HouseFeed>,
}

/// A feed of the house.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseFeed {
    name: String,
    /// Where its schedule is set; null for a feed that came by file alone.
    #[schema(value_type = Option<FeedPlaceWord>)]
    set_in: Option<&'static str>,
    /// Of its address, whose rest may hold a key.
    host: Option<String>,
    /// `6h`.
    every: Option<String>,
    #[schema(value_type = Option<MissingRuleWord>)]
    missing: Option<&'static str>,
    is_paused: bool,
    has_map: bool,
    /// Names what a change was made from; null for a feed that is not set here.
    version: Option<i64>,
    changed_by: Option<String>,
    /// RFC 3339.
    changed_at: Option<String>,
    /// Null before its first run on a schedule.
    state: Option<FeedHealth>,
    last_run: Option<ImportRun>,
}

/// A feed as somebody wants it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://feeds.example/leeds.csv", "every": "6h", "missing": "report", "is_paused": false,
    "map": null, "version": null }))]
pub struct FeedChange {
    /// Null keeps the address that is known.
    url: Option<String>,
    /// Whole minutes, hours or days, from 15m to 31d.
    every: String,
    #[schema(value_type = MissingRuleWord)]
    missing: MissingRule,
    is_paused: bool,
    /// Under the names of docs/import/feeds.md; null keeps the one that is known, else takes that of the feed's last import.
    #[schema(value_type = Option<Object>)]
    map: Option<Value>,
    /// The version that was seen; null makes the feed.
    version: Option<i64>,
}

/// A feed that is fetched no more.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedFeed {
    name: String,
}

/// Every feed of the house.
///
/// # Errors
/// 403 for everybody but support and administrators.
#[utoipa::path(get, path = "/api/v0/workspace/feeds", tag = "support", responses((status = 200, body = Success<HouseFeeds>)))]
pub async fn list_feeds(
    State(schedule): State<ScheduleDesk>,
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<HouseFeeds>> {
    let known = schedule.list().await.map_err(refuse)?;
    let mut describing = Describing::new(&records, &settings, desk).await?;
    let of_files = import_runs::list_feeds(records.heard().await?).await?;
    let mut names: BTreeSet<String> = of_files.into_iter().collect();
    let mut feeds = Vec::with_capacity(known.len() + names.len());
    for feed in known {
        names.remove(&feed.name);
        feeds.push(describing.describe(feed).await?);
    }
    for name in names {
        feeds.push(describing.describe_unscheduled(name).await?);
    }
    feeds.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Success::new(HouseFeeds { feeds }))
}

/// Makes a feed that is fetched on a schedule, or changes one.
///
/// # Errors
/// 409 for one of the setting, or one that was changed meanwhile; 422 with the field.
#[utoipa::path(put, path = "/api/v0/workspace/feeds/{name}", tag = "support", params(("name" = String, Path)), request_body = FeedChange,
    responses((status = 200, body = Success<HouseFeed>), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn change_feed(
    State(schedule): State<ScheduleDesk>,
    names: (State<Records>, State<Arc<Settings>>, State<Desk>),
    _context: RequestContext,
    staff: Staff,
    Path(name): Path<String>,
    Body(change): Body<FeedChange>,
) -> ApiResult<Success<HouseFeed>> {
    let (State(records), State(settings), State(desk)) = names;
    let wanted = WantedFeed {
        name: name.clone(),
        url: change.url,
        every: change.every,
        missing: find_missing(change.missing),
        is_paused: change.is_paused,
        map: change.map.map(|map| map.to_string()),
        version: change.version,
        by: staff.person.user_id,
    };
    let mut describing = Describing::new(&records, &settings, desk).await?;
    match schedule.change(wanted).await {
        Ok(feed) => Ok(Success::new(describing.describe(feed).await?)),
        Err(IntakeError::Moved) => {
            let refused = refuse(IntakeError::Moved);
            match schedule.find(&name).await {
                Ok(now) => Err(refused.with_current(&describing.describe(now).await?)),
                Err(_gone) => Err(refused),
            }
        }
        Err(error) => Err(refuse(error)),
    }
}

/// Takes a feed off its schedule, with its address; its homes stay as they are.
///
/// # Errors
/// 404 where there is none, 409 for one of the setting.
#[utoipa::path(delete, path = "/api/v0/workspace/feeds/{name}", tag = "support", params(("name" = String, Path)),
    responses((status = 200, body = Success<RemovedFeed>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn remove_feed(
    State(schedule): State<ScheduleDesk>,
    _context: RequestContext,
    _staff: Staff,
    Path(name): Path<String>,
) -> ApiResult<Success<RemovedFeed>> {
    schedule.remove(&name).await.map_err(refuse)?;
    Ok(Success::new(RemovedFeed { name }))
}

/// Fetches a feed now, also one of the setting.
///
/// # Errors
/// 404 where there is none on a schedule, 409 for one that is paused.
#[utoipa::path(post, path = "/api/v0/workspace/feeds/{name}/run", tag = "support", params(("name" = String, Path)),
    responses((status = 202, body = Success<HouseFeed>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn run_feed(
    State(schedule): State<ScheduleDesk>,
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    _staff: Staff,
    Path(name): Path<String>,
) -> ApiResult<(StatusCode, Success<HouseFeed>)> {
    let feed = schedule.run_now(&name).await.map_err(refuse)?;
    let mut describing = Describing::new(&records, &settings, desk).await?;
    let shown = describing.describe(feed).await?;
    Ok((StatusCode::ACCEPTED, Success::new(shown)))
}

const fn find_missing(rule: MissingRule) -> Missing {
    match rule {
        MissingRule::Keep => Missing::Keep,
        MissingRule::Report => Missing::Report,
        MissingRule::Withdraw => Missing::Withdraw,
    }
}

/// Feeds with names of staff and their last runs.
struct Describing<'s> {
    records: &'s Records,
    settings: &'s Settings,
    names: HashMap<String, String>,
    runs: Showing<'s>,
}

impl<'s> Describing<'s> {
    async fn new(records: &'s Records, settings: &'s Settings, desk: Desk) -> ApiResult<Self> {
        Ok(Self {
            records,
            settings,
            names: HashMap::new(),
            runs: Showing::new(&records.log, settings, desk).await?,
        })
    }

    async fn describe(&mut self, feed: KnownFeed) -> ApiResult<HouseFeed> {
        let changed_by = match &feed.change {
            Some(change) => {
                Some(staff_name(&self.records.log, self.settings, &change.by, &mut self.names).await?)
            }
            None => None,
        };
        let unscheduled = self.describe_unscheduled(feed.name).await?;
        Ok(HouseFeed {
            set_in: Some(feed.set_in.key()),
            host: Some(feed.host),
            every: Some(feed.every),
            missing: Some(feed.missing.key()),
            is_paused: feed.is_paused,
            has_map: feed.has_map,
            version: feed.change.as_ref().map(|change| change.version),
            changed_by,
            changed_at: feed.change.and_then(|change| change.at).map(instant),
            state: feed.state.map(FeedHealth::from),
            ..unscheduled
        })
    }

    /// A feed of which nothing but its runs is known.
    async fn describe_unscheduled(&mut self, name: String) -> ApiResult<HouseFeed> {
        let filter = RunFilter {
            feed: Some(name.clone()),
            before: None,
        };
        let runs = import_runs::list(self.records.heard().await?, &filter, 1).await?;
        let last_run = match runs.into_iter().next() {
            Some(run) => Some(self.runs.show(run).await?),
            None => None,
        };
        Ok(HouseFeed {
            name,
            set_in: None,
            host: None,
            every: None,
            missing: None,
            is_paused: false,
            has_map: false,
            version: None,
            changed_by: None,
            changed_at: None,
            state: None,
            last_run,
        })
    }
}
