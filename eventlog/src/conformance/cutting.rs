//! A network between the nodes and the server that is cut again and again (RELIABILITY R5, on the log alone).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::future::join_all;
use parking_lot::Mutex;
use rand::Rng as _;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinHandle;

use super::nodes::{everything_once, keep_writing};
use super::{Databases, server};

/// How often the network is cut; set it higher for a long run.
const CUTS: &str = "EVENTLOG_CUTS";
const CUTS_USUALLY: usize = 20;
const WRITERS: u64 = 16;
/// The name PostgreSQL's clients look for in a folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// Carries bytes between clients and a server until it is cut.
struct Network {
    folder: TempDir,
    connections: Arc<Mutex<Vec<Connection>>>,
    door: JoinHandle<()>,
}

/// Both ways of one connection.
struct Connection {
    asked: JoinHandle<()>,
    answered: JoinHandle<()>,
}

impl Network {
    /// Before the server whose socket lies in `server`.
    fn before(server: &Path) -> Self {
        let folder = TempDir::new().expect("a directory");
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let connections = Arc::<Mutex<Vec<Connection>>>::default();
        let (open, socket) = (connections.clone(), server.join(SOCKET));
        let door = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = UnixStream::connect(&socket).await else {
                    continue;
                };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                open.lock().push(Connection {
                    asked: tokio::spawn(carry(from_client, to_server)),
                    answered: tokio::spawn(carry(from_server, to_client)),
                });
            }
        });
        Self {
            folder,
            connections,
            door,
        }
    }

    fn reaches(&self, url: &str) -> String {
        let (database, _) = url.split_once("host=").expect("a socket's address");
        format!("{database}host={}", self.folder.path().display())
    }

    /// Ends every connection, one way a moment before the other: the server no longer hears what is asked, or does it and
    /// its answer is lost.
    async fn cut(&self) {
        let cut = std::mem::take(&mut *self.connections.lock());
        let deaf = rand::rng().random();
        for connection in &cut {
            if deaf {
                connection.asked.abort();
            } else {
                connection.answered.abort();
            }
        }
        let moment = Duration::from_millis(rand::rng().random_range(5..20));
        tokio::time::sleep(moment).await;
        for connection in cut {
            connection.answered.abort();
            connection.asked.abort();
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.door.abort();
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let mut bytes = vec![0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_cuts_of_the_network_under_sixteen_writers_lose_nothing_and_double_nothing() {
    let databases = Databases::of(server());
    let (_, folder) = databases.log.split_once("host=").expect("a socket's address");
    let network = Network::before(&PathBuf::from(folder));
    let distant = Databases {
        log: network.reaches(&databases.log),
        keys: network.reaches(&databases.keys),
    };
    let nodes = [distant.open().await, distant.open().await];
    let over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let log = nodes[usize::from(writer % 2 == 1)].clone();
            tokio::spawn(keep_writing(log, u128::from(writer), over.clone()))
        })
        .collect();
    let mut longest = Duration::ZERO;
    for _ in 0..super::often(CUTS, CUTS_USUALLY) {
        let mut news = nodes[0].watch();
        let before = *news.borrow_and_update();
        news.wait_for(|end| *end >= before + 30)
            .await
            .expect("the log lives");
        // Anywhere in the work of either node.
        let moment = Duration::from_micros(rand::rng().random_range(0..20_000));
        tokio::time::sleep(moment).await;
        network.cut().await;
        let cut = Instant::now();
        let reached = *news.borrow_and_update();
        news.wait_for(|end| *end > reached + WRITERS)
            .await
            .expect("the log lives");
        longest = longest.max(cut.elapsed());
    }
    assert!(longest < Duration::from_secs(5), "{longest:?}");
    over.store(true, Relaxed);
    let mut answered = HashMap::new();
    for writer in join_all(writers).await {
        answered.extend(writer.expect("the writer finishes"));
    }
    everything_once(&databases.open().await, &answered).await;
}
