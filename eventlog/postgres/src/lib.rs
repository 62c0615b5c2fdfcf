//! The log in a PostgreSQL database that several nodes may share. Whoever writes a batch locks the head's row first, so
//! batches of all nodes come one after the other, and positions appear in their order.

mod at_once;
mod connect;
mod evidence;
mod given;
mod keys;
mod listen;
mod open;
mod read;
mod row;
mod rows;
mod tls;
mod touched;
mod verify;

use std::collections::HashMap;
use std::sync::Arc;

use domain::id::UserId;
use domain::moment::Moment;
use eventlog::engine::{BatchOutcome, Engine};
use eventlog::forecast::Forecast;
use eventlog::plan::{Head, Plan, Standing, StoredCommand, StreamHead};
use eventlog::port::{KeyId, Pair};
use eventlog::{Hash, LogError, Position, StreamId};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use at_once::{Ends, Flights};
use connect::{Alone, Part, Session, meant};
pub use open::{check_address, keys, open};
use row::{Columns, column, hash, signed, unsigned};
use tls::Address;
use touched::Touched;

const PART: Part = Part {
    name: "log",
    layouts: &[
        include_str!("schema.sql"),
        include_str!("shape.sql"),
        include_str!("segment.sql"),
        include_str!("given.sql"),
        include_str!("fewer.sql"),
        include_str!("at_once.sql"),
    ],
    apart_from: "subject_key",
};
const HEAD: &str = "select position, chain from log_head";
const LOCKED_HEAD: &str = "select position, chain, looks from log_head for update";
const LOOK: &str = "update log_head set looks = looks + 1";
const LAST_KEY: &str = "select coalesce(max(id), 0) from stream";
const STREAMS: &str = "select s.kind, s.uuid, s.id, s.revision, s.last_event \
     from unnest($1::text[], $2::uuid[]) as wanted (kind, uuid) \
     join stream s on s.uuid = wanted.uuid and s.kind = wanted.kind";
const COMMANDS: &str = "select id, digest, first, last, reply, expires_at from command where id = any($1)";
const NEW_COMMANDS: &str = "insert into command select * from unnest($1::uuid[], $2::bytea[], $3::bigint[], \
     $4::bigint[], $5::bytea[], $6::bigint[])";
const NEW_SHAPES: &str =
    "insert into shape select * from unnest($1::text[], $2::text[], $3::bigint[]) on conflict do nothing";
const MOVE_HEAD: &str = "update log_head set position = $1, chain = $2";
const CALL_OUT: &str = "select pg_notify($1, $2)";
const CHAIN: &str = "select chain from event where position = $1";
const FORGET_COMMANDS: &str = "delete from command \
     where id in (select id from command where expires_at < $1 order by expires_at limit 500) returning 1";
/// Expired command ids forgotten at once.
const FORGOTTEN: usize = 500;

/// The writing side of the database.
pub(crate) struct Postgres {
    alone: Alone,
    address: Address,
    /// What this node calls itself when it tells the others that it has written.
    node: String,
    session: Option<Arc<Session>>,
    /// The connection of the open transaction.
    begun: Option<Arc<Session>>,
    /// Where the log ends, as it stood when the open transaction began or will once what was sent is written.
    ends: Option<Ends>,
    flights: Flights,
}

impl Postgres {
    /// The writer's side of a log whose tables are made.
    fn at(address: Address, node: String) -> Result<Self, LogError> {
        Ok(Self {
            alone: Alone::start()?,
            address,
            node,
            session: None,
            begun: None,
            ends: None,
            flights: Flights::default(),
        })
    }

    /// The writer's connection, made anew when it was lost.
    fn session(&mut self) -> Result<Arc<Session>, LogError> {
        if let Some(session) = &self.session {
            self.alone.catch_up()?;
            if !session.client.is_closed() {
                return Ok(session.clone());
            }
        }
        let open = async { Ok(Arc::new(Session::open(&self.address).await?)) };
        let session = self.alone.block_on(open)?;
        self.session = Some(session.clone());
        Ok(session)
    }

    /// Asks something on the writer's connection; one that fails is not used again.
    fn ask<T, F: Future<Output = Result<T, LogError>>>(
        &mut self,
        work: impl FnOnce(Arc<Session>) -> F,
    ) -> Result<T, LogError> {
        let session = self.session()?;
        self.ask_of(session, work)
    }

    fn ask_of<T, F: Future<Output = Result<T, LogError>>>(
        &mut self,
        session: Arc<Session>,
        work: impl FnOnce(Arc<Session>) -> F,
    ) -> Result<T, LogError> {
        let answer = self.alone.block_on(work(session));
        if matches!(answer, Err(LogError::Unavailable(_))) {
            self.session = None;
        }
        answer
    }
}

fn head(rows: &[Row]) -> Result<Head, LogError> {
    let Some(row) = rows.first() else {
        return Err(LogError::Storage("the log's head is missing".to_owned()));
    };
    Ok(Head {
        position: unsigned(column(row, 0)?),
        chain: hash(row, 1)?,
    })
}

fn stream_heads(rows: &[Row]) -> Result<HashMap<StreamId, StreamHead>, LogError> {
    let standing = |row: &Row| {
        let stream = StreamId::stored(column(row, 0)?, column(row, 1)?);
        let head = StreamHead {
            key: Some(column(row, 2)?),
            revision: unsigned(column(row, 3)?),
            last: Some(column(row, 4)?),
        };
        Ok((stream, head))
    };
    rows.iter().map(standing).collect()
}

fn commands(rows: &[Row]) -> Result<HashMap<Uuid, StoredCommand>, LogError> {
    let known = |row: &Row| {
        let command = StoredCommand {
            digest: hash(row, 1)?,
            first: unsigned(column(row, 2)?),
            last: unsigned(column(row, 3)?),
            reply: column(row, 4)?,
            expires_at: Moment::from_timestamp_micros(column(row, 5)?).unwrap_or_default(),
        };
        Ok((column(row, 0)?, command))
    };
    rows.iter().map(known).collect()
}

/// Opens the transaction and asks everything at once. The server answers in turn, each statement with what is durable
/// by then, so what follows the head's lock cannot be older than the lock.
async fn begin(session: &Session, streams: &[StreamId], ids: &[Uuid]) -> Result<(Standing, Ends), LogError> {
    let (kinds, uuids): (Vec<&str>, Vec<Uuid>) = streams.iter().map(|it| (it.kind, it.id)).unzip();
    let client = &session.client;
    let (locked, last_key, of_streams, of_commands) = (
        session.prepared(LOCKED_HEAD).await?,
        session.prepared(LAST_KEY).await?,
        session.prepared(STREAMS).await?,
        session.prepared(COMMANDS).await?,
    );
    let wanted: [&(dyn ToSql + Sync); 2] = [&kinds, &uuids];
    let named: [&(dyn ToSql + Sync); 1] = [&ids];
    let ((), locked, last_key, of_streams, of_commands) = futures::try_join!(
        client.batch_execute("begin"),
        client.query(&locked, &[]),
        client.query_one(&last_key, &[]),
        client.query(&of_streams, &wanted),
        client.query(&of_commands, &named),
    )
    .map_err(|error| meant(&error))?;
    let standing = Standing {
        head: head(&locked)?,
        streams: stream_heads(&of_streams)?,
        commands: commands(&of_commands)?,
    };
    let ends = Ends {
        head: standing.head,
        looks: locked.first().map_or(Ok(0), |row| column(row, 2))?,
        last_key: column(&last_key, 0)?,
    };
    Ok((standing, ends))
}

async fn write_events(session: &Session, plan: &Plan, touched: &Touched, node: &str) -> Result<(), LogError> {
    if plan.events.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(&plan.events, &touched.keys);
    let (position, chain) = (signed(plan.head.position), plan.head.chain.as_slice());
    let (new_streams, old_streams) = (touched.new.params(), touched.old.params());
    let events = columns.params();
    let moved: [&(dyn ToSql + Sync); 2] = [&position, &chain];
    let called: [&(dyn ToSql + Sync); 2] = [&listen::CHANNEL, &node];
    futures::try_join!(
        session.query(touched::NEW, &new_streams),
        session.query(touched::OLD, &old_streams),
        session.query(row::INSERT, &events),
        session.query(MOVE_HEAD, &moved),
        session.query(CALL_OUT, &called),
    )?;
    Ok(())
}

async fn write_commands(session: &Session, plan: &Plan) -> Result<(), LogError> {
    let known = &plan.commands;
    if known.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = known.iter().map(|(id, _)| *id).collect();
    let digests: Vec<&[u8]> = known.iter().map(|(_, it)| it.digest.as_slice()).collect();
    let first: Vec<i64> = known.iter().map(|(_, it)| signed(it.first)).collect();
    let last: Vec<i64> = known.iter().map(|(_, it)| signed(it.last)).collect();
    let replies: Vec<Option<&[u8]>> = known.iter().map(|(_, it)| it.reply.as_deref()).collect();
    let expiries: Vec<i64> = known
        .iter()
        .map(|(_, it)| it.expires_at.timestamp_micros())
        .collect();
    session
        .query(
            NEW_COMMANDS,
            &[&ids, &digests, &first, &last, &replies, &expiries],
        )
        .await?;
    Ok(())
}

async fn write_shapes(session: &Session, plan: &Plan) -> Result<(), LogError> {
    if plan.shapes.is_empty() {
        return Ok(());
    }
    let kinds: Vec<&str> = plan.shapes.iter().map(|it| it.kind.as_str()).collect();
    let types: Vec<&str> = plan.shapes.iter().map(|it| it.event_type.as_str()).collect();
    let versions: Vec<i64> = plan.shapes.iter().map(|it| it.schema_version.into()).collect();
    session.query(NEW_SHAPES, &[&kinds, &types, &versions]).await?;
    Ok(())
}

impl Engine for Postgres {
    fn begin(&mut self, streams: &[StreamId], commands: &[Uuid]) -> Result<Standing, LogError> {
        self.ends = None;
        let (standing, ends) = self.ask(|session| async move { begin(&session, streams, commands).await })?;
        self.ends = Some(ends);
        self.begun = self.session.take();
        Ok(standing)
    }

    fn given(&mut self, subjects: &[UserId], keys: &[KeyId]) -> Result<Vec<Pair>, LogError> {
        // On the connection that holds the lock: elsewhere the answer would be out of date as soon as it is there.
        let session = self.begun.clone().ok_or(LogError::Closed)?;
        self.ask_of(session, |session| async move {
            given::given(&session, subjects, keys).await
        })
    }

    fn commit(&mut self, plan: &Plan) -> Result<(), LogError> {
        let before = self.ends.take().ok_or(LogError::Closed)?;
        let touched = Touched::by(plan, before.last_key);
        let last_key = touched.last_key;
        let node = self.node.clone();
        // On the connection that holds the lock or on none: on another there is no transaction, and every statement
        // would last by itself.
        let session = self.begun.take().ok_or(LogError::Closed)?;
        self.session = Some(session.clone());
        self.ask_of(session, |session| async move {
            // All of it on its way at once: a round trip each would be most of what one client waits for.
            futures::try_join!(
                write_events(&session, plan, &touched, &node),
                write_commands(&session, plan),
                given::give(&session, &plan.given),
                write_shapes(&session, plan),
            )?;
            // Only now, when everything before it is known to have gone through.
            session
                .client
                .batch_execute("commit")
                .await
                .map_err(|error| meant(&error))
        })?;
        self.ends = Some(Ends {
            head: plan.head,
            last_key,
            ..before
        });
        Ok(())
    }

    fn foreseen(&self) -> Option<Head> {
        self.ends.map(|ends| ends.head)
    }

    fn send(&mut self, forecast: &Forecast, plan: &Arc<Plan>) -> Result<(), LogError> {
        self.send_batch(forecast, plan)
    }

    fn outcome(&mut self) -> BatchOutcome {
        self.first_answer()
    }

    fn rollback(&mut self) {
        let Some(session) = self.begun.take().or_else(|| self.session.take()) else {
            return;
        };
        let given_up = self.alone.block_on(async {
            session
                .client
                .batch_execute("rollback")
                .await
                .map_err(|error| meant(&error))
        });
        // A connection that cannot even give up is left to the server, which then gives up for it.
        if given_up.is_ok() {
            self.session = Some(session);
        }
    }

    /// Looks with the head's lock in hand: by then the connection that was lost has committed, or never will, because what
    /// it left unread says how often somebody had looked.
    fn chain_at(&mut self, position: Position) -> Result<Option<Hash>, LogError> {
        self.ends = None;
        let looked = self.ask(|session| async move {
            session
                .client
                .batch_execute("begin")
                .await
                .map_err(|error| meant(&error))?;
            session.query(LOOK, &[]).await?;
            let found = session.query(CHAIN, &[&signed(position)]).await?;
            let found = found.first().map(|row| hash(row, 0)).transpose()?;
            session
                .client
                .batch_execute("commit")
                .await
                .map_err(|error| meant(&error))?;
            Ok(found)
        });
        if looked.is_err() {
            self.rollback();
        }
        looked
    }

    fn head(&mut self) -> Result<Head, LogError> {
        self.ask(|session| async move { head(&session.query(HEAD, &[]).await?) })
    }

    fn tidy(&mut self, now: Moment) -> Result<bool, LogError> {
        self.ask(|session| async move {
            let forgotten = session.query(FORGET_COMMANDS, &[&now.timestamp_micros()]).await?;
            Ok(forgotten.len() == FORGOTTEN)
        })
    }
}

#[cfg(test)]
mod conformance;
