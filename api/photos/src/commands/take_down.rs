//! Takes a picture down: from this moment on no page names it and no size of it is served, and its files leave the store.

use domain::id::{PhotoId, UserId};
use domain::photo::{Photo, PhotoCommand, PhotoRejection};
use eventlog::{CommitError, Context, EventLog, Position, commit};

use crate::store::PhotoStore;

/// A photo whose picture is to be taken down, wherever else it comes from.
#[derive(Debug, Clone)]
pub struct TakeDownPhoto {
    pub photo_id: PhotoId,
    pub reason: String,
    pub by: UserId,
    /// True where it may be shown again for a while.
    pub keeps_original: bool,
}

/// Takes a picture down; answers with the position from which on nobody is shown it. Files that cannot be deleted are named in the log
/// output, and served no more.
///
/// # Errors
/// When the photo was never fetched, or the log fails.
pub async fn take_down_photo(
    log: &EventLog,
    store: &PhotoStore,
    asked: TakeDownPhoto,
    context: &Context,
) -> Result<Position, CommitError<PhotoRejection>> {
    let command = PhotoCommand::TakeDown {
        by: asked.by,
        reason: asked.reason,
        keeps_original: asked.keeps_original,
    };
    let committed = commit::<Photo>(log, asked.photo_id, command, context).await?;
    if let Some(taken) = &committed.state.taken
        && let Err(error) = store.delete_picture(taken.content, asked.keeps_original).await
    {
        let hash = taken.content;
        tracing::error!(%hash, %error, "files of a photo that was taken down are still in the store, and are not served");
    }
    Ok(committed.position)
}
