//! What follows from an event of a room's stock.

use super::{Cause, Effect, FollowUp};
use crate::id::{InventoryId, PaymentId, UserId};
use crate::inventory::on_offer::OnOffer;
use crate::payment::terms::Terms;
use crate::payment::{MessageKind, PaymentCommand, SoldOutReason};
use crate::room_stock::{HoldRequest, RoomStockCommand, RoomStockEvent};

/// An offer to a place in the waitlist is good for three times as long as a hold, and never ends before ten o'clock of the student's next
/// morning (U1).
pub const OFFER_HOLDS: i32 = 3;

/// Rooms may have come free: each is offered to the first place of its waitlist. Where the home is let no longer, its places end.
pub fn offer_rooms(room_id: InventoryId, cause: Cause) -> FollowUp {
    FollowUp::OfferRooms {
        room_id,
        at: cause.at,
        offer_for: cause.hold_for * OFFER_HOLDS,
    }
}

/// What ends a payment's claim reaches it, and a room that comes free is offered to the first place of its waitlist.
pub fn after_stock(room_id: InventoryId, event: &RoomStockEvent, cause: Cause) -> Vec<FollowUp> {
    let offer = offer_rooms(room_id, cause);
    match event {
        RoomStockEvent::HoldExpired { hold_id, payment_id } => {
            let lost = PaymentCommand::SellOut {
                hold_id: Some(*hold_id),
                reason: SoldOutReason::HoldLost,
            };
            vec![FollowUp::Payment(*payment_id, lost), offer]
        }
        RoomStockEvent::HoldYielded { hold_id, payment_id } => {
            let gone = PaymentCommand::SellOut {
                hold_id: Some(*hold_id),
                reason: SoldOutReason::NoRoom,
            };
            vec![FollowUp::Payment(*payment_id, gone)]
        }
        RoomStockEvent::RoomTakenBack {
            payment_id, vacated, ..
        } => {
            let back = PaymentCommand::NoteRoomBack {
                vacated: *vacated,
                at: cause.at,
            };
            vec![FollowUp::Payment(*payment_id, back), offer]
        }
        RoomStockEvent::PlaceOffered { payment_id, .. } => {
            vec![FollowUp::Effect(Effect::SendMessage {
                payment_id: *payment_id,
                kind: MessageKind::PlaceOffered,
            })]
        }
        RoomStockEvent::PlaceClosed { payment_id } => {
            vec![FollowUp::Effect(Effect::SendMessage {
                payment_id: *payment_id,
                kind: MessageKind::HomeClosed,
            })]
        }
        RoomStockEvent::HoldReleased { .. }
        | RoomStockEvent::WaitlistJoined { .. }
        | RoomStockEvent::WaitlistLeft { .. }
        | RoomStockEvent::PlaceLapsed { .. }
        // Another room may be free beside it.
        | RoomStockEvent::RoomSold { .. }
        | RoomStockEvent::PlaceMovedUp { .. } => vec![offer],
        RoomStockEvent::HoldTaken { .. }
        | RoomStockEvent::HoldExtended { .. }
        | RoomStockEvent::HoldShortened { .. }
        | RoomStockEvent::HoldKept { .. }
        | RoomStockEvent::PlaceTaken { .. } => vec![],
    }
}

/// The hold is of whoever was logged in; else of whom the form names, who may know nothing of it (T19).
pub(super) fn hold(
    payment_id: PaymentId,
    terms: &Terms,
    (capacity, proved_by): (u32, Option<UserId>),
    cause: Cause,
) -> FollowUp {
    FollowUp::Room {
        room_id: terms.room_id,
        offered_by: Some(terms.inventory_root_id),
        payment_id,
        command: RoomStockCommand::Hold(HoldRequest {
            hold_id: cause.hold_id,
            payment_id,
            continues: terms.continues,
            lead_id: Some(terms.lead_id),
            identity: proved_by.unwrap_or(terms.subject),
            proved: proved_by.is_some(),
            stay: terms.stay(),
            offer: OnOffer::only(terms.stay(), capacity),
            own_elsewhere: 0,
            at: cause.at,
            until: cause.at + cause.hold_for,
        }),
        sale: None,
    }
}
