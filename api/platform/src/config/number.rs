//! Settings that are whole numbers or amounts: written as a number in the file, and as text in the environment.

use std::fmt;
use std::marker::PhantomData;

use domain::typed_number::{NumberDoubt, read_whole_amount, spell_readings};
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

/// Reads an amount in whole units of a currency by the rule of all typed amounts.
pub(super) fn read_amount<'de, D: Deserializer<'de>, N: Whole>(deserializer: D) -> Result<N, D::Error> {
    deserializer.deserialize_any(Amount(PhantomData))
}

/// Says for operators how a doubted amount can be read, and what to write.
pub fn explain_two_ways(value: &str) -> String {
    let value = value.trim();
    match &*spell_readings(value) {
        [whole, part] => {
            format!("`{value}` could mean {whole} or {part}: write a whole number such as {whole}")
        }
        [whole] => format!("`{value}` is unclear: write a whole number such as {whole}"),
        _ => format!("`{value}` is unclear: write a whole number, with digits alone"),
    }
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

struct Amount<N>(PhantomData<N>);

impl<N: Whole> Visitor<'_> for Amount<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Number::<N>(PhantomData).expecting(f)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<N, E> {
        Number::<N>(PhantomData).visit_u64(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<N, E> {
        Number::<N>(PhantomData).visit_i64(number)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<N, E> {
        match read_whole_amount(word) {
            Ok(number) => self.visit_u64(number),
            Err(NumberDoubt::TwoWays) => Err(E::custom(explain_two_ways(word))),
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
