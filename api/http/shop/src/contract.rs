//! The shapes of the catalogue's answers.

pub mod catalogue;
pub mod inventory;
