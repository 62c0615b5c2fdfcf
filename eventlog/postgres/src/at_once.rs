//! A batch in one question: the server holds what was foreseen against what is there, with the head's lock in hand, writes
//! everything and commits. One batch may be on its way behind another; the head tells the second what became of the first.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::Arc;

use futures::future::{MaybeDone, maybe_done};
use tokio_postgres::Statement;
use tokio_postgres::error::Severity;
use uuid::Uuid;

use super::Postgres;
use super::connect::{Session, meant};
use super::listen::CHANNEL;
use super::row::{CODEC, signed};
use super::rows::{Row, Rows, ToRow};
use eventlog::LogError;
use eventlog::StoredShape;
use eventlog::engine::BatchOutcome;
use eventlog::event::{Hash, RecordedEvent};
use eventlog::forecast::Forecast;
use eventlog::plan::{Head, Plan, StoredCommand, StreamHead};
use eventlog::port::Pair;
use eventlog::stream::StreamId;

const WRITE: &str = "select write_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
/// Something of a batch stands otherwise: a stream (the function says so), or what may be there once is there already.
const OTHERWISE: [&str; 2] = ["LK001", "23505"];
/// Turns in which the connection gives a batch to the system, and bytes of a batch that need one more.
const TURNS: usize = 3;
const BYTES_OF_A_TURN: usize = 32 * 1024;

/// Where the log ends once everything on its way is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) head: Head,
    /// Changes whenever somebody looks for a batch of unknown outcome.
    pub(super) looks: i64,
    /// The last stream's key.
    pub(super) last_key: i64,
}

type Asked = Pin<Box<dyn Future<Output = Result<bool, tokio_postgres::Error>> + Send>>;

/// Batches that were sent and not answered yet.
#[derive(Default)]
pub(super) struct Flights {
    on_their_way: VecDeque<MaybeDone<Asked>>,
    /// So many were on a connection that is gone.
    lost: usize,
}

impl Flights {
    pub(super) fn are_none(&self) -> bool {
        self.on_their_way.is_empty() && self.lost == 0
    }
}

impl Postgres {
    /// Puts a batch on its way.
    pub(super) fn send_batch(&mut self, forecast: &Forecast, plan: &Arc<Plan>) -> Result<(), LogError> {
        let ends = self.ends.ok_or(LogError::Closed)?;
        let session = if self.flights.are_none() {
            self.session()?
        } else {
            self.session.clone().ok_or(LogError::Closed)?
        };
        let statement = self.ask_of(
            session.clone(),
            |session| async move { session.prepared(WRITE).await },
        )?;
        let (streams, last_key) = Streams::of(forecast, plan, ends.last_key);
        let bytes: usize = plan.events.iter().map(size).sum();
        let asked: Asked = Box::pin(ask(
            session,
            statement,
            ends,
            plan.clone(),
            streams,
            self.node.clone(),
        ));
        let mut asked = maybe_done(asked);
        self.alone.block_on(async {
            // The first look at it puts it in the connection's line, the turns let the connection work.
            let _ = futures::poll!(Pin::new(&mut asked));
            for _ in 0..TURNS + bytes / BYTES_OF_A_TURN {
                tokio::task::yield_now().await;
            }
            Ok(())
        })?;
        self.flights.on_their_way.push_back(asked);
        self.ends = Some(Ends {
            head: plan.head,
            last_key,
            ..ends
        });
        Ok(())
    }

    /// Waits for what was sent first.
    pub(super) fn first_answer(&mut self) -> BatchOutcome {
        let outcome = self.heard();
        if !matches!(outcome, BatchOutcome::Written) {
            self.ends = None;
        }
        if let BatchOutcome::Unseen(_) = outcome {
            // What else was sent on that connection nobody will hear of.
            self.session = None;
            self.flights.lost += self.flights.on_their_way.len();
            self.flights.on_their_way.clear();
        }
        outcome
    }

    fn heard(&mut self) -> BatchOutcome {
        if self.flights.lost > 0 {
            self.flights.lost -= 1;
            return BatchOutcome::Unseen(LogError::Unavailable(
                "the connection to the database was lost".to_owned(),
            ));
        }
        let Some(mut asked) = self.flights.on_their_way.pop_front() else {
            return BatchOutcome::Unseen(LogError::Closed);
        };
        let answer = self.alone.block_on(async {
            Pin::new(&mut asked).await;
            Ok(Pin::new(&mut asked).take_output())
        });
        match answer {
            Ok(Some(Ok(true))) => BatchOutcome::Written,
            Ok(Some(Ok(false))) => BatchOutcome::Otherwise,
            Ok(Some(Err(error))) => judged(&error),
            Ok(None) => BatchOutcome::Unseen(LogError::Closed),
            Err(error) => BatchOutcome::Unseen(error),
        }
    }
}

/// An error that the server reports of a statement has undone it; any other end says nothing.
fn judged(error: &tokio_postgres::Error) -> BatchOutcome {
    let Some(told) = error.as_db_error() else {
        return BatchOutcome::Unseen(meant(error));
    };
    if !matches!(told.parsed_severity(), Some(Severity::Error)) {
        return BatchOutcome::Unseen(meant(error));
    }
    if OTHERWISE.contains(&told.code().code()) {
        return BatchOutcome::Otherwise;
    }
    BatchOutcome::Undone(meant(error))
}

fn size(event: &RecordedEvent) -> usize {
    event.payload.len() + event.sealed.as_ref().map_or(0, |sealed| sealed.len())
}

/// The streams of a batch: those that move, those that are new, and how its events name them.
#[derive(Debug)]
struct Streams {
    moves: Vec<Move>,
    made: Vec<Made>,
    keys: HashMap<StreamId, i64>,
}

#[derive(Debug)]
struct Move {
    stream: StreamId,
    from: StreamHead,
    to: Option<StreamHead>,
}

#[derive(Debug)]
struct Made {
    stream: StreamId,
    key: i64,
    head: StreamHead,
}

impl Streams {
    /// New streams get ascending keys after `last_key`, in the order of events. Says the last one.
    fn of(forecast: &Forecast, plan: &Plan, mut last_key: i64) -> (Self, i64) {
        let mut streams = Self {
            moves: Vec::new(),
            made: Vec::new(),
            keys: HashMap::new(),
        };
        for (stream, from) in &forecast.streams {
            if from.revision > 0 {
                let to = plan.streams.get(stream).copied();
                streams.moves.push(Move {
                    stream: *stream,
                    from: *from,
                    to,
                });
                let number = signed(streams.moves.len() as u64);
                streams.keys.insert(*stream, -number);
            }
        }
        for stream in plan.events.iter().map(|event| event.stream) {
            streams.keys.entry(stream).or_insert_with(|| {
                last_key += 1;
                streams.made.push(Made {
                    stream,
                    key: last_key,
                    head: plan.streams.get(&stream).copied().unwrap_or_default(),
                });
                last_key
            });
        }
        (streams, last_key)
    }
}

/// An event and how the batch names its stream.
#[derive(Debug)]
struct Added<'e>(&'e RecordedEvent, i64);

#[derive(Debug)]
struct Done<'c>(&'c (Uuid, StoredCommand));

#[derive(Debug)]
struct Gave<'p>(&'p Pair);

#[derive(Debug)]
struct Shape<'s>(&'s StoredShape);

async fn ask(
    session: Arc<Session>,
    statement: Statement,
    ends: Ends,
    plan: Arc<Plan>,
    streams: Streams,
    node: String,
) -> Result<bool, tokio_postgres::Error> {
    let key = |event: &RecordedEvent| streams.keys.get(&event.stream).copied().unwrap_or_default();
    let added: Vec<_> = plan.events.iter().map(|it| Added(it, key(it))).collect();
    let answer = session
        .client
        .query_one(
            &statement,
            &[
                &signed(ends.head.position),
                &ends.head.chain.as_slice(),
                &ends.looks,
                &signed(plan.head.position),
                &plan.head.chain.as_slice(),
                &Rows(plan.commands.iter().map(Done).collect()),
                &Rows(streams.moves),
                &Rows(streams.made),
                &Rows(added),
                &Rows(plan.given.iter().map(Gave).collect()),
                &Rows(plan.shapes.iter().map(Shape).collect()),
                &CHANNEL,
                &node,
            ],
        )
        .await?;
    answer.try_get(0)
}

impl ToRow for Move {
    const COLUMNS: i32 = 6;

    fn put(&self, row: &mut Row<'_>) {
        row.text(self.stream.kind);
        row.uuid(Some(self.stream.id));
        row.number(Some(signed(self.from.revision)));
        row.uuid(self.from.last);
        row.number(self.to.map(|to| signed(to.revision)));
        row.uuid(self.to.and_then(|to| to.last));
    }
}

impl ToRow for Made {
    const COLUMNS: i32 = 5;

    fn put(&self, row: &mut Row<'_>) {
        row.number(Some(self.key));
        row.text(self.stream.kind);
        row.uuid(Some(self.stream.id));
        row.number(Some(signed(self.head.revision)));
        row.uuid(self.head.last);
    }
}

impl ToRow for Added<'_> {
    const COLUMNS: i32 = 22;

    fn put(&self, row: &mut Row<'_>) {
        let Self(event, stream) = self;
        row.number(Some(signed(event.position)));
        row.number(Some(*stream));
        row.text(event.stream.kind);
        row.number(Some(signed(event.revision)));
        row.uuid(Some(event.event_id));
        row.text(&event.event_type);
        row.number(Some(i64::from(event.schema_version)));
        row.number(Some(event.recorded_at.timestamp_micros()));
        row.number(Some(event.occurred_at.timestamp_micros()));
        row.small(i16::from(event.actor.kind.code()));
        row.uuid(event.actor.id);
        row.uuid(event.command_id);
        row.uuid(Some(event.correlation_id));
        row.uuid(event.causation_id);
        row.uuid(event.subject_id.map(|subject| subject.0));
        row.text(CODEC);
        row.bytes(Some(&event.payload));
        row.bytes(event.sealed.as_deref());
        row.bytes(Some(&event.payload_digest));
        row.bytes(event.sealed_digest.as_ref().map(Hash::as_slice));
        row.bytes(Some(&event.leaf));
        row.bytes(Some(&event.chain));
    }
}

impl ToRow for Done<'_> {
    const COLUMNS: i32 = 6;

    fn put(&self, row: &mut Row<'_>) {
        let (id, command) = self.0;
        row.uuid(Some(*id));
        row.bytes(Some(&command.digest));
        row.number(Some(signed(command.first)));
        row.number(Some(signed(command.last)));
        row.bytes(command.reply.as_deref());
        row.number(Some(command.expires_at.timestamp_micros()));
    }
}

impl ToRow for Gave<'_> {
    const COLUMNS: i32 = 2;

    fn put(&self, row: &mut Row<'_>) {
        let (subject, key) = self.0;
        row.uuid(Some(subject.0));
        row.uuid(Some(*key));
    }
}

impl ToRow for Shape<'_> {
    const COLUMNS: i32 = 3;

    fn put(&self, row: &mut Row<'_>) {
        row.text(&self.0.kind);
        row.text(&self.0.event_type);
        row.number(Some(i64::from(self.0.schema_version)));
    }
}
