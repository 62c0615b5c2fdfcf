//! A server for tests that speaks KurrentDB's published protocol over real gRPC: streams with expected revisions, appends
//! that are idempotent by event id, `$all` in log order with system events in between, catch-up subscriptions with
//! checkpoints, server features and gossip. It keeps everything in memory and knows how to misbehave on demand. It is not
//! KurrentDB: what it does not do it refuses.
#![expect(
    clippy::result_large_err,
    reason = "whatever a gRPC server is asked may end in its `Status`"
)]

mod door;
mod reading;
mod store;
pub mod wire;

use std::sync::Arc;

use store::Store;

pub use door::Door;

/// The server's content. It outlives its doors.
#[derive(Clone)]
pub struct Server(Arc<Store>);

impl Default for Server {
    fn default() -> Self {
        Self(Arc::new(Store::new()))
    }
}

impl Server {
    /// Opens a door on a free port of this machine.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn open(&self) -> std::io::Result<Door> {
        Door::open(self.0.clone(), 0).await
    }

    /// How many records the server holds, its own among them.
    pub fn records(&self) -> usize {
        self.0.len()
    }
}
