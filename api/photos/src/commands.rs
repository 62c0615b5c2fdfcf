//! Commands of this context.

pub mod ask_again;
pub mod restore;
pub mod take_down;
pub mod upload;
