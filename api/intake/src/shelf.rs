//! Uploaded files on the disk of this node, one for each upload. A file has another name until it is whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fetching::fetch::UNPACKED_MAX;
use platform::disk::make_private;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::error::IntakeError;
use crate::sniff::{BEGINNING, check_beginning};

/// Bytes of a file, as of one that is fetched.
pub const BYTES_MAX: u64 = UNPACKED_MAX;
/// The folder of the data folder.
const FOLDER: &str = "feed_uploads";
/// Ending of a file that is not whole.
const PART: &str = "part";
/// Bytes written at a time.
const WRITTEN_AT_ONCE: usize = 1024 * 1024;

/// The uploaded files of this node; cheap to clone.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: Arc<Path>,
}

impl Shelf {
    pub fn new(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join(FOLDER).into(),
        }
    }

    pub(crate) fn path_of(&self, id: Uuid) -> PathBuf {
        self.folder.join(id.to_string())
    }

    /// Whether the file of an upload lies here.
    pub fn holds(&self, id: Uuid) -> bool {
        self.path_of(id).is_file()
    }

    /// Begins to take a file in.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn begin(&self, id: Uuid) -> io::Result<Incoming> {
        if !self.folder.is_dir() {
            if let Some(parent) = self.folder.parent() {
                fs::create_dir_all(parent)?;
            }
            make_private(&self.folder)?;
        }
        // Two requests of one upload each write a file of their own.
        let part = self.folder.join(format!("{}.{PART}", Uuid::new_v4()));
        Ok(Incoming {
            file: Some(File::create_new(&part)?),
            part,
            whole: self.path_of(id),
            waiting: Vec::new(),
            digest: Sha256::new(),
            beginning: Vec::new(),
            bytes: 0,
        })
    }

    /// Deletes the file of an upload, where it lies here.
    pub(crate) fn remove(&self, id: Uuid) {
        remove_file(&self.path_of(id));
    }

    /// The uploads whose files lie here.
    pub(crate) fn list(&self) -> Vec<Uuid> {
        let names = self.list_names().into_iter();
        names
            .filter_map(|path| path.file_name()?.to_str()?.parse().ok())
            .collect()
    }

    /// Deletes files that a process before this one did not take in whole.
    pub(crate) fn remove_parts(&self) {
        for path in self.list_names() {
            if path.extension().is_some_and(|ending| ending == PART) {
                remove_file(&path);
            }
        }
    }

    fn list_names(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    }
}

fn remove_file(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "an uploaded feed could not be deleted");
        }
        Err(_) | Ok(()) => {}
    }
}

/// A file on its way. It is gone with this unless it was settled.
#[derive(Debug)]
pub struct Incoming {
    file: Option<File>,
    part: PathBuf,
    whole: PathBuf,
    waiting: Vec<u8>,
    digest: Sha256,
    beginning: Vec<u8>,
    bytes: u64,
}

/// A whole file that has not its name yet.
#[derive(Debug)]
pub struct Arrived {
    incoming: Incoming,
    pub bytes: u64,
    /// SHA-256 in hex.
    pub digest: String,
}

impl Incoming {
    /// Takes some bytes.
    ///
    /// # Errors
    /// When there are too many, the beginning is that of no feed, or the disk fails.
    pub async fn take(&mut self, bytes: &[u8]) -> Result<(), IntakeError> {
        self.bytes += bytes.len() as u64;
        if self.bytes > BYTES_MAX {
            return Err(IntakeError::TooLarge(BYTES_MAX));
        }
        let lacking = BEGINNING.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(lacking));
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= WRITTEN_AT_ONCE {
            check_beginning(&self.beginning)?;
            self.write_waiting().await?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it is no feed, or the disk fails.
    pub async fn finish(mut self) -> Result<Arrived, IntakeError> {
        check_beginning(&self.beginning)?;
        self.write_waiting().await?;
        if let Some(file) = self.file.take() {
            let synced = tokio::task::spawn_blocking(move || file.sync_all()).await;
            synced.map_err(io::Error::other)??;
        }
        Ok(Arrived {
            bytes: self.bytes,
            digest: hex::encode(std::mem::take(&mut self.digest).finalize()),
            incoming: self,
        })
    }

    async fn write_waiting(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Err(io::Error::other("the file was closed"));
        };
        let waiting = std::mem::take(&mut self.waiting);
        let mut digest = std::mem::take(&mut self.digest);
        // Hashing and writing a mebibyte holds up whatever else the thread answers.
        let work = move || {
            digest.update(&waiting);
            let written = file.write_all(&waiting);
            (file, digest, written)
        };
        let (file, digest, written) = tokio::task::spawn_blocking(work)
            .await
            .map_err(io::Error::other)?;
        (self.file, self.digest) = (Some(file), digest);
        written
    }
}

impl Arrived {
    /// Gives the file its name: from here on it lies on the shelf.
    ///
    /// # Errors
    /// When the disk fails.
    pub(crate) fn settle(self) -> io::Result<()> {
        fs::rename(&self.incoming.part, &self.incoming.whole)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // It has another name once it was settled.
        remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn file_lies_on_the_shelf_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path());
        let id = Uuid::from_u128(7);
        let mut incoming = shelf.begin(id).unwrap();
        incoming.take(b"id,na").await.unwrap();
        incoming.take(b"me\n1,Loft\n").await.unwrap();
        assert!(shelf.list().is_empty());
        let arrived = incoming.finish().await.unwrap();
        assert_eq!(arrived.bytes, 15);
        assert_eq!(arrived.digest, hex::encode(Sha256::digest(b"id,name\n1,Loft\n")));
        assert!(!shelf.holds(id));
        arrived.settle().unwrap();
        assert_eq!((shelf.holds(id), shelf.list()), (true, vec![id]));
        shelf.remove_parts();
        shelf.remove(id);
        assert!(!shelf.holds(id));
    }

    #[tokio::test]
    async fn file_that_is_no_feed_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path());
        let mut incoming = shelf.begin(Uuid::from_u128(7)).unwrap();
        incoming.take(b"<!doctype html><p>Log in").await.unwrap();
        assert!(matches!(incoming.finish().await, Err(IntakeError::NoFeed(_))));
        let broken_off = shelf.begin(Uuid::from_u128(8)).unwrap();
        drop(broken_off);
        assert!(shelf.list_names().is_empty());
    }
}
