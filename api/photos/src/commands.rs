//! Commands of this context.

pub mod take_down;
