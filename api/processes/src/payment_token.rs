//! The secret half of a payment's link (T14, D100).

use rand::RngCore as _;
use sha2::{Digest as _, Sha256};

/// 128 random bits, as 32 letters that need no escaping in an address.
pub fn fresh() -> String {
    let mut bytes = [0_u8; 16];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}

/// SHA-256 of a token, in hex: tokens themselves are never looked up, stored in tables or logged.
pub fn digest(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}
