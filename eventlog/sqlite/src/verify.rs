//! Verification of the whole file, in parallel: each thread recomputes ranges that begin at a stored chain value,
//! which the range before it proves.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rusqlite::{Connection, OptionalExtension as _};

use super::error::{Error, meant};
use super::read::Readers;
use super::row::{SELECT, record, signed, unsigned};
use eventlog::LogError;
use eventlog::event::Hash;
use eventlog::port::Keyring;
use eventlog::stream::Position;
use eventlog::verify::{Anchor, Check, Problem, Verdict};
use threads::Mutex;

/// Events in one range; few enough in tests that a small log has many.
const RANGE: u64 = if cfg!(test) { 20 } else { 10_000 };
/// Names a handful of what is damaged; one is enough to know what to do.
const LOOK_AT_PAGES: &str = "pragma integrity_check(10)";

/// Where the log ends, seen in one look.
struct End {
    head: Option<Anchor>,
    /// The first event beyond the head.
    surplus: Option<Position>,
}

impl Readers {
    pub(crate) async fn verified(&self, since: Anchor) -> Result<Verdict, LogError> {
        let pool = self.clone();
        let work = threads::spawn_blocking(move || Ok(pool.verify_blocking(since)?));
        work.await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }

    fn verify_blocking(&self, since: Anchor) -> Result<Verdict, Error> {
        let end = self.blocking(|connection, _| end(connection))?;
        let Some(head) = end.head else {
            return Ok(Verdict::Broken {
                position: 0,
                problem: Problem::Head,
            });
        };
        if head.position < since.position {
            return Ok(Verdict::Broken {
                position: head.position + 1,
                problem: Problem::Missing,
            });
        }
        if let Some(broken) = self.ranges(since, head.position)? {
            return Ok(broken);
        }
        let reached = if head.position == since.position {
            Some(since.chain)
        } else {
            self.blocking(|connection, _| chain_at(connection, head.position))?
        };
        if reached != Some(head.chain) {
            return Ok(Verdict::Broken {
                position: head.position,
                problem: Problem::Head,
            });
        }
        Ok(match end.surplus {
            Some(position) => Verdict::Broken {
                position,
                problem: Problem::Surplus,
            },
            None => Verdict::Intact(head),
        })
    }

    /// What SQLite finds wrong with the pages of the file; nothing where they are whole.
    pub(crate) async fn damaged_pages(&self) -> Result<Vec<String>, LogError> {
        self.run(|connection, _| damaged_pages(connection)).await
    }

    /// The first broken event after `since` up to `last`, if there is one.
    fn ranges(&self, since: Anchor, last: Position) -> Result<Option<Verdict>, Error> {
        let next = AtomicU64::new(0);
        // By where their ranges begin: what stands first is what counts, be it a break or a range that could not be read.
        let found: Mutex<BTreeMap<Position, Result<Verdict, Error>>> = Mutex::default();
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let from = since.position + next.fetch_add(1, Relaxed) * RANGE;
                        // Ranges are given out in order, so everything before one with a finding is looked at by whoever
                        // took it: only what lies behind it can be left.
                        let is_behind = found.lock().keys().next().is_some_and(|first| *first < from);
                        if from >= last || is_behind {
                            return;
                        }
                        let to = last.min(from + RANGE);
                        let checked =
                            self.blocking(|connection, keys| range(connection, keys, since, from, to));
                        if let Some(finding) = checked.transpose() {
                            found.lock().insert(from, finding);
                        }
                    }
                });
            }
        });
        found.into_inner().into_values().next().transpose()
    }
}

fn end(connection: &Connection) -> Result<End, Error> {
    let look = "select h.position, h.chain, (select min(position) from event where position > h.position) from log_head h";
    let found = connection
        .query_row(look, [], |row| {
            let head = Anchor {
                position: unsigned(row.get(0)?),
                chain: row.get(1)?,
            };
            Ok(End {
                head: Some(head),
                surplus: row.get::<_, Option<i64>>(2)?.map(unsigned),
            })
        })
        .optional();
    match found {
        Ok(Some(end)) => Ok(end),
        Ok(None)
        | Err(rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::FromSqlConversionFailure(..)) => {
            Ok(End {
                head: None,
                surplus: None,
            })
        }
        Err(error) => Err(error.into()),
    }
}

fn chain_at(connection: &Connection, position: Position) -> Result<Option<Hash>, Error> {
    let mut statement = connection.prepare_cached("select chain from event where position = ?1")?;
    let chain: Option<Vec<u8>> = statement
        .query_row([signed(position)], |row| row.get(0))
        .optional()?;
    Ok(chain.and_then(|chain| chain.try_into().ok()))
}

fn damaged_pages(connection: &Connection) -> Result<Vec<String>, Error> {
    let said = connection.prepare(LOOK_AT_PAGES).and_then(|mut statement| {
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
        lines.collect::<Result<Vec<_>, _>>()
    });
    match said.map_err(|error| meant(&error)) {
        Ok(said) => Ok(said
            .into_iter()
            .filter(|line| line != "ok")
            .map(|line| line.replace('\n', " "))
            .collect()),
        // So much is damaged that it cannot be looked through to its end.
        Err(LogError::DiskFailed(why)) => Ok(vec![why]),
        Err(error) => Err(Error(error)),
    }
}

/// The first broken event among those after `from` up to `to`.
fn range(
    connection: &Connection,
    keys: &Keyring,
    since: Anchor,
    from: Position,
    to: Position,
) -> Result<Option<Verdict>, Error> {
    let chain = if from == since.position {
        Some(since.chain)
    } else {
        chain_at(connection, from)?
    };
    // Without the event before it this range proves nothing, but the range that ends there finds it broken.
    let Some(chain) = chain else { return Ok(None) };
    let mut check = Check::from(Anchor {
        position: from,
        chain,
    });
    let wanted = format!("{SELECT} where e.position > ?1 and e.position <= ?2 order by e.position");
    let mut statement = connection.prepare_cached(&wanted)?;
    let mut rows = statement.query([signed(from), signed(to)])?;
    loop {
        let checked = match rows.next() {
            Ok(Some(row)) => check.next(unsigned(row.get(0)?), record(row, keys).map_err(LogError::from)),
            Ok(None) => break,
            // A damaged page ends the walk; what it held begins right after what was read.
            Err(damage) => check.next(check.reached.position + 1, Err(meant(&damage))),
        };
        if let Err(broken) = checked {
            return Ok(Some(broken));
        }
    }
    let missing = Verdict::Broken {
        position: check.reached.position + 1,
        problem: Problem::Missing,
    };
    Ok((check.reached.position < to).then_some(missing))
}
