//! The pages that the server draws, with the files that browsers load.

use std::sync::Arc;

use ::photos::store::PhotoStore;
use ::pictures::Pictures;
use http_kit::endpoints::Endpoints;
use platform::config::Settings;
use records::Records;
use search_index::SearchIndex;

pub mod brand;
pub mod pages;
pub mod payload_shapes;
mod photo_file;
pub mod pictures;
pub mod site;
pub mod site_files;

http_kit::services! {
    photos: PhotoStore,
    pictures: Arc<Pictures>,
    printer: Arc<site::PagePrinter>,
    records: Records,
    search: Arc<SearchIndex>,
    settings: Arc<Settings>,
    sources: pages::sources::PageSources,
}

/// Every route of this surface, and who may call it.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(brand::endpoints())
        .merge(crate::pictures::endpoints())
        .merge(site::endpoints())
        .merge(site_files::endpoints())
}
