//! Segments and signed heads in the log's database, each written by one statement of its own.

use futures::FutureExt as _;
use tokio_postgres::Row;

use super::read::Readers;
use super::row::{column, hash, signed, unsigned};
use eventlog::LogError;
use eventlog::event::Hash;
use eventlog::port::{Answer, Evidence, StoredHead, StoredSegment};
use eventlog::signed_head::{KeyId, PublicKey, SignedHead};
use eventlog::stream::Position;
use eventlog::verify::Anchor;

const END: &str = "select position, chain from log_head";
const LEAVES: &str =
    "select position, leaf from event where position > $1 and position <= $2 order by position";
const SEGMENTS: &str = "select number, root from segment where number >= $1 order by number";
const NEW_SEGMENTS: &str =
    "insert into segment select * from unnest($1::bigint[], $2::bytea[]) on conflict do nothing";
const HEADS: &str = "select h.position, h.previous, h.chain, h.root, h.signed_at, h.key_id, h.signature, e.chain \
     from signed_head h left join event e on e.position = h.position \
     where h.position >= coalesce((select max(position) from signed_head where position <= $1), 0) \
     order by h.position";
const LAST_HEAD: &str = "select h.position, h.previous, h.chain, h.root, h.signed_at, h.key_id, h.signature, e.chain \
     from signed_head h left join event e on e.position = h.position order by h.position desc limit 1";
const HEAD_BEFORE: &str = "select h.position, h.previous, h.chain, h.root, h.signed_at, h.key_id, h.signature, e.chain \
     from signed_head h left join event e on e.position = h.position where h.signed_at <= $1 \
     order by h.position desc limit 1";
const NEW_KEY: &str = "insert into signing_key values ($1, $2) on conflict do nothing";
/// Each head names the one before it and is the only one that does: two that were made at once cannot both be kept.
const NEW_HEAD: &str = "insert into signed_head values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing \
     returning position";
const KEYS: &str = "select public_key from signing_key";

fn bytes<const N: usize>(row: &Row, place: usize) -> Result<Option<[u8; N]>, LogError> {
    let bytes: Option<&[u8]> = column(row, place)?;
    Ok(bytes.and_then(|bytes| bytes.try_into().ok()))
}

fn stored_head(row: &Row) -> Result<StoredHead, LogError> {
    let position = unsigned(column(row, 0)?);
    let parts = (
        bytes::<32>(row, 2)?,
        bytes::<32>(row, 3)?,
        bytes::<8>(row, 5)?,
        bytes::<64>(row, 6)?,
    );
    let head = match parts {
        (Some(chain), Some(root), Some(key), Some(signature)) => Some(SignedHead {
            position,
            previous: unsigned(column(row, 1)?),
            chain,
            root,
            signed_at_us: column(row, 4)?,
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

impl Evidence for Readers {
    fn end(&self) -> Answer<'_, Anchor> {
        async {
            let rows = self.rows(END, &[]).await?;
            let row = rows
                .first()
                .ok_or_else(|| LogError::Storage("the log's head is missing".to_owned()))?;
            Ok(Anchor {
                position: unsigned(column(row, 0)?),
                chain: hash(row, 1)?,
            })
        }
        .boxed()
    }

    fn leaves(&self, after: Position, through: Position) -> Answer<'_, Vec<(Position, Hash)>> {
        async move {
            let rows = self.rows(LEAVES, &[&signed(after), &signed(through)]).await?;
            let leaf = |row: &Row| {
                Ok((
                    unsigned(column(row, 0)?),
                    bytes::<32>(row, 1)?.unwrap_or_default(),
                ))
            };
            rows.iter().map(leaf).collect()
        }
        .boxed()
    }

    fn segments(&self, from: u64) -> Answer<'_, Vec<StoredSegment>> {
        async move {
            let rows = self.rows(SEGMENTS, &[&signed(from)]).await?;
            let segment = |row: &Row| {
                Ok(StoredSegment {
                    number: unsigned(column(row, 0)?),
                    root: bytes(row, 1)?,
                })
            };
            rows.iter().map(segment).collect()
        }
        .boxed()
    }

    fn add_segments(&self, segments: Vec<(u64, Hash)>) -> Answer<'_, ()> {
        async move {
            let numbers: Vec<i64> = segments.iter().map(|(number, _)| signed(*number)).collect();
            let roots: Vec<&[u8]> = segments.iter().map(|(_, root)| root.as_slice()).collect();
            self.rows(NEW_SEGMENTS, &[&numbers, &roots]).await?;
            Ok(())
        }
        .boxed()
    }

    fn heads(&self, from: Position) -> Answer<'_, Vec<StoredHead>> {
        async move {
            let rows = self.rows(HEADS, &[&signed(from)]).await?;
            rows.iter().map(stored_head).collect()
        }
        .boxed()
    }

    fn head_signed_before(&self, time_us: i64) -> Answer<'_, Option<StoredHead>> {
        async move {
            let rows = self.rows(HEAD_BEFORE, &[&time_us]).await?;
            rows.first().map(stored_head).transpose()
        }
        .boxed()
    }

    fn last_head(&self) -> Answer<'_, Option<StoredHead>> {
        async {
            let rows = self.rows(LAST_HEAD, &[]).await?;
            rows.first().map(stored_head).transpose()
        }
        .boxed()
    }

    fn add_head(&self, head: SignedHead, key: PublicKey) -> Answer<'_, bool> {
        async move {
            let (id, public) = (head.key.0, key.bytes());
            self.rows(NEW_KEY, &[&id.as_slice(), &public.as_slice()]).await?;
            let kept = self
                .rows(
                    NEW_HEAD,
                    &[
                        &signed(head.position),
                        &signed(head.previous),
                        &head.chain.as_slice(),
                        &head.root.as_slice(),
                        &head.signed_at_us,
                        &id.as_slice(),
                        &head.signature.as_slice(),
                    ],
                )
                .await?;
            Ok(!kept.is_empty())
        }
        .boxed()
    }

    fn keys(&self) -> Answer<'_, Vec<PublicKey>> {
        async {
            let rows = self.rows(KEYS, &[]).await?;
            let keys: Vec<&[u8]> = rows.iter().map(|row| column(row, 0)).collect::<Result<_, _>>()?;
            Ok(keys.into_iter().filter_map(PublicKey::from_bytes).collect())
        }
        .boxed()
    }
}
