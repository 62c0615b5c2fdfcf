//! What staff looks at of a person, as the person's own history names it.

use serde::{Deserialize, Serialize};

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Name, address and number.
    Contact,
    /// The text of one message.
    Letter,
    /// The answers of the booking form.
    Answers,
    /// A lead's history as a file.
    Export,
    /// Payments, found by the person's address.
    Payments,
}

impl Look {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Contact,
        Self::Letter,
        Self::Answers,
        Self::Export,
        Self::Payments,
    ];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Letter => "letter",
            Self::Answers => "answers",
            Self::Export => "export",
            Self::Payments => "payments",
        }
    }
}
