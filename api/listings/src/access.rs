//! Who may keep homes.

use domain::user::Role;

/// Roles that see where a home's values come from, and edit them.
pub const EDITORS: &[Role] = &[Role::Support, Role::Admin];
