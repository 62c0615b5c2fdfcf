//! Commands to homes.

pub mod edit_home;
