//! Signed notices, as Stripe signs them: `t=<seconds>,v1=<hex HMAC-SHA-256 of "t.body">`, good for 300 seconds either way.

use domain::moment::Moment;
use eventlog::planted::Fault;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far a signature's time may be from ours, in seconds.
const TOLERANCE_S: i64 = 300;
/// A header longer than this is nobody's signature.
const HEADER_MAX: usize = 1_000;

/// Why a notice is not believed. The answer never says which: that would help who forges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("the signature header cannot be read")]
    Unreadable,
    #[error("the signature is not within 300 seconds of now")]
    Stale,
    #[error("no signature matches the body")]
    Wrong,
}

/// The header for `body` at this moment.
pub fn sign(secret: &str, at: Moment, body: &[u8]) -> String {
    let seconds = at.timestamp();
    let tag = mac(secret, seconds, body).map(|mac| hex::encode(mac.finalize().into_bytes()));
    format!("t={seconds},v1={}", tag.unwrap_or_default())
}

/// Accepts a body whose header holds a `v1` signature by one of the secrets: there are two while one is renewed. Compares in
/// constant time.
///
/// # Errors
/// [`SignatureError`] for everything else.
pub fn verify(
    secrets: &[impl AsRef<str>],
    now: Moment,
    header: &str,
    body: &[u8],
) -> Result<(), SignatureError> {
    if header.len() > HEADER_MAX {
        return Err(SignatureError::Unreadable);
    }
    let mut times = header
        .split(',')
        .filter_map(|part| part.trim().strip_prefix("t="));
    let (Some(time), None) = (times.next(), times.next()) else {
        return Err(SignatureError::Unreadable);
    };
    let seconds: i64 = time.parse().map_err(|_| SignatureError::Unreadable)?;
    if now
        .timestamp()
        .checked_sub(seconds)
        .is_none_or(|age| age.abs() > TOLERANCE_S && !Fault::StaleNotices.is_planted())
    {
        return Err(SignatureError::Stale);
    }
    let is_by = |secret: &str, tag: &[u8]| {
        mac(secret, seconds, body).is_some_and(|mac| mac.verify_slice(tag).is_ok())
    };
    let signed = header
        .split(',')
        .filter_map(|part| part.trim().strip_prefix("v1="))
        .filter_map(|tag| hex::decode(tag).ok())
        .any(|tag| secrets.iter().any(|secret| is_by(secret.as_ref(), &tag)));
    if signed {
        Ok(())
    } else {
        Err(SignatureError::Wrong)
    }
}

fn mac(secret: &str, seconds: i64, body: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac)
}

#[cfg(test)]
mod tests {
    use chrono::{TimeDelta, TimeZone, Utc};

    use super::*;

    fn noon() -> Moment {
        Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
    }

    /// A signature is good for 300 seconds either way and not one more.
    #[test]
    fn signature_is_valid_for_300_seconds_either_way() {
        let header = sign("whsec", noon(), b"{}");
        for (age, expected) in [
            (0, Ok(())),
            (300, Ok(())),
            (301, Err(SignatureError::Stale)),
            (-300, Ok(())),
            (-301, Err(SignatureError::Stale)),
        ] {
            let now = noon() + TimeDelta::seconds(age);
            assert_eq!(verify(&["whsec"], now, &header, b"{}"), expected, "{age} s old");
        }
    }

    #[test]
    fn forged_notices_are_not_believed() {
        let good = sign("whsec", noon(), b"{}");
        let tag = good.split_once("v1=").unwrap().1;
        let moved = format!("t={},v1={tag}", noon().timestamp() + 1);
        let old_scheme = good.replace("v1=", "v0=");
        let two_times = format!("t=1,{good}");
        for (header, body) in [
            (good.as_str(), b"{ }".as_slice()),
            (moved.as_str(), b"{}"),
            (old_scheme.as_str(), b"{}"),
            (two_times.as_str(), b"{}"),
            ("", b"{}"),
            ("t=,v1=", b"{}"),
            ("t=99999999999999999999,v1=00", b"{}"),
        ] {
            assert!(verify(&["whsec"], noon(), header, body).is_err(), "{header}");
        }
        assert_eq!(
            verify(&["other"], noon(), &good, b"{}"),
            Err(SignatureError::Wrong)
        );
    }

    /// One good signature among several is enough while a secret is rotated.
    #[test]
    fn signature_header_needs_one_valid_entry_during_rotation() {
        let good = sign("whsec", noon(), b"{}");
        let both = format!("{good},v1={}", "0".repeat(64));
        assert_eq!(verify(&["whsec"], noon(), &both, b"{}"), Ok(()));
        for secrets in [["new", "whsec"], ["whsec", "new"]] {
            assert_eq!(verify(&secrets, noon(), &good, b"{}"), Ok(()));
        }
        let none: [&str; 0] = [];
        assert_eq!(verify(&none, noon(), &good, b"{}"), Err(SignatureError::Wrong));
    }
}
