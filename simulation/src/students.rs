//! What people do: enquire, open a payment in one tab or two, press Pay, press it again, give up, ask for their money back.

use domain::aggregate::Decide;
use domain::id::{PaymentId, RefundId, StreamKey};
use domain::inventory::{Inventory, InventoryCommand};
use domain::lead::{Lead, LeadCommand};
use domain::payment::{BookingChoice, Payment, PaymentCommand, PaymentStatus, RefundCommand, RequestedBy};
use eventlog::{Actor, CommitError, Committed, Context, commit};
use platform::clock;
use uuid::Uuid;

use crate::fate;
use crate::gateway::Card;
use crate::homes::{LATER, Person, Room};
use crate::planted::Planted;
use crate::world::World;

/// How often somebody sends a request again before they give up.
const TRIES: u32 = 40;
/// How often a payer looks at the page.
const LOOKS: u32 = 150;

/// One person's evening.
pub(crate) async fn live(world: World, person: Person) {
    fate::dawdle(60_000).await;
    let room = world.some_room();
    let now = clock::now();
    let enquired = ask::<Lead>(&world, person.lead, person.enquiry(room, now), "enquire").await;
    if enquired.is_none() {
        return;
    }
    for attempt in 0..=fate::below(2) {
        let payment = person.payment(room, attempt);
        if fate::percent(20) {
            feed(&world, room).await;
        }
        let opening = person.opening(room, room.some_stay(), clock::now());
        ask::<Payment>(&world, payment, opening, "open").await;
        if fate::percent(30) {
            futures::join!(
                pay(&world, person, room, payment),
                pay(&world, person, room, payment)
            );
        } else {
            pay(&world, person, room, payment).await;
        }
        if fate::percent(50) {
            let note = LeadCommand::Note {
                note_id: clock::new_id(),
                note: "rang to ask about the bed".to_owned(),
                mentions: vec![],
                at: clock::now(),
            };
            world.noted();
            ask::<Lead>(&world, person.lead, note, &format!("note {attempt}")).await;
        }
        if fate::percent(40) {
            refund(&world, payment).await;
        }
    }
}

/// The provider's next feed lists the same rooms from other days on, or from the first ones again.
async fn feed(world: &World, room: Room) {
    let leases = room.leases(LATER * fate::below(2));
    let offer = InventoryCommand::OfferLeases {
        room: room.id,
        offer: leases.into(),
    };
    ask::<Inventory>(world, room.home, offer, &format!("feed {}", Uuid::now_v7())).await;
}

async fn pay(world: &World, person: Person, room: Room, payment: PaymentId) {
    let proved_by = fate::percent(60).then_some(person.user);
    let begin = PaymentCommand::Begin {
        at: clock::now(),
        capacity: room.beds,
        proved_by,
        device: None,
    };
    ask::<Payment>(world, payment, begin, "begin").await;
    for look in 0..LOOKS {
        fate::dawdle(3_000).await;
        let Some(state) = world.payment(payment).await else {
            continue;
        };
        let name = format!("{look}");
        match state.status {
            PaymentStatus::Initiated if fate::percent(4) => {
                let cancel = PaymentCommand::Cancel { at: clock::now() };
                ask::<Payment>(world, payment, cancel, &name).await;
                return;
            }
            // Went to make tea.
            PaymentStatus::Initiated if fate::percent(4) => return,
            PaymentStatus::Initiated => press(world, payment, &name).await,
            PaymentStatus::Failed | PaymentStatus::InitFailure if fate::percent(70) => {
                let retry = PaymentCommand::Retry {
                    at: clock::now(),
                    capacity: room.beds,
                    proved_by,
                };
                ask::<Payment>(world, payment, retry, &name).await;
            }
            PaymentStatus::Failed
            | PaymentStatus::InitFailure
            | PaymentStatus::SoldOut
            | PaymentStatus::Success => return,
            PaymentStatus::Init
            | PaymentStatus::InitLoading
            | PaymentStatus::Processing
            | PaymentStatus::Pending => {}
        }
    }
}

async fn press(world: &World, payment: PaymentId, name: &str) {
    let confirm = PaymentCommand::Confirm { at: clock::now() };
    let Some(confirmed) = ask::<Payment>(world, payment, confirm, name).await else {
        return;
    };
    let card = match fate::below(10) {
        0..=5 => Card::Good,
        6 | 7 => Card::Bad,
        8 => Card::SlowGood,
        _ => Card::SlowBad,
    };
    if let Some(intent) = confirmed.state.intent {
        fate::dawdle(500).await;
        world.provider.charge(&intent.id, card);
    }
}

async fn refund(world: &World, payment: PaymentId) {
    let Some(state) = world.payment(payment).await else {
        return;
    };
    let left = state.refundable_minor();
    if left == 0 {
        return;
    }
    let part = if fate::percent(50) {
        left
    } else {
        1 + fate::below(left)
    };
    let request = RefundCommand::Request {
        refund_id: RefundId(Uuid::now_v7()),
        amount_minor: part,
        note: "asked for".to_owned(),
        by: RequestedBy::Rule,
        booking: match fate::below(3) {
            0 => None,
            1 => Some(BookingChoice::Keep),
            _ => Some(BookingChoice::Cancel),
        },
        ask: None,
        limit_minor: None,
        at: clock::now(),
    };
    ask::<Payment>(world, payment, PaymentCommand::Refund(request), "refund").await;
}

/// A request as a browser sends it: with a key, and again under the same key until there is an answer. What was answered
/// is written down as promised.
async fn ask<A: Decide>(
    world: &World,
    key: impl StreamKey,
    command: A::Command,
    name: &str,
) -> Option<Committed<A>> {
    let body = format!("{} {name} {}", A::KIND, key.uuid());
    let mut id = Uuid::now_v7();
    for _ in 0..TRIES {
        let Some((log, mut killed)) = world.server() else {
            fate::dawdle(2_000).await;
            continue;
        };
        if world.planted == Some(Planted::KeysForgotten) {
            id = Uuid::now_v7();
        }
        let context = Context::new(clock::now(), Actor::VISITOR).command(id, body.as_bytes());
        let answer = tokio::select! {
            biased;
            _ = killed.wait_for(|killed| *killed) => None,
            answer = commit::<A>(&log, key, command.clone(), &context) => Some(answer),
        };
        match answer {
            // The answer was lost on its way: it counts for nothing, and the request is sent again.
            Some(Ok(_)) if fate::percent(10) => {}
            Some(Ok(committed)) => {
                world.promise(id, &committed.event_ids);
                return Some(committed);
            }
            Some(Err(CommitError::Rejected(_) | CommitError::CommandReused)) => return None,
            Some(Err(CommitError::Busy | CommitError::Conflict { .. } | CommitError::Log(_))) | None => {
                fate::dawdle(2_000).await;
            }
        }
    }
    None
}
