//! Takes files of scheduled feeds in, beside a serving server: on a thread of its own, so that homes hold up no answer.

use std::fs::File;

use domain::import_run::{MissingRule, RunBy, RunOutcome, RunSource};
use eventlog::EventLog;
use fetching::feeds_file::{Missing, ScheduledFeed};
use fetching::schedule::TakeIn;
use fetching::state::RunCounts;
use futures::future::BoxFuture;
use indicatif::ProgressBar;
use platform::clock;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::fetch::FeedFile;
use crate::pass::{FilePasses, Watched};
use crate::report::{ReportLine, ReportLines};
use crate::run::{self, Order};
use crate::{Tally, digest_source, explain_stop, map_file};

/// The import of scheduled feeds.
pub struct ScheduledImport {
    pub log: EventLog,
}

impl TakeIn for ScheduledImport {
    fn take_in<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        file: File,
        mut stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, Result<Option<RunCounts>, String>> {
        let (log, feed, handle) = (self.log.clone(), feed.clone(), Handle::current());
        Box::pin(async move {
            let work = move || {
                handle.block_on(async move {
                    tokio::select! {
                        counts = import_feed(&log, &feed, file) => counts.map(Some),
                        _ = stop.wait_for(|stopped| *stopped) => Ok(None),
                    }
                })
            };
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| format!("the import ended badly: {error}"))?
        })
    }
}

/// Takes one file of a feed in, as `latchkey import` does under the feed's name. No person can be asked: homes are closed within the usual
/// limit, or not at all.
async fn import_feed(log: &EventLog, feed: &ScheduledFeed, file: File) -> Result<RunCounts, String> {
    let map_path = feed.map.to_string_lossy();
    let mut map = map_file::read_map(Some(&map_path))?;
    map.feed.clone_from(&feed.name);
    let source = FeedFile(file);
    let order = Order {
        source: RunSource {
            feed: map.feed.clone(),
            by: RunBy::Schedule,
            file: run::name_file(&feed.url.0),
            digest: digest_source(&source)?,
            map_digest: run::digest_map(Some(&map_path))?,
            missing: find_rule(feed.missing),
        },
        limit: None,
        can_ask: false,
        dry_run: false,
    };
    let watched = Watched::new(source, ProgressBar::hidden());
    let today = clock::now().date_naive();
    let mut report = Uncounted;
    let mut passes = FilePasses::new(log, watched, &map, today, &mut report);
    let ended = run::carry_out(log, &order, &mut passes).await?;
    match ended.outcome {
        RunOutcome::Complete => Ok(count_rows(&passes.tally)),
        RunOutcome::Stopped { reason } => Err(explain_stop(&passes.tally, reason)),
        RunOutcome::Refused(refusal) => Err(run::explain_refusal(refusal, &map.feed)),
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

/// Leaves rejected homes to the counts: `latchkey import --dry-run` with the same address and map names each.
struct Uncounted;

impl ReportLines for Uncounted {
    fn tell(&mut self, _line: &ReportLine) -> Result<(), String> {
        Ok(())
    }
}
