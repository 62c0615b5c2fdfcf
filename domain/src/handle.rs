//! One e-mail address or phone number belongs to one person, whoever claims it first. The stream's id is the handle's
//! keyed hash, so that two first sights at once still end in one person.

use serde::{Deserialize, Serialize};

use crate::aggregate::Decide;
use crate::id::UserId;
use crate::moment::Moment;
use crate::sealed::Sealable;

/// What a handle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandleKind {
    Email,
    Phone,
}

/// What a caller may ask of a handle.
#[derive(Debug, Clone)]
pub enum HandleCommand {
    /// Gives the handle to `user_id`, unless it has an owner already: the answer is in the state.
    Claim {
        kind: HandleKind,
        user_id: UserId,
        at: Moment,
    },
    /// Takes the handle from `user_id`, who was forgotten: whoever claims it next is somebody new.
    Release { user_id: UserId, at: Moment },
}

/// What happened to a handle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum HandleEvent {
    Claimed {
        kind: HandleKind,
        user_id: UserId,
        at: Moment,
    },
    Released {
        user_id: UserId,
        at: Moment,
    },
}

crate::event_names!(HandleEvent { Claimed => "HandleClaimed" 1, Released => "HandleReleased" 1 });

impl Sealable for HandleEvent {}

/// A handle turns nothing down: whoever comes second learns who was first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandleRejection {}

/// Who has the handle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handle {
    pub owner: Option<UserId>,
}

impl Decide for Handle {
    const KIND: &'static str = "handle";
    type Command = HandleCommand;
    type Event = HandleEvent;
    type Rejection = HandleRejection;

    fn decide(&self, command: HandleCommand) -> Result<Vec<HandleEvent>, HandleRejection> {
        Ok(match command {
            HandleCommand::Claim { kind, user_id, at } if self.owner.is_none() => {
                vec![HandleEvent::Claimed { kind, user_id, at }]
            }
            HandleCommand::Release { user_id, at } if self.owner == Some(user_id) => {
                vec![HandleEvent::Released { user_id, at }]
            }
            HandleCommand::Claim { .. } | HandleCommand::Release { .. } => vec![],
        })
    }

    fn evolve(&mut self, event: &HandleEvent) {
        self.owner = match event {
            HandleEvent::Claimed { user_id, .. } => Some(*user_id),
            HandleEvent::Released { .. } => None,
        };
    }
}

crate::aggregate!(Handle);

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::sample::assert_kept;

    #[test]
    fn who_comes_second_learns_who_was_first() {
        let at = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let first = HandleEvent::Claimed {
            kind: HandleKind::Email,
            user_id: UserId(Uuid::from_u128(1)),
            at,
        };
        let handle = crate::aggregate::fold::<Handle>([&first]);
        let second = HandleCommand::Claim {
            kind: HandleKind::Email,
            user_id: UserId(Uuid::from_u128(2)),
            at,
        };
        assert_eq!(handle.decide(second), Ok(vec![]));
        assert_eq!(handle.owner, Some(UserId(Uuid::from_u128(1))));
        let release = |person| HandleCommand::Release {
            user_id: UserId(Uuid::from_u128(person)),
            at,
        };
        assert_eq!(handle.decide(release(2)), Ok(vec![]), "it is not theirs");
        let released = handle.decide(release(1)).unwrap();
        let free = crate::aggregate::fold::<Handle>([&first, &released[0]]);
        assert_eq!(free.owner, None);
        assert_kept::<Handle>(&[first, released[0].clone()]);
    }
}
