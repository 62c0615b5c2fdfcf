//! Shows a picture again that was taken down, while its original is kept: its sizes are made anew before anybody is shown one.

use domain::id::{PhotoId, UserId};
use domain::photo::{ContentHash, Photo, PhotoCommand, PhotoRejection};
use eventlog::{CommitError, Context, LogError, Position, commit};
use platform::config::Settings;
use projections::photo::standing::find_taken_down;
use records::Records;
use thiserror::Error;

use crate::making::{Qualities, keep_sizes, prepare_in_turn};
use crate::store::{PhotoStore, StoreError};

/// A picture to be shown again.
#[derive(Debug, Clone)]
pub struct RestorePhoto {
    pub content: ContentHash,
    pub reason: String,
    pub by: UserId,
}

/// Why a picture is not shown again.
#[derive(Debug, Error)]
pub enum NotRestored {
    #[error("its original is not kept")]
    OriginalGone,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{0}")]
    Commit(CommitError<PhotoRejection>),
}

/// Shows it again from every place that it comes from; answers with the position from which on it is, 0 where it was shown
/// before.
///
/// # Errors
/// When its original is not kept, or a store fails.
pub async fn restore_photo(
    records: &Records,
    (store, settings): (&PhotoStore, &Settings),
    asked: RestorePhoto,
    context: &Context,
) -> Result<Position, NotRestored> {
    let picture = asked.content;
    let mut taken_down: Vec<PhotoId> = Vec::new();
    for photo_id in find_taken_down(records.read.readers(), picture).await? {
        // A picture that came later from another place was never taken down there.
        if records.log.load::<Photo>(photo_id).await?.state.is_taken_down {
            taken_down.push(photo_id);
        }
    }
    if taken_down.is_empty() {
        return Ok(0);
    }
    let original = store
        .get_original(picture)
        .await?
        .ok_or(NotRestored::OriginalGone)?;
    // It was a picture before: one that is none now was damaged in the store.
    let prepared = prepare_in_turn(original, Qualities::of(settings)).await;
    let prepared = prepared.map_err(|_| NotRestored::OriginalGone)?;
    keep_sizes(store, picture, prepared.files).await?;
    let mut last = 0;
    for photo_id in taken_down {
        let command = PhotoCommand::Restore {
            by: asked.by,
            reason: asked.reason.clone(),
        };
        let step = context.step(&photo_id.to_string());
        let committed = commit::<Photo>(&records.log, photo_id, command, &step).await;
        last = committed.map_err(NotRestored::Commit)?.position;
    }
    Ok(last)
}
