//! How a stream becomes a state: short ones from their beginning, long ones from where they were last kept.

use std::collections::BTreeSet;

use domain::aggregate::Decide;
use domain::id::UserId;

use crate::error::LogError;
use crate::fact::Fact;
use crate::loaded::Loaded;
use crate::log::EventLog;
use crate::snapshot::SHORT;
use crate::stream::{Revision, StreamId};

/// Events read at once.
const PAGE: usize = 1_000;
/// A state is kept once it is so many events ahead of the one that was kept before.
const AHEAD: Revision = 512;

/// The state of a stream at its present end, or at `end`.
pub(super) async fn fold_up_to<A: Decide>(
    log: &EventLog,
    stream: StreamId,
    end: Revision,
) -> Result<Loaded<A>, LogError> {
    let mut fold = Fold::<A>::beginning(log, stream);
    if !fold.page(SHORT, end).await? {
        return Ok(fold.loaded);
    }
    let from = fold.resume(end).await?;
    while fold.page(PAGE, end).await? {}
    if end == Revision::MAX && fold.loaded.revision >= from + AHEAD {
        log.snapshots.keep(stream, &fold.loaded, &fold.subjects);
    }
    Ok(fold.loaded)
}

struct Fold<'l, A> {
    log: &'l EventLog,
    stream: StreamId,
    loaded: Loaded<A>,
    subjects: BTreeSet<UserId>,
}

impl<'l, A: Decide> Fold<'l, A> {
    fn beginning(log: &'l EventLog, stream: StreamId) -> Self {
        Self {
            log,
            stream,
            loaded: Loaded::beginning(),
            subjects: BTreeSet::new(),
        }
    }

    /// Takes in the next events. True when there may be more of them.
    async fn page(&mut self, size: usize, end: Revision) -> Result<bool, LogError> {
        let after = self.loaded.revision;
        let begun = (
            std::mem::replace(&mut self.loaded, Loaded::beginning()),
            std::mem::take(&mut self.subjects),
        );
        let step = move |(loaded, subjects): &mut (Loaded<A>, BTreeSet<UserId>), fact: Fact<'_>| {
            if fact.revision > end {
                return Ok(());
            }
            let event = fact.decode::<A>().map_err(|source| LogError::Unreadable {
                position: fact.position,
                source,
            })?;
            loaded.state.evolve(&event);
            loaded.revision = fact.revision;
            loaded.last_event = Some(fact.event_id);
            subjects.extend(fact.subject_id);
            Ok(())
        };
        let folded = self
            .log
            .fold_stream(&self.stream, (after, size), begun, step)
            .await?;
        (self.loaded, self.subjects) = folded.state;
        Ok(folded.events == size && self.loaded.revision < end)
    }

    /// Jumps to the kept state, if there is one that is further on and still stands on the stream's own events; says
    /// where the kept state stands.
    async fn resume(&mut self, end: Revision) -> Result<Revision, LogError> {
        let Some(found) = self.log.snapshots.find::<A>(self.stream).await else {
            return Ok(0);
        };
        let kept = found.loaded;
        if kept.revision <= self.loaded.revision || kept.revision > end {
            return Ok(kept.revision);
        }
        let below = self.log.read_stream(&self.stream, kept.revision - 1, 1).await?;
        if below.first().map(|record| record.event_id) != kept.last_event {
            return Ok(0);
        }
        if found.is_sample {
            check(self.log.clone(), self.stream, kept.clone());
        }
        let revision = kept.revision;
        self.loaded = kept;
        self.subjects = found.subject.into_iter().collect();
        Ok(revision)
    }
}

/// Folds the stream anew in the background, and compares.
fn check<A: Decide>(log: EventLog, stream: StreamId, kept: Loaded<A>) {
    tokio::spawn(async move {
        let mut fold = Fold::<A>::beginning(&log, stream);
        loop {
            match fold.page(PAGE, kept.revision).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return tracing::warn!(%error, "a snapshot could not be compared"),
            }
        }
        log.snapshots.compare(stream, &kept, &fold.loaded);
    });
}
