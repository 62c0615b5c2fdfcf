//! Calls between the nodes of one database. Nothing depends on being heard: whoever waits also looks now and then.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::postgres::PgListener;
use tokio::sync::watch;

use super::{Database, Place};

/// How long to wait before listening anew after the connection was lost.
const AGAIN: Duration = Duration::from_millis(500);

impl Database {
    /// Calls out when the transaction commits. `channel` is a name of ours, never input.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn ring(
        &self,
        channel: &'static str,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        if self.is_shared() {
            sqlx::query("select cast(pg_notify($1, '') as text)")
                .bind(channel)
                .execute(connection)
                .await?;
        }
        Ok(())
    }

    /// Changes whenever somebody rang, on whichever node; never in a database of one server's own.
    pub fn hear(&self, channel: &'static str) -> watch::Receiver<()> {
        let (heard, ears) = watch::channel(());
        if let Place::Postgres(url) = &self.place {
            let url = url.clone();
            tokio::spawn(async move {
                while !heard.is_closed() {
                    let listening = listen(&url, channel, &heard);
                    let lost = tokio::select! {
                        lost = listening => lost,
                        () = heard.closed() => return,
                    };
                    if let Err(error) = lost {
                        tracing::warn!(channel, %error, "other nodes are not heard; trying again");
                    }
                    tokio::time::sleep(AGAIN).await;
                }
            });
        } else {
            // Kept open by its task until nobody listens.
            tokio::spawn(async move { heard.closed().await });
        }
        ears
    }
}

async fn listen(url: &str, channel: &str, heard: &watch::Sender<()>) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(channel).await?;
    loop {
        // Something may have been said while nobody listened.
        heard.send_replace(());
        listener.recv().await?;
    }
}
