//! Signed heads outside of the database: a folder with a file a day to which lines are only added, and the public keys
//! whose signatures count. On another disk, or copied away, it tells what was cut off or written anew.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use domain::moment::Moment;

use crate::error::LogError;
use crate::signed_head::{KeyId, PublicKey, SignedHead};
use crate::stream::Position;

/// Below the folder: one file a key.
const KEYS: &str = "keys";
/// How the files of public keys end.
const KEY_ENDING: &str = "pub";
/// How the files of heads end.
const ENDING: &str = "heads";
/// Before the time after which a key's signatures do not count any more.
const UNTIL: &str = "until ";

/// A key whose signatures count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedKey {
    pub key: PublicKey,
    /// Put away since this time, in microseconds UTC.
    pub until_us: Option<i64>,
}

impl TrustedKey {
    /// Whether the key has signed this head while it counted.
    pub fn has_signed(&self, head: &SignedHead) -> bool {
        let in_time = self.until_us.is_none_or(|until| head.signed_at_us <= until);
        in_time && self.key.has_signed(head)
    }
}

/// What a folder holds: heads in the order of their files and lines, and what cannot be read.
#[derive(Debug, Default)]
pub struct Outside {
    pub heads: Vec<SignedHead>,
    /// Each with file and line.
    pub unreadable: Vec<String>,
}

/// The folder of signed heads.
#[derive(Debug, Clone)]
pub struct HeadFolder {
    dir: PathBuf,
}

impl HeadFolder {
    /// The folder, made when there is none.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(dir: &Path) -> Result<Self, LogError> {
        let keys = dir.join(KEYS);
        fs::create_dir_all(&keys).map_err(|error| failed(&keys, &error))?;
        Ok(Self { dir: dir.to_owned() })
    }

    /// Lets a key's signatures count from now on.
    ///
    /// # Errors
    /// When its file cannot be written.
    pub fn trust(&self, key: &PublicKey) -> Result<(), LogError> {
        let path = self.key_file(key.id());
        if path.exists() {
            return Ok(());
        }
        self.place(&path, &format!("{key}\n"))
    }

    /// Puts a key away: what it signs after `at` does not count, what it has signed stays good.
    ///
    /// # Errors
    /// When its file cannot be written.
    pub fn put_away(&self, key: &PublicKey, at: Moment) -> Result<(), LogError> {
        let path = self.key_file(key.id());
        self.place(&path, &format!("{key}\n{UNTIL}{}\n", at.timestamp_micros()))
    }

    /// Puts a key's file in its place whole: half of one is no key, and no server starts beside it.
    fn place(&self, path: &Path, text: &str) -> Result<(), LogError> {
        let beside = path.with_extension(format!("new-{}", std::process::id()));
        write_synced(&beside, text.as_bytes())
            .and_then(|()| fs::rename(&beside, path))
            .and_then(|()| synced(&self.dir.join(KEYS)))
            .map_err(|error| failed(path, &error))
    }

    /// The keys whose signatures count.
    ///
    /// # Errors
    /// When the folder cannot be read, or a file in it is no key.
    pub fn keys(&self) -> Result<Vec<TrustedKey>, LogError> {
        let mut keys = Vec::new();
        for path in listed(&self.dir.join(KEYS), KEY_ENDING)? {
            let text = text_of(&path)?;
            let mut lines = text.lines();
            let key = lines.next().and_then(PublicKey::parse);
            let until = lines
                .next()
                .and_then(|line| line.strip_prefix(UNTIL)?.parse().ok());
            let Some(key) = key else {
                let said = format!(
                    "in the folder of signed heads `{}` is no public key: put it back from the copy outside",
                    path.display()
                );
                return Err(LogError::Refused(said));
            };
            keys.push(TrustedKey { key, until_us: until });
        }
        Ok(keys)
    }

    /// Adds heads, durably. What a crash left of a last line is taken away first; heads that their file holds already
    /// are not added again.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&self, heads: &[SignedHead]) -> Result<(), LogError> {
        let day = |head: &SignedHead| head.signed_at().format("%Y-%m-%d").to_string();
        for heads in heads.chunk_by(|one, next| day(one) == day(next)) {
            let Some(first) = heads.first() else { continue };
            let path = self.dir.join(format!("{}.{ENDING}", day(first)));
            self.add_lines(&path, heads)
                .map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    fn add_lines(&self, path: &Path, heads: &[SignedHead]) -> std::io::Result<()> {
        let is_new = !path.exists();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        // Several servers may write into one folder; the lock goes with the file.
        file.lock()?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64)?;
        }
        let known: HashSet<&[u8]> = text[..whole].split(|byte| *byte == b'\n').collect();
        let mut lines = String::new();
        for head in heads {
            let line = serde_json::to_string(head)?;
            if !known.contains(line.as_bytes()) {
                lines.push_str(&line);
                lines.push('\n');
            }
        }
        file.write_all(lines.as_bytes())?;
        file.sync_data()?;
        if is_new {
            synced(&self.dir)?;
        }
        Ok(())
    }

    /// Heads of the days since `since`, or all.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn read(&self, since: Option<Moment>) -> Result<Outside, LogError> {
        let first = since.map(|since| since.format("%Y-%m-%d").to_string());
        let mut outside = Outside::default();
        for path in listed(&self.dir, ENDING)? {
            let day = path.file_stem().unwrap_or_default().to_string_lossy();
            if first.as_ref().is_some_and(|first| *day < **first) {
                continue;
            }
            let text = text_of(&path)?;
            // What has no end of line was never finished.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            for (place, line) in whole.lines().enumerate() {
                match serde_json::from_str(line) {
                    Ok(head) => outside.heads.push(head),
                    Err(_) => outside
                        .unreadable
                        .push(format!("{}, line {}", path.display(), place + 1)),
                }
            }
        }
        Ok(outside)
    }

    /// The last head of the newest file.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn last(&self) -> Result<Option<SignedHead>, LogError> {
        let newest = listed(&self.dir, ENDING)?.pop();
        let Some(newest) = newest else { return Ok(None) };
        let text = text_of(&newest)?;
        let last = text
            .lines()
            .rev()
            .find_map(|line| serde_json::from_str(line).ok());
        Ok(last)
    }

    /// Leaves out every head beyond `position`, for a log that was cut back to there on purpose.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn cut(&self, position: Position) -> Result<(), LogError> {
        for path in listed(&self.dir, ENDING)? {
            let text = text_of(&path)?;
            let within = |line: &&str| {
                serde_json::from_str::<SignedHead>(line).is_ok_and(|head| head.position <= position)
            };
            let kept: String = text
                .lines()
                .filter(within)
                .flat_map(|line| [line, "\n"])
                .collect();
            if kept.len() < text.len() {
                write_synced(&path, kept.as_bytes()).map_err(|error| failed(&path, &error))?;
            }
        }
        Ok(())
    }

    fn key_file(&self, key: KeyId) -> PathBuf {
        self.dir.join(KEYS).join(format!("{key}.{KEY_ENDING}"))
    }
}

/// The files of a folder with this ending, in the order of names.
fn listed(dir: &Path, ending: &str) -> Result<Vec<PathBuf>, LogError> {
    let entries = fs::read_dir(dir).map_err(|error| failed(dir, &error))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(dir, &error))?.path();
        if path.extension().is_some_and(|it| it == ending) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// What is no text is no head, and no key: the line says so where it is read.
fn text_of(path: &Path) -> Result<String, LogError> {
    let bytes = fs::read(path).map_err(|error| failed(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Names in a folder are durable.
pub(crate) fn synced(dir: &Path) -> std::io::Result<()> {
    File::open(dir)?.sync_all()
}

fn failed(path: &Path, error: &std::io::Error) -> LogError {
    LogError::Storage(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signed_head::Signer;
    use crate::verify::Anchor;

    fn head(signer: &Signer, position: Position, at_s: i64) -> SignedHead {
        let at = Moment::from_timestamp(at_s, 0).expect("a time");
        let end = Anchor {
            position,
            chain: [3; 32],
        };
        signer.sign(end, position - 1, [4; 32], at)
    }

    /// Heads come back in order and what a crash left of a line is gone with the next.
    #[test]
    fn head_folder_reads_in_order_and_drops_a_torn_line() {
        let dir = tempfile::tempdir().expect("a directory");
        let signer = Signer::open(&dir.path().join("signing.key")).expect("a key");
        let folder = HeadFolder::open(&dir.path().join("heads")).expect("a folder");
        let (first, second, third) = (
            head(&signer, 1, 100),
            head(&signer, 2, 86_500),
            head(&signer, 3, 86_600),
        );
        folder.add(&[first.clone(), second.clone()]).expect("written");
        folder.add(std::slice::from_ref(&second)).expect("known already");
        let newest = dir.path().join("heads/1970-01-02.heads");
        let mut file = OpenOptions::new().append(true).open(&newest).expect("there");
        file.write_all(b"{\"position\":").expect("torn");
        assert_eq!(
            folder.read(None).expect("readable").heads,
            [first, second.clone()]
        );
        folder.add(std::slice::from_ref(&third)).expect("written");
        let day = folder
            .read(Some(second.signed_at()))
            .expect("the second day alone");
        assert_eq!(
            (day.heads, day.unreadable.len()),
            (vec![second.clone(), third.clone()], 0)
        );
        assert_eq!(folder.last().expect("readable"), Some(third));
        folder.cut(2).expect("cut");
        assert_eq!(folder.last().expect("readable"), Some(second));
        fs::write(&newest, b"no \xff head\n").expect("damaged");
        assert_eq!(folder.read(None).expect("readable").unreadable.len(), 1);
    }

    #[test]
    fn a_key_that_was_put_away_counts_for_what_it_had_signed() {
        let dir = tempfile::tempdir().expect("a directory");
        let signer = Signer::open(&dir.path().join("signing.key")).expect("a key");
        let folder = HeadFolder::open(&dir.path().join("heads")).expect("a folder");
        folder.trust(&signer.public()).expect("written");
        let counts = |head: &SignedHead| folder.keys().expect("keys")[0].has_signed(head);
        let (before, after) = (head(&signer, 1, 100), head(&signer, 2, 200));
        assert!(counts(&before) && counts(&after));
        let file = folder.key_file(signer.public().id());
        let mut whole = File::open(&file).expect("there");
        folder
            .put_away(&signer.public(), before.signed_at())
            .expect("written");
        let mut read = String::new();
        whole.read_to_string(&mut read).expect("readable");
        assert_eq!(read, format!("{}\n", signer.public()), "it was not written over");
        folder.trust(&signer.public()).expect("stays as it is");
        assert!(counts(&before) && !counts(&after));
    }
}
