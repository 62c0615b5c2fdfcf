//! Words for what happens to a home, as those who keep it read its history.

use super::InventoryEvent;

/// Deed of an act on a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Listed,
    /// Its source describes it otherwise.
    Changed,
    Edited,
    TakenBack,
    /// Room types or leases came or went.
    RoomsChanged,
    Submitted,
    ChangesAsked,
    Activated,
    Paused,
    Reopened,
    Closed,
    Merged,
    Deleted,
    Other,
}

impl ChangeKind {
    pub const ALL: [Self; 14] = [
        Self::Listed,
        Self::Changed,
        Self::Edited,
        Self::TakenBack,
        Self::RoomsChanged,
        Self::Submitted,
        Self::ChangesAsked,
        Self::Activated,
        Self::Paused,
        Self::Reopened,
        Self::Closed,
        Self::Merged,
        Self::Deleted,
        Self::Other,
    ];

    /// Its name in answers.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Changed => "changed",
            Self::Edited => "edited",
            Self::TakenBack => "taken_back",
            Self::RoomsChanged => "rooms_changed",
            Self::Submitted => "submitted",
            Self::ChangesAsked => "changes_asked",
            Self::Activated => "activated",
            Self::Paused => "paused",
            Self::Reopened => "reopened",
            Self::Closed => "closed",
            Self::Merged => "merged",
            Self::Deleted => "deleted",
            Self::Other => "other",
        }
    }

    /// The kind of that name.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key() == key)
    }

    /// Names the deed of an event; `None` for one that changes nothing of what is kept: reviews, prices of the past, a reason.
    pub const fn of(event: &InventoryEvent) -> Option<Self> {
        use InventoryEvent as E;
        Some(match event {
            E::PropertyListed { .. } => Self::Listed,
            E::PropertyDetailsChanged { .. }
            | E::RoomListed { .. }
            | E::RoomDetailsChanged { .. }
            | E::RoomWithdrawn { .. }
            | E::RoomPriced { .. } => Self::Changed,
            E::FactsSet { .. } => Self::Edited,
            E::FactsUnset { .. } => Self::TakenBack,
            E::PropertySubmitted {} => Self::Submitted,
            E::PropertyChangesAsked {} => Self::ChangesAsked,
            E::PropertyActivated {} => Self::Activated,
            E::PropertyDeactivated {} | E::PropertyPaused { .. } => Self::Paused,
            E::PropertyReopened {} => Self::Reopened,
            E::PropertyClosed { .. } => Self::Closed,
            E::PropertyMerged { .. } => Self::Merged,
            E::PropertyDeleted {} => Self::Deleted,
            E::OfferPublished { .. }
            | E::OfferWithdrawn { .. }
            | E::PropertyMarkedAvailable {}
            | E::PropertyMarkedUnavailable {} => Self::Other,
            E::PriceHistoryRecorded { .. } | E::ReviewsPublished { .. } | E::ReasonGiven { .. } => {
                return None;
            }
        })
    }

    /// The kind of an act that did this first and that later: descriptions come with whatever else happens, and a listing opens the home.
    #[must_use]
    pub const fn then(self, later: Self) -> Self {
        let says_enough = matches!(self, Self::Listed | Self::Edited | Self::TakenBack);
        let says_little = matches!(later, Self::Changed | Self::Other);
        if matches!(self, Self::Other) || !(says_enough || says_little) {
            later
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn act_is_called_by_what_says_most_of_it() {
        use ChangeKind as K;
        for (acts, kind) in [
            ([K::Listed, K::Changed, K::Activated], K::Listed),
            ([K::Edited, K::Changed, K::Changed], K::Edited),
            ([K::Changed, K::Paused, K::Other], K::Paused),
            ([K::Other, K::Changed, K::Reopened], K::Reopened),
        ] {
            let [first, second, third] = acts;
            assert_eq!(first.then(second).then(third), kind);
        }
        for kind in K::ALL {
            assert_eq!(K::of_key(kind.key()), Some(kind));
        }
    }
}
