//! The services that pages are made with.

use std::sync::Arc;

use booking::payments::Payments;
use http_kit::caller::Sessions;
use platform::config::Settings;
use records::Records;
use shop::views::Views;

/// Sources of pages.
#[derive(Clone)]
pub struct PageSources {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub views: Views,
    pub payments: Payments,
    pub sessions: Sessions,
}
