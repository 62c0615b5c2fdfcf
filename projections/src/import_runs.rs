//! Runs of imports, the newest first, and for each home the run that changed it last (HOMES.md "Feeds", N2). An event of a home belongs
//! to a run whose id is its correlation id.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use domain::aggregate::Decide;
use domain::id::{ImportRunId, InventoryId};
use domain::import_run::{ImportRun, ImportRunEvent, RunCounts, RunOutcome, RunRefusal, RunSource};
use domain::inventory::Inventory;
use domain::moment::Moment;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use tables::table::Column::{Number, Text};
use tables::table::{Table, row};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

const RUNS: Table = Table {
    name: "import_run",
    columns: &[
        Text("run_id"),
        Number("position"),
        Text("feed"),
        Text("by_kind"),
        Text("by_id"),
        Text("file"),
        Text("digest"),
        Text("map_digest"),
        Text("missing_rule"),
        Text("begun_at"),
    ],
    key: 1,
};

const HOMES: Table = Table {
    name: "import_run_home",
    columns: &[Text("home_id"), Text("run_id")],
    key: 1,
};

/// Columns that a question of a run reads.
const SHOWN: &str = "select run_id, position, feed, by_kind, by_id, file, digest, map_digest, missing_rule, begun_at, ended_at,
    outcome, reason, homes, allowed, added, changed, unchanged, rejected, left_out, missing, withdrawn from import_run";

/// The tables of `0610_import_run.sql`.
pub struct ImportRuns;

/// One run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    pub run_id: String,
    /// Of its first event.
    pub position: i64,
    pub feed: String,
    /// A word of `RunBy::KEYS`.
    pub by_kind: String,
    /// The account of the member of staff.
    pub by_id: Option<String>,
    pub file: String,
    /// SHA-256 in hex, as the map's.
    pub digest: String,
    pub map_digest: Option<String>,
    /// A word of `MissingRule::ALL`.
    pub missing_rule: String,
    /// RFC 3339, as the end.
    pub begun_at: String,
    /// `None` for a run that is under way or was cut off.
    pub ended_at: Option<String>,
    /// A word of `RunOutcome::KEYS`.
    pub outcome: Option<String>,
    /// Why the file could not be read on.
    pub reason: Option<String>,
    /// Homes of the feed that were let, where the run was refused.
    pub homes: Option<i64>,
    /// How many might go, where the run was refused and somebody had said so.
    pub allowed: Option<i64>,
    pub added: i64,
    pub changed: i64,
    pub unchanged: i64,
    pub rejected: i64,
    pub left_out: i64,
    pub missing: i64,
    pub withdrawn: i64,
}

tables::from_row!(RunRow {
    run_id,
    position,
    feed,
    by_kind,
    by_id,
    file,
    digest,
    map_digest,
    missing_rule,
    begun_at,
    ended_at,
    outcome,
    reason,
    homes,
    allowed,
    added,
    changed,
    unchanged,
    rejected,
    left_out,
    missing,
    withdrawn
});

impl Projection for ImportRuns {
    fn name(&self) -> &'static str {
        "import_runs"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["import_run", "import_run_home"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &["import_run_position"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[ImportRun::KIND, Inventory::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut changes = Vec::new();
            for record in events {
                if record.stream.kind == ImportRun::KIND {
                    take_run(connection, record).await?;
                } else {
                    changes.push((record.stream.id.to_string(), record.correlation_id.to_string()));
                }
            }
            note_homes(connection, changes).await
        })
    }
}

async fn take_run(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let run_id = record.stream.id.to_string();
    match record.decode_sealed::<ImportRun>()? {
        ImportRunEvent::Begun { source, at } => {
            let begun = describe_run(run_id, record.position, source, at);
            RUNS.put(connection, &[begun]).await?;
        }
        ImportRunEvent::Ended { counts, outcome, at } => {
            end_run(connection, &run_id, counts, &outcome, at).await?;
        }
    }
    Ok(())
}

fn describe_run(run_id: String, position: u64, source: RunSource, at: Moment) -> Vec<tables::table::Value> {
    row![
        run_id,
        position.cast_signed(),
        source.feed,
        source.by.key(),
        source.by.user_id().map(|user_id| user_id.to_string()),
        source.file,
        source.digest,
        source.map_digest,
        source.missing.key(),
        instant(at)
    ]
}

async fn end_run(
    connection: &mut AnyConnection,
    run_id: &str,
    counts: RunCounts,
    outcome: &RunOutcome,
    at: Moment,
) -> Result<(), ProjectionError> {
    let (reason, homes, allowed) = match outcome {
        RunOutcome::Complete => (None, None, None),
        RunOutcome::Stopped { reason } => (Some(reason.as_str()), None, None),
        RunOutcome::Refused(
            RunRefusal::TooManyMissing { homes, limit, .. }
            | RunRefusal::NumberNotTyped {
                homes, typed: limit, ..
            },
        ) => (None, Some(homes.cast_signed()), limit.map(u64::cast_signed)),
    };
    sqlx::query(
        "update import_run set ended_at = $1, outcome = $2, reason = $3, homes = $4, allowed = $5, added = $6, changed = $7,
             unchanged = $8, rejected = $9, left_out = $10, missing = $11, withdrawn = $12
         where run_id = $13",
    )
    .bind(instant(at))
    .bind(outcome.key())
    .bind(reason)
    .bind(homes)
    .bind(allowed)
    .bind(counts.added.cast_signed())
    .bind(counts.changed.cast_signed())
    .bind(counts.unchanged.cast_signed())
    .bind(counts.rejected.cast_signed())
    .bind(counts.left_out.cast_signed())
    .bind(counts.missing.cast_signed())
    .bind(counts.withdrawn.cast_signed())
    .bind(run_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes for each home the last of the runs among these changes. A run begins before it changes a home, so its row is there.
async fn note_homes(
    connection: &mut AnyConnection,
    changes: Vec<(String, String)>,
) -> Result<(), ProjectionError> {
    let causes: BTreeSet<&str> = changes.iter().map(|(_, cause)| cause.as_str()).collect();
    if causes.is_empty() {
        return Ok(());
    }
    let causes: Vec<&str> = causes.into_iter().collect();
    let mut asked = Statement::new("select run_id from import_run where ");
    asked.push_among("run_id", &causes, connection);
    let runs: Vec<String> = asked.build_query_scalar()?.fetch_all(&mut *connection).await?;
    let runs: HashSet<String> = runs.into_iter().collect();
    let of_runs = changes.into_iter().filter(|(_, cause)| runs.contains(cause));
    let last: BTreeMap<String, String> = of_runs.collect();
    let rows: Vec<_> = last.into_iter().map(|(home, run)| row![home, run]).collect();
    Ok(HOMES.put(connection, &rows).await?)
}

/// Which runs are asked for; all of them where nothing is said.
#[derive(Debug, Clone, Default)]
pub struct RunFilter {
    pub feed: Option<String>,
    /// Before this position: the next page.
    pub before: Option<i64>,
}

/// Runs, the newest first.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(pool: &AnyPool, filter: &RunFilter, limit: u64) -> Result<Vec<RunRow>, sqlx::Error> {
    let mut query = Statement::new(format!("{SHOWN} where 1 = 1"));
    if let Some(feed) = &filter.feed {
        query.push(" and feed = ").push_bind(feed.clone());
    }
    if let Some(before) = filter.before {
        query.push(" and position < ").push_bind(before);
    }
    query
        .push(" order by position desc limit ")
        .push_bind(limit.cast_signed());
    query.build_query_as()?.fetch_all(pool).await
}

/// Finds a run by its id.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &AnyPool, run_id: ImportRunId) -> Result<Option<RunRow>, sqlx::Error> {
    let mut query = Statement::new(format!("{SHOWN} where run_id = "));
    query.push_bind(run_id.to_string());
    query.build_query_as()?.fetch_optional(pool).await
}

/// Finds the run that changed a home last; `None` for a home that no run ever changed.
///
/// # Errors
/// When the read models cannot be read.
pub async fn last_run(pool: &AnyPool, home: InventoryId) -> Result<Option<ImportRunId>, sqlx::Error> {
    let run_id: Option<String> = sqlx::query_scalar("select run_id from import_run_home where home_id = $1")
        .bind(home.to_string())
        .fetch_optional(pool)
        .await?;
    Ok(run_id.and_then(|run_id| run_id.parse().ok()))
}

/// Lists the feeds that ever had a run.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_feeds(pool: &AnyPool) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("select distinct feed from import_run order by feed")
        .fetch_all(pool)
        .await
}

#[cfg(test)]
mod tests;
