//! Has a photo asked for once more that could not be had.

use domain::id::{PhotoId, UserId};
use domain::photo::{Photo, PhotoCommand, PhotoRejection};
use eventlog::{CommitError, Context, EventLog, Position, commit};

/// Makes a refused photo due at once, with all tries before it; answers with the position from which on it is.
///
/// # Errors
/// When it was not refused, or the log fails.
pub async fn ask_again(
    log: &EventLog,
    photo_id: PhotoId,
    by: UserId,
    context: &Context,
) -> Result<Position, CommitError<PhotoRejection>> {
    let committed = commit::<Photo>(log, photo_id, PhotoCommand::AskAgain { by }, context).await?;
    Ok(committed.position)
}
