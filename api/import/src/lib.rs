//! `latchkey import`: takes a feed of homes, a file or an address, into the log, home by home, as often as wanted (H5, docs/import.md).
//! The crate `feeds` reads it; here its homes become commands.
//!
//! One home is one append: its property, its rooms and its leases are in the log together, or not at all. A home's id follows from its
//! feed's name and its id there, so that the same home twice finds itself and changes nothing.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Instant;

use chrono::NaiveDate;
use clap::Args;
use domain::import_run::{RunBy, RunOutcome, RunSource};
use domain::language::Language;
use eventlog::EventLog;
use feeds::{Entry, FeedMap, SHARED_FEED, Source, Stopped, Summary, Unused};
use fetching::feeds_file::is_feed_name;
use fetching::turn::FeedTurn;
use indicatif::{ProgressBar, ProgressStyle};
use platform::clock;
use platform::config::Settings;
use platform::printout;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

mod addresses;
mod beside;
mod booked;
mod closings;
mod facilities;
mod fetch;
mod home;
mod importer;
mod kept_report;
mod leases;
mod map_file;
mod media;
pub mod missing;
mod pass;
pub mod place_file;
mod places;
pub mod preview;
pub mod report;
mod room_ids;
mod rooms;
pub mod run;
pub mod scheduled;
mod texts;
mod time_zone;
mod towns;
mod unkept;
mod unread;
pub mod upload;
mod waiting;

pub use places::opening::open_countries;

use beside::PhotoFolder;
use importer::Importer;
use missing::{MissingChoice, MissingHome, NamedHomes};
use pass::{FilePasses, Watched};
use report::{HOME_COLUMNS, Report, ReportLines};
use run::{Order, RunMark};
use towns::Towns;

/// Homes that wait between reader and writer.
const QUEUE: usize = 64;

/// `latchkey import FILE --map FILE`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The feed's file, or its address: `https://…`. CSV, JSON and XML are told apart by themselves.
    file: String,
    /// A TOML file that says which column means what, or `field=column,…` for names that differ. See docs/import/feeds.md.
    #[arg(long)]
    map: Option<String>,
    /// The feed's name: homes are known by it and their id; wins over the map's.
    #[arg(long)]
    feed: Option<String>,
    /// Check every home and say what would happen, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// What becomes of the homes of this feed that the file no longer names.
    #[arg(long, value_enum, default_value_t = MissingChoice::Report)]
    missing: MissingChoice,
    /// How many homes may be closed with `--missing withdraw`; without it at most a fifth of the feed's.
    #[arg(long, value_name = "N")]
    missing_limit: Option<u64>,
    /// Where the outcome of every home is listed, with what is wrong and what would be right.
    #[arg(long, default_value = "import-report.csv")]
    report: PathBuf,
    /// Print a first map for the file, from its names and values, and take nothing in.
    #[arg(long)]
    suggest_map: bool,
}

impl ImportArgs {
    /// Whether it has nothing to do where there is no log.
    pub const fn needs_a_log(&self) -> bool {
        !self.suggest_map
    }
}

/// How a feed is taken in.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Decides what is past.
    pub today: NaiveDate,
    pub dry_run: bool,
}

/// Counts the homes of a run by their outcome: added, changed, unchanged, rejected and left out sum up to `homes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Rows or objects; several may be one home.
    pub rows: u64,
    pub homes: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
    /// Homes that the feed itself does not publish.
    pub left_out: u64,
    /// Cities opened because the catalogue did not know them.
    pub cities: u64,
    /// Room types that were closed: more of their rooms are booked than there are.
    pub closed: u64,
}

impl Tally {
    /// The numbers as a person reads them.
    fn told(&self) -> String {
        let left_out = match self.left_out {
            0 => String::new(),
            some => format!(", {some} left out"),
        };
        format!(
            "{} added, {} changed, {} unchanged, {} rejected{left_out}",
            self.added, self.changed, self.unchanged, self.rejected
        )
    }
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Taken {
    pub tally: Tally,
    /// Columns that no field reads.
    pub unused: Vec<Unused>,
    /// Facts that the feed says and the house has no place for yet.
    pub unkept: BTreeSet<&'static str>,
    /// Every home that the file names, rejected ones too: what a house has of the feed beside these is missing from it.
    pub named: NamedHomes,
    /// Homes that are let and that the feed says are closed: they are closed at the end of the run, within its limit.
    pub closing: Vec<MissingHome>,
}

/// Runs the command and prints what happened.
///
/// # Errors
/// One sentence when the file, the map or the log cannot be used. Bad rows are no error: they are reported and counted.
pub async fn run(settings: &Settings, args: ImportArgs) -> Result<(), String> {
    let today = clock::now().date_naive();
    if args.suggest_map {
        let source = fetch::open_feed(settings, &args.file).await?;
        return printout::line(feeds::suggest_map(&source, today)?.trim_end());
    }
    let mut map = map_file::read_map(args.map.as_deref())?;
    if let Some(feed) = &args.feed {
        map.feed.clone_from(feed);
    }
    check_feed(&map.feed, args.missing)?;
    let log = storage::shapes::open_readable(settings).await?;
    let source = match fetch::open_feed(settings, &args.file).await {
        Ok(source) => source,
        Err(reason) => {
            note_unfetched(&log, (&args, &map), &reason).await;
            return Err(reason);
        }
    };
    let started = Instant::now();
    let order = Order {
        source: describe_source(&args, &map, &source)?,
        limit: args.missing_limit,
        can_ask: std::io::stdin().is_terminal(),
        dry_run: args.dry_run,
    };
    let _turn = take_turn(settings, &order).await?;
    let mut report = Report::create(&args.report, &HOME_COLUMNS)?;
    let bar = ProgressBar::new_spinner().with_style(style());
    let mut passes = FilePasses::new(&log, Watched::new(source, bar.clone()), &map, today, &mut report);
    passes.beside = PhotoFolder::open(settings, &args.file)?;
    let ran = run::carry_out(&log, &order, &mut passes).await;
    bar.finish_and_clear();
    let FilePasses {
        tally,
        unused,
        unkept,
        ..
    } = passes;
    report.finish()?;
    let ended = ran?;
    match ended.outcome {
        RunOutcome::Complete => {}
        RunOutcome::Stopped { reason } => {
            let reason = explain_stop(&tally, reason);
            return Err(format!("the feed `{}`: {reason}", map.feed));
        }
        RunOutcome::Refused(refusal) => return Err(run::explain_refusal(refusal, &map.feed)),
    }
    if map.feed == SHARED_FEED {
        printout::line(UNNAMED)?;
    }
    printout::line(summary(&tally, args.dry_run, started.elapsed().as_secs_f64()))?;
    missing::print_missing(&ended.counts, ended.unnamed, order.source.missing)?;
    printout::line(format_args!(
        "what became of each home is listed in {}",
        args.report.display()
    ))?;
    if tally.closed > 0 {
        printout::line(format_args!(
            "closed, since there are more bookings than rooms: {}; {} names the bookings",
            count_of(tally.closed, "room type", "room types"),
            args.report.display()
        ))?;
    }
    tell_unused(&unused)?;
    tell_unkept(&unkept)
}

/// Said of a feed whose name is that of all feeds without one: homes of unrelated files share it.
const UNNAMED: &str = "the feed has no name of its own, and every file without one is taken for the same feed: write --feed NAME, or feed = \"…\" into the map. \
                       Homes that this file lacks are not called missing";

/// Checks the name of a feed, and that it has one where homes are closed by it.
fn check_feed(feed: &str, missing: MissingChoice) -> Result<(), String> {
    if !is_feed_name(feed) {
        return Err("a feed's name has 1 to 64 letters, none of them a control character".to_owned());
    }
    if feed == SHARED_FEED && missing == MissingChoice::Withdraw {
        return Err(format!("--missing withdraw needs a feed's name: {UNNAMED}"));
    }
    Ok(())
}

/// Takes the turn of a feed; a dry run needs none.
async fn take_turn(settings: &Settings, order: &Order) -> Result<Option<FeedTurn>, String> {
    if order.dry_run {
        return Ok(None);
    }
    let holder = format!(
        "the command line since {}",
        clock::now().format("%Y-%m-%d %H:%M UTC")
    );
    let turn = FeedTurn::take(&settings.place(), &order.source.feed, &holder).await;
    turn.map(Some).map_err(|error| error.to_string())
}

/// Notes that nobody could fetch the feed at an address. A path that names no file is a slip of the hand and no run.
async fn note_unfetched(log: &EventLog, (args, map): (&ImportArgs, &FeedMap), reason: &str) {
    if args.dry_run || !args.file.contains("://") {
        return;
    }
    let source = RunSource {
        feed: map.feed.clone(),
        by: RunBy::Operator,
        file: run::name_file(&args.file),
        digest: String::new(),
        map_digest: None,
        missing: args.missing.into(),
    };
    // The command says the reason itself, whatever becomes of the note.
    let _unnoted = unread::note_unread(log, source, reason).await;
}

/// Hashes the file of a feed.
fn digest_source(source: &impl Source) -> Result<String, String> {
    let digest = source.open().and_then(run::digest_file);
    digest.map_err(|error| format!("the feed cannot be read: {error}"))
}

/// Describes what the command line asks for.
fn describe_source(args: &ImportArgs, map: &FeedMap, source: &impl Source) -> Result<RunSource, String> {
    Ok(RunSource {
        feed: map.feed.clone(),
        by: RunBy::Operator,
        file: run::name_file(&args.file),
        digest: digest_source(source)?,
        map_digest: run::digest_map(args.map.as_deref())?,
        missing: args.missing.into(),
    })
}

/// Says which columns went into no home, each with the field that it could be, so that a feed loses nothing in silence.
fn tell_unused(unused: &[Unused]) -> Result<(), String> {
    if unused.is_empty() {
        return Ok(());
    }
    let names = unused.iter().map(|unused| match unused.could_be {
        Some(field) => format!("{} (could be {field})", unused.column),
        None => unused.column.clone(),
    });
    let names: Vec<String> = names.collect();
    printout::line(format_args!(
        "columns that no field reads, and nothing shows: {}",
        names.join(", ")
    ))
}

/// Says which facts were read and are not kept.
fn tell_unkept(unkept: &BTreeSet<&'static str>) -> Result<(), String> {
    if unkept.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = unkept.iter().copied().collect();
    printout::line(format_args!(
        "facts that are read, and that the house does not keep yet: {}",
        names.join(", ")
    ))
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {bytes} read, {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn summary(tally: &Tally, dry_run: bool, seconds: f64) -> String {
    let intent = if dry_run {
        " (dry run: nothing was written)"
    } else {
        ""
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a rate for people needs no more digits"
    )]
    let rate = tally.rows as f64 / seconds.max(0.001);
    let homes = if tally.homes == tally.rows {
        String::new()
    } else {
        format!(", {}", count_of(tally.homes, "home", "homes"))
    };
    format!(
        "{}{homes}: {}; {} opened{intent}\n{rate:.0} rows/s in {seconds:.1} s, peak memory {}",
        count_of(tally.rows, "row", "rows"),
        tally.told(),
        count_of(tally.cities, "city", "cities"),
        peak_memory().map_or_else(|| "unknown".to_owned(), |kib| format!("{} MiB", kib / 1024)),
    )
}

/// A count with the word that it takes in English, the language of the command line: `1 city`, `0 cities`.
fn count_of(count: u64, one: &str, other: &str) -> String {
    let is_one = platform::forms::forms_of(Language::default()).is_one(&count.to_string());
    format!("{count} {}", if is_one { one } else { other })
}

/// The most memory this process held, where the system says so (Linux).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Takes every home of the feed in; gives what became of homes and columns.
///
/// # Errors
/// One sentence when the feed cannot be read on, or the log cannot be used. What was read before stands.
pub async fn take(
    log: &EventLog,
    source: impl Source + Send + 'static,
    map: &FeedMap,
    run: Run,
    report: &mut impl ReportLines,
) -> Result<Taken, String> {
    let mark = RunMark::new();
    let Reading { taken, stopped } = read_homes(log, source, map, (run, mark, None), report).await?;
    if !run.dry_run {
        missing::close_homes(log, &taken.closing, mark).await?;
    }
    match stopped {
        None => Ok(taken),
        Some(reason) => Err(explain_stop(&taken.tally, reason)),
    }
}

/// Says why a feed could not be read on, and what became of the homes before.
fn explain_stop(tally: &Tally, reason: String) -> String {
    if tally.homes == 0 {
        reason
    } else {
        format!("{reason}; of the homes before, {}", tally.told())
    }
}

/// What one reading of a feed came to.
pub(crate) struct Reading {
    pub(crate) taken: Taken,
    /// Why it could not be read to its end.
    pub(crate) stopped: Option<String>,
}

/// Reads every home of the feed, and takes it in unless the run is dry. A log or a report that fails on the way ends the reading: what
/// was written before stands, and is counted.
///
/// # Errors
/// One sentence when the log cannot be read at the beginning.
pub(crate) async fn read_homes(
    log: &EventLog,
    source: impl Source + Send + 'static,
    map: &FeedMap,
    (run, mark, beside): (Run, RunMark, Option<&PhotoFolder>),
    report: &mut impl ReportLines,
) -> Result<Reading, String> {
    let mut importer = Importer::new(log, &map.feed, (run, mark)).await?;
    importer.beside = beside;
    let (mut receiver, reader) = begin_reading(&importer, source, map, run.today);
    let (mut failed, mut halted) = (None, None);
    while let Some(entry) = receiver.recv().await {
        // Homes that were told of are written below: a report of a run that is stopped says no more than is so.
        halted = report.may_go_on().err();
        if halted.is_some() {
            break;
        }
        if let Err(error) = importer.take_entry(entry, report).await {
            failed = Some(error);
            break;
        }
    }
    // A reader that waits for its turn ends with this.
    drop(receiver);
    let read = reader.await.map_err(|error| error.to_string())?;
    if failed.is_none() {
        importer.gazetteer.settle();
        failed = importer.flush().await.err();
    }
    let (summary, stopped) = match read {
        Ok(mut summary) => {
            let broken = summary.broken.take();
            (summary, broken)
        }
        Err(reason) => (Summary::default(), Some(reason)),
    };
    // Homes of a failed batch are not in.
    let mut tally = if failed.is_some() {
        importer.settled
    } else {
        importer.tally
    };
    tally.rows = summary.records;
    let taken = Taken {
        tally,
        unused: summary.unused,
        unkept: importer.unkept,
        named: importer.named,
        closing: importer.closing,
    };
    Ok(Reading {
        taken,
        stopped: failed.or(halted).or(stopped),
    })
}

/// Begins to read a feed, which is blocking work; a short channel keeps memory flat however long the file is.
pub(crate) fn begin_reading(
    importer: &Importer<'_>,
    source: impl Source + Send + 'static,
    map: &FeedMap,
    today: NaiveDate,
) -> (mpsc::Receiver<Entry>, JoinHandle<Result<Summary, String>>) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let towns = Towns::new(importer.gazetteer.list_cities());
    let columns = map.clone();
    let reader = tokio::task::spawn_blocking(move || {
        let mut hand_on =
            |entry: Entry| -> Result<(), Stopped> { sender.blocking_send(entry).map_err(|_| Stopped) };
        feeds::read_feed(&source, &columns, &towns, today, &mut hand_on)
    });
    (receiver, reader)
}

#[cfg(test)]
mod tests;
