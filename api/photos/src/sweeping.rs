//! Sees to the picture store once a day: originals that have been kept long enough are deleted, and sizes that a power cut took are made anew.

use domain::photo::ContentHash;
use platform::clock;
use platform::config::Settings;
use projections::photo::list_pictures;
use projections::photo::standing::list_kept_out;
use records::Records;

use crate::making::{Qualities, keep_sizes, prepare_in_turn};
use crate::store::PhotoStore;

/// The store that is seen to, and what says what belongs there.
pub(crate) struct Sweeping<'s> {
    pub(crate) records: &'s Records,
    pub(crate) settings: &'s Settings,
    pub(crate) store: &'s PhotoStore,
}

impl Sweeping<'_> {
    pub(crate) async fn sweep(&self) {
        self.delete_kept_out().await;
        self.mend_sizes().await;
    }

    /// Deletes the originals of pictures that were taken down so long ago that nobody shows them again.
    async fn delete_kept_out(&self) {
        let pool = self.records.read.readers();
        let contents = match list_kept_out(pool, clock::now().timestamp_micros()).await {
            Ok(contents) => contents,
            Err(error) => {
                tracing::warn!(%error, "originals of photos that were taken down cannot be listed; trying again tomorrow");
                return;
            }
        };
        for content in contents {
            if let Err(error) = self.store.delete_original(content).await {
                tracing::error!(%content, %error, "the original of a photo that was taken down is still in the store");
            }
        }
    }

    /// Makes sizes anew that a folder lost in a power cut; a bucket loses none.
    async fn mend_sizes(&self) {
        let store = self.store;
        if !store.is_folder() {
            return;
        }
        let broken = match list_pictures(self.records.read.readers()).await {
            Ok(pictures) => store
                .list_broken(pictures)
                .await
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let broken = match broken {
            Ok(broken) => broken,
            Err(error) => {
                tracing::warn!(
                    error,
                    "nobody knows whether all sizes of photos are there; trying again tomorrow"
                );
                return;
            }
        };
        for picture in broken {
            let content = picture.content;
            match self.make_again(content).await {
                Ok(true) => tracing::info!(%content, "sizes of a photo that were missing are made anew"),
                Ok(false) => tracing::error!(%content, "the original of a photo is not in the store"),
                Err(error) => tracing::error!(%content, error, "sizes of a photo cannot be made anew"),
            }
        }
    }

    /// Makes the sizes of a picture from its original; false where that is not there, or is no picture any more.
    async fn make_again(&self, content: ContentHash) -> Result<bool, String> {
        let store = self.store;
        let original = store
            .get_original(content)
            .await
            .map_err(|error| error.to_string())?;
        let Some(original) = original.filter(|bytes| ContentHash::of_bytes(bytes) == content) else {
            return Ok(false);
        };
        let Ok(prepared) = prepare_in_turn(original, Qualities::of(self.settings)).await else {
            return Ok(false);
        };
        let kept = keep_sizes(store, content, prepared.files).await;
        kept.map(|()| true).map_err(|error| error.to_string())
    }
}
