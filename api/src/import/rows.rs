//! Rows of a feed, one at a time, whatever its format; a broken row is reported and the next one read.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};

use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde_json::Value;

use super::{Format, RowError};

/// One row: its cells by column, or what is wrong with it as a whole.
#[derive(Debug)]
pub struct Row {
    /// The line it begins on; in JSON the number of the object.
    pub line: u64,
    pub cells: Result<Cells, Vec<RowError>>,
}

pub type Cells = HashMap<String, String>;

/// Nobody takes rows any more.
#[derive(Debug)]
pub struct Stopped;

/// Hands every row to `take`.
///
/// # Errors
/// One sentence when the file as a whole cannot be read on.
pub fn read(
    feed: impl Read,
    format: Format,
    take: impl FnMut(Row) -> Result<(), Stopped>,
) -> Result<(), String> {
    match format {
        Format::Csv => csv(feed, take),
        Format::Json => json(feed, take),
    }
}

fn csv(feed: impl Read, mut take: impl FnMut(Row) -> Result<(), Stopped>) -> Result<(), String> {
    let mut reader = ::csv::ReaderBuilder::new().flexible(true).from_reader(feed);
    let headers = reader
        .headers()
        .map_err(|error| format!("the first line cannot be read: {error}"))?
        .clone();
    let mut record = ::csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                let line = record.position().map_or(0, ::csv::Position::line);
                if take(Row {
                    line,
                    cells: cells(line, &headers, &record),
                })
                .is_err()
                {
                    return Ok(());
                }
            }
            Err(error) => return Err(format!("the file cannot be read on: {error}")),
        }
    }
}

fn cells(
    line: u64,
    headers: &::csv::StringRecord,
    record: &::csv::ByteRecord,
) -> Result<Cells, Vec<RowError>> {
    if record.len() != headers.len() {
        let reason = format!(
            "the row has {} cells, the first line {}",
            record.len(),
            headers.len()
        );
        return Err(wrong(line, "", reason));
    }
    let cell = |(header, bytes): (&str, &[u8])| match std::str::from_utf8(bytes) {
        Ok(text) => kept(line, header.to_owned(), text.to_owned()),
        Err(_) => Err(wrong(line, header, "the cell is not UTF-8".to_owned())),
    };
    headers.iter().zip(record.iter()).map(cell).collect()
}

fn wrong(line: u64, column: &str, reason: String) -> Vec<RowError> {
    vec![RowError {
        line,
        column: column.to_owned(),
        reason,
    }]
}

/// A cell without U+0000, which PostgreSQL's texts cannot hold (decision 340).
fn kept(line: u64, column: String, text: String) -> Result<(String, String), Vec<RowError>> {
    if text.contains('\0') {
        let reason = "the cell holds U+0000, a sign that no text holds".to_owned();
        return Err(wrong(line, &column, reason));
    }
    Ok((column, text))
}

fn json(feed: impl Read, mut take: impl FnMut(Row) -> Result<(), Stopped>) -> Result<(), String> {
    let mut feed = BufReader::new(feed);
    let mut number = 0;
    let mut hand_on = |value: Value| {
        number += 1;
        take(Row {
            line: number,
            cells: object(number, value),
        })
    };
    let begins = loop {
        match feed.fill_buf().map_err(|error| error.to_string())?.first() {
            Some(byte) if byte.is_ascii_whitespace() => feed.consume(1),
            first => break first.copied(),
        }
    };
    if begins == Some(b'[') {
        let mut reader = serde_json::Deserializer::from_reader(feed);
        return Each(&mut hand_on)
            .deserialize(&mut reader)
            .map_err(|error| format!("the file cannot be read on: {error}"));
    }
    for value in serde_json::Deserializer::from_reader(feed).into_iter::<Value>() {
        let value = value.map_err(|error| format!("the file cannot be read on: {error}"))?;
        if hand_on(value).is_err() {
            return Ok(());
        }
    }
    Ok(())
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
fn object(line: u64, value: Value) -> Result<Cells, Vec<RowError>> {
    let Value::Object(fields) = value else {
        return Err(wrong(line, "", "the row is not an object".to_owned()));
    };
    let cell = |(column, value): (String, Value)| match value {
        Value::String(text) => Some(kept(line, column, text)),
        Value::Number(number) => Some(Ok((column, number.to_string()))),
        Value::Bool(flag) => Some(Ok((column, flag.to_string()))),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    fields.into_iter().filter_map(cell).collect()
}
