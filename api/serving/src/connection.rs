//! One connection of the front door: when it last moved, and whether it is overdue (R19). A client that sends half a request,
//! none, or never reads its answer holds a descriptor and buffers; it is cut after a setting's time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::lingering::Lingering;

/// What a connection did last; times are milliseconds since it was accepted.
#[derive(Debug)]
pub(crate) struct Activity {
    accepted: Instant,
    /// Requests whose answers are not sent yet.
    under_way: AtomicUsize,
    /// When the last answer ended or the last bytes were written.
    moved: AtomicU64,
    /// Since when the client has read nothing while bytes wait for it, plus one; 0 while none wait.
    blocked: AtomicU64,
    /// The server stops.
    stopping: AtomicBool,
}

impl Activity {
    /// Of a connection accepted now.
    pub(crate) fn begin() -> Arc<Self> {
        Arc::new(Self {
            accepted: Instant::now(),
            under_way: AtomicUsize::new(0),
            moved: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
        })
    }

    /// Notes that the server stops.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Whether the client has kept the server waiting for `wait`: with a request that is not whole, with none, or with an answer
    /// that it does not read. An answer that the server has not finished, such as a stream of events, does not count as delay of the client.
    pub(crate) fn is_overdue(&self, wait: Duration) -> bool {
        let now = self.now();
        let waited = |since: u64| now.saturating_sub(since) >= millis(wait);
        let blocked = self.blocked.load(Ordering::Acquire);
        if blocked > 0 {
            return waited(blocked - 1);
        }
        self.under_way.load(Ordering::Acquire) == 0 && waited(self.moved.load(Ordering::Acquire))
    }

    /// Counts a request until its answer is sent or given up.
    pub(crate) fn request(self: &Arc<Self>) -> UnderWay {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        UnderWay(self.clone())
    }

    fn now(&self) -> u64 {
        millis(self.accepted.elapsed())
    }

    fn wrote(&self, outcome: &Poll<io::Result<usize>>) {
        match outcome {
            Poll::Pending => {
                let since = self.now() + 1;
                // Only the first of several tries that found no room counts.
                let _was_blocked =
                    self.blocked
                        .compare_exchange(0, since, Ordering::AcqRel, Ordering::Acquire);
            }
            Poll::Ready(_) => {
                self.blocked.store(0, Ordering::Release);
                self.moved.store(self.now(), Ordering::Release);
            }
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A request that is being answered.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Activity>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.moved.store(self.0.now(), Ordering::Release);
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

/// An answer's body, under way until it is sent.
pub(crate) struct Answer {
    pub(crate) body: Body,
    #[expect(dead_code, reason = "held: what counts the request ends when it is dropped")]
    pub(crate) under_way: UnderWay,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A socket that notes when its client reads, and that ends without losing the last answer.
pub(crate) struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// There once the server's half has ended.
    lingering: Option<Lingering>,
}

impl Watched {
    pub(crate) const fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            activity,
            lingering: None,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.activity.wrote(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.activity.wrote(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Ends the server's half, and then waits for the client's. A server that stops does not wait.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self {
            stream,
            activity,
            lingering,
        } = &mut *self;
        if lingering.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
        }
        if activity.is_stopping() {
            return Poll::Ready(Ok(()));
        }
        let lingering = lingering.get_or_insert_with(Lingering::begin);
        lingering.poll_end(stream, context).map(Ok)
    }
}
