//! Where each scheduled feed stands: rows of the desk's database, which all nodes share. What a run took in stands in the log; a desk
//! that is lost makes each feed due at once, and the same file changes nothing.

use chrono::DateTime;
use domain::moment::Moment;
use platform::desk::Desk;
use sqlx::AssertSqlSafe;
use tables::Place;

use crate::fetch::Marks;

/// Failures after which a feed is an alert: one that may pass by itself is tried again first.
pub const FAILURES_TOLD: i64 = 2;

const COLUMNS: &str = "name, due_at, run, etag, last_modified, content_hash, fingerprint, ended_at, ended, failure, failures, imported_at, \
                       rows_read, added, changed, unchanged, rejected";

/// Counts of the rows of a file by their outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    pub rows: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// The rows of a file were taken in.
    Imported {
        counts: RunCounts,
        marks: Marks,
        fingerprint: String,
    },
    /// The host still has the file that was taken in last.
    Unchanged,
    Failed(RunFailure),
}

/// Why a run took nothing in, or not all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFailure {
    /// One sentence, without address and key.
    pub sentence: String,
    /// Whether the next try is likely to fail too until somebody changes something.
    pub needs_person: bool,
    /// Whether a run in the log says it.
    pub is_noted: bool,
}

impl RunEnd {
    /// Every word of [`RunEnd::key`].
    pub const KEYS: [&str; 3] = ["imported", "unchanged", "failed"];

    /// The word that is kept and counted.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Imported { .. } => "imported",
            Self::Unchanged => "unchanged",
            Self::Failed(_) => "failed",
        }
    }
}

/// Where one feed stands.
#[derive(Debug, Clone, Default)]
pub struct FeedState {
    pub name: String,
    due_at: i64,
    /// Empty between two runs.
    run: String,
    etag: String,
    last_modified: String,
    content_hash: String,
    fingerprint: String,
    ended_at: i64,
    /// One of [`RunEnd::KEYS`]; empty before the first end.
    pub ended: String,
    /// The sentence of the last run, if it failed.
    pub failure: String,
    pub failures: i64,
    imported_at: i64,
    rows_read: i64,
    added: i64,
    changed: i64,
    unchanged: i64,
    rejected: i64,
}

tables::from_row!(FeedState {
    name,
    due_at,
    run,
    etag,
    last_modified,
    content_hash,
    fingerprint,
    ended_at,
    ended,
    failure,
    failures,
    imported_at,
    rows_read,
    added,
    changed,
    unchanged,
    rejected
});

impl FeedState {
    /// When the feed is fetched next.
    pub fn due_at(&self) -> Option<Moment> {
        read_moment(self.due_at)
    }

    pub fn ended_at(&self) -> Option<Moment> {
        read_moment(self.ended_at)
    }

    /// When a file was taken in last.
    pub fn imported_at(&self) -> Option<Moment> {
        read_moment(self.imported_at)
    }

    pub fn is_running(&self) -> bool {
        !self.run.is_empty()
    }

    pub fn is_failing(&self) -> bool {
        self.failures >= FAILURES_TOLD
    }

    /// The counts of the last file that was taken in.
    pub fn counts(&self) -> RunCounts {
        RunCounts {
            rows: self.rows_read.unsigned_abs(),
            added: self.added.unsigned_abs(),
            changed: self.changed.unsigned_abs(),
            unchanged: self.unchanged.unsigned_abs(),
            rejected: self.rejected.unsigned_abs(),
        }
    }

    /// By what the last file is known again; nothing where it would be read in another way now.
    pub(crate) fn marks_under(&self, fingerprint: &str) -> Marks {
        if self.fingerprint != fingerprint {
            return Marks::default();
        }
        Marks {
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
            content_hash: self.content_hash.clone(),
        }
    }
}

fn read_moment(millis: i64) -> Option<Moment> {
    (millis > 0)
        .then(|| DateTime::from_timestamp_millis(millis))
        .flatten()
}

fn fit(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Reads where every feed stands, in the order of names.
///
/// # Errors
/// When the desk's database cannot be read.
pub async fn list_feeds(place: &Place) -> Result<Vec<FeedState>, sqlx::Error> {
    let pool = Desk::readers(place).await?;
    let query = format!("select {COLUMNS} from feed_state order by name");
    let states = sqlx::query_as(AssertSqlSafe(query)).fetch_all(&pool).await;
    pool.close().await;
    states
}

/// Counts feeds that fail again and again, or until a person mends something.
///
/// # Errors
/// When the desk's database cannot be read.
pub async fn count_failing(place: &Place) -> Result<i64, sqlx::Error> {
    let pool = Desk::readers(place).await?;
    let count = sqlx::query_scalar("select count(*) from feed_state where failures >= $1")
        .bind(FAILURES_TOLD)
        .fetch_one(&pool)
        .await;
    pool.close().await;
    count
}

/// Writes where feeds stand.
#[derive(Debug, Clone)]
pub struct FeedStates {
    desk: Desk,
}

impl FeedStates {
    pub fn new(desk: Desk) -> Self {
        Self { desk }
    }

    pub(crate) async fn find(&self, name: &str) -> Result<Option<FeedState>, sqlx::Error> {
        let query = format!("select {COLUMNS} from feed_state where name = $1");
        sqlx::query_as(AssertSqlSafe(query))
            .bind(name)
            .fetch_optional(self.desk.pool())
            .await
    }

    /// Where every feed stands.
    ///
    /// # Errors
    /// When the desk's database cannot be read.
    pub async fn list(&self) -> Result<Vec<FeedState>, sqlx::Error> {
        let query = format!("select {COLUMNS} from feed_state order by name");
        sqlx::query_as(AssertSqlSafe(query))
            .fetch_all(self.desk.pool())
            .await
    }

    /// Makes a feed due, and lets its file be taken in again though it is the one of before. A feed that never ran is due already.
    ///
    /// # Errors
    /// When the desk's database cannot be written.
    pub async fn make_due(&self, name: &str, now: Moment) -> Result<(), sqlx::Error> {
        sqlx::query("update feed_state set due_at = $1, fingerprint = '' where name = $2")
            .bind(now.timestamp_millis())
            .bind(name)
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// Forgets feeds that the setting names no more.
    pub(crate) async fn forget_others(&self, names: &[&str]) -> Result<(), sqlx::Error> {
        let kept: Vec<String> = sqlx::query_scalar("select name from feed_state")
            .fetch_all(self.desk.pool())
            .await?;
        for name in kept.iter().filter(|name| !names.contains(&name.as_str())) {
            self.forget(name).await?;
        }
        Ok(())
    }

    /// Forgets where a feed stands that is fetched no more: it is no failure any longer.
    ///
    /// # Errors
    /// When the desk's database cannot be written.
    pub async fn forget(&self, name: &str) -> Result<(), sqlx::Error> {
        sqlx::query("delete from feed_state where name = $1")
            .bind(name)
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// Notes that a run began. The feed stays due until it ends: a run that is cut off is begun again.
    pub(crate) async fn begin(&self, name: &str, run: &str, now: Moment) -> Result<(), sqlx::Error> {
        let query = format!(
            "insert into feed_state ({COLUMNS})
             values ($1, $2, $3, '', '', '', '', 0, '', '', 0, 0, 0, 0, 0, 0, 0)
             on conflict (name) do update set run = excluded.run"
        );
        sqlx::query(AssertSqlSafe(query))
            .bind(name)
            .bind(now.timestamp_millis())
            .bind(run)
            .execute(self.desk.pool())
            .await?;
        Ok(())
    }

    /// Notes how a run ended. One that another node has begun anew since is not noted; one that is cut off between the two steps finds its
    /// own file unchanged.
    pub(crate) async fn end(&self, run: &str, end: &RunEnd, at: Ended) -> Result<(), sqlx::Error> {
        if let RunEnd::Imported {
            counts,
            marks,
            fingerprint,
        } = end
        {
            self.keep_import(run, counts, marks, fingerprint, at.now).await?;
        }
        let failure = match end {
            RunEnd::Failed(failure) => failure.sentence.as_str(),
            RunEnd::Imported { .. } | RunEnd::Unchanged => "",
        };
        sqlx::query(
            "update feed_state set due_at = $1, ended_at = $2, ended = $3, failure = $4, failures = $5, run = ''
             where run = $6",
        )
        .bind(at.due.timestamp_millis())
        .bind(at.now.timestamp_millis())
        .bind(end.key())
        .bind(failure)
        .bind(at.failures)
        .bind(run)
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }

    async fn keep_import(
        &self,
        run: &str,
        counts: &RunCounts,
        marks: &Marks,
        fingerprint: &str,
        now: Moment,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update feed_state set etag = $1, last_modified = $2, content_hash = $3, fingerprint = $4, imported_at = $5,
               rows_read = $6, added = $7, changed = $8, unchanged = $9, rejected = $10
             where run = $11",
        )
        .bind(&marks.etag)
        .bind(&marks.last_modified)
        .bind(&marks.content_hash)
        .bind(fingerprint)
        .bind(now.timestamp_millis())
        .bind(fit(counts.rows))
        .bind(fit(counts.added))
        .bind(fit(counts.changed))
        .bind(fit(counts.unchanged))
        .bind(fit(counts.rejected))
        .bind(run)
        .execute(self.desk.pool())
        .await?;
        Ok(())
    }
}

/// When a run ended, and what follows from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub now: Moment,
    pub due: Moment,
    pub failures: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: i64 = 1_800_000_000_000;

    fn at(minutes: i64) -> Moment {
        DateTime::from_timestamp_millis(START + minutes * 60_000).unwrap()
    }

    fn marks() -> Marks {
        Marks {
            etag: "\"a\"".to_owned(),
            last_modified: String::new(),
            content_hash: "c0".to_owned(),
        }
    }

    async fn states() -> (tempfile::TempDir, Place, FeedStates) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let desk = Desk::open(&place).await.unwrap();
        (folder, place, FeedStates::new(desk))
    }

    #[tokio::test]
    async fn feed_is_known_again_by_its_last_import() {
        let (_folder, place, states) = states().await;
        states.begin("leeds", "run 1", at(0)).await.unwrap();
        let begun = states.find("leeds").await.unwrap().unwrap();
        assert!(begun.is_running() && begun.due_at() == Some(at(0)));
        let counts = RunCounts {
            rows: 3,
            added: 2,
            rejected: 1,
            ..RunCounts::default()
        };
        let end = RunEnd::Imported {
            counts,
            marks: marks(),
            fingerprint: "f".to_owned(),
        };
        let ended = Ended {
            now: at(1),
            due: at(61),
            failures: 0,
        };
        states.end("run 1", &end, ended).await.unwrap();
        let state = states.find("leeds").await.unwrap().unwrap();
        assert_eq!((state.counts(), state.imported_at()), (counts, Some(at(1))));
        assert_eq!((state.due_at(), state.is_running()), (Some(at(61)), false));
        assert_eq!(state.marks_under("f"), marks());
        assert_eq!(state.marks_under("another map"), Marks::default());
        // What follows changes no mark.
        states.begin("leeds", "run 2", at(61)).await.unwrap();
        let failure = RunEnd::Failed(RunFailure {
            sentence: "no answer".to_owned(),
            needs_person: false,
            is_noted: false,
        });
        let failed = Ended {
            now: at(62),
            due: at(67),
            failures: FAILURES_TOLD,
        };
        states.end("run 2", &failure, failed).await.unwrap();
        let all = list_feeds(&place).await.unwrap();
        assert_eq!(
            (all.len(), &*all[0].failure, all[0].is_failing()),
            (1, "no answer", true)
        );
        assert_eq!((all[0].marks_under("f"), all[0].counts()), (marks(), counts));
        assert_eq!(count_failing(&place).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn run_that_was_begun_anew_elsewhere_is_not_noted() {
        let (_folder, place, states) = states().await;
        states.begin("leeds", "run 1", at(0)).await.unwrap();
        states.begin("leeds", "run 2", at(3)).await.unwrap();
        let ended = Ended {
            now: at(4),
            due: at(64),
            failures: 0,
        };
        states.end("run 1", &RunEnd::Unchanged, ended).await.unwrap();
        let state = states.find("leeds").await.unwrap().unwrap();
        assert!(state.is_running() && state.ended.is_empty());
        states.make_due("leeds", at(5)).await.unwrap();
        let listed = states.list().await.unwrap();
        assert_eq!((listed.len(), listed[0].due_at()), (1, Some(at(5))));
        states.begin("york", "run 3", at(4)).await.unwrap();
        states.forget_others(&["york"]).await.unwrap();
        let names: Vec<String> = list_feeds(&place)
            .await
            .unwrap()
            .into_iter()
            .map(|state| state.name)
            .collect();
        assert_eq!(names, ["york"]);
    }
}
