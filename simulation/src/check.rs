//! What must be true of every world when it has come to rest: nothing is left hanging, all books agree.

use std::collections::BTreeMap;

use domain::aggregate::Decide;
use domain::gateway_event::GatewayEvent;
use domain::id::{InventoryId, PaymentId, StreamKey};
use domain::payment::{MessageKind, Payment, PaymentStatus};
use domain::room_stock::RoomStock;
use eventlog::RecordedEvent;
use gateway::IntentStatus;
use uuid::Uuid;

use crate::watch::Watch;
use crate::world::World;

/// A promise that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Which invariant.
    pub(crate) name: &'static str,
    pub(crate) detail: String,
}

pub(crate) type Held = Result<(), Broken>;

pub(crate) fn must(name: &'static str, holds: bool, detail: impl FnOnce() -> String) -> Held {
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
            events: world.kept.events_after(0),
        }
    }

    /// Everything that must be true at any moment, from the log's first event on, and what must be true once nothing is under
    /// way any more.
    ///
    /// # Errors
    /// The first thing that is not.
    pub(crate) fn at_rest(&self) -> Held {
        Watch::default().look(self.world)?;
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
                let stream = gateway::notice::stream_of(&notice.id).uuid();
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
            let is_theirs = payment.status == PaymentStatus::Success && !payment.gives_room_back();
            must(
                "who paid has the room, and nobody else",
                is_sold == is_theirs,
                || format!("{payment_id} is {:?}, sold: {is_sold}", payment.status),
            )?;
            if !is_theirs && payment.captured_minor() > 0 {
                must(
                    "money without a room goes back",
                    payment.returned_in_full() || payment.gives_room_back(),
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
        let receipts = sent.values().filter(|kind| kind.starts_with("receipt")).count();
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
