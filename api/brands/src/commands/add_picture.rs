//! Takes a picture into a brand: looked at rather than believed, made into its sizes once, and kept by its content.

use bytes::Bytes;
use domain::brand::{Brand, BrandCommand, BrandPicture};
use domain::id::{BrandId, UserId};
use domain::photo::ContentHash;
use eventlog::{CommitError, Context, EventLog, Position, commit};
use photos::store::PhotoStore;

use crate::error::BrandError;
use crate::picture::{PictureFault, make_picture};

/// Bytes of the largest file that is taken.
pub const BYTES_MAX: usize = 5 * 1024 * 1024;

/// A file for a brand.
#[derive(Debug, Clone)]
pub struct AddPicture {
    pub brand_id: BrandId,
    pub bytes: Bytes,
    /// `None` for the command line.
    pub by: Option<UserId>,
}

/// A picture that was taken in, and the position from which on looks may name it.
#[derive(Debug, Clone)]
pub struct AddedPicture {
    pub picture: BrandPicture,
    pub position: Position,
}

/// Takes a picture in. A drawing is kept as the pixels that were drawn of it; its file is kept, and never served.
///
/// # Errors
/// The reason as a [`BrandError`], and whatever else stands against an append.
pub async fn add_picture(
    log: &EventLog,
    store: &PhotoStore,
    asked: AddPicture,
    context: &Context,
) -> Result<AddedPicture, CommitError<BrandError>> {
    let AddPicture { brand_id, bytes, by } = asked;
    if bytes.len() > BYTES_MAX {
        return Err(refuse(PictureFault::TooLarge));
    }
    let hash = ContentHash::of_bytes(&bytes);
    let size = bytes.len() as u64;
    let looked_at = bytes.clone();
    let made = tokio::task::spawn_blocking(move || make_picture(&looked_at)).await;
    let made = made.map_err(|error| CommitError::Rejected(BrandError::Store(error.to_string())))?;
    let made = made.map_err(refuse)?;
    let unkept =
        |error: photos::store::StoreError| CommitError::Rejected(BrandError::Store(error.to_string()));
    for (file, bytes) in made.files {
        store
            .put_size(hash, file, Bytes::from(bytes))
            .await
            .map_err(unkept)?;
    }
    store.put_original(hash, bytes).await.map_err(unkept)?;
    let picture = BrandPicture {
        content: hash,
        format: made.format,
        width: made.width,
        height: made.height,
        bytes: size,
    };
    let command = BrandCommand::AddPicture {
        picture: picture.clone(),
        by,
        at: context.at,
    };
    let committed = commit::<Brand>(log, brand_id, command, context).await;
    let committed = committed.map_err(|error| error.map(BrandError::from))?;
    Ok(AddedPicture {
        picture,
        position: committed.position,
    })
}

fn refuse(fault: PictureFault) -> CommitError<BrandError> {
    CommitError::Rejected(BrandError::Picture(fault))
}
