//! Forms of pages that make a case.

use serde::Serialize;
use utoipa::ToSchema;

/// A form, by the page that it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactForm {
    Contact,
    Partner,
    GroupBooking,
    UniversityPartnerships,
}

impl ContactForm {
    pub const ALL: [Self; 4] = [
        Self::Contact,
        Self::Partner,
        Self::GroupBooking,
        Self::UniversityPartnerships,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Partner => "partner",
            Self::GroupBooking => "group_booking",
            Self::UniversityPartnerships => "university_partnerships",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.key() == key)
    }
}
