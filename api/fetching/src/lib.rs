//! Fetches feeds of listings from their addresses: once for `latchkey import`, and again and again for the feeds of the setting `feeds` and
//! those that are made in the workspace, on one node at a time. Knows nothing of rows and homes: [`schedule::TakeIn`] gets the fetched file.

pub mod feeds_file;
pub mod fetch;
pub mod made_feeds;
pub mod reports;
pub mod schedule;
pub mod state;
pub mod turn;
