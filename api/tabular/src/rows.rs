//! Rows of CSV. The lines of a row are found here, since an unclosed quote must not take other rows with it; the
//! cells are read by the crate `csv`.

use std::collections::VecDeque;
use std::io::BufRead;

/// What cells may be separated by, the likeliest first.
pub const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];
/// A row longer than this, in bytes, has an unclosed quote.
const ROW_MAX: usize = 1024 * 1024;
/// A row of more lines has one as well. Each line may open a quote, and all of them are looked at anew for each.
const ROW_LINES_MAX: usize = 100;

/// One line with its end, and its number.
#[derive(Debug)]
pub struct Line {
    pub number: u64,
    pub bytes: Vec<u8>,
}

/// Lines of a file; `\n`, `\r\n` and a lone `\r` end one.
pub struct Lines<R> {
    feed: R,
    read: u64,
    /// Lines that were taken for part of a row, and are rows of their own.
    again: VecDeque<Line>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a file.
    pub const fn new(feed: R) -> Self {
        Self {
            feed,
            read: 0,
            again: VecDeque::new(),
        }
    }

    /// The next line; `None` after the last.
    ///
    /// # Errors
    /// When the file cannot be read on, or a line is too long for CSV.
    pub fn read_line(&mut self) -> Result<Option<Line>, String> {
        if let Some(line) = self.again.pop_front() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let number = self.read + 1;
        loop {
            let buffered = self.feed.fill_buf().map_err(|error| unread(&error))?;
            if buffered.is_empty() {
                break;
            }
            let end = buffered.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let taken = end.map_or(buffered.len(), |at| at + 1);
            let begins_two = end.is_some_and(|at| buffered[at] == b'\r');
            bytes.extend_from_slice(&buffered[..taken]);
            self.feed.consume(taken);
            if bytes.len() > ROW_MAX {
                return Err(format!("line {number} is longer than 1 MiB: the file is no CSV"));
            }
            if begins_two {
                let next = self.feed.fill_buf().map_err(|error| unread(&error))?;
                if next.first() == Some(&b'\n') {
                    bytes.push(b'\n');
                    self.feed.consume(1);
                }
            }
            if end.is_some() {
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.read = number;
        Ok(Some(Line { number, bytes }))
    }

    /// Hands lines out again, in this order, before the next one of the file.
    pub fn put_back(&mut self, lines: Vec<Line>) {
        for line in lines.into_iter().rev() {
            self.again.push_front(line);
        }
    }
}

/// How the rows of a file are cut.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub separator: u8,
    /// How many cells the row with the columns' names has.
    pub width: usize,
}

/// A row that could not be cut as the row with the columns' names is.
#[derive(Debug)]
pub enum Misshapen {
    /// One line with more or fewer cells.
    Width(csv::ByteRecord),
    /// A quote opens a cell and is not closed within a hundred lines.
    OpenQuote,
}

impl Shape {
    /// Cuts the row that begins with a line; `None` for a blank line. Lines behind an unclosed quote are handed out again.
    ///
    /// # Errors
    /// When the file cannot be read on.
    pub fn cut_row(
        self,
        first: Line,
        lines: &mut Lines<impl BufRead>,
    ) -> Result<Option<Result<csv::ByteRecord, Misshapen>>, String> {
        let mut held = vec![first];
        let mut bytes = Vec::new();
        let mut place = Place::CellBegins;
        let mut at = 0;
        let closed = loop {
            let next = &held[at].bytes;
            bytes.extend_from_slice(next);
            place = match place.after(next, self.separator) {
                Some(place) => place,
                None => break false,
            };
            if place != Place::Quoted {
                break true;
            }
            if bytes.len() > ROW_MAX || held.len() == ROW_LINES_MAX {
                break false;
            }
            match lines.read_line()? {
                Some(next) => held.push(next),
                None => break false,
            }
            at += 1;
        };
        let record = closed.then(|| read_record(&bytes, self.separator)).transpose()?;
        let spans_lines = held.len() > 1;
        let row = match record {
            Some(None) => return Ok(None),
            Some(Some(record)) if record.len() == self.width && !self.holds_rows(&held)? => {
                return Ok(Some(Ok(record)));
            }
            // One line too long or too short is that; several are held together by a quote that belongs to none.
            Some(Some(record)) if !spans_lines => Misshapen::Width(record),
            _ => Misshapen::OpenQuote,
        };
        lines.put_back(held.split_off(1));
        Ok(Some(Err(row)))
    }

    /// Whether the lines of one row are rows of their own: two stray quotes hold them together. A text of several lines has rarely
    /// as many separators in one of them as the first line of the file.
    fn holds_rows(&self, lines: &[Line]) -> Result<bool, String> {
        let [first, between @ .., last] = lines else {
            return Ok(false);
        };
        for line in between {
            let alone = read_record(&line.bytes, self.separator)?;
            if alone.is_some_and(|cells| cells.len() == self.width) {
                return Ok(true);
            }
        }
        let separators = |line: &Line| {
            let separators = line.bytes.iter().filter(|byte| **byte == self.separator);
            separators.count() + 1
        };
        Ok([first, last]
            .into_iter()
            .all(|line| separators(line) >= self.width))
    }
}

/// The separator that a line of its own tells spreadsheets: `sep=;`.
pub fn separator_line(text: &str) -> Option<char> {
    let plain = text.trim_matches('"');
    let (key, value) = plain.split_at_checked(4)?;
    let mut letters = value.chars();
    let separator = letters.next()?;
    (key.eq_ignore_ascii_case("sep=") && letters.all(char::is_whitespace)).then_some(separator)
}

/// The cells of one row; `None` for a blank line.
///
/// # Errors
/// When the bytes cannot be read.
pub fn read_record(bytes: &[u8], separator: u8) -> Result<Option<csv::ByteRecord>, String> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .buffer_capacity(bytes.len().max(1))
        .from_reader(bytes)
        .byte_records()
        .next()
        .transpose()
        .map_err(|error| unread(&error))
}

/// Where in a row a byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    CellBegins,
    Bare,
    Quoted,
    /// Behind a quote inside a quoted cell: its end, or the first half of a quote that is text.
    Quote,
    /// In the spaces behind a quoted cell.
    Behind,
}

impl Place {
    /// Where the row is after more bytes; `None` where a quoted cell goes on behind its end (RFC 4180).
    fn after(self, bytes: &[u8], separator: u8) -> Option<Self> {
        bytes.iter().try_fold(self, |place, byte| match (place, *byte) {
            (Self::Quoted, b'"') => Some(Self::Quote),
            (Self::Quoted, _) | (Self::Quote | Self::CellBegins, b'"') => Some(Self::Quoted),
            (_, byte) if byte == separator || matches!(byte, b'\r' | b'\n') => Some(Self::CellBegins),
            (Self::CellBegins | Self::Bare, _) => Some(Self::Bare),
            (Self::Quote | Self::Behind, b' ') => Some(Self::Behind),
            (Self::Quote | Self::Behind, _) => None,
        })
    }
}

fn unread(error: &dyn std::error::Error) -> String {
    format!("the file cannot be read on: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of cells of each row with its line; 0 for an unclosed quote. Then how many lines are held at most.
    fn cut(text: &str) -> (Vec<(u64, usize)>, usize) {
        let shape = Shape {
            separator: b',',
            width: 2,
        };
        let mut lines = Lines::new(text.as_bytes());
        let (mut told, mut held) = (Vec::new(), 0);
        while let Some(line) = lines.read_line().unwrap() {
            let number = line.number;
            match shape.cut_row(line, &mut lines).unwrap() {
                None => {}
                Some(Ok(record) | Err(Misshapen::Width(record))) => told.push((number, record.len())),
                Some(Err(Misshapen::OpenQuote)) => told.push((number, 0)),
            }
            held = held.max(lines.again.len());
        }
        (told, held)
    }

    #[test]
    fn cell_spans_at_most_a_hundred_lines() {
        let cell = |lines: usize| format!("a,\"{}end\"\nb,c\n", "x\n".repeat(lines - 1));
        assert_eq!(cut(&cell(100)).0, [(1, 2), (101, 2)]);
        let (told, held) = cut(&cell(101));
        assert_eq!((told[0], told[1], held), ((1, 0), (2, 1), 99));
        assert_eq!(told.last(), Some(&(102, 2)));
    }

    /// Each line is looked at for the hundred before it, not for all.
    #[test]
    fn quote_in_every_line_looks_ahead_a_hundred_lines() {
        let (told, held) = cut(&"a\",\"b\n".repeat(1_000));
        assert_eq!((told.len(), held), (1_000, 99));
        assert!(told.iter().all(|(_, cells)| *cells == 0), "{told:?}");
    }
}
