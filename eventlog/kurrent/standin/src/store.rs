//! What the server keeps, and the rules by which it takes in more.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::wire::{
    AppendResult, Current, Empty, Expected, Expression, Filter, FilterOn, Position, Proposed, Recorded,
    StreamIdentifier, Success, Wanted, WrongExpectedVersion,
};

/// What every record takes of the log beside its content: positions are offsets, and never dense.
const HEADER: u64 = 117;
/// How many records come between two of the server's own.
const OWN_EVERY: usize = 7;
/// What `exclude_system_events` of the clients asks for.
const NO_SYSTEM: &str = "^[^\\$].*";

/// Everything a server holds, shared by all its doors.
pub(crate) struct Store {
    log: Mutex<Log>,
    grown: watch::Sender<u64>,
}

#[derive(Default)]
struct Log {
    records: Vec<Arc<Recorded>>,
    streams: HashMap<Bytes, Vec<usize>>,
    end: u64,
}

/// Which records of the log a reader wants.
pub(crate) enum Wish {
    Everything,
    NoSystem { of_stream: bool },
    Prefixes { of_stream: bool, any_of: Vec<String> },
}

impl Wish {
    pub(crate) fn of(filter: Option<Filter>) -> Result<Self, tonic::Status> {
        let Some(on) = filter.and_then(|filter| filter.on) else {
            return Ok(Self::Everything);
        };
        let (of_stream, Expression { regex, prefix }) = match on {
            FilterOn::Stream(expression) => (true, expression),
            FilterOn::EventType(expression) => (false, expression),
        };
        if !prefix.is_empty() {
            return Ok(Self::Prefixes {
                of_stream,
                any_of: prefix,
            });
        }
        if regex == NO_SYSTEM {
            return Ok(Self::NoSystem { of_stream });
        }
        Err(tonic::Status::unimplemented(format!(
            "the stand-in knows no filter `{regex}`"
        )))
    }

    pub(crate) fn takes(&self, record: &Recorded) -> bool {
        let named = |of_stream: bool| {
            if of_stream {
                let name = record.stream.as_ref().map(|it| it.stream_name.as_ref());
                String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
            } else {
                record.metadata.get("type").cloned().unwrap_or_default()
            }
        };
        match self {
            Self::Everything => true,
            Self::NoSystem { of_stream } => !named(*of_stream).starts_with('$'),
            Self::Prefixes { of_stream, any_of } => {
                let name = named(*of_stream);
                any_of.iter().any(|prefix| name.starts_with(prefix))
            }
        }
    }
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            log: Mutex::default(),
            grown: watch::Sender::new(0),
        }
    }

    /// Wakes whenever there is more.
    pub(crate) fn grown(&self) -> watch::Receiver<u64> {
        self.grown.subscribe()
    }

    /// How many records there are, the server's own among them.
    pub(crate) fn len(&self) -> usize {
        self.log.lock().records.len()
    }

    /// Adds events to a stream that stands where `expected` says. The same events at the same place are taken for a
    /// repetition, whose answer is the first one's.
    pub(crate) fn append(&self, stream: &Bytes, expected: Expected, events: Vec<Proposed>) -> AppendResult {
        let mut log = self.log.lock();
        let places = log.streams.get(stream).cloned().unwrap_or_default();
        let current = places.len() as u64;
        let from = match expected {
            Expected::Revision(revision) => Some(revision + 1),
            Expected::NoStream(_) => Some(0),
            Expected::Any(_) | Expected::Exists(_) => None,
        };
        let ids: Vec<_> = events.iter().map(id_of).collect();
        let known = |from: u64| {
            let at = |number: usize| {
                log.records[places[number]]
                    .id
                    .as_ref()
                    .map(crate::wire::Uuid::value)
            };
            let first = usize::try_from(from).unwrap_or(usize::MAX);
            let there = (0..ids.len()).all(|it| {
                let number = first.saturating_add(it);
                number < places.len() && at(number) == Some(ids[it])
            });
            (there && !ids.is_empty()).then(|| from + ids.len() as u64 - 1)
        };
        let repeated = match from {
            Some(from) => known(from),
            None => (0..current).find_map(known),
        };
        if let Some(revision) = repeated {
            let record = &log.records[places[usize::try_from(revision).unwrap_or_default()]];
            return AppendResult::Success(success(revision, record.commit));
        }
        let stands = match expected {
            Expected::Revision(_) | Expected::NoStream(_) => from == Some(current),
            Expected::Any(_) => true,
            Expected::Exists(_) => current > 0,
        };
        if !stands {
            return AppendResult::Wrong(wrong(current, expected));
        }
        let mut last = log.end;
        for event in events {
            last = log.add(stream, event);
        }
        let revision = log
            .streams
            .get(stream)
            .map_or(0, |places| places.len() as u64 - 1);
        let end = log.end;
        drop(log);
        self.grown.send_replace(end);
        AppendResult::Success(success(revision, last))
    }

    /// The records of a stream; `None` when there is no such stream.
    pub(crate) fn stream(&self, stream: &Bytes) -> Option<Vec<Arc<Recorded>>> {
        let log = self.log.lock();
        let places = log.streams.get(stream)?;
        Some(places.iter().map(|place| log.records[*place].clone()).collect())
    }

    /// The records from a position on, which must be one where a record begins.
    pub(crate) fn from(&self, position: u64) -> Result<Vec<Arc<Recorded>>, tonic::Status> {
        let log = self.log.lock();
        let first = log.records.partition_point(|record| record.commit < position);
        let begins = log.records.get(first).is_some_and(|it| it.commit == position);
        if position != 0 && position != log.end && !begins {
            return Err(tonic::Status::invalid_argument(format!(
                "no record begins at position {position}"
            )));
        }
        Ok(log.records[first..].to_vec())
    }
}

impl Log {
    fn add(&mut self, stream: &Bytes, event: Proposed) -> u64 {
        if self.records.len().is_multiple_of(OWN_EVERY) {
            let own = Proposed {
                id: Some(uuid::Uuid::new_v4().into()),
                metadata: HashMap::from([("type".to_owned(), "$statsCollected".to_owned())]),
                custom_metadata: Bytes::new(),
                payload: Bytes::from_static(b"{}"),
            };
            self.record(&Bytes::from_static(b"$stats-0.0.0.0:2113"), own);
        }
        self.record(stream, event)
    }

    fn record(&mut self, stream: &Bytes, event: Proposed) -> u64 {
        let position = self.end;
        let places = self.streams.entry(stream.clone()).or_default();
        let mut metadata = event.metadata;
        metadata.insert("created".to_owned(), ticks().to_string());
        let record = Recorded {
            id: event.id,
            stream: Some(StreamIdentifier {
                stream_name: stream.clone(),
            }),
            revision: places.len() as u64,
            prepare: position,
            commit: position,
            metadata,
            custom_metadata: event.custom_metadata,
            payload: event.payload,
        };
        self.end += HEADER + record.payload.len() as u64 + record.custom_metadata.len() as u64;
        places.push(self.records.len());
        self.records.push(Arc::new(record));
        position
    }
}

fn id_of(event: &Proposed) -> uuid::Uuid {
    event
        .id
        .as_ref()
        .map(crate::wire::Uuid::value)
        .unwrap_or_default()
}

/// Tenths of a microsecond since 1970, as the server writes times.
fn ticks() -> u128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() / 100
}

fn success(revision: u64, position: u64) -> Success {
    Success {
        revision: Some(revision),
        position: Some(Position {
            commit: position,
            prepare: position,
        }),
    }
}

fn wrong(current: u64, expected: Expected) -> WrongExpectedVersion {
    WrongExpectedVersion {
        current: Some(match current.checked_sub(1) {
            Some(revision) => Current::Revision(revision),
            None => Current::NoStream(Empty {}),
        }),
        wanted: Some(match expected {
            Expected::Revision(revision) => Wanted::Revision(revision),
            Expected::NoStream(_) => Wanted::NoStream(Empty {}),
            Expected::Any(_) => Wanted::Any(Empty {}),
            Expected::Exists(_) => Wanted::Exists(Empty {}),
        }),
    }
}
