//! Makes what proves the log: the roots of its segments, and its end signed. Off the append path: it reads what is durable
//! and never holds a writer up.

use domain::moment::Moment;

use crate::chain;
use crate::error::LogError;
use crate::event::Hash;
use crate::evidence::{Evidence, SEGMENT, StoredHead, first_of, last_of};
use crate::head_folder::HeadFolder;
use crate::log::EventLog;
use crate::merkle::{self, Frontier};
use crate::signed_head::{SignedHead, Signer};
use crate::stream::Position;
use crate::verify::Anchor;

/// Segments kept at once.
const AT_ONCE: usize = 64;

impl EventLog {
    /// Keeps the root of every full segment that has none: all of an older log's the first time. Says how many.
    ///
    /// # Errors
    /// When the storage fails, or an event is missing.
    pub async fn seal_segments(&self) -> Result<u64, LogError> {
        let evidence = self.evidence()?;
        let end = evidence.end().await?;
        let known: Vec<u64> = evidence.segments(0).await?.iter().map(|it| it.number).collect();
        let mut fresh = Vec::new();
        let mut made = 0;
        for number in 0..end.position / SEGMENT {
            if known.binary_search(&number).is_ok() {
                continue;
            }
            let leaves = whole(evidence, first_of(number) - 1, last_of(number)).await?;
            fresh.push((number, merkle::root(&leaves)));
            made += 1;
            if fresh.len() == AT_ONCE {
                evidence.add_segments(std::mem::take(&mut fresh)).await?;
            }
        }
        if !fresh.is_empty() {
            evidence.add_segments(fresh).await?;
        }
        Ok(made)
    }

    /// Signs the log's end, in the database and then in the folder outside of it; `None` when the end is signed already.
    /// What does not follow from the head that was signed last is not signed.
    ///
    /// # Errors
    /// When the storage fails, or the log is not the one that was signed before.
    pub async fn sign_head(
        &self,
        signer: &Signer,
        outside: &HeadFolder,
        at: Moment,
    ) -> Result<Option<SignedHead>, LogError> {
        let evidence = self.evidence()?;
        outside.trust(&signer.public())?;
        // The end first, so that every segment up to it is full when the root is made.
        let end = evidence.end().await?;
        let last = evidence.last_head().await?;
        let since = last.as_ref().map_or(Anchor::GENESIS, anchor);
        let mut fresh = None;
        if since != end {
            follows(evidence, since, end).await?;
            self.seal_segments().await?;
            let root = root_at(evidence, end.position).await?;
            let head = signer.sign(end, since.position, root, at);
            if evidence.add_head(head.clone(), signer.public()).await? {
                fresh = Some(head);
            }
        }
        self.copy_outside(outside).await?;
        Ok(fresh)
    }

    /// Writes into the folder what the database has beyond it: the newest head, and what an end at the wrong moment kept
    /// from it. Heads of keys that are not known there stay out.
    async fn copy_outside(&self, outside: &HeadFolder) -> Result<(), LogError> {
        let written = outside.last()?.map_or(0, |head| head.position);
        let heads = self.evidence()?.heads(written).await?;
        let keys = outside.keys()?;
        let missing: Vec<SignedHead> = heads
            .into_iter()
            .filter_map(|stored| stored.head)
            .filter(|head| head.position > written && keys.iter().any(|key| key.has_signed(head)))
            .collect();
        outside.add(&missing)
    }
}

fn anchor(stored: &StoredHead) -> Anchor {
    Anchor {
        position: stored.position,
        chain: stored.head.as_ref().map_or(chain::GENESIS, |head| head.chain),
    }
}

/// That the chain from a signed head leads to the end.
async fn follows(evidence: &dyn Evidence, since: Anchor, end: Anchor) -> Result<(), LogError> {
    let refused = |said: String| Err(LogError::Refused(said));
    if end.position < since.position {
        return refused(format!(
            "the log ends at event {} and was signed through event {}: it was cut off, and is not signed again",
            end.position, since.position
        ));
    }
    let mut chain = since.chain;
    let mut from = since.position;
    while from < end.position {
        let to = end.position.min(from + SEGMENT);
        for leaf in whole(evidence, from, to).await? {
            chain = chain::link(&chain, &leaf);
        }
        from = to;
    }
    if chain == end.chain {
        return Ok(());
    }
    refused(format!(
        "the log through event {} does not follow from the head that was signed at event {}: it was changed, and is not \
         signed again",
        end.position, since.position
    ))
}

/// The leaves of all events after one position through another.
pub(crate) async fn whole(
    evidence: &dyn Evidence,
    after: Position,
    through: Position,
) -> Result<Vec<Hash>, LogError> {
    let leaves = evidence.leaves(after, through).await?;
    let dense = leaves
        .iter()
        .zip(after + 1..)
        .all(|((found, _), wanted)| *found == wanted);
    if dense && leaves.len() as u64 == through - after {
        return Ok(leaves.into_iter().map(|(_, leaf)| leaf).collect());
    }
    Err(LogError::Storage(format!(
        "an event is missing among those from {} through {through}: run `latchkey verify`",
        after + 1
    )))
}

/// The roots of the full segments up to `position`, as they are kept, and the leaves of the unfinished one.
pub(crate) async fn parts_at(
    evidence: &dyn Evidence,
    position: Position,
) -> Result<(Vec<Hash>, Vec<Hash>), LogError> {
    let full = position / SEGMENT;
    let stored = evidence.segments(0).await?;
    let roots: Vec<Hash> = stored
        .iter()
        .zip(0..full)
        .filter(|(segment, number)| segment.number == *number)
        .filter_map(|(segment, _)| segment.root)
        .collect();
    if roots.len() as u64 != full {
        return Err(LogError::Storage(
            "the root of a segment is missing: run `latchkey verify`".to_owned(),
        ));
    }
    let rest = whole(evidence, full * SEGMENT, position).await?;
    Ok((roots, rest))
}

/// The root over all segments up to `position`, the unfinished one included.
async fn root_at(evidence: &dyn Evidence, position: Position) -> Result<Hash, LogError> {
    let (roots, rest) = parts_at(evidence, position).await?;
    let mut segments = Frontier::default();
    for root in &roots {
        segments.push(root);
    }
    if !rest.is_empty() {
        segments.push(&merkle::root(&rest));
    }
    Ok(segments.root())
}
