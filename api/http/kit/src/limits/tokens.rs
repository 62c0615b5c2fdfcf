//! Tokens that open one thing once, on whichever node: each is kept as a keyed hash until it would be too old anyway.

use platform::clock;

use super::Limits;
use crate::error::ApiResult;

/// Tokens that were shown.
const SHOWN: &str = "token_shown";
/// Access that a shown token opened.
const OPENED: &str = "token_opened";

/// State of a token when it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// It was not shown before.
    Fresh,
    /// It opened the same thing before: a repetition.
    Repeated,
    /// It was shown for another thing, or opened nothing.
    Spent,
}

impl Limits {
    /// Notes that a token is shown, and says whether it was before; `purpose` is what it shall open.
    ///
    /// # Errors
    /// When the tables cannot be reached.
    pub async fn show_token(&self, token: &str, purpose: &str, until_ms: i64) -> ApiResult<Token> {
        let shown = self.key("token", token);
        if self.note_token(SHOWN, &shown, until_ms).await? {
            return Ok(Token::Fresh);
        }
        let opened = self.key("token_purpose", &format!("{shown}:{purpose}"));
        let query = "select count(*) from allowance where name = $1 and key = $2 and until_ms > $3";
        let known: i64 = sqlx::query_scalar(query)
            .bind(OPENED)
            .bind(opened)
            .bind(clock::now().timestamp_millis())
            .fetch_one(self.database.pool())
            .await?;
        Ok(if known > 0 { Token::Repeated } else { Token::Spent })
    }

    /// Notes what a token opened, so that a repetition of the same passes.
    ///
    /// # Errors
    /// When the tables cannot be reached.
    pub async fn token_opened(&self, token: &str, purpose: &str, until_ms: i64) -> ApiResult<()> {
        let shown = self.key("token", token);
        let opened = self.key("token_purpose", &format!("{shown}:{purpose}"));
        self.note_token(OPENED, &opened, until_ms).await?;
        Ok(())
    }

    /// Whether it was not noted before.
    async fn note_token(&self, name: &str, key: &str, until_ms: i64) -> ApiResult<bool> {
        let noted = sqlx::query(
            "insert into allowance (name, key, until_ms) values ($1, $2, $3) on conflict (name, key) do nothing",
        )
        .bind(name)
        .bind(key)
        .bind(until_ms)
        .execute(self.database.pool())
        .await?;
        Ok(noted.rows_affected() == 1)
    }
}
