//! Work that only one of several nodes does at a time: under a lease in the database that the work writes to (decision 0020).
//! A server with files of its own is always on duty.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sqlx::{Any, Transaction};
use tables::Database;
use tables::lease::Lease;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long a lease that was seen to be held is relied on without looking again: less than half of what it lasts.
const RELIED_ON: Duration = Duration::from_secs(1);

/// Why something is left to another node.
#[derive(Debug, thiserror::Error)]
pub enum OffDuty {
    #[error("another node has taken the work over")]
    TakenOver,
    #[error("{0}")]
    Database(#[from] sqlx::Error),
}

/// A claim on one piece of work; cheap to clone.
#[derive(Debug, Clone)]
pub struct Duty {
    database: Database,
    lease: Lease,
    held: watch::Sender<bool>,
    /// When the lease was last seen to be held.
    seen: Arc<Mutex<Option<Instant>>>,
}

impl Duty {
    /// `node` names this process among all there ever were.
    pub fn new(database: &Database, name: &'static str, node: &str) -> Self {
        Self {
            database: database.clone(),
            lease: Lease::new(database, name, node),
            held: watch::Sender::new(false),
            seen: Arc::default(),
        }
    }

    /// Takes the lease whenever it is free and holds it until `stop` is set, which is to happen after the work has ended.
    pub fn keep(&self, stop: watch::Receiver<bool>) -> JoinHandle<()> {
        tokio::spawn(self.lease.clone().keep(self.held.clone(), stop))
    }

    /// Says whenever this node goes on duty or off.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.held.subscribe()
    }

    pub fn is_held(&self) -> bool {
        *self.held.borrow()
    }

    /// A transaction that writes only while the lease is this node's, and keeps it until the transaction ends.
    ///
    /// # Errors
    /// When another node has the lease, or the database does not answer.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>, OffDuty> {
        let asked = Instant::now();
        let mut transaction = self.database.begin().await?;
        if !self.lease.guard(&mut transaction).await? {
            return Err(OffDuty::TakenOver);
        }
        *self.seen.lock() = Some(asked);
        Ok(transaction)
    }

    /// Before something begins that no transaction can take back: the lease was this node's a moment ago, and lasts.
    ///
    /// # Errors
    /// As [`Duty::begin`].
    pub async fn confirm(&self) -> Result<(), OffDuty> {
        let seen = *self.seen.lock();
        if !self.database.is_shared() || seen.is_some_and(|at| at.elapsed() < RELIED_ON) {
            return Ok(());
        }
        self.begin().await?.commit().await?;
        Ok(())
    }
}

/// Waits until a channel of [`Duty::watch`] says that the work is ours. `false` when `stop` was set first.
pub async fn ours(held: &mut watch::Receiver<bool>, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        biased;
        _ = stop.wait_for(|stopped| *stopped) => false,
        changed = held.wait_for(|held| *held) => changed.is_ok(),
    }
}
