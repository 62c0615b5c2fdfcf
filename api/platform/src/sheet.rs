//! Every CSV that the product writes: with a byte-order mark, so that spreadsheets read UTF-8; texts quoted, and harmless to
//! a program that would run them; numbers bare, so that they can be summed.

use std::io::{self, Write};

/// U+FEFF in UTF-8.
const MARK: &str = "\u{feff}";
/// What a spreadsheet takes for the beginning of a formula, also in the full width of Chinese and Japanese keyboards.
const FORMULAS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// What some spreadsheet, of some country, takes for the end of a cell.
const SEPARATORS: [char; 6] = [',', ';', '\t', '|', '\r', '\n'];

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Text(String),
    /// A decimal number with a point and, below zero, a sign before it; empty where there is none.
    Number(String),
}

/// A table that is written row by row.
pub struct Sheet<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> Sheet<W> {
    /// Begins a file: the byte-order mark and the names of the columns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(mut to: W, columns: &[&str]) -> io::Result<Self> {
        to.write_all(MARK.as_bytes())?;
        let mut sheet = Self::go_on(to);
        sheet.row(columns.iter().map(|name| Cell::Text((*name).to_owned())))?;
        Ok(sheet)
    }

    /// Goes on with a file that was begun elsewhere.
    pub fn go_on(to: W) -> Self {
        let writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .quote_style(csv::QuoteStyle::NonNumeric)
            .from_writer(to);
        Self { writer }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> io::Result<()> {
        let written = cells.into_iter().map(|cell| match cell {
            Cell::Text(text) => harmless(&text),
            Cell::Number(number) => number,
        });
        self.writer.write_record(written).map_err(io::Error::other)
    }

    /// What was written to, after everything is.
    ///
    /// # Errors
    /// When the rest cannot be written.
    pub fn end(self) -> io::Result<W> {
        self.writer
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))
    }

    /// Writes what is held back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A text with an apostrophe before every sign that would begin a formula: at its own beginning, and behind what separates
/// cells in another country.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    if text.starts_with(['\t', '\r', '\n']) {
        out.push('\'');
    }
    // A cell begins here, but for quotes and spaces.
    let mut begins = true;
    for letter in text.chars() {
        if begins && FORMULAS.contains(&letter) {
            // An apostrophe makes text only as the first sign of the cell.
            let cell = out.rfind(SEPARATORS).map_or(0, |at| at + 1);
            out.insert(cell, '\'');
        }
        begins = SEPARATORS.contains(&letter)
            || (begins && (letter.is_whitespace() || matches!(letter, '"' | '\'')));
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_like_formulas_are_made_harmless() {
        for bad in [
            "=1+1", "+1", "-1", "@sum", "\t=1", " =1", "\"=1", "\r=1", "＝1", "－1", "＋1", "＠x",
        ] {
            assert!(harmless(bad).starts_with('\''), "{bad:?}");
        }
        assert_eq!(harmless("a;=1;b, -2"), "a;'=1;b,' -2");
        for good in ["P-9E71", "259.07", "", "a = b", "2026-11-25", "don't"] {
            assert_eq!(harmless(good), good);
        }
    }

    #[test]
    fn texts_are_quoted_and_numbers_can_be_summed() {
        let mut sheet = Sheet::begin(Vec::new(), &["name", "amount"]).unwrap();
        sheet
            .row([
                Cell::Text("a;b,c \"d\"".to_owned()),
                Cell::Number("-2.50".to_owned()),
            ])
            .unwrap();
        let written = String::from_utf8(sheet.end().unwrap()).unwrap();
        assert_eq!(
            written,
            "\u{feff}\"name\",\"amount\"\r\n\"a;b,c \"\"d\"\"\",-2.50\r\n"
        );
    }
}
