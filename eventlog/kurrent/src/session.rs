//! The connection to the server. Whatever passes is tried again; a client that has given up is replaced, because it never
//! comes back by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use eventlog::LogError;
use kurrentdb::{
    AppendToStreamOptions, Client, ClientSettings, Error, Position, ReadAllOptions, ReadStreamOptions,
    RecordedEvent, StreamPosition, StreamState, SubscribeToAllOptions, Subscription, SubscriptionFilter,
};
use parking_lot::Mutex;

use crate::record::Outgoing;

/// How long something is tried before whoever asked hears of it.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a server is tried to which this process had no connection yet: its address is more likely wrong than the server
/// away, and who starts or examines a node waits for the sentence.
const FIRST_PATIENCE: Duration = Duration::from_secs(1);
/// How long one try may take.
const TRY: Duration = Duration::from_secs(5);
/// How long to wait before the next.
const PAUSE: Duration = Duration::from_millis(50);

/// A cheap handle.
#[derive(Clone)]
pub(crate) struct Session(Arc<Inner>);

struct Inner {
    settings: ClientSettings,
    client: Mutex<Client>,
    /// Whether the server has answered anything.
    has_answered: AtomicBool,
}

/// What became of an append.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrote {
    Done,
    /// The stream stood elsewhere.
    Wrong,
}

/// A place in `$all` to read from.
pub(crate) fn place(commit: u64) -> StreamPosition<Position> {
    match commit {
        0 => StreamPosition::Start,
        commit => StreamPosition::Position(Position {
            commit,
            prepare: commit,
        }),
    }
}

impl Session {
    pub(crate) fn open(url: &str) -> Result<Self, LogError> {
        // What the client says of it repeats the address, which may hold a password.
        let settings: ClientSettings = url.parse().map_err(|_| {
            LogError::Refused(
                "the address of the KurrentDB server is not one: write it like \
                 kurrentdb://name:password@host:2113?tls=true"
                    .to_owned(),
            )
        })?;
        let client = Client::new(settings.clone()).map_err(|error| LogError::Refused(error.to_string()))?;
        Ok(Self(Arc::new(Inner {
            settings,
            client: Mutex::new(client),
            has_answered: AtomicBool::new(false),
        })))
    }

    fn client(&self) -> Client {
        self.0.client.lock().clone()
    }

    fn renew(&self) {
        match Client::new(self.0.settings.clone()) {
            Ok(client) => *self.0.client.lock() = client,
            Err(error) => tracing::warn!(%error, "no new connection to KurrentDB can be prepared"),
        }
    }

    /// Asks until there is an answer; what passes is tried again.
    async fn ask<T, F>(&self, what: impl Fn(Client) -> F) -> Result<T, Trouble>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let begun = Instant::now();
        loop {
            let error = match tokio::time::timeout(TRY, what(self.client())).await {
                Ok(Ok(answer)) => {
                    self.0.has_answered.store(true, Relaxed);
                    return Ok(answer);
                }
                Ok(Err(error)) if !passes(&error) => {
                    self.0.has_answered.store(true, Relaxed);
                    return Err(Trouble::Answer(error));
                }
                Ok(Err(error)) => error,
                Err(_) => Error::DeadlineExceeded,
            };
            let is_cut_off = matches!(error, Error::ConnectionClosed | Error::GrpcConnectionError(_));
            let patience = if is_cut_off && !self.0.has_answered.load(Relaxed) {
                FIRST_PATIENCE
            } else {
                PATIENCE
            };
            if begun.elapsed() >= patience {
                return Err(Trouble::Silence(error.to_string()));
            }
            tracing::debug!(%error, "KurrentDB does not answer; asking again");
            if is_cut_off {
                self.renew();
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Adds events to a stream. Sent again with the same ids when the answer was lost, which the server takes for the
    /// repetition it is.
    pub(crate) async fn append(
        &self,
        stream: &str,
        expected: StreamState,
        events: &[Outgoing],
    ) -> Result<Wrote, LogError> {
        let sent = events.iter().map(Outgoing::sent).collect::<Result<Vec<_>, _>>()?;
        let options = AppendToStreamOptions::default()
            .stream_state(expected)
            .requires_leader(true);
        let wrote = self
            .ask(|client| {
                let (options, sent) = (options.clone(), sent.clone());
                async move { client.append_to_stream(stream, &options, sent).await }
            })
            .await;
        match wrote {
            Ok(_) => Ok(Wrote::Done),
            Err(Trouble::Answer(Error::WrongExpectedVersion { .. })) => Ok(Wrote::Wrong),
            Err(Trouble::Answer(error)) => Err(refused(&error)),
            Err(Trouble::Silence(error)) => Err(LogError::Unknown(error)),
        }
    }

    /// Up to `count` events of a stream from a number on; none when there is no such stream.
    pub(crate) async fn forwards(
        &self,
        stream: &str,
        from: u64,
        count: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let options = ReadStreamOptions::default()
            .position(StreamPosition::Position(from))
            .forwards();
        self.read_stream(stream, options, count).await
    }

    /// The last `count` events of a stream up to a number, or to its end, the last one first.
    pub(crate) async fn backwards(
        &self,
        stream: &str,
        from: Option<u64>,
        count: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let from = from.map_or(StreamPosition::End, StreamPosition::Position);
        let options = ReadStreamOptions::default().position(from).backwards();
        self.read_stream(stream, options, count).await
    }

    async fn read_stream(
        &self,
        stream: &str,
        options: ReadStreamOptions,
        count: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let options = options.max_count(count).requires_leader(true);
        let read = self
            .ask(|client| {
                let options = options.clone();
                async move {
                    let mut stream = client.read_stream(stream, &options).await?;
                    let mut events = Vec::new();
                    while let Some(event) = stream.next().await? {
                        events.extend(event.event);
                    }
                    Ok(events)
                }
            })
            .await;
        match read {
            Err(Trouble::Answer(Error::ResourceNotFound)) => Ok(Vec::new()),
            other => other.map_err(LogError::from),
        }
    }

    /// Up to `count` events of `$all` from a position on, which is an event's or 0.
    pub(crate) async fn all(
        &self,
        filter: &SubscriptionFilter,
        from: u64,
        count: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let options = ReadAllOptions::default().position(place(from)).forwards();
        self.read_all(options.filter(filter.clone()), count).await
    }

    /// The event of `$all` at a position; `None` where none begins.
    pub(crate) async fn at(
        &self,
        filter: &SubscriptionFilter,
        position: u64,
    ) -> Result<Option<RecordedEvent>, LogError> {
        let options = ReadAllOptions::default().position(place(position)).forwards();
        let read = self.read_all(options.filter(filter.clone()), 1).await;
        let events = match read {
            // The server refuses positions between events.
            Err(LogError::Storage(_)) => return Ok(None),
            read => read?,
        };
        Ok(events.into_iter().find(|event| event.position.commit == position))
    }

    /// The last `count` events of `$all`, the last one first.
    pub(crate) async fn last(
        &self,
        filter: &SubscriptionFilter,
        count: usize,
    ) -> Result<Vec<RecordedEvent>, LogError> {
        let options = ReadAllOptions::default()
            .position(StreamPosition::End)
            .backwards();
        self.read_all(options.filter(filter.clone()), count).await
    }

    async fn read_all(&self, options: ReadAllOptions, count: usize) -> Result<Vec<RecordedEvent>, LogError> {
        let options = options.max_count(count).requires_leader(true);
        let read = self.ask(|client| {
            let options = options.clone();
            async move {
                let mut all = client.read_all(&options).await?;
                let mut events = Vec::new();
                while let Some(event) = all.next().await? {
                    events.extend(event.event);
                }
                Ok(events)
            }
        });
        Ok(read.await?)
    }

    /// Everything of `$all` after a position, and then what is added.
    pub(crate) async fn subscribe(&self, filter: &SubscriptionFilter, after: u64) -> Subscription {
        let options = SubscribeToAllOptions::default()
            .position(place(after))
            .filter(filter.clone())
            .requires_leader(true);
        self.client().subscribe_to_all(&options).await
    }

    /// Waits a little after a subscription was lost, and makes sure that the next one is asked of a living client.
    pub(crate) async fn recover(&self, error: &Error) {
        if matches!(error, Error::ConnectionClosed | Error::GrpcConnectionError(_)) {
            self.renew();
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Why there is no answer.
enum Trouble {
    /// The server says no.
    Answer(Error),
    /// It says nothing.
    Silence(String),
}

impl From<Trouble> for LogError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Answer(error) => refused(&error),
            Trouble::Silence(error) => Self::Unavailable(format!("KurrentDB: {error}")),
        }
    }
}

fn refused(error: &Error) -> LogError {
    match error {
        Error::AccessDenied => LogError::Refused(
            "KurrentDB does not let us in: put a user and a password that may read `$all` and write into the address"
                .to_owned(),
        ),
        error => LogError::Storage(format!("KurrentDB: {error}")),
    }
}

/// Whether the same question may have another answer soon.
fn passes(error: &Error) -> bool {
    match error {
        Error::ServerError(_)
        | Error::NotLeaderException(_)
        | Error::ConnectionClosed
        | Error::GrpcConnectionError(_)
        | Error::DeadlineExceeded => true,
        Error::Grpc { code, .. } => {
            let words = format!("{code:?}");
            ["Cancelled", "Aborted", "ResourceExhausted"].contains(&words.as_str())
        }
        _ => false,
    }
}
