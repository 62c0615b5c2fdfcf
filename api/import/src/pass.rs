//! A pass over a feed's file by the crate `feeds`.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::Arc;

use chrono::NaiveDate;
use domain::import_run::RunCounts;
use eventlog::EventLog;
use feeds::{FeedMap, Source, Unused};
use indicatif::ProgressBar;

use super::beside::PhotoFolder;
use super::fetch::FeedFile;
use super::missing::{MissingHome, MissingVerdict};
use super::report::{ReportLine, ReportLines};
use super::run::{PassKind, PassResult, Passes, RunMark};
use super::{Run, Tally, read_homes};

/// A feed's file that shows how much of it is read; each of its readings begins anew.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    file: Arc<FeedFile>,
    bar: ProgressBar,
}

impl Watched {
    pub(crate) fn new(file: FeedFile, bar: ProgressBar) -> Self {
        Self {
            file: Arc::new(file),
            bar,
        }
    }
}

impl Source for Watched {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        self.bar.set_position(0);
        Ok(Box::new(self.bar.wrap_read(self.file.open()?)))
    }
}

/// The file of an import, with what its last pass came to.
pub(crate) struct FilePasses<'a, S, R> {
    log: &'a EventLog,
    source: S,
    map: &'a FeedMap,
    today: NaiveDate,
    report: &'a mut R,
    /// Where photos lie that the file names by paths.
    pub(crate) beside: Option<PhotoFolder>,
    pub(crate) tally: Tally,
    written: RunCounts,
    pub(crate) unused: Vec<Unused>,
    pub(crate) unkept: BTreeSet<&'static str>,
}

impl<'a, S, R> FilePasses<'a, S, R> {
    pub(crate) fn new(
        log: &'a EventLog,
        source: S,
        map: &'a FeedMap,
        today: NaiveDate,
        report: &'a mut R,
    ) -> Self {
        Self {
            log,
            source,
            map,
            today,
            report,
            beside: None,
            tally: Tally::default(),
            written: RunCounts::default(),
            unused: Vec::new(),
            unkept: BTreeSet::new(),
        }
    }
}

/// Takes no line down.
struct Unreported;

impl ReportLines for Unreported {
    fn tell(&mut self, _line: &ReportLine) -> Result<(), String> {
        Ok(())
    }
}

impl<S, R> Passes for FilePasses<'_, S, R>
where
    S: Source + Clone + Send + 'static,
    R: ReportLines,
{
    async fn read(&mut self, mark: RunMark, kind: PassKind) -> Result<PassResult, String> {
        let run = Run {
            today: self.today,
            dry_run: kind != PassKind::Import,
        };
        let (log, source, map) = (self.log, self.source.clone(), self.map);
        let how = (run, mark, self.beside.as_ref());
        let reading = match kind {
            PassKind::Trial => read_homes(log, source, map, how, &mut Unreported).await?,
            PassKind::DryRun | PassKind::Import => read_homes(log, source, map, how, self.report).await?,
        };
        self.tally = reading.taken.tally;
        self.unused = reading.taken.unused;
        self.unkept = reading.taken.unkept;
        let counts = RunCounts {
            added: self.tally.added,
            changed: self.tally.changed,
            unchanged: self.tally.unchanged,
            rejected: self.tally.rejected,
            left_out: self.tally.left_out,
            ..RunCounts::default()
        };
        if kind == PassKind::Import {
            self.written = counts;
        }
        Ok(PassResult {
            counts,
            named: reading.taken.named,
            closing: reading.taken.closing,
            stopped: reading.stopped,
        })
    }

    fn count_written(&self) -> RunCounts {
        self.written
    }

    fn report_as_left(&mut self, home: &MissingHome, reason: &str) -> Result<(), String> {
        self.report.tell(&ReportLine {
            line: 0,
            home: home.id.clone(),
            outcome: "note",
            path: "status".to_owned(),
            value: "closed".to_owned(),
            reason: reason.to_owned(),
        })
    }

    fn report_missing(&mut self, home: &MissingHome, verdict: MissingVerdict) -> Result<(), String> {
        let (outcome, reason) = verdict.words();
        // It has no line: the file does not name it.
        self.report.tell(&ReportLine {
            line: 0,
            home: home.id.clone(),
            outcome,
            path: String::new(),
            value: String::new(),
            reason: reason.to_owned(),
        })
    }
}
