//! Messages that are not sent after all: what they tell is no longer so. The row stays with the reason, and without its words.

use crate::outbox::Outbox;

impl Outbox {
    /// Drops what waits for this effect.
    ///
    /// # Errors
    /// When the outbox cannot be written.
    pub async fn drop_of_effect(&self, effect: &str, reason: &str) -> Result<(), sqlx::Error> {
        self.drop_waiting("effect = $2", effect, reason).await
    }

    /// Drops what waits under a name that begins so, such as `segment:01923456:`.
    ///
    /// # Errors
    /// When the outbox cannot be written.
    pub async fn drop_named(&self, beginning: &str, reason: &str) -> Result<(), sqlx::Error> {
        let named = "substr(message_key, 1, length($2)) = $2";
        self.drop_waiting(named, beginning, reason).await
    }

    /// The names of messages that wait, of those that begin so.
    ///
    /// # Errors
    /// When the outbox cannot be read.
    pub async fn waiting_named(&self, beginning: &str) -> Result<Vec<String>, sqlx::Error> {
        let named = "select message_key from message where state = 'waiting' and substr(message_key, 1, length($1)) = $1";
        sqlx::query_scalar(named)
            .bind(beginning)
            .fetch_all(self.desk.pool())
            .await
    }

    /// Drops a code that ran out before a server took it.
    pub(crate) async fn drop_spent(&self, key: &str) -> Result<(), sqlx::Error> {
        sqlx::query("update message set sending = 0 where message_key = $1")
            .bind(key)
            .execute(self.desk.pool())
            .await?;
        self.drop_named(key, "the code has run out").await
    }

    /// A message on its way at this moment is no longer to be stopped.
    async fn drop_waiting(&self, which: &'static str, named: &str, reason: &str) -> Result<(), sqlx::Error> {
        let blank = if self.settings.dev_tools() { "" } else { BLANK };
        let query = format!(
            "update message set state = 'dropped', dropped = $1 {blank} where state = 'waiting' and sending = 0 and {which}"
        );
        let dropped = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(reason)
            .bind(named)
            .execute(self.desk.pool())
            .await?;
        metrics::counter!("latchkey_mails_total", "end" => "dropped").increment(dropped.rows_affected());
        Ok(())
    }
}

/// Takes its words out of a message that is not sent.
const BLANK: &str = ", recipient = '', subject = '', body = '', html = null, unsubscribe = null, code = null";
