//! Runs of imports, as support and administrators see them (HOMES.md "Feeds"): which file was read for which feed, who asked, what became of it; and
//! the run that changed a home last (N2).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use domain::id::{ImportRunId, InventoryId};
use eventlog::EventLog;
use fetching::reports::FeedReports;
use http_kit::caller::Staff;
use http_kit::contract::words::{ImportAskerWord, ImportOutcomeWord, MissingRuleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, Query, RequestContext, limit_of};
use http_kit::said::say;
use platform::config::Settings;
use platform::desk::Desk;
use projections::import_runs::{self, RunFilter, RunRow};
use records::Records;
use serde::{Deserialize, Serialize};
use sqlx::AnyPool;
use utoipa::{IntoParams, ToSchema};

use crate::Services;
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(list_imports))
        .endpoint(SUPPORT, routes!(read_import))
        .endpoint(SUPPORT, routes!(download_report))
}

/// Runs of a page.
const LIMIT: u64 = 50;
const LIMIT_MAX: u64 = 200;

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ImportsQuery {
    /// The feed's name.
    feed: Option<String>,
    /// A home's id: the run alone that changed it last.
    home: Option<String>,
    /// The page before this position: `next` of the answer.
    before: Option<i64>,
    limit: Option<u64>,
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRuns {
    runs: Vec<ImportRun>,
    /// Every feed that ever had a run, for the filter.
    feeds: Vec<String>,
    /// Where the next page begins; null on the last.
    next: Option<i64>,
}

/// One run of an import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRun {
    run_id: String,
    feed: String,
    #[schema(value_type = ImportAskerWord)]
    by: String,
    /// The member of staff; empty for another asker and for an account that is no staff any more.
    by_name: String,
    /// The file's name, or the host of its address.
    file: String,
    /// SHA-256 of the file, in hex.
    digest: String,
    /// SHA-256 of its map; null without one.
    map_digest: Option<String>,
    /// Rule for homes that the file does not name.
    #[schema(value_type = MissingRuleWord)]
    missing_rule: String,
    /// RFC 3339.
    begun_at: String,
    /// Null for a run that is under way, or that broke off.
    ended_at: Option<String>,
    /// Null likewise.
    #[schema(value_type = Option<ImportOutcomeWord>)]
    outcome: Option<String>,
    /// Why the file could not be read to its end.
    reason: Option<String>,
    /// Of a refused run: the feed's homes that are let.
    homes: Option<i64>,
    /// Of a refused run: the number of homes that might have been closed, where a limit was given.
    allowed: Option<i64>,
    added: i64,
    changed: i64,
    unchanged: i64,
    rejected: i64,
    /// Homes that the feed itself does not publish.
    left_out: i64,
    /// Homes that the file does not name, and that stay.
    missing: i64,
    /// Homes that the file does not name, and that were closed.
    withdrawn: i64,
    /// The outcome of each row can be downloaded: of the newest runs of a scheduled feed.
    has_report: bool,
}

/// Runs of imports, the newest first.
///
/// # Errors
/// 404 for a home's id that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/imports", params(ImportsQuery),
    responses((status = 200, body = Success<ImportRuns>), (status = 404), (status = 422)))]
pub async fn list_imports(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<ImportsQuery>,
) -> ApiResult<Success<ImportRuns>> {
    let limit = limit_of(query.limit, LIMIT, LIMIT_MAX)?;
    let pool = records.heard().await?;
    let mut rows: Vec<RunRow> = match &query.home {
        Some(home) => find_last(pool, home).await?.into_iter().collect(),
        None => import_runs::list(pool, &filter_runs(&query), limit + 1).await?,
    };
    let is_more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| is_more).map(|row| row.position);
    let mut showing = Showing::new(&records.log, &settings, desk).await?;
    let mut runs = Vec::with_capacity(rows.len());
    for row in rows {
        runs.push(showing.show(row).await?);
    }
    let feeds = import_runs::list_feeds(pool).await?;
    Ok(Success::new(ImportRuns { runs, feeds, next }))
}

/// One run of an import.
///
/// # Errors
/// 404 where there is none of that id.
#[utoipa::path(get, path = "/api/v0/workspace/imports/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Success<ImportRun>), (status = 404)))]
pub async fn read_import(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<ImportRunId>,
) -> ApiResult<Success<ImportRun>> {
    let found = import_runs::find(records.heard().await?, id).await?;
    let row = found.ok_or_else(|| ApiError::not_found(say("refusal.no_import")))?;
    let mut showing = Showing::new(&records.log, &settings, desk).await?;
    Ok(Success::new(showing.show(row).await?))
}

/// Outcome of each row of a scheduled feed's file, as CSV.
///
/// # Errors
/// 404 where no report of that run is kept.
#[utoipa::path(get, path = "/api/v0/workspace/imports/{id}/report", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/csv", body = String), (status = 404, body = Failure)))]
pub async fn download_report(
    State(desk): State<Desk>,
    _context: RequestContext,
    _staff: Staff,
    Path(id): Path<ImportRunId>,
) -> ApiResult<Response> {
    let found = FeedReports::new(desk).find(id).await?;
    let report = found.ok_or_else(|| ApiError::not_found(say("refusal.no_report")))?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"import-report.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, report).into_response())
}

fn filter_runs(query: &ImportsQuery) -> RunFilter {
    RunFilter {
        feed: query.feed.clone().filter(|feed| !feed.trim().is_empty()),
        before: query.before,
    }
}

/// Finds the run that changed a home last; nothing for a home that no run changed.
async fn find_last(pool: &AnyPool, home: &str) -> ApiResult<Option<RunRow>> {
    let home: InventoryId = home
        .trim()
        .parse()
        .map_err(|_| ApiError::not_found(say("refusal.no_import")))?;
    match import_runs::last_run(pool, home).await? {
        Some(run_id) => Ok(import_runs::find(pool, run_id).await?),
        None => Ok(None),
    }
}

/// Runs with the names of who asked for them, each looked up once.
pub(crate) struct Showing<'s> {
    log: &'s EventLog,
    settings: &'s Settings,
    names: HashMap<String, String>,
    reported: HashSet<String>,
}

impl<'s> Showing<'s> {
    pub(crate) async fn new(log: &'s EventLog, settings: &'s Settings, desk: Desk) -> ApiResult<Self> {
        Ok(Self {
            log,
            settings,
            names: HashMap::new(),
            reported: FeedReports::new(desk).list_runs().await?,
        })
    }

    pub(crate) async fn show(&mut self, row: RunRow) -> ApiResult<ImportRun> {
        let by_name = match &row.by_id {
            Some(by_id) => staff_name(self.log, self.settings, by_id, &mut self.names).await?,
            None => String::new(),
        };
        Ok(ImportRun {
            has_report: self.reported.contains(&row.run_id),
            run_id: row.run_id,
            feed: row.feed,
            by: row.by_kind,
            by_name,
            file: row.file,
            digest: row.digest,
            map_digest: row.map_digest,
            missing_rule: row.missing_rule,
            begun_at: row.begun_at,
            ended_at: row.ended_at,
            outcome: row.outcome,
            reason: row.reason,
            homes: row.homes,
            allowed: row.allowed,
            added: row.added,
            changed: row.changed,
            unchanged: row.unchanged,
            rejected: row.rejected,
            left_out: row.left_out,
            missing: row.missing,
            withdrawn: row.withdrawn,
        })
    }
}
