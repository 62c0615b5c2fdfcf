//! `latchkey import`: takes a feed of listings, a file or an address, into the log, row by row, as often as wanted (H5, docs/import.md).
//!
//! One row is one append: it is in the log whole, or not at all. A listing's id follows from its feed's name and its id
//! there, so that the same row twice finds itself and changes nothing.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use domain::aggregate::Decide;
use domain::id::InventoryId;
use domain::inventory::{Inventory, InventoryCommand, InventoryEvent, Status};
use domain::region::{Region, RegionCommand};
use eventlog::{Actor, Append, Context, EventLog, Loaded, commit};
use indicatif::{ProgressBar, ProgressStyle};
use platform::clock;
use platform::config::Settings;
use platform::printout;

mod amount;
mod booked;
mod fetch;
pub mod listing;
pub mod map;
pub mod place_file;
mod places;
mod rents;
mod report;
pub mod rows;
pub mod scheduled;
mod time_zone;
mod words;

pub use places::opening::open_countries;

use listing::Listing;
use map::Map;
use places::Gazetteer;
use rents::Rents;
use report::Report;
use rows::{Columns, Row, Stopped};

/// Rows decided before they are written together; a cut-off import loses at most these.
const BATCH: usize = 500;

/// `latchkey import FILE --format csv --map FILE`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The feed's file, or its address: `https://…`.
    file: String,
    #[arg(long, value_enum)]
    format: Format,
    /// A TOML file that says which column means what, or `field=column,…` for names that differ. See docs/import.md.
    #[arg(long)]
    map: Option<String>,
    /// The feed's name: listings are known by it and their id; wins over the map's.
    #[arg(long)]
    feed: Option<String>,
    /// Check every row and say what would happen, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Where rejected rows are listed: line, column, reason.
    #[arg(long, default_value = "import-errors.csv")]
    report: PathBuf,
}

/// How the file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Csv,
    /// One array of objects, or one object a line.
    Json,
}

/// Why a row was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    pub line: u64,
    pub column: String,
    pub reason: String,
}

/// What became of the rows; the four numbers sum up to `rows`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub rows: u64,
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub rejected: u64,
    /// Cities opened because the catalogue did not know them.
    pub cities: u64,
    /// Room types that were closed: more of their rooms are booked than there are.
    pub closed: u64,
}

impl Tally {
    /// The four numbers as a person reads them.
    fn told(&self) -> String {
        format!(
            "{} added, {} changed, {} unchanged, {} rejected",
            self.added, self.changed, self.unchanged, self.rejected
        )
    }
}

/// Runs the command and prints what happened.
///
/// # Errors
/// One sentence when the file, the map or the log cannot be used. Bad rows are no error: they are reported and counted.
pub async fn run(settings: &Settings, args: ImportArgs) -> Result<(), String> {
    let mut map = Map::read(args.map.as_deref())?;
    map.refuse_past_move_in(clock::now().date_naive())?;
    if let Some(feed) = args.feed {
        map.feed = feed;
    }
    let log = storage::shapes::open_readable(settings).await?;
    let file = fetch::open_feed(settings, &args.file).await?;
    let started = Instant::now();
    let mut report = Report::create(&args.report)?;
    let bytes = file.metadata().map_err(|error| error.to_string())?.len();
    let bar = ProgressBar::new(bytes).with_style(style());
    let feed = bar.wrap_read(file);
    let (tally, columns) = take(&log, feed, args.format, &map, args.dry_run, &mut report).await?;
    bar.finish_and_clear();
    report.finish()?;
    printout::line(summary(&tally, args.dry_run, started.elapsed().as_secs_f64()))?;
    if tally.rejected > 0 {
        printout::line(format_args!(
            "rejected rows are listed in {}",
            args.report.display()
        ))?;
    }
    if tally.closed > 0 {
        printout::line(format_args!(
            "{} room types have more bookings than rooms and are closed; {} names the bookings",
            tally.closed,
            args.report.display()
        ))?;
    }
    tell_columns(&columns)
}

/// Says which columns went into no listing, so that a feed loses nothing in silence.
fn tell_columns(columns: &Columns) -> Result<(), String> {
    let list = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    if !columns.unread.is_empty() {
        printout::line(format_args!(
            "columns that no field reads, and nothing shows: {}",
            list(&columns.unread)
        ))?;
    }
    if !columns.absent.is_empty() {
        printout::line(format_args!(
            "columns that the map names and no row has: {}",
            list(&columns.absent)
        ))?;
    }
    Ok(())
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
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
    format!(
        "{} rows: {}; {} cities opened{intent}\n{rate:.0} rows/s in {seconds:.1} s, peak memory {}",
        tally.rows,
        tally.told(),
        tally.cities,
        peak_memory().map_or_else(|| "unknown".to_owned(), |kib| format!("{} MiB", kib / 1024)),
    )
}

/// The most memory this process held, where the system says so (Linux).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Takes every row of the feed in; gives what became of rows and columns.
///
/// # Errors
/// One sentence when the feed cannot be read on, or the log cannot be used.
pub async fn take(
    log: &EventLog,
    feed: impl std::io::Read + Send + 'static,
    format: Format,
    map: &Map,
    dry_run: bool,
    errors: &mut impl Rejections,
) -> Result<(Tally, Columns), String> {
    let mut importer = Importer::new(log, map, dry_run).await?;
    // Reading is blocking work; a short channel keeps memory flat however long the file is.
    let (sender, mut receiver) = tokio::sync::mpsc::channel(BATCH);
    let columns = map.clone();
    let reader = tokio::task::spawn_blocking(move || {
        rows::read(feed, format, &columns, |row| {
            sender.blocking_send(row).map_err(|_| Stopped)
        })
    });
    while let Some(row) = receiver.recv().await {
        importer.row(row, errors).await?;
    }
    let read = reader.await.map_err(|error| error.to_string())?;
    importer.gazetteer.settle();
    importer.flush().await?;
    match read {
        Ok(columns) => Ok((importer.tally, columns)),
        Err(error) if importer.tally.rows == 0 => Err(error),
        Err(error) => Err(format!("{error}; of the rows before, {}", importer.tally.told())),
    }
}

/// Where rejected rows go.
pub trait Rejections {
    /// Takes one down.
    ///
    /// # Errors
    /// One sentence when it cannot be kept.
    fn reject(&mut self, error: &RowError) -> Result<(), String>;
}

impl Rejections for Vec<RowError> {
    fn reject(&mut self, error: &RowError) -> Result<(), String> {
        self.push(error.clone());
        Ok(())
    }
}

struct Importer<'a> {
    log: &'a EventLog,
    map: &'a Map,
    dry_run: bool,
    gazetteer: Gazetteer,
    rents: Rents,
    seen: HashSet<InventoryId>,
    waiting: Vec<Append>,
    tally: Tally,
}

impl<'a> Importer<'a> {
    async fn new(log: &'a EventLog, map: &'a Map, dry_run: bool) -> Result<Self, String> {
        let gazetteer = Gazetteer::read(log).await?;
        Ok(Self {
            log,
            map,
            dry_run,
            gazetteer,
            rents: Rents::load()?,
            seen: HashSet::new(),
            waiting: Vec::new(),
            tally: Tally::default(),
        })
    }

    async fn row(&mut self, row: Row, errors: &mut impl Rejections) -> Result<(), String> {
        self.tally.rows += 1;
        let listing = row
            .cells
            .and_then(|cells| listing::read(row.line, &cells, self.map, &mut self.gazetteer, &self.rents));
        let listing = listing.and_then(|listing| {
            let twice = || {
                vec![RowError {
                    line: row.line,
                    column: self.map.column("id").to_owned(),
                    reason: "an earlier row already has this id".to_owned(),
                }]
            };
            if self.seen.insert(listing.id) {
                Ok(listing)
            } else {
                Err(twice())
            }
        });
        let outcome = match listing {
            Ok(listing) => self.adopt(listing, row.line).await?,
            Err(reasons) => Err(reasons),
        };
        // A row that closes a room type is told, and taken in all the same.
        self.tally.rejected += u64::from(outcome.is_err());
        let (Ok(told) | Err(told)) = outcome;
        for reason in &told {
            errors.reject(reason)?;
        }
        if self.waiting.len() >= BATCH {
            self.flush().await?;
        }
        Ok(())
    }

    /// Decides what the listing changes; the rules' own rejections name the row as its reader's do. A row that is taken in may have left
    /// bookings without a room: each such room type is told.
    async fn adopt(
        &mut self,
        listing: Listing,
        line: u64,
    ) -> Result<Result<Vec<RowError>, Vec<RowError>>, String> {
        let loaded: Loaded<Inventory> = self
            .log
            .load(listing.id)
            .await
            .map_err(|error| error.to_string())?;
        let command = InventoryCommand::Adopt {
            property: Box::new(listing.property),
            rooms: vec![(listing.room, listing.offer)],
        };
        let decided = loaded.state.decide(command);
        let mut events = match decided {
            Ok(events) => events,
            Err(rejection) => {
                let reason = RowError {
                    line,
                    column: String::new(),
                    reason: rejection.to_string(),
                };
                return Ok(Err(vec![reason]));
            }
        };
        let told = booked::explain_too_few(self.log, &loaded.state, &events, clock::now().date_naive()).await;
        let told = told.map_err(|error| error.to_string())?;
        self.tally.closed += told.len() as u64;
        let new = loaded.state.property.is_none();
        if new && loaded.state.status() == Status::Draft {
            events.push(InventoryEvent::PropertyActivated {});
        }
        match (new, events.is_empty()) {
            (true, _) => self.tally.added += 1,
            (false, true) => self.tally.unchanged += 1,
            (false, false) => self.tally.changed += 1,
        }
        if !events.is_empty() && !self.dry_run {
            let context = Context::new(clock::now(), Actor::SYSTEM);
            let append = Append::new(&context)
                .decision(listing.id, &loaded, &events)
                .map_err(|error| error.to_string())?;
            self.waiting.push(append);
        }
        let told = told.into_iter().map(|reason| RowError {
            line,
            column: String::new(),
            reason,
        });
        Ok(Ok(told.collect()))
    }

    async fn flush(&mut self) -> Result<(), String> {
        let opened = self.gazetteer.take_opened();
        self.tally.cities += opened.iter().filter(|opened| opened.is_city()).count() as u64;
        if self.dry_run {
            return Ok(());
        }
        for (id, region) in self.gazetteer.take_corrected() {
            let context = Context::new(clock::now(), Actor::SYSTEM);
            let region = Box::new(region);
            let described =
                commit::<Region>(self.log, id, RegionCommand::Describe { region }, &context).await;
            described.map_err(|error| format!("a city's time zone cannot be corrected: {error}"))?;
        }
        let mut appends = places::appends(opened)?;
        appends.append(&mut self.waiting);
        if appends.is_empty() {
            return Ok(());
        }
        let written = self.log.append_many(appends).await;
        written.map(|_| ()).map_err(|error| {
            format!("the log refused a batch: {error}. Run the same import again to continue")
        })
    }
}

#[cfg(test)]
mod tests;
