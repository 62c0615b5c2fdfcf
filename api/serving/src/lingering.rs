//! The end of a connection whose client may still be sending. Closing a socket with bytes unread resets the connection: a client that
//! sends a long body would lose the refusal that was written for it, and a proxy would answer 502. So the server ends its own half, reads
//! on and drops what comes, within bounds, as nginx does (`lingering_close`).

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long the rest is read at most.
const LINGERING_TIME: Duration = Duration::from_secs(30);
/// How long the next bytes are waited for.
const LINGERING_WAIT: Duration = Duration::from_secs(5);
/// How much is read at most, in bytes: several times the longest upload.
const LINGERING_MAX: usize = 64 * 1024 * 1024;
/// Bytes read at once.
const PIECE: usize = 16 * 1024;

/// Reads what a client still sends after the last answer.
#[derive(Debug)]
pub(crate) struct Lingering {
    over: Pin<Box<Sleep>>,
    waited: Pin<Box<Sleep>>,
    read: usize,
}

impl Lingering {
    /// Begins now.
    pub(crate) fn begin() -> Self {
        Self {
            over: Box::pin(sleep(LINGERING_TIME)),
            waited: Box::pin(sleep(LINGERING_WAIT)),
            read: 0,
        }
    }

    /// Ready once the client has ended its half too, or has taken all that it may.
    pub(crate) fn poll_end(
        &mut self,
        mut stream: impl AsyncRead + Unpin,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        let mut piece = [0; PIECE];
        loop {
            let mut buffer = ReadBuf::new(&mut piece);
            let Poll::Ready(outcome) = Pin::new(&mut stream).poll_read(context, &mut buffer) else {
                break;
            };
            let count = buffer.filled().len();
            self.read += count;
            if outcome.is_err() || count == 0 || self.read > LINGERING_MAX {
                return Poll::Ready(());
            }
            self.waited.as_mut().reset(Instant::now() + LINGERING_WAIT);
        }
        let is_over = self.over.as_mut().poll(context).is_ready();
        if is_over || self.waited.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::AsyncWriteExt as _;

    use super::*;

    /// Everything that is sent is read, in one go or in pieces, until the client ends it.
    #[tokio::test]
    async fn rest_is_read_until_the_client_ends_its_half() {
        let (mut client, mut server) = tokio::io::duplex(PIECE);
        let sending = async {
            client.write_all(&vec![1; 20 * PIECE]).await.unwrap();
            client.shutdown().await.unwrap();
        };
        let mut lingering = Lingering::begin();
        tokio::join!(
            sending,
            poll_fn(|context| lingering.poll_end(&mut server, context))
        );
        assert_eq!(lingering.read, 20 * PIECE);
    }

    /// A client that neither sends nor ends its half is waited for as long as it may take, one that trickles no longer than all may.
    #[tokio::test(start_paused = true)]
    async fn silent_and_trickling_clients_are_left() {
        let begun = Instant::now();
        let (_client, mut server) = tokio::io::duplex(PIECE);
        let mut lingering = Lingering::begin();
        poll_fn(|context| lingering.poll_end(&mut server, context)).await;
        assert_eq!(begun.elapsed().as_secs(), LINGERING_WAIT.as_secs());

        let (mut client, mut server) = tokio::io::duplex(PIECE);
        let mut lingering = Lingering::begin();
        let begun = Instant::now();
        let trickling = async {
            loop {
                client.write_all(b"x").await.unwrap();
                sleep(Duration::from_secs(1)).await;
            }
        };
        tokio::select! {
            () = trickling => {}
            () = poll_fn(|context| lingering.poll_end(&mut server, context)) => {}
        }
        assert_eq!(begun.elapsed().as_secs(), LINGERING_TIME.as_secs());
    }

    /// A client that sends without end is read to the bound.
    #[tokio::test]
    async fn endless_clients_are_left() {
        let mut lingering = Lingering::begin();
        poll_fn(|context| lingering.poll_end(tokio::io::repeat(1), context)).await;
        assert!(lingering.read > LINGERING_MAX && lingering.read <= LINGERING_MAX + PIECE);
    }
}
