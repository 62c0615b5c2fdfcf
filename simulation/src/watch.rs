//! What must be true of a world at every moment, looked at after every batch of the log: nothing promised is lost, nothing
//! sold twice, nothing charged twice.

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::id::{PaymentId, StreamKey};
use domain::lease::Stay;
use domain::payment::{Payment, ledger};
use domain::room_stock::RoomStock;
use eventlog::{Anchor, Position, RecordedEvent, StreamId};
use gateway::IntentStatus;
use uuid::Uuid;

use crate::check::{Held, must};
use crate::world::World;

/// The log folded as far as it was looked at.
pub(crate) struct Watch {
    end: Anchor,
    revisions: BTreeMap<StreamId, u64>,
    there: BTreeSet<Uuid>,
    /// Where the last event of each command stands.
    commands: BTreeMap<Uuid, Position>,
    notes: u64,
    stocks: BTreeMap<Uuid, RoomStock>,
    payments: BTreeMap<Uuid, Payment>,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            end: Anchor::GENESIS,
            revisions: BTreeMap::new(),
            there: BTreeSet::new(),
            commands: BTreeMap::new(),
            notes: 0,
            stocks: BTreeMap::new(),
            payments: BTreeMap::new(),
        }
    }
}

impl Watch {
    /// Looks at what came since the last look, and at what was promised and charged by now.
    ///
    /// # Errors
    /// The first thing that is not as it must be.
    pub(crate) fn look(&mut self, world: &World) -> Held {
        let events = world.kept.events_after(self.end.position);
        for (place, record) in (self.end.position + 1..).zip(&events) {
            self.order(place, record)?;
            self.command(record)?;
            self.note(world, record)?;
            self.bed(world, record)?;
            self.books(record)?;
        }
        let end = world.kept.intact_since(self.end);
        must("the chain is whole", end.is_some(), String::new)?;
        self.end = end.unwrap_or(self.end);
        self.promises(world)?;
        provider(world)
    }

    /// 1, 2: positions and revisions have no gaps, and the chain is whole.
    fn order(&mut self, place: Position, record: &RecordedEvent) -> Held {
        must("positions are dense", record.position == place, || {
            format!("{} stands at {place}", record.position)
        })?;
        let end = self.revisions.entry(record.stream).or_default();
        *end += 1;
        must("revisions are dense", record.revision == *end, || {
            format!("{} has {} after {}", record.stream, record.revision, *end - 1)
        })?;
        self.there.insert(record.event_id);
        Ok(())
    }

    /// 3: what was answered is in the log.
    fn promises(&self, world: &World) -> Held {
        for (command, events) in world.promised() {
            must("what was answered is kept", events.is_subset(&self.there), || {
                format!("command {command} lost an event")
            })?;
        }
        Ok(())
    }

    /// 4: one command is done once, in one place of the log.
    fn command(&mut self, record: &RecordedEvent) -> Held {
        let Some(command) = record.command_id else {
            return Ok(());
        };
        let before = self.commands.insert(command, record.position);
        let follows = before.is_none_or(|before| before + 1 == record.position);
        must("a command is done once", follows, || {
            format!("{command} at {before:?} and at {}", record.position)
        })
    }

    /// 4b: what somebody wrote once stands there once.
    fn note(&mut self, world: &World, record: &RecordedEvent) -> Held {
        self.notes += u64::from(record.event_type == "LeadNoteAdded");
        must("a request counts once", self.notes <= world.notes(), || {
            format!("{} notes of {}", self.notes, world.notes())
        })
    }

    /// 5: never more people than beds, in any night; counted on the nights on which somebody moves in, for fewer are full before.
    fn bed(&mut self, world: &World, record: &RecordedEvent) -> Held {
        let Some(event) = of_kind::<RoomStock>(record) else {
            return Ok(());
        };
        let stock = self.stocks.entry(record.stream.id).or_default();
        stock.evolve(&event);
        let mut rooms = world.rooms().iter();
        let Some(room) = rooms.find(|room| StreamKey::uuid(room.id) == record.stream.id) else {
            return Ok(());
        };
        let sold: BTreeMap<_, _> = stock
            .sold
            .values()
            .filter_map(|sold| Some((sold.hold_id, sold.stay?)))
            .collect();
        let fullest = sold.values().map(|begun| {
            let there = |stay: &&Stay| stay.move_in <= begun.move_in && begun.move_in < stay.ends();
            sold.values().filter(there).count()
        });
        let fullest = fullest.max().unwrap_or_default();
        must("a bed is sold once", fullest <= room.beds as usize, || {
            format!("{} sold {fullest} of {} beds for one night", room.id, room.beds)
        })
    }

    /// 8: the ledger sums to zero with every event.
    fn books(&mut self, record: &RecordedEvent) -> Held {
        let Some(event) = of_kind::<Payment>(record) else {
            return Ok(());
        };
        let state = self.payments.entry(record.stream.id).or_default();
        let entries = ledger::entries(state, &event);
        let (debit, credit) = entries.iter().fold((0, 0), |(debit, credit), entry| {
            (debit + entry.debit_minor, credit + entry.credit_minor)
        });
        state.evolve(&event);
        must("the ledger sums to zero", debit == credit, || {
            format!("{} at {}", record.event_type, record.position)
        })
    }
}

/// The event, where its stream is of this kind.
fn of_kind<A: Decide>(record: &RecordedEvent) -> Option<A::Event> {
    (record.stream.kind == A::KIND).then(|| record.decode::<A>().expect("what was written is readable"))
}

/// 6, 7: one intent that is charged a payment, one charge an intent, and never more back than came in.
fn provider(world: &World) -> Held {
    world.provider.books(|books| {
        let mut intents: BTreeMap<PaymentId, usize> = BTreeMap::new();
        for (id, intent) in &books.intents {
            // One that nobody was told of, because the answer was lost, cannot be paid.
            let is_used = matches!(intent.status, IntentStatus::Processing | IntentStatus::Succeeded);
            *intents.entry(intent.request.payment_id).or_default() += usize::from(is_used);
            must("a payer is charged once", intent.charges.len() <= 1, || {
                format!("{id} was charged {} times", intent.charges.len())
            })?;
            let captured: u64 = intent.charges.values().sum();
            must(
                "no more goes back than came in",
                books.returned(id) <= captured,
                || id.clone(),
            )?;
        }
        let doubled = intents.iter().find(|(_, count)| **count > 1);
        must("a payment is charged by one intent", doubled.is_none(), || {
            format!("{doubled:?}")
        })
    })
}
