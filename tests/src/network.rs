//! A network before a PostgreSQL server's socket, which a story can cut or still.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The name PostgreSQL's clients look for in a folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// Carries bytes between clients and a server until it is cut.
pub struct Network {
    folder: TempDir,
    connections: Arc<Mutex<Vec<Connection>>>,
    door: JoinHandle<()>,
    /// Whether nothing gets through, though every connection stands.
    still: watch::Sender<bool>,
}

/// One of the two ways of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// What is asked.
    There,
    /// What is answered.
    Back,
}

/// Both ways of one connection.
struct Connection {
    asked: JoinHandle<()>,
    answered: JoinHandle<()>,
}

impl Network {
    /// Before the server of this database's address.
    ///
    /// # Panics
    /// When the address is not that of a socket, or there is no folder for another.
    pub fn before(url: &str) -> Self {
        let (_, server) = at_socket(url);
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let listener = UnixListener::bind(folder.path().join(SOCKET))
            .unwrap_or_else(|error| panic!("no socket: {error}"));
        let connections = Arc::<Mutex<Vec<Connection>>>::default();
        let (open, socket) = (connections.clone(), Path::new(server).join(SOCKET));
        let still = watch::Sender::new(false);
        let stands = still.subscribe();
        let door = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = UnixStream::connect(&socket).await else {
                    continue;
                };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                open.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(Connection {
                        asked: tokio::spawn(carry(from_client, to_server, stands.clone())),
                        answered: tokio::spawn(carry(from_server, to_client, stands.clone())),
                    });
            }
        });
        Self {
            folder,
            connections,
            door,
            still,
        }
    }

    /// Lets nothing through and ends no connection, or goes on with what was held up.
    pub fn still(&self, still: bool) {
        self.still.send_replace(still);
    }

    /// The address of a database behind this network.
    ///
    /// # Panics
    /// When the address is not that of a socket.
    pub fn reaches(&self, url: &str) -> String {
        let (database, _) = at_socket(url);
        format!("{database}host={}", self.folder.path().display())
    }

    /// Ends every connection, one way a moment before the other: the server no longer hears what is asked, or does it and
    /// its answer is lost.
    pub async fn cut(&self, first: Way, moment: Duration) {
        let cut = std::mem::take(&mut *self.connections.lock().unwrap_or_else(PoisonError::into_inner));
        for connection in &cut {
            match first {
                Way::There => connection.asked.abort(),
                Way::Back => connection.answered.abort(),
            }
        }
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

/// The database and the folder of the socket that an address names.
fn at_socket(url: &str) -> (&str, &str) {
    url.split_once("host=")
        .unwrap_or_else(|| panic!("`{url}` names no socket"))
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut still: watch::Receiver<bool>) {
    let mut bytes = vec![0; 65_536];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if still.wait_for(|still| !still).await.is_err() || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
