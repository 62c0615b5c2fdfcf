//! Who caused an event.

use uuid::Uuid;

/// What sort of actor stands behind an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActorKind {
    /// Somebody who has not proved who they are.
    Visitor,
    /// A student who is logged in.
    Student,
    /// Somebody of support, finance or administration.
    Staff,
    /// A payment gateway's notification.
    Gateway,
    /// A rule that follows one event with another command.
    Rule,
    /// The marketplace itself: first start, import, expiry.
    System,
}

impl ActorKind {
    /// The stored number; never changes once released.
    pub fn code(self) -> u8 {
        match self {
            Self::Visitor => 1,
            Self::Student => 2,
            Self::Staff => 3,
            Self::Gateway => 4,
            Self::Rule => 5,
            Self::System => 6,
        }
    }

    /// The kind with a stored number.
    pub fn from_code(code: i64) -> Option<Self> {
        [
            Self::Visitor,
            Self::Student,
            Self::Staff,
            Self::Gateway,
            Self::Rule,
            Self::System,
        ]
        .into_iter()
        .find(|kind| i64::from(kind.code()) == code)
    }

    /// The word shown in the workspace and in exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visitor => "visitor",
            Self::Student => "student",
            Self::Staff => "staff",
            Self::Gateway => "gateway",
            Self::Rule => "rule",
            Self::System => "system",
        }
    }
}

/// Who caused an event, by kind and, where known, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Actor {
    /// What sort of actor.
    pub kind: ActorKind,
    /// Which one: a user's id, never an e-mail or a name.
    pub id: Option<Uuid>,
}

impl Actor {
    /// The marketplace itself.
    pub const SYSTEM: Self = Self {
        kind: ActorKind::System,
        id: None,
    };
    /// A rule that follows one event with another command.
    pub const RULE: Self = Self {
        kind: ActorKind::Rule,
        id: None,
    };
    /// A payment gateway.
    pub const GATEWAY: Self = Self {
        kind: ActorKind::Gateway,
        id: None,
    };
    /// Somebody unknown.
    pub const VISITOR: Self = Self {
        kind: ActorKind::Visitor,
        id: None,
    };

    /// A student who is logged in.
    pub fn student(id: Uuid) -> Self {
        Self {
            kind: ActorKind::Student,
            id: Some(id),
        }
    }

    /// A member of staff who is logged in.
    pub fn staff(id: Uuid) -> Self {
        Self {
            kind: ActorKind::Staff,
            id: Some(id),
        }
    }
}
