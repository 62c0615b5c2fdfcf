//! The catalogue as students search it: an index in memory, made from the log's inventory, region and room events and
//! kept fresh by them.

pub mod facets;
pub mod geo;
pub mod names;
pub mod query;
pub mod snapshot;
pub mod value;

#[cfg(test)]
mod brute_force;
mod chunk;
mod ranking;
mod search;
mod words;

pub use chunk::Row;
pub use ranking::Hit;
pub use search::Found;
pub use words::is_enough;
