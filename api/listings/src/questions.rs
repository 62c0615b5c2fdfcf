//! Questions about homes.

pub mod home_photos;
pub mod home_steps;
pub mod home_stock;
pub mod home_values;
pub mod tried_edit;
