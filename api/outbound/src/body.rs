//! Takes the body of an answer in, chunk by chunk, within its bounds.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;

use crate::error::OutboundError;
use crate::{Limits, Sizes};

/// Why a writer behind the bounds refuses: told apart from a damaged packing.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("over the bound")]
    OverBound,
    #[error("{0}")]
    Sink(#[source] io::Error),
}

/// Counts what is written, and refuses what goes over the bound before it is written.
struct Bounded<'s> {
    sink: &'s mut (dyn Write + Send),
    written: u64,
    limit: u64,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let more = bytes.len() as u64;
        if self.written.saturating_add(more) > self.limit {
            return Err(io::Error::other(Refusal::OverBound));
        }
        self.sink
            .write_all(bytes)
            .map_err(|error| io::Error::other(Refusal::Sink(error)))?;
        self.written += more;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Unpacks while bytes arrive: no packed answer is ever held whole.
enum Unpacker<'s> {
    Plain(Bounded<'s>),
    Gzip(Box<MultiGzDecoder<Bounded<'s>>>),
}

impl<'s> Unpacker<'s> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(sink) => sink.write_all(bytes),
            Self::Gzip(decoder) => decoder.write_all(bytes),
        }
    }

    /// The writer behind, once all is unpacked; an error for a packing that ends too early.
    fn finish(self) -> io::Result<Bounded<'s>> {
        match self {
            Self::Plain(sink) => Ok(sink),
            Self::Gzip(decoder) => decoder.finish(),
        }
    }
}

/// Writes the body to `sink`.
pub(crate) async fn take_body(
    mut response: Response,
    host: &str,
    limits: &Limits,
    sink: &mut (dyn Write + Send),
) -> Result<Sizes, OutboundError> {
    let too_large = || OutboundError::TooLarge {
        host: host.to_owned(),
        limit: limits.received,
    };
    if response
        .content_length()
        .is_some_and(|size| size > limits.received)
    {
        return Err(too_large());
    }
    let bounded = Bounded {
        sink,
        written: 0,
        limit: limits.unpacked,
    };
    let mut opened = open_unpacker(&response, host, bounded)?;
    let mut received = 0_u64;
    loop {
        let chunk = response.chunk().await;
        let chunk = chunk.map_err(|_broken| OutboundError::BrokenOff(host.to_owned()))?;
        let Some(chunk) = chunk else {
            break;
        };
        received += chunk.len() as u64;
        if received > limits.received {
            return Err(too_large());
        }
        opened
            .write(&chunk)
            .map_err(|error| explain(error, host, limits))?;
    }
    let behind = opened.finish().map_err(|error| explain(error, host, limits))?;
    let unpacked = behind.written;
    behind.sink.flush().map_err(OutboundError::Sink)?;
    Ok(Sizes { received, unpacked })
}

fn open_unpacker<'s>(
    response: &Response,
    host: &str,
    sink: Bounded<'s>,
) -> Result<Unpacker<'s>, OutboundError> {
    let packings = response.headers().get_all(CONTENT_ENCODING).iter();
    let packings: Vec<String> = packings
        .flat_map(|value| value.to_str().unwrap_or("?").split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    match packings.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Unpacker::Plain(sink)),
        ["gzip" | "x-gzip"] => Ok(Unpacker::Gzip(Box::new(MultiGzDecoder::new(sink)))),
        _ => Err(OutboundError::UnknownPacking {
            host: host.to_owned(),
            encoding: packings.join(", "),
        }),
    }
}

fn explain(error: io::Error, host: &str, limits: &Limits) -> OutboundError {
    match error.downcast::<Refusal>() {
        Ok(Refusal::OverBound) => OutboundError::UnpacksTooLarge {
            host: host.to_owned(),
            limit: limits.unpacked,
        },
        Ok(Refusal::Sink(error)) => OutboundError::Sink(error),
        Err(_damaged) => OutboundError::DamagedPacking(host.to_owned()),
    }
}
