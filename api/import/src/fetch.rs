//! Opens a feed: a file, or an address whose answer is fetched whole before its first row is read. A feed that breaks off on its way
//! takes no row in.

use std::fs::File;
use std::io::{self, Read, Seek as _};

use feeds::Source;
use fetching::fetch::{FetchError, Fetcher};
use platform::config::Settings;
use tokio::sync::watch;

/// A feed's file, which can be read from its beginning as often as wanted.
#[derive(Debug)]
pub(crate) struct FeedFile {
    file: File,
    /// Ends every reading, which blocks its thread and would hold up the stop of a server.
    stop: Option<watch::Receiver<bool>>,
}

impl FeedFile {
    /// A file that is read until `stop` is set.
    pub(crate) const fn until(file: File, stop: watch::Receiver<bool>) -> Self {
        Self {
            file,
            stop: Some(stop),
        }
    }

    const fn whole(file: File) -> Self {
        Self { file, stop: None }
    }
}

/// One reading of a feed's file.
struct Reading<'f> {
    file: File,
    stop: Option<&'f watch::Receiver<bool>>,
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_some_and(|stop| *stop.borrow()) {
            return Err(io::Error::other("the server stops"));
        }
        self.file.read(buffer)
    }
}

impl Source for FeedFile {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        // Handles of one file share their place in it; no two of them are read by turns.
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(Box::new(Reading {
            file,
            stop: self.stop.as_ref(),
        }))
    }
}

/// Opens the feed at a path or an address.
///
/// # Errors
/// One sentence; of an address it names the host alone, since the rest may hold a key.
pub(crate) async fn open_feed(settings: &Settings, place: &str) -> Result<FeedFile, String> {
    if !place.contains("://") {
        let file = File::open(place).map_err(|error| format!("`{place}`: {error}"))?;
        return Ok(FeedFile::whole(file));
    }
    let refused = |error: FetchError| format!("the feed cannot be fetched: {error}");
    let fetcher = Fetcher::open(settings).map_err(refused)?;
    let found = fetcher.fetch(place).await.map_err(refused)?;
    Ok(FeedFile::whole(found.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_with_the_stop_of_the_server() {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sample.csv");
        let (stop, stopped) = watch::channel(false);
        let feed = FeedFile::until(File::open(sample).unwrap(), stopped);
        let mut reading = feed.open().unwrap();
        let mut some = [0; 8];
        assert_eq!(reading.read(&mut some).unwrap(), some.len());
        stop.send(true).unwrap();
        let error = reading.read(&mut some).unwrap_err();
        assert_eq!(error.to_string(), "the server stops");
        assert!(feed.open().unwrap().read(&mut some).is_err());
    }
}
