//! The search index: every listing in memory, folded from the log's inventory, region and room events and kept fresh by
//! them. Knows no SQL, no HTTP, and never appends.

pub mod facets;
pub mod follower;
pub mod geo;
pub mod index;
pub mod item;
mod listed_room;
pub mod listing;
mod local_names;
pub mod names;
pub mod places;
pub mod query;
pub mod snapshot;
pub mod travel;
pub mod unlisted;
pub mod value;

#[cfg(test)]
mod brute_force;
mod card_photos;
mod chunk;
mod ranking;
mod room_lease;
mod search;
mod words;

pub use chunk::Row;
pub use follower::IndexFollower;
pub use index::SearchIndex;
pub use ranking::Hit;
pub use room_lease::RoomLease;
pub use search::Found;
pub use words::is_enough;
