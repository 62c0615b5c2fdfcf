//! What is done to homes.

pub mod edit_home;
