//! Takes in a file that a person sends as a photo: looked at before it is kept, and made in the background like one that is fetched.

use bytes::Bytes;
use domain::id::PhotoId;
use domain::photo::{ContentHash, Photo, PhotoRefusal, kept_place, read_kept_place};
use eventlog::LogError;
use projections::photo::is_taken_down;
use projections::photo::standing::find_standings;
use records::Records;
use thiserror::Error;

use crate::BYTES_MAX;
use crate::picture::inspect;
use crate::store::{PhotoStore, StoreError};

/// Why a file is not taken.
#[derive(Debug, Error)]
pub enum NotTaken {
    #[error("it cannot be shown: {}", .0.key())]
    Refused(PhotoRefusal),
    #[error("its picture was taken down")]
    TakenDown,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// A file in the picture store.
#[derive(Debug, Clone)]
pub struct KeptUpload {
    /// By which a home names it.
    pub place: String,
    pub photo_id: PhotoId,
    /// The same bytes could not be had before, and may be now.
    pub is_to_be_asked_again: bool,
}

/// Keeps a file until it is made into a photo. The same picture is kept once, from whomever it comes.
///
/// # Errors
/// Why it is not taken, or a store that fails.
pub async fn keep_upload(
    records: &Records,
    store: &PhotoStore,
    bytes: Bytes,
) -> Result<KeptUpload, NotTaken> {
    if bytes.len() as u64 > BYTES_MAX {
        return Err(NotTaken::Refused(PhotoRefusal::TooLarge));
    }
    inspect(&bytes).map_err(NotTaken::Refused)?;
    let content = ContentHash::of_bytes(&bytes);
    if is_taken_down(records.read.readers(), content).await? {
        return Err(NotTaken::TakenDown);
    }
    let place = kept_place(content);
    let photo_id = PhotoId::of_place(&place);
    let known = records.log.load::<Photo>(photo_id).await?.state;
    if known.taken.is_none() {
        store.put_incoming(content, bytes).await?;
    }
    Ok(KeptUpload {
        place,
        photo_id,
        is_to_be_asked_again: known.refusal.is_some(),
    })
}

/// Deletes a file again that no home came to name. Where that fails it stays, and is named in the log output.
pub async fn drop_upload(records: &Records, store: &PhotoStore, upload: &KeptUpload) {
    let pool = records.read.readers();
    let is_named = match find_standings(pool, &[upload.photo_id]).await {
        Ok(standings) => !standings.is_empty(),
        // Another home may name it.
        Err(_) => true,
    };
    let Some(content) = read_kept_place(&upload.place).filter(|_| !is_named) else {
        return;
    };
    if let Err(error) = store.delete_incoming(content).await {
        tracing::error!(%content, %error, "a photo that was refused is still in the store");
    }
}
