//! Hears of what other nodes write the moment it is durable. Nothing depends on it: the writer looks by itself every
//! now and then.

use std::time::Duration;

use futures::StreamExt as _;
use tokio_postgres::AsyncMessage;

use super::connect::Home;
use super::tls::Address;
use eventlog::grouped::Wake;

/// What a node calls out when it has written; it says its own name, so that it need not listen to itself.
pub(super) const CHANNEL: &str = "latchkey_log";
/// How long to wait before listening anew after the connection was lost.
const AGAIN: Duration = Duration::from_millis(500);

/// Listens to the other nodes of one log.
pub(crate) struct Ear {
    home: Home,
    address: Address,
    own: String,
}

impl Ear {
    pub(super) fn new(home: Home, address: Address, own: String) -> Self {
        Self { home, address, own }
    }

    /// Wakes the writer whenever another node than our own has written, until the writer is gone.
    pub(crate) fn listen(self, wake: Wake) {
        let Self { home, address, own } = self;
        home.spawn(async move {
            loop {
                if let Err(error) = hear(&address, &own, &wake).await {
                    tracing::warn!(%error, "the log does not hear other nodes; trying again");
                }
                if !wake.ring() {
                    return;
                }
                tokio::time::sleep(AGAIN).await;
            }
        });
    }
}

async fn hear(address: &Address, own: &str, wake: &Wake) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = address.connect().await?;
    let mut messages = futures::stream::poll_fn(move |context| connection.poll_message(context));
    let asking = format!("listen {CHANNEL}");
    let asked = async {
        client.batch_execute(&asking).await?;
        // Something may have been said while nobody listened.
        wake.ring();
        std::future::pending().await
    };
    let heard = async {
        while let Some(message) = messages.next().await {
            if let AsyncMessage::Notification(called) = message?
                && called.payload() != own
                && !wake.ring()
            {
                break;
            }
        }
        Ok(())
    };
    tokio::select! {
        refused = asked => refused,
        ended = heard => ended,
    }
}
