//! `latchkey backup` and `latchkey restore`: copies of the whole data folder taken while the server runs, and a folder made
//! from one, as it was at the end or at an earlier event.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use domain::moment::Moment;
use eventlog::{Anchor, EventLog, HeadFolder, Position};
use health::integrity::ACCEPTED;
use health::last_backup;
use health::notary::{self, HEADS};
use platform::clock;
use platform::config::Settings;
use storage::cut_back::End;
use storage::sqlite;

use crate::verify::{describe_accepted, list_accepted};

mod heads;
mod manifest;
mod verified;

use heads::{cut_heads, place_heads, take_heads};
use manifest::{
    FORMAT, MANIFEST, Manifest, copy_checked, copy_folder, list, not_copied, private, read_manifest,
    write_manifest,
};
use verified::{Verified, Wanted, verify_copy, verify_whole};

/// Copied before the log: they only ever know what it holds already. The read models are not copied, they are folded anew.
const BEFORE_THE_LOG: [&str; 4] = ["reactor.db", "desk.db", "sandbox.db", "views.db"];
const KEYS: &str = "keys.db";
/// What the file of every SQLite database begins with.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";
/// Sealed uploads: durable before the event that names them, so copied after the log.
const DOCUMENTS: &str = "documents";

/// Arguments of `latchkey restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The backup's folder; none for a PostgreSQL database, which its own tools restore and this cuts back.
    from: Option<PathBuf>,
    /// Leave out every event after this one.
    #[arg(long)]
    position: Option<Position>,
    /// Leave out every event that was recorded after this moment, such as 2026-09-01T12:00:00Z.
    #[arg(long, value_parser = read_moment, conflicts_with = "position")]
    until: Option<Moment>,
    /// Take the keys from this file instead, e.g. the newest `keys.db`: people erased since then stay erased.
    #[arg(long)]
    keys: Option<PathBuf>,
    /// Take the signed heads and their keys from this folder instead, for a backup that lacks them.
    #[arg(long)]
    heads: Option<PathBuf>,
    /// Restore even if no signature can be verified because the signed heads or their keys are lost.
    #[arg(long)]
    unsigned: bool,
}

impl RestoreArgs {
    /// Whether nothing is to be copied from anywhere.
    pub const fn names_no_folder(&self) -> bool {
        self.from.is_none()
    }
}

fn read_moment(given: &str) -> Result<Moment, &'static str> {
    given
        .parse()
        .map_err(|_| "give a moment such as 2026-09-01T12:00:00Z")
}

/// Copies the data folder into `into`, a new or empty folder; the server may run. The copy is verified as a restore would: one
/// that could not be restored is no backup.
///
/// # Errors
/// One sentence for the operator; a folder that was begun has no `backup.json`.
pub async fn back_up(settings: &Settings, into: &Path) -> Result<String, String> {
    let data_dir = settings.data_dir.as_path();
    if !data_dir.join("log.db").is_file() {
        return Err(format!("`{}` holds no log to back up", data_dir.display()));
    }
    is_apart(settings, into)?;
    // Before the log is copied, so that what is written meanwhile makes nobody wrong.
    let known = crate::fit::known_beside(settings).await?;
    empty_folder(into)?;
    for name in BEFORE_THE_LOG {
        let file = data_dir.join(name);
        if file.is_file() {
            sqlite::snapshot(&file, &into.join(name)).map_err(|error| not_copied(name, &error))?;
        }
    }
    // Before the log, so that every head in the folder speaks of events that the copy has.
    let heads = notary::heads_dir(settings);
    if heads.is_dir() {
        notary::copy_heads(&heads, &into.join(HEADS)).map_err(|error| not_copied(HEADS, &error))?;
    }
    let taken_at = clock::now();
    let end = sqlite::back_up(data_dir, into).map_err(|error| not_copied("log.db", &error))?;
    // A copy of a log that was cut off would take the place of a whole one.
    crate::fit::reaches(end.position, &known)?;
    copy_uploads(settings, into)?;
    // After the log, so that each accepted break of the copy has its line.
    let record = data_dir.join(ACCEPTED);
    if record.is_file() {
        let copy = into.join(ACCEPTED);
        let copied = fs::copy(&record, &copy).and_then(|_| File::open(&copy)?.sync_all());
        copied.map_err(|error| not_copied(ACCEPTED, &error))?;
    }
    let (verified, unreadable) = verify_copy(data_dir, into, end)
        .await
        .map_err(|why| describe_failed_copy(&why))?;
    let mut files = Vec::new();
    list(into, "", &mut files).map_err(|error| not_copied(MANIFEST, &error))?;
    let bytes: u64 = files.iter().map(|entry| entry.bytes).sum();
    let said = format!(
        "backed up: every event through {}, verified{}, {} files, {bytes} bytes, in {}{}{}{}",
        end.position,
        describe_accepted(&verified.accepted),
        files.len(),
        into.display(),
        list_accepted(&verified.accepted, verified.gap),
        verified.signatures,
        unreadable.map_or_else(String::new, |told| format!("\nwarning: {told}"))
    );
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        taken_at,
        position: end.position,
        chain: hex::encode(end.chain),
        files,
    };
    write_manifest(into, &manifest).map_err(|error| not_copied(MANIFEST, &error))?;
    // The backup stands; that the health page cannot tell of it makes it no worse.
    if let Err(error) = last_backup::note(data_dir, taken_at, end.position) {
        tracing::warn!(%error, "`{}` could not be written: the health page shows an earlier backup", last_backup::FILE);
    }
    Ok(said)
}

/// Copies uploads, and photos that lie in a folder: each is there before the event that names it.
fn copy_uploads(settings: &Settings, into: &Path) -> Result<(), String> {
    let folders = [
        (Some(settings.data_dir.join(DOCUMENTS)), DOCUMENTS),
        (photos::store::find_folder(settings), photos::store::FOLDER),
    ];
    for (folder, name) in folders {
        let folder = folder.filter(|folder| folder.is_dir());
        if let Some(folder) = folder {
            copy_folder(&folder, &into.join(name)).map_err(|error| not_copied(name, &error))?;
        }
    }
    Ok(())
}

fn describe_failed_copy(why: &str) -> String {
    format!(
        "what was copied could not be restored: {why}; it is no backup: remove it, and see what `latchkey verify` says of \
         the data folder (docs/runbooks/broken-history.md)"
    )
}

/// A folder that was filled from a backup.
struct Filled {
    log: Verified,
    /// What is to be told of people whose keys are not in it.
    unreadable: Option<String>,
    /// What is to be told of people who were forgotten later than the backup.
    forgotten: Option<String>,
    /// Where the signed heads are now, when a setting names their folder.
    heads: Option<String>,
}

impl Filled {
    /// Says what was restored where, and what is missing.
    fn describe(self, place: &str, what_to_do: &str) -> String {
        let Self {
            log,
            unreadable,
            forgotten,
            heads,
        } = self;
        format!(
            "restored: every event through {}, chain {} verified{}, in {place}; start the server on it{}{}{}{}{}{}",
            log.anchor.position,
            hex::encode(log.anchor.chain),
            describe_accepted(&log.accepted),
            list_accepted(&log.accepted, log.gap),
            log.signatures,
            heads.map_or_else(String::new, |told| format!("\n{told}")),
            forgotten.map_or_else(String::new, |told| format!("\n{told}")),
            log.unsigned.map_or_else(String::new, |told| format!(
                "\nwarning: no signature was verified: {told}"
            )),
            unreadable.map_or_else(String::new, |told| format!("\nwarning: {told}: {what_to_do}"))
        )
    }
}

/// Makes the data folder `data_dir`, which must not exist or be empty, from a backup; it appears whole or not at all.
///
/// # Errors
/// One sentence for the operator.
pub async fn restore(settings: &Settings, args: &RestoreArgs) -> Result<String, String> {
    let data_dir = settings.data_dir.as_path();
    let from = args.from.as_deref().ok_or("name the backup's folder")?;
    let manifest = read_manifest(from)?;
    check_within(&manifest, args)?;
    is_no_file(data_dir, "restore into a new folder (`--data-dir`)")?;
    if data_dir.exists() && !is_empty(data_dir) {
        return Err(format!(
            "`{}` is not empty: restore into a new folder (`--data-dir`), then let it take the other's place",
            data_dir.display()
        ));
    }
    let beside = begun_beside(data_dir)?;
    let in_it = Settings {
        data_dir: beside.clone(),
        ..settings.clone()
    };
    let filled = fill(&in_it, from, &manifest, args).await;
    let done = filled.and_then(|filled| put_in_place(&beside, data_dir).map(|()| filled));
    match done {
        Ok(mut filled) => {
            filled.heads = place_heads(settings);
            Ok(filled.describe(
                &data_dir.display().to_string(),
                "restore into another folder with it (`--keys`)",
            ))
        }
        Err(sentence) => {
            if let Err(error) = fs::remove_dir_all(&beside) {
                tracing::warn!(%error, folder = %beside.display(), "what was begun could not be removed");
            }
            Err(sentence)
        }
    }
}

/// Refuses an end that lies beyond the backup's.
fn check_within(manifest: &Manifest, args: &RestoreArgs) -> Result<(), String> {
    if let Some(beyond) = args.position.filter(|wanted| *wanted > manifest.position) {
        return Err(format!(
            "the backup ends at event {}: event {beyond} is not in it",
            manifest.position
        ));
    }
    match args.until {
        Some(until) if until > manifest.taken_at => Err(format!(
            "the backup was taken at {}: what came between then and {} is not in it",
            manifest.taken_at.to_rfc3339(),
            until.to_rfc3339()
        )),
        _ => Ok(()),
    }
}

/// The last event that the new folder is to have, of the log that was copied into it.
fn find_last_wanted(dir: &Path, manifest: &Manifest, args: &RestoreArgs) -> Result<Position, String> {
    let Some(until) = args.until else {
        return Ok(args.position.unwrap_or(manifest.position));
    };
    match sqlite::last_before(dir, until) {
        Ok(0) => Err(format!(
            "nothing in the backup is from before {}",
            until.to_rfc3339()
        )),
        Ok(last) => Ok(last),
        Err(error) => Err(format!("the restored log cannot be read: {error}")),
    }
}

/// The folder that becomes the data folder once all is right, beside it so that a move is enough.
fn begun_beside(data_dir: &Path) -> Result<PathBuf, String> {
    if data_dir.file_name().is_none() {
        return Err(format!(
            "`{}` has no name of its own: name the new folder (`--data-dir`)",
            data_dir.display()
        ));
    }
    let beside = data_dir.with_extension("restoring");
    let told = |error: io::Error| format!("the folder `{}` cannot be made: {error}", beside.display());
    if let Some(parent) = beside.parent() {
        fs::create_dir_all(parent).map_err(told)?;
    }
    match platform::disk::make_private(&beside) {
        Ok(()) => Ok(beside),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(told(error) + "; another restore is under way, or remove what an interrupted one left")
        }
        Err(error) => Err(told(error)),
    }
}

/// Copies what the backup lists, each file compared with its digest, cuts the log if asked, and verifies the chain.
async fn fill(
    settings: &Settings,
    from: &Path,
    manifest: &Manifest,
    args: &RestoreArgs,
) -> Result<Filled, String> {
    let dir = settings.data_dir.as_path();
    let is_taken_elsewhere = |name: &str| {
        args.keys.is_some() && name == KEYS || args.heads.is_some() && Path::new(name).starts_with(HEADS)
    };
    for entry in manifest
        .files
        .iter()
        .filter(|entry| !is_taken_elsewhere(&entry.name))
    {
        copy_checked(&from.join(&entry.name), &dir.join(&entry.name), entry)?;
    }
    take_heads(args.heads.as_deref(), dir)?;
    if let Some(keys) = &args.keys {
        holds_a_database(keys)?;
        sqlite::snapshot(keys, &dir.join(KEYS))
            .map_err(|error| format!("the keys `{}` cannot be taken: {error}", keys.display()))?;
    }
    let wanted = find_last_wanted(dir, manifest, args)?;
    if wanted < manifest.position {
        sqlite::rewind(dir, wanted).map_err(|error| format!("the log cannot be cut back: {error}"))?;
        processes::reactor::rewind(dir)
            .await
            .map_err(|error| format!("the outbox cannot be cut back: {error}"))?;
    }
    let log = sqlite::open(dir)
        .await
        .map_err(|error| format!("the restored log cannot be opened: {error}"))?;
    crate::fit::keys_open(&log).await?;
    let outside = notary::folder(&dir.join(HEADS))?;
    if wanted < manifest.position || args.heads.is_some() {
        cut_heads(&outside, wanted)?;
    }
    let verified = verify_restored(&log, &outside, dir, args).await?;
    let chain = (wanted == manifest.position).then_some(&*manifest.chain);
    verified.check_end(wanted, chain, "restored")?;
    finish_restoring(settings, &log, verified).await
}

/// Looks at the keys of a restored log that was verified, and marks its folder.
async fn finish_restoring(settings: &Settings, log: &EventLog, verified: Verified) -> Result<Filled, String> {
    crate::rehearsal::mark_restored(&settings.data_dir)
        .map_err(|error| format!("the folder cannot be marked as restored: {error}"))?;
    Ok(Filled {
        log: verified,
        unreadable: crate::fit::people_without_keys(log, Anchor::GENESIS.position).await?,
        // Only now: what is added is no part of what was verified.
        forgotten: crate::forgotten_before::forget_again(settings, log).await?,
        heads: None,
    })
}

/// Verifies a restored log; one without signatures where that is asked for.
async fn verify_restored(
    log: &EventLog,
    outside: &HeadFolder,
    dir: &Path,
    args: &RestoreArgs,
) -> Result<Verified, String> {
    let wanted = Wanted {
        which: "restored",
        what_to_do: "take them from the copy outside (`--heads FOLDER`), or, where there is none any more, restore without a \
                     signature (`--unsigned`)",
        may_be_unsigned: args.unsigned,
    };
    verify_whole(log, outside, dir, wanted).await
}

/// Cuts a PostgreSQL database that its own tools have restored back to `--until` or `--position`, and verifies what is left.
///
/// # Errors
/// One sentence for the operator.
pub async fn cut_back(settings: &Settings, args: &RestoreArgs) -> Result<String, String> {
    let end = match (args.position, args.until) {
        (Some(position), _) => End::Event(position),
        (None, Some(until)) => End::Moment(until),
        (None, None) => {
            return Err(
                "the setting `database` is a PostgreSQL database: restore both databases with its own tools (`pg_restore`, or \
                 its archive), then cut them back with `latchkey restore --until TIME` where that is needed"
                    .to_owned(),
            );
        }
    };
    crate::rehearsal::refuse_original(settings).await?;
    storage::make_folder(&settings.data_dir)?;
    let wanted = storage::cut_back::cut_back(settings, end).await?;
    let log = storage::open_log(settings).await?;
    crate::fit::keys_open(&log).await?;
    take_heads(args.heads.as_deref(), &settings.data_dir)?;
    let outside = notary::folder(&settings.data_dir.join(HEADS))?;
    cut_heads(&outside, wanted)?;
    let verified = verify_restored(&log, &outside, &settings.data_dir, args).await?;
    verified.check_end(wanted, None, "restored")?;
    let filled = finish_restoring(settings, &log, verified).await?;
    Ok(filled.describe("the database", "take the newest database of keys"))
}

/// SQLite would blame the disk for a file that is something else.
fn holds_a_database(keys: &Path) -> Result<(), String> {
    let mut head = [0; SQLITE.len()];
    let read = File::open(keys).and_then(|mut file| file.read_exact(&mut head));
    let why = match read {
        Ok(()) if head == *SQLITE => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.to_string(),
        _ => "it is no database".to_owned(),
    };
    Err(format!(
        "`{}` holds no keys: {why}; name the `keys.db` of a backup or of a data folder (`--keys`)",
        keys.display()
    ))
}

fn put_in_place(beside: &Path, data_dir: &Path) -> Result<(), String> {
    let placed = || -> io::Result<()> {
        if data_dir.exists() {
            fs::remove_dir(data_dir)?;
        }
        fs::rename(beside, data_dir)?;
        match data_dir.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
            _ => Ok(()),
        }
    };
    placed().map_err(|error| {
        format!(
            "the folder `{}` cannot be put in place: {error}",
            data_dir.display()
        )
    })
}

/// A copy inside of what it copies would never end, or be lost with it. Folders of it may lie elsewhere, behind links or by
/// a setting.
fn is_apart(settings: &Settings, into: &Path) -> Result<(), String> {
    let there = into.ancestors().find(|parent| parent.exists());
    let there = there.filter(|parent| !parent.as_os_str().is_empty());
    let Ok(there) = fs::canonicalize(there.unwrap_or(Path::new("."))) else {
        return Ok(());
    };
    let dir = &settings.data_dir;
    let copied = [
        (Some(dir.clone()), "the data folder"),
        (Some(dir.join(DOCUMENTS)), "the folder of uploads"),
        (photos::store::find_folder(settings), "the folder of photos"),
        (Some(dir.join(HEADS)), "the folder of signed heads"),
        (Some(notary::heads_dir(settings)), "the folder of signed heads"),
    ];
    for (folder, what) in copied {
        let folder = folder.and_then(|folder| fs::canonicalize(folder).ok());
        if folder.is_some_and(|folder| there.starts_with(folder)) {
            return Err(format!(
                "`{}` is in {what} and would be lost with it: choose one elsewhere, best on another disk",
                into.display()
            ));
        }
    }
    Ok(())
}

fn empty_folder(dir: &Path) -> Result<(), String> {
    is_no_file(dir, "name a new folder")?;
    if dir.exists() && !is_empty(dir) {
        return Err(format!("`{}` is not empty: name a new folder", dir.display()));
    }
    let made = fs::create_dir_all(dir).and_then(|()| private(dir));
    made.map_err(|error| format!("the folder `{}` cannot be made: {error}", dir.display()))
}

/// A file is not empty either, and nobody would look for a folder's contents then.
fn is_no_file(dir: &Path, what_to_do: &str) -> Result<(), String> {
    if dir.exists() && !dir.is_dir() {
        return Err(format!(
            "`{}` is a file, not a folder: {what_to_do}",
            dir.display()
        ));
    }
    Ok(())
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}
