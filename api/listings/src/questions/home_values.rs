//! The values of a home: what is shown, what its source says and what a person set, each with when and by whom (N2, U6). Read from the
//! home's own stream, which alone holds all of it.

use std::collections::BTreeMap;

use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::facts::{Fact, FactKey};
use domain::inventory::{Inventory, InventoryEvent};
use domain::moment::Moment;
use eventlog::{Actor, EventLog, Loaded, LogError, Position, RecordedEvent, StreamId};
use uuid::Uuid;

/// Events of one home, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

/// When a value was said, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub position: Position,
    pub at: Moment,
    pub actor: Actor,
    /// The request, or the run of a feed, that it came with.
    pub correlation_id: Uuid,
}

/// A value that somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub fact: Fact,
    pub origin: Origin,
}

/// A person's edit of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub origin: Origin,
    /// `None` once the editor was forgotten.
    pub reason: Option<String>,
}

/// A fact of a home with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeValue {
    pub shown: Said,
    /// The source's own; `None` where it says nothing.
    pub source: Option<Said>,
    /// The edit that stands over it.
    pub edited: Option<Edited>,
}

/// A home with all its values.
#[derive(Debug, Clone)]
pub struct HomeValues {
    pub home: Loaded<Inventory>,
    /// Of its last event.
    pub position: Position,
    pub listed_at: Moment,
    /// When anything of it was changed last.
    pub changed_at: Moment,
    pub values: Vec<HomeValue>,
    /// Facts that were shown once and are no more, such as the price of a lease that is let no longer, with where each of them ended.
    pub gone: BTreeMap<FactKey, Position>,
}

impl HomeValues {
    /// The feed that is its source.
    pub fn feed(&self) -> Option<&str> {
        let source = self.home.state.property.as_deref()?.source.as_ref()?;
        Some(&source.feed)
    }

    /// The values that are shown since a later position than this.
    pub fn list_changed_after(&self, position: Position) -> Vec<HomeValue> {
        let changed = self.values.iter();
        let changed = changed.filter(|value| value.shown.origin.position > position);
        changed.cloned().collect()
    }

    /// The facts that ended at a later position than this.
    pub fn list_gone_after(&self, position: Position) -> Vec<FactKey> {
        let gone = self.gone.iter().filter(|(_, at)| **at > position);
        gone.map(|(key, _)| key.clone()).collect()
    }
}

/// Reads a home with its values; `None` where there is none.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_home_values(log: &EventLog, home_id: InventoryId) -> Result<Option<HomeValues>, LogError> {
    let stream = StreamId::of::<Inventory>(home_id);
    let mut folding = Folding::new();
    for event in log.read_stream(&stream, 0, EVENTS_MAX).await? {
        let happened = event.decode::<Inventory>();
        let happened: InventoryEvent = happened.map_err(|source| LogError::Unreadable {
            position: event.position,
            source,
        })?;
        folding.take(&event, &happened);
    }
    Ok(folding.finish())
}

/// The last word on each fact.
#[derive(Default)]
struct Words(BTreeMap<FactKey, Said>);

impl Words {
    /// Takes in the facts as they are after an event: what it changed, it said. Gives those that it ended.
    fn follow(&mut self, facts: Vec<Fact>, origin: &Origin) -> Vec<FactKey> {
        let mut now = BTreeMap::new();
        for fact in facts {
            let key = fact.key();
            let known = self.0.remove(&key).filter(|said| said.fact == fact);
            let said = known.unwrap_or_else(|| Said {
                fact,
                origin: origin.clone(),
            });
            now.insert(key, said);
        }
        std::mem::replace(&mut self.0, now).into_keys().collect()
    }
}

struct Folding {
    home: Loaded<Inventory>,
    position: Position,
    /// When its first and its last event happened.
    span: Option<(Moment, Moment)>,
    shown: Words,
    source: Words,
    edited: BTreeMap<FactKey, Edited>,
    gone: BTreeMap<FactKey, Position>,
}

impl Folding {
    fn new() -> Self {
        Self {
            home: Loaded::beginning(),
            position: 0,
            span: None,
            shown: Words::default(),
            source: Words::default(),
            edited: BTreeMap::new(),
            gone: BTreeMap::new(),
        }
    }

    fn take(&mut self, event: &RecordedEvent, happened: &InventoryEvent) {
        use InventoryEvent as E;
        self.home.state.evolve(happened);
        self.home.revision = event.revision;
        self.home.last_event = Some(event.event_id);
        self.position = event.position;
        let first = self.span.map_or(event.occurred_at, |(first, _)| first);
        self.span = Some((first, event.occurred_at));
        let origin = Origin {
            position: event.position,
            at: event.occurred_at,
            actor: event.actor,
            correlation_id: event.correlation_id,
        };
        match happened {
            E::FactsSet { facts, reason, .. } => {
                let edited = Edited {
                    origin,
                    reason: reason.get().cloned(),
                };
                let keys = facts.iter().map(Fact::key);
                self.edited.extend(keys.map(|key| (key, edited.clone())));
            }
            E::PropertyListed { .. }
            | E::PropertyDetailsChanged { .. }
            | E::RoomListed { .. }
            | E::RoomDetailsChanged { .. }
            | E::RoomWithdrawn { .. }
            | E::RoomPriced { .. } => {
                let home = &self.home.state;
                let ended = self.shown.follow(home.facts(), &origin);
                self.gone.retain(|key, _| !self.shown.0.contains_key(key));
                self.gone
                    .extend(ended.into_iter().map(|key| (key, origin.position)));
                self.source.follow(home.sourced().facts(), &origin);
            }
            _ => {}
        }
    }

    fn finish(self) -> Option<HomeValues> {
        let Self {
            home,
            position,
            span,
            mut shown,
            mut source,
            mut edited,
            gone,
        } = self;
        home.state.property.as_deref()?;
        let (listed_at, changed_at) = span?;
        let mut values = Vec::new();
        for key in home.state.facts().iter().map(Fact::key) {
            let Some(said) = shown.0.remove(&key) else {
                continue;
            };
            // An edit that the source has overtaken stands over nothing.
            let stands = home.state.fact_beneath(&key).is_some();
            values.push(HomeValue {
                shown: said,
                source: source.0.remove(&key),
                edited: edited.remove(&key).filter(|_| stands),
            });
        }
        Some(HomeValues {
            home,
            position,
            listed_at,
            changed_at,
            values,
            gone,
        })
    }
}
