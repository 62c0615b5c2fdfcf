//! Uploads and kept maps in the desk's database, which all nodes share.

use chrono::DateTime;
use domain::id::UserId;
use domain::moment::Moment;
use platform::desk::Desk;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::upload::{Stage, Upload, UploadState};

const COLUMNS: &str = "id, feed, by_id, made_at, stage, asked, version, state";

/// A row as it is read.
struct Row {
    id: String,
    feed: String,
    by_id: String,
    made_at: i64,
    stage: String,
    asked: String,
    version: i64,
    state: String,
}

tables::from_row!(Row {
    id,
    feed,
    by_id,
    made_at,
    stage,
    asked,
    version,
    state
});

impl Row {
    /// The upload; `None` for what another version wrote and this one cannot read.
    fn read(self) -> Option<Upload> {
        let state: UploadState = serde_json::from_str(&self.state).ok()?;
        Some(Upload {
            id: self.id.parse().ok()?,
            feed: self.feed,
            by: self.by_id.parse::<UserId>().ok()?,
            made_at: DateTime::from_timestamp_millis(self.made_at)?,
            stage: Stage::from_key(&self.stage),
            asked: self.asked,
            version: self.version,
            state,
        })
    }
}

fn write_state(state: &UploadState) -> Result<String, sqlx::Error> {
    serde_json::to_string(state).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// Keeps uploads and finds them.
#[derive(Debug, Clone)]
pub(crate) struct UploadRows {
    desk: Desk,
}

impl UploadRows {
    pub(crate) fn new(desk: Desk) -> Self {
        Self { desk }
    }

    /// Adds an upload; `false` where it is there already.
    pub(crate) async fn add(&self, upload: &Upload) -> Result<bool, sqlx::Error> {
        let query = format!(
            "insert into feed_upload ({COLUMNS}, is_cancelled, report) values ($1, $2, $3, $4, $5, $6, $7, $8, 0, '')
             on conflict (id) do nothing"
        );
        let added = sqlx::query(AssertSqlSafe(query))
            .bind(upload.id.to_string())
            .bind(&upload.feed)
            .bind(upload.by.to_string())
            .bind(upload.made_at.timestamp_millis())
            .bind(upload.stage.key())
            .bind(&upload.asked)
            .bind(upload.version)
            .bind(write_state(&upload.state)?)
            .execute(self.desk.pool())
            .await?;
        Ok(added.rows_affected() > 0)
    }

    pub(crate) async fn find(&self, id: Uuid) -> Result<Option<Upload>, sqlx::Error> {
        let query = format!("select {COLUMNS} from feed_upload where id = $1");
        let row: Option<Row> = sqlx::query_as(AssertSqlSafe(query))
            .bind(id.to_string())
            .fetch_optional(self.desk.pool())
            .await?;
        Ok(row.and_then(Row::read))
    }

    /// The uploads of a stage, the oldest first; of all stages where it is empty.
    pub(crate) async fn list(&self, stage: &str) -> Result<Vec<Upload>, sqlx::Error> {
        let query =
            format!("select {COLUMNS} from feed_upload where stage = $1 or $2 = '' order by made_at, id");
        let rows: Vec<Row> = sqlx::query_as(AssertSqlSafe(query))
            .bind(stage)
            .bind(stage)
            .fetch_all(self.desk.pool())
            .await?;
        Ok(rows.into_iter().filter_map(Row::read).collect())
    }

    /// Writes an upload over the version that was read; `false` where somebody was faster. Work that waits anew is not cancelled.
    pub(crate) async fn save(&self, upload: &mut Upload) -> Result<bool, sqlx::Error> {
        let keeps_cancelled = i64::from(upload.stage != Stage::Waiting);
        let saved = sqlx::query(
            "update feed_upload set stage = $1, asked = $2, state = $3, is_cancelled = is_cancelled * $4, version = version + 1
             where id = $5 and version = $6",
        )
        .bind(upload.stage.key())
        .bind(&upload.asked)
        .bind(write_state(&upload.state)?)
        .bind(keeps_cancelled)
        .bind(upload.id.to_string())
        .bind(upload.version)
        .execute(self.desk.pool())
        .await?;
        let is_saved = saved.rows_affected() > 0;
        upload.version += i64::from(is_saved);
        Ok(is_saved)
    }

    pub(crate) async fn keep_report(&self, id: Uuid, report: &str) -> Result<(), sqlx::Error> {
        sqlx::query("update feed_upload set report = $1 where id = $2")
            .bind(report)
            .bind(id.to_string())
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    pub(crate) async fn find_report(&self, id: Uuid) -> Result<Option<String>, sqlx::Error> {
        let found: Option<String> = sqlx::query_scalar("select report from feed_upload where id = $1")
            .bind(id.to_string())
            .fetch_optional(self.desk.pool())
            .await?;
        Ok(found.filter(|report| !report.is_empty()))
    }

    /// Asks that the work of an upload stops.
    pub(crate) async fn cancel(&self, id: Uuid) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update feed_upload set is_cancelled = 1 where id = $1 and stage in ('waiting', 'running')",
        )
        .bind(id.to_string())
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }

    pub(crate) async fn is_cancelled(&self, id: Uuid) -> Result<bool, sqlx::Error> {
        let flag: Option<i64> = sqlx::query_scalar("select is_cancelled from feed_upload where id = $1")
            .bind(id.to_string())
            .fetch_optional(self.desk.pool())
            .await?;
        // One that was removed is stopped too.
        Ok(flag != Some(0))
    }

    /// Removes an upload that nobody works on.
    pub(crate) async fn remove(&self, id: Uuid) -> Result<bool, sqlx::Error> {
        let gone =
            sqlx::query("delete from feed_upload where id = $1 and stage not in ('waiting', 'running')")
                .bind(id.to_string())
                .execute(self.desk.pool())
                .await?;
        Ok(gone.rows_affected() > 0)
    }

    /// Removes uploads that were made before a moment; those that are worked on after another.
    pub(crate) async fn remove_made_before(&self, idle: Moment, busy: Moment) -> Result<(), sqlx::Error> {
        sqlx::query("delete from feed_upload where (made_at < $1 and stage <> 'running') or made_at < $2")
            .bind(idle.timestamp_millis())
            .bind(busy.timestamp_millis())
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// The map that a feed was last imported with, as JSON.
    pub(crate) async fn find_map(&self, feed: &str) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("select map from feed_map where feed = $1")
            .bind(feed)
            .fetch_optional(self.desk.pool())
            .await
    }

    pub(crate) async fn keep_map(
        &self,
        feed: &str,
        map: &str,
        (by, at): (UserId, Moment),
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into feed_map (feed, map, saved_by, saved_at) values ($1, $2, $3, $4)
             on conflict (feed) do update set map = excluded.map, saved_by = excluded.saved_by, saved_at = excluded.saved_at",
        )
        .bind(feed)
        .bind(map)
        .bind(by.to_string())
        .bind(at.timestamp_millis())
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }
}
