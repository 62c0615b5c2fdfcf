//! Work that goes on while the server runs. When some of it ends badly, the process goes on without it, and whoever asks whether
//! the server is ready must hear so.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

/// The names of work that ended badly; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Background(Arc<Mutex<Vec<&'static str>>>);

impl Background {
    /// Notes when this work ends badly.
    pub fn watch(&self, name: &'static str, work: JoinHandle<()>) -> JoinHandle<()> {
        let ended = self.0.clone();
        tokio::spawn(async move {
            if let Err(error) = work.await {
                // First the note: it must not depend on the line.
                ended.lock().unwrap_or_else(PoisonError::into_inner).push(name);
                tracing::error!(%error, name, "background work ended badly: start the server again");
            }
        })
    }

    /// What has ended badly.
    pub fn ended(&self) -> Vec<&'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_ends_badly_is_named_and_other_work_is_not() {
        let background = Background::default();
        let bad = tokio::spawn(async { panic!("it ends badly") });
        let good = tokio::spawn(async {});
        for (name, work) in [("bad", bad), ("good", good)] {
            background.watch(name, work).await.unwrap();
        }
        assert_eq!(background.ended(), ["bad"]);
    }
}
