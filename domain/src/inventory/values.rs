//! Values of a home from its source and from people (U6, decision 0044): what is shown, what the source says beneath it, and edits.

use std::borrow::Cow;

use super::facts::{
    Fact, FactKey, Offered, Part, Shown as _, find_fact, list_offer_facts, list_property_facts,
    list_room_facts,
};
use super::let_room::LetRoom;
use super::rejection::check_terms;
use super::{Inventory, InventoryEvent, InventoryRejection};
use crate::contact::is_blank;
use crate::id::{InventoryId, PaymentId, UserId};
use crate::sealed::Sealed;

/// Changes of a person to a home in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactEdit {
    pub set: Vec<Fact>,
    /// Facts that show their source's value again.
    pub unset: Vec<FactKey>,
    pub by: UserId,
    pub reason: String,
    /// The word of the rooms' stock at this moment: who takes a night for which there would be too few rooms of a type.
    pub taken_above: Vec<(InventoryId, Vec<PaymentId>)>,
}

/// An edit without what changes nothing.
struct Changes {
    set: Vec<Fact>,
    /// The source's values that show again.
    back: Vec<Fact>,
}

impl Changes {
    fn all(&self) -> impl Iterator<Item = &Fact> {
        self.set.iter().chain(&self.back)
    }
}

impl LetRoom {
    fn offered(&self) -> Offered {
        Offered {
            rooms: self.rooms,
            is_count_said: self.is_count_said,
            leases: self.leases.clone(),
        }
    }
}

impl Inventory {
    /// Every fact of the home and of the rooms that it lets, as it is shown.
    pub fn facts(&self) -> Vec<Fact> {
        let rooms = self.let_rooms().flat_map(|room| {
            let id = room.details.id;
            [self.facts_of(Part::Room(id)), self.facts_of(Part::Offer(id))].concat()
        });
        // A person may have taken the text of a language away.
        let beneath = self.beneath.iter().filter_map(|own| self.fact(&own.key()));
        let unwritten = beneath.filter(|fact| fact.key().unwritten().as_ref() == Some(fact));
        let property = self.facts_of(Part::Property).into_iter();
        property.chain(unwritten).chain(rooms).collect()
    }

    fn facts_of(&self, part: Part) -> Vec<Fact> {
        let facts = match part {
            Part::Property => self.property.as_deref().map(list_property_facts),
            Part::Room(id) => self.room(id).map(|room| list_room_facts(&room.details)),
            Part::Offer(id) => self.room(id).map(|room| list_offer_facts(id, &room.offered())),
        };
        facts.unwrap_or_default()
    }

    /// A fact as it is shown.
    pub fn fact(&self, key: &FactKey) -> Option<Fact> {
        find_fact(&self.facts_of(key.part()), key)
    }

    /// The source's own value of a fact that a person set; `None` where the source's is shown.
    pub fn fact_beneath(&self, key: &FactKey) -> Option<&Fact> {
        self.beneath.iter().find(|own| own.key() == *key)
    }

    /// The home as its source alone says it.
    pub fn sourced(&self) -> Cow<'_, Self> {
        if self.beneath.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut own = self.clone();
        for fact in &self.beneath {
            own.write(fact);
        }
        own.beneath.clear();
        Cow::Owned(own)
    }

    fn write(&mut self, fact: &Fact) {
        if let Some(property) = self.property.as_deref_mut() {
            property.lay(fact);
        }
        let Some(id) = fact.key().room() else { return };
        for room in self.rooms.iter_mut().filter(|room| room.details.id == id) {
            room.details.lay(fact);
            let mut offer = (id, room.offered());
            offer.lay(fact);
            let Offered {
                rooms,
                is_count_said,
                leases,
            } = offer.1;
            (room.rooms, room.is_count_said, room.leases) = (rooms, is_count_said, leases);
        }
    }

    /// Lays what a person set over a part that its source has just described.
    pub(super) fn lay_over(&mut self, part: Part, set: &[Fact]) {
        self.beneath.retain(|own| own.key().part() != part);
        for fact in set {
            if let Some(own) = self.fact(&fact.key()) {
                self.beneath.push(own);
                self.write(fact);
            }
        }
    }

    /// What a person set and what stands over a new description of a part: the source says of it what it said before. A source that
    /// changes its own value wins, of photos for each that it changes, and an amount means nothing in other money.
    pub(super) fn standing(
        &self,
        part: Part,
        is_same_money: bool,
        list_incoming: impl FnOnce() -> Vec<Fact>,
    ) -> Vec<Fact> {
        if self.beneath.is_empty() {
            return Vec::new();
        }
        let incoming = list_incoming();
        let of_part = self.beneath.iter().filter(|own| {
            let key = own.key();
            key.part() == part && (is_same_money || !key.is_amount())
        });
        let stands = |own: &Fact| {
            let key = own.key();
            let (now, set) = (find_fact(&incoming, &key)?, self.fact(&key)?);
            if now == *own {
                Some(set)
            } else {
                set.meet(own, &now)
            }
        };
        of_part.filter_map(stands).collect()
    }

    /// How many facts of a part a person set.
    pub(super) fn count_set(&self, part: Part) -> usize {
        let of_part = self.beneath.iter().filter(|own| own.key().part() == part);
        of_part.count()
    }

    pub(super) fn edit_facts(&self, edit: FactEdit) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        let changes = self.list_changes(&edit)?;
        for (room, _) in self.count_anew(&changes) {
            let taken = edit.taken_above.iter().find(|(of, _)| *of == room);
            if let Some((_, taken_above)) = taken.filter(|(_, payments)| !payments.is_empty()) {
                let taken_above = taken_above.clone();
                return Err(InventoryRejection::BelowBooked { room, taken_above });
            }
        }
        let mut parts: Vec<Part> = changes.all().map(|fact| fact.key().part()).collect();
        parts.sort_unstable();
        parts.dedup();
        let source = self.sourced();
        let described = parts.into_iter().filter_map(|part| {
            let is_changed = |own: &Fact| changes.all().any(|fact| fact.key() == own.key());
            let kept = self
                .beneath
                .iter()
                .filter(|own| own.key().part() == part && !is_changed(own));
            let kept = kept.filter_map(|own| self.fact(&own.key()));
            let new = changes.set.iter().filter(|fact| fact.key().part() == part);
            source.describe_again(part, kept.chain(new.cloned()).collect())
        });
        let described: Vec<InventoryEvent> = described.collect();
        let (by, reason) = (edit.by, Sealed::new(edit.reason));
        let mut events = Vec::new();
        if !changes.set.is_empty() {
            events.push(InventoryEvent::FactsSet {
                facts: changes.set,
                by,
                reason: reason.clone(),
            });
        }
        if !changes.back.is_empty() {
            events.push(InventoryEvent::FactsUnset {
                facts: changes.back,
                by,
                reason,
            });
        }
        events.extend(described);
        Ok(events)
    }

    /// The room types that an edit would count anew, with how many rooms there would be: the rooms' stock is asked of these.
    ///
    /// # Errors
    /// As the edit itself.
    pub fn counts_after(&self, edit: &FactEdit) -> Result<Vec<(InventoryId, u32)>, InventoryRejection> {
        Ok(self.count_anew(&self.list_changes(edit)?))
    }

    fn count_anew(&self, changes: &Changes) -> Vec<(InventoryId, u32)> {
        let counted = changes.all().filter_map(|fact| match fact {
            Fact::RoomCount { room, rooms, .. } => Some((*room, *rooms)),
            _ => None,
        });
        counted
            .filter(|(id, rooms)| self.room(*id).is_some_and(|room| room.rooms != *rooms))
            .collect()
    }

    fn list_changes(&self, edit: &FactEdit) -> Result<Changes, InventoryRejection> {
        let mut changes = Changes {
            set: Vec::new(),
            back: Vec::new(),
        };
        for fact in &edit.set {
            let key = fact.key();
            self.check_fact(fact, &key)?;
            // Of two values for one fact the last counts.
            changes.set.retain(|other| other.key() != key);
            if self.fact(&key).as_ref() != Some(fact) {
                changes.set.push(fact.clone());
            }
        }
        for key in &edit.unset {
            self.check_room(key)?;
            let own = self.fact_beneath(key);
            let own = own.ok_or_else(|| InventoryRejection::NotSet(key.to_string()))?;
            let is_set_anew = edit.set.iter().any(|fact| fact.key() == *key);
            if !is_set_anew && !changes.back.contains(own) {
                changes.back.push(own.clone());
            }
        }
        Ok(changes)
    }

    fn check_fact(&self, fact: &Fact, key: &FactKey) -> Result<(), InventoryRejection> {
        self.check_room(key)?;
        match fact {
            Fact::Name(name) | Fact::LocalName { text: Some(name), .. } if is_blank(name) => {
                Err(InventoryRejection::Empty("name"))
            }
            Fact::Description { text: Some(text), .. } if is_blank(text) => {
                Err(InventoryRejection::Empty("description"))
            }
            Fact::RoomName { name, .. } if name.is_blank() => Err(InventoryRejection::Empty("room name")),
            Fact::Terms(terms) => check_terms(terms, self.listed()?.currency),
            Fact::Coordinates(Some(point)) if !point.on_earth() => Err(InventoryRejection::OffEarth),
            Fact::LeasePrice {
                room, price_minor: 0, ..
            } => Err(InventoryRejection::NoPrice(*room)),
            Fact::LeasePrice { room, stay, .. } if self.fact(key).is_none() => {
                Err(InventoryRejection::UnknownLease {
                    room: *room,
                    stay: *stay,
                })
            }
            _ => Ok(()),
        }
    }

    /// A room that is let no more is not edited.
    fn check_room(&self, key: &FactKey) -> Result<(), InventoryRejection> {
        match key.room() {
            Some(room) if !self.let_rooms().any(|known| known.details.id == room) => {
                Err(InventoryRejection::UnknownRoom(room))
            }
            _ => Ok(()),
        }
    }

    /// Says a part once more, with what a person set over it.
    fn describe_again(&self, part: Part, set: Vec<Fact>) -> Option<InventoryEvent> {
        Some(match part {
            Part::Property => InventoryEvent::PropertyDetailsChanged {
                property: self.property.clone()?,
                set,
            },
            Part::Room(id) => InventoryEvent::RoomDetailsChanged {
                room: self.room(id)?.details.clone(),
                is_said: true,
                set,
            },
            Part::Offer(id) => {
                let room = self.room(id)?;
                InventoryEvent::RoomPriced {
                    room: id,
                    rooms: Some(room.rooms),
                    is_count_said: Some(room.is_count_said),
                    leases: room.leases.clone(),
                    set,
                }
            }
        })
    }
}
