//! Segments and signed heads in the log's file. They are written seldom, through a connection of their own that is open
//! for one short transaction.

use futures::FutureExt as _;
use rusqlite::{Connection, OptionalExtension as _, Row, TransactionBehavior, params};

use super::error::Error;
use super::read::Readers;
use super::row::{signed, unsigned};
use eventlog::event::Hash;
use eventlog::port::{Answer, Evidence, StoredHead, StoredSegment};
use eventlog::signed_head::{KeyId, PublicKey, SignedHead};
use eventlog::stream::Position;
use eventlog::verify::Anchor;

const HEAD: &str = "select h.position, h.previous, h.chain, h.root, h.signed_at, h.key_id, h.signature, e.chain \
     from signed_head h left join event e on e.position = h.position";

fn bytes<const N: usize>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<[u8; N]>> {
    let bytes: Option<Vec<u8>> = row.get(column)?;
    Ok(bytes.and_then(|bytes| bytes.try_into().ok()))
}

fn stored_head(row: &Row<'_>) -> rusqlite::Result<StoredHead> {
    let position = unsigned(row.get(0)?);
    let parts = (
        bytes::<32>(row, 2)?,
        bytes::<32>(row, 3)?,
        bytes::<8>(row, 5)?,
        bytes::<64>(row, 6)?,
    );
    let head = match parts {
        (Some(chain), Some(root), Some(key), Some(signature)) => Some(SignedHead {
            position,
            previous: unsigned(row.get(1)?),
            chain,
            root,
            signed_at_us: row.get(4)?,
            key: KeyId(key),
            signature,
        }),
        _ => None,
    };
    Ok(StoredHead {
        position,
        head,
        chain: bytes(row, 7)?,
    })
}

fn keep_segments(connection: &mut Connection, segments: &[(u64, Hash)]) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insert = transaction.prepare("insert or ignore into segment values (?1, ?2)")?;
        for (number, root) in segments {
            insert.execute(params![signed(*number), root])?;
        }
    }
    Ok(transaction.commit()?)
}

/// Each head names the one before it and is the only one that does: two that were made at once cannot both be kept.
fn keep_head(connection: &mut Connection, head: &SignedHead, key: &PublicKey) -> Result<bool, Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute(
        "insert or ignore into signing_key values (?1, ?2)",
        params![key.id().0, key.bytes()],
    )?;
    let kept = transaction.execute(
        "insert or ignore into signed_head values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            signed(head.position),
            signed(head.previous),
            head.chain,
            head.root,
            head.signed_at_us,
            head.key.0,
            head.signature,
        ],
    )?;
    transaction.commit()?;
    Ok(kept == 1)
}

impl Evidence for Readers {
    fn end(&self) -> Answer<'_, Anchor> {
        self.run(|connection, _| {
            let end = connection.query_row("select position, chain from log_head", [], |row| {
                Ok(Anchor {
                    position: unsigned(row.get(0)?),
                    chain: row.get(1)?,
                })
            })?;
            Ok(end)
        })
        .boxed()
    }

    fn leaves(&self, after: Position, through: Position) -> Answer<'_, Vec<(Position, Hash)>> {
        self.run(move |connection, _| {
            let mut statement = connection.prepare_cached(
                "select position, leaf from event where position > ?1 and position <= ?2 order by position",
            )?;
            let leaves = statement.query_map(params![signed(after), signed(through)], |row| {
                Ok((unsigned(row.get(0)?), bytes::<32>(row, 1)?.unwrap_or_default()))
            })?;
            Ok(leaves.collect::<Result<_, _>>()?)
        })
        .boxed()
    }

    fn segments(&self, from: u64) -> Answer<'_, Vec<StoredSegment>> {
        self.run(move |connection, _| {
            let mut statement = connection
                .prepare_cached("select number, root from segment where number >= ?1 order by number")?;
            let segments = statement.query_map([signed(from)], |row| {
                Ok(StoredSegment {
                    number: unsigned(row.get(0)?),
                    root: bytes(row, 1)?,
                })
            })?;
            Ok(segments.collect::<Result<_, _>>()?)
        })
        .boxed()
    }

    fn add_segments(&self, segments: Vec<(u64, Hash)>) -> Answer<'_, ()> {
        self.write(move |connection| keep_segments(connection, &segments))
            .boxed()
    }

    fn heads(&self, from: Position) -> Answer<'_, Vec<StoredHead>> {
        self.run(move |connection, _| {
            let wanted = format!(
                "{HEAD} where h.position >= coalesce((select max(position) from signed_head where position <= ?1), 0) \
                 order by h.position"
            );
            let mut statement = connection.prepare_cached(&wanted)?;
            let heads = statement.query_map([signed(from)], stored_head)?;
            Ok(heads.collect::<Result<_, _>>()?)
        })
        .boxed()
    }

    fn head_signed_before(&self, time_us: i64) -> Answer<'_, Option<StoredHead>> {
        self.run(move |connection, _| {
            let wanted = format!("{HEAD} where h.signed_at <= ?1 order by h.position desc limit 1");
            let mut statement = connection.prepare_cached(&wanted)?;
            Ok(statement.query_row([time_us], stored_head).optional()?)
        })
        .boxed()
    }

    fn last_head(&self) -> Answer<'_, Option<StoredHead>> {
        self.run(|connection, _| {
            let wanted = format!("{HEAD} order by h.position desc limit 1");
            let mut statement = connection.prepare_cached(&wanted)?;
            Ok(statement.query_row([], stored_head).optional()?)
        })
        .boxed()
    }

    fn add_head(&self, head: SignedHead, key: PublicKey) -> Answer<'_, bool> {
        self.write(move |connection| keep_head(connection, &head, &key))
            .boxed()
    }

    fn keys(&self) -> Answer<'_, Vec<PublicKey>> {
        self.run(|connection, _| {
            let mut statement = connection.prepare_cached("select public_key from signing_key")?;
            let keys = statement.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
            let keys: Vec<Vec<u8>> = keys.collect::<Result<_, _>>()?;
            Ok(keys.iter().filter_map(|key| PublicKey::from_bytes(key)).collect())
        })
        .boxed()
    }
}
