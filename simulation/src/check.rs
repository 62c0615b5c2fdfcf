//! What must be true of every world: while it lasts (nothing promised is lost, nothing sold twice, nothing charged twice) and
//! when it has come to rest (nothing is left hanging, all books agree).

use std::collections::{BTreeMap, BTreeSet};

use api::gateway::IntentStatus;
use domain::aggregate::Decide;
use domain::gateway_event::GatewayEvent;
use domain::id::{InventoryId, PaymentId, StreamKey};
use domain::payment::{MessageKind, Payment, PaymentStatus, ledger};
use domain::room_stock::RoomStock;
use eventlog::{RecordedEvent, StreamId};
use uuid::Uuid;

use crate::world::World;

/// A promise that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Which invariant.
    pub(crate) name: &'static str,
    pub(crate) detail: String,
}

type Held = Result<(), Broken>;

fn must(name: &'static str, holds: bool, detail: impl FnOnce() -> String) -> Held {
    if holds {
        Ok(())
    } else {
        Err(Broken {
            name,
            detail: detail(),
        })
    }
}

/// The log as it is kept, and what else there is to compare it with.
pub(crate) struct Inspection<'w> {
    world: &'w World,
    events: Vec<RecordedEvent>,
}

impl<'w> Inspection<'w> {
    pub(crate) fn of(world: &'w World) -> Self {
        Self {
            world,
            events: world.kept.events(),
        }
    }

    /// Everything that must be true at any moment.
    ///
    /// # Errors
    /// The first thing that is not.
    pub(crate) fn always(&self) -> Held {
        self.order()?;
        self.promises()?;
        self.commands()?;
        self.notes()?;
        self.rooms()?;
        self.provider()?;
        self.books()
    }

    /// And what must be true once nothing is under way any more.
    ///
    /// # Errors
    /// The first thing that is not.
    pub(crate) fn at_rest(&self) -> Held {
        self.always()?;
        self.outbox()?;
        self.notices()?;
        self.payments()?;
        self.letters()
    }

    fn folded<A: Decide>(&self) -> BTreeMap<Uuid, A> {
        let mut states: BTreeMap<Uuid, A> = BTreeMap::new();
        for record in self.of_kind::<A>() {
            let event = record.decode::<A>().expect("what was written is readable");
            states.entry(record.stream.id).or_default().evolve(&event);
        }
        states
    }

    fn of_kind<A: Decide>(&self) -> impl Iterator<Item = &RecordedEvent> {
        self.events.iter().filter(|record| record.stream.kind == A::KIND)
    }

    /// 1, 2: positions and revisions have no gaps, and the chain is whole.
    fn order(&self) -> Held {
        let mut ends: BTreeMap<StreamId, u64> = BTreeMap::new();
        for (place, record) in (1..).zip(&self.events) {
            must("positions are dense", record.position == place, || {
                format!("{} stands at {place}", record.position)
            })?;
            let end = ends.entry(record.stream).or_default();
            *end += 1;
            must("revisions are dense", record.revision == *end, || {
                format!("{} has {} after {}", record.stream, record.revision, *end - 1)
            })?;
        }
        must("the chain is whole", self.world.kept.is_intact(), String::new)
    }

    /// 3: what was answered is in the log.
    fn promises(&self) -> Held {
        let there: BTreeSet<Uuid> = self.events.iter().map(|record| record.event_id).collect();
        for (command, events) in self.world.promised() {
            must("what was answered is kept", events.is_subset(&there), || {
                format!("command {command} lost an event")
            })?;
        }
        Ok(())
    }

    /// 4: one command is done once, in one place of the log.
    fn commands(&self) -> Held {
        let mut last: BTreeMap<Uuid, u64> = BTreeMap::new();
        for record in &self.events {
            let Some(command) = record.command_id else {
                continue;
            };
            if let Some(before) = last.insert(command, record.position) {
                must("a command is done once", before + 1 == record.position, || {
                    format!("{command} at {before} and at {}", record.position)
                })?;
            }
        }
        Ok(())
    }

    /// 4b: what somebody wrote once stands there once.
    fn notes(&self) -> Held {
        let added = self
            .events
            .iter()
            .filter(|record| record.event_type == "LeadNoteAdded");
        let added = added.count() as u64;
        must("a request counts once", added <= self.world.notes(), || {
            format!("{added} notes of {}", self.world.notes())
        })
    }

    /// 5: never more people than beds.
    fn rooms(&self) -> Held {
        for room in self.world.rooms() {
            let mut stock = RoomStock::default();
            let of_room = |record: &&RecordedEvent| record.stream.id == StreamKey::uuid(room.id);
            for record in self.of_kind::<RoomStock>().filter(of_room) {
                let event = record
                    .decode::<RoomStock>()
                    .expect("what was written is readable");
                stock.evolve(&event);
                let sold: BTreeSet<_> = stock.sold.values().map(|sold| sold.hold_id).collect();
                must("a bed is sold once", sold.len() <= room.beds as usize, || {
                    format!("{} sold {} of {} beds", room.id, sold.len(), room.beds)
                })?;
            }
        }
        Ok(())
    }

    /// 6, 7: one intent that is charged a payment, one charge an intent, and never more back than came in.
    fn provider(&self) -> Held {
        self.world.provider.books(|books| {
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

    /// 8: the ledger sums to zero with every event.
    fn books(&self) -> Held {
        let mut states: BTreeMap<Uuid, Payment> = BTreeMap::new();
        for record in self.of_kind::<Payment>() {
            let event = record.decode::<Payment>().expect("what was written is readable");
            let state = states.entry(record.stream.id).or_default();
            let entries = ledger::entries(state, &event);
            let (debit, credit) = entries.iter().fold((0, 0), |(debit, credit), entry| {
                (debit + entry.debit_minor, credit + entry.credit_minor)
            });
            must("the ledger sums to zero", debit == credit, || {
                format!("{} at {}", record.event_type, record.position)
            })?;
            state.evolve(&event);
        }
        Ok(())
    }

    /// 9: nothing waits for ever.
    fn outbox(&self) -> Held {
        let waiting = self.world.pad.waiting();
        must("the outbox is empty in the end", waiting.is_empty(), || {
            format!("{waiting:?}")
        })
    }

    /// 10: every notice that was answered is in the log, once.
    fn notices(&self) -> Held {
        let mut kept: BTreeMap<Uuid, usize> = BTreeMap::new();
        for record in self.of_kind::<GatewayEvent>() {
            *kept.entry(record.stream.id).or_default() += 1;
        }
        self.world.provider.books(|books| {
            for notice in books.notices.iter().filter(|notice| notice.answered) {
                let stream = api::gateway::notice::stream_of(&notice.id).uuid();
                let times = kept.get(&stream).copied().unwrap_or_default();
                must("a notice is kept once", times == 1, || {
                    format!("{} is kept {times} times", notice.id)
                })?;
            }
            Ok(())
        })
    }

    /// 11: the provider's books and ours say the same, and nobody is left between two steps.
    fn payments(&self) -> Held {
        let stocks = self.folded::<RoomStock>();
        for (id, payment) in self.folded::<Payment>() {
            let payment_id = PaymentId(id);
            let Some(terms) = &payment.terms else { continue };
            let stock = stocks.get(&InventoryId::uuid(terms.room_id));
            self.money(payment_id, &payment)?;
            let left = matches!(
                payment.status,
                PaymentStatus::InitLoading | PaymentStatus::Processing | PaymentStatus::Pending
            );
            must("no payment hangs", !left, || {
                format!("{payment_id} is {:?}", payment.status)
            })?;
            let is_sold = stock.is_some_and(|stock| stock.sold.contains_key(&payment_id));
            let is_held = stock.is_some_and(|stock| stock.holds.contains_key(&payment_id));
            must("no hold outlasts its time", !is_held, || payment_id.to_string())?;
            let is_theirs = payment.status == PaymentStatus::Success && !payment.refunded_in_full();
            must(
                "who paid has the room, and nobody else",
                is_sold == is_theirs,
                || format!("{payment_id} is {:?}, sold: {is_sold}", payment.status),
            )?;
            if !is_theirs && payment.captured_minor() > 0 {
                must(
                    "money without a room goes back",
                    payment.refunded_in_full(),
                    || payment_id.to_string(),
                )?;
            }
        }
        Ok(())
    }

    fn money(&self, payment_id: PaymentId, payment: &Payment) -> Held {
        let (captured, returned, open) = self.world.provider.books(|books| {
            let of_payment = |intent: &&crate::gateway::Intent| intent.request.payment_id == payment_id;
            let ids = books.intents.iter().filter(|(_, intent)| of_payment(intent));
            let returned: u64 = ids.map(|(id, _)| books.returned(id)).sum();
            let open = books.intents.values().filter(of_payment);
            let open = open.filter(|intent| intent.status == IntentStatus::Processing);
            (books.captured(payment_id), returned, open.count())
        });
        must("nothing settles any more", open == 0, || payment_id.to_string())?;
        must(
            "what was taken is what we know of",
            captured == payment.captured_minor(),
            || {
                format!(
                    "{payment_id}: {captured} there, {} here",
                    payment.captured_minor()
                )
            },
        )?;
        must(
            "what went back is what we know of",
            returned == payment.refunded_minor() && payment.refund_pending_minor() == 0,
            || {
                format!(
                    "{payment_id}: {returned} there, {} here",
                    payment.refunded_minor()
                )
            },
        )
    }

    /// 12: whoever paid has a receipt, and one.
    fn letters(&self) -> Held {
        let sent = self.world.post.sent();
        let receipts = sent.values().filter(|kind| **kind == "receipt").count();
        let paid = self
            .folded::<Payment>()
            .values()
            .filter(|payment| payment.messages.contains(&MessageKind::Receipt))
            .count();
        let succeeded = self
            .folded::<Payment>()
            .values()
            .filter(|payment| payment.succeeded_at.is_some())
            .count();
        must(
            "a receipt for each payment",
            receipts == paid && paid == succeeded,
            || format!("{receipts} sent, {paid} noted, {succeeded} paid"),
        )
    }
}
