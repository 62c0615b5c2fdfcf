//! The services that pages are made with.

use std::sync::Arc;

use booking::payments::Payments;
use http_kit::caller::Sessions;
use platform::config::Settings;
use platform::sites::{Site, Sites};
use records::Records;
use shop::views::Views;

/// Sources of pages.
#[derive(Clone)]
pub struct PageSources {
    pub records: Records,
    pub settings: Arc<Settings>,
    /// The site that the page is a page of.
    pub site: Arc<Site>,
    pub views: Views,
    pub payments: Payments,
    pub sessions: Sessions,
}

impl PageSources {
    /// Those of pages of the house's first site.
    pub fn new(sessions: &Sessions, payments: &Payments, views: &Views, sites: &Sites) -> Self {
        Self {
            records: sessions.records.clone(),
            settings: sessions.settings.clone(),
            site: sites.house().clone(),
            views: views.clone(),
            payments: payments.clone(),
            sessions: sessions.clone(),
        }
    }

    /// The same for pages of this site.
    #[must_use]
    pub fn at(&self, site: &Arc<Site>) -> Self {
        Self {
            site: site.clone(),
            ..self.clone()
        }
    }
}
