//! Commands to places.

pub mod mend_place;
