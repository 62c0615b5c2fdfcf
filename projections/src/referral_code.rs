//! Finds who gave out a referral code (D123). Everybody has one from the first sight on; it is made from their id.

use domain::aggregate::Decide;
use domain::id::UserId;
use domain::user::{User, UserEvent};
use eventlog::{HandleHasher, RecordedEvent};
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::Text;
use tables::table::{Table, row};

use crate::run::{Projection, ProjectionError};

/// Letters that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

const CODES: Table = Table {
    name: "referral_code",
    columns: &[Text("code"), Text("user_id")],
    key: 1,
};

/// Code to person.
pub struct ReferralCodes {
    hasher: HandleHasher,
}

impl ReferralCodes {
    pub fn new(hasher: HandleHasher) -> Self {
        Self { hasher }
    }
}

/// The code this person gives to others.
pub fn of(hasher: &HandleHasher, user_id: UserId) -> String {
    let hash = hasher.hash("referral_code", &user_id.to_string());
    let letters = hash.iter().take(LENGTH);
    letters
        .map(|byte| char::from(LETTERS[usize::from(byte & 31)]))
        .collect()
}

impl Projection for ReferralCodes {
    fn name(&self) -> &'static str {
        "referral_code"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["referral_code"]
    }

    fn folds_per_stream(&self) -> bool {
        true
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[User::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            let mut codes = Vec::new();
            for record in events {
                match record.decode_sealed::<User>()? {
                    // Of two people with one code the first keeps it: the other's friends then come without a referrer.
                    UserEvent::Registered { user_id, .. } => {
                        codes.push(row![of(&self.hasher, user_id), user_id.to_string()]);
                    }
                    UserEvent::Forgotten { user_id, .. } => {
                        CODES.add(connection, &std::mem::take(&mut codes)).await?;
                        sqlx::query("delete from referral_code where user_id = $1")
                            .bind(user_id.to_string())
                            .execute(&mut *connection)
                            .await?;
                    }
                    _ => {}
                }
            }
            Ok(CODES.add(connection, &codes).await?)
        })
    }
}

/// Who gave out this code; `None` for a code nobody has.
///
/// # Errors
/// When the read models cannot be read.
pub async fn find(pool: &AnyPool, code: &str) -> Result<Option<UserId>, sqlx::Error> {
    let row: Option<String> = sqlx::query_scalar("select user_id from referral_code where code = $1")
        .bind(code.trim().to_ascii_uppercase())
        .fetch_optional(pool)
        .await?;
    Ok(row.and_then(|id| id.parse().ok()))
}
