//! Paints each picture once, away from the threads that serve, and keeps it.

use std::future::Future;
use std::path::Path;

use bytes::Bytes;
use threads::once::Once;
use tokio::sync::Semaphore;

use super::raster::{self, Format, Size};
use super::shelf::Shelf;
use crate::PictureError;

/// All painted pictures together: a few thousand of the largest.
const KEPT_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Pictures waited for at once; whoever comes then is asked to come back.
const WAITING_MAX: usize = 64;

/// The shelf of painted pictures and those being painted now.
pub(super) struct Painter {
    shelf: Shelf,
    under_way: Once<Bytes>,
    seats: Semaphore,
    /// Half the cores: painting never starves the pages.
    hands: Semaphore,
}

impl Painter {
    /// # Errors
    /// One sentence when the folder cannot be used.
    pub(super) fn open(folder: &Path, edition: &str) -> Result<Self, String> {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Ok(Self {
            shelf: Shelf::open(folder, edition, KEPT_BYTES_MAX)?,
            under_way: Once::default(),
            seats: Semaphore::new(WAITING_MAX),
            hands: Semaphore::new((cores / 2).max(1)),
        })
    }

    /// The picture of that name: kept, or painted from `drawing`, which is asked for only then and by one alone.
    ///
    /// # Errors
    /// When too many wait; what the drawing's maker says.
    pub(super) async fn painted(
        &self,
        name: &str,
        size: Size,
        format: Format,
        drawing: impl Future<Output = Result<String, PictureError>>,
    ) -> Result<Bytes, PictureError> {
        if let Some(kept) = self.shelf.get(name).await {
            return Ok(kept);
        }
        let picture = self.under_way.made(name, || async {
            // Somebody may have painted it since.
            if let Some(kept) = self.shelf.get(name).await {
                return Ok(kept);
            }
            let _seat = self.seats.try_acquire().map_err(|_| PictureError::Busy)?;
            let svg = drawing.await?;
            let _hand = self.hands.acquire().await.map_err(PictureError::broken)?;
            let painting = tokio::task::spawn_blocking(move || raster::paint(&svg, size, format));
            let painted = painting
                .await
                .map_err(PictureError::broken)?
                .map_err(PictureError::broken)?;
            let picture = Bytes::from(painted);
            self.shelf.put(name, &picture).await;
            Ok(picture)
        });
        picture.await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2" width="3" height="2"><path fill="#00ff00" d="M0 0h3v2h-3z"/></svg>"##;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn fifty_who_ask_at_once_have_it_painted_once() {
        let folder = tempfile::tempdir().unwrap();
        let painter = Arc::new(Painter::open(folder.path(), "one").unwrap());
        let drawn = Arc::new(AtomicUsize::new(0));
        let (_, size, format) = raster::asked("square.240.png", 80).unwrap();
        let askers = (0..50).map(|_| {
            let (painter, drawn) = (Arc::clone(&painter), Arc::clone(&drawn));
            tokio::spawn(async move {
                let drawing = async {
                    drawn.fetch_add(1, Ordering::Relaxed);
                    // Everybody else gets the chance to come too late.
                    tokio::task::yield_now().await;
                    Ok(SQUARE.to_owned())
                };
                painter
                    .painted("square.240.png", size, format, drawing)
                    .await
                    .unwrap()
            })
        });
        let pictures = futures::future::join_all(askers).await;
        let first = pictures.first().unwrap().as_ref().unwrap();
        assert!(pictures.iter().all(|picture| picture.as_ref().unwrap() == first));
        assert_eq!(drawn.load(Ordering::Relaxed), 1);
        assert!(painter.under_way.is_idle());
    }

    #[tokio::test]
    async fn a_picture_that_failed_is_tried_again_by_the_next_who_asks() {
        let folder = tempfile::tempdir().unwrap();
        let painter = Painter::open(folder.path(), "one").unwrap();
        let (_, size, format) = raster::asked("square.80.jpg", 80).unwrap();
        let failed = painter
            .painted("square.80.jpg", size, format, async { Err(PictureError::Busy) })
            .await;
        assert!(failed.is_err());
        let drawing = async { Ok(SQUARE.to_owned()) };
        assert!(
            painter
                .painted("square.80.jpg", size, format, drawing)
                .await
                .is_ok()
        );
    }
}
