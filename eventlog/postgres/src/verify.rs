//! Verification of the whole log, several ranges at once: each begins at a stored chain value, which the range before
//! it proves.

use futures::{StreamExt as _, TryStreamExt as _};
use tokio_postgres::Row;

use super::read::Readers;
use super::row::{column, hash, record, select, signed, unsigned};
use eventlog::LogError;
use eventlog::event::Hash;
use eventlog::port::Keyring;
use eventlog::stream::Position;
use eventlog::verify::{Anchor, Check, Problem, Verdict};

/// Events in one range.
const RANGE: u64 = 10_000;
/// Ranges looked at at once.
const AT_ONCE: usize = 4;

const END: &str = "select h.position, h.chain, (select min(position) from event where position > h.position) \
     from log_head h";
const CHAIN: &str = "select chain from event where position = $1";
const PART: &str = select!("where e.position > $1 and e.position <= $2 order by e.position");

/// Where the log ends, seen in one look.
struct End {
    head: Anchor,
    /// The first event beyond the head.
    surplus: Option<Position>,
}

fn broken(position: Position, problem: Problem) -> Verdict {
    Verdict::Broken { position, problem }
}

impl Readers {
    pub(crate) async fn verified(&self, since: Anchor) -> Result<Verdict, LogError> {
        let Some(end) = self.end().await? else {
            return Ok(broken(0, Problem::Head));
        };
        let head = end.head;
        if head.position < since.position {
            return Ok(broken(head.position + 1, Problem::Missing));
        }
        let starts = (since.position..head.position).step_by(usize::try_from(RANGE).unwrap_or(usize::MAX));
        let mut ranges = futures::stream::iter(starts)
            .map(|from| self.range(since, from, head.position.min(from + RANGE)))
            .buffered(AT_ONCE);
        while let Some(found) = ranges.try_next().await? {
            if let Some(verdict) = found {
                return Ok(verdict);
            }
        }
        let reached = if head.position == since.position {
            Some(since.chain)
        } else {
            self.chain_at(head.position).await?
        };
        if reached != Some(head.chain) {
            return Ok(broken(head.position, Problem::Head));
        }
        Ok(match end.surplus {
            Some(position) => broken(position, Problem::Surplus),
            None => Verdict::Intact(head),
        })
    }

    async fn end(&self) -> Result<Option<End>, LogError> {
        let rows = self.rows(END, &[]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let Ok(chain) = hash(row, 1) else { return Ok(None) };
        Ok(Some(End {
            head: Anchor {
                position: unsigned(column(row, 0)?),
                chain,
            },
            surplus: column::<Option<i64>>(row, 2)?.map(unsigned),
        }))
    }

    async fn chain_at(&self, position: Position) -> Result<Option<Hash>, LogError> {
        let rows = self.rows(CHAIN, &[&signed(position)]).await?;
        Ok(rows.first().and_then(|row| hash(row, 0).ok()))
    }

    /// The first broken event among those after `from` up to `to`.
    async fn range(&self, since: Anchor, from: Position, to: Position) -> Result<Option<Verdict>, LogError> {
        let chain = if from == since.position {
            Some(since.chain)
        } else {
            self.chain_at(from).await?
        };
        // Without the event before it this range proves nothing, but the range that ends there finds it broken.
        let Some(chain) = chain else { return Ok(None) };
        let start = Anchor {
            position: from,
            chain,
        };
        let rows = self.rows(PART, &[&signed(from), &signed(to)]).await?;
        let keys = self.keys.clone();
        let work = tokio::task::spawn_blocking(move || checked(&rows, &keys, start, to));
        work.await
            .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
    }
}

fn checked(rows: &[Row], keys: &Keyring, start: Anchor, to: Position) -> Result<Option<Verdict>, LogError> {
    let mut check = Check::from(start);
    for row in rows {
        if let Err(verdict) = check.next(unsigned(column(row, 0)?), record(row, keys)) {
            return Ok(Some(verdict));
        }
    }
    let missing = broken(check.reached.position + 1, Problem::Missing);
    Ok((check.reached.position < to).then_some(missing))
}
