//! Fetches feeds of listings from their addresses: once for `latchkey import`, and again and again for the feeds of the setting `feeds`,
//! on one node at a time. Knows nothing of rows and homes: [`schedule::TakeIn`] gets the fetched file.

pub mod feeds_file;
pub mod fetch;
pub mod reports;
pub mod schedule;
pub mod state;
pub mod turn;
