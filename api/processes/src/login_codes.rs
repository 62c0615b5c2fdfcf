//! One-time codes at the desk: each is good for one purpose and once, for its address or number, and ends when a newer one is made.

use domain::user::Reach;
use eventlog::HandleHasher;
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::handles::code_handle;

/// How long a code that is over is still kept.
const KEPT_AFTER_S: i64 = 86_400;

/// Names the one thing that a code is good for: read out for a login, it opens nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To log in.
    Login,
    /// To change the second step of a login: one's own, or as an administrator a colleague's.
    SecondFactor,
    /// To have the data of one's own account erased.
    Erasure,
}

impl Purpose {
    /// As it is kept.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::SecondFactor => "second_factor",
            Self::Erasure => "erasure",
        }
    }

    /// The kind of message that says to its reader what the code is for.
    pub const fn message_kind(self) -> &'static str {
        match self {
            Self::Login => "otp",
            Self::SecondFactor => "second_factor_code",
            Self::Erasure => "erasure_code",
        }
    }
}

/// A code before it is kept. Times are in seconds.
#[derive(Debug)]
pub struct NewCode<'c> {
    pub purpose: Purpose,
    pub reach: &'c Reach,
    /// Its digits; a hash of them alone is kept.
    pub digits: &'c str,
    pub made_at: i64,
    pub life_s: i64,
    /// Tries that are taken from it beforehand: with its session, and without.
    pub tries: i64,
    pub blind_tries: i64,
}

/// Keeps a code, and ends the older ones of its address or number. Gives the session that it belongs to.
///
/// # Errors
/// When the desk's database cannot be written.
pub async fn keep_code(
    connection: &mut AnyConnection,
    hasher: &HandleHasher,
    code: &NewCode<'_>,
) -> Result<Uuid, sqlx::Error> {
    let handle = code_handle(hasher, code.reach);
    let session_uuid = Uuid::new_v4();
    sqlx::query("update otp set dead = 1 where handle = $1")
        .bind(&handle)
        .execute(&mut *connection)
        .await?;
    sqlx::query("delete from otp where expires_at < $1")
        .bind(code.made_at - KEPT_AFTER_S)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into otp (session_uuid, handle, code_hash, created_at, expires_at, tries, blind_tries, purpose)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(session_uuid.to_string())
    .bind(&handle)
    .bind(code_hash(hasher, session_uuid, code.digits).as_slice())
    .bind(code.made_at)
    .bind(code.made_at + code.life_s)
    .bind(code.tries)
    .bind(code.blind_tries)
    .bind(code.purpose.key())
    .execute(&mut *connection)
    .await?;
    Ok(session_uuid)
}

/// By what a typed code is compared with the one that was made.
pub fn code_hash(hasher: &HandleHasher, session_uuid: Uuid, digits: &str) -> [u8; 32] {
    hasher.hash("otp_code", &format!("{session_uuid}:{digits}"))
}
