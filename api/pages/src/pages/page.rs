//! What a page is, and what its address says.

use std::net::IpAddr;

use axum::http::StatusCode;
use domain::language::Language;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::head::Head;

/// Where a site path leads.
#[derive(Debug)]
pub enum Outcome {
    Page(Box<Page>),
    /// 301 for permanent facts, 302 for states (D8).
    Redirect {
        status: StatusCode,
        to: String,
    },
    /// A page that draws itself that there is nothing.
    Missing(Box<Page>),
    /// A page of what was here and is so no longer: a crawler forgets it, a person is led on (U14).
    Gone(Box<Page>),
    /// `message` says more where the specification does, e.g. 'token not found'.
    NotFound {
        message: Option<String>,
    },
}

/// One page.
#[derive(Debug)]
pub struct Page {
    /// The name by which the browser finds the page's code.
    pub route: &'static str,
    pub head: Head,
    pub data: Box<RawValue>,
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
    pub lang: Language,
    /// Whether the visitor's login stands; looked up for guarded paths only.
    pub logged_in: bool,
    /// The visitor's network address, by which guesses count.
    pub ip: IpAddr,
}

impl Address<'_> {
    /// The decoded value of one query parameter; empty values count as absent.
    pub fn param(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
            .filter(|value| !value.is_empty())
    }

    /// Path and query, as the address bar shows them.
    pub fn url(&self) -> String {
        self.keeping_query(self.path)
    }

    /// `to` with this address's query kept (D8).
    pub fn keeping_query(&self, to: &str) -> String {
        if self.query.is_empty() {
            to.to_owned()
        } else {
            format!("{to}?{}", self.query)
        }
    }
}

/// Answer of `GET /_page`, which the first HTML embeds.
#[derive(Debug, Serialize)]
pub struct PagePayload {
    pub route: &'static str,
    /// Path and query this payload answers.
    pub url: String,
    pub status: u16,
    pub redirect: Option<String>,
    pub head: Head,
    pub chrome: Value,
    pub data: Box<RawValue>,
}

/// What a page shows as JSON, written once and passed on as it is; `null` for what has no form in JSON.
pub fn written(shown: &impl Serialize) -> Box<RawValue> {
    to_raw_value(shown).unwrap_or_default()
}
