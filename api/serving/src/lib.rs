//! Accepts connections, HTTP/1 and HTTP/2, within bounds (R19, decision 0030): so many of one address, so many in all, and none
//! whose client keeps the server waiting.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use parking_lot::Mutex;
use platform::config::Settings;
use platform::config::proxies::TrustedProxies;
use platform::network::network;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tower::{Service, ServiceExt as _};

use crate::connection::{Activity, Answer, Watched};

mod connection;
mod lingering;
pub mod unread;

/// Descriptors for files, databases and mail, which connections never get.
const DESCRIPTORS_KEPT: u64 = 256;
/// File descriptors that are asked for at most, where the hard limit of the system is higher.
const DESCRIPTORS_MAX: u64 = 1 << 20;
/// How often a connection is looked at within the time that its client may keep the server waiting.
const LOOKS: u32 = 4;
/// How long nothing is accepted when the system refuses it.
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

/// What one client may take.
#[derive(Debug, Clone)]
pub struct Bounds {
    client_wait: Duration,
    per_address: usize,
    /// Their connections are those of all clients: they bound them themselves.
    proxies: TrustedProxies,
}

impl Bounds {
    pub fn of(settings: &Settings) -> Self {
        Self {
            client_wait: settings.client_wait(),
            per_address: settings.connections_per_address,
            proxies: settings.trusted_proxy.clone(),
        }
    }
}

/// Open connections by the network of their clients.
#[derive(Debug, Clone, Default)]
struct Open(Arc<Mutex<HashMap<String, usize>>>);

/// One of them; dropped when it ends.
#[derive(Debug)]
struct Place {
    open: Open,
    network: String,
}

impl Open {
    fn take(&self, network: String, most: usize) -> Option<Place> {
        let mut open = self.0.lock();
        let count = open.entry(network.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        drop(open);
        Some(Place {
            open: self.clone(),
            network,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.0.lock();
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// Raises the limit of open descriptors to what the system allows and gives how many connections that leaves room for.
#[cfg(unix)]
pub fn room_for_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(DESCRIPTORS_MAX).min(DESCRIPTORS_MAX);
    let now = limit.current.unwrap_or(DESCRIPTORS_MAX);
    let raised = Rlimit {
        current: Some(most.max(now)),
        maximum: limit.maximum,
    };
    let got = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => most.max(now),
        Err(error) => {
            tracing::warn!(%error, now, "the limit of open descriptors cannot be raised");
            now
        }
    };
    usize::try_from(got.saturating_sub(DESCRIPTORS_KEPT).max(DESCRIPTORS_KEPT / 4)).unwrap_or(usize::MAX)
}

/// There sockets are no descriptors.
#[cfg(not(unix))]
pub fn room_for_connections() -> usize {
    16_384
}

/// Serves until `stop` comes; then ends connections once their answers are sent.
pub async fn serve<S>(
    listener: TcpListener,
    service: S,
    bounds: Bounds,
    room: usize,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    let (open, room) = (
        Open::default(),
        Arc::new(Semaphore::new(room.min(Semaphore::MAX_PERMITS))),
    );
    let stopping = watch::Sender::new(false);
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            Some(_ended) = connections.join_next(), if !connections.is_empty() => continue,
            () = &mut stop => break,
        };
        let Some((stream, peer, permit)) = accepted else {
            continue;
        };
        let is_proxy = bounds.proxies.has(peer.ip());
        let most = if is_proxy { usize::MAX } else { bounds.per_address };
        // Closed at once: an answer would be one more thing to wait for.
        let Some(place) = open.take(network(peer.ip()), most) else {
            continue;
        };
        let (service, stopping) = (service.clone(), stopping.subscribe());
        connections.spawn(async move {
            converse(stream, peer, service, bounds.client_wait, is_proxy, stopping).await;
            drop((place, permit));
        });
    }
    drop(listener);
    stopping.send_replace(true);
    while connections.join_next().await.is_some() {}
}

/// The next connection, once there is room for one.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let permit = room.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some((stream, peer, permit)),
        Err(error) => {
            use std::io::ErrorKind;
            let is_the_clients = matches!(
                error.kind(),
                ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
            );
            if !is_the_clients {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_AGAIN).await;
            }
            None
        }
    }
}

/// Answers one connection until it ends, is overdue, or the server stops.
async fn converse<S>(
    stream: TcpStream,
    peer: SocketAddr,
    service: S,
    client_wait: Duration,
    is_proxy: bool,
    mut stopping: watch::Receiver<bool>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    let activity = Activity::begin();
    let of_requests = activity.clone();
    let answering = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let under_way = of_requests.request();
        let answer = service.clone().oneshot(request);
        async move {
            let answer = answer.await?;
            Ok::<_, Infallible>(answer.map(|body| Answer { body, under_way }))
        }
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(client_wait))
        .keep_alive_timeout(client_wait);
    let io = TokioIo::new(Watched::new(stream, activity.clone()));
    let mut connection = std::pin::pin!(builder.serve_connection(io, answering));
    let mut looks = tokio::time::interval(client_wait / LOOKS);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (mut is_asked_to_end, mut is_stopping) = (false, false);
    loop {
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(%error, "a connection failed");
                }
                return;
            }
            _ = looks.tick(), if !is_proxy => {
                let overdue = activity.is_overdue(client_wait);
                if overdue && is_asked_to_end {
                    return;
                }
                if overdue {
                    connection.as_mut().graceful_shutdown();
                    is_asked_to_end = true;
                }
            }
            _ = stopping.wait_for(|stopped| *stopped), if !is_stopping => {
                activity.stop();
                connection.as_mut().graceful_shutdown();
                is_stopping = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_given_back_when_its_connection_ends() {
        let open = Open::default();
        let take = || open.take("192.0.2.7".to_owned(), 1);
        let first = take();
        assert!(first.is_some() && take().is_none());
        drop(first);
        assert!(take().is_some());
        assert!(open.0.lock().is_empty());
    }
}
