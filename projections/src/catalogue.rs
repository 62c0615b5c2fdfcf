//! The catalogue as students search it: an index in memory, made from the log's inventory, region and room events and
//! kept fresh by them.

pub mod facets;
pub mod follower;
pub mod geo;
pub mod item;
pub mod listing;
pub mod live;
mod local_names;
pub mod names;
pub mod places;
pub mod query;
pub mod snapshot;
pub mod travel;
pub mod value;

#[cfg(test)]
mod brute_force;
mod chunk;
mod ranking;
mod room_lease;
mod search;
mod words;

pub use chunk::Row;
pub use follower::CatalogueFollower;
pub use live::Catalogue;
pub use ranking::Hit;
pub use room_lease::RoomLease;
pub use search::Found;
pub use words::is_enough;
