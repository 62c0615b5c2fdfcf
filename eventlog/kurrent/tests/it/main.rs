//! The log in KurrentDB, tried on the server that `LATCHKEY_TEST_KURRENTDB` names, or on the stand-in of this house.
#![expect(clippy::expect_used, reason = "a test that cannot go on ends")]

mod cutting;
mod dropping;
mod laws;

use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Once};

use eventlog::{EventLog, LogError};
use eventlog_conformance::Ground;
use kurrent_standin::{Door, Server};
use tempfile::TempDir;
use uuid::Uuid;

/// The address of a server that may be written to; each test keeps to streams of its own.
const SERVER: &str = "LATCHKEY_TEST_KURRENTDB";

/// Where a log lies that holds nothing yet.
struct Place {
    url: String,
    dir: TempDir,
    name: String,
    _standin: Option<Door>,
}

impl Place {
    async fn new() -> Self {
        static SAID: Once = Once::new();
        let given = std::env::var(SERVER).ok();
        SAID.call_once(|| say(&which(given.as_deref(), false)));
        if let Some(url) = given {
            return Self::at(url, None);
        }
        let door = Server::default().open().await.expect("a port");
        Self::at(door.url(), Some(door))
    }

    fn at(url: String, standin: Option<Door>) -> Self {
        Self {
            url,
            dir: TempDir::new().expect("a directory for the keys"),
            name: format!("test{}_", Uuid::now_v7().simple()),
            _standin: standin,
        }
    }

    async fn open(&self) -> EventLog {
        log_at(&self.url, &self.dir, &self.name).await
    }

    fn ground(self) -> Ground {
        let place = Arc::new(self);
        Ground::new(move || {
            let place = place.clone();
            async move { place.open().await }
        })
    }
}

/// A server whose connections a story cuts, which no server elsewhere can be asked for.
fn standin() -> Server {
    static SAID: Once = Once::new();
    SAID.call_once(|| say(&which(std::env::var(SERVER).ok().as_deref(), true)));
    Server::default()
}

/// On which server a story is told.
fn which(given: Option<&str>, cuts: bool) -> String {
    let why = match given {
        _ if cuts => "where connections are cut and subscriptions dropped".to_owned(),
        Some(url) => return format!("KurrentDB: the server at {}, which {SERVER} names", host(url)),
        None => format!("because {SERVER} names no server"),
    };
    format!("KurrentDB: the in-process stand-in, {why}")
}

/// Not caught by the test harness: every run says it.
fn say(what: &str) {
    let _silent = std::io::stderr().write_all(format!("{what}\n").as_bytes());
}

#[test]
fn a_run_says_of_each_kind_of_story_on_which_server_it_is_told() {
    let given = Some("kurrentdb://somebody:secret@db.example:2113?tls=false");
    assert!(which(given, false).contains("the server at db.example:2113, which"));
    for standin in [which(given, true), which(None, true), which(None, false)] {
        assert!(standin.contains("stand-in"), "{standin}");
    }
}

/// Where an address leads, without the password that may stand in it.
fn host(url: &str) -> &str {
    let server = url.split('?').next().unwrap_or_default();
    server.rsplit(['@', '/']).next().unwrap_or_default()
}

/// The log at a server, with the keys in a folder.
async fn open(url: &str, dir: &Path, name: &str) -> Result<EventLog, LogError> {
    let (keys, handles) = eventlog_sqlite::keys_in_folder(dir).await?;
    let log = kurrent::open_with(url, name, keys, handles).await?;
    Ok(eventlog_sqlite::with_snapshots(log, dir))
}

async fn log_at(url: &str, keys: &TempDir, name: &str) -> EventLog {
    open(url, keys.path(), name).await.expect("the log opens")
}
