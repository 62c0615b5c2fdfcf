//! Calls to addresses that come from outside: feeds, photos, webhooks, identity providers. A provider who names an address must not
//! reach the house's own network with it (T28): names are resolved once, every address is checked and the call goes to that address;
//! redirects are followed by hand and each is checked anew; bytes and time are bounded.
//!
//! Addresses of the operator's own settings (the provider of text messages, Stripe, the alert webhook, reCAPTCHA) may be private and
//! do not come through here.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, LOCATION,
};
use reqwest::{Client, Method, Response, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

mod body;
mod error;
mod network;
mod resolver;

pub use error::OutboundError;
pub use network::{Network, find_network};
pub use resolver::{Resolver, SystemResolver};

/// How many redirects are followed.
pub const REDIRECTS_MAX: usize = 5;

/// Bounds of one call, its redirects among them.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time for a look-up and for a connection, each.
    pub connect: Duration,
    /// Time from the first look-up to the last byte.
    pub total: Duration,
    /// Bytes that are received.
    pub received: u64,
    /// Bytes after unpacking.
    pub unpacked: u64,
}

/// Addresses beyond the public internet that may be called.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Sockets of the operator's own network, by the setting `outbound_permitted`. Such a socket may also be named with `http://`.
    pub permitted: Vec<SocketAddr>,
    /// Whether `http://` may be called everywhere.
    pub plain_http: bool,
}

/// One call.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    url: Url,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Vec<u8>,
    limits: Limits,
}

impl Call {
    /// Fetches an address.
    ///
    /// # Errors
    /// When the text is no address.
    pub fn get(address: &str, limits: Limits) -> Result<Self, OutboundError> {
        Ok(Self {
            method: Method::GET,
            url: Url::parse(address.trim()).map_err(|_| OutboundError::NoAddress)?,
            headers: Vec::new(),
            body: Vec::new(),
            limits,
        })
    }

    /// Posts a body to an address; a redirect is an error.
    ///
    /// # Errors
    /// When the text is no address.
    pub fn post(address: &str, body: Vec<u8>, limits: Limits) -> Result<Self, OutboundError> {
        Ok(Self {
            method: Method::POST,
            body,
            ..Self::get(address, limits)?
        })
    }

    /// The call with a header, which goes to the named host alone and to none that it redirects to.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The call with the marks of an earlier answer: a host whose answer is still the same says 304 and sends no body. A mark that no
    /// header can hold is left out.
    #[must_use]
    pub fn with_marks(mut self, etag: Option<&str>, last_modified: Option<&str>) -> Self {
        for (name, mark) in [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)] {
            if let Some(value) = mark.and_then(|mark| HeaderValue::from_str(mark).ok()) {
                self = self.with_header(name, value);
            }
        }
        self
    }
}

/// How large an answer was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    pub received: u64,
    pub unpacked: u64,
}

/// An answer whose body is in the sink.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Where it came from, after redirects.
    pub url: Url,
    /// 200 to 299, or 304.
    pub status: u16,
    pub content_type: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub sizes: Sizes,
}

/// Makes calls. One for a process; cheap to share behind an [`Arc`].
pub struct Outbound {
    resolver: Arc<dyn Resolver>,
    tls: ClientConfig,
    policy: Policy,
}

impl Outbound {
    /// Calls with the certificates that the system trusts.
    ///
    /// # Errors
    /// When TLS cannot be used.
    pub fn open(policy: Policy, resolver: Arc<dyn Resolver>) -> Result<Self, OutboundError> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| OutboundError::Tls(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            resolver,
            tls,
            policy,
        })
    }

    /// Makes the call and writes the body to `sink`. After an error the sink may hold a part of it.
    ///
    /// # Errors
    /// Why there is no answer; a status that is no success is one.
    pub async fn send(&self, call: Call, sink: &mut (dyn Write + Send)) -> Result<Answer, OutboundError> {
        let (host, total) = (describe_host(&call.url), call.limits.total);
        tokio::time::timeout(total, self.follow_redirects(call, sink))
            .await
            .map_err(|_| OutboundError::late(&host, total))?
    }

    /// Makes the call and holds the body. Meant for small ones: `limits.unpacked` bounds the memory.
    ///
    /// # Errors
    /// As [`Outbound::send`].
    pub async fn fetch(&self, call: Call) -> Result<(Answer, Vec<u8>), OutboundError> {
        let mut body = Vec::new();
        let answer = self.send(call, &mut body).await?;
        Ok((answer, body))
    }

    async fn follow_redirects(
        &self,
        call: Call,
        sink: &mut (dyn Write + Send),
    ) -> Result<Answer, OutboundError> {
        let mut url = call.url.clone();
        for _hop in 0..=REDIRECTS_MAX {
            let response = self.ask(&call, &url).await?;
            if !is_redirect(&response) {
                return take_answer(response, url, &call.limits, sink).await;
            }
            let host = describe_host(&url);
            if call.method != Method::GET {
                return Err(OutboundError::BodyRedirected(host));
            }
            url = find_next(&response, &url).ok_or(OutboundError::RedirectedNowhere(host))?;
        }
        Err(OutboundError::RedirectedTooOften {
            host: describe_host(&call.url),
            limit: REDIRECTS_MAX,
        })
    }

    /// One request to one address, without redirects. Its client is made for these addresses and goes with it.
    async fn ask(&self, call: &Call, url: &Url) -> Result<Response, OutboundError> {
        let host = describe_host(url);
        self.check_scheme(url, &host, url.origin() == call.url.origin())?;
        let addresses = self.find_checked(url, &host, call.limits.connect).await?;
        let client = Client::builder()
            .user_agent(concat!("Latchkey/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            // The proxy of the environment would resolve the name anew.
            .no_proxy()
            .pool_max_idle_per_host(0)
            .connect_timeout(call.limits.connect)
            .dns_resolver(Arc::new(resolver::Pinned(addresses)))
            .use_preconfigured_tls(self.tls.clone())
            .build()
            .map_err(|error| OutboundError::Tls(error.without_url().to_string()))?;
        let mut request = client
            .request(call.method.clone(), url.clone())
            .header(ACCEPT_ENCODING, "gzip");
        if url.origin() == call.url.origin() {
            for (name, value) in &call.headers {
                request = request.header(name, value);
            }
        }
        if call.method != Method::GET {
            request = request.body(call.body.clone());
        }
        request.send().await.map_err(|error| {
            if error.is_connect() && error.is_timeout() {
                OutboundError::connect_late(&host, call.limits.connect)
            } else if error.is_connect() {
                OutboundError::NoConnection(host)
            } else {
                OutboundError::BrokenOff(host)
            }
        })
    }

    /// `is_named`: the address is the call's own, and no other host redirected to it.
    fn check_scheme(&self, url: &Url, host: &str, is_named: bool) -> Result<(), OutboundError> {
        match url.scheme() {
            "https" => Ok(()),
            "http" if self.policy.plain_http || (is_named && self.is_permitted(url)) => Ok(()),
            "http" => Err(OutboundError::Plain(host.to_owned())),
            other => Err(OutboundError::Scheme(other.to_owned())),
        }
    }

    /// Whether the address names a permitted socket by its number: a name would be resolved by others.
    fn is_permitted(&self, url: &Url) -> bool {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return false,
        };
        let port = url.port_or_known_default().unwrap_or(0);
        self.policy.permitted.contains(&SocketAddr::new(address, port))
    }

    /// The addresses of an address' host, resolved once. One that is not permitted refuses all: a name with a public and a private
    /// address asks to be tried until the private one answers.
    async fn find_checked(
        &self,
        url: &Url,
        host: &str,
        limit: Duration,
    ) -> Result<Vec<SocketAddr>, OutboundError> {
        let unknown = || OutboundError::UnknownHost(host.to_owned());
        let found = match url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => {
                let answer = tokio::time::timeout(limit, self.resolver.find_addresses(name));
                let answer = answer
                    .await
                    .map_err(|_| OutboundError::connect_late(host, limit))?;
                answer.map_err(|_| unknown())?
            }
            None => return Err(OutboundError::NoAddress),
        };
        if found.is_empty() {
            return Err(unknown());
        }
        let port = url.port_or_known_default().unwrap_or(0);
        let sockets: Vec<SocketAddr> = found
            .into_iter()
            .map(|address| SocketAddr::new(address, port))
            .collect();
        for socket in &sockets {
            if let Some(network) = self.find_forbidden(*socket) {
                let host = host.to_owned();
                return Err(OutboundError::Forbidden { host, network });
            }
        }
        Ok(sockets)
    }

    fn find_forbidden(&self, socket: SocketAddr) -> Option<Network> {
        if self.policy.permitted.contains(&socket) {
            return None;
        }
        find_network(socket.ip())
    }
}

async fn take_answer(
    response: Response,
    url: Url,
    limits: &Limits,
    sink: &mut (dyn Write + Send),
) -> Result<Answer, OutboundError> {
    let (host, status) = (describe_host(&url), response.status());
    if !status.is_success() && status.as_u16() != 304 {
        let status = status.as_u16();
        return Err(OutboundError::Status { host, status });
    }
    let read_header = |name: HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let (content_type, etag) = (read_header(CONTENT_TYPE), read_header(ETAG));
    let last_modified = read_header(LAST_MODIFIED);
    let sizes = body::take_body(response, &host, limits, sink).await?;
    Ok(Answer {
        url,
        status: status.as_u16(),
        content_type,
        etag,
        last_modified,
        sizes,
    })
}

fn is_redirect(response: &Response) -> bool {
    matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The address that a redirect names, without a login: one that another host writes is not sent on.
fn find_next(response: &Response, from: &Url) -> Option<Url> {
    let named = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut next = from.join(named).ok()?;
    if next.origin() != from.origin() {
        next.set_username("").ok()?;
        next.set_password(None).ok()?;
    }
    Some(next)
}

fn describe_host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
