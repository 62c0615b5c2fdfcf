//! An HTTP server of a story: keeps what it is asked, in order, and answers as the story says. It stands for a provider of text
//! messages or a verifier, and runs on a thread of its own, so that a story may wait for a command meanwhile.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::oneshot;

/// One request as it came in.
#[derive(Clone)]
pub(crate) struct Received {
    pub method: String,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Received {
    /// A header's text; empty where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// What a request is answered with.
pub(crate) struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// How long the request waits for it.
    pub pause: Duration,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: String::new(),
            pause: Duration::ZERO,
        }
    }
}

/// The server; it ends with this value.
pub(crate) struct Receiver {
    pub port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    ends: Option<oneshot::Sender<()>>,
}

impl Receiver {
    /// Answers by `answer`, which is given the request and how many came before it.
    pub(crate) fn start(answer: impl Fn(&Received, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let (ends, ended) = oneshot::channel();
        let (kept, answer) = (received.clone(), Arc::new(answer));
        let app = Router::new().fallback(move |request: Request| {
            let (kept, answer) = (kept.clone(), answer.clone());
            async move { answered(request, &kept, &*answer).await }
        });
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    served = async { axum::serve(listener, app).await } => served.unwrap(),
                    _ = ended => {}
                }
            });
        });
        Self {
            port,
            received,
            ends: Some(ends),
        }
    }

    /// Everything that was asked, oldest first.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// What was posted, oldest first.
    pub(crate) fn posted(&self) -> Vec<Received> {
        let mut all = self.received();
        all.retain(|one| one.method == "POST");
        all
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        drop(self.ends.take());
    }
}

async fn answered(
    request: Request,
    kept: &Mutex<Vec<Received>>,
    answer: &(dyn Fn(&Received, usize) -> Answer + Send + Sync),
) -> Response {
    let (parts, body) = request.into_parts();
    let received = Received {
        method: parts.method.to_string(),
        path: parts.uri.to_string(),
        headers: parts.headers,
        body: to_bytes(body, 1 << 20).await.unwrap(),
    };
    let before = {
        let mut kept = kept.lock().unwrap();
        kept.push(received.clone());
        kept.len() - 1
    };
    let answer = answer(&received, before);
    tokio::time::sleep(answer.pause).await;
    let mut response = (StatusCode::from_u16(answer.status).unwrap(), answer.body).into_response();
    for (name, value) in answer.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
