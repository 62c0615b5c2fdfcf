//! Stories told through the front door, and the laws of the house.

mod bad_input;
mod laws;
