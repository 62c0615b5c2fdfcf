//! `latchkey backup` and `latchkey restore`: copies of the whole data folder taken while the server runs, and a folder made
//! from one, as it was at the end or at an earlier event.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use domain::moment::Moment;
use eventlog::{Anchor, Position, Verdict};
use health::last_backup;
use health::notary::{self, HEADS};
use platform::clock;
use platform::config::Settings;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use storage::sqlite;

/// Says what a backup holds; written last, so that a folder without it is no finished backup.
const MANIFEST: &str = "backup.json";
/// The layout of the folder; a later one gets the next number.
const FORMAT: u32 = 1;
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
    /// The backup's folder.
    from: PathBuf,
    /// Leave out every event after this one.
    #[arg(long)]
    position: Option<Position>,
    /// Take the keys from this file instead, e.g. the newest `keys.db`: who was forgotten since then stays forgotten.
    #[arg(long)]
    keys: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    /// The version of the program that wrote it.
    program: String,
    taken_at: Moment,
    /// The last event in it.
    position: Position,
    /// The chain's value there, in hexadecimal digits.
    chain: String,
    files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// Below the folder, with `/`.
    name: String,
    bytes: u64,
    sha256: String,
}

/// Copies the data folder into `into`, a new or empty folder; the server may run.
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
    let heads = data_dir.join(HEADS);
    if heads.is_dir() {
        copy_folder(&heads, &into.join(HEADS)).map_err(|error| not_copied(HEADS, &error))?;
    }
    let taken_at = clock::now();
    let end = sqlite::back_up(data_dir, into).map_err(|error| not_copied("log.db", &error))?;
    // A copy of a log that was cut off would take the place of a whole one.
    crate::fit::reaches(end.position, &known)?;
    let documents = data_dir.join(DOCUMENTS);
    if documents.is_dir() {
        copy_folder(&documents, &into.join(DOCUMENTS)).map_err(|error| not_copied(DOCUMENTS, &error))?;
    }
    let mut files = Vec::new();
    list(into, "", &mut files).map_err(|error| not_copied(MANIFEST, &error))?;
    let bytes: u64 = files.iter().map(|entry| entry.bytes).sum();
    let said = format!(
        "backed up: every event through {}, {} files, {bytes} bytes, in {}",
        end.position,
        files.len(),
        into.display()
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

/// A folder that was filled from a backup.
struct Filled {
    /// Where its log ends.
    anchor: Anchor,
    /// What is to be told of people whose keys are not in it.
    unreadable: Option<String>,
    /// What is to be told of people who were forgotten later than the backup.
    forgotten: Option<String>,
}

/// Makes the data folder `data_dir`, which must not exist or be empty, from a backup; it appears whole or not at all.
///
/// # Errors
/// One sentence for the operator.
pub async fn restore(settings: &Settings, args: &RestoreArgs) -> Result<String, String> {
    let data_dir = settings.data_dir.as_path();
    let manifest = read_manifest(&args.from)?;
    let wanted = args.position.unwrap_or(manifest.position);
    if wanted > manifest.position {
        return Err(format!(
            "the backup ends at event {}: event {wanted} is not in it",
            manifest.position
        ));
    }
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
    let filled = fill(&in_it, &manifest, args, wanted).await;
    let done = filled.and_then(|filled| put_in_place(&beside, data_dir).map(|()| filled));
    match done {
        Ok(Filled {
            anchor,
            unreadable,
            forgotten,
        }) => Ok(format!(
            "restored: every event through {}, chain {} verified, in {}; start the server on it{}{}",
            anchor.position,
            hex::encode(anchor.chain),
            data_dir.display(),
            forgotten.map_or_else(String::new, |told| format!("\n{told}")),
            unreadable.map_or_else(String::new, |told| {
                format!("\nwarning: {told}: restore into another folder with it (`--keys`)")
            })
        )),
        Err(sentence) => {
            if let Err(error) = fs::remove_dir_all(&beside) {
                tracing::warn!(%error, folder = %beside.display(), "what was begun could not be removed");
            }
            Err(sentence)
        }
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
    manifest: &Manifest,
    args: &RestoreArgs,
    wanted: Position,
) -> Result<Filled, String> {
    let dir = settings.data_dir.as_path();
    for entry in &manifest.files {
        if args.keys.is_some() && entry.name == KEYS {
            continue;
        }
        let (from, to) = (args.from.join(&entry.name), dir.join(&entry.name));
        copy_checked(&from, &to, entry)?;
    }
    if let Some(keys) = &args.keys {
        holds_a_database(keys)?;
        sqlite::snapshot(keys, &dir.join(KEYS))
            .map_err(|error| format!("the keys `{}` cannot be taken: {error}", keys.display()))?;
    }
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
    if wanted < manifest.position {
        let cut = outside.cut(wanted);
        cut.map_err(|error| format!("the signed heads cannot be cut back: {error}"))?;
    }
    let audit = log.audit(&outside, Anchor::GENESIS).await;
    match audit
        .map(|audit| audit.verdict)
        .map_err(|error| format!("the restored log cannot be read: {error}"))?
    {
        Verdict::Intact(anchor) if anchor.position != wanted => Err(format!(
            "the backup says {wanted} and its log ends at event {}",
            anchor.position
        )),
        Verdict::Intact(anchor)
            if wanted == manifest.position && hex::encode(anchor.chain) != manifest.chain =>
        {
            Err("the restored log is not the one that was backed up: its chain differs".to_owned())
        }
        Verdict::Intact(anchor) => Ok(Filled {
            anchor,
            unreadable: crate::fit::people_without_keys(&log, Anchor::GENESIS.position).await?,
            // Only now: what is added is no part of what was verified.
            forgotten: crate::forgotten_before::forget_again(settings, &log).await?,
        }),
        Verdict::Broken { position, problem } => Err(format!(
            "the restored log is broken at event {position}: {problem}"
        )),
    }
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

fn copy_checked(from: &Path, to: &Path, entry: &Entry) -> Result<(), String> {
    let inside = Path::new(&entry.name)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)));
    if !inside {
        return Err(format!("`{}` names a file outside the backup", entry.name));
    }
    let copied = || -> io::Result<String> {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(from, to)?;
        let mut file = File::open(to)?;
        let digest = digest(&mut file)?;
        file.sync_all()?;
        Ok(digest)
    };
    let sha256 = copied().map_err(|error| format!("`{}` cannot be restored: {error}", entry.name))?;
    if sha256 == entry.sha256 {
        Ok(())
    } else {
        Err(format!(
            "`{}` of the backup is not what was backed up: it was changed or damaged",
            entry.name
        ))
    }
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
        (Some(dir.join(HEADS)), "the folder of signed heads"),
        (settings.heads_dir.clone(), "the folder of signed heads"),
    ];
    for (folder, what) in copied {
        let folder = folder.and_then(|folder| fs::canonicalize(folder).ok());
        if folder.is_some_and(|folder| there.starts_with(folder)) {
            return Err(format!(
                "`{}` lies in {what} and would be lost with it: name one elsewhere, best on another disk",
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

/// Keys lie in it: its owner's alone.
#[cfg(unix)]
fn private(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn private(_dir: &Path) -> io::Result<()> {
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
            continue;
        }
        match fs::copy(entry.path(), &target) {
            Ok(_) => File::open(&target)?.sync_all()?,
            // Taken back by its owner meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Every file below `dir`, in the order of names.
fn list(dir: &Path, below: &str, files: &mut Vec<Entry>) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
            continue;
        }
        let bytes = entry.metadata()?.len();
        let sha256 = digest(&mut File::open(entry.path())?)?;
        files.push(Entry { name, bytes, sha256 });
    }
    Ok(())
}

fn digest(file: &mut File) -> io::Result<String> {
    let mut sha256 = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hex::encode(sha256.finalize())),
            read => sha256.update(chunk.get(..read).unwrap_or_default()),
        }
    }
}

fn write_manifest(into: &Path, manifest: &Manifest) -> io::Result<()> {
    let begun = into.join("backup.json.begun");
    fs::write(&begun, format!("{:#}\n", serde_json::to_value(manifest)?))?;
    File::open(&begun)?.sync_all()?;
    fs::rename(&begun, into.join(MANIFEST))?;
    File::open(into)?.sync_all()
}

fn read_manifest(from: &Path) -> Result<Manifest, String> {
    let text = fs::read_to_string(from.join(MANIFEST))
        .map_err(|error| format!("`{}` is no finished backup: {MANIFEST}: {error}", from.display()))?;
    let manifest: Manifest = serde_json::from_str(&text)
        .map_err(|error| format!("{MANIFEST} of `{}` cannot be read: {error}", from.display()))?;
    if manifest.format == FORMAT {
        Ok(manifest)
    } else {
        Err(format!(
            "the backup has layout {}; this program knows {FORMAT}: use the version {} that wrote it",
            manifest.format, manifest.program
        ))
    }
}

fn not_copied(name: &str, error: &dyn std::fmt::Display) -> String {
    format!("`{name}` cannot be backed up: {error}; what was begun is no backup: remove it")
}
