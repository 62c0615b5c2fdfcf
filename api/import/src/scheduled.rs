//! Takes files of scheduled feeds in, beside a serving server: on a thread of its own, so that homes hold up no answer.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use domain::import_run::{MissingRule, RunBy, RunOutcome, RunSource};
use eventlog::EventLog;
use fetching::feeds_file::{Missing, ScheduledFeed};
use fetching::reports::{FeedReport, FeedReports};
use fetching::schedule::TakeIn;
use fetching::state::{RunCounts, RunFailure};
use fetching::turn::{FeedTurn, TurnError};
use futures::future::BoxFuture;
use indicatif::ProgressBar;
use platform::clock;
use platform::config::Settings;
use platform::sheet::Sheet;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::fetch::FeedFile;
use crate::pass::{FilePasses, Watched};
use crate::report::{HOME_COLUMNS, ReportLine, ReportLines, list_cells};
use crate::run::{self, Order, RunMark};
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
}

/// Waits until the server stops, and as long again as a run may take to end.
async fn wait_out(stop: &mut watch::Receiver<bool>) {
    let _sender = stop.wait_for(|stopped| *stopped).await;
    tokio::time::sleep(ENDS_WITHIN).await;
}

/// A failure that somebody has to mend.
const fn explain(sentence: String) -> RunFailure {
    RunFailure {
        sentence,
        needs_person: true,
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
        sentence: error.to_string(),
    })?;
    import_feed((log, reports), feed, source).await.map_err(explain)
}

/// Takes one file of a feed in, as `latchkey import` does under the feed's name. No person can be asked: homes are closed within the usual
/// limit, or not at all.
async fn import_feed(
    (log, reports): (&EventLog, &FeedReports),
    feed: &ScheduledFeed,
    source: FeedFile,
) -> Result<RunCounts, String> {
    let map_path = feed.map.to_string_lossy();
    let mut map = map_file::read_map(Some(&map_path))?;
    map.feed.clone_from(&feed.name);
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
    let mark = RunMark::new();
    let mut report = KeptReport::begin()?;
    let ended = {
        let mut passes = FilePasses::new(log, watched, &map, today, &mut report);
        let ended = run::carry_out_marked(log, &order, mark, &mut passes).await?;
        match ended.outcome {
            RunOutcome::Complete => Ok(count_rows(&passes.tally)),
            RunOutcome::Stopped { reason } => Err(explain_stop(&passes.tally, reason)),
            RunOutcome::Refused(refusal) => Err(run::explain_refusal(refusal, &map.feed)),
        }
    };
    let kept = FeedReport {
        run_id: mark.run_id,
        feed: feed.name.clone(),
        at: clock::now(),
        text: report.end()?,
    };
    reports.keep(&kept).await;
    ended
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

/// Bytes of a report that is kept; a file with more to say is read with `latchkey import --dry-run`.
const REPORT_MAX: usize = 4 * 1024 * 1024;

/// A report that is kept for the workspace.
struct KeptReport {
    sheet: Sheet<Vec<u8>>,
    bytes: usize,
}

impl KeptReport {
    fn begin() -> Result<Self, String> {
        let sheet = Sheet::begin(Vec::new(), &HOME_COLUMNS).map_err(|error| error.to_string())?;
        Ok(Self { sheet, bytes: 0 })
    }

    fn end(self) -> Result<String, String> {
        let bytes = self.sheet.end().map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }

    fn write(&mut self, line: &ReportLine) -> Result<(), String> {
        let row = self.sheet.row(list_cells(line));
        row.map_err(|error| error.to_string())
    }
}

impl ReportLines for KeptReport {
    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        if self.bytes > REPORT_MAX {
            return Ok(());
        }
        self.bytes += line.home.len() + line.path.len() + line.value.len() + line.reason.len() + 40;
        if self.bytes > REPORT_MAX {
            return self.write(&ReportLine {
                line: line.line,
                outcome: "cut",
                reason: "the report is longer: `latchkey import` with the same address, map and --dry-run lists the rest"
                    .to_owned(),
                home: String::new(),
                path: String::new(),
                value: String::new(),
            });
        }
        self.write(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_report_is_cut_with_a_word() {
        let line = ReportLine {
            line: 2,
            home: "h-1".to_owned(),
            outcome: "rejected",
            path: "price".to_owned(),
            value: "1.250".to_owned(),
            reason: "x".repeat(1_000),
        };
        let mut report = KeptReport::begin().unwrap();
        for _ in 0..5_000 {
            report.tell(&line).unwrap();
        }
        let text = report.end().unwrap();
        assert!(text.len() < REPORT_MAX + 100_000, "{}", text.len());
        assert!(text.contains("\"h-1\",\"rejected\",\"price\"") && text.contains("--dry-run"));
    }
}
