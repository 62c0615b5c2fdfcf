//! The laws of the log on PostgreSQL, and what several nodes promise each other besides.

mod appending;
mod at_once;
mod commands;
mod cutting;
mod failing;
mod following;
mod killing;
mod newcomers;
mod nodes;
mod proving;
mod sealing;
mod shapes;
mod tampering;

mod committing {
    eventlog_conformance::committing!(super::ground());
}

use std::sync::OnceLock;

use eventlog::EventLog;
use eventlog_conformance::Ground;
use tests::postgres::Cluster;

/// The addresses of a log and of its keys.
#[derive(Clone)]
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
        crate::open(&self.log, &self.keys).await.expect("the log opens")
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

/// Databases of its own.
fn ground() -> Ground {
    let databases = Databases::of(server());
    Ground::new(move || {
        let databases = databases.clone();
        async move { databases.open().await }
    })
}
