//! Shapes and words of answers that several surfaces speak of.

pub mod cases;
pub mod forms;
pub mod mirror;
pub mod price;
pub mod words;
