//! Brands as the house keeps them: the draft, the versions that readers saw, and pictures made into the sizes in which they are shown
//! (decision 0056). Commands write through the log, questions read; neither knows HTTP. Which brand is served is the settings' (`platform`).

pub mod access;
pub mod commands;
pub mod error;
pub mod picture;
pub mod questions;
