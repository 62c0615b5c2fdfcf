//! Runs of a file that a person uploaded in the workspace: tried first, or taken in as `latchkey import` does; each can be stopped before
//! its next home, and says how far it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::import_run::{RunCounts, RunOutcome, RunSource};
use eventlog::EventLog;
use feeds::{FeedMap, Source};
use fetching::turn::FeedTurn;
use parking_lot::Mutex;
use platform::clock;
use serde::{Deserialize, Serialize};
use tables::Place;
use utoipa::ToSchema;

use crate::kept_report::KeptReport;
use crate::pass::FilePasses;
use crate::report::{ReportLine, ReportLines};
use crate::run::{self, Order, RunMark};

/// Lines that are shown beside the counts of a run.
const SHOWN_MAX: usize = 50;

/// Path of what is said of the number of rooms.
const ROOMS: &str = "rooms_total";

/// Who ends a reading before the end of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    Person,
    Server,
}

impl StopCause {
    /// Why the file cannot be read on, as the run's end says it.
    const fn reason(self) -> &'static str {
        match self {
            Self::Person => "it was stopped in the workspace",
            Self::Server => "the server stops",
        }
    }
}

/// One line of a report, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VerdictLine {
    pub line: u64,
    /// The home's id in its feed.
    pub home: String,
    /// One of the words of docs/import.md.
    pub outcome: String,
    /// The column, or the path in a nested record.
    pub path: String,
    /// As it is written there.
    pub value: String,
    /// The fault of the value, and what would be right.
    pub reason: String,
}

impl From<&ReportLine> for VerdictLine {
    fn from(line: &ReportLine) -> Self {
        Self {
            line: line.line,
            home: line.home.clone(),
            outcome: line.outcome.to_owned(),
            path: line.path.clone(),
            value: line.value.clone(),
            reason: line.reason.clone(),
        }
    }
}

/// Verdicts of a run so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdicts {
    pub homes: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
    pub left_out: u64,
    /// The first homes, rooms and leases that were rejected, and room types that are closed.
    pub worst: Vec<VerdictLine>,
    /// Ids of the first homes that the file does not name.
    pub absent: Vec<String>,
}

impl Verdicts {
    fn count(&mut self, line: &ReportLine) {
        let is_same = self
            .worst
            .last()
            .is_some_and(|last| last.home == line.home && !line.home.is_empty());
        let count = match line.outcome {
            "added" => &mut self.added,
            "changed" => &mut self.changed,
            "unchanged" => &mut self.unchanged,
            "left out" => &mut self.left_out,
            "rejected" => &mut self.rejected,
            "missing" | "withdrawn" => {
                if self.absent.len() < SHOWN_MAX {
                    self.absent.push(line.home.clone());
                }
                return;
            }
            "room rejected" | "lease rejected" => return self.show(line),
            // A room type that is closed since more of it is booked: the reason names the bookings.
            "note" if line.path == ROOMS => return self.show(line),
            _ => return,
        };
        // Each fault of a rejected home is a line.
        if line.outcome != "rejected" || !is_same {
            *count += 1;
            self.homes += 1;
        }
        if line.outcome == "rejected" {
            self.show(line);
        }
    }

    fn show(&mut self, line: &ReportLine) {
        if self.worst.len() < SHOWN_MAX {
            self.worst.push(line.into());
        }
    }
}

/// Shared by a run and those who watch it.
#[derive(Debug, Default)]
pub struct RunWatch {
    stop: Mutex<Option<StopCause>>,
    bytes: AtomicU64,
    verdicts: Mutex<Verdicts>,
}

impl RunWatch {
    /// Stops the run before its next home. The first cause is the one that is told.
    pub fn stop(&self, cause: StopCause) {
        self.stop.lock().get_or_insert(cause);
    }

    pub fn stopped(&self) -> Option<StopCause> {
        *self.stop.lock()
    }

    /// Bytes read so far, over all passes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub fn verdicts(&self) -> Verdicts {
        self.verdicts.lock().clone()
    }
}

/// A file that was uploaded; it can be read as often as wanted.
#[derive(Debug, Clone)]
pub struct UploadedFile {
    path: PathBuf,
    watch: Arc<RunWatch>,
}

impl UploadedFile {
    pub fn new(path: PathBuf, watch: Arc<RunWatch>) -> Self {
        Self { path, watch }
    }
}

impl Source for UploadedFile {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(WatchedReading {
            file: File::open(&self.path)?,
            watch: &self.watch,
        }))
    }
}

/// One reading of an uploaded file.
struct WatchedReading<'w> {
    file: File,
    watch: &'w RunWatch,
}

impl Read for WatchedReading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(cause) = self.watch.stopped() {
            return Err(io::Error::other(cause.reason()));
        }
        let read = self.file.read(buffer)?;
        self.watch.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// A report that is counted on its way, and that ends a run which is stopped.
struct WatchedReport<'w> {
    kept: KeptReport,
    watch: &'w RunWatch,
}

impl ReportLines for WatchedReport<'_> {
    fn may_go_on(&self) -> Result<(), String> {
        match self.watch.stopped() {
            Some(cause) => Err(cause.reason().to_owned()),
            None => Ok(()),
        }
    }

    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        self.watch.verdicts.lock().count(line);
        self.kept.tell(line)
    }
}

/// What is asked of an uploaded file.
#[derive(Debug, Clone)]
pub struct UploadOrder {
    pub source: RunSource,
    /// How many homes may be closed, where a person says so.
    pub limit: Option<u64>,
    pub dry_run: bool,
    pub mark: RunMark,
}

/// A run of an upload that ended.
#[derive(Debug, Clone)]
pub struct UploadEnd {
    /// Rows or objects.
    pub rows: u64,
    pub counts: RunCounts,
    pub outcome: RunOutcome,
    /// CSV, with its byte-order mark.
    pub report: String,
}

/// Carries a run of an upload out, under the feed's turn unless it is a dry run. One that is stopped ends as such: what was written before
/// stands, home by home, and the same file can be run again.
///
/// # Errors
/// One sentence when another run of the feed goes on, or the log cannot be used.
pub async fn run_upload(
    log: &EventLog,
    place: &Place,
    (path, map): (PathBuf, &FeedMap),
    order: UploadOrder,
    watch: &Arc<RunWatch>,
) -> Result<UploadEnd, String> {
    let _turn = if order.dry_run {
        None
    } else {
        let holder = format!(
            "an upload in the workspace since {}",
            clock::now().format("%Y-%m-%d %H:%M UTC")
        );
        let turn = FeedTurn::take(place, &order.source.feed, &holder).await;
        Some(turn.map_err(|error| error.to_string())?)
    };
    let asked = Order {
        source: order.source,
        limit: order.limit,
        can_ask: false,
        dry_run: order.dry_run,
    };
    let mut report = WatchedReport {
        kept: KeptReport::begin()?,
        watch,
    };
    let source = UploadedFile::new(path, Arc::clone(watch));
    let today = clock::now().date_naive();
    let (ended, rows) = {
        let mut passes = FilePasses::new(log, source, map, today, &mut report);
        let ended = run::carry_out_marked(log, &asked, order.mark, &mut passes).await?;
        (ended, passes.tally.rows)
    };
    Ok(UploadEnd {
        rows,
        counts: ended.counts,
        outcome: ended.outcome,
        report: report.kept.end()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, outcome: &'static str) -> ReportLine {
        ReportLine {
            line: number,
            home: format!("h-{number}"),
            outcome,
            path: "price".to_owned(),
            value: "1.250".to_owned(),
            reason: "it can be read in two ways".to_owned(),
        }
    }

    #[test]
    fn homes_are_counted_once_whatever_is_said_of_them() {
        let mut verdicts = Verdicts::default();
        for told in [
            line(2, "added"),
            line(2, "note"),
            line(3, "rejected"),
            line(3, "rejected"),
            line(4, "rejected"),
            line(5, "lease rejected"),
            line(5, "unchanged"),
            line(0, "missing"),
        ] {
            verdicts.count(&told);
        }
        verdicts.count(&ReportLine {
            path: ROOMS.to_owned(),
            ..line(6, "note")
        });
        let counts = (
            verdicts.homes,
            verdicts.added,
            verdicts.rejected,
            verdicts.unchanged,
        );
        assert_eq!(counts, (4, 1, 2, 1));
        assert_eq!(
            (verdicts.worst.len(), &verdicts.absent[..]),
            (5, &["h-0".to_owned()][..])
        );
    }

    #[test]
    fn stopped_reading_says_who_stopped_it() {
        let watch = Arc::new(RunWatch::default());
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sample.csv");
        let file = UploadedFile::new(PathBuf::from(sample), Arc::clone(&watch));
        let mut reading = file.open().unwrap();
        let mut some = [0; 8];
        assert_eq!(reading.read(&mut some).unwrap(), some.len());
        assert_eq!(watch.bytes(), 8);
        watch.stop(StopCause::Person);
        watch.stop(StopCause::Server);
        let error = reading.read(&mut some).unwrap_err();
        assert_eq!(error.to_string(), "it was stopped in the workspace");
        let report = WatchedReport {
            kept: KeptReport::begin().unwrap(),
            watch: &watch,
        };
        assert_eq!(report.may_go_on().unwrap_err(), "it was stopped in the workspace");
    }
}
