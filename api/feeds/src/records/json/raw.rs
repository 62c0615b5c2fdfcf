//! Values of one record of JSON from their text, bounded in depth and number.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::node::{DEPTH_MAX, NAMES_MAX, Node, VALUES_MAX, explain_names, explain_values};

/// The names and raw values of an object, in their order.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = entries.next_entry::<String, &'de RawValue>()? {
                    if pairs.len() >= NAMES_MAX {
                        return Err(A::Error::custom(explain_names()));
                    }
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        reader.deserialize_map(Collect)
    }
}

/// The raw values of a list.
struct Items<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Items<'de>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = items.next_element::<&'de RawValue>()? {
                    if values.len() >= VALUES_MAX {
                        return Err(A::Error::custom(explain_values()));
                    }
                    values.push(value);
                }
                Ok(Items(values))
            }
        }
        reader.deserialize_seq(Collect)
    }
}

/// A value from its text: numbers stay as they are written. `budget` is how many values the record may still have.
pub(super) fn read_raw(raw: &RawValue, depth: usize, budget: &mut usize) -> Result<Node, String> {
    *budget = budget.checked_sub(1).ok_or_else(explain_values)?;
    if depth > DEPTH_MAX {
        return Err(format!("the record is nested deeper than {DEPTH_MAX}"));
    }
    let text = raw.get();
    let unread = |error: serde_json::Error| format!("the record cannot be read: {error}");
    match text.as_bytes().first() {
        Some(b'{') => {
            let Pairs(pairs) = serde_json::from_str(text).map_err(unread)?;
            let entries = pairs
                .into_iter()
                .map(|(name, value)| Ok((name, read_raw(value, depth + 1, budget)?)));
            Ok(Node::Map(entries.collect::<Result<_, String>>()?))
        }
        Some(b'[') => {
            let Items(items) = serde_json::from_str(text).map_err(unread)?;
            let items = items.into_iter().map(|item| read_raw(item, depth + 1, budget));
            Ok(Node::List(items.collect::<Result<_, String>>()?))
        }
        Some(b'"') => Ok(Node::Text(serde_json::from_str(text).map_err(unread)?)),
        Some(b't') => Ok(Node::Flag(true)),
        Some(b'f') => Ok(Node::Flag(false)),
        Some(b'n') => Ok(Node::Null),
        _ => Ok(Node::Number(text.to_owned())),
    }
}
