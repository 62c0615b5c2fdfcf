//! The grounds of this crate's own engines.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tempfile::TempDir;
use tests::postgres::Cluster;

use super::Ground;
use crate::log::EventLog;

/// The addresses of a log and of its keys.
#[derive(Clone)]
pub(crate) struct Databases {
    pub(super) log: String,
    pub(super) keys: String,
}

impl Databases {
    pub(super) fn of(server: &Cluster) -> Self {
        Self {
            log: server.database(),
            keys: server.database(),
        }
    }

    pub(crate) async fn open(&self) -> EventLog {
        EventLog::open_postgres(&self.log, &self.keys)
            .await
            .expect("the log opens")
    }
}

/// A connection of somebody who is no node of the log.
pub(super) async fn connected(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .expect("a connection");
    tokio::spawn(connection);
    client
}

/// One server for all tests of this program that do it no harm.
pub(super) fn server() -> &'static Cluster {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    SERVER.get_or_init(Cluster::start)
}

impl Ground {
    pub(super) fn memory() -> Self {
        let log = EventLog::memory();
        Self::new(move || std::future::ready(log.clone()))
    }

    pub(super) fn sqlite() -> Self {
        let dir = Arc::new(TempDir::new().expect("a directory for the test"));
        Self::new(move || {
            let dir = dir.clone();
            async move { open(dir.path()).await }
        })
    }

    pub(super) fn postgres() -> Self {
        let databases = Databases::of(server());
        Self::new(move || {
            let databases = databases.clone();
            async move { databases.open().await }
        })
    }
}

/// Two empty databases.
pub(crate) fn databases() -> Databases {
    Databases::of(server())
}

pub(crate) async fn open(dir: &Path) -> EventLog {
    EventLog::open_sqlite(dir).await.expect("the log opens")
}
