//! What is done to texts of the house.

pub mod edit_text;
