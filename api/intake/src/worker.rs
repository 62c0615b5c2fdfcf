//! Works on the uploads whose files lie on this node, one import and a few looks at a time. What a killed process was at is told as stopped,
//! and can be asked for again: a home that was written already changes nothing.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::id::ImportRunId;
use domain::import_run::{RunBy, RunCounts, RunOutcome};
use eventlog::EventLog;
use fetching::reports::FeedReports;
use import::run::{RunMark, end_run};
use platform::clock;
use platform::config::Settings;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use crate::commands::IntakeDesk;
use crate::job::Job;
use crate::upload::{Stage, StoppedBy, Upload, Work};

/// How often work is looked for that no bell told of.
const TICK: Duration = Duration::from_secs(2);
/// Ticks between two looks for uploads that have had their time.
const SWEPT_EVERY: u32 = 150;
/// How long an upload is kept.
pub const KEPT_FOR: TimeDelta = TimeDelta::hours(24);
/// After this also one that is said to be worked on: its node is gone.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::hours(72);
const LOOKS_MOST: usize = 2;
const RUNS_MOST: usize = 1;

/// Why a run ended whose process was killed.
const CUT_OFF: &str = "the server was stopped; the same file can be imported again";

/// The work on uploads of one node.
pub struct IntakeWorker {
    pub desk: IntakeDesk,
    pub log: EventLog,
    pub settings: Arc<Settings>,
    pub reports: FeedReports,
}

impl IntakeWorker {
    /// Works until `stop` is set.
    pub async fn keep_working(self, mut stop: watch::Receiver<bool>) {
        self.desk.shelf.remove_parts();
        if let Err(error) = self.end_cut_off().await {
            tracing::error!(%error, "uploads that were cut off are still told as running");
        }
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut looks, mut runs, mut ticks) = (JoinSet::new(), JoinSet::new(), 0_u32);
        let stopping = stop.clone();
        loop {
            // Nothing is waited for while what `stop` lends is held.
            let is_tick = tokio::select! {
                _ = tick.tick() => true,
                () = self.desk.bell.notified() => false,
                Some(_) = looks.join_next() => false,
                Some(_) = runs.join_next() => false,
                _ = stop.wait_for(|stopped| *stopped) => break,
            };
            if is_tick {
                if ticks.is_multiple_of(SWEPT_EVERY)
                    && let Err(error) = self.sweep().await
                {
                    tracing::warn!(%error, "old uploads could not be removed; trying again");
                }
                ticks = ticks.wrapping_add(1);
            }
            if let Err(error) = self.begin_waiting(&mut looks, &mut runs, &stopping).await {
                tracing::error!(%error, "uploads that wait could not be read; trying again");
            }
        }
        // Each sees the stop, and notes its end.
        while looks.join_next().await.is_some() {}
        while runs.join_next().await.is_some() {}
    }

    async fn begin_waiting(
        &self,
        looks: &mut JoinSet<()>,
        runs: &mut JoinSet<()>,
        stop: &watch::Receiver<bool>,
    ) -> Result<(), sqlx::Error> {
        for mut upload in self.desk.rows.list(Stage::Waiting.key()).await? {
            let (set, most) = match upload.state.work {
                Work::Look => (&mut *looks, LOOKS_MOST),
                Work::DryRun | Work::Import => (&mut *runs, RUNS_MOST),
            };
            if set.len() >= most || !self.desk.shelf.holds(upload.id) {
                continue;
            }
            if self.desk.rows.is_cancelled(upload.id).await? {
                self.note_stopped(&mut upload, StoppedBy::Person).await?;
                continue;
            }
            let run_mark = begin_work(&mut upload);
            if self.desk.rows.save(&mut upload).await? {
                let job = Job {
                    desk: self.desk.clone(),
                    log: self.log.clone(),
                    settings: Arc::clone(&self.settings),
                    reports: self.reports.clone(),
                    upload,
                    mark: run_mark,
                    stop: stop.clone(),
                };
                let handle = Handle::current();
                // On a thread of its own, so that homes hold up no answer.
                set.spawn_blocking(move || handle.block_on(job.carry_out()));
            }
        }
        Ok(())
    }

    async fn note_stopped(&self, upload: &mut Upload, by: StoppedBy) -> Result<(), sqlx::Error> {
        upload.stop(by);
        self.desk.rows.save(upload).await?;
        Ok(())
    }

    /// Tells what a process before this one was at as stopped, also in the log.
    async fn end_cut_off(&self) -> Result<(), sqlx::Error> {
        for mut upload in self.desk.rows.list(Stage::Running.key()).await? {
            if !self.desk.shelf.holds(upload.id) {
                continue;
            }
            self.note_stopped(&mut upload, StoppedBy::Server).await?;
            let run_id = upload.state.run.as_ref().and_then(|run| run.run_id.as_deref());
            let run_id: Option<ImportRunId> = run_id.and_then(|id| id.parse().ok());
            if let (Some(run_id), Work::Import) = (run_id, upload.state.work) {
                let by = RunBy::Staff(upload.state.run_by.unwrap_or(upload.by));
                let outcome = RunOutcome::Stopped {
                    reason: CUT_OFF.to_owned(),
                };
                // Where it had not begun in the log yet, or had ended there, nothing is to be said.
                let _told = end_run(&self.log, (RunMark { run_id }, by), RunCounts::default(), outcome).await;
            }
        }
        Ok(())
    }

    /// Removes uploads that have had their time, and files that no upload names.
    async fn sweep(&self) -> Result<(), sqlx::Error> {
        let now = clock::now();
        self.desk
            .rows
            .remove_made_before(now - KEPT_FOR, now - GIVEN_UP_AFTER)
            .await?;
        for id in self.desk.shelf.list() {
            if self.desk.rows.find(id).await?.is_none() {
                self.desk.shelf.remove(id);
            }
        }
        Ok(())
    }
}

/// Notes that the work of an upload begins.
fn begin_work(upload: &mut Upload) -> RunMark {
    let mark = RunMark::new();
    upload.stage = Stage::Running;
    let is_import = upload.state.work == Work::Import;
    if let Some(run) = upload.state.run.as_mut().filter(|run| run.ended_at.is_none()) {
        run.begun_at = Some(clock::now().to_rfc3339());
        run.run_id = is_import.then(|| mark.run_id.to_string());
    }
    mark
}
