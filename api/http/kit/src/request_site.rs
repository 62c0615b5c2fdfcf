//! The site that a request is served under, found once from the host that it names. Whatever depends on the host asks the request.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{Extensions, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use platform::config::Settings;
use platform::config::proxies::TrustedProxies;
use platform::host_name::is_loopback;
use platform::sites::{Site, Sites};

use crate::error::ApiError;
use crate::said::say;
use crate::security::keep_private;

/// Answered to every host: who watches the process knows its address alone.
const OF_THE_PROCESS: [&str; 2] = ["/healthz", "/readyz"];

/// Finds the site of a request.
#[derive(Debug, Clone)]
pub struct SiteFinder {
    pub sites: Sites,
    /// Who is believed about the host that a browser asked for.
    pub proxies: TrustedProxies,
    /// Brands, which choose the language of a site that names none.
    pub settings: Arc<Settings>,
}

impl SiteFinder {
    /// `None` for a host of nobody. A request that names no host, as HTTP/1.0 may, and one for this very machine are for the house.
    fn find(&self, request: &Request) -> Option<Arc<Site>> {
        let house = self.sites.house();
        if self.sites.is_one() {
            return Some(house.clone());
        }
        let Some(said) = asked_host(request) else {
            return Some(house.clone());
        };
        // A proxy that keeps Host leaves a client's X-Forwarded-Host beside it: it names nothing then.
        let known = self.sites.find(said);
        known.or_else(|| {
            let behind = self.passed_on(request).unwrap_or(said);
            let here = || is_loopback(behind).then(|| house.clone());
            self.sites.find(behind).or_else(here)
        })
    }

    /// The host that a trusted proxy was asked for: the last one is its own word, earlier ones are anybody's.
    fn passed_on<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
        if !self.proxies.has(peer.0.ip()) {
            return None;
        }
        let last = request.headers().get_all("x-forwarded-host").iter().next_back()?;
        let named = last.to_str().ok()?.rsplit(',').next()?.trim();
        (!named.is_empty()).then_some(named)
    }
}

/// The host that a request names, with its port: by its header, or in its first line.
pub fn asked_host(request: &Request) -> Option<&str> {
    let said = request.headers().get(header::HOST);
    let said = said.and_then(|host| host.to_str().ok());
    said.or_else(|| request.uri().authority().map(Authority::as_str))
}

/// Finds the site before anything else looks at the request.
pub async fn find_site(State(finder): State<SiteFinder>, mut request: Request, next: Next) -> Response {
    if let Some(site) = finder.find(&request) {
        let site = site.at_present(&finder.settings);
        request.extensions_mut().insert(site);
    }
    next.run(request).await
}

/// The site that was found; the house's where none was looked for.
pub fn site_of(found: &Extensions, settings: &Settings) -> Arc<Site> {
    let found = found.get::<Arc<Site>>().cloned();
    found.unwrap_or_else(|| Arc::new(Site::of_house(settings)))
}

/// Answers a host of nobody with one sentence: it reads nothing and writes nothing, and learns of no house (D112).
pub async fn refuse_unknown(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if request.extensions().get::<Arc<Site>>().is_some() || OF_THE_PROCESS.contains(&path) {
        return next.run(request).await;
    }
    let status = StatusCode::MISDIRECTED_REQUEST;
    let error = ApiError::new(status, "unknown_host", say("refusal.unknown_host"));
    let mut response = if path.starts_with("/api/") {
        error.into_response()
    } else {
        (status, error.message.written()).into_response()
    };
    keep_private(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use platform::sites::SiteId;

    use super::*;

    fn finder(hosts: &str) -> SiteFinder {
        let settings = Settings {
            public_url: Some("https://rooms.example".to_owned()),
            hosts: hosts.to_owned(),
            ..Settings::default()
        };
        SiteFinder {
            sites: Sites::of_settings(&settings),
            proxies: "10.0.0.7".to_owned().try_into().unwrap(),
            settings: Arc::new(settings),
        }
    }

    fn asked(peer: [u8; 4], uri: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = axum::http::Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let peer = SocketAddr::from((peer, 50_000));
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    }

    /// The name of the site that is found: `house`, a host, or `nobody`.
    fn found(finder: &SiteFinder, request: &Request) -> String {
        match finder.find(request).map(|site| site.id.clone()) {
            Some(SiteId::House) => "house".to_owned(),
            Some(SiteId::Further(name)) => name,
            None => "nobody".to_owned(),
        }
    }

    const STRANGER: [u8; 4] = [192, 0, 2, 1];
    const PROXY: [u8; 4] = [10, 0, 0, 7];

    #[test]
    fn site_is_that_of_the_host_in_header_or_line() {
        let finder = finder("https://study.example");
        for (uri, host, site) in [
            ("/", Some("Rooms.example:443"), "house"),
            ("/", Some("study.example."), "study.example"),
            ("http://study.example/", Some("study.example"), "study.example"),
            ("https://study.example/", None, "study.example"),
            ("/", Some("evil.example"), "nobody"),
            ("https://evil.example/", None, "nobody"),
            ("/", Some("192.0.2.7"), "nobody"),
            ("/", Some("[2001:db8::1]:80"), "nobody"),
            ("/", Some("127.0.0.1:8080"), "house"),
            ("/", Some("[::1]:8080"), "house"),
            ("/", None, "house"),
        ] {
            let headers: Vec<_> = host.iter().map(|host| ("host", *host)).collect();
            assert_eq!(
                found(&finder, &asked(STRANGER, uri, &headers)),
                site,
                "{uri} {host:?}"
            );
        }
    }

    #[test]
    fn host_passed_on_is_believed_from_a_trusted_proxy_alone() {
        let finder = finder("https://study.example");
        for (peer, host, forwarded, site) in [
            (PROXY, "latchkey:8080", "study.example", "study.example"),
            (PROXY, "127.0.0.1:8080", "study.example", "study.example"),
            (
                PROXY,
                "latchkey:8080",
                "evil.example, study.example",
                "study.example",
            ),
            (PROXY, "latchkey:8080", "study.example, evil.example", "nobody"),
            (PROXY, "127.0.0.1:8080", "evil.example", "nobody"),
            (PROXY, "rooms.example", "study.example", "house"),
            (STRANGER, "latchkey:8080", "study.example", "nobody"),
            (STRANGER, "127.0.0.1:8080", "study.example", "house"),
        ] {
            let request = asked(peer, "/", &[("host", host), ("x-forwarded-host", forwarded)]);
            assert_eq!(found(&finder, &request), site, "{host} {forwarded}");
        }
    }

    #[test]
    fn one_house_answers_under_every_name() {
        let finder = finder("");
        for host in ["rooms.example", "evil.example", "latchkey:8080"] {
            assert_eq!(found(&finder, &asked(STRANGER, "/", &[("host", host)])), "house");
        }
    }
}
