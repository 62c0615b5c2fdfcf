//! What is asked of homes.

pub mod home_values;
