//! Takes a picture down: from this moment on no page names it and no size of it is served, and its files leave the store.

use domain::id::{PhotoId, UserId};
use domain::photo::{ContentHash, Photo, PhotoCommand};
use eventlog::{Context, Position, commit};
use projections::photo::find_by_content;
use records::Records;

use crate::error::PhotosError;
use crate::store::PhotoStore;

/// A picture to be taken down, wherever it comes from.
#[derive(Debug, Clone)]
pub struct TakeDownPhoto {
    pub content: ContentHash,
    pub reason: String,
    pub by: UserId,
}

/// Takes a picture down; answers with the position from which on nobody is shown it.
///
/// # Errors
/// When no photo has this content, or the log, the read models or the store fail. An event that was written stands, though its files
/// could not be deleted: they are served no more.
pub async fn take_down_photo(
    records: &Records,
    store: &PhotoStore,
    asked: TakeDownPhoto,
    context: &Context,
) -> Result<Position, PhotosError> {
    let content = asked.content;
    let found = find_by_content(records.heard().await?, content).await?;
    let photo_id: PhotoId = found.first().copied().ok_or(PhotosError::Unknown)?;
    let command = PhotoCommand::TakeDown {
        by: asked.by,
        reason: asked.reason,
    };
    let committed = commit::<Photo>(&records.log, photo_id, command, context).await?;
    if let Err(error) = store.delete_picture(content).await {
        tracing::error!(%content, %error, "files of a photo that was taken down could not be deleted; they are not served");
    }
    Ok(committed.position)
}
