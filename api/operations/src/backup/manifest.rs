//! The contents of a backup: its manifest, and the files that it lists with their digests.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use domain::moment::Moment;
use eventlog::Position;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Says what a backup holds; written last, so that a folder without it is no finished backup.
pub(super) const MANIFEST: &str = "backup.json";
/// The layout of the folder; a later one gets the next number.
pub(super) const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The version of the program that wrote it.
    pub(super) program: String,
    pub(super) taken_at: Moment,
    /// The last event in it.
    pub(super) position: Position,
    /// The chain's value there, in hexadecimal digits.
    pub(super) chain: String,
    pub(super) files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Below the folder, with `/`.
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// Copies a listed file and compares it with its digest.
pub(super) fn copy_checked(from: &Path, to: &Path, entry: &Entry) -> Result<(), String> {
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

/// Keys lie in it: its owner's alone.
#[cfg(unix)]
pub(super) fn private(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
pub(super) fn private(_dir: &Path) -> io::Result<()> {
    Ok(())
}

pub(super) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
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
pub(super) fn list(dir: &Path, below: &str, files: &mut Vec<Entry>) -> io::Result<()> {
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

pub(super) fn write_manifest(into: &Path, manifest: &Manifest) -> io::Result<()> {
    let begun = into.join("backup.json.begun");
    fs::write(&begun, format!("{:#}\n", serde_json::to_value(manifest)?))?;
    File::open(&begun)?.sync_all()?;
    fs::rename(&begun, into.join(MANIFEST))?;
    File::open(into)?.sync_all()
}

pub(super) fn read_manifest(from: &Path) -> Result<Manifest, String> {
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

pub(super) fn not_copied(name: &str, error: &dyn std::fmt::Display) -> String {
    format!("`{name}` cannot be backed up: {error}; what was begun is no backup: remove it")
}
