//! The HTTP surface of the catalogue: regions, search, properties, shortlists and a visitor's own list.

use std::sync::Arc;

use http_kit::caller::Sessions;
use http_kit::endpoints::Endpoints;
use platform::config::Settings;
use records::Records;
use search_index::SearchIndex;

pub mod activity;
pub mod contract;
pub mod inventories;
pub mod listed_statuses;
pub mod payment_links;
pub mod regions;
pub mod search;
pub mod search_params;
pub mod shortlists;
pub mod views;

http_kit::services! {
    records: Records,
    search: Arc<SearchIndex>,
    sessions: Sessions,
    settings: Arc<Settings>,
    views: views::Views,
}

/// Every route of this surface, and who may call it.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(activity::endpoints())
        .merge(inventories::endpoints())
        .merge(regions::endpoints())
        .merge(search::endpoints())
        .merge(shortlists::endpoints())
}
