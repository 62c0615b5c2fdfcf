//! The properties a person keeps an eye on (Spec §3 "Shortlist entry", D22, D129).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::id::{InventoryId, ShortlistEntryId};
use crate::moment::Moment;
use crate::sealed::Sealable;

/// Kept at once by one person; more would be a catalogue, not a shortlist.
pub const LIMIT: usize = 500;

/// What a caller may ask of a shortlist. The stream's id is the person's.
#[derive(Debug, Clone)]
pub enum ShortlistCommand {
    Add {
        entry_id: ShortlistEntryId,
        inventory_id: InventoryId,
        at: Moment,
    },
    Remove {
        inventory_id: InventoryId,
        at: Moment,
    },
}

/// What happened to a shortlist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShortlistEvent {
    Added {
        entry_id: ShortlistEntryId,
        inventory_id: InventoryId,
        at: Moment,
    },
    Removed {
        inventory_id: InventoryId,
        at: Moment,
    },
}

crate::event_names!(ShortlistEvent {
    Added => "ShortlistAdded" 1,
    Removed => "ShortlistRemoved" 1,
});

impl Sealable for ShortlistEvent {}

/// Why a shortlist turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShortlistRejection {
    #[error("a shortlist holds at most {LIMIT} properties")]
    Full,
}

/// The entries, by property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortlist {
    pub entries: BTreeMap<InventoryId, ShortlistEntryId>,
    /// Entries that were taken off: taking one off again changes nothing and is no mistake (D129).
    #[serde(default)]
    pub removed: BTreeSet<ShortlistEntryId>,
}

impl Decide for Shortlist {
    const KIND: &'static str = "shortlist";
    type Command = ShortlistCommand;
    type Event = ShortlistEvent;
    type Rejection = ShortlistRejection;

    fn decide(&self, command: ShortlistCommand) -> Result<Vec<ShortlistEvent>, ShortlistRejection> {
        match command {
            // D129: adding twice is one entry.
            ShortlistCommand::Add { inventory_id, .. } if self.entries.contains_key(&inventory_id) => {
                Ok(vec![])
            }
            ShortlistCommand::Add { .. } if self.entries.len() >= LIMIT => Err(ShortlistRejection::Full),
            ShortlistCommand::Add {
                entry_id,
                inventory_id,
                at,
            } => Ok(vec![ShortlistEvent::Added {
                entry_id,
                inventory_id,
                at,
            }]),
            ShortlistCommand::Remove { inventory_id, at } => {
                Ok(if self.entries.contains_key(&inventory_id) {
                    vec![ShortlistEvent::Removed { inventory_id, at }]
                } else {
                    vec![]
                })
            }
        }
    }

    fn evolve(&mut self, event: &ShortlistEvent) {
        match event {
            ShortlistEvent::Added {
                entry_id,
                inventory_id,
                ..
            } => {
                self.entries.insert(*inventory_id, *entry_id);
            }
            ShortlistEvent::Removed { inventory_id, .. } => {
                self.removed.extend(self.entries.remove(inventory_id));
            }
        }
    }
}

crate::aggregate!(Shortlist);

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use cqrs_es::test::TestFramework;
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    fn at() -> Moment {
        DateTime::from_timestamp(1_795_000_000, 0).unwrap()
    }

    fn added() -> ShortlistEvent {
        let (entry_id, inventory_id) = (
            ShortlistEntryId(Uuid::from_u128(1)),
            InventoryId(Uuid::from_u128(2)),
        );
        ShortlistEvent::Added {
            entry_id,
            inventory_id,
            at: at(),
        }
    }

    #[test]
    fn adding_twice_is_one_entry() {
        let again = ShortlistCommand::Add {
            entry_id: ShortlistEntryId(Uuid::from_u128(9)),
            inventory_id: InventoryId(Uuid::from_u128(2)),
            at: at(),
        };
        TestFramework::<Shortlist>::with(())
            .given(vec![added()])
            .when(again)
            .then_expect_events(vec![]);
    }

    #[test]
    fn removing_what_is_not_there_is_no_news() {
        TestFramework::<Shortlist>::with(())
            .given_no_previous_events()
            .when(ShortlistCommand::Remove {
                inventory_id: InventoryId(Uuid::from_u128(2)),
                at: at(),
            })
            .then_expect_events(vec![]);
    }

    #[test]
    fn every_event_reads_back_from_its_sample() {
        let removed = ShortlistEvent::Removed {
            inventory_id: InventoryId(Uuid::from_u128(2)),
            at: at(),
        };
        assert_kept::<Shortlist>(&[added(), removed]);
    }
}
