//! Settings that are whole numbers: written as one in the file, and as text in the environment.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Reads a whole number.
pub(super) fn read<'de, D: Deserializer<'de>, N: Whole>(deserializer: D) -> Result<N, D::Error> {
    deserializer.deserialize_any(Number(PhantomData))
}

/// Reads one that may be left out.
pub(super) fn read_optional<'de, D: Deserializer<'de>, N: Whole>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    deserializer.deserialize_option(Optional(PhantomData))
}

/// A type of whole numbers.
pub(super) trait Whole: TryFrom<u64> {}

impl Whole for u16 {}
impl Whole for u32 {}
impl Whole for u64 {}
impl Whole for usize {}

struct Number<N>(PhantomData<N>);

impl<N: Whole> Visitor<'_> for Number<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<N, E> {
        N::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<N, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<N, E> {
        match word.trim().parse() {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

struct Optional<N>(PhantomData<N>);

impl<'de, N: Whole> Visitor<'de> for Optional<N> {
    type Value = Option<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Number::<N>(PhantomData).expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        read(deserializer).map(Some)
    }
}
