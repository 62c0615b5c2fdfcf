//! What happens to places in a waitlist: taken, offered, used, lapsed, given back, moved up.

use super::taken::left;
use super::waitlist::{JoinRequest, PLACES_PER_IDENTITY, Place, PlaceState, Turn, Waitlist};
use super::{RoomStock, RoomStockEvent, RoomStockRejection};
use crate::id::{PaymentId, UserId};
use crate::moment::Moment;
use crate::nights::Nights;
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

    pub(super) fn closed(&self) -> Vec<RoomStockEvent> {
        let closed = self.alive().map(|place| RoomStockEvent::PlaceClosed {
            payment_id: place.payment_id,
        });
        closed.collect()
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
            PlaceState::Taken
            | PlaceState::Lapsed
            | PlaceState::Left
            | PlaceState::Booked
            | PlaceState::Closed => Err(RoomStockRejection::NoPlace),
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
            RoomStockEvent::PlaceClosed { payment_id } => (payment_id, PlaceState::Closed),
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
        let offer = self.unless_oversold(&asked.offer, asked.at.date_naive());
        let live = self.taken(|_, hold| !hold.lapsed(asked.at));
        if self.left_for((None, asked.stay), &offer, live) > 0 {
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

    /// An offer to each place that waits and can have a room now, in their order: one whose nights are taken waits on, and keeps nobody
    /// behind it from other nights.
    pub(super) fn offers(&self, turn: &Turn) -> Vec<RoomStockEvent> {
        let offer = self.unless_oversold(&turn.offer, turn.at.date_naive());
        let mut taken = self.taken(|_, hold| !hold.lapsed(turn.at));
        let mut events = Vec::new();
        // Those that are offered a room come first.
        for place in self.waitlist.in_order() {
            if !place.is_offered() {
                if left(place.stay, &offer, &taken) == 0 {
                    continue;
                }
                events.push(RoomStockEvent::PlaceOffered {
                    payment_id: place.payment_id,
                    expires_at: turn.end_for(place.payment_id),
                });
            }
            taken.push(Nights::of(place.stay));
        }
        events
    }
}
