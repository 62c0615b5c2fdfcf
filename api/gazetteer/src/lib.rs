//! Places as the house keeps them: what is known of a city, an area or a university, and corrections of it by staff (decision 0048).
//! Commands write through the log, questions read; neither knows HTTP.

pub mod access;
pub mod commands;
pub mod error;
pub mod questions;
