//! Time as the domain sees it: it comes with the command.

use chrono::{DateTime, Utc};

/// An instant in UTC, kept to the microsecond (X5).
pub type Moment = DateTime<Utc>;
