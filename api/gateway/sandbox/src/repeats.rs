//! Notices once more: under another id, and all of them for who asks what was missed.

use crate::memory::Memory;
use crate::memory_error::MemoryError;

impl Memory {
    /// Delivers a notice again under another id, as if it had happened twice; `false` for an unknown one.
    ///
    /// # Errors
    /// When the memory cannot be read or written.
    pub async fn repeat_as_new(&self, id: &str) -> Result<bool, MemoryError> {
        let found: Option<(String, String)> = sqlx::query_as("select kind, body from notice where id = $1")
            .bind(id)
            .fetch_optional(self.database.pool())
            .await?;
        let Some((kind, body)) = found else {
            return Ok(false);
        };
        let body: serde_json::Value = serde_json::from_str(&body)?;
        let mut work = self.begin().await?;
        work.tell(&kind, &body["data"]["object"]).await?;
        work.commit().await?;
        Ok(true)
    }

    /// Every notice there is, oldest first: what a list of events shows, whether it was delivered or not.
    ///
    /// # Errors
    /// When the memory cannot be read.
    pub async fn bodies(&self) -> Result<Vec<String>, sqlx::Error> {
        sqlx::query_scalar("select body from notice order by seq")
            .fetch_all(self.database.pool())
            .await
    }
}
