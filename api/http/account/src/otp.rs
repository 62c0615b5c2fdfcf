//! One-time codes (D68): six digits, ten minutes, five tries, once; at most so many per handle, number block, country
//! and address.
//!
//! Every check and its count happen in one transaction, one at a time over all nodes, so that no race gets a sixth try (T3).

use std::net::IpAddr;
use std::sync::Arc;

use domain::contact::digits::one_time_code;
use domain::user::Reach;
use eventlog::EventLog;
use http_kit::caller::Person;
use http_kit::error::{ApiError, ApiResult};
use http_kit::limits::{Effort, Limits};
use http_kit::proof_of_work;
use http_kit::request::RequestContext;
use http_kit::said::say;
use messages::CODE_LIFE_S;
use platform::config::Settings;
use platform::desk::Desk;
use platform::{clock, network};
use processes::handles::{code_handle, code_inbox};
pub use processes::login_codes::Purpose;
use processes::login_codes::{NewCode, code_hash, keep_code};
use rand::Rng;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use subtle::ConstantTimeEq;
use utoipa::ToSchema;
use uuid::Uuid;

pub const RESEND_AFTER_S: i64 = 30;
/// How far another node's clock may be ahead of this one's. A code of later was made by a clock that was wrong: it would live
/// for ever (R18).
const AHEAD_S: i64 = 60;
const TRIES: i64 = 5;
/// Tries without the session of the code (D73): a stranger's, perhaps, so they are fewer and counted apart (T6).
const BLIND_TRIES: i64 = 3;
/// D68, T1: sends per handle. A day's six with eight tries each and the rest with one each stay at the hundred guesses of
/// T3, and nobody can shut an owner out for the day with a dozen requests (T6).
const PER_HANDLE: [(i64, i64); 3] = [(600, 3), (3_600, 5), (86_400, 58)];
/// Sends per handle in a day that cost no work; every later code takes one try, from its own session.
const FREE_PER_HANDLE: (i64, i64) = (86_400, 6);
/// D68: sends per address in an hour.
const PER_IP: (i64, i64) = (3_600, 30);
/// Sends per IPv6 site (/48) in an hour, and those of them that cost no work.
const PER_NET: (i64, i64) = (3_600, 150);
const FREE_PER_NET: (i64, i64) = (3_600, 50);
/// T2: sends per block of a thousand numbers (or per mail domain: no limit) in a day.
const PER_BLOCK: (i64, i64) = (86_400, 20);
/// T2: text messages to one country in a day.
const PER_COUNTRY: (i64, i64) = (86_400, 500);
/// D70: sends per address in an hour that cost its browser no work.
const FREE_PER_IP: (i64, i64) = (3_600, 10);

/// Services by which codes are made, counted and kept.
#[derive(Clone)]
pub struct Codes {
    pub log: EventLog,
    pub desk: Desk,
    pub limits: Limits,
    pub settings: Arc<Settings>,
}

/// A code on its way to its owner.
pub struct Issued {
    pub session_uuid: Uuid,
    /// The six digits; only ever put into the message.
    pub code: String,
}

/// Whom a code goes to and who asked, as the limits see it. Empty: not limited.
struct Sending {
    /// The inbox or phone: `mei+1@…` and `mei+2@…` are one (T1).
    inbox: String,
    block: String,
    country: String,
    /// One IPv4 address or one IPv6 /64.
    ip: String,
    /// One IPv6 /48.
    net: String,
}

impl Sending {
    fn of(codes: &Codes, reach: &Reach, ip: IpAddr) -> Self {
        let country = match reach {
            Reach::Email(_) => String::new(),
            Reach::Phone(phone) => phone.country_code(),
        };
        // People who try the server out on their own machine share one address.
        let spared = ip.is_loopback() && codes.settings.dev_tools();
        let counted = |kind: &str, network: Option<String>| {
            let limited = network.filter(|_| !spared);
            limited.map_or_else(String::new, |network| {
                codes.log.handles().id(kind, &network).to_string()
            })
        };
        Self {
            inbox: code_inbox(codes.log.handles(), reach),
            block: block_of(codes, reach),
            country,
            ip: counted("otp_ip", Some(network::network(ip))),
            net: counted("otp_net", network::site(ip)),
        }
    }
}

/// Makes a code for `reach`, good for `purpose` alone, unless too many were asked for. Older codes of the same handle die,
/// whatever they were for.
///
/// # Errors
/// 429 with the seconds to wait; under `proof_of_work_required` a little work opens the way at once.
pub async fn issue(
    codes: &Codes,
    purpose: Purpose,
    reach: &Reach,
    context: &RequestContext,
) -> ApiResult<Issued> {
    let now = clock::now().timestamp();
    let sending = Sending::of(codes, reach, context.ip);
    let effort = proof_of_work::take(&codes.log, &codes.limits, context.proof.as_deref()).await?;
    let mut transaction = codes.desk.turn().await?;
    // Also what a clock that was far ahead has left.
    sqlx::query("delete from otp_send where at < $1 or at > $2")
        .bind(now - 86_400)
        .bind(now + AHEAD_S)
        .execute(&mut *transaction)
        .await?;
    let (tries, blind_tries) = match check_limits(&mut transaction, &sending, effort, now).await? {
        Trust::Usual => (0, 0),
        Trust::Little => (TRIES - 1, BLIND_TRIES),
    };
    let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
    let new_code = NewCode {
        purpose,
        reach,
        digits: &code,
        made_at: now,
        life_s: CODE_LIFE_S,
        tries,
        blind_tries,
    };
    let session_uuid = keep_code(&mut transaction, codes.log.handles(), &new_code).await?;
    sqlx::query("insert into otp_send (at, handle, block, country, ip, net) values ($1, $2, $3, $4, $5, $6)")
        .bind(now)
        .bind(&sending.inbox)
        .bind(&sending.block)
        .bind(&sending.country)
        .bind(&sending.ip)
        .bind(&sending.net)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(Issued { session_uuid, code })
}

/// Takes a login's code back.
///
/// # Errors
/// 422 with a sentence; never says whether the handle is known.
pub async fn redeem(codes: &Codes, reach: &Reach, session_uuid: Option<Uuid>, code: &str) -> ApiResult<()> {
    if take_code(codes, Purpose::Login, reach, session_uuid, code).await? {
        Ok(())
    } else {
        Err(wrong("user/otp"))
    }
}

/// A code of the account's own mail: asked for once more before what guards the account is changed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "otp": "123456", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" }))]
pub struct MailCode {
    pub otp: String,
    /// Answer to the request for the code.
    pub session_uuid: Uuid,
}

/// Lets the owner of an account change what guards it: by a login of a short while ago, with a fresh code of their mail that was
/// asked for to this end. The code of a login, which its owner may be talked into reading out, proves nothing here.
///
/// # Errors
/// 403 for an older login, 409 without a proved address, 422 for a wrong code.
pub async fn prove_owner(codes: &Codes, person: &Person, code: &MailCode) -> ApiResult<()> {
    person.check_login_is_fresh()?;
    let reach = mail_of(person)?;
    redeem_own(
        codes,
        Purpose::SecondFactor,
        &reach,
        (code.session_uuid, code.otp.as_str()),
    )
    .await
}

/// Takes back a code that the caller asked for about their own account. A code for anything else is wrong here, and is not used up.
///
/// # Errors
/// 422 for a wrong code.
pub async fn redeem_own(
    codes: &Codes,
    purpose: Purpose,
    reach: &Reach,
    (session_uuid, code): (Uuid, &str),
) -> ApiResult<()> {
    if take_code(codes, purpose, reach, Some(session_uuid), code).await? {
        Ok(())
    } else {
        Err(wrong("otp"))
    }
}

/// The proved address that such a code goes to.
///
/// # Errors
/// 409 without one.
pub fn mail_of(person: &Person) -> ApiResult<Reach> {
    let email = person.user.email.clone().map(Reach::Email);
    email.ok_or_else(|| ApiError::conflict("not_proved", say("refusal.forget_not_proved")))
}

/// Takes a code back: right exactly once, within its life and its tries, for the purpose, handle and session it was made for. A
/// try for another purpose costs the code none of its tries.
async fn take_code(
    codes: &Codes,
    purpose: Purpose,
    reach: &Reach,
    session_uuid: Option<Uuid>,
    code: &str,
) -> ApiResult<bool> {
    let now = clock::now().timestamp();
    let mut transaction = codes.desk.turn().await?;
    // The newest code of this handle is the only live one, so an e-mail login needs no session (D73).
    let row: Option<(String, Vec<u8>, i64)> = sqlx::query_as(
        "select session_uuid, code_hash, tries from otp
         where handle = $1 and purpose = $6 and dead = 0 and expires_at > $2 and created_at <= $2 + $5
           and (session_uuid = $3 or ($3 is null and blind_tries < $4))
         order by created_at desc
         limit 1",
    )
    .bind(handle_of(codes, reach))
    .bind(now)
    .bind(session_uuid.map(|id| id.to_string()))
    .bind(BLIND_TRIES)
    .bind(AHEAD_S)
    .bind(purpose.key())
    .fetch_optional(&mut *transaction)
    .await?;
    let Some((session, stored, tries)) = row else {
        return Ok(false);
    };
    let id = session.parse().map_err(ApiError::broken)?;
    let right: bool = code_hash(codes.log.handles(), id, &one_time_code(code))
        .as_slice()
        .ct_eq(&stored)
        .into();
    let holds_session = session_uuid.is_some();
    let dead = right || (holds_session && tries + 1 >= TRIES);
    sqlx::query(
        "update otp
         set tries = tries + $1, blind_tries = blind_tries + $2, dead = $3
         where session_uuid = $4",
    )
    .bind(i64::from(holds_session))
    .bind(i64::from(!holds_session))
    .bind(i64::from(dead))
    .bind(&session)
    .execute(&mut *transaction)
    .await?;
    if right {
        messages::blank_used(&mut transaction, &session).await?;
    }
    transaction.commit().await?;
    Ok(right)
}

fn wrong(field: &'static str) -> ApiError {
    ApiError::invalid_field(field, "otp_wrong", say("validation.otp_wrong"))
}

/// How many tries a code is worth.
enum Trust {
    Usual,
    /// Its address was sent many codes today.
    Little,
}

async fn check_limits(
    connection: &mut AnyConnection,
    sending: &Sending,
    effort: Effort,
    now: i64,
) -> ApiResult<Trust> {
    let last: (Option<i64>,) = sqlx::query_as("select max(at) from otp_send where handle = $1")
        .bind(&sending.inbox)
        .fetch_one(&mut *connection)
        .await?;
    let last = last.0.map(|at| at.min(now));
    if let Some(at) = last.filter(|at| now - at < RESEND_AFTER_S) {
        return Err(later(RESEND_AFTER_S - (now - at)));
    }
    for limit in PER_HANDLE {
        if let Some(wait) = wait_for(connection, BY_HANDLE, &sending.inbox, limit, now).await? {
            return Err(later(wait));
        }
    }
    for (query, network, limit) in [(BY_IP, &sending.ip, PER_IP), (BY_NET, &sending.net, PER_NET)] {
        if let Some(wait) = wait_for(connection, query, network, limit, now).await? {
            return Err(later(wait));
        }
    }
    for (query, value, limit) in [
        (BY_BLOCK, &sending.block, PER_BLOCK),
        (BY_COUNTRY, &sending.country, PER_COUNTRY),
    ] {
        if let Some(wait) = wait_for(connection, query, value, limit, now).await? {
            // T2: somebody watches the bill. A country is no personal datum, a number would be.
            tracing::warn!(country = sending.country, "text messages reached a day's limit");
            return Err(later(wait));
        }
    }
    let many = wait_for(connection, BY_HANDLE, &sending.inbox, FREE_PER_HANDLE, now).await?;
    if effort == Effort::None {
        let free = wait_for(connection, BY_IP, &sending.ip, FREE_PER_IP, now).await?;
        let free_of_site = wait_for(connection, BY_NET, &sending.net, FREE_PER_NET, now).await?;
        if let Some(wait) = free.or(free_of_site).or(many) {
            return Err(ApiError::proof_required(whole(wait)));
        }
    }
    Ok(many.map_or(Trust::Usual, |_| Trust::Little))
}

const BY_HANDLE: &str = "select count(*), min(at) from otp_send where handle = $1 and at > $2";
const BY_IP: &str = "select count(*), min(at) from otp_send where ip = $1 and at > $2";
const BY_NET: &str = "select count(*), min(at) from otp_send where net = $1 and at > $2";
const BY_BLOCK: &str = "select count(*), min(at) from otp_send where block = $1 and at > $2";
const BY_COUNTRY: &str = "select count(*), min(at) from otp_send where country = $1 and at > $2";

/// The seconds until one more fits, where the limit is reached.
async fn wait_for(
    connection: &mut AnyConnection,
    query: &'static str,
    value: &str,
    (seconds, most): (i64, i64),
    now: i64,
) -> ApiResult<Option<i64>> {
    if value.is_empty() {
        return Ok(None);
    }
    let (count, first): (i64, Option<i64>) = sqlx::query_as(query)
        .bind(value)
        .bind(now - seconds)
        .fetch_one(&mut *connection)
        .await?;
    Ok((count >= most).then(|| first.unwrap_or(now) + seconds - now))
}

fn whole(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or(1).max(1)
}

fn later(seconds: i64) -> ApiError {
    let seconds = whole(seconds);
    ApiError::too_many(say("validation.too_many_codes").with("seconds", seconds), seconds)
}

/// A handle's keyed hash: addresses and numbers do not lie in this database.
fn handle_of(codes: &Codes, reach: &Reach) -> String {
    code_handle(codes.log.handles(), reach)
}

/// Numbers that differ in their last three digits only are one block.
fn block_of(codes: &Codes, reach: &Reach) -> String {
    match reach {
        Reach::Email(_) => String::new(),
        Reach::Phone(phone) => {
            let digits = phone.e164().chars();
            let block: String = digits.take(phone.e164().len().saturating_sub(3)).collect();
            codes.log.handles().id("otp_block", &block).to_string()
        }
    }
}
