//! Shows an auditor with two signed heads that the later log holds the earlier one, event for event: nothing before the earlier
//! head was changed, taken out or put in.

use domain::moment::Moment;
use serde::{Deserialize, Serialize};

use crate::error::LogError;
use crate::event::Hash;
use crate::evidence::SEGMENT;
use crate::hexadecimal;
use crate::log::EventLog;
use crate::merkle;
use crate::notary::{parts_at, whole};
use crate::signed_head::{PublicKey, SignedHead};
use crate::stream::Position;

/// What the file begins with; a later layout gets the next number.
const FORMAT: &str = "latchkey consistency proof 1";

/// 32 bytes, as digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Digits(#[serde(with = "hexadecimal")] Hash);

/// Two heads, and what leads to the roots of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyProof {
    format: String,
    pub first: SignedHead,
    pub second: SignedHead,
    /// Roots of the segments that were full at the first head.
    before: Vec<Digits>,
    /// Leaves of the segment in which the first head stands, as many as the second knows.
    shared: Vec<Digits>,
    /// Roots of the segments behind it at the second head, the unfinished one included.
    after: Vec<Digits>,
}

/// Why two heads are not shown to be of one log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConsistencyFault {
    #[error("its layout is `{0}`, and this program knows `{FORMAT}`")]
    Format(String),
    #[error("the second head is earlier than the first")]
    Order,
    #[error("the head at event {0} is not signed by this key, or was changed")]
    Signature(Position),
    #[error("it does not hold as many hashes as its heads need")]
    Size,
    #[error("it does not lead to the head at event {0}: the logs of the two heads are not one")]
    Root(Position),
}

impl EventLog {
    /// The last head signed at or before a time; `None` where there is none.
    ///
    /// # Errors
    /// When the engine keeps no heads, or the storage fails.
    pub async fn head_signed_before(&self, time: Moment) -> Result<Option<SignedHead>, LogError> {
        let found = self
            .evidence()?
            .head_signed_before(time.timestamp_micros())
            .await?;
        Ok(found.and_then(|stored| stored.head))
    }

    /// What shows that the log at the second head holds the log at the first. It was checked: none is given that would be refused.
    ///
    /// # Errors
    /// When the log is not what was signed, or the storage fails.
    pub async fn prove_consistency(
        &self,
        first: SignedHead,
        second: SignedHead,
    ) -> Result<ConsistencyProof, LogError> {
        let evidence = self.evidence()?;
        let (mut roots, rest) = parts_at(evidence, second.position).await?;
        if !rest.is_empty() {
            roots.push(merkle::root(&rest));
        }
        let full = first.position / SEGMENT;
        let end = second.position.min((full + 1) * SEGMENT);
        let shared = whole(evidence, full * SEGMENT, end.max(full * SEGMENT)).await?;
        let place = usize::try_from(full).unwrap_or(usize::MAX).min(roots.len());
        let digits = |hashes: &[Hash]| hashes.iter().copied().map(Digits).collect();
        let proof = ConsistencyProof {
            format: FORMAT.to_owned(),
            before: digits(&roots[..place]),
            shared: digits(&shared),
            after: digits(roots.get(place + 1..).unwrap_or_default()),
            first,
            second,
        };
        let keys = evidence.keys().await?;
        proof
            .check(&keys)
            .map_err(|fault| LogError::Refused(format!("{fault}: run `latchkey verify`")))?;
        Ok(proof)
    }
}

impl ConsistencyProof {
    /// Follows the hashes to both roots. Needs nothing but itself and the keys that may have signed.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self, keys: &[PublicKey]) -> Result<(), ConsistencyFault> {
        if self.format != FORMAT {
            return Err(ConsistencyFault::Format(self.format.clone()));
        }
        let (first, second) = (&self.first, &self.second);
        if first.position > second.position {
            return Err(ConsistencyFault::Order);
        }
        for head in [first, second] {
            if !keys.iter().any(|key| key.has_signed(head)) {
                return Err(ConsistencyFault::Signature(head.position));
            }
        }
        let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let full = first.position / SEGMENT;
        let common = small(first.position % SEGMENT);
        let shared = SEGMENT.min(second.position - full * SEGMENT);
        let segments = second.position.div_ceil(SEGMENT);
        let fits = small(full) == self.before.len()
            && small(shared) == self.shared.len()
            && small(segments.saturating_sub(full + 1)) == self.after.len();
        if !fits {
            return Err(ConsistencyFault::Size);
        }
        let plain = |hashes: &[Digits]| hashes.iter().map(|it| it.0).collect::<Vec<Hash>>();
        let (before, leaves) = (plain(&self.before), plain(&self.shared));
        let with = |leaves: &[Hash]| {
            let own = (!leaves.is_empty()).then(|| merkle::root(leaves));
            before.iter().copied().chain(own).collect::<Vec<Hash>>()
        };
        if merkle::root(&with(&leaves[..common])) != first.root {
            return Err(ConsistencyFault::Root(first.position));
        }
        let mut later = with(&leaves);
        later.extend(plain(&self.after));
        if merkle::root(&later) == second.root {
            Ok(())
        } else {
            Err(ConsistencyFault::Root(second.position))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain;
    use crate::signed_head::Signer;
    use crate::verify::Anchor;

    /// A log of so many events; those from `forked` on are others.
    fn leaves(count: u64, forked: u64) -> Vec<Hash> {
        let text = |n: u64| {
            if n < forked {
                format!("{n}")
            } else {
                format!("other {n}")
            }
        };
        (0..count).map(|n| chain::digest(text(n).as_bytes())).collect()
    }

    fn roots(leaves: &[Hash]) -> Vec<Hash> {
        let size = usize::try_from(SEGMENT).unwrap();
        leaves.chunks(size).map(merkle::root).collect()
    }

    fn head(signer: &Signer, leaves: &[Hash]) -> SignedHead {
        let end = Anchor {
            position: leaves.len() as u64,
            chain: chain::GENESIS,
        };
        signer.sign(end, 0, merkle::root(&roots(leaves)), Moment::default())
    }

    fn proof(signer: &Signer, first: &[Hash], second: &[Hash]) -> ConsistencyProof {
        let size = usize::try_from(SEGMENT).unwrap();
        let full = first.len() / size;
        let all = roots(second);
        let digits = |hashes: &[Hash]| hashes.iter().copied().map(Digits).collect();
        let end = second.len().min((full + 1) * size);
        ConsistencyProof {
            format: FORMAT.to_owned(),
            first: head(signer, first),
            second: head(signer, second),
            before: digits(&all[..full.min(all.len())]),
            shared: digits(&second[full * size..end]),
            after: digits(all.get(full + 1..).unwrap_or_default()),
        }
    }

    #[test]
    fn grown_log_is_consistent_and_forked_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let signer = Signer::open(&folder.path().join("key")).unwrap();
        let keys = [signer.public()];
        let sizes = [1, 3, 4_095, 4_096, 4_097, 9_000, 12_288, 13_000];
        for first in sizes {
            for second in sizes.into_iter().filter(|second| *second >= first) {
                let whole = leaves(second, u64::MAX);
                let earlier = leaves(first, u64::MAX);
                let good = proof(&signer, &earlier, &whole);
                assert_eq!(good.check(&keys), Ok(()), "{first} to {second}");
                let forked = proof(&signer, &leaves(first, first - 1), &whole);
                assert_eq!(
                    forked.check(&keys),
                    Err(ConsistencyFault::Root(first)),
                    "{first} to {second}"
                );
            }
        }
    }

    #[test]
    fn consistency_needs_both_signatures() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        let (own, other) = (Signer::open(&own).unwrap(), Signer::open(&other).unwrap());
        let mut made = proof(&own, &leaves(3, u64::MAX), &leaves(9, u64::MAX));
        assert_eq!(made.check(&[other.public()]), Err(ConsistencyFault::Signature(3)));
        made.second.signed_at_us += 1;
        assert_eq!(made.check(&[own.public()]), Err(ConsistencyFault::Signature(9)));
        made.shared.pop();
        made.second.signed_at_us -= 1;
        assert_eq!(made.check(&[own.public()]), Err(ConsistencyFault::Size));
    }
}
