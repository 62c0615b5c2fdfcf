//! Which steps of a person's pages support saw, as the person's own history keeps it (row N11): who, where, from when, for how long.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::UserHistoryEvent;
use crate::id::UserId;
use crate::moment::Moment;

/// Mirrors that a history keeps: the newest.
const KEPT: usize = 100;

/// The page whose steps are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MirrorPage {
    LeadForm,
    BookingForm,
    Payment,
}

impl MirrorPage {
    /// Every page.
    pub const ALL: [Self; 3] = [Self::LeadForm, Self::BookingForm, Self::Payment];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::LeadForm => "lead_form",
            Self::BookingForm => "booking_form",
            Self::Payment => "payment",
        }
    }

    /// Reads the word that travels.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.key() == key)
    }
}

/// Why a mirror ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MirrorEnd {
    /// The person pressed End.
    Student,
    /// The member of staff pressed End.
    Staff,
    /// Its longest time was over.
    Time,
    /// The person's pages were closed.
    Left,
    /// The person's login ended.
    Logout,
}

impl MirrorEnd {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Student, Self::Staff, Self::Time, Self::Left, Self::Logout];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Staff => "staff",
            Self::Time => "time",
            Self::Left => "left",
            Self::Logout => "logout",
        }
    }

    /// Reads the word that travels.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.key() == key)
    }
}

/// One mirror.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    pub mirror_id: Uuid,
    /// The member of staff who saw the steps.
    pub by: UserId,
    pub page: MirrorPage,
    pub began_at: Moment,
    /// How long it lasted, in whole seconds, and why it ended; `None` while it lasts.
    pub ended: Option<(u64, MirrorEnd)>,
}

/// The event that a mirror begins with; none where it has begun already.
pub(super) fn begin(
    mirrors: &[Mirror],
    mirror_id: Uuid,
    by: UserId,
    page: MirrorPage,
    at: Moment,
) -> Option<UserHistoryEvent> {
    let is_known = mirrors.iter().any(|mirror| mirror.mirror_id == mirror_id);
    (!is_known).then_some(UserHistoryEvent::MirrorBegan {
        mirror_id,
        by,
        page,
        at,
    })
}

/// The event that an open mirror ends with; none where it is not open.
pub(super) fn end(
    mirrors: &[Mirror],
    mirror_id: Uuid,
    ended_by: MirrorEnd,
    at: Moment,
) -> Option<UserHistoryEvent> {
    let mut open = mirrors.iter().filter(|mirror| mirror.ended.is_none());
    let mirror = open.find(|mirror| mirror.mirror_id == mirror_id)?;
    let seconds = u64::try_from((at - mirror.began_at).num_seconds()).unwrap_or(0);
    Some(UserHistoryEvent::MirrorEnded {
        mirror_id,
        seconds,
        ended_by,
        at,
    })
}

/// Takes in one event; what is no mirror's changes nothing.
pub(super) fn evolve(mirrors: &mut Vec<Mirror>, event: &UserHistoryEvent) {
    match event {
        UserHistoryEvent::MirrorBegan {
            mirror_id,
            by,
            page,
            at,
        } => {
            mirrors.push(Mirror {
                mirror_id: *mirror_id,
                by: *by,
                page: *page,
                began_at: *at,
                ended: None,
            });
            let surplus = mirrors.len().saturating_sub(KEPT);
            mirrors.drain(..surplus);
        }
        UserHistoryEvent::MirrorEnded {
            mirror_id,
            seconds,
            ended_by,
            ..
        } => {
            let open = mirrors.iter_mut().find(|mirror| mirror.mirror_id == *mirror_id);
            if let Some(mirror) = open {
                mirror.ended = Some((*seconds, *ended_by));
            }
        }
        UserHistoryEvent::Noted { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use uuid::Uuid;

    use super::*;
    use crate::aggregate::Decide as _;
    use crate::sample::assert_kept;
    use crate::user_history::{UserHistory, UserHistoryCommand};

    fn at(seconds: i64) -> Moment {
        DateTime::from_timestamp(1_795_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
    }

    fn began() -> UserHistoryEvent {
        UserHistoryEvent::MirrorBegan {
            mirror_id: Uuid::from_u128(7),
            by: UserId(Uuid::from_u128(8)),
            page: MirrorPage::Payment,
            at: at(0),
        }
    }

    fn end_at(seconds: i64) -> UserHistoryCommand {
        UserHistoryCommand::EndMirror {
            mirror_id: Uuid::from_u128(7),
            ended_by: MirrorEnd::Student,
            at: at(seconds),
        }
    }

    #[test]
    fn mirror_ends_once_with_its_seconds() {
        let mut history = crate::aggregate::fold::<UserHistory>(&[began()]);
        let ended = history.decide(end_at(95)).unwrap();
        let told = UserHistoryEvent::MirrorEnded {
            mirror_id: Uuid::from_u128(7),
            seconds: 95,
            ended_by: MirrorEnd::Student,
            at: at(95),
        };
        assert_eq!(ended, std::slice::from_ref(&told));
        history.evolve(&told);
        assert_eq!(history.decide(end_at(99)).unwrap(), []);
        assert_eq!(history.mirrors[0].ended, Some((95, MirrorEnd::Student)));
    }

    #[test]
    fn mirror_begins_once_and_an_unknown_one_never_ends() {
        let history = crate::aggregate::fold::<UserHistory>(&[began()]);
        let again = UserHistoryCommand::BeginMirror {
            mirror_id: Uuid::from_u128(7),
            by: UserId(Uuid::from_u128(8)),
            page: MirrorPage::Payment,
            at: at(1),
        };
        assert_eq!(history.decide(again).unwrap(), []);
        assert_eq!(UserHistory::default().decide(end_at(1)).unwrap(), []);
    }

    #[test]
    fn mirror_events_read_back_from_their_samples() {
        let ended = UserHistoryEvent::MirrorEnded {
            mirror_id: Uuid::from_u128(7),
            seconds: 95,
            ended_by: MirrorEnd::Time,
            at: at(95),
        };
        assert_kept::<UserHistory>(&[began(), ended]);
    }
}
