//! Makes the sizes of a picture and keeps them. One picture is decoded at a time in a process: the largest take hundreds of megabytes.

use bytes::Bytes;
use domain::photo::{ContentHash, PhotoRefusal};
use platform::config::{Settings, Variant};
use tokio::sync::Semaphore;

use crate::picture::{Prepared, prepare};
use crate::store::{PhotoStore, StoreError};

static DECODING: Semaphore = Semaphore::const_new(1);

/// Qualities of a deployment (Spec §9), of 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Qualities {
    pub(crate) jpeg: u8,
    pub(crate) webp: u8,
}

const STANDARD: Qualities = Qualities { jpeg: 80, webp: 75 };
/// Of the low image quality set (D119).
const CHINA: Qualities = Qualities { jpeg: 40, webp: 40 };

impl Qualities {
    pub(crate) const fn of(settings: &Settings) -> Self {
        match settings.variant {
            Variant::Standard => STANDARD,
            Variant::China => CHINA,
        }
    }
}

/// Reads a picture and makes its sizes, once it is its turn.
///
/// # Errors
/// Why it cannot be shown.
pub(crate) async fn prepare_in_turn(bytes: Bytes, qualities: Qualities) -> Result<Prepared, PhotoRefusal> {
    // Nobody closes it. The turn goes along: the work goes on when whoever asked for it is gone.
    let turn = DECODING.acquire().await.ok();
    let making = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        prepare(&bytes, qualities)
    });
    // A decoder that panics over a picture refuses it.
    making.await.unwrap_or(Err(PhotoRefusal::Damaged))
}

/// Keeps the sizes of a picture.
///
/// # Errors
/// When the store fails.
pub(crate) async fn keep_sizes(
    store: &PhotoStore,
    content: ContentHash,
    files: Vec<(String, Vec<u8>)>,
) -> Result<(), StoreError> {
    for (name, bytes) in files {
        store.put_size(content, &name, Bytes::from(bytes)).await?;
    }
    store.settle(content).await
}
