//! Names become addresses once, and the call goes to the address that was checked.

use std::io;
use std::net::{IpAddr, SocketAddr};

use futures::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Finds the addresses of a host. The system does it; tests bring their own answers.
pub trait Resolver: Send + Sync {
    /// The addresses of a name, the preferred first.
    ///
    /// # Errors
    /// When the name has none, or the name server does not answer.
    fn find_addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Asks the system's resolver.
#[derive(Debug, Clone, Copy)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn find_addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Answers every name with the addresses that were checked, so that no second look-up can bring others.
pub(crate) struct Pinned(pub(crate) Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _name: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}
