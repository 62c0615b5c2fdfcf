//! The first start of an empty log: makes the demo catalogue, so that there is something to search.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use catalogue::facts::Facts;
use catalogue::{Catalogue, CatalogueError, NewStream, SEED};
use chrono::{DateTime, TimeDelta, Utc};
use domain::id::StreamKey;
use domain::inventory::Inventory;
use domain::region::Region;
use eventlog::{Actor, Append, CodecError, Context, EventLog, Expected, StreamId};
use platform::config::Settings;
use platform::desk::Desk;
use storage::alone_at_first_start;

/// Stands in the data folder, or is noted at the desk that nodes share, while the catalogue is being loaded: a start that
/// finds it goes on where the last one ended.
const UNFINISHED: &str = "catalogue.unfinished";
const UNDER_WAY: &str = "under way";
/// Listings are spread over this many days before the first start, so that 'newly added' means something.
const LISTED_OVER_DAYS: u128 = 360;

/// What the first start did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    /// The log had its catalogue, or other things, already.
    Nothing,
    Streams(usize),
}

/// Loads the demo catalogue when the log is empty, or when an earlier load was cut off. Of nodes that start together, one
/// does it and the others wait for it.
///
/// # Errors
/// One sentence: the facts are broken, or something cannot be written.
pub async fn load_demo_catalogue(
    log: &EventLog,
    desk: &Desk,
    settings: &Settings,
    now: DateTime<Utc>,
) -> Result<Loaded, String> {
    let marker = if desk.is_shared() {
        Marker::Note(desk.clone())
    } else {
        Marker::File(settings.data_dir.join(UNFINISHED))
    };
    if is_there(log, &marker).await? {
        return Ok(Loaded::Nothing);
    }
    let _alone = alone_at_first_start(&settings.place()).await?;
    load(log, &marker, now).await
}

/// The countries of the demo catalogue's cities, by which their pictures are drawn.
///
/// # Errors
/// One sentence: the facts are broken.
pub fn countries() -> Result<HashMap<String, &'static str>, String> {
    let facts = Facts::load().map_err(|error| error.to_string())?;
    let cities = facts.cities.iter();
    Ok(cities
        .map(|city| (city.canonical_name.clone(), city.country.key()))
        .collect())
}

/// Where a load that is under way is noted.
enum Marker {
    File(PathBuf),
    Note(Desk),
}

impl Marker {
    async fn is_set(&self) -> Result<bool, String> {
        match self {
            Self::File(path) => Ok(path.exists()),
            Self::Note(desk) => {
                let noted = desk.note(UNFINISHED).await;
                let noted = noted.map_err(|error| format!("the desk cannot be read: {error}"))?;
                Ok(noted.is_some_and(|state| state == UNDER_WAY))
            }
        }
    }

    async fn set(&self) -> Result<(), String> {
        match self {
            Self::File(path) => std::fs::write(path, b"")
                .map_err(|error| format!("`{}` cannot be written: {error}", path.display())),
            Self::Note(desk) => noted(desk.set_note(UNFINISHED, UNDER_WAY).await),
        }
    }

    async fn remove(&self) -> Result<(), String> {
        match self {
            Self::File(path) => std::fs::remove_file(path)
                .map_err(|error| format!("`{}` cannot be removed: {error}", path.display())),
            Self::Note(desk) => noted(desk.set_note(UNFINISHED, "over").await),
        }
    }
}

fn noted(written: Result<(), sqlx::Error>) -> Result<(), String> {
    written.map_err(|error| format!("the desk cannot be written: {error}"))
}

/// Whether the log holds a whole catalogue, or other things.
async fn is_there(log: &EventLog, marker: &Marker) -> Result<bool, String> {
    let head = log.head().await.map_err(|error| error.to_string())?;
    Ok(head > 0 && !marker.is_set().await?)
}

async fn load(log: &EventLog, marker: &Marker, now: DateTime<Utc>) -> Result<Loaded, String> {
    // Asked again: another node may have done it while this one waited.
    if is_there(log, marker).await? {
        return Ok(Loaded::Nothing);
    }
    let cut_off = marker.is_set().await?;
    marker.set().await?;
    let began = Instant::now();
    tracing::info!("first start: loading the demo catalogue, which takes some ten seconds");
    let mut streams = tokio::task::spawn_blocking(move || Catalogue::new(SEED, now.date_naive())?.streams())
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error: CatalogueError| format!("the demo catalogue cannot be made: {error}"))?;
    if cut_off {
        streams = missing(log, streams).await?;
    }
    let count = streams.len();
    let appends: Result<Vec<Append>, CodecError> =
        streams.into_iter().map(|stream| append(stream, now)).collect();
    let appends = appends.map_err(|error| format!("the demo catalogue cannot be written down: {error}"))?;
    log.append_many(appends)
        .await
        .map_err(|error| format!("the demo catalogue cannot be stored: {error}"))?;
    marker.remove().await?;
    let seconds = began.elapsed().as_secs();
    tracing::info!(
        "the demo catalogue is in the log: {count} places and listings, {seconds} s; making the read models"
    );
    Ok(Loaded::Streams(count))
}

async fn missing(log: &EventLog, streams: Vec<NewStream>) -> Result<Vec<NewStream>, String> {
    let mut left = Vec::new();
    for stream in streams {
        let id = match &stream {
            NewStream::Region { id, .. } => StreamId::of::<Region>(*id),
            NewStream::Inventory { id, .. } => StreamId::of::<Inventory>(*id),
        };
        let known = log
            .read_stream(&id, 0, 1)
            .await
            .map_err(|error| error.to_string())?;
        if known.is_empty() {
            left.push(stream);
        }
    }
    Ok(left)
}

/// The append that opens a stream of the catalogue.
///
/// # Errors
/// When its events cannot be written down.
pub fn append(stream: NewStream, now: DateTime<Utc>) -> Result<Append, CodecError> {
    match stream {
        NewStream::Region { id, events } => {
            let context = Context::new(now, Actor::SYSTEM);
            Append::new(&context).events::<Region>(id, Expected::Revision(0), &events)
        }
        NewStream::Inventory { id, events } => {
            // The id's own bits say when it was listed: spread out, and the same on every machine.
            let days_ago = i64::try_from(id.uuid().as_u128() % LISTED_OVER_DAYS).unwrap_or_default();
            let listed_at = now.checked_sub_signed(TimeDelta::days(days_ago)).unwrap_or(now);
            let context = Context::new(listed_at, Actor::SYSTEM);
            Append::new(&context).events::<Inventory>(id, Expected::Revision(0), &events)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noon() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000, 0).unwrap()
    }

    #[tokio::test]
    async fn an_empty_log_gets_the_catalogue_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = EventLog::memory();
        let first = load(&log, &Marker::File(folder.path().join(UNFINISHED)), noon())
            .await
            .unwrap();
        assert!(matches!(first, Loaded::Streams(count) if count > 5_000));
        let head = log.head().await.unwrap();
        assert_eq!(
            load(&log, &Marker::File(folder.path().join(UNFINISHED)), noon())
                .await
                .unwrap(),
            Loaded::Nothing
        );
        assert_eq!(log.head().await.unwrap(), head);
    }

    #[tokio::test]
    async fn a_load_that_was_cut_off_is_finished_by_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let log = EventLog::memory();
        let streams = Catalogue::new(SEED, noon().date_naive())
            .unwrap()
            .streams()
            .unwrap();
        let all = streams.len();
        let part = streams
            .into_iter()
            .take(900)
            .map(|stream| append(stream, noon()).unwrap())
            .collect();
        log.append_many(part).await.unwrap();
        std::fs::write(folder.path().join(UNFINISHED), b"").unwrap();
        let rest = load(&log, &Marker::File(folder.path().join(UNFINISHED)), noon())
            .await
            .unwrap();
        assert_eq!(rest, Loaded::Streams(all - 900));
        assert_eq!(
            load(&log, &Marker::File(folder.path().join(UNFINISHED)), noon())
                .await
                .unwrap(),
            Loaded::Nothing
        );
    }
}
