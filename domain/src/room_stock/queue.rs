//! What happens to places in a waitlist: taken, offered, used, lapsed, given back, moved up.

use super::waitlist::{JoinRequest, PLACES_PER_IDENTITY, Place, PlaceState, Turn, Waitlist};
use super::{RoomStock, RoomStockEvent, RoomStockRejection};
use crate::id::{PaymentId, UserId};
use crate::moment::Moment;
use crate::room_stock::hold::HoldRequest;

impl Waitlist {
    pub(super) fn taken(&self, asked: &HoldRequest) -> Option<RoomStockEvent> {
        let place = self.offer_to(asked.lead_id, asked.stay)?;
        Some(RoomStockEvent::PlaceTaken {
            payment_id: place.payment_id,
            by: asked.payment_id,
        })
    }

    pub(super) fn lapsed(&self, at: Moment) -> Vec<RoomStockEvent> {
        let over = |place: &&Place| place.offered_until().is_some_and(|until| until <= at);
        let lapsed = self
            .places
            .iter()
            .filter(over)
            .map(|place| RoomStockEvent::PlaceLapsed {
                payment_id: place.payment_id,
            });
        lapsed.collect()
    }

    pub(super) fn leave(&self, payment_id: PaymentId, booked: bool) -> Vec<RoomStockEvent> {
        let place = self.place(payment_id).filter(|place| place.is_alive());
        let left = place.map(|place| RoomStockEvent::WaitlistLeft {
            payment_id: place.payment_id,
            booked,
        });
        left.into_iter().collect()
    }

    pub(super) fn move_up(
        &self,
        payment_id: PaymentId,
        by: UserId,
        at: Moment,
    ) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let place = self.place(payment_id).ok_or(RoomStockRejection::NoPlace)?;
        match place.state {
            PlaceState::Waiting if place.moved_up.is_none() => {
                Ok(vec![RoomStockEvent::PlaceMovedUp { payment_id, by, at }])
            }
            PlaceState::Waiting | PlaceState::Offered { .. } => Ok(vec![]),
            PlaceState::Taken | PlaceState::Lapsed | PlaceState::Left | PlaceState::Booked => {
                Err(RoomStockRejection::NoPlace)
            }
        }
    }

    pub(super) fn evolve(&mut self, event: &RoomStockEvent) {
        let (payment_id, state) = match event {
            RoomStockEvent::WaitlistJoined {
                payment_id,
                lead_id,
                home_id,
                stay,
                at,
                time_zone,
            } => {
                self.places.push(Place {
                    payment_id: *payment_id,
                    lead_id: *lead_id,
                    home_id: *home_id,
                    stay: *stay,
                    joined_at: *at,
                    time_zone: time_zone.clone(),
                    state: PlaceState::Waiting,
                    moved_up: None,
                });
                return;
            }
            RoomStockEvent::PlaceMovedUp { payment_id, .. } => {
                let moves = self
                    .places
                    .iter()
                    .filter(|place| place.moved_up.is_some())
                    .count();
                let moves = u64::try_from(moves).unwrap_or(u64::MAX);
                if let Some(place) = self.place_mut(*payment_id) {
                    place.moved_up = Some(moves);
                }
                return;
            }
            RoomStockEvent::PlaceOffered {
                payment_id,
                expires_at,
            } => (
                payment_id,
                PlaceState::Offered {
                    expires_at: *expires_at,
                },
            ),
            RoomStockEvent::WaitlistLeft {
                payment_id,
                booked: true,
            } => (payment_id, PlaceState::Booked),
            RoomStockEvent::WaitlistLeft { payment_id, .. } => (payment_id, PlaceState::Left),
            RoomStockEvent::PlaceLapsed { payment_id } => (payment_id, PlaceState::Lapsed),
            RoomStockEvent::PlaceTaken { payment_id, .. } => (payment_id, PlaceState::Taken),
            _ => return,
        };
        if let Some(place) = self.place_mut(*payment_id) {
            place.state = state;
        }
    }
}

impl RoomStock {
    /// Asked twice, an enquiry has one place in a stay's waitlist.
    pub(super) fn join(&self, asked: &JoinRequest) -> Result<Vec<RoomStockEvent>, RoomStockRejection> {
        let own =
            |place: &&Place| place.lead_id == asked.lead_id && place.stay == asked.stay && place.is_alive();
        let known = self.waitlist.place(asked.payment_id).is_some();
        if known || self.waitlist.places.iter().any(|place| own(&place)) {
            return Ok(vec![]);
        }
        if asked.open_places >= PLACES_PER_IDENTITY {
            return Err(RoomStockRejection::TooManyPlaces);
        }
        let free = self.free(asked.stay, asked.capacity, asked.at);
        if free > self.waitlist.ahead_of(None, asked.stay) {
            return Err(RoomStockRejection::RoomFree);
        }
        Ok(vec![RoomStockEvent::WaitlistJoined {
            payment_id: asked.payment_id,
            lead_id: asked.lead_id,
            home_id: asked.home_id,
            stay: asked.stay,
            at: asked.at,
            time_zone: Some(asked.time_zone.clone()),
        }])
    }

    /// The next places, as many as rooms are free beside those that are offered already.
    pub(super) fn offers(&self, turn: &Turn) -> Vec<RoomStockEvent> {
        let queue = self.waitlist.queue(turn.stay);
        let offered = queue.iter().filter(|place| place.is_offered()).count();
        let free = self.free(turn.stay, turn.capacity, turn.at);
        let rooms = usize::try_from(free)
            .unwrap_or(usize::MAX)
            .saturating_sub(offered);
        let next = queue.into_iter().filter(|place| !place.is_offered()).take(rooms);
        next.map(|place| RoomStockEvent::PlaceOffered {
            payment_id: place.payment_id,
            expires_at: turn.end_for(place.payment_id),
        })
        .collect()
    }
}
