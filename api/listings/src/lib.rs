//! Homes as the house keeps them: the values of each from its source and from people, and edits of them (U6, decision 0044).
//! Commands write through the log, questions read; neither knows HTTP.

pub mod access;
pub mod commands;
pub mod error;
pub mod questions;
#[cfg(test)]
mod trial;
