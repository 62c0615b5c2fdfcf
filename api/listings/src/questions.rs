//! Questions about homes.

pub mod home_values;
