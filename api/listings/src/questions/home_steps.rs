//! The history of a home, step by step: what each changed, who did it and why, and whether it can be undone. All events of one act are one
//! step. Read from the home's own stream.

use std::collections::BTreeMap;

use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::change_kind::ChangeKind;
use domain::inventory::facts::{Fact, FactKey};
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryEvent};
use domain::moment::Moment;
use domain::room_stock::RoomStock;
use eventlog::{Actor, EventLog, LogError, Position, RecordedEvent, StreamId};
use uuid::Uuid;

use crate::commands::act_on_home::HomeAct;

/// Events of one home, far more than any has.
const EVENTS_MAX: usize = 1_000_000;

/// A fact before and after a step; `None` where the home had no such fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    pub before: Option<Fact>,
    pub after: Option<Fact>,
}

impl FactChange {
    /// Which fact.
    pub fn key(&self) -> Option<FactKey> {
        self.after.as_ref().or(self.before.as_ref()).map(Fact::key)
    }
}

/// One act on a home.
#[derive(Debug, Clone)]
pub struct HomeStep {
    /// Of its last event: an undo names it.
    pub position: Position,
    pub at: Moment,
    pub actor: Actor,
    /// The request, or the run of a feed, that it came with.
    pub correlation_id: Uuid,
    pub kind: ChangeKind,
    /// `None` where nobody gave one, and once who gave it was forgotten.
    pub reason: Option<String>,
    /// None of them for the first listing.
    pub changes: Vec<FactChange>,
    before: HomeState,
    after: HomeState,
}

/// Why a step is not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// A home is not unlisted: it is closed.
    Listed,
    /// A home that was let once is paused or closed, not a draft again.
    WasLet,
    /// A home that was paused before it closed is opened first, and paused then.
    OpenByHand,
    /// A merged or deleted home is not there any more.
    Final,
    /// Rooms or leases came or went.
    RoomsChanged,
    /// Something of it was changed since.
    ChangedSince,
    /// Fewer rooms than are booked or held would be left.
    Booked,
    NothingToUndo,
}

/// The way to undo a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undo {
    Act(HomeAct),
    Edit { set: Vec<Fact>, unset: Vec<FactKey> },
}

/// A home with its history.
#[derive(Debug, Clone)]
pub struct HomeSteps {
    pub home: Inventory,
    /// Of its last event.
    pub position: Position,
    /// The first one first.
    pub steps: Vec<HomeStep>,
}

impl HomeSteps {
    /// The step that ends at a position.
    pub fn find(&self, position: Position) -> Option<&HomeStep> {
        self.steps.iter().find(|step| step.position == position)
    }

    /// Plans the undo of a step.
    ///
    /// # Errors
    /// The reason why nothing does.
    pub fn plan_undo(&self, step: &HomeStep) -> Result<Undo, WhyNot> {
        match step.kind {
            ChangeKind::Listed => return Err(WhyNot::Listed),
            ChangeKind::Merged | ChangeKind::Deleted => return Err(WhyNot::Final),
            ChangeKind::RoomsChanged => return Err(WhyNot::RoomsChanged),
            _ => {}
        }
        if self.home.state == HomeState::Deleted {
            return Err(WhyNot::Final);
        }
        if step.before != step.after {
            return self.plan_state(step);
        }
        if step.changes.is_empty() {
            return Err(WhyNot::NothingToUndo);
        }
        let (mut set, mut unset) = (Vec::new(), Vec::new());
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else {
                return Err(WhyNot::RoomsChanged);
            };
            let key = after.key();
            if self.home.fact(&key).as_ref() != Some(after) {
                return Err(WhyNot::ChangedSince);
            }
            // The source's own value needs no person's over it.
            if self.home.fact_beneath(&key) == Some(before) {
                unset.push(key);
            } else {
                set.push(before.clone());
            }
        }
        Ok(Undo::Edit { set, unset })
    }

    fn plan_state(&self, step: &HomeStep) -> Result<Undo, WhyNot> {
        if self.home.state != step.after {
            return Err(WhyNot::ChangedSince);
        }
        let act = match (step.before, step.after) {
            (HomeState::Active, HomeState::Paused { .. } | HomeState::Closed { .. }) => HomeAct::Reopen,
            (HomeState::Paused { reopens_on }, HomeState::Active | HomeState::Paused { .. }) => {
                HomeAct::Pause { reopens_on }
            }
            (HomeState::Closed { .. }, HomeState::Active) => HomeAct::Close,
            (HomeState::InReview, HomeState::ChangesAsked) => HomeAct::Submit,
            (HomeState::Paused { .. }, HomeState::Closed { .. }) => return Err(WhyNot::OpenByHand),
            _ => return Err(WhyNot::WasLet),
        };
        Ok(Undo::Act(act))
    }
}

/// True for an undo that would leave fewer rooms of a type than are booked or held for some night.
///
/// # Errors
/// When the log cannot be read.
pub async fn is_booked_above(
    log: &EventLog,
    home: &Inventory,
    undo: &Undo,
    at: Moment,
) -> Result<bool, LogError> {
    let Undo::Edit { set, unset } = undo else {
        return Ok(false);
    };
    let back = unset.iter().filter_map(|key| home.fact_beneath(key));
    for fact in set.iter().chain(back) {
        if let Fact::RoomCount { room, rooms, .. } = fact {
            let stock = log.load::<RoomStock>(*room).await?.state;
            if !stock.taken_above(*rooms, at).is_empty() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Reads a home with its history; `None` where there is none.
///
/// # Errors
/// When the log cannot be read.
pub async fn read_home_steps(log: &EventLog, home_id: InventoryId) -> Result<Option<HomeSteps>, LogError> {
    let stream = StreamId::of::<Inventory>(home_id);
    let mut folding = Folding::default();
    for event in log.read_stream(&stream, 0, EVENTS_MAX).await? {
        let happened = event.decode::<Inventory>();
        let happened: InventoryEvent = happened.map_err(|source| LogError::Unreadable {
            position: event.position,
            source,
        })?;
        folding.take(&event, &happened);
    }
    folding.end_step();
    let Folding {
        home,
        position,
        steps,
        ..
    } = folding;
    let is_listed = home.property.is_some();
    Ok(is_listed.then_some(HomeSteps {
        home,
        position,
        steps,
    }))
}

/// An act whose events are being read.
struct Open {
    step: HomeStep,
    facts: BTreeMap<FactKey, Fact>,
    is_told: bool,
}

#[derive(Default)]
struct Folding {
    home: Inventory,
    position: Position,
    steps: Vec<HomeStep>,
    open: Option<Open>,
}

impl Folding {
    fn take(&mut self, event: &RecordedEvent, happened: &InventoryEvent) {
        let is_same = |open: &Open| {
            let known = &open.step;
            (known.correlation_id, known.actor, known.at)
                == (event.correlation_id, event.actor, event.occurred_at)
        };
        if !self.open.as_ref().is_some_and(is_same) {
            self.end_step();
            self.open = Some(self.begin_step(event));
        }
        self.home.evolve(happened);
        self.position = event.position;
        let Some(open) = &mut self.open else { return };
        open.step.position = event.position;
        if let Some((_, reason)) = happened.reason() {
            // Who adds a photo gives none.
            open.step.reason = reason.get().filter(|text| !text.is_empty()).cloned();
        }
        if let Some(kind) = ChangeKind::of(happened) {
            open.is_told = true;
            open.step.kind = open.step.kind.then(kind);
        }
    }

    fn begin_step(&self, event: &RecordedEvent) -> Open {
        let facts = self.home.facts();
        Open {
            step: HomeStep {
                position: event.position,
                at: event.occurred_at,
                actor: event.actor,
                correlation_id: event.correlation_id,
                kind: ChangeKind::Other,
                reason: None,
                changes: Vec::new(),
                before: self.home.state,
                after: self.home.state,
            },
            facts: by_key(facts),
            is_told: false,
        }
    }

    fn end_step(&mut self) {
        let Some(open) = self.open.take() else { return };
        let Open {
            mut step,
            facts,
            is_told,
        } = open;
        step.after = self.home.state;
        if step.kind != ChangeKind::Listed {
            step.changes = compare(facts, by_key(self.home.facts()));
        }
        if matches!(step.kind, ChangeKind::Changed | ChangeKind::Other) {
            let came_or_went = |change: &FactChange| {
                let is_text = change.key().is_some_and(|key| key.unwritten().is_some());
                !is_text && (change.before.is_none() || change.after.is_none())
            };
            if step.changes.iter().any(came_or_went) {
                step.kind = ChangeKind::RoomsChanged;
            }
        }
        if is_told {
            self.steps.push(step);
        }
    }
}

fn by_key(facts: Vec<Fact>) -> BTreeMap<FactKey, Fact> {
    facts.into_iter().map(|fact| (fact.key(), fact)).collect()
}

fn compare(mut before: BTreeMap<FactKey, Fact>, after: BTreeMap<FactKey, Fact>) -> Vec<FactChange> {
    let mut changes = Vec::new();
    for (key, now) in after {
        let known = before.remove(&key);
        if known.as_ref() != Some(&now) {
            changes.push(FactChange {
                before: known.or_else(|| key.unwritten()),
                after: Some(now),
            });
        }
    }
    let gone = before.into_iter().map(|(key, known)| FactChange {
        before: Some(known),
        after: key.unwritten(),
    });
    changes.extend(gone);
    changes
}
