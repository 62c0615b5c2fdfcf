//! What every engine must do, said once and run on each. A new engine gets a [`Ground`] of its own and a line in
//! [`every_engine!`].

mod account;
mod appending;
mod commands;
mod committing;
mod cutting;
mod failing;
mod following;
mod killing;
mod nodes;
mod sealing;
mod shapes;
mod tampering;

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;
use tests::postgres::Cluster;

use crate::actor::Actor;
use crate::append::{Append, Expected, NewEvent, StreamAppend};
use crate::codec;
use crate::context::Context;
use crate::log::EventLog;
use crate::stream::StreamId;
pub(crate) use account::Account;
use account::{AccountEvent, AccountId};
use domain::moment::Moment;
use uuid::Uuid;

/// Where a law is tried: an engine, and how to come back to what it kept.
enum Ground {
    Memory(EventLog),
    Sqlite(TempDir),
    Postgres(Databases),
}

/// The addresses of a log and of its keys.
struct Databases {
    log: String,
    keys: String,
}

impl Databases {
    fn of(server: &Cluster) -> Self {
        Self {
            log: server.database(),
            keys: server.database(),
        }
    }

    async fn open(&self) -> EventLog {
        EventLog::open_postgres(&self.log, &self.keys)
            .await
            .expect("the log opens")
    }
}

/// A connection of somebody who is no node of the log.
async fn connected(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .expect("a connection");
    tokio::spawn(connection);
    client
}

/// One server for all tests of this program that do it no harm.
fn server() -> &'static Cluster {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    SERVER.get_or_init(Cluster::start)
}

impl Ground {
    fn memory() -> Self {
        Self::Memory(EventLog::memory())
    }

    fn sqlite() -> Self {
        Self::Sqlite(TempDir::new().expect("a directory for the test"))
    }

    fn postgres() -> Self {
        Self::Postgres(Databases::of(server()))
    }

    /// The log; opened anew each time where the engine keeps it outside of memory.
    async fn log(&self) -> EventLog {
        match self {
            Self::Memory(log) => log.clone(),
            Self::Sqlite(dir) => open(dir.path()).await,
            Self::Postgres(databases) => databases.open().await,
        }
    }
}

async fn open(dir: &Path) -> EventLog {
    EventLog::open_sqlite(dir).await.expect("the log opens")
}

/// Runs each law on each engine, as a test of its own.
macro_rules! every_engine {
    ($($law:ident),* $(,)?) => {
        mod memory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::memory()).await;
            })*
        }
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $law() {
                super::$law(super::Ground::postgres()).await;
            })*
        }
    };
}
use every_engine;

/// How often something is tried, unless the environment says otherwise.
fn often(setting: &str, usually: usize) -> usize {
    std::env::var(setting)
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(usually)
}

fn noon() -> Moment {
    Moment::from_timestamp(1_790_000_000, 0).expect("a time of our calendar")
}

fn somebody() -> Context {
    Context::new(noon(), Actor::VISITOR)
}

fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

fn stream(account: AccountId) -> StreamId {
    StreamId::of::<Account>(account)
}

/// An append as the writer gets it, outside of any commit.
fn direct(account: AccountId, expected: Expected, events: &[AccountEvent]) -> Append {
    Append::new(&somebody())
        .events::<Account>(account, expected, events)
        .expect("events have a stored form")
}

fn stored(event: &AccountEvent) -> NewEvent {
    codec::encode(event).expect("events have a stored form")
}

fn part(account: AccountId, expected: Expected, events: Vec<NewEvent>) -> StreamAppend {
    StreamAppend {
        stream: stream(account),
        expected,
        events,
    }
}
