//! Segments and signed heads of a log in memory.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use futures::future;

use super::{Memory, index};
use crate::chain;
use crate::event::Hash;
use crate::evidence::{Answer, Evidence, StoredHead, StoredSegment};
use crate::signed_head::{PublicKey, SignedHead};
use crate::stream::Position;
use crate::verify::Anchor;

/// What proves the events beside them.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    segments: BTreeMap<u64, Hash>,
    heads: BTreeMap<Position, SignedHead>,
    keys: Vec<PublicKey>,
}

impl Memory {
    fn stored(&self, head: &SignedHead) -> StoredHead {
        let place = head.position.checked_sub(1).map(index);
        StoredHead {
            position: head.position,
            head: Some(head.clone()),
            chain: place.and_then(|place| self.0.read().events.get(place).map(|event| event.chain)),
        }
    }
}

impl Evidence for Memory {
    fn end(&self) -> Answer<'_, Anchor> {
        let end = self.0.read().events.last().map_or(
            Anchor {
                position: 0,
                chain: chain::GENESIS,
            },
            |last| Anchor {
                position: last.position,
                chain: last.chain,
            },
        );
        future::ready(Ok(end)).boxed()
    }

    fn leaves(&self, after: Position, through: Position) -> Answer<'_, Vec<(Position, Hash)>> {
        let tables = self.0.read();
        let events = tables.events.iter().skip(index(after));
        let within = events.take_while(|event| event.position <= through);
        let leaves = within.map(|event| (event.position, event.leaf)).collect();
        future::ready(Ok(leaves)).boxed()
    }

    fn segments(&self, from: u64) -> Answer<'_, Vec<StoredSegment>> {
        let tables = self.0.read();
        let segments = tables.proofs.segments.range(from..);
        let stored = segments.map(|(number, root)| StoredSegment {
            number: *number,
            root: Some(*root),
        });
        future::ready(Ok(stored.collect())).boxed()
    }

    fn add_segments(&self, segments: Vec<(u64, Hash)>) -> Answer<'_, ()> {
        self.0.write().proofs.segments.extend(segments);
        future::ready(Ok(())).boxed()
    }

    fn heads(&self, from: Position) -> Answer<'_, Vec<StoredHead>> {
        let heads: Vec<SignedHead> = {
            let heads = &self.0.read().proofs.heads;
            let first = heads
                .range(..=from)
                .next_back()
                .map_or(0, |(position, _)| *position);
            heads.range(first..).map(|(_, head)| head.clone()).collect()
        };
        future::ready(Ok(heads.iter().map(|head| self.stored(head)).collect())).boxed()
    }

    fn head_signed_before(&self, time_us: i64) -> Answer<'_, Option<StoredHead>> {
        let found = {
            let heads = &self.0.read().proofs.heads;
            let last = heads.values().rev().find(|head| head.signed_at_us <= time_us);
            last.cloned()
        };
        future::ready(Ok(found.map(|head| self.stored(&head)))).boxed()
    }

    fn last_head(&self) -> Answer<'_, Option<StoredHead>> {
        let last = self
            .0
            .read()
            .proofs
            .heads
            .last_key_value()
            .map(|(_, head)| head.clone());
        future::ready(Ok(last.map(|head| self.stored(&head)))).boxed()
    }

    fn add_head(&self, head: SignedHead, key: PublicKey) -> Answer<'_, bool> {
        let proofs = &mut self.0.write().proofs;
        let last = proofs.heads.last_key_value().map_or(0, |(position, _)| *position);
        let kept = last == head.previous;
        if kept {
            proofs.heads.insert(head.position, head);
            if !proofs.keys.contains(&key) {
                proofs.keys.push(key);
            }
        }
        future::ready(Ok(kept)).boxed()
    }

    fn keys(&self) -> Answer<'_, Vec<PublicKey>> {
        future::ready(Ok(self.0.read().proofs.keys.clone())).boxed()
    }
}
