//! What a person did about each property (Spec §3 "User history"): drives the calls to action (D27).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::id::{BookingFormId, InventoryId, LeadId, PaymentId, UserId};
use crate::moment::Moment;
use crate::sealed::Sealable;

mod mirror;

pub use mirror::{Mirror, MirrorEnd, MirrorPage};

/// One thing done about a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryFact {
    Enquired,
    Waitlisted,
    Contacted,
    GetHelpClicked,
    BookFormInitiated {
        form_id: BookingFormId,
    },
    BookFormCompleted {
        form_id: BookingFormId,
    },
    PaymentInitiated {
        payment_id: PaymentId,
    },
    PaymentCompleted {
        payment_id: PaymentId,
    },
    /// All of it went back, and the room with it.
    PaymentRefunded {
        payment_id: PaymentId,
    },
}

/// What a caller may ask of a history. The stream's id is the person's.
#[derive(Debug, Clone)]
pub enum UserHistoryCommand {
    Note {
        property_id: InventoryId,
        room_id: Option<InventoryId>,
        lead_id: LeadId,
        fact: HistoryFact,
        at: Moment,
    },
    /// A member of staff begins to see the steps of the person's pages (row N11).
    BeginMirror {
        mirror_id: Uuid,
        by: UserId,
        page: MirrorPage,
        at: Moment,
    },
    EndMirror {
        mirror_id: Uuid,
        ended_by: MirrorEnd,
        at: Moment,
    },
}

/// What was written into a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UserHistoryEvent {
    Noted {
        property_id: InventoryId,
        room_id: Option<InventoryId>,
        lead_id: LeadId,
        fact: HistoryFact,
        at: Moment,
    },
    /// Support sees the steps of the person's pages, with their consent.
    MirrorBegan {
        mirror_id: Uuid,
        by: UserId,
        page: MirrorPage,
        at: Moment,
    },
    MirrorEnded {
        mirror_id: Uuid,
        seconds: u64,
        ended_by: MirrorEnd,
        at: Moment,
    },
}

crate::event_names!(UserHistoryEvent {
    Noted => "UserHistoryNoted" 1,
    MirrorBegan => "MirrorBegan" 1,
    MirrorEnded => "MirrorEnded" 1,
});

impl Sealable for UserHistoryEvent {}

/// A history takes down everything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserHistoryRejection {}

/// The flags of one property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the specification's flags, each set by its own fact"
)]
pub struct PropertyHistory {
    pub enquired: bool,
    pub waitlisted: bool,
    pub contacted: bool,
    pub get_help_clicked: bool,
    pub book_form_initiated: bool,
    pub book_form_completed: bool,
    pub payment_initiated: bool,
    pub payment_completed: bool,
    pub last_lead: Option<LeadId>,
    pub form_id: Option<BookingFormId>,
    pub payment_id: Option<PaymentId>,
    /// Flags per room or tenancy of the property.
    pub rooms: BTreeMap<InventoryId, RoomHistory>,
    /// Every fact with its lead, so that hearing it twice is not news.
    facts: Vec<(LeadId, HistoryFact)>,
}

/// The flags of one room.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomHistory {
    pub enquired: bool,
    pub booked: bool,
}

/// A person's history by property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserHistory {
    pub properties: BTreeMap<InventoryId, PropertyHistory>,
    /// Mirrors of the person's pages, the oldest first; the newest hundred.
    pub mirrors: Vec<Mirror>,
}

impl UserHistory {
    /// The leads that left a mark.
    pub fn leads(&self) -> BTreeSet<LeadId> {
        let facts = self.properties.values().flat_map(|property| &property.facts);
        facts.map(|(lead_id, _)| *lead_id).collect()
    }

    /// The payments that were begun, each with its lead.
    pub fn begun_payments(&self) -> BTreeSet<(LeadId, PaymentId)> {
        let facts = self.properties.values().flat_map(|property| &property.facts);
        let begun = facts.filter_map(|(lead_id, fact)| match fact {
            HistoryFact::PaymentInitiated { payment_id } => Some((*lead_id, *payment_id)),
            _ => None,
        });
        begun.collect()
    }
}

impl Decide for UserHistory {
    const KIND: &'static str = "user_history";
    type Command = UserHistoryCommand;
    type Event = UserHistoryEvent;
    type Rejection = UserHistoryRejection;

    fn decide(&self, command: UserHistoryCommand) -> Result<Vec<UserHistoryEvent>, UserHistoryRejection> {
        let decided = match command {
            UserHistoryCommand::Note {
                property_id,
                room_id,
                lead_id,
                fact,
                at,
            } => {
                let known = self
                    .properties
                    .get(&property_id)
                    .is_some_and(|known| known.facts.contains(&(lead_id, fact)));
                (!known).then_some(UserHistoryEvent::Noted {
                    property_id,
                    room_id,
                    lead_id,
                    fact,
                    at,
                })
            }
            UserHistoryCommand::BeginMirror {
                mirror_id,
                by,
                page,
                at,
            } => mirror::begin(&self.mirrors, mirror_id, by, page, at),
            UserHistoryCommand::EndMirror {
                mirror_id,
                ended_by,
                at,
            } => mirror::end(&self.mirrors, mirror_id, ended_by, at),
        };
        Ok(decided.into_iter().collect())
    }

    fn evolve(&mut self, event: &UserHistoryEvent) {
        if let UserHistoryEvent::Noted { property_id, .. } = event {
            self.properties.entry(*property_id).or_default().evolve(event);
        }
        mirror::evolve(&mut self.mirrors, event);
    }
}

impl PropertyHistory {
    /// Takes in one fact of this property.
    pub fn evolve(&mut self, event: &UserHistoryEvent) {
        let UserHistoryEvent::Noted {
            room_id,
            lead_id,
            fact,
            ..
        } = event
        else {
            return;
        };
        self.facts.push((*lead_id, *fact));
        self.last_lead = Some(*lead_id);
        self.take(*fact);
        if let Some(room_id) = room_id {
            let room = self.rooms.entry(*room_id).or_default();
            room.enquired |= matches!(fact, HistoryFact::Enquired);
            room.booked = match fact {
                HistoryFact::PaymentCompleted { .. } => true,
                HistoryFact::PaymentRefunded { .. } => false,
                HistoryFact::Enquired
                | HistoryFact::Waitlisted
                | HistoryFact::Contacted
                | HistoryFact::GetHelpClicked
                | HistoryFact::BookFormInitiated { .. }
                | HistoryFact::BookFormCompleted { .. }
                | HistoryFact::PaymentInitiated { .. } => room.booked,
            };
        }
    }

    fn take(&mut self, fact: HistoryFact) {
        match fact {
            HistoryFact::Enquired => self.enquired = true,
            HistoryFact::Waitlisted => self.waitlisted = true,
            HistoryFact::Contacted => self.contacted = true,
            HistoryFact::GetHelpClicked => self.get_help_clicked = true,
            HistoryFact::BookFormInitiated { form_id } => {
                self.book_form_initiated = true;
                self.form_id = Some(form_id);
            }
            HistoryFact::BookFormCompleted { form_id } => {
                self.book_form_completed = true;
                self.form_id = Some(form_id);
            }
            HistoryFact::PaymentInitiated { payment_id } => {
                self.payment_initiated = true;
                self.payment_id = Some(payment_id);
            }
            HistoryFact::PaymentCompleted { payment_id } => {
                self.payment_completed = true;
                self.payment_id = Some(payment_id);
            }
            // A booking made since is another payment's.
            HistoryFact::PaymentRefunded { payment_id } if self.payment_id == Some(payment_id) => {
                self.payment_initiated = false;
                self.payment_completed = false;
                self.payment_id = None;
            }
            HistoryFact::PaymentRefunded { .. } => {}
        }
    }
}

crate::aggregate!(UserHistory);

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use cqrs_es::test::TestFramework;
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    fn noted(fact: HistoryFact) -> UserHistoryEvent {
        UserHistoryEvent::Noted {
            property_id: InventoryId(Uuid::from_u128(1)),
            room_id: Some(InventoryId(Uuid::from_u128(2))),
            lead_id: LeadId(Uuid::from_u128(3)),
            fact,
            at: DateTime::from_timestamp(1_795_000_000, 0).unwrap(),
        }
    }

    /// Of two payments begun in one house both are known, where the house itself keeps the newest.
    #[test]
    fn begun_payments_are_all_known() {
        let payment = |number| PaymentId(Uuid::from_u128(number));
        let mut history = UserHistory::default();
        for number in [7, 8] {
            history.evolve(&noted(HistoryFact::PaymentInitiated {
                payment_id: payment(number),
            }));
        }
        history.evolve(&noted(HistoryFact::Enquired));
        let lead_id = LeadId(Uuid::from_u128(3));
        let expected = BTreeSet::from([(lead_id, payment(7)), (lead_id, payment(8))]);
        assert_eq!(history.begun_payments(), expected);
    }

    #[test]
    fn hearing_a_fact_twice_is_not_news() {
        let UserHistoryEvent::Noted {
            property_id,
            room_id,
            lead_id,
            fact,
            at,
        } = noted(HistoryFact::Enquired)
        else {
            panic!("a note is noted");
        };
        TestFramework::<UserHistory>::with(())
            .given(vec![noted(HistoryFact::Enquired)])
            .when(UserHistoryCommand::Note {
                property_id,
                room_id,
                lead_id,
                fact,
                at,
            })
            .then_expect_events(vec![]);
    }

    #[test]
    fn the_flags_add_up_per_property_and_room() {
        let payment_id = PaymentId(Uuid::from_u128(9));
        let history = crate::aggregate::fold::<UserHistory>(&[
            noted(HistoryFact::Enquired),
            noted(HistoryFact::PaymentCompleted { payment_id }),
        ]);
        let property = &history.properties[&InventoryId(Uuid::from_u128(1))];
        assert!(property.enquired && property.payment_completed && !property.waitlisted);
        assert!(property.rooms[&InventoryId(Uuid::from_u128(2))].booked);
    }

    #[test]
    fn every_event_reads_back_from_its_sample() {
        assert_kept::<UserHistory>(&[noted(HistoryFact::BookFormInitiated {
            form_id: BookingFormId(Uuid::from_u128(4)),
        })]);
    }
}
