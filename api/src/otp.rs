//! One-time codes (D68): six digits, ten minutes, five tries, once; at most so many per handle, number block and address.
//!
//! Every check and its count happen in one transaction on one connection, so that no race gets a sixth try (T3).

use std::net::IpAddr;

use domain::user::Reach;
use rand::Rng;
use sqlx::{Connection, SqliteConnection};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::app::App;
use crate::clock;
use crate::error::{ApiError, ApiResult};

pub const RESEND_AFTER_S: i64 = 30;
pub const LIFE_S: i64 = 600;
const TRIES: i64 = 5;
/// D68, T1: sends per handle.
const PER_HANDLE: [(i64, i64); 2] = [(600, 3), (3_600, 5)];
/// D68: sends per address in an hour.
const PER_IP: (i64, i64) = (3_600, 30);
/// T2: sends per block of a thousand numbers (or per mail domain: no limit) in a day.
const PER_BLOCK: (i64, i64) = (86_400, 20);

/// A code on its way to its owner.
pub struct Issued {
    pub session_uuid: Uuid,
    /// The six digits; only ever put into the message.
    pub code: String,
}

/// Makes a code for `reach`, unless too many were asked for. Older codes of the same handle die.
///
/// # Errors
/// 429 with the seconds to wait.
pub async fn issue(app: &App, reach: &Reach, ip: IpAddr) -> ApiResult<Issued> {
    let now = clock::now().timestamp();
    let handle = handle_of(app, reach);
    let block = block_of(reach);
    // People who try the server out on their own machine share one address.
    let ip = if ip.is_loopback() && app.settings.dev_tools() {
        String::new()
    } else {
        ip.to_string()
    };
    let mut connection = app.desk.pool().acquire().await?;
    let mut transaction = connection.begin_with("begin immediate").await?;
    check_limits(&mut transaction, &handle, &block, &ip, now).await?;
    let session_uuid = Uuid::new_v4();
    let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
    sqlx::query("update otp set dead = 1 where handle = ?")
        .bind(&handle)
        .execute(&mut *transaction)
        .await?;
    sqlx::query("delete from otp where expires_at < ?")
        .bind(now - 86_400)
        .execute(&mut *transaction)
        .await?;
    sqlx::query("delete from otp_send where at < ?")
        .bind(now - 86_400)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "insert into otp (session_uuid, handle, code_hash, created_at, expires_at) values (?, ?, ?, ?, ?)",
    )
    .bind(session_uuid.to_string())
    .bind(&handle)
    .bind(code_hash(app, session_uuid, &code).as_slice())
    .bind(now)
    .bind(now + LIFE_S)
    .execute(&mut *transaction)
    .await?;
    sqlx::query("insert into otp_send (at, handle, block, ip) values (?, ?, ?, ?)")
        .bind(now)
        .bind(&handle)
        .bind(&block)
        .bind(&ip)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(Issued { session_uuid, code })
}

/// Takes a code back: right exactly once, within its life and its tries, for the handle and session it was made for.
///
/// # Errors
/// 422 with a sentence; never says whether the handle is known.
pub async fn redeem(app: &App, reach: &Reach, session_uuid: Option<Uuid>, code: &str) -> ApiResult<()> {
    let now = clock::now().timestamp();
    let mut connection = app.desk.pool().acquire().await?;
    let mut transaction = connection.begin_with("begin immediate").await?;
    // The newest code of this handle is the only live one, so an e-mail login needs no session (D73).
    let row: Option<(String, Vec<u8>, i64)> = sqlx::query_as(
        "select session_uuid, code_hash, tries from otp
         where handle = ? and dead = 0 and expires_at > ? and (?3 is null or session_uuid = ?3)
         order by created_at desc
         limit 1",
    )
    .bind(handle_of(app, reach))
    .bind(now)
    .bind(session_uuid.map(|id| id.to_string()))
    .fetch_optional(&mut *transaction)
    .await?;
    let Some((session, stored, tries)) = row else {
        return Err(wrong());
    };
    let id = session.parse().map_err(|_| wrong())?;
    let right: bool = code_hash(app, id, code.trim()).as_slice().ct_eq(&stored).into();
    let dead = right || tries + 1 >= TRIES;
    sqlx::query("update otp set tries = tries + 1, dead = ? where session_uuid = ?")
        .bind(dead)
        .bind(&session)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    if right { Ok(()) } else { Err(wrong()) }
}

fn wrong() -> ApiError {
    ApiError::invalid_field(
        "user/otp",
        "otp_wrong",
        "That code is not right, or it is no longer good. Check it, or ask for a new one",
    )
}

async fn check_limits(
    connection: &mut SqliteConnection,
    handle: &str,
    block: &str,
    ip: &str,
    now: i64,
) -> ApiResult<()> {
    let last: (Option<i64>,) = sqlx::query_as("select max(at) from otp_send where handle = ?")
        .bind(handle)
        .fetch_one(&mut *connection)
        .await?;
    if let Some(at) = last.0.filter(|at| now - at < RESEND_AFTER_S) {
        return Err(later(RESEND_AFTER_S - (now - at)));
    }
    let mut limits: Vec<(&str, &str, (i64, i64))> = PER_HANDLE
        .iter()
        .map(|limit| ("handle", handle, *limit))
        .collect();
    limits.push(("ip", ip, PER_IP));
    limits.push(("block", block, PER_BLOCK));
    for (column, value, (seconds, most)) in limits {
        if value.is_empty() {
            continue;
        }
        let sql = match column {
            "handle" => "select count(*), min(at) from otp_send where handle = ? and at > ?",
            "ip" => "select count(*), min(at) from otp_send where ip = ? and at > ?",
            _ => "select count(*), min(at) from otp_send where block = ? and at > ?",
        };
        let (count, first): (i64, Option<i64>) = sqlx::query_as(sql)
            .bind(value)
            .bind(now - seconds)
            .fetch_one(&mut *connection)
            .await?;
        if count >= most {
            return Err(later(first.unwrap_or(now) + seconds - now));
        }
    }
    Ok(())
}

fn later(seconds: i64) -> ApiError {
    let seconds = u64::try_from(seconds).unwrap_or(1).max(1);
    ApiError::too_many(
        format!("Too many codes were asked for. Try again in {seconds} seconds"),
        seconds,
    )
}

/// A handle's keyed hash: addresses and numbers do not lie in this database.
fn handle_of(app: &App, reach: &Reach) -> String {
    let hasher = app.log.handles();
    match reach {
        Reach::Email(email) => hasher.id("otp_email", &email.canonical()).to_string(),
        Reach::Phone(phone) => hasher.id("otp_phone", phone.e164()).to_string(),
    }
}

/// Numbers that differ in their last three digits only are one block.
fn block_of(reach: &Reach) -> String {
    match reach {
        Reach::Email(_) => String::new(),
        Reach::Phone(phone) => phone
            .e164()
            .chars()
            .take(phone.e164().len().saturating_sub(3))
            .collect(),
    }
}

fn code_hash(app: &App, session_uuid: Uuid, code: &str) -> [u8; 32] {
    app.log
        .handles()
        .hash("otp_code", &format!("{session_uuid}:{code}"))
}
