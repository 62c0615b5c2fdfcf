//! Opens a feed: a file, or an address whose answer is fetched whole before its first row is read.

use std::fs::File;

use fetching::fetch::{FetchError, Fetcher};
use platform::config::Settings;

/// Opens the feed at a path or an address.
///
/// # Errors
/// One sentence; of an address it names the host alone, since the rest may hold a key.
pub(crate) async fn open_feed(settings: &Settings, place: &str) -> Result<File, String> {
    if !place.contains("://") {
        return File::open(place).map_err(|error| format!("`{place}`: {error}"));
    }
    let refused = |error: FetchError| format!("the feed cannot be fetched: {error}");
    let fetcher = Fetcher::open(settings).map_err(refused)?;
    let found = fetcher.fetch(place).await.map_err(refused)?;
    Ok(found.file)
}
