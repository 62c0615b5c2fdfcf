//! What a handler leaves of a request's body. An answer that is given before the body was read, such as a refusal, would end a kept
//! connection in the middle of the client's sending, and the client would not see why it was refused. So the rest is read first,
//! within reason; where there is more, the answer says that the connection ends, and the rest is read after it (`lingering`).

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures::StreamExt as _;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;

/// How much of an unread body is read before the answer, in bytes.
const REST_MAX: usize = 1024 * 1024;

/// A body that is put away again when its reader drops it before the end.
struct Kept {
    body: Option<Body>,
    rest: Arc<Mutex<Option<Body>>>,
}

impl HttpBody for Kept {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.rest.lock() = Some(body);
        }
    }
}

/// Reads what the handler left, for `wait` at most. Streams of HTTP/2 end by themselves, and a client that waits for
/// `100 Continue` has sent nothing.
pub async fn drained(State(wait): State<Duration>, request: Request, next: Next) -> Response {
    let is_kept = matches!(request.version(), Version::HTTP_10 | Version::HTTP_11);
    if !is_kept || request.body().is_end_stream() {
        return next.run(request).await;
    }
    let waits = request.headers().contains_key(header::EXPECT);
    let rest = Arc::<Mutex<Option<Body>>>::default();
    let keeps = rest.clone();
    let request = request.map(|body| {
        let body = Some(body);
        Body::new(Kept { body, rest: keeps })
    });
    let mut response = next.run(request).await;
    let left = rest.lock().take();
    let is_read = match left {
        None => true,
        Some(_) if waits => false,
        Some(body) => tokio::time::timeout(wait, read_rest(body)).await.unwrap_or(false),
    };
    if !is_read {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// Whether the body came to its end within bounds.
async fn read_rest(body: Body) -> bool {
    if body.size_hint().lower() > REST_MAX as u64 {
        return false;
    }
    let mut frames = body.into_data_stream();
    let mut read = 0;
    while let Some(frame) = frames.next().await {
        let Ok(frame) = frame else { return false };
        read += frame.len();
        if read > REST_MAX {
            return false;
        }
    }
    true
}
