//! Reasons why an outgoing call ended without an answer.

use std::io;
use std::time::Duration;

use crate::network::Network;

/// Why there is no answer. Errors name hosts and never whole addresses: paths and queries hold secrets.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    #[error("the address cannot be read: write one such as https://feeds.example/homes.json")]
    NoAddress,
    #[error("`{0}` is no scheme of an address here: write https://")]
    Scheme(String),
    #[error("the address of `{0}` begins with http://: only https:// is called")]
    Plain(String),
    #[error("`{host}` is {network}: only addresses of the public internet are called")]
    Forbidden { host: String, network: Network },
    #[error("`{0}` has no address: look for a typing error in the name")]
    UnknownHost(String),
    #[error("`{host}` did not take the connection within {seconds} s")]
    ConnectLate { host: String, seconds: u64 },
    #[error("no connection to `{0}`, or its certificate is not trusted")]
    NoConnection(String),
    #[error("`{host}` did not answer whole within {seconds} s")]
    Late { host: String, seconds: u64 },
    #[error("`{0}` broke off before its answer was whole")]
    BrokenOff(String),
    #[error("`{host}` redirects more than {limit} times")]
    RedirectedTooOften { host: String, limit: usize },
    #[error("`{0}` redirects to nowhere: its answer names no address to go on to")]
    RedirectedNowhere(String),
    #[error("`{0}` redirects a call that carries a body: write the address it redirects to")]
    BodyRedirected(String),
    #[error("`{host}` answered {status}")]
    Status { host: String, status: u16 },
    #[error("the answer of `{host}` is larger than {limit} bytes")]
    TooLarge { host: String, limit: u64 },
    #[error("the answer of `{host}` is larger than {limit} bytes once unpacked")]
    UnpacksTooLarge { host: String, limit: u64 },
    #[error("`{host}` packed its answer as `{encoding}`: only gzip is read")]
    UnknownPacking { host: String, encoding: String },
    #[error("the packed answer of `{0}` is damaged")]
    DamagedPacking(String),
    #[error("the answer cannot be kept: {0}")]
    Sink(#[source] io::Error),
    #[error("TLS cannot be used: {0}")]
    Tls(String),
}

impl OutboundError {
    /// Whether the same call may succeed later without a change by a person.
    pub const fn is_temporary(&self) -> bool {
        match self {
            Self::Status { status, .. } => matches!(status, 408 | 425 | 429 | 500..=599),
            Self::UnknownHost(_)
            | Self::ConnectLate { .. }
            | Self::NoConnection(_)
            | Self::Late { .. }
            | Self::BrokenOff(_)
            | Self::DamagedPacking(_)
            | Self::Sink(_) => true,
            Self::NoAddress
            | Self::Scheme(_)
            | Self::Plain(_)
            | Self::Forbidden { .. }
            | Self::RedirectedTooOften { .. }
            | Self::RedirectedNowhere(_)
            | Self::BodyRedirected(_)
            | Self::TooLarge { .. }
            | Self::UnpacksTooLarge { .. }
            | Self::UnknownPacking { .. }
            | Self::Tls(_) => false,
        }
    }

    pub(crate) fn connect_late(host: &str, limit: Duration) -> Self {
        Self::ConnectLate {
            host: host.to_owned(),
            seconds: limit.as_secs(),
        }
    }

    pub(crate) fn late(host: &str, limit: Duration) -> Self {
        Self::Late {
            host: host.to_owned(),
            seconds: limit.as_secs(),
        }
    }
}
