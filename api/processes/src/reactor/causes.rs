//! Whose event it is, and what its follow-ups are told of it.

use chrono::TimeDelta;
use domain::aggregate::Decide;
use domain::booking_form::BookingForm;
use domain::case::Case;
use domain::gateway_event::{GatewayEvent, GatewayEventEvent};
use domain::id::{HoldId, RefundId};
use domain::inventory::{Inventory, InventoryEvent};
use domain::lead::Lead;
use domain::payment::Payment;
use domain::policy::Cause;
use domain::room_stock::{RoomStock, RoomStockEvent};
use domain::second_factor::SecondFactor;
use domain::user::User;
use eventlog::{Actor, RecordedEvent};
use platform::clock;
use uuid::Uuid;

/// The payment, lead, person or room an event is about: what one's events lead to happens in their order.
pub(super) fn concerned(event: &RecordedEvent) -> Option<Uuid> {
    match event.stream.kind {
        Payment::KIND | Lead::KIND | BookingForm::KIND | User::KIND | Case::KIND | SecondFactor::KIND => {
            Some(event.stream.id)
        }
        RoomStock::KIND => event.decode::<RoomStock>().ok().map(|happened| match happened {
            RoomStockEvent::HoldTaken { payment_id, .. }
            | RoomStockEvent::HoldExtended { payment_id, .. }
            | RoomStockEvent::HoldShortened { payment_id, .. }
            | RoomStockEvent::HoldKept { payment_id, .. }
            | RoomStockEvent::HoldReleased { payment_id, .. }
            | RoomStockEvent::HoldExpired { payment_id, .. }
            | RoomStockEvent::HoldYielded { payment_id, .. }
            | RoomStockEvent::RoomSold { payment_id, .. }
            | RoomStockEvent::RoomTakenBack { payment_id, .. }
            | RoomStockEvent::WaitlistJoined { payment_id, .. }
            | RoomStockEvent::WaitlistLeft { payment_id, .. }
            | RoomStockEvent::PlaceOffered { payment_id, .. }
            | RoomStockEvent::PlaceLapsed { payment_id }
            | RoomStockEvent::PlaceClosed { payment_id }
            | RoomStockEvent::PlaceTaken { payment_id, .. }
            | RoomStockEvent::PlaceMovedUp { payment_id, .. } => payment_id.0,
        }),
        GatewayEvent::KIND => match event.decode_sealed::<GatewayEvent>().ok()? {
            GatewayEventEvent::GatewayEventReceived { payment_id, .. } => payment_id.map(|id| id.0),
            GatewayEventEvent::NoticeMatched { payment_id, .. } => Some(payment_id.0),
            GatewayEventEvent::NoticeChecked { .. }
            | GatewayEventEvent::NoticeDismissed { .. }
            | GatewayEventEvent::BalanceLineRead(_)
            | GatewayEventEvent::PayoutRead(_) => None,
        },
        // A price list is written for each room, and says how many rooms there are; whether a home is let concerns all of them.
        Inventory::KIND => match event.decode_sealed::<Inventory>().ok()? {
            InventoryEvent::RoomPriced { room, .. } => Some(room.0),
            InventoryEvent::PropertyReopened {}
            | InventoryEvent::PropertyClosed { .. }
            | InventoryEvent::PropertyMerged { .. }
            | InventoryEvent::PropertyDeleted {} => Some(event.stream.id),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn cause(event: &RecordedEvent, hold_for: TimeDelta) -> Cause {
    Cause {
        hold_for,
        at: clock::now(),
        hold_id: HoldId(event.event_id),
        refund_id: RefundId(event.event_id),
    }
}

/// What the gateway told is recorded as the gateway's; everything else follows from a rule.
pub(super) fn actor(event: &RecordedEvent) -> Actor {
    if event.stream.kind == GatewayEvent::KIND {
        Actor::GATEWAY
    } else {
        Actor::RULE
    }
}
