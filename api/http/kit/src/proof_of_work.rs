//! A little work that a browser does unseen and that a script pays for a thousand times over (D70, T20). Asked for only
//! once an address, a person or a home has had its share of an hour; with a login it is never asked for.
//!
//! A challenge is signed and dated, so the server keeps nothing until it is answered; each opens one request.

use axum::extract::{FromRef, State};
use eventlog::{EventLog, HandleHasher};
use platform::clock;
use rand::RngCore;
use serde::Serialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use utoipa::ToSchema;

use crate::endpoints::{Endpoints, routes};
use crate::envelope::Success;
use crate::error::ApiResult;
use crate::limits::{Effort, Limits};
use crate::permissions::Access;

/// Routes of this resource, and who may call them.
pub fn endpoints<S>() -> Endpoints<S>
where
    S: Clone + Send + Sync + 'static,
    EventLog: FromRef<S>,
{
    Endpoints::new().endpoint(Access::Open, routes!(challenge))
}

/// Zero bits that the hash of an answer begins with: about 131,000 tries, half a second in a browser.
const BITS: u32 = 17;
/// How long a challenge may be worked on.
const LIFE_S: i64 = 600;
/// Longer answers are nobody's number.
const ANSWER_MAX: usize = 32;

/// Task of the proof: find `answer` such that SHA-256 of `challenge:answer` begins with `bits` zero bits, and send
/// `challenge:answer` as the header `x-latchkey-proof`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProofChallenge)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub struct Challenge {
    challenge: String,
    bits: u32,
    expires_in_s: i64,
}

/// A challenge for the request that asked for one.
#[utoipa::path(get, path = "/api/v0/challenge", responses((status = 200, body = Success<Challenge>)))]
pub async fn challenge(State(log): State<EventLog>) -> Success<Challenge> {
    let mut random = [0_u8; 16];
    rand::rng().fill_bytes(&mut random);
    let body = format!("{}.{}", clock::now().timestamp() + LIFE_S, hex::encode(random));
    let signature = signature(log.handles(), &body);
    Success::new(Challenge {
        challenge: format!("{body}.{signature}"),
        bits: BITS,
        expires_in_s: LIFE_S,
    })
}

/// Takes an answer: ours, in time, worked for, and never seen before on any node.
///
/// # Errors
/// When it cannot be noted.
pub async fn take(log: &EventLog, limits: &Limits, proof: Option<&str>) -> ApiResult<Effort> {
    let now = clock::now().timestamp();
    let good = proof.and_then(|proof| read(log.handles(), proof, now));
    let Some((challenge, expires_at)) = good else {
        return Ok(Effort::None);
    };
    if limits.first_answer(challenge, expires_at).await? {
        Ok(Effort::Shown)
    } else {
        Ok(Effort::None)
    }
}

/// Whether an answer stands for a token of reCAPTCHA: each does so once, and opens its request at the limits all the same.
///
/// # Errors
/// When it cannot be noted.
pub(crate) async fn stands_for_token(
    log: &EventLog,
    limits: &Limits,
    proof: Option<&str>,
) -> ApiResult<bool> {
    let now = clock::now().timestamp();
    match proof.and_then(|proof| read(log.handles(), proof, now)) {
        Some((challenge, expires_at)) => {
            limits
                .first_answer(&format!("token:{challenge}"), expires_at)
                .await
        }
        None => Ok(false),
    }
}

fn signature(hasher: &HandleHasher, body: &str) -> String {
    hex::encode(hasher.hash("challenge", body))
}

/// The challenge of a good proof, with its end.
fn read<'p>(hasher: &HandleHasher, proof: &'p str, now: i64) -> Option<(&'p str, i64)> {
    let (challenge, answer) = proof.rsplit_once(':')?;
    let (body, signed) = challenge.rsplit_once('.')?;
    let expires_at: i64 = body.split('.').next()?.parse().ok()?;
    let genuine: bool = signature(hasher, body).as_bytes().ct_eq(signed.as_bytes()).into();
    let worked = answer.len() <= ANSWER_MAX && zero_bits(&Sha256::digest(proof)) >= BITS;
    (genuine && worked && expires_at > now).then_some((challenge, expires_at))
}

fn zero_bits(hash: &[u8]) -> u32 {
    let mut bits = 0;
    for byte in hash {
        bits += byte.leading_zeros();
        if *byte != 0 {
            break;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_bits_are_counted_over_bytes() {
        assert_eq!(
            [zero_bits(&[0, 0, 0x40]), zero_bits(&[0x80]), zero_bits(&[0, 1])],
            [17, 0, 15]
        );
    }
}
