//! The services that pages are made with.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use booking::payments::Payments;
use http_kit::caller::Sessions;
use http_kit::request_site::site_of;
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
}

/// Asked for by themselves, they are those of the site that the request is served under; as a state, those of the first one.
impl<S: Send + Sync> FromRequestParts<S> for PageSources
where
    Self: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let sources = Self::from_ref(state);
        let site = site_of(&parts.extensions, &sources.settings);
        Ok(Self { site, ..sources })
    }
}
