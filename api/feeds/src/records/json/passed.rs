//! Values of JSON that no map uses, read over in memory that does not grow with them.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::source::Progress;

/// Reads over a value that no map uses. Its nesting is bounded by the reader, and its parts are as those of a record: what skips a value
/// without looking remembers each bracket that is open.
pub(super) struct Pass<'p> {
    pub(super) progress: Option<&'p Progress>,
}

impl Pass<'_> {
    fn begin_part(&self) {
        if let Some(progress) = self.progress {
            progress.begin_record();
        }
    }
}

impl<'de> DeserializeSeed<'de> for Pass<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pass<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        loop {
            self.begin_part();
            let next = Self {
                progress: self.progress,
            };
            if items.next_element_seed(next)?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        loop {
            self.begin_part();
            let next = || Self {
                progress: self.progress,
            };
            if entries.next_key_seed(next())?.is_none() {
                return Ok(());
            }
            self.begin_part();
            entries.next_value_seed(next())?;
        }
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: serde::de::Error>(self, _flag: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, _number: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, _number: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, _number: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, _text: &str) -> Result<(), E> {
        Ok(())
    }
}
