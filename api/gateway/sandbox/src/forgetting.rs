//! The provider forgets a person: what was laid against disputes of their payments names them and tells of their booking, in intents,
//! in answers to repeated calls, and in notices.

use domain::id::UserId;
use serde_json::Value;

use crate::memory::Work;
use crate::memory_error::MemoryError;
use crate::{GatewayError, Sandbox};

/// Finds and rewrites the texts of the provider's memory that may hold evidence.
const TEXTS: [[&str; 2]; 3] = [
    [
        "select id, state from intent where state like $1 and state like $2",
        "update intent set state = $1 where id = $2",
    ],
    [
        "select key, reply from answer where reply like $1 and reply like $2",
        "update answer set reply = $1 where key = $2",
    ],
    [
        "select id, body from notice where body like $1 and body like $2",
        "update notice set body = $1 where id = $2",
    ],
];
/// The field under which evidence is kept and told.
const EVIDENCE: &str = "evidence";

impl Sandbox {
    /// Deletes the evidence about a person's payments; that it was sent stays.
    pub(crate) async fn drop_evidence(&self, subject: UserId) -> Result<(), GatewayError> {
        let mut work = self.memory.begin().await?;
        for text in TEXTS {
            work.drop_evidence(text, subject).await?;
        }
        Ok(work.commit().await?)
    }
}

impl Work {
    async fn drop_evidence(
        &mut self,
        [find, rewrite]: [&'static str; 2],
        subject: UserId,
    ) -> Result<(), MemoryError> {
        let texts: Vec<(String, String)> = sqlx::query_as(find)
            .bind(format!("%\"{subject}\"%"))
            .bind(format!("%\"{EVIDENCE}\"%"))
            .fetch_all(self.connection())
            .await?;
        for (row, text) in texts {
            let mut told: Value = serde_json::from_str(&text)?;
            if !empty_evidence(&mut told) {
                continue;
            }
            sqlx::query(rewrite)
                .bind(told.to_string())
                .bind(row)
                .execute(self.connection())
                .await?;
        }
        Ok(())
    }
}

/// Empties evidence at any depth; says whether there was some.
fn empty_evidence(told: &mut Value) -> bool {
    match told {
        Value::Object(fields) => {
            let mut was_there = false;
            for (name, field) in fields {
                if name == EVIDENCE {
                    was_there |= !field.is_null();
                    *field = Value::Null;
                } else {
                    was_there |= empty_evidence(field);
                }
            }
            was_there
        }
        Value::Array(all) => all
            .iter_mut()
            .fold(false, |was_there, part| empty_evidence(part) | was_there),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
