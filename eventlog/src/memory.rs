//! The log in memory: for tests and for trying things out.

mod evidence;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use domain::moment::Moment;
use uuid::Uuid;

use crate::engine::{BatchOutcome, Engine};
use crate::error::LogError;
use crate::event::{Hash, RecordedEvent};
use crate::fact::{self, Taker};
use crate::forecast::Forecast;
use crate::plan::{Head, Plan, Standing, StoredCommand, StreamHead};
use crate::port::{Asked, Capabilities};
use crate::reads::Reads;
use crate::shapes::StoredShape;
use crate::stream::{Position, Revision, StreamId};
use crate::verify::{self, Anchor, Verdict};
use threads::RwLock;

/// Everything the log holds, shared by the writer and its readers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory(Arc<RwLock<Tables>>);

#[derive(Debug, Default)]
struct Tables {
    events: Vec<RecordedEvent>,
    streams: HashMap<StreamId, (StreamHead, Vec<usize>)>,
    commands: HashMap<Uuid, StoredCommand>,
    shapes: BTreeSet<StoredShape>,
    proofs: evidence::Proofs,
    /// Sent, of unknown outcome, each behind what it was planned on.
    sent: VecDeque<(Standing, Arc<Plan>)>,
}

impl Tables {
    fn head(&self) -> Head {
        self.events.last().map_or_else(Head::default, |last| Head {
            position: last.position,
            chain: last.chain,
        })
    }

    /// Whether all stands as a plan was made on.
    fn stand(&self, foreseen: &Standing, plan: &Plan) -> bool {
        let stands = |(stream, head): (&StreamId, &StreamHead)| {
            let there = self
                .streams
                .get(stream)
                .map(|(there, _)| *there)
                .unwrap_or_default();
            there.revision == head.revision && (head.last.is_none() || there.last == head.last)
        };
        let is_new = |(id, _): &(Uuid, StoredCommand)| !self.commands.contains_key(id);
        self.head() == foreseen.head
            && foreseen.streams.iter().all(stands)
            && plan.commands.iter().all(is_new)
    }

    fn write(&mut self, plan: &Plan) {
        for event in &plan.events {
            let place = self.events.len();
            self.events.push(event.clone());
            let (head, places) = self.streams.entry(event.stream).or_default();
            head.revision = event.revision;
            head.last = Some(event.event_id);
            places.push(place);
        }
        for (id, command) in &plan.commands {
            self.commands.insert(*id, command.clone());
        }
        self.shapes.extend(plan.shapes.iter().cloned());
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Memory {
    pub(crate) fn after(&self, position: Position, limit: usize) -> Vec<RecordedEvent> {
        self.0
            .read()
            .events
            .iter()
            .skip(index(position))
            .take(limit)
            .cloned()
            .collect()
    }

    fn of_stream(&self, stream: &StreamId, after: Revision, limit: usize) -> Vec<RecordedEvent> {
        let tables = self.0.read();
        let Some((_, places)) = tables.streams.get(stream) else {
            return Vec::new();
        };
        places
            .iter()
            .skip(index(after))
            .take(limit)
            .map(|place| tables.events[*place].clone())
            .collect()
    }

    fn correlated(&self, id: Uuid, after: Position, limit: usize) -> Vec<RecordedEvent> {
        let tables = self.0.read();
        let later = tables.events.iter().skip(index(after));
        let of_it = later.filter(|event| event.correlation_id == id);
        of_it.take(limit).cloned().collect()
    }
}

/// Looked up when it is waited for, not when it is asked.
fn answered<'m, T: Send + 'm>(answer: impl FnOnce() -> T + Send + 'm) -> Asked<'m, T> {
    Box::pin(async move { Ok(answer()) })
}

impl Reads for Memory {
    fn capabilities(&self) -> Capabilities {
        Capabilities::grouped("memory")
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        answered(move || self.of_stream(&stream, after, limit))
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        answered(move || self.after(after, limit))
    }

    fn read_correlated(
        &self,
        correlation_id: Uuid,
        after: Position,
        limit: usize,
    ) -> Asked<'_, Vec<RecordedEvent>> {
        answered(move || self.correlated(correlation_id, after, limit))
    }

    fn fold_stream(&self, stream: StreamId, after: Revision, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move { fact::give(&self.of_stream(&stream, after, limit), taker) })
    }

    fn fold_all(&self, after: Position, limit: usize, taker: Taker) -> Asked<'_, ()> {
        Box::pin(async move { fact::give(&self.after(after, limit), taker) })
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        answered(|| self.0.read().shapes.clone())
    }

    fn verify(&self, since: Anchor) -> Asked<'_, Verdict> {
        answered(move || verify::sequence(since, self.after(since.position, usize::MAX)))
    }
}

impl Engine for Memory {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        let tables = self.0.read();
        Ok(Standing {
            head: tables.head(),
            streams: streams
                .iter()
                .filter_map(|id| tables.streams.get(id).map(|(head, _)| (*id, *head)))
                .collect(),
            commands: commands
                .iter()
                .filter_map(|id| tables.commands.get(id).map(|known| (*id, known.clone())))
                .collect(),
        })
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        self.0.write().write(plan);
        Ok(())
    }

    fn foreseen(&self) -> Option<Head> {
        let tables = self.0.read();
        let last = tables.sent.back().map(|(_, plan)| plan.head);
        Some(last.unwrap_or_else(|| tables.head()))
    }

    fn send(&mut self, forecast: &Forecast, plan: &Arc<Plan>) -> Result<(), LogError> {
        self.0.write().sent.push_back((forecast.standing(), plan.clone()));
        Ok(())
    }

    fn outcome(&mut self) -> BatchOutcome {
        let mut tables = self.0.write();
        match tables.sent.pop_front() {
            Some((foreseen, plan)) if tables.stand(&foreseen, &plan) => {
                tables.write(&plan);
                BatchOutcome::Written
            }
            Some(_) => BatchOutcome::Otherwise,
            None => BatchOutcome::Unseen(LogError::Closed),
        }
    }

    fn rollback(&mut self) {}

    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        Ok(position
            .checked_sub(1)
            .and_then(|place| self.0.read().events.get(index(place)).map(|event| event.chain)))
    }

    fn head(&mut self) -> Result<Head, LogError> {
        Ok(self.0.read().head())
    }

    fn tidy(&mut self, now: Moment) -> Result<bool, LogError> {
        self.0.write().commands.retain(|_, known| known.expires_at >= now);
        Ok(false)
    }
}
