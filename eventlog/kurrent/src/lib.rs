//! The log in KurrentDB: one stream for each aggregate, named `kind-id`, with the server's own expected revisions, `$all` for
//! readers. What the server cannot do in one append, additions to several streams and the memory of commands, is done in
//! steps that nobody sees before the last ([`write`]). Knows no HTTP and no housing rules.

mod commands;
mod follow;
mod line;
mod names;
mod record;
mod session;
mod streams;
mod write;

use std::collections::BTreeSet;
use std::sync::Arc;

use eventlog::port::{Asked, Backend, Capabilities, Keyring, Pending, Refused, SeveralStreams};
use eventlog::{
    Anchor, Append, EventLog, HandleHasher, LogError, Position, RecordedEvent, Revision, StoredShape,
    StreamId, Verdict,
};
use tokio::sync::watch;

use commands::Commands;
use follow::Follower;
use line::Line;
use names::Names;
use session::Session;
use streams::Streams;
use write::Desk;

/// What the engine can do, said before any server is asked.
pub const CAPABILITIES: Capabilities = Capabilities {
    engine: "KurrentDB",
    several_streams: SeveralStreams::InSteps,
    dense_positions: false,
    chain: false,
};

/// Whether an address names a KurrentDB server.
pub fn is_address(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default();
    let scheme = scheme.strip_suffix("+discover").unwrap_or(scheme);
    url.contains("://") && ["kurrentdb", "kurrent", "kdb", "esdb"].contains(&scheme)
}

/// The log at a server, with keys and a secret of look-ups that lie elsewhere. Of several logs on one server, the names of all
/// streams of this one begin with `name`.
///
/// # Errors
/// When the address is none, or the server cannot be reached.
pub async fn open_with(
    url: &str,
    name: &str,
    keys: Keyring,
    handles: HandleHasher,
) -> Result<EventLog, LogError> {
    let backend = Kurrent::open(url, name, keys.clone()).await?;
    Ok(EventLog::on(backend, keys, handles))
}

struct Kurrent {
    line: Line,
    follower: Arc<Follower>,
    streams: Streams,
    desk: Arc<Desk>,
}

impl Kurrent {
    async fn open(url: &str, name: &str, keys: Keyring) -> Result<Self, LogError> {
        let session = Session::open(url)?;
        let names = Names::of(name);
        let commands = Arc::new(Commands::new(session.clone(), names.clone()));
        let streams = Streams::new(session, names, commands.clone(), keys.clone());
        let follower = Follower::start(streams.clone(), commands.clone()).await?;
        let desk = Desk::open(streams.clone(), commands, follower.clone(), keys).await?;
        Ok(Self {
            line: Line::new(),
            follower,
            streams,
            desk,
        })
    }
}

impl Drop for Kurrent {
    fn drop(&mut self) {
        self.follower.stop();
    }
}

impl Backend for Kurrent {
    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    fn offer(&self, append: Append) -> Result<Pending, Box<Refused>> {
        self.line.offer(&self.desk, append)
    }

    fn read_stream(&self, stream: StreamId, after: Revision, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(self.streams.read(stream, after, limit))
    }

    fn read_all(&self, after: Position, limit: usize) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(async move {
            match self.follower.recent(after, limit) {
                Some(recent) => Ok(recent),
                None => self.streams.read_all(after, limit).await,
            }
        })
    }

    fn span(&self, first: Position, last: Position) -> Asked<'_, Vec<RecordedEvent>> {
        Box::pin(self.streams.span(first, last))
    }

    fn head(&self) -> Asked<'_, Position> {
        Box::pin(async { Ok(self.follower.head()) })
    }

    fn watch(&self) -> watch::Receiver<Position> {
        self.follower.watch()
    }

    fn shapes(&self) -> Asked<'_, BTreeSet<StoredShape>> {
        Box::pin(self.streams.shapes())
    }

    fn verify(&self, _since: Anchor) -> Asked<'_, Verdict> {
        Box::pin(async { Err(refusal("verifying")) })
    }
}

fn refusal(what: &str) -> LogError {
    match CAPABILITIES.needs_chain(what) {
        Err(refused) => refused,
        Ok(()) => LogError::Closed,
    }
}
