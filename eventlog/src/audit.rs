//! Whether the log is what it was: its chain recomputed, and held against the segments and the signed heads, those outside
//! of the database included. What only rewrites the database, hashes and all, is found by what was signed before.

use std::collections::{BTreeMap, BTreeSet};

use domain::moment::Moment;

use crate::error::LogError;
use crate::event::Hash;
use crate::evidence::{Evidence, SEGMENT, StoredHead, StoredSegment, first_of, last_of};
use crate::head_folder::{HeadFolder, Outside, TrustedKey};
use crate::log::EventLog;
use crate::merkle::Frontier;
use crate::signed_head::{PublicKey, SignedHead};
use crate::stream::Position;
use crate::verify::{Anchor, Problem, Verdict};

/// What looking at everything came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Intact through the log's end, or the first event that is not what it was.
    pub verdict: Verdict,
    /// Where it began.
    pub since: Anchor,
    /// The last event that a head vouches for whose key counts.
    pub signed_through: Option<Position>,
    /// Heads signed by keys that the database knows and the folder outside does not: they prove nothing here.
    pub unknown_keys: usize,
    /// Lines of the folder outside that are no heads, each with its file.
    pub unreadable: Vec<String>,
    /// Heads that count and lie in the database alone: how many, and where the first of them stands. A folder of a node that
    /// joined later lacks those of before.
    pub missing_outside: Option<(usize, Position)>,
    /// The keys that have signed in the database, whether they count here or not.
    pub signers: Vec<PublicKey>,
}

impl Audit {
    /// Whether the database holds heads and not one of them is signed by a key that counts: the folder outside is not the one
    /// that they were written to.
    pub const fn is_disowned(&self) -> bool {
        self.signed_through.is_none() && self.unknown_keys > 0
    }
}

impl EventLog {
    /// Recomputes everything after `since` (from the beginning: [`Anchor::GENESIS`]).
    ///
    /// # Errors
    /// When the storage or the folder cannot be read at all; damage is a [`Verdict`].
    pub async fn audit(&self, outside: &HeadFolder, since: Anchor) -> Result<Audit, LogError> {
        let evidence = self.evidence()?;
        // What is signed meanwhile goes into the database first, then outside: so outside is read first, and events last.
        let first = match since {
            Anchor::GENESIS => None,
            _ => signed_at(&evidence.heads(since.position).await?, since),
        };
        let of_outside = outside.read(first)?;
        let stored = evidence.heads(since.position).await?;
        let (roots, known) = (evidence.segments(0).await?, evidence.keys().await?);
        let chain = self.verify(since).await?;
        let end = match &chain {
            Verdict::Intact(end) => *end,
            // What lies beyond is looked at all the same: something before may be wrong with it.
            Verdict::Broken { position, .. } => Anchor {
                position: position.saturating_sub(1),
                chain: Anchor::GENESIS.chain,
            },
        };
        let mut bench = Bench {
            since,
            end: end.position,
            is_whole: matches!(chain, Verdict::Intact(_)),
            trusted: outside.keys()?,
            known,
            found: BTreeMap::new(),
            agreeing: Vec::new(),
            signed_through: None,
            unknown_keys: 0,
        };
        let heads = bench.heads(stored);
        let missing = bench.outside(&of_outside, &heads);
        bench.segments(evidence, &roots, &heads, &missing).await?;
        let missing_outside = bench.missing_outside(&heads, outside, first)?;
        let broken = bench.found.into_iter().next();
        let verdict = match (chain, broken) {
            (Verdict::Broken { position, problem }, Some((first, _))) if position <= first => {
                Verdict::Broken { position, problem }
            }
            (_, Some((position, problem))) => Verdict::Broken { position, problem },
            (chain, None) => chain,
        };
        Ok(Audit {
            verdict,
            since,
            signed_through: bench.signed_through,
            unknown_keys: bench.unknown_keys,
            unreadable: of_outside.unreadable,
            missing_outside,
            signers: bench.known,
        })
    }

    /// The last head signed at or before a time, to begin an [`EventLog::audit`] at; the beginning of the log where there is
    /// none, or its key does not count.
    ///
    /// # Errors
    /// When the storage or the folder cannot be read.
    pub async fn signed_before(&self, outside: &HeadFolder, time: Moment) -> Result<Anchor, LogError> {
        let keys = outside.keys()?;
        let last = self
            .evidence()?
            .head_signed_before(time.timestamp_micros())
            .await?;
        let counts = |head: &SignedHead| keys.iter().any(|key| key.has_signed(head));
        let head = last.and_then(|stored| stored.head).filter(counts);
        Ok(head.map_or(Anchor::GENESIS, |head| head.anchor()))
    }
}

/// When the last head up to the anchor was signed: older files outside need not be read.
fn signed_at(stored: &[StoredHead], since: Anchor) -> Option<Moment> {
    let first = stored.first()?.head.as_ref()?;
    (first.position <= since.position).then(|| first.signed_at())
}

/// What is being compared, and what was found.
struct Bench {
    since: Anchor,
    end: Position,
    /// The chain up to `end` is whole, so what a head says of it can be told from it.
    is_whole: bool,
    trusted: Vec<TrustedKey>,
    known: Vec<PublicKey>,
    found: BTreeMap<Position, Problem>,
    /// Where heads stand that agree with the log, in order.
    agreeing: Vec<Position>,
    signed_through: Option<Position>,
    unknown_keys: usize,
}

impl Bench {
    fn finds(&mut self, position: Position, problem: Problem) {
        self.found.entry(position).or_insert(problem);
    }

    /// Checks the stored heads in order and gives those that are heads.
    fn heads(&mut self, stored: Vec<StoredHead>) -> Vec<SignedHead> {
        let mut heads: Vec<SignedHead> = Vec::with_capacity(stored.len());
        let mut before = 0;
        for row in stored {
            let is_first = heads.is_empty() && row.position <= self.since.position;
            let Some(head) = row.head else {
                self.finds(row.position, Problem::SignedHead("is not a head"));
                continue;
            };
            // What a row says that nobody has signed tells nothing of others.
            if self.head(&head, row.chain) && !is_first && head.previous != before {
                let missing = head.previous > before;
                let (position, problem) = if missing {
                    (head.previous, "is missing")
                } else {
                    (head.position, "does not follow from the one before it")
                };
                self.finds(position, Problem::SignedHead(problem));
            }
            before = head.position;
            heads.push(head);
        }
        heads
    }

    /// Whether a known key has signed the head; what it says is then held against the events.
    fn head(&mut self, head: &SignedHead, chain: Option<Hash>) -> bool {
        let counts = self.trusted.iter().any(|key| key.has_signed(head));
        if !counts {
            if !self.known.iter().any(|key| key.has_signed(head)) {
                let problem = "was not signed by any known key";
                self.finds(head.position, Problem::SignedHead(problem));
                return false;
            }
            if self.trusted.iter().any(|it| it.key.id() == head.key) {
                let problem = "was signed by a key that had been put away";
                self.finds(head.position, Problem::SignedHead(problem));
                return false;
            }
            self.unknown_keys += 1;
        }
        self.hold(head, chain, counts);
        true
    }

    /// Holds what a head says against the events.
    fn hold(&mut self, head: &SignedHead, chain: Option<Hash>, counts: bool) {
        if head.position > self.end {
            if self.is_whole {
                let signed = head.position;
                self.finds(self.end + 1, Problem::Cut { signed });
            }
            return;
        }
        if chain != Some(head.chain) {
            let through = head.position;
            return self.finds(self.proved_before(through) + 1, Problem::Rewritten { through });
        }
        self.agreeing.push(head.position);
        if counts {
            self.signed_through = self.signed_through.max(Some(head.position));
        }
    }

    /// The last event before `position` that a head proves which agrees with the log, and everything before it.
    fn proved_before(&self, position: Position) -> Position {
        let place = self.agreeing.partition_point(|agreed| *agreed < position);
        let last = place.checked_sub(1).and_then(|place| self.agreeing.get(place));
        last.copied().unwrap_or(self.since.position)
    }

    /// Every head outside must be one of those inside; gives those that are not, in order.
    fn outside<'o>(&mut self, outside: &'o Outside, heads: &[SignedHead]) -> Vec<&'o SignedHead> {
        let mut missing = Vec::new();
        for head in &outside.heads {
            let earlier = heads.first().is_none_or(|first| head.position < first.position);
            if earlier && head.position < self.since.position {
                continue;
            }
            let place = heads.binary_search_by_key(&head.position, |head| head.position);
            if place.is_ok_and(|place| heads.get(place) == Some(head)) {
                continue;
            }
            if !self.trusted.iter().any(|key| key.has_signed(head)) {
                let problem = "lies outside of the database and was not signed by a key that counts";
                self.finds(head.position, Problem::SignedHead(problem));
            } else if head.position > self.end {
                self.hold(head, None, true);
            } else {
                missing.push(head);
            }
        }
        missing.sort_unstable_by_key(|head| head.position);
        missing
    }

    /// Heads that count and that the folder outside lacks. It is read once more, because what was signed meanwhile came there
    /// last.
    fn missing_outside(
        &self,
        heads: &[SignedHead],
        outside: &HeadFolder,
        first: Option<Moment>,
    ) -> Result<Option<(usize, Position)>, LogError> {
        let of_outside = outside.read(first)?;
        let there: BTreeSet<Position> = of_outside.heads.iter().map(|head| head.position).collect();
        let counts = |head: &&SignedHead| self.trusted.iter().any(|key| key.has_signed(head));
        let later = heads.iter().filter(|head| head.position > self.since.position);
        let mut missing = later
            .filter(|head| !there.contains(&head.position))
            .filter(counts);
        let first = missing.next().map(|head| head.position);
        Ok(first.map(|first| (1 + missing.count(), first)))
    }

    /// Recomputes the roots of the segments since the anchor's, and with them what each head says of all.
    async fn segments(
        &mut self,
        evidence: &dyn Evidence,
        stored: &[StoredSegment],
        heads: &[SignedHead],
        missing: &[&SignedHead],
    ) -> Result<(), LogError> {
        let first = self.since.position / SEGMENT;
        let mut all = Frontier::default();
        for (number, segment) in (0..first).zip(stored) {
            if segment.number != number || segment.root.is_none() {
                self.finds(first_of(number), Problem::Segment);
                return Ok(());
            }
            if let Some(root) = &segment.root {
                all.push(root);
            }
        }
        let signed = heads.last().map_or(0, |head| head.position);
        let later = stored.iter().filter(|segment| segment.number >= first);
        let stored: BTreeMap<u64, Option<Hash>> =
            later.map(|segment| (segment.number, segment.root)).collect();
        let (mut inside, mut outside) = (heads.iter().peekable(), missing.iter().peekable());
        for number in first..=self.end / SEGMENT {
            let through = self.end.min(last_of(number));
            let leaves = evidence.leaves(first_of(number) - 1, through).await?;
            let mut growing = Frontier::default();
            for (position, leaf) in &leaves {
                growing.push(leaf);
                while let Some(head) = inside.next_if(|head| head.position <= *position) {
                    if head.position == *position && root_with(&all, &growing) != head.root {
                        self.finds(*position, Problem::SignedHead("has another root"));
                    }
                }
                while let Some(head) = outside.next_if(|head| head.position <= *position) {
                    self.missing(head, root_with(&all, &growing));
                }
            }
            if through == last_of(number) {
                let root = growing.root();
                self.segment(number, root, stored.get(&number), signed);
                all.push(&root);
            }
        }
        let beyond = stored.keys().find(|number| last_of(**number) > self.end);
        if let Some(number) = beyond.filter(|_| self.is_whole) {
            self.finds((self.end + 1).max(first_of(*number)), Problem::Segment);
        }
        Ok(())
    }

    /// A head that lies outside alone: the log agrees with it, or was written anew.
    fn missing(&mut self, head: &SignedHead, root: Hash) {
        let through = head.position;
        if head.root == root {
            self.finds(through, Problem::SignedHead("is missing in the database"));
        } else {
            self.finds(self.proved_before(through) + 1, Problem::Rewritten { through });
        }
    }

    fn segment(&mut self, number: u64, root: Hash, stored: Option<&Option<Hash>>, signed: Position) {
        let (first, last) = (first_of(number), last_of(number));
        let proved = self.agreeing.last().copied().unwrap_or_default();
        match stored {
            Some(Some(kept)) if *kept == root => {}
            // Not made yet: no head was signed behind it.
            None if signed < last => {}
            // What a head proves is right, so the row is what was changed; else its events may be, behind the head.
            _ if proved >= last || proved < first => self.finds(first, Problem::Segment),
            _ => self.finds(proved + 1, Problem::Segment),
        }
    }
}

/// The root over all segments with the unfinished one behind them.
fn root_with(all: &Frontier, growing: &Frontier) -> Hash {
    let mut whole = all.clone();
    whole.push(&growing.root());
    whole.root()
}
