//! Rows of JSON: one array of objects, or one object after another.

use std::collections::HashMap;
use std::io::BufRead;

use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde_json::Value;

use super::{Cell, Cells, Columns, Row, Stopped, by_field, same_name, unread, wrong};
use crate::RowError;
use crate::map::Map;

/// Hands every object to `take`, and gives the names of their values.
pub(super) fn read(
    mut feed: impl BufRead,
    map: &Map,
    mut take: impl FnMut(Row) -> Result<(), Stopped>,
) -> Result<Columns, String> {
    let mut number = 0;
    let mut columns = Columns::before(map);
    let mut hand_on = |value: Value| {
        number += 1;
        for (name, value) in value.as_object().into_iter().flatten() {
            columns.note(name, map, !value.is_array() && !value.is_object());
        }
        take(Row {
            line: number,
            cells: object(number, map, value),
        })
    };
    let begins = loop {
        match feed.fill_buf().map_err(|error| unread(&error))?.first() {
            Some(byte) if byte.is_ascii_whitespace() => feed.consume(1),
            first => break first.copied(),
        }
    };
    if begins == Some(b'[') {
        let mut reader = serde_json::Deserializer::from_reader(feed);
        Each(&mut hand_on)
            .deserialize(&mut reader)
            .map_err(|error| unread(&error))?;
        // Objects behind the array would be lost.
        reader.end().map_err(|error| unread(&error))?;
        return Ok(columns);
    }
    for value in serde_json::Deserializer::from_reader(feed).into_iter::<Value>() {
        let value = value.map_err(|error| unread(&error))?;
        if hand_on(value).is_err() {
            break;
        }
    }
    Ok(columns)
}

/// Walks a JSON array without holding more than one element.
struct Each<F>(F);

impl<'de, F: FnMut(Value) -> Result<(), Stopped>> DeserializeSeed<'de> for Each<F> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(Value) -> Result<(), Stopped>> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rows: A) -> Result<(), A::Error> {
        while let Some(value) = rows.next_element::<Value>()? {
            if (self.0)(value).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Numbers and booleans are as good as their text; what is nested cannot be a cell and is left out.
fn object(line: u64, map: &Map, value: Value) -> Result<Cells, Vec<RowError>> {
    let Value::Object(fields) = value else {
        return Err(wrong(line, "", "the row is not an object".to_owned()));
    };
    let fields: HashMap<String, Value> = fields
        .into_iter()
        .map(|(name, value)| (same_name(&name), value))
        .collect();
    by_field(line, map, |field| {
        let (text, is_number) = match fields.get(&same_name(map.column(field)))? {
            Value::String(text) => (text.clone(), false),
            Value::Number(number) => (number.to_string(), true),
            Value::Bool(flag) => (flag.to_string(), false),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        };
        Some(Ok(Cell { text, is_number }))
    })
}
