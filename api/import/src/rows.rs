//! Rows of a feed, one at a time, whatever its format; a broken row is reported and the next one read.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use unicode_normalization::UnicodeNormalization as _;

use super::map::{FIELDS, Map};
use super::{Format, RowError};

mod objects;
mod table;

/// One row: its cells by field, or what is wrong with it as a whole.
#[derive(Debug)]
pub struct Row {
    /// The line it begins on; in JSON the number of the object.
    pub line: u64,
    pub cells: Result<Cells, Vec<RowError>>,
}

/// The cells of the fields that the feed has.
pub type Cells = HashMap<&'static str, Cell>;

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// Written as a number in JSON: its decimal sign is a point.
    pub is_number: bool,
}

impl Cell {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_number: false,
        }
    }
}

/// Names of columns that are kept of a file, which may have one for every row.
const NAMES_KEPT: usize = 200;

/// How the columns of a file and the fields of the map meet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Columns of the file that no field reads, and values that hold others, which cannot be a cell.
    pub unread: BTreeSet<String>,
    /// Columns that the map names and no row has.
    pub absent: BTreeSet<String>,
}

impl Columns {
    /// Before a row is read: the map's columns are not seen yet.
    fn before(map: &Map) -> Self {
        let absent = map.columns.values().cloned().collect();
        Self {
            unread: BTreeSet::new(),
            absent,
        }
    }

    /// Takes down that a row has a column of this name; `is_cell` unless its value holds others.
    fn note(&mut self, name: &str, map: &Map, is_cell: bool) {
        let name = same_name(name);
        self.absent.retain(|column| same_name(column) != name);
        let is_read = is_cell && FIELDS.iter().any(|field| same_name(map.column(field)) == name);
        if !is_read && self.unread.len() < NAMES_KEPT {
            self.unread.insert(name);
        }
    }
}

/// Nobody takes rows any more.
#[derive(Debug)]
pub struct Stopped;

/// Hands every row to `take`, and gives what became of the columns.
///
/// # Errors
/// One sentence when the file as a whole cannot be read on.
pub fn read(
    feed: impl Read,
    format: Format,
    map: &Map,
    take: impl FnMut(Row) -> Result<(), Stopped>,
) -> Result<Columns, String> {
    let feed = decoded(feed, map.encoding()?)?;
    match format {
        Format::Csv => table::read(feed, map, take),
        Format::Json => objects::read(feed, map, take),
    }
}

/// The file as UTF-8: a byte-order mark decides, then the map, then the zero bytes that UTF-16 has and UTF-8 has not.
fn decoded(feed: impl Read, encoding: Option<&'static Encoding>) -> Result<impl BufRead, String> {
    let mut feed = BufReader::new(feed);
    let begins = feed.fill_buf().map_err(|error| unread(&error))?;
    let seen = match begins {
        [0, letter, ..] if *letter != 0 => Some(UTF_16BE),
        [letter, 0, ..] if *letter != 0 => Some(UTF_16LE),
        _ => None,
    };
    let reader = DecodeReaderBytesBuilder::new()
        .encoding(encoding.or(seen))
        .bom_override(true)
        .strip_bom(true)
        .utf8_passthru(true)
        .build(feed);
    Ok(BufReader::new(reader))
}

fn unread(error: &dyn std::error::Error) -> String {
    format!("the file cannot be read on: {error}")
}

/// How names of columns are compared: without their case, the spaces around them and the ways to write one accent.
fn same_name(name: &str) -> String {
    name.trim().nfc().collect::<String>().to_lowercase()
}

/// The cells of a row's columns, by the fields that the map gives them.
fn by_field(
    line: u64,
    map: &Map,
    cell: impl Fn(&'static str) -> Option<Result<Cell, &'static str>>,
) -> Result<Cells, Vec<RowError>> {
    let mut cells = Cells::new();
    for field in FIELDS {
        let kept = match cell(field) {
            None => continue,
            Some(cell) => cell.and_then(kept),
        };
        let cell = kept.map_err(|reason| wrong(line, map.column(field), reason.to_owned()))?;
        cells.insert(field, cell);
    }
    Ok(cells)
}

/// A cell in composed letters, so that the two ways to write an accent are one text; without U+0000, which PostgreSQL's
/// texts cannot hold (decision 0030), and without what stands for letters that were lost.
fn kept(mut cell: Cell) -> Result<Cell, &'static str> {
    if cell.text.contains('\0') {
        return Err("the cell holds U+0000, a sign that no text holds");
    }
    if cell.text.contains('\u{fffd}') {
        return Err("the cell holds U+FFFD: letters were lost, the file is in another encoding");
    }
    cell.text = cell.text.nfc().collect();
    Ok(cell)
}

fn wrong(line: u64, column: &str, reason: String) -> Vec<RowError> {
    vec![RowError {
        line,
        column: column.to_owned(),
        reason,
    }]
}
