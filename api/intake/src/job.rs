//! One piece of work on one upload, on a thread of its own.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use domain::import_run::{MissingRule, RunBy, RunOutcome, RunRefusal, RunSource};
use eventlog::EventLog;
use feeds::FeedMap;
use fetching::reports::{FeedReport, FeedReports};
use import::preview::{FeedLook, look_at_feed};
use import::run::{RunMark, digest_text};
use import::upload::{RunWatch, StopCause, UploadEnd, UploadOrder, UploadedFile, run_upload};
use platform::clock;
use platform::config::Settings;
use tokio::sync::watch;

use crate::commands::IntakeDesk;
use crate::upload::{MapFrom, Stage, Upload, UploadRun, Work};

/// How often a run notes how far it is, and looks whether it is to stop.
const NOTED_EVERY: Duration = Duration::from_millis(400);
/// Pauses before the end of the work is noted once more.
const SAVED_AGAIN: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(20),
];
/// Passes over a file in a run: its names, its middles, its homes.
const PASSES: u64 = 3;

/// One piece of work, and what it needs.
pub(crate) struct Job {
    pub(crate) desk: IntakeDesk,
    pub(crate) log: EventLog,
    pub(crate) settings: Arc<Settings>,
    pub(crate) reports: FeedReports,
    pub(crate) upload: Upload,
    pub(crate) mark: RunMark,
    pub(crate) stop: watch::Receiver<bool>,
}

/// A look that was taken, with the map that fits.
struct Looked {
    look: FeedLook,
    map: FeedMap,
    from: MapFrom,
    kept_fault: Option<String>,
}

impl Job {
    /// Does the work, and notes its end.
    pub(crate) async fn carry_out(mut self) {
        let watch = Arc::new(RunWatch::default());
        let id = self.upload.id;
        let noted = match self.upload.state.work {
            Work::Look => Box::pin(self.look(&watch)).await,
            Work::DryRun | Work::Import => Box::pin(self.run(&watch)).await,
        };
        if let Err(error) = noted {
            tracing::error!(%error, upload = %id, "the end of the work on an upload could not be noted");
        }
    }

    async fn look(&mut self, watch: &Arc<RunWatch>) -> Result<(), sqlx::Error> {
        let taken = take_look(
            self.log.clone(),
            self.desk.clone(),
            self.upload.clone(),
            Arc::clone(watch),
        );
        let taken = self.watch_over(taken, watch).await;
        let state = &mut self.upload.state;
        self.upload.stage = Stage::Done;
        match taken {
            Ok(looked) => {
                state.map = looked.map;
                state.map_from = looked.from;
                state.kept_fault = looked.kept_fault;
                state.look = Some(looked.look);
                state.is_looked = true;
            }
            Err(reason) => self.fail(watch, reason),
        }
        self.save_end().await
    }

    /// The work failed, or was stopped.
    fn fail(&mut self, watch: &RunWatch, reason: String) {
        if let Some(cause) = watch.stopped() {
            self.upload.stage = Stage::Stopped;
            self.upload.state.stopped_by = Some(cause.into());
        } else {
            self.upload.stage = Stage::Failed;
            self.upload.state.fault = Some(reason);
        }
    }

    async fn run(&mut self, watch: &Arc<RunWatch>) -> Result<(), sqlx::Error> {
        let (map, upload) = (self.upload.map(), self.upload.clone());
        let mut run = match upload.state.run.clone() {
            Some(run) => run,
            None => UploadRun::asked(upload.state.work, MissingRule::Report.key(), None),
        };
        let Ok(map_json) = map.to_json() else {
            self.fail(watch, "the map cannot be written".to_owned());
            return self.desk.rows.save(&mut self.upload).await.map(drop);
        };
        let order = UploadOrder {
            source: RunSource {
                feed: upload.feed.clone(),
                by: RunBy::Staff(upload.state.run_by.unwrap_or(upload.by)),
                file: upload.state.file.clone(),
                digest: upload.state.digest.clone(),
                map_digest: Some(digest_text(&map_json)),
                missing: find_rule(&run.missing_rule),
            },
            limit: run.missing_limit,
            dry_run: upload.state.work == Work::DryRun,
            mark: self.mark,
        };
        let (log, settings, shared) = (self.log.clone(), Arc::clone(&self.settings), Arc::clone(watch));
        let path = self.desk.shelf.path_of(upload.id);
        let working = async move {
            let place = settings.place();
            run_upload(&log, &place, (path, &map), order, &shared).await
        };
        let ended = Box::pin(self.watch_over(working, watch)).await;
        run.note(watch.verdicts());
        run.ended_at = Some(clock::now().to_rfc3339());
        self.upload.stage = Stage::Done;
        match ended {
            Ok(ended) => {
                // The run has ended all the same: an upload that is said to run can neither be run again nor be taken away.
                if let Err(error) = self.note_end(watch, &mut run, ended, &map_json).await {
                    run.has_report = false;
                    tracing::error!(%error, upload = %upload.id, "report or map of a run could not be kept");
                }
            }
            Err(reason) => {
                run.outcome = Some("stopped".to_owned());
                run.reason = Some(reason.clone());
                self.fail(watch, reason);
            }
        }
        self.upload.state.run = Some(run);
        self.save_end().await
    }

    /// Notes the end of the work; a database that is away for a moment is asked again.
    async fn save_end(&mut self) -> Result<(), sqlx::Error> {
        for pause in SAVED_AGAIN {
            match self.desk.rows.save(&mut self.upload).await {
                Ok(_) => return Ok(()),
                Err(error) => {
                    tracing::warn!(%error, upload = %self.upload.id, "the end of the work cannot be noted; trying again");
                }
            }
            tokio::time::sleep(pause).await;
        }
        self.desk.rows.save(&mut self.upload).await.map(drop)
    }

    /// Takes the counts of a run over, and keeps its report and its map.
    async fn note_end(
        &mut self,
        watch: &RunWatch,
        run: &mut UploadRun,
        ended: UploadEnd,
        map_json: &str,
    ) -> Result<(), sqlx::Error> {
        let counts = ended.counts;
        (run.rows, run.percent, run.has_report) = (ended.rows, 100, true);
        (run.added, run.changed, run.unchanged) = (counts.added, counts.changed, counts.unchanged);
        (run.rejected, run.left_out) = (counts.rejected, counts.left_out);
        (run.missing, run.withdrawn) = (counts.missing, counts.withdrawn);
        run.outcome = Some(ended.outcome.key().to_owned());
        match &ended.outcome {
            RunOutcome::Complete => {}
            RunOutcome::Stopped { reason } => {
                run.reason = Some(reason.clone());
                if watch.stopped().is_some() {
                    self.fail(watch, reason.clone());
                }
            }
            // Homes that the file closes count too: this is the number that is to be typed.
            RunOutcome::Refused(
                RunRefusal::TooManyMissing { missing, homes, .. }
                | RunRefusal::NumberNotTyped { missing, homes, .. },
            ) => (run.missing, run.let_homes) = (*missing, Some(*homes)),
        }
        let upload = &self.upload;
        self.desk.rows.keep_report(upload.id, &ended.report).await?;
        if upload.state.work == Work::Import {
            let by = upload.state.run_by.unwrap_or(upload.by);
            if ended.outcome == RunOutcome::Complete {
                self.desk
                    .rows
                    .keep_map(&upload.feed, map_json, (by, clock::now()))
                    .await?;
            }
            let kept = FeedReport {
                run_id: self.mark.run_id,
                feed: upload.feed.clone(),
                at: clock::now(),
                text: ended.report,
            };
            self.reports.keep(&kept).await;
        }
        Ok(())
    }

    /// Waits for the work; meanwhile notes how far it is, and stops it where somebody wants that.
    async fn watch_over<T>(&mut self, work: impl Future<Output = T>, watch: &RunWatch) -> T {
        let mut work = pin!(work);
        let mut tick = tokio::time::interval(NOTED_EVERY);
        // The first one is at once.
        tick.tick().await;
        loop {
            tokio::select! {
                done = &mut work => return done,
                _ = tick.tick() => {
                    if let Err(error) = self.note_progress(watch).await {
                        tracing::warn!(%error, "how far an upload is could not be noted");
                    }
                }
            }
        }
    }

    async fn note_progress(&mut self, watch: &RunWatch) -> Result<(), sqlx::Error> {
        if *self.stop.borrow() {
            watch.stop(StopCause::Server);
        }
        if self.desk.rows.is_cancelled(self.upload.id).await? {
            watch.stop(StopCause::Person);
        }
        let percent = count_percent(&self.upload, watch.bytes());
        let Some(run) = self
            .upload
            .state
            .run
            .as_mut()
            .filter(|run| run.ended_at.is_none())
        else {
            return Ok(());
        };
        run.note(watch.verdicts());
        run.percent = percent;
        self.desk.rows.save(&mut self.upload).await?;
        Ok(())
    }
}

/// How much of the reading is done, of at most 99 before the end.
fn count_percent(upload: &Upload, read: u64) -> u8 {
    let withdraws = upload
        .state
        .run
        .as_ref()
        .is_some_and(|run| find_rule(&run.missing_rule) == MissingRule::Withdraw);
    let passes = if withdraws { 2 * PASSES } else { PASSES };
    let all = upload.state.bytes.saturating_mul(passes).max(1);
    let percent = read.saturating_mul(100) / all;
    u8::try_from(percent.min(99)).unwrap_or(99)
}

fn find_rule(word: &str) -> MissingRule {
    let found = MissingRule::ALL.into_iter().find(|rule| rule.key() == word);
    found.unwrap_or_default()
}

/// Looks at a file under its map. A first look tries the map that the feed was imported with last, then one that is suggested.
async fn take_look(
    log: EventLog,
    desk: IntakeDesk,
    upload: Upload,
    watch: Arc<RunWatch>,
) -> Result<Looked, String> {
    let today = clock::now().date_naive();
    let file = UploadedFile::new(desk.shelf.path_of(upload.id), watch);
    let mut kept_fault = upload.state.kept_fault.clone();
    if upload.state.map_from == MapFrom::Suggested {
        let kept = desk
            .rows
            .find_map(&upload.feed)
            .await
            .map_err(|error| error.to_string())?;
        if let Some(kept) = kept {
            match look_under(&log, &upload, &file, FeedMap::from_json(&kept), today).await {
                Ok((look, map)) => {
                    return Ok(Looked {
                        look,
                        map,
                        from: MapFrom::Kept,
                        kept_fault: None,
                    });
                }
                Err(reason) => kept_fault = Some(reason),
            }
        }
        let source = file.clone();
        let suggested = tokio::task::spawn_blocking(move || feeds::suggest_feed_map(&source, today)).await;
        let suggested = suggested.map_err(|error| error.to_string())?;
        let (look, map) = look_under(&log, &upload, &file, suggested, today).await?;
        return Ok(Looked {
            look,
            map,
            from: MapFrom::Suggested,
            kept_fault,
        });
    }
    let own = Ok(upload.state.map.clone());
    let (look, map) = look_under(&log, &upload, &file, own, today).await?;
    Ok(Looked {
        look,
        map,
        from: upload.state.map_from,
        kept_fault,
    })
}

async fn look_under(
    log: &EventLog,
    upload: &Upload,
    file: &UploadedFile,
    map: Result<FeedMap, String>,
    today: NaiveDate,
) -> Result<(FeedLook, FeedMap), String> {
    let mut map = map?;
    map.feed.clone_from(&upload.feed);
    let look = look_at_feed(log, file, &map, today).await?;
    Ok((look, map))
}

#[cfg(test)]
mod tests {
    use domain::id::UserId;
    use platform::desk::Desk;
    use tables::Place;
    use uuid::Uuid;

    use super::*;
    use crate::commands::NewUpload;

    const HEAD: &str = "property_id,room_id,name,country,city,lat,lng,room_type,rooms_total,price,currency,price_per,move_in,length,status";

    /// A file of homes, each by its id and what it says of its state.
    fn file(homes: &[(&str, &str)]) -> String {
        let row = |(id, status): &(&str, &str)| {
            format!(
                "{id},e,House {id},GB,Leeds,53.8080,-1.5550,ensuite room,6,185,GBP,week,2037-09-11,44 weeks,{status}\n"
            )
        };
        let rows: String = homes.iter().map(row).collect();
        format!("{HEAD}\n{rows}")
    }

    /// A house that takes feeds in.
    struct House {
        folder: tempfile::TempDir,
        desk: Desk,
        intake: IntakeDesk,
        log: EventLog,
    }

    impl House {
        async fn open() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let place = Place::Folder(folder.path().to_owned());
            let desk = Desk::open(&place).await.unwrap();
            let intake = IntakeDesk::new(desk.clone(), folder.path());
            let log = EventLog::memory();
            Self {
                folder,
                desk,
                intake,
                log,
            }
        }

        /// Imports a file; gives its upload at the end.
        async fn import(&self, file: &str, (rule, limit): (MissingRule, Option<u64>)) -> Upload {
            let upload = NewUpload {
                id: Uuid::new_v4(),
                feed: "north".to_owned(),
                file: "north.csv".to_owned(),
                by: UserId(Uuid::from_u128(1)),
            };
            let mut incoming = self.intake.begin(&upload).unwrap();
            incoming.take(file.as_bytes()).await.unwrap();
            let arrived = incoming.finish().await.unwrap();
            let mut upload = self.intake.receive(upload, arrived).await.unwrap();
            upload.stage = Stage::Running;
            upload.state.work = Work::Import;
            upload.state.run = Some(UploadRun::asked(Work::Import, rule.key(), limit));
            assert!(self.intake.rows.save(&mut upload).await.unwrap());
            let id = upload.id;
            let (_stopper, stop) = watch::channel(false);
            let settings = Settings {
                data_dir: self.folder.path().to_owned(),
                ..Settings::default()
            };
            let job = Job {
                desk: self.intake.clone(),
                log: self.log.clone(),
                settings: Arc::new(settings),
                reports: FeedReports::new(self.desk.clone()),
                upload,
                mark: RunMark::new(),
                stop,
            };
            job.carry_out().await;
            self.intake.find(id).await.unwrap()
        }
    }

    #[tokio::test]
    async fn run_whose_map_cannot_be_kept_has_ended() {
        let house = House::open().await;
        let broken = sqlx::query("drop table feed_map")
            .execute(house.desk.pool())
            .await;
        broken.unwrap();
        let ended = house
            .import(&file(&[("q-1", "")]), (MissingRule::Report, None))
            .await;
        let run = ended.state.run.unwrap();
        assert_eq!((ended.stage, run.added), (Stage::Done, 1));
        assert_eq!(run.outcome.as_deref(), Some("complete"));
    }

    /// One is missing and one is closed by the file: the number that is asked for is the one that is taken.
    #[tokio::test]
    async fn refused_run_says_the_number_that_it_takes() {
        let house = House::open().await;
        let all = file(&[("q-1", ""), ("q-2", ""), ("q-3", "")]);
        house.import(&all, (MissingRule::Report, None)).await;
        let fewer = file(&[("q-1", ""), ("q-2", "closed")]);
        let refused = house.import(&fewer, (MissingRule::Withdraw, Some(1))).await;
        let run = refused.state.run.unwrap();
        assert_eq!(run.outcome.as_deref(), Some("too_many_missing"));
        assert_eq!((run.missing, run.let_homes), (2, Some(3)));
        let taken = house
            .import(&fewer, (MissingRule::Withdraw, Some(run.missing)))
            .await;
        let run = taken.state.run.unwrap();
        assert_eq!((run.outcome.as_deref(), run.withdrawn), (Some("complete"), 1));
    }
}
