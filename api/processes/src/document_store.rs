//! Where sealed documents lie, and how they go.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path as FolderPath, PathBuf};
use std::sync::Arc;

use platform::desk::Desk;
use uuid::Uuid;

/// Why a document could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Where sealed documents lie: in files of the data folder, or in the database that several nodes share.
#[derive(Clone)]
pub struct DocumentStore {
    desk: Desk,
    folder: Arc<FolderPath>,
}

impl DocumentStore {
    /// Of this desk, with its files beside the log.
    pub fn new(desk: Desk, data_dir: &FolderPath) -> Self {
        Self {
            desk,
            folder: data_dir.join("documents").into(),
        }
    }

    fn path_of(&self, document_id: Uuid) -> PathBuf {
        self.folder.join(document_id.to_string())
    }

    /// Durable before the log speaks of it: a kill in between leaves noise, never a document that is not there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn keep(&self, document_id: Uuid, sealed: Vec<u8>) -> Result<(), DocumentError> {
        if self.desk.is_shared() {
            return Ok(self.desk.keep_document(document_id, &sealed).await?);
        }
        let (folder, path) = (self.folder.clone(), self.path_of(document_id));
        let written = tokio::task::spawn_blocking(move || write(&folder, &path, &sealed)).await;
        Ok(written.map_err(io::Error::other)??)
    }

    /// Takes away what was kept for a document that the log did not take in. What cannot be taken away is noise that nobody finds.
    pub async fn dropped(&self, document_id: Uuid) {
        let gone = if self.desk.is_shared() {
            let erased = self.desk.erase_document(document_id).await;
            erased.map(drop).map_err(|error| error.to_string())
        } else {
            let gone = tokio::fs::remove_file(self.path_of(document_id)).await;
            gone.map_err(|error| error.to_string())
        };
        if let Err(error) = gone {
            tracing::warn!(%error, "a document that no form has could not be deleted");
        }
    }

    /// The sealed document.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn kept(&self, document_id: Uuid) -> Result<Vec<u8>, DocumentError> {
        if self.desk.is_shared() {
            return Ok(self.desk.document(document_id).await?);
        }
        let read = tokio::fs::read(self.path_of(document_id)).await;
        Ok(read?)
    }
}

/// All of it or nothing. Written here and not by a runtime's file, which says that it took what it has still to write, and
/// of a disk that then had no room says nothing when it is synced.
fn write(folder: &FolderPath, path: &FolderPath, sealed: &[u8]) -> io::Result<()> {
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), synced)?;
    }
    let mut file = File::create_new(path)?;
    let written = file.write_all(sealed).and_then(|()| file.sync_all());
    let written = written.and_then(|()| synced(folder));
    if written.is_err() {
        drop(fs::remove_file(path));
    }
    written
}

/// A name in a folder is there after a power cut once the folder is synced.
fn synced(folder: &FolderPath) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Deletes uploads of somebody who was forgotten; says how many there were.
///
/// # Errors
/// When one cannot be deleted.
pub async fn erase(data_dir: &FolderPath, desk: &Desk, documents: &BTreeSet<Uuid>) -> Result<u64, String> {
    let mut erased = 0;
    for document in documents {
        if desk.is_shared() {
            let gone = desk.erase_document(*document).await;
            erased += gone.map_err(|error| error.to_string())?;
            continue;
        }
        match std::fs::remove_file(data_dir.join("documents").join(document.to_string())) {
            Ok(()) => erased += 1,
            // An earlier run was here.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(erased)
}
