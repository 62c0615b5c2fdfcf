//! Questions about places.

pub mod known_place;
