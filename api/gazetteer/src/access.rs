//! Who may keep places.

use domain::user::Role;

/// Roles that see what is known of a place, and correct it.
pub const MENDERS: &[Role] = &[Role::Support, Role::Admin];
