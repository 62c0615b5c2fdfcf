//! Who may keep brands.

use domain::user::Role;

/// Roles that see drafts, change and publish them.
pub const KEEPERS: &[Role] = &[Role::Admin];
