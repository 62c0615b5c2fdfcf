//! The HTTP surface of the catalogue: regions, search, properties, shortlists and a visitor's own list.
#![expect(
    clippy::unused_async,
    reason = "what a route names is asynchronous, also where it waits for nothing"
)]

pub mod activity;
pub mod contract;
pub mod inventories;
pub mod payment_links;
pub mod regions;
pub mod search;
pub mod search_params;
pub mod shortlists;
pub mod views;
