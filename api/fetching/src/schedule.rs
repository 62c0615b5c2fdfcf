//! Fetches each feed of the setting when it is due, while this node is the one on duty, and hands changed files to the import. A run
//! that is cut off is begun again: a home that is written twice changes nothing.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt as _;
use futures::future::{BoxFuture, join, join_all};
use futures::stream::FuturesUnordered;
use platform::clock;
use platform::config::Settings;
use platform::duty::{Duty, ours};
use tokio::sync::{Semaphore, watch};
use tokio::time::MissedTickBehavior;

use crate::feeds_file::ScheduledFeed;
use crate::fetch::{FetchedFeed, Fetcher};
use crate::made_feeds::MadeFeeds;
use crate::state::{Ended, FAILURES_TOLD, FeedState, FeedStates, RunCounts, RunEnd, RunFailure};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_secs(2);
/// After a first failure; each further one doubles it, up to the feed's own interval.
const TRIED_AGAIN: TimeDelta = TimeDelta::minutes(5);
/// Files of feeds at a time: each may have a gibibyte until it is taken in.
const FILES_MOST: usize = 4;
/// Doublings that matter: 5 minutes and fourteen doublings are longer than any interval.
const DOUBLINGS: i64 = 14;

/// Takes the rows of a fetched feed into the log.
pub trait TakeIn: Send + Sync {
    /// The counts, or `None` where `stop` was set before the end. It is called again with the same file after a run was cut off.
    ///
    /// # Errors
    /// Why the file, the map or the log cannot be used, or that another run of the feed goes on. Bad rows are no error: they are counted.
    fn take_in<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        file: File,
        stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, Result<Option<RunCounts>, RunFailure>>;

    /// Notes in the log that a run of the feed ended before its file could be read, and why.
    ///
    /// # Errors
    /// One sentence when the log cannot be used.
    fn note_unread<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        reason: &'a str,
    ) -> BoxFuture<'a, Result<(), String>>;
}

/// The feeds of the setting and those of the workspace, and what is needed to fetch them.
pub struct FeedSchedule {
    pub feeds: Vec<ScheduledFeed>,
    /// Looked at anew at each turn of the clock.
    pub made: MadeFeeds,
    pub states: FeedStates,
    pub settings: Arc<Settings>,
    pub importer: Arc<dyn TakeIn>,
}

impl FeedSchedule {
    /// Fetches what is due until `stop` is set, while this node is on duty. A slow host holds up no other feed; files are taken in one
    /// after the other.
    pub async fn keep_fetching(self, duty: Duty, mut stop: watch::Receiver<bool>) {
        for feed in &self.feeds {
            for end in RunEnd::KEYS {
                count_run(feed, end, 0);
            }
        }
        if !ours(&mut duty.watch(), &mut stop).await {
            return;
        }
        if let Err(error) = self.forget_others().await {
            tracing::warn!(%error, "feeds that nobody names any more are still shown");
        }
        let fetcher = match Fetcher::open(&self.settings) {
            Ok(fetcher) => fetcher,
            Err(error) => {
                tracing::error!(%error, "no feed is fetched");
                return;
            }
        };
        let work = Work {
            schedule: &self,
            fetcher,
            duty: &duty,
            files: Semaphore::new(FILES_MOST),
            turn: Semaphore::new(1),
        };
        let mut all = Vec::new();
        for feed in &self.feeds {
            all.push(work.keep_fetching_one(feed, stop.clone()));
        }
        join(join_all(all), work.keep_fetching_made(stop)).await;
    }

    async fn forget_others(&self) -> Result<(), sqlx::Error> {
        let made = self.made.list().await?;
        let made = made.iter().map(|feed| feed.name.as_str());
        let names: Vec<&str> = self
            .feeds
            .iter()
            .map(|feed| feed.name.as_str())
            .chain(made)
            .collect();
        self.states.forget_others(&names).await
    }

    /// Feeds of the workspace that are fetched now. One that the setting names too is the setting's.
    async fn list_made(&self) -> Vec<ScheduledFeed> {
        let made = match self.made.list().await {
            Ok(made) => made,
            Err(error) => {
                tracing::error!(%error, "the feeds of the workspace cannot be read; trying again");
                return Vec::new();
            }
        };
        let is_taken = |name: &str| self.feeds.iter().any(|feed| feed.name == name);
        let due = made
            .iter()
            .filter(|feed| feed.is_paused == 0 && !is_taken(&feed.name));
        due.filter_map(|feed| feed.schedule().ok()).collect()
    }
}

/// The work on all feeds.
struct Work<'s> {
    schedule: &'s FeedSchedule,
    fetcher: Fetcher,
    duty: &'s Duty,
    /// Of the files that are fetched or wait.
    files: Semaphore,
    /// Of the one file that is taken in.
    turn: Semaphore,
}

impl Work<'_> {
    async fn keep_fetching_one(&self, feed: &ScheduledFeed, mut stop: watch::Receiver<bool>) {
        let mut held = self.duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while ours(&mut held, &mut stop).await {
            tokio::select! {
                _ = tick.tick() => {}
                _ = stop.wait_for(|stopped| *stopped) => return,
            }
            if let Err(error) = self.run_if_due(feed, &stop).await {
                tracing::error!(feed = feed.name, error, "a feed could not be run; trying again");
            }
        }
    }

    /// Runs the feeds that are made in the workspace, as they stand at each look; none holds up another.
    async fn keep_fetching_made(&self, mut stop: watch::Receiver<bool>) {
        let mut held = self.duty.watch();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut running = FuturesUnordered::new();
        let mut names = BTreeSet::new();
        let stopping = stop.clone();
        loop {
            let is_ours = tokio::select! {
                is_ours = ours(&mut held, &mut stop) => is_ours,
                Some(name) = running.next() => {
                    names.remove(&name);
                    continue;
                }
            };
            if !is_ours {
                break;
            }
            tokio::select! {
                _ = tick.tick() => {}
                Some(name) = running.next() => {
                    names.remove(&name);
                    continue;
                }
                _ = stop.wait_for(|stopped| *stopped) => break,
            }
            for feed in self.schedule.list_made().await {
                if names.insert(feed.name.clone()) {
                    running.push(self.run_made(feed, stopping.clone()));
                }
            }
        }
        // Each notes its own end.
        while running.next().await.is_some() {}
    }

    async fn run_made(&self, feed: ScheduledFeed, stop: watch::Receiver<bool>) -> String {
        if let Err(error) = self.run_if_due(&feed, &stop).await {
            tracing::error!(feed = feed.name, error, "a feed could not be run; trying again");
        }
        feed.name
    }

    async fn run_if_due(&self, feed: &ScheduledFeed, stop: &watch::Receiver<bool>) -> Result<(), String> {
        let told = |error: sqlx::Error| error.to_string();
        let states = &self.schedule.states;
        let before = states.find(&feed.name).await.map_err(told)?;
        let before = before.unwrap_or_default();
        let began = clock::now();
        if before.due_at().is_some_and(|due| due > began) {
            return Ok(());
        }
        self.confirm_duty().await?;
        let run = clock::new_id().to_string();
        states.begin(&feed.name, &run, began).await.map_err(told)?;
        let Some(end) = self.run(feed, &before, stop).await? else {
            return Ok(());
        };
        self.note_failure(feed, (&before, &end)).await;
        let now = clock::now();
        let failures = match &end {
            RunEnd::Failed(failure) if failure.needs_person => before.failures + FAILURES_TOLD,
            RunEnd::Failed(_) => before.failures + 1,
            RunEnd::Imported { .. } | RunEnd::Unchanged => 0,
        };
        let due = now + find_pause(feed.every, failures);
        let ended = Ended { now, due, failures };
        states.end(&run, &end, ended).await.map_err(told)?;
        count_run(feed, end.key(), 1);
        log_end(feed, &end);
        Ok(())
    }

    /// How the run ended; `None` where the server stops first.
    async fn run(
        &self,
        feed: &ScheduledFeed,
        before: &FeedState,
        stop: &watch::Receiver<bool>,
    ) -> Result<Option<RunEnd>, String> {
        let fingerprint = match feed.fingerprint(clock::now().date_naive()) {
            Ok(fingerprint) => fingerprint,
            Err(sentence) => return Ok(Some(fail(sentence, true))),
        };
        let known = before.marks_under(&fingerprint);
        let mut stopped = stop.clone();
        let _file = tokio::select! {
            file = self.files.acquire() => file.map_err(|error| error.to_string())?,
            _ = stopped.wait_for(|stopped| *stopped) => return Ok(None),
        };
        let fetched = tokio::select! {
            fetched = self.fetcher.fetch_changed(&feed.url.0, &known) => fetched,
            _ = stopped.wait_for(|stopped| *stopped) => return Ok(None),
        };
        let FetchedFeed { file, marks } = match fetched {
            Ok(Some(fetched)) => fetched,
            Ok(None) => return Ok(Some(RunEnd::Unchanged)),
            Err(error) => return Ok(Some(fail(error.to_string(), !error.is_temporary()))),
        };
        let _turn = self.turn.acquire().await.map_err(|error| error.to_string())?;
        // Fetching may take longer than a lease lasts.
        self.confirm_duty().await?;
        Ok(
            match self.schedule.importer.take_in(feed, file, stop.clone()).await {
                Ok(Some(counts)) => Some(RunEnd::Imported {
                    counts,
                    marks,
                    fingerprint,
                }),
                Ok(None) => None,
                Err(failure) => Some(RunEnd::Failed(failure)),
            },
        )
    }

    /// Notes a failure that no run in the log says. One that repeats is one run until it says something else: a host may be away for weeks.
    async fn note_failure(&self, feed: &ScheduledFeed, (before, end): (&FeedState, &RunEnd)) {
        let RunEnd::Failed(failure) = end else { return };
        if failure.is_noted || before.failure == failure.sentence {
            return;
        }
        let noted = self.schedule.importer.note_unread(feed, &failure.sentence);
        if let Err(error) = noted.await {
            tracing::warn!(feed = feed.name, error, "a run that failed is not listed");
        }
    }

    async fn confirm_duty(&self) -> Result<(), String> {
        self.duty.confirm().await.map_err(|error| error.to_string())
    }
}

fn log_end(feed: &ScheduledFeed, end: &RunEnd) {
    match end {
        RunEnd::Imported { counts, .. } => tracing::info!(feed = feed.name, ?counts, "a feed was taken in"),
        RunEnd::Unchanged => tracing::info!(feed = feed.name, "a feed is unchanged"),
        RunEnd::Failed(failure) => {
            tracing::warn!(feed = feed.name, reason = failure.sentence, "a feed failed");
        }
    }
}

fn fail(sentence: String, needs_person: bool) -> RunEnd {
    RunEnd::Failed(RunFailure {
        sentence,
        needs_person,
        is_noted: false,
    })
}

/// How long after a run the next begins.
fn find_pause(every: TimeDelta, failures: i64) -> TimeDelta {
    if failures <= 0 {
        return every;
    }
    let doublings = (failures - 1).min(DOUBLINGS);
    let pause = (0..doublings).fold(TRIED_AGAIN, |pause, _| pause * 2);
    pause.min(every)
}

fn count_run(feed: &ScheduledFeed, end: &'static str, runs: u64) {
    metrics::counter!("latchkey_feed_runs_total", "feed" => feed.name.clone(), "end" => end).increment(runs);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_after_failures_grow_to_the_interval() {
        let every = TimeDelta::hours(6);
        let pauses: Vec<i64> = [0, 1, 2, 3, 7, 8, 60, i64::MAX]
            .into_iter()
            .map(|failures| find_pause(every, failures).num_minutes())
            .collect();
        assert_eq!(pauses, [360, 5, 10, 20, 320, 360, 360, 360]);
        assert_eq!(find_pause(TimeDelta::minutes(15), 3), TimeDelta::minutes(15));
        let longest = find_pause(TimeDelta::days(31), DOUBLINGS + 1);
        assert_eq!(longest, TimeDelta::days(31), "as many doublings as matter");
    }
}
