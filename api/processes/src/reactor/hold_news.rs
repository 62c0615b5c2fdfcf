//! What an event of a room's stock means for the timer of holds.

use domain::id::PaymentId;
use domain::moment::Moment;
use domain::room_stock::RoomStockEvent;
use uuid::Uuid;

/// What an event of a room's stock means for the timer.
#[derive(Debug, Clone, Copy)]
pub struct HoldNews {
    pub room_id: Uuid,
    pub payment_id: PaymentId,
    /// `None` once it is over.
    pub ends: Option<Moment>,
}

impl HoldNews {
    pub(super) fn of(room_id: Uuid, event: &RoomStockEvent) -> Self {
        let (payment_id, ends) = match event {
            RoomStockEvent::HoldTaken {
                payment_id,
                expires_at,
                ..
            }
            | RoomStockEvent::HoldExtended {
                payment_id,
                expires_at,
                ..
            }
            | RoomStockEvent::HoldShortened {
                payment_id,
                expires_at,
                ..
            }
            | RoomStockEvent::PlaceOffered {
                payment_id,
                expires_at,
            } => (*payment_id, Some(*expires_at)),
            RoomStockEvent::HoldKept { payment_id, .. }
            | RoomStockEvent::HoldReleased { payment_id, .. }
            | RoomStockEvent::HoldExpired { payment_id, .. }
            | RoomStockEvent::HoldYielded { payment_id, .. }
            | RoomStockEvent::RoomSold { payment_id, .. }
            | RoomStockEvent::RoomTakenBack { payment_id, .. }
            | RoomStockEvent::WaitlistJoined { payment_id, .. }
            | RoomStockEvent::WaitlistLeft { payment_id, .. }
            | RoomStockEvent::PlaceLapsed { payment_id }
            | RoomStockEvent::PlaceClosed { payment_id }
            | RoomStockEvent::PlaceTaken { payment_id, .. }
            | RoomStockEvent::PlaceMovedUp { payment_id, .. } => (*payment_id, None),
        };
        Self {
            room_id,
            payment_id,
            ends,
        }
    }
}
