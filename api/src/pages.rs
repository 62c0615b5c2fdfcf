//! From a site path to what its page shows: route, status, head and data, decided once on the server, the same for the
//! first HTML and for every navigation in the browser.

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::error::ApiError;
use crate::request::Lang;

pub mod head;

use head::Head;

/// Where a site path leads.
#[derive(Debug)]
pub enum Outcome {
    Page(Box<Page>),
    /// 301 for permanent facts, 302 for states (D8).
    Redirect { status: StatusCode, to: String },
    /// `message` says more where the specification does, e.g. 'token not found'.
    NotFound { message: Option<String> },
}

/// One page.
#[derive(Debug)]
pub struct Page {
    /// The name by which the browser finds the page's code.
    pub route: &'static str,
    pub head: Head,
    pub data: Value,
    pub json_ld: Vec<Value>,
    pub render: Render,
    /// A picture to fetch first.
    pub preload_image: Option<String>,
}

/// Where a page's body is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Render {
    /// Public to search engines: rendered on the server, the same for everybody.
    Server,
    /// Personal: the shell only, never cached, not indexed.
    Browser,
}

/// A page address taken apart.
#[derive(Debug, Clone)]
pub struct Address<'a> {
    pub path: &'a str,
    /// Without the question mark; empty when there is none.
    pub query: &'a str,
    pub lang: Lang,
}

impl Address<'_> {
    /// The decoded value of one query parameter; empty values count as absent.
    pub fn param(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
            .filter(|value| !value.is_empty())
    }

    /// `to` with this address's query kept (D8).
    pub fn keeping_query(&self, to: &str) -> String {
        if self.query.is_empty() { to.to_owned() } else { format!("{to}?{}", self.query) }
    }
}

/// What `GET /_page` answers and the first HTML embeds.
#[derive(Debug, Serialize)]
pub struct PagePayload {
    pub route: &'static str,
    pub status: u16,
    pub redirect: Option<String>,
    pub head: Head,
    pub chrome: Value,
    pub data: Value,
}

/// Decides what the address shows. Only `pages` knows the site's paths (Spec §2).
///
/// # Errors
/// Only when something of ours is broken: bad addresses are outcomes.
pub async fn resolve(app: &App, address: &Address<'_>) -> Result<Outcome, ApiError> {
    let segments: Vec<&str> = address.path.trim_matches('/').split('/').filter(|part| !part.is_empty()).collect();
    let _ = app;
    match segments.as_slice() {
        _ => Ok(Outcome::NotFound { message: None }),
    }
}

/// What the frame around every page shows: brand, language, menus.
pub async fn chrome(app: &App, address: &Address<'_>) -> Value {
    let settings = &app.settings;
    serde_json::json!({
        "brand_name": settings.brand_name,
        "lang": address.lang.code(),
        "variant": settings.variant,
        "dev_tools": settings.dev_tools(),
        "rating": settings.rating,
        "downloads": settings.downloads,
        "support_email": (!settings.support_email.is_empty()).then_some(&settings.support_email),
        "countries": [],
    })
}
