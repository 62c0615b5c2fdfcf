//! The state of a home (D122, U5): which events lead to it, and the commands that move it.

use chrono::NaiveDate;

pub use super::home_state::{ClosedBy, HomeState, Status};
use super::{Inventory, InventoryEvent, InventoryRejection};
use crate::id::InventoryId;

impl HomeState {
    /// The state that an event leads to; `None` for one that says nothing of it.
    pub const fn after(event: &InventoryEvent) -> Option<Self> {
        use InventoryEvent as E;
        Some(match event {
            E::PropertySubmitted {} => Self::InReview,
            E::PropertyChangesAsked {} => Self::ChangesAsked,
            E::PropertyActivated {} | E::PropertyReopened {} => Self::Active,
            // Before there were two words for it a home was switched off, and could be switched on again.
            E::PropertyDeactivated {} => Self::Paused { reopens_on: None },
            E::PropertyPaused { reopens_on } => Self::Paused {
                reopens_on: *reopens_on,
            },
            E::PropertyClosed { by } => Self::Closed { by: *by },
            E::PropertyDeleted {} | E::PropertyMerged { .. } => Self::Deleted,
            E::PropertyListed { .. }
            | E::PropertyDetailsChanged { .. }
            | E::RoomListed { .. }
            | E::RoomDetailsChanged { .. }
            | E::RoomWithdrawn { .. }
            | E::RoomPriced { .. }
            | E::FactsSet { .. }
            | E::FactsUnset { .. }
            | E::ReasonGiven { .. }
            | E::PriceHistoryRecorded { .. }
            | E::OfferPublished { .. }
            | E::OfferWithdrawn { .. }
            | E::ReviewsPublished { .. }
            | E::PropertyMarkedAvailable {}
            | E::PropertyMarkedUnavailable {} => return None,
        })
    }
}

impl Inventory {
    pub(super) fn pause(
        &self,
        reopens_on: Option<NaiveDate>,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        match self.state {
            HomeState::Paused { reopens_on: known } if known == reopens_on => Ok(vec![]),
            HomeState::Active | HomeState::Paused { .. } => {
                Ok(vec![InventoryEvent::PropertyPaused { reopens_on }])
            }
            state => Err(InventoryRejection::WrongState { state }),
        }
    }

    pub(super) fn reopen(&self) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        match self.state {
            HomeState::Active => Ok(vec![]),
            HomeState::Paused { .. } | HomeState::Closed { .. } if self.let_rooms().next().is_none() => {
                Err(InventoryRejection::NoRooms)
            }
            HomeState::Paused { .. } | HomeState::Closed { .. } => {
                Ok(vec![InventoryEvent::PropertyReopened {}])
            }
            state => Err(InventoryRejection::WrongState { state }),
        }
    }

    pub(super) fn close(&self, by: ClosedBy) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        match self.state {
            HomeState::Closed { .. } => Ok(vec![]),
            HomeState::Active | HomeState::Paused { .. } => Ok(vec![InventoryEvent::PropertyClosed { by }]),
            state => Err(InventoryRejection::WrongState { state }),
        }
    }

    /// A double of another home leads to it from now on.
    pub(super) fn merge_into(&self, into: InventoryId) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        if self.merged_into == Some(into) {
            return Ok(vec![]);
        }
        self.listed()?;
        Ok(vec![InventoryEvent::PropertyMerged { into }])
    }

    pub(super) fn ask_changes(&self) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        self.listed()?;
        match self.state {
            HomeState::ChangesAsked => Ok(vec![]),
            HomeState::InReview => Ok(vec![InventoryEvent::PropertyChangesAsked {}]),
            state => Err(InventoryRejection::WrongState { state }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::InventoryCommand as C;
    use super::super::Reasoned;
    use super::super::tests::{adopt, after, day, lease, room};
    use super::*;
    use crate::aggregate::Decide as _;
    use crate::id::UserId;

    fn listed(more: Vec<C>) -> Inventory {
        after([vec![adopt(vec![(room(2), vec![lease(28_900, 4)])])], more].concat())
    }

    /// The states after these commands, by name and by the wire's word.
    fn told(more: Vec<C>) -> (&'static str, &'static str, bool) {
        let home = listed(more);
        (home.state.key(), home.status().key(), home.available())
    }

    fn pause(reopens_on: Option<NaiveDate>) -> C {
        C::Pause { reopens_on }
    }

    fn close() -> C {
        C::Close { by: ClosedBy::Feed }
    }

    #[test]
    fn states_have_the_wire_s_words() {
        let open = || vec![C::SubmitForReview, C::Activate];
        let with = |more: Vec<C>| told([open(), more].concat());
        assert_eq!(told(vec![]), ("draft", "draft", false));
        assert_eq!(told(vec![C::SubmitForReview]), ("in_review", "in_review", false));
        assert_eq!(
            told(vec![C::SubmitForReview, C::AskChanges]),
            ("changes_asked", "draft", false)
        );
        assert_eq!(
            told(vec![C::SubmitForReview, C::AskChanges, C::SubmitForReview]),
            ("in_review", "in_review", false)
        );
        assert_eq!(with(vec![]), ("active", "active", true));
        assert_eq!(with(vec![pause(None)]), ("paused", "inactive", false));
        assert_eq!(with(vec![C::Deactivate]), ("paused", "inactive", false));
        assert_eq!(with(vec![close()]), ("closed", "inactive", false));
        assert_eq!(with(vec![C::Delete]), ("deleted", "deleted", false));
        for shut in [pause(None), C::Deactivate, close()] {
            let reopened = Ok(vec![InventoryEvent::PropertyReopened {}]);
            let resting = listed([open(), vec![shut.clone()]].concat());
            assert_eq!(resting.decide(C::Activate), reopened);
            assert_eq!(with(vec![shut.clone(), C::Reopen]), ("active", "active", true));
            assert_eq!(with(vec![shut, C::Activate]), ("active", "active", true));
        }
        assert_eq!(with(vec![pause(None), close()]), ("closed", "inactive", false));
        let is_closed = |more| listed(more).state.is_closed();
        assert!(is_closed(vec![C::Activate, close()]) && !is_closed(vec![C::Activate, pause(None)]));
        let is_gone = |more| listed(more).state.is_gone();
        assert!(is_gone(vec![C::Activate, close()]) && is_gone(vec![C::Delete]));
        assert!(!is_gone(vec![]) && !is_gone(vec![C::Activate, pause(None)]));
        for shown in [vec![], vec![pause(None)], vec![close()]] {
            assert!(HomeState::SHOWN.contains(&with(shown).0));
        }
    }

    #[test]
    fn visitors_meet_three_states() {
        let states = [
            HomeState::Draft,
            HomeState::InReview,
            HomeState::ChangesAsked,
            HomeState::Active,
            HomeState::Paused { reopens_on: None },
            HomeState::Closed { by: ClosedBy::Feed },
            HomeState::Deleted,
        ];
        let shown: Vec<&str> = states.into_iter().filter_map(HomeState::shown_key).collect();
        assert_eq!(shown, HomeState::SHOWN);
    }

    #[test]
    fn paused_home_names_the_day_of_reopening() {
        let spring = Some(day(2028, 3, 1));
        let home = listed(vec![C::Activate, pause(spring)]);
        assert_eq!(home.state.reopens_on(), spring);
        assert_eq!(home.decide(pause(spring)), Ok(vec![]));
        let known = InventoryEvent::PropertyPaused { reopens_on: None };
        assert_eq!(
            home.decide(pause(None)),
            Ok(vec![known]),
            "it is not known any more"
        );
        let open = listed(vec![C::Activate, pause(spring), C::Reopen]);
        assert_eq!(open.state.reopens_on(), None);
        assert_eq!(open.decide(C::Reopen), Ok(vec![]));
    }

    #[test]
    fn only_what_was_open_is_paused_or_closed() {
        let refused = |more: Vec<C>, command: C| {
            let home = listed(more);
            let wrong = InventoryRejection::WrongState { state: home.state };
            assert_eq!(home.decide(command), Err(wrong), "{:?}", home.state);
        };
        for early in [vec![], vec![C::SubmitForReview]] {
            for command in [pause(None), close(), C::Reopen] {
                refused(early.clone(), command);
            }
        }
        refused(vec![C::Activate, close()], pause(None));
        refused(vec![C::Activate], C::AskChanges);
        refused(vec![], C::AskChanges);
        let deleted = listed(vec![C::Delete]);
        for command in [pause(None), close(), C::Reopen, C::AskChanges] {
            assert_eq!(deleted.decide(command), Err(InventoryRejection::Deleted));
        }
        let closed = listed(vec![C::Activate, close()]);
        let again = C::Close { by: ClosedBy::Staff };
        assert_eq!(closed.decide(again), Ok(vec![]), "the first reason stands");
        assert_eq!(closed.decide(C::Deactivate), Ok(vec![]));
        let empty = after(vec![
            adopt(vec![(room(2), vec![lease(28_900, 4)])]),
            C::Activate,
            close(),
            C::WithdrawRoom { room: room(2).id },
        ]);
        assert_eq!(empty.decide(C::Reopen), Err(InventoryRejection::NoRooms));
    }

    #[test]
    fn double_leads_to_the_home_that_is_kept() {
        let kept = room(9).id;
        let merge = || C::MergeInto { home: kept };
        let double = listed(vec![C::Activate, merge()]);
        assert_eq!(
            (double.state, double.merged_into),
            (HomeState::Deleted, Some(kept))
        );
        assert_eq!(double.decide(merge()), Ok(vec![]));
        let other = C::MergeInto { home: room(8).id };
        assert_eq!(double.decide(other), Err(InventoryRejection::Deleted));
        assert_eq!(
            Inventory::default().decide(merge()),
            Err(InventoryRejection::NotListed)
        );
    }

    #[test]
    fn reason_stands_before_what_it_is_for_and_never_alone() {
        let asked = |command| {
            let reasoned = Reasoned {
                command,
                by: UserId(uuid::Uuid::from_u128(5)),
                reason: "The provider asked for it".into(),
            };
            C::Reasoned(Box::new(reasoned))
        };
        let home = listed(vec![C::Activate]);
        let events = home.decide(asked(pause(None))).unwrap();
        assert!(matches!(
            events.as_slice(),
            [
                InventoryEvent::ReasonGiven { .. },
                InventoryEvent::PropertyPaused { .. }
            ]
        ));
        assert_eq!(home.decide(asked(C::Reopen)), Ok(vec![]), "it is open");
        let draft = listed(vec![]);
        assert_eq!(draft.decide(asked(pause(None))), draft.decide(pause(None)));
    }
}
