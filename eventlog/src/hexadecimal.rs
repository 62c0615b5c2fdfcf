//! Bytes as hexadecimal digits, in JSON.

use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

pub(crate) fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&hex::encode(bytes))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[u8; N], D::Error> {
    let text = String::deserialize(from)?;
    let bytes = hex::decode(text).map_err(D::Error::custom)?;
    <[u8; N]>::try_from(bytes.as_slice()).map_err(|_| D::Error::custom(format!("not {N} bytes")))
}
