//! What the house takes of threads, locks and channels. Built with the feature `schedules`, all of it is shuttle's, so that tests
//! run the same code under thousands of random orders of its steps (R21, decision 0003). Knows nothing of what it is used for.

pub mod once;
pub mod published;
#[cfg(feature = "schedules")]
pub mod schedules;
mod slip;
mod stop;
pub mod turns;

pub use slip::Slip;
pub use stop::pause_unless_stopped;

#[cfg(not(feature = "schedules"))]
mod real {
    use std::time::Duration;

    pub use parking_lot::{Mutex, RwLock};
    pub use std::sync::{atomic, mpsc};
    pub use std::thread;
    pub use tokio::task::spawn_blocking;

    /// Whoever waits may look again and again for a moment, because time passes meanwhile.
    pub const SOON: bool = true;

    /// Waits for a while.
    pub async fn pause(time: Duration) {
        tokio::time::sleep(time).await;
    }
}

#[cfg(feature = "schedules")]
mod scheduled {
    use std::time::Duration;

    pub use shuttle::sync::{atomic, mpsc};
    pub use shuttle::thread;
    pub use shuttle_parking_lot::{Mutex, RwLock};

    /// In a schedule nobody looks again and again: no time passes between two steps.
    pub const SOON: bool = false;

    /// A thread that may block is a task like all others.
    pub fn spawn_blocking<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> shuttle::future::JoinHandle<T> {
        shuttle::future::spawn(async move { work() })
    }

    /// However long it is, everybody else may go first or nobody.
    pub async fn pause(_time: Duration) {
        shuttle::future::yield_now().await;
    }
}

#[cfg(not(feature = "schedules"))]
pub use real::*;
#[cfg(feature = "schedules")]
pub use scheduled::*;
