//! Who may bring feeds in.

use domain::user::Role;

/// Roles that upload feeds, run them, and set them on a schedule: those that keep homes.
pub const FEED_KEEPERS: &[Role] = &[Role::Support, Role::Admin];
