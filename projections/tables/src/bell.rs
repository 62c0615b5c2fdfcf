//! Calls between the nodes of one database. Nothing depends on being heard: whoever waits also looks now and then.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::postgres::PgListener;
use tokio::sync::watch;

use super::{Database, Place};

/// How long to wait before listening anew after the connection was lost.
const AGAIN: Duration = Duration::from_millis(500);

impl Database {
    /// Calls out when the transaction commits, in the name of a node. `channel` is a name of ours, never input.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn ring(
        &self,
        channel: &'static str,
        node: &str,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        if self.is_shared() {
            sqlx::query("select cast(pg_notify($1, $2) as text)")
                .bind(channel)
                .bind(node)
                .execute(connection)
                .await?;
        }
        Ok(())
    }

    /// Changes whenever another node rang than this; never in a database of one server's own.
    pub fn hear(&self, channel: &'static str, node: &str) -> watch::Receiver<()> {
        let (heard, ears) = watch::channel(());
        if let Place::Postgres(url) = &self.place {
            let (url, node) = (url.clone(), node.to_owned());
            tokio::spawn(async move {
                while !heard.is_closed() {
                    let listening = listen(&url, (channel, &node), &heard);
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

async fn listen(
    url: &str,
    (channel, node): (&str, &str),
    heard: &watch::Sender<()>,
) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(channel).await?;
    // Something may have been said while nobody listened.
    heard.send_replace(());
    loop {
        // Without a call the connection was lost, and listens anew.
        let called = listener.try_recv().await?;
        if called.is_none_or(|called| called.payload() != node) {
            heard.send_replace(());
        }
    }
}
