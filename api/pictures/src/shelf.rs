//! Painted pictures kept on the disk, the least used thrown away first, so that the folder never grows beyond its bound.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::SystemTime;

use bytes::Bytes;
use parking_lot::Mutex;

/// A folder of files, and which of them were wanted last.
pub(super) struct Shelf {
    folder: PathBuf,
    bytes_max: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    bytes: u64,
    /// Counts up with every use.
    turn: u64,
    by_name: HashMap<String, Entry>,
    by_turn: BTreeMap<u64, String>,
}

struct Entry {
    bytes: u64,
    turn: u64,
}

impl Kept {
    fn put(&mut self, name: &str, bytes: u64) {
        self.remove(name);
        self.turn += 1;
        self.bytes += bytes;
        self.by_turn.insert(self.turn, name.to_owned());
        let turn = self.turn;
        self.by_name.insert(name.to_owned(), Entry { bytes, turn });
    }

    fn remove(&mut self, name: &str) -> Option<u64> {
        let entry = self.by_name.remove(name)?;
        self.by_turn.remove(&entry.turn);
        self.bytes -= entry.bytes;
        Some(entry.bytes)
    }

    fn used(&mut self, name: &str) -> bool {
        let Some(bytes) = self.remove(name) else {
            return false;
        };
        self.put(name, bytes);
        true
    }

    /// What has to go until the rest fits.
    fn surplus(&mut self, bytes_max: u64) -> Vec<String> {
        let mut gone = Vec::new();
        while self.bytes > bytes_max {
            let Some((_, oldest)) = self.by_turn.pop_first() else {
                break;
            };
            self.remove(&oldest);
            gone.push(oldest);
        }
        gone
    }
}

/// Bytes that pictures leave free: they can be painted again, what the log has to write cannot wait.
const LEFT_FREE: u64 = 64 * 1024 * 1024;

fn has_room(folder: &std::path::Path) -> bool {
    // Where nobody tells, writing will.
    platform::disk::free_bytes(folder).map_or(true, |free| free >= LEFT_FREE)
}

impl Shelf {
    /// The shelf `folder/edition`; those of other editions beside it are thrown away.
    ///
    /// # Errors
    /// One sentence when the folder cannot be used.
    pub(super) fn open(folder: &std::path::Path, edition: &str, bytes_max: u64) -> Result<Self, String> {
        let own = folder.join(edition);
        let failed =
            |error: std::io::Error| format!("the folder `{}` cannot be used: {error}", own.display());
        std::fs::create_dir_all(&own).map_err(failed)?;
        for beside in std::fs::read_dir(folder).map_err(failed)? {
            let beside = beside.map_err(failed)?.path();
            if beside != own {
                std::fs::remove_dir_all(&beside).map_err(failed)?;
            }
        }
        let mut found: Vec<(SystemTime, String, u64)> = Vec::new();
        for file in std::fs::read_dir(&own).map_err(failed)? {
            let file = file.map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            let name = file.file_name().to_string_lossy().into_owned();
            if is_unfinished(&name) {
                std::fs::remove_file(file.path()).map_err(failed)?;
            } else {
                found.push((
                    about.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                    name,
                    about.len(),
                ));
            }
        }
        found.sort();
        let mut kept = Kept::default();
        for (_, name, bytes) in found {
            kept.put(&name, bytes);
        }
        Ok(Self {
            folder: own,
            bytes_max,
            kept: Mutex::new(kept),
        })
    }

    /// The picture of that name, if it is there.
    pub(super) async fn get(&self, name: &str) -> Option<Bytes> {
        if !self.kept.lock().used(name) {
            return None;
        }
        match tokio::fs::read(self.folder.join(name)).await {
            Ok(bytes) => Some(Bytes::from(bytes)),
            Err(error) => {
                tracing::warn!(%error, name, "a kept picture cannot be read and is painted again");
                self.kept.lock().remove(name);
                None
            }
        }
    }

    /// Keeps a picture, unless the log may need the room. A disk that refuses costs only the time to paint it again.
    pub(super) async fn put(&self, name: &str, picture: &Bytes) {
        let unfinished = self.folder.join(format!("{name}{UNFINISHED}"));
        let written = async {
            tokio::fs::write(&unfinished, picture).await?;
            tokio::fs::rename(&unfinished, self.folder.join(name)).await
        };
        if !has_room(&self.folder) {
            return;
        }
        if let Err(error) = written.await {
            tracing::warn!(%error, name, "a picture could not be kept");
            // What there is of it would only take room; it may also not have been made.
            drop(tokio::fs::remove_file(&unfinished).await);
            return;
        }
        let gone = {
            let mut kept = self.kept.lock();
            kept.put(name, picture.len() as u64);
            kept.surplus(self.bytes_max)
        };
        for name in gone {
            if let Err(error) = tokio::fs::remove_file(self.folder.join(&name)).await {
                tracing::warn!(%error, name, "a picture could not be thrown away");
            }
        }
    }
}

const UNFINISHED: &str = ".unfinished";

fn is_unfinished(name: &str) -> bool {
    name.ends_with(UNFINISHED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ten_bytes() -> Bytes {
        Bytes::from_static(b"0123456789")
    }

    #[tokio::test]
    async fn the_least_used_picture_goes_when_the_shelf_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path(), "one", 30).unwrap();
        for name in ["a", "b", "c"] {
            shelf.put(name, &ten_bytes()).await;
        }
        assert!(shelf.get("a").await.is_some());
        shelf.put("d", &ten_bytes()).await;
        assert!(shelf.get("b").await.is_none(), "b was wanted least");
        for name in ["a", "c", "d"] {
            assert_eq!(shelf.get(name).await, Some(ten_bytes()), "{name}");
        }
        assert_eq!(std::fs::read_dir(folder.path().join("one")).unwrap().count(), 3);
    }

    #[tokio::test]
    async fn pictures_outlive_a_restart_but_not_a_new_edition() {
        let folder = tempfile::tempdir().unwrap();
        Shelf::open(folder.path(), "one", 100)
            .unwrap()
            .put("a", &ten_bytes())
            .await;
        let again = Shelf::open(folder.path(), "one", 100).unwrap();
        assert_eq!(again.get("a").await, Some(ten_bytes()));
        let next = Shelf::open(folder.path(), "two", 100).unwrap();
        assert!(next.get("a").await.is_none());
        assert!(!folder.path().join("one").exists());
    }

    #[tokio::test]
    async fn a_picture_deleted_by_hand_is_simply_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path(), "one", 100).unwrap();
        shelf.put("a", &ten_bytes()).await;
        std::fs::remove_file(folder.path().join("one/a")).unwrap();
        assert!(shelf.get("a").await.is_none());
    }
}
