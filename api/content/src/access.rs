//! Who may write texts of the house.

use domain::user::Role;

/// Roles that write, publish and take back texts: they speak for the company.
pub const EDITORS: &[Role] = &[Role::Admin];
