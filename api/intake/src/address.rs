//! Takes the feed at an address in as an upload: fetched whole, under the bounds and guards of every feed by address.

use std::fs::File;
use std::io::{self, Read as _};

use fetching::feeds_file::is_feed_address;
use fetching::fetch::Fetcher;
use platform::config::Settings;

use crate::commands::{IntakeDesk, NewUpload};
use crate::error::IntakeError;
use crate::shelf::Arrived;

/// Bytes read at a time.
const READ_AT_ONCE: u64 = 1024 * 1024;

impl IntakeDesk {
    /// Fetches the file of an upload.
    ///
    /// # Errors
    /// When the address is none of a feed, does not answer with one, or the disk fails. The sentence names the host alone.
    pub async fn fetch(
        &self,
        settings: &Settings,
        upload: &NewUpload,
        url: &str,
    ) -> Result<Arrived, IntakeError> {
        let url = url.trim();
        if !is_feed_address(url, !settings.permitted_sockets().is_empty()) {
            return Err(IntakeError::Address);
        }
        if settings.rehearsal {
            return Err(IntakeError::Fetch("a rehearsal fetches nothing".to_owned()));
        }
        let mut incoming = self.begin(upload)?;
        let refused = |error: fetching::fetch::FetchError| IntakeError::Fetch(error.to_string());
        let fetcher = Fetcher::open(settings).map_err(refused)?;
        let mut file = fetcher.fetch(url).await.map_err(refused)?.file;
        loop {
            let (rest, part) = read_part(file).await?;
            if part.is_empty() {
                return incoming.finish().await;
            }
            incoming.take(&part).await?;
            file = rest;
        }
    }
}

/// Reads on in a file; nothing at its end.
async fn read_part(mut file: File) -> io::Result<(File, Vec<u8>)> {
    let work = move || {
        let mut part = Vec::new();
        file.by_ref().take(READ_AT_ONCE).read_to_end(&mut part)?;
        Ok((file, part))
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}
