//! One run of an import: its two events, its passes over the file, and the homes that the file no longer names. The command line, a person
//! in the workspace and a schedule carry an import out by `carry_out`.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::Path;

use domain::id::ImportRunId;
use domain::import_run::{
    ImportRun, ImportRunCommand, MissingRule, RunBy, RunCounts, RunOutcome, RunRefusal, RunSource,
};
use eventlog::{Actor, Context, EventLog, commit};
use platform::{clock, printout};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::closings;
use super::missing::{
    ComparedHomes, MissingHome, MissingVerdict, NamedHomes, Permission, check_limit, close_homes,
    compare_homes,
};

/// Bytes hashed at a time.
const HASHED_AT_ONCE: usize = 64 * 1024;

/// The run that causes an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunMark {
    pub run_id: ImportRunId,
}

impl RunMark {
    /// The mark of a new run.
    pub fn new() -> Self {
        Self {
            run_id: ImportRunId(Uuid::now_v7()),
        }
    }

    /// The context of a command of this run, now. Its events have the run's id as their correlation id; their actor is the feed, also
    /// where a person asked for the run.
    pub fn context(self) -> Context {
        Context::new(clock::now(), Actor::SYSTEM).correlated(self.run_id.0)
    }
}

impl Default for RunMark {
    fn default() -> Self {
        Self::new()
    }
}

/// An import as it is asked for.
#[derive(Debug, Clone)]
pub struct Order {
    pub source: RunSource,
    /// `--missing-limit`: how many homes may be closed.
    pub limit: Option<u64>,
    /// Whether a person can be asked for the number of homes.
    pub can_ask: bool,
    /// Writes nothing, no run either.
    pub dry_run: bool,
}

/// How a pass reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PassKind {
    /// Writes nothing and reports nothing: finds which homes the file names.
    Trial,
    /// Writes nothing, reports every entry.
    DryRun,
    Import,
}

/// Result of one pass over a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct PassResult {
    /// Of the entries alone.
    pub(crate) counts: RunCounts,
    pub(crate) named: NamedHomes,
    /// Homes that are let and that the file says are closed; they count as changed.
    pub(crate) closing: Vec<MissingHome>,
    /// Why the file could not be read to its end.
    pub(crate) stopped: Option<String>,
}

/// A file that can be read more than once, with the report of its entries.
pub(crate) trait Passes {
    /// Reads the whole file. Its end is no success: see [`PassResult::stopped`].
    ///
    /// # Errors
    /// One sentence when the log or the report cannot be used.
    fn read(&mut self, mark: RunMark, kind: PassKind) -> impl Future<Output = Result<PassResult, String>>;

    /// Counts what the last pass that writes has written.
    fn count_written(&self) -> RunCounts;

    /// Reports a home that the file does not name.
    ///
    /// # Errors
    /// One sentence when the report cannot be written.
    fn report_missing(&mut self, home: &MissingHome, verdict: MissingVerdict) -> Result<(), String>;

    /// Reports a home that the file closes and that the run left as it is.
    ///
    /// # Errors
    /// As [`Passes::report_missing`].
    fn report_as_left(&mut self, home: &MissingHome, reason: &str) -> Result<(), String>;
}

/// A run that ended.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    pub(crate) counts: RunCounts,
    pub(crate) outcome: RunOutcome,
    /// Entries without an id that could be read, where missing homes stayed because of them.
    pub(crate) unnamed: u64,
}

impl Finished {
    fn without_homes(counts: RunCounts, outcome: RunOutcome) -> Self {
        Self {
            counts,
            outcome,
            unnamed: 0,
        }
    }
}

/// Carries an import out. Its run stands in the log from the beginning to the end, unless it is a dry run; one that breaks off by an error
/// ends with it, as far as the log can still be written.
///
/// # Errors
/// One sentence when the log or the report cannot be used. A refusal and a file that breaks off are no errors: they are outcomes.
pub(crate) async fn carry_out(
    log: &EventLog,
    order: &Order,
    passes: &mut impl Passes,
) -> Result<Finished, String> {
    carry_out_marked(log, order, RunMark::new(), passes).await
}

/// Carries an import out as the run of a mark, for those who name the run elsewhere too.
///
/// # Errors
/// The same.
pub(crate) async fn carry_out_marked(
    log: &EventLog,
    order: &Order,
    mark: RunMark,
    passes: &mut impl Passes,
) -> Result<Finished, String> {
    if order.dry_run {
        return read_and_compare(log, order, mark, passes).await;
    }
    begin_run(log, mark, order.source.clone()).await?;
    let by = order.source.by;
    let finished = match read_and_compare(log, order, mark, passes).await {
        Ok(finished) => finished,
        Err(reason) => {
            let outcome = RunOutcome::Stopped {
                reason: reason.clone(),
            };
            // Where this fails too, the first reason says why.
            let _unended = end_run(log, (mark, by), passes.count_written(), outcome).await;
            return Err(reason);
        }
    };
    end_run(log, (mark, by), finished.counts, finished.outcome.clone()).await?;
    Ok(finished)
}

/// Puts the beginning of a run into the log.
///
/// # Errors
/// One sentence when the log cannot be used.
pub async fn begin_run(log: &EventLog, mark: RunMark, source: RunSource) -> Result<(), String> {
    let (at, by) = (clock::now(), source.by);
    command_run(log, (mark, by), ImportRunCommand::Begin { source, at }).await
}

/// Puts the end of a run into the log.
///
/// # Errors
/// One sentence when the log cannot be used.
pub async fn end_run(
    log: &EventLog,
    run: (RunMark, RunBy),
    counts: RunCounts,
    outcome: RunOutcome,
) -> Result<(), String> {
    let at = clock::now();
    command_run(log, run, ImportRunCommand::End { counts, outcome, at }).await
}

async fn command_run(
    log: &EventLog,
    (mark, by): (RunMark, RunBy),
    command: ImportRunCommand,
) -> Result<(), String> {
    let staff = by.user_id().map(|user_id| Actor::staff(user_id.0));
    let context = Context {
        actor: staff.unwrap_or(Actor::SYSTEM),
        ..mark.context()
    };
    let committed = commit::<ImportRun>(log, mark.run_id, command, &context).await;
    committed
        .map(drop)
        .map_err(|error| format!("the run cannot be recorded: {error}"))
}

/// Reads the file, and settles what becomes of the homes that it does not name.
async fn read_and_compare(
    log: &EventLog,
    order: &Order,
    mark: RunMark,
    passes: &mut impl Passes,
) -> Result<Finished, String> {
    let compared = match compare_first(log, order, mark, passes).await? {
        Ok(compared) => compared,
        Err(refused) => return Ok(refused),
    };
    let kind = if order.dry_run {
        PassKind::DryRun
    } else {
        PassKind::Import
    };
    let pass = passes.read(mark, kind).await?;
    if let Some(reason) = &pass.stopped {
        let outcome = RunOutcome::Stopped {
            reason: reason.clone(),
        };
        return Ok(Finished::without_homes(pass.counts, outcome));
    }
    let compared = match compared {
        Some(compared) => compared,
        None => compare_homes(log, &order.source.feed, &pass.named).await?,
    };
    let (mut counts, kept_open) = closings::settle(log, order, mark, (&pass, &compared), passes).await?;
    if let Some(reason) = kept_open {
        let outcome = RunOutcome::Stopped { reason };
        return Ok(Finished::without_homes(counts, outcome));
    }
    let unnamed = pass.named.unnamed;
    let asks_to_close = order.source.missing == MissingRule::Withdraw;
    let closes = asks_to_close && unnamed == 0;
    let missing = compared.missing.len() as u64;
    let withdrawn = match (closes, order.dry_run) {
        (false, _) => HashSet::new(),
        (true, true) => compared.missing.iter().map(|home| home.home_id).collect(),
        (true, false) => close_homes(log, &compared.missing, mark).await?,
    };
    counts.withdrawn = withdrawn.len() as u64;
    counts.missing = missing.saturating_sub(counts.withdrawn);
    if order.source.missing != MissingRule::Keep {
        for home in &compared.missing {
            let verdict = match (closes, withdrawn.contains(&home.home_id)) {
                (false, _) => MissingVerdict::Left,
                (true, true) => MissingVerdict::Withdrawn,
                (true, false) => MissingVerdict::TakenMeanwhile,
            };
            passes.report_missing(home, verdict)?;
        }
    }
    Ok(Finished {
        counts,
        outcome: RunOutcome::Complete,
        unnamed: if asks_to_close && missing > 0 { unnamed } else { 0 },
    })
}

/// Finds the homes that a run would close before it writes anything, so that a refusal leaves all as it was. Gives nothing for a run that
/// closes none, and for a file that breaks off.
async fn compare_first(
    log: &EventLog,
    order: &Order,
    mark: RunMark,
    passes: &mut impl Passes,
) -> Result<Result<Option<ComparedHomes>, Finished>, String> {
    if order.source.missing != MissingRule::Withdraw {
        return Ok(Ok(None));
    }
    let trial = passes.read(mark, PassKind::Trial).await?;
    if trial.stopped.is_some() {
        return Ok(Ok(None));
    }
    let found = compare_homes(log, &order.source.feed, &trial.named).await?;
    // An entry without an id may be any of the homes: of those that are missing none is closed.
    let missing = if trial.named.unnamed == 0 {
        found.missing.len() as u64
    } else {
        0
    };
    let closing = trial.closing.len() as u64;
    // A number is typed for homes that the file lacks alone: of those that it closes it says itself which.
    let going = match check_limit(missing + closing, found.homes, order.limit) {
        Permission::Asked => missing,
        Permission::Granted | Permission::Refused(_) => missing + closing,
    };
    if going > 0
        && let Some(refusal) = permit(order, going, found.homes)?
    {
        let counts = RunCounts {
            missing,
            ..RunCounts::default()
        };
        let refused = Finished::without_homes(counts, RunOutcome::Refused(refusal));
        return Ok(Err(refused));
    }
    Ok(Ok(Some(found)))
}

/// Asks for the number of homes where it must be typed; gives why they may not be closed.
fn permit(order: &Order, missing: u64, homes: u64) -> Result<Option<RunRefusal>, String> {
    match check_limit(missing, homes, order.limit) {
        Permission::Granted => Ok(None),
        Permission::Refused(refusal) => Ok(Some(refusal)),
        Permission::Asked if order.dry_run => Ok(None),
        Permission::Asked => {
            let typed = if order.can_ask {
                ask_number(missing, homes, &order.source.feed)?
            } else {
                order.limit
            };
            let refusal = RunRefusal::NumberNotTyped {
                missing,
                homes,
                typed,
            };
            Ok((typed != Some(missing)).then_some(refusal))
        }
    }
}

/// Asks the person at the terminal; `None` where no number is typed.
fn ask_number(missing: u64, homes: u64, feed: &str) -> Result<Option<u64>, String> {
    printout::line(format_args!(
        "The file lacks {missing} of the {homes} homes of the feed `{feed}`. Type this number to close them:"
    ))?;
    let mut typed = String::new();
    io::stdin()
        .read_line(&mut typed)
        .map_err(|error| format!("the number cannot be read: {error}"))?;
    Ok(typed.trim().parse().ok())
}

/// Says why a run changed nothing, and what its operator can do.
pub(crate) fn explain_refusal(refusal: RunRefusal, feed: &str) -> String {
    match refusal {
        RunRefusal::TooManyMissing {
            missing,
            homes,
            limit: Some(limit),
        } => format!(
            "nothing was changed: the file lacks or closes {missing} of the {homes} homes of the feed `{feed}`, and --missing-limit allows {limit}"
        ),
        RunRefusal::TooManyMissing {
            missing,
            homes,
            limit: None,
        } => format!(
            "nothing was changed: the file lacks or closes {missing} of the {homes} homes of the feed `{feed}`, more than a fifth. If the \
             file is whole, run it again with --missing-limit {missing}"
        ),
        RunRefusal::NumberNotTyped { missing, homes, .. } => format!(
            "nothing was changed: the file lacks {missing} of the {homes} homes of the feed `{feed}`. If the file is whole, run it again with \
             --missing-limit {missing}"
        ),
    }
}

/// The file's name without its folders; of an address the host alone, since the rest may hold a key.
pub fn name_file(place: &str) -> String {
    match place.split_once("://") {
        Some((_, rest)) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = host.rsplit('@').next().unwrap_or_default();
            host.to_owned()
        }
        None => Path::new(place)
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
    }
}

/// Hashes a file: SHA-256 in hex.
///
/// # Errors
/// When it cannot be read.
pub fn digest_file(mut file: impl Read) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut part = vec![0; HASHED_AT_ONCE];
    loop {
        let read = file.read(&mut part)?;
        if read == 0 {
            return Ok(hex::encode(digest.finalize()));
        }
        digest.update(&part[..read]);
    }
}

/// Hashes the map of a command line as it is written, a file or pairs; `None` without one.
///
/// # Errors
/// One sentence when its file cannot be read.
pub fn digest_map(map: Option<&str>) -> Result<Option<String>, String> {
    let bytes = match map {
        None => return Ok(None),
        Some(pairs) if pairs.contains('=') => pairs.as_bytes().to_vec(),
        Some(file) => std::fs::read(file).map_err(|error| format!("the map `{file}`: {error}"))?,
    };
    Ok(Some(hex::encode(Sha256::digest(bytes))))
}

/// Hashes the map of a person in the workspace, as it is kept.
pub fn digest_text(map: &str) -> String {
    hex::encode(Sha256::digest(map))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_an_address_stay_out_of_its_name() {
        for (place, name) in [
            ("/srv/feeds/north.csv", "north.csv"),
            ("north.csv", "north.csv"),
            ("https://feeds.example.org/a?key=secret", "feeds.example.org"),
            (
                "https://me:secret@feeds.example.org:8443/a",
                "feeds.example.org:8443",
            ),
            ("https://feeds.example.org?key=secret", "feeds.example.org"),
        ] {
            assert_eq!(name_file(place), name, "{place}");
        }
    }

    #[test]
    fn files_and_maps_are_known_by_their_hashes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest_file(&b""[..]).unwrap(), empty);
        let long = vec![b'a'; HASHED_AT_ONCE + 1];
        assert_eq!(
            digest_file(&long[..]).unwrap(),
            hex::encode(Sha256::digest(&long))
        );
        assert_eq!(digest_map(None), Ok(None));
        let pairs = hex::encode(Sha256::digest("name=title"));
        assert_eq!(digest_map(Some("name=title")), Ok(Some(pairs)));
    }

    #[test]
    fn refusals_say_what_to_type() {
        let without_limit = RunRefusal::TooManyMissing {
            missing: 60,
            homes: 200,
            limit: None,
        };
        let said = explain_refusal(without_limit, "north");
        assert!(
            said.starts_with("nothing was changed: the file lacks or closes 60 of the 200 homes"),
            "{said}"
        );
        assert!(said.ends_with("--missing-limit 60"), "{said}");
        let above = RunRefusal::TooManyMissing {
            missing: 60,
            homes: 200,
            limit: Some(50),
        };
        assert!(explain_refusal(above, "north").ends_with("allows 50"));
        let few = RunRefusal::NumberNotTyped {
            missing: 3,
            homes: 4,
            typed: None,
        };
        assert!(explain_refusal(few, "north").ends_with("--missing-limit 3"));
    }
}
