//! Reports of scheduled runs, row by row: kept in the desk's database, which all nodes share, the newest few of each feed.

use std::collections::HashSet;

use domain::id::ImportRunId;
use domain::moment::Moment;
use platform::desk::Desk;

/// Reports that are kept of one feed.
const KEPT: i64 = 5;

/// Outcome of each row of a file.
#[derive(Debug, Clone)]
pub struct FeedReport {
    pub run_id: ImportRunId,
    pub feed: String,
    pub at: Moment,
    /// CSV, with its byte-order mark.
    pub text: String,
}

/// Keeps reports and finds them.
#[derive(Debug, Clone)]
pub struct FeedReports {
    desk: Desk,
}

impl FeedReports {
    pub fn new(desk: Desk) -> Self {
        Self { desk }
    }

    /// Keeps a report, and drops the oldest of its feed. One that cannot be kept is said in the log output: its run is no worse for it.
    pub async fn keep(&self, report: &FeedReport) {
        if let Err(error) = self.write(report).await {
            tracing::warn!(%error, feed = report.feed, "the report of a feed is not kept");
        }
    }

    async fn write(&self, report: &FeedReport) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into feed_report (run_id, feed, kept_at, report) values ($1, $2, $3, $4)
             on conflict (run_id) do update set kept_at = excluded.kept_at, report = excluded.report",
        )
        .bind(report.run_id.to_string())
        .bind(&report.feed)
        .bind(report.at.timestamp_millis())
        .bind(&report.text)
        .execute(self.desk.pool())
        .await?;
        sqlx::query(
            "delete from feed_report where feed = $1 and run_id not in
               (select run_id from feed_report where feed = $2 order by kept_at desc, run_id desc limit $3)",
        )
        .bind(&report.feed)
        .bind(&report.feed)
        .bind(KEPT)
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }

    /// The report of a run; `None` where none is kept.
    ///
    /// # Errors
    /// When the desk's database cannot be read.
    pub async fn find(&self, run_id: ImportRunId) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("select report from feed_report where run_id = $1")
            .bind(run_id.to_string())
            .fetch_optional(self.desk.pool())
            .await
    }

    /// The runs whose reports are kept.
    ///
    /// # Errors
    /// When the desk's database cannot be read.
    pub async fn list_runs(&self) -> Result<HashSet<String>, sqlx::Error> {
        let runs: Vec<String> = sqlx::query_scalar("select run_id from feed_report")
            .fetch_all(self.desk.pool())
            .await?;
        Ok(runs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use tables::Place;
    use uuid::Uuid;

    use super::*;

    fn report(number: u8, feed: &str) -> FeedReport {
        FeedReport {
            run_id: ImportRunId(Uuid::from_u128(number.into())),
            feed: feed.to_owned(),
            at: DateTime::from_timestamp_millis(1_800_000_000_000 + i64::from(number)).unwrap(),
            text: format!("report {number}"),
        }
    }

    #[tokio::test]
    async fn newest_reports_of_each_feed_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let reports = FeedReports::new(Desk::open(&place).await.unwrap());
        reports.keep(&report(100, "york")).await;
        for number in 1..=7 {
            reports.keep(&report(number, "leeds")).await;
        }
        let runs = reports.list_runs().await.unwrap();
        assert_eq!(runs.len(), 6, "five of one feed, and the other's");
        let found = reports.find(report(7, "leeds").run_id).await.unwrap();
        assert_eq!(found.as_deref(), Some("report 7"));
        assert_eq!(reports.find(report(2, "leeds").run_id).await.unwrap(), None);
        assert!(reports.find(report(100, "york").run_id).await.unwrap().is_some());
    }
}
