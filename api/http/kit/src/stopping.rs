//! The server's wish to stop, as answers that would never end hear it.

use tokio::sync::watch;

/// Says when the server is asked to stop; cheap to clone.
#[derive(Clone)]
pub struct Stopping(watch::Receiver<bool>);

impl Stopping {
    pub const fn new(stopped: watch::Receiver<bool>) -> Self {
        Self(stopped)
    }

    /// Comes when the server is asked to stop.
    pub fn comes(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopped = self.0.clone();
        async move {
            // Without anybody left to tell, it is over too.
            drop(stopped.wait_for(|stopped| *stopped).await);
        }
    }
}
