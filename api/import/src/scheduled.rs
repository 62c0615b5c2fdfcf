//! Takes files of scheduled feeds in, beside a serving server: on a thread of its own, so that homes hold up no answer.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use domain::import_run::{MissingRule, RunBy, RunOutcome, RunSource};
use eventlog::EventLog;
use feeds::FeedMap;
use fetching::feeds_file::{MapPlace, Missing, ScheduledFeed};
use fetching::reports::{FeedReport, FeedReports};
use fetching::schedule::TakeIn;
use fetching::state::{RunCounts, RunFailure};
use fetching::turn::{FeedTurn, TurnError};
use futures::future::BoxFuture;
use indicatif::ProgressBar;
use platform::clock;
use platform::config::Settings;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::fetch::FeedFile;
use crate::kept_report::KeptReport;
use crate::pass::{FilePasses, Watched};
use crate::run::{self, Order, RunMark};
use crate::unread::note_unread;
use crate::{Tally, digest_source, explain_stop, map_file};

/// How long a run may take to note its end once the server stops.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// The import of scheduled feeds.
pub struct ScheduledImport {
    pub log: EventLog,
    pub settings: Arc<Settings>,
    pub reports: FeedReports,
}

impl TakeIn for ScheduledImport {
    fn take_in<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        file: File,
        mut stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, Result<Option<RunCounts>, RunFailure>> {
        let (log, settings, reports) = (self.log.clone(), Arc::clone(&self.settings), self.reports.clone());
        let (feed, handle) = (feed.clone(), Handle::current());
        Box::pin(async move {
            let work = move || {
                handle.block_on(async move {
                    let stopping = stop.clone();
                    // Readings of the file end with the stop, and the run notes its end.
                    let source = FeedFile::until(file, stop.clone());
                    let counts = tokio::select! {
                        counts = take_turn_and_import((&log, &settings, &reports), &feed, source) => counts.map(Some),
                        () = wait_out(&mut stop) => Ok(None),
                    };
                    // It is begun again with the next start.
                    let is_cut_off = *stopping.borrow() && counts.is_err();
                    if is_cut_off { Ok(None) } else { counts }
                })
            };
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| explain(format!("the import ended badly: {error}")))?
        })
    }

    fn note_unread<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        reason: &'a str,
    ) -> BoxFuture<'a, Result<(), String>> {
        let source = RunSource {
            feed: feed.name.clone(),
            by: RunBy::Schedule,
            file: run::name_file(&feed.url.0),
            digest: String::new(),
            map_digest: None,
            missing: find_rule(feed.missing),
        };
        Box::pin(note_unread(&self.log, source, reason))
    }
}

/// Waits until the server stops, and as long again as a run may take to end.
async fn wait_out(stop: &mut watch::Receiver<bool>) {
    let _sender = stop.wait_for(|stopped| *stopped).await;
    tokio::time::sleep(ENDS_WITHIN).await;
}

/// A failure that somebody has to mend, and that no run in the log says.
const fn explain(sentence: String) -> RunFailure {
    RunFailure {
        sentence,
        needs_person: true,
        is_noted: false,
    }
}

/// The same of a run in the log.
const fn explain_noted(sentence: String) -> RunFailure {
    RunFailure {
        sentence,
        needs_person: true,
        is_noted: true,
    }
}

async fn take_turn_and_import(
    (log, settings, reports): (&EventLog, &Settings, &FeedReports),
    feed: &ScheduledFeed,
    source: FeedFile,
) -> Result<RunCounts, RunFailure> {
    let holder = format!("its schedule since {}", clock::now().format("%Y-%m-%d %H:%M UTC"));
    let turn = FeedTurn::take(&settings.place(), &feed.name, &holder).await;
    let _turn = turn.map_err(|error| RunFailure {
        // The run that has it ends.
        needs_person: !matches!(error, TurnError::Held { .. }),
        is_noted: matches!(error, TurnError::Held { .. }),
        sentence: error.to_string(),
    })?;
    import_feed((log, reports), feed, source).await
}

/// Takes one file of a feed in, as `latchkey import` does under the feed's name. No person can be asked: homes are closed within the usual
/// limit, or not at all.
async fn import_feed(
    (log, reports): (&EventLog, &FeedReports),
    feed: &ScheduledFeed,
    source: FeedFile,
) -> Result<RunCounts, RunFailure> {
    let (map, order) = prepare(feed, &source).map_err(explain)?;
    let watched = Watched::new(source, ProgressBar::hidden());
    let today = clock::now().date_naive();
    let mark = RunMark::new();
    let mut report = KeptReport::begin().map_err(explain)?;
    let ended = {
        let mut passes = FilePasses::new(log, watched, &map, today, &mut report);
        let ran = run::carry_out_marked(log, &order, mark, &mut passes).await;
        match ran {
            Ok(ended) => match ended.outcome {
                RunOutcome::Complete => Ok(count_rows(&passes.tally)),
                RunOutcome::Stopped { reason } => Err(explain_stop(&passes.tally, reason)),
                RunOutcome::Refused(refusal) => Err(run::explain_refusal(refusal, &map.feed)),
            },
            Err(reason) => Err(reason),
        }
    };
    // What was said of its rows is kept, however the run ended.
    let kept = FeedReport {
        run_id: mark.run_id,
        feed: feed.name.clone(),
        at: clock::now(),
        text: report.end().map_err(explain_noted)?,
    };
    reports.keep(&kept).await;
    ended.map_err(explain_noted)
}

/// Reads the map of a feed, and describes what its schedule asks for.
fn prepare(feed: &ScheduledFeed, source: &FeedFile) -> Result<(FeedMap, Order), String> {
    let (mut map, map_digest) = read_feed_map(&feed.map)?;
    map.feed.clone_from(&feed.name);
    let order = Order {
        source: RunSource {
            feed: map.feed.clone(),
            by: RunBy::Schedule,
            file: run::name_file(&feed.url.0),
            digest: digest_source(source)?,
            map_digest,
            missing: find_rule(feed.missing),
        },
        limit: None,
        can_ask: false,
        dry_run: false,
    };
    Ok((map, order))
}

/// The map of a feed with its hash; of a feed without one the house's own names.
fn read_feed_map(place: &MapPlace) -> Result<(FeedMap, Option<String>), String> {
    match place {
        MapPlace::File(path) => {
            let named = path.to_string_lossy();
            Ok((map_file::read_map(Some(&named))?, run::digest_map(Some(&named))?))
        }
        MapPlace::Kept(json) => Ok((FeedMap::from_json(json)?, Some(run::digest_text(json)))),
        MapPlace::Nowhere => Ok((FeedMap::default(), None)),
    }
}

const fn find_rule(missing: Missing) -> MissingRule {
    match missing {
        Missing::Keep => MissingRule::Keep,
        Missing::Report => MissingRule::Report,
        Missing::Withdraw => MissingRule::Withdraw,
    }
}

const fn count_rows(tally: &Tally) -> RunCounts {
    RunCounts {
        rows: tally.rows,
        added: tally.added,
        changed: tally.changed,
        unchanged: tally.unchanged,
        rejected: tally.rejected,
    }
}
