//! A listening port, and what can be done to those who come through it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::post;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tonic::codec::ProstCodec;
use tonic::server::Grpc;
use tonic::{Status, Streaming};
use tower::service_fn;

use crate::reading;
use crate::store::Store;
use crate::wire::{
    AppendReq, AppendResp, Appending, ClusterInfo, Empty, EndPoint, Expected, Member, SupportedMethod,
    SupportedMethods,
};

/// No limit to what a door lets in.
const UNLIMITED: u64 = u64::MAX;

/// One way in. Closed when dropped; what came in stays.
pub struct Door {
    inside: Arc<Inside>,
    address: SocketAddr,
    listening: JoinHandle<()>,
}

pub(crate) struct Inside {
    pub(crate) store: Arc<Store>,
    port: u16,
    connections: Mutex<Vec<JoinHandle<()>>>,
    /// Appends that are still let in.
    left: AtomicU64,
    /// True once an append found the door shut, or was the last one let in.
    pub(crate) cut: watch::Sender<bool>,
    /// Counts how often all subscriptions were dropped.
    pub(crate) drops: watch::Sender<u64>,
}

impl Door {
    pub(crate) async fn open(store: Arc<Store>, port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let inside = Arc::new(Inside {
            store,
            port: address.port(),
            connections: Mutex::default(),
            left: AtomicU64::new(UNLIMITED),
            cut: watch::Sender::new(false),
            drops: watch::Sender::new(0),
        });
        Ok(Self {
            listening: tokio::spawn(listen(listener, inside.clone())),
            inside,
            address,
        })
    }

    /// The connection string of a client, which waits before its first connection unless told otherwise.
    pub fn url(&self) -> String {
        format!("kurrentdb://{}?tls=false&discoveryInterval=10", self.address)
    }

    /// Ends every subscription with an error; their clients may come again.
    pub fn drop_subscriptions(&self) {
        self.inside.drops.send_modify(|drops| *drops += 1);
    }

    /// Ends every connection in the middle of whatever it does.
    pub fn cut_connections(&self) {
        for connection in self.inside.connections.lock().drain(..) {
            connection.abort();
        }
    }

    /// Lets `appends` more in. The last of them is kept and its answer lost; from then on nobody hears anything: to the
    /// server it looks as if whoever came through this door had died.
    pub fn cut_after(&self, appends: u64) {
        self.inside.left.store(appends, SeqCst);
    }

    /// Waits until that has happened.
    pub async fn was_cut(&self) {
        let mut cut = self.inside.cut.subscribe();
        let _closed = cut.wait_for(|cut| *cut).await;
    }

    /// Closes the port, cuts every connection, and opens it again: the server was started anew.
    ///
    /// # Errors
    /// When the port was taken meanwhile.
    pub async fn restart(self) -> std::io::Result<Self> {
        let (store, port) = (self.inside.store.clone(), self.address.port());
        self.close().await;
        Self::open(store, port).await
    }

    /// Closes the port and cuts every connection.
    pub async fn close(mut self) {
        self.listening.abort();
        let _cancelled = (&mut self.listening).await;
        self.cut_connections();
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.listening.abort();
        self.cut_connections();
    }
}

async fn listen(listener: TcpListener, inside: Arc<Inside>) {
    let routes = Router::new()
        .route("/event_store.client.streams.Streams/Append", post(append))
        .route("/event_store.client.streams.Streams/Read", post(reading::read))
        .route(
            "/event_store.client.server_features.ServerFeatures/GetSupportedMethods",
            post(features),
        )
        .route("/event_store.client.gossip.Gossip/Read", post(gossip))
        .fallback(unknown)
        .with_state(inside.clone());
    while let Ok((socket, _)) = listener.accept().await {
        let _slower = socket.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        let connection = tokio::spawn(async move {
            let served = Builder::new(TokioExecutor::new()).http2_only();
            let _cut = served.serve_connection(TokioIo::new(socket), service).await;
        });
        let mut connections = inside.connections.lock();
        connections.retain(|open| !open.is_finished());
        connections.push(connection);
    }
}

/// A codec for what comes in and what goes out.
pub(crate) fn grpc<In, Out>() -> Grpc<ProstCodec<Out, In>>
where
    In: prost::Message + Default + 'static,
    Out: prost::Message + 'static,
{
    Grpc::new(ProstCodec::default())
}

pub(crate) fn answer(response: axum::http::Response<tonic::body::Body>) -> Response {
    response.map(axum::body::Body::new)
}

/// Answers with the headers at once and with the message once it is there: a client that waits for its first packet to be
/// acknowledged before it sends the next one need not wait long.
async fn append(State(inside): State<Arc<Inside>>, request: Request) -> Response {
    let service = service_fn(move |request: tonic::Request<Streaming<AppendReq>>| {
        let inside = inside.clone();
        let taken = async move { take_in(&inside, request.into_inner()).await };
        std::future::ready(Ok(tonic::Response::new(futures::stream::once(taken))))
    });
    answer(grpc().streaming(service, request).await)
}

async fn take_in(inside: &Inside, mut parts: Streaming<AppendReq>) -> Result<AppendResp, Status> {
    let mut options = None;
    let mut events = Vec::new();
    while let Some(part) = parts.message().await? {
        match part.content {
            Some(Appending::Options(asked)) => options = Some(asked),
            Some(Appending::Proposed(event)) => events.push(event),
            None => return Err(Status::invalid_argument("an empty message")),
        }
    }
    let options = options.ok_or_else(|| Status::invalid_argument("no options"))?;
    let stream = options.stream.map(|it| it.stream_name).unwrap_or_default();
    let expected = options.expected.unwrap_or(Expected::Any(Empty {}));
    let take_one = |left: u64| match left {
        UNLIMITED => Some(UNLIMITED),
        left => left.checked_sub(1),
    };
    let Ok(left) = inside.left.fetch_update(SeqCst, SeqCst, take_one) else {
        return dead(inside).await;
    };
    let result = inside.store.append(&stream, expected, events);
    if left == 1 {
        return dead(inside).await;
    }
    Ok(AppendResp { result: Some(result) })
}

/// Nobody is told anything any more.
async fn dead<T>(inside: &Inside) -> Result<T, Status> {
    inside.cut.send_replace(true);
    std::future::pending().await
}

async fn features(State(_): State<Arc<Inside>>, request: Request) -> Response {
    let service = service_fn(|_: tonic::Request<Empty>| async {
        let methods = ["read", "append"].map(|method| SupportedMethod {
            method: method.to_owned(),
            service: "event_store.client.streams.streams".to_owned(),
            features: Vec::new(),
        });
        Ok(tonic::Response::new(SupportedMethods {
            methods: methods.to_vec(),
            version: "25.1.0".to_owned(),
        }))
    });
    answer(grpc().unary(service, request).await)
}

/// A cluster of one, of which this door is the leader.
async fn gossip(State(inside): State<Arc<Inside>>, request: Request) -> Response {
    let port = u32::from(inside.port);
    let service = service_fn(move |_: tonic::Request<Empty>| async move {
        let leader = Member {
            id: Some(uuid::Uuid::nil().into()),
            state: 8,
            alive: true,
            address: Some(EndPoint {
                host: "127.0.0.1".to_owned(),
                port,
            }),
        };
        Ok(tonic::Response::new(ClusterInfo {
            members: vec![leader],
        }))
    });
    answer(grpc().unary(service, request).await)
}

async fn unknown(request: Request) -> Response {
    answer(Status::unimplemented(format!("the stand-in has no {}", request.uri().path())).into_http())
}
