//! The turn of a feed: one run of it at a time, by command or schedule, on this machine or on another node. It is held by a lock of the data
//! folder, or by one of the database session, so that a process that is killed gives it back.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use platform::desk::Desk;
use sha2::{Digest as _, Sha256};
use sqlx::Any;
use sqlx::pool::PoolConnection;
use tables::Place;

/// Letters of the line that says who holds a turn.
const HOLDER_MAX: u64 = 200;

/// Why a feed cannot be run now.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error("the feed `{feed}` is being imported already, by {holder}: run it again when that has ended")]
    Held { feed: String, holder: String },
    #[error("the turn of the feed cannot be taken: {0}")]
    File(#[from] io::Error),
    #[error("the turn of the feed cannot be taken: {0}")]
    Database(#[from] sqlx::Error),
}

/// A turn that is held until it is dropped.
#[derive(Debug)]
pub struct FeedTurn {
    _held: Held,
}

#[derive(Debug)]
enum Held {
    Folder {
        _lock: File,
    },
    Session {
        _connection: Box<PoolConnection<Any>>,
        /// Its pool lives as long as its connection.
        _desk: Box<Desk>,
    },
}

impl FeedTurn {
    /// Takes the turn of a feed for `holder`, who is named to the next that asks: `the command line since 2026-11-27 10:00`.
    ///
    /// # Errors
    /// When another run has it, or the place of its lock cannot be used.
    pub async fn take(place: &Place, feed: &str, holder: &str) -> Result<Self, TurnError> {
        let key = hex::encode(Sha256::digest(feed));
        let (held, known) = match place {
            Place::Folder(folder) => lock_file(folder, &key, holder)?,
            Place::Postgres(_) => lock_session(place, &key, holder).await?,
        };
        match held {
            Some(held) => Ok(Self { _held: held }),
            None => Err(TurnError::Held {
                feed: feed.to_owned(),
                holder: known,
            }),
        }
    }
}

/// Locks the file of a feed; names the run that has it already.
fn lock_file(folder: &Path, key: &str, holder: &str) -> io::Result<(Option<Held>, String)> {
    let name = format!("import-{}.lock", key.get(..16).unwrap_or(key));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut lock = options.open(folder.join(name))?;
    match lock.try_lock() {
        Ok(()) => {
            lock.set_len(0)?;
            lock.rewind()?;
            lock.write_all(holder.as_bytes())?;
            Ok((Some(Held::Folder { _lock: lock }), String::new()))
        }
        Err(TryLockError::WouldBlock) => {
            let mut known = String::new();
            lock.take(HOLDER_MAX).read_to_string(&mut known)?;
            Ok((None, known))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The same by a lock of a database session that all nodes see.
async fn lock_session(place: &Place, key: &str, holder: &str) -> Result<(Option<Held>, String), sqlx::Error> {
    let desk = Desk::open(place).await?;
    let mut connection = desk.pool().acquire().await?;
    // The lock ends with the session, which must not go back to the pool with it.
    connection.close_on_drop();
    let is_taken: bool = sqlx::query_scalar("select pg_try_advisory_lock(hashtextextended($1, 0))")
        .bind(format!("feed {key}"))
        .fetch_one(&mut *connection)
        .await?;
    let note = format!("feed_turn {key}");
    if !is_taken {
        return Ok((None, desk.note(&note).await?.unwrap_or_default()));
    }
    desk.set_note(&note, holder).await?;
    let held = Held::Session {
        _connection: Box::new(connection),
        _desk: Box::new(desk),
    };
    Ok((Some(held), String::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turn_of_a_feed_is_held_once_and_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let first = FeedTurn::take(&place, "north", "the schedule since 10:00")
            .await
            .unwrap();
        let refused = FeedTurn::take(&place, "north", "the command line")
            .await
            .unwrap_err();
        let said = refused.to_string();
        assert!(
            said.starts_with("the feed `north` is being imported already, by the schedule since 10:00"),
            "{said}"
        );
        let other = FeedTurn::take(&place, "south", "the command line").await.unwrap();
        drop(first);
        let next = FeedTurn::take(&place, "north", "the command line").await.unwrap();
        drop((other, next));
    }
}
