//! Opens a feed as text: finds its encoding and its format, and bounds what one record may hold.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use serde::de::IgnoredAny;

/// A feed that can be read several times: its columns are looked at before its first row is taken.
pub trait Source {
    /// Reads it from its beginning.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self) -> io::Result<Box<dyn Read + '_>>;
}

impl Source for PathBuf {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(File::open(self)?))
    }
}

impl Source for Vec<u8> {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(&self[..]))
    }
}

/// How a feed is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    /// One document with a list in it.
    Json,
    /// An object on each line.
    JsonLines,
    Xml,
}

/// Bytes that one record may have: more is no home.
pub(crate) const RECORD_MAX: u64 = 8 * 1024 * 1024;
/// Bytes in which an XML declaration names its encoding.
const DECLARATION_MAX: usize = 200;

/// A feed as UTF-8, with its format.
pub(crate) struct Opened<'s> {
    pub format: Format,
    pub text: Counted<Box<dyn BufRead + 's>>,
}

/// Opens a feed. A byte-order mark decides the encoding, then `encoding`, then the XML declaration, then the zero bytes that UTF-16
/// has and UTF-8 has not. Bytes that are no letters become U+FFFD, which every reader of a value refuses.
pub(crate) fn open_source<'s>(
    source: &'s dyn Source,
    encoding: Option<&'static Encoding>,
) -> Result<Opened<'s>, String> {
    let open = || open_text(source, encoding).map_err(|error| describe_io(&error));
    let mut text = open()?;
    let mut format = sniff_format(&mut text).map_err(|error| describe_io(&error))?;
    if format == Format::Json {
        if is_by_line(&mut text).map_err(|error| describe_io(&error))? {
            format = Format::JsonLines;
        }
        // From its beginning again.
        text = open()?;
    }
    Ok(Opened { format, text })
}

fn open_text<'s>(
    source: &'s dyn Source,
    encoding: Option<&'static Encoding>,
) -> io::Result<Counted<Box<dyn BufRead + 's>>> {
    let mut bytes = BufReader::new(source.open()?);
    let begins = bytes.fill_buf()?;
    let seen = match begins {
        [0, letter, ..] if *letter != 0 => Some(UTF_16BE),
        [letter, 0, ..] if *letter != 0 => Some(UTF_16LE),
        _ => find_declared(begins),
    };
    let decoded = DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding.or(seen).unwrap_or(UTF_8)))
        .bom_override(true)
        .strip_bom(true)
        .utf8_passthru(false)
        .build(bytes);
    let inner: Box<dyn BufRead + 's> = Box::new(BufReader::new(decoded));
    Ok(Counted {
        inner,
        progress: Rc::default(),
    })
}

/// Whether the first line is a whole object and another object follows it.
fn is_by_line(text: &mut impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    let most = usize::try_from(RECORD_MAX).unwrap_or(usize::MAX);
    if read_bounded_line(text, most, &mut line)? != Some(false) {
        return Ok(false);
    }
    let is_object = line.first() == Some(&b'{') && serde_json::from_slice::<IgnoredAny>(&line).is_ok();
    if !is_object {
        return Ok(false);
    }
    loop {
        let first = text.fill_buf()?.first().copied();
        match first {
            Some(byte) if byte.is_ascii_whitespace() => text.consume(1),
            first => return Ok(first == Some(b'{')),
        }
    }
}

/// The encoding of `<?xml version="1.0" encoding="iso-8859-15"?>`. A declaration that can be read as bytes is not in UTF-16.
fn find_declared(begins: &[u8]) -> Option<&'static Encoding> {
    let begins = &begins[..begins.len().min(DECLARATION_MAX)];
    let text = String::from_utf8_lossy(begins);
    let declaration = text.trim_start().strip_prefix("<?xml")?.split_once("?>")?.0;
    let behind = declaration.split_once("encoding")?.1.trim_start();
    let label = behind.strip_prefix('=')?.trim().trim_matches(['"', '\'']);
    let label = label.split(['"', '\'']).next()?;
    Encoding::for_label(label.as_bytes()).filter(|found| *found != UTF_16LE && *found != UTF_16BE)
}

/// The format by the first letter; spaces before it are taken away.
fn sniff_format(text: &mut Counted<Box<dyn BufRead + '_>>) -> io::Result<Format> {
    loop {
        let (blanks, first) = {
            let begins = text.fill_buf()?;
            let blanks = begins
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            (blanks, begins.get(blanks).copied())
        };
        // Lines of CSV keep their numbers: only formats with brackets lose blanks.
        match first {
            Some(b'<') => {
                text.consume(blanks);
                return Ok(Format::Xml);
            }
            Some(b'{' | b'[') => {
                text.consume(blanks);
                return Ok(Format::Json);
            }
            None if blanks > 0 => text.consume(blanks),
            _ => return Ok(Format::Csv),
        }
    }
}

/// How far a reader is, and how much one record has taken.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    lines: Cell<u64>,
    taken: Cell<u64>,
    is_bounded: Cell<bool>,
}

impl Progress {
    /// The number of the line that is being read.
    pub(crate) fn line(&self) -> u64 {
        self.lines.get() + 1
    }

    /// From here on at most [`RECORD_MAX`] bytes are read until the next call.
    pub(crate) fn begin_record(&self) {
        self.taken.set(0);
        self.is_bounded.set(true);
    }

    fn count(&self, bytes: &[u8]) {
        let lines = bytes.split(|byte| *byte == b'\n').count() - 1;
        self.lines.set(self.lines.get() + lines as u64);
        self.taken.set(self.taken.get() + bytes.len() as u64);
    }

    fn check(&self) -> io::Result<()> {
        if self.is_bounded.get() && self.taken.get() > RECORD_MAX {
            return Err(io::Error::other("a record is larger than 8 MiB"));
        }
        Ok(())
    }
}

/// Counts lines and bytes on their way to a parser.
pub(crate) struct Counted<R> {
    inner: R,
    progress: Rc<Progress>,
}

impl<R> Counted<R> {
    pub(crate) fn progress(&self) -> Rc<Progress> {
        Rc::clone(&self.progress)
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.check()?;
        let read = self.inner.read(buffer)?;
        self.progress.count(&buffer[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.progress.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Ok(buffered) = self.inner.fill_buf() {
            self.progress.count(&buffered[..amount.min(buffered.len())]);
        }
        self.inner.consume(amount);
    }
}

/// Reads one line of at most `most` bytes, without its end; `None` at the end of the file. The flag says that the line was longer,
/// and its rest is passed over.
pub(crate) fn read_bounded_line(
    feed: &mut impl BufRead,
    most: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    let (mut is_longer, mut is_begun) = (false, false);
    loop {
        let (taken, ends) = {
            let buffered = feed.fill_buf()?;
            if buffered.is_empty() {
                return Ok(is_begun.then_some(is_longer));
            }
            let end = buffered.iter().position(|byte| *byte == b'\n');
            let part = &buffered[..end.unwrap_or(buffered.len())];
            if line.len() + part.len() > most {
                is_longer = true;
            } else {
                line.extend_from_slice(part);
            }
            (end.map_or(buffered.len(), |at| at + 1), end.is_some())
        };
        is_begun = true;
        feed.consume(taken);
        if ends {
            return Ok(Some(is_longer));
        }
    }
}

pub(crate) fn describe_io(error: &dyn std::error::Error) -> String {
    format!("the file cannot be read on: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(bytes: &[u8]) -> (Format, String) {
        let source = bytes.to_vec();
        let mut opened = open_source(&source, None).unwrap();
        let mut text = String::new();
        opened.text.read_to_string(&mut text).unwrap();
        (opened.format, text)
    }

    #[test]
    fn encodings_and_formats_show_themselves() {
        let utf16: Vec<u8> = "\u{feff}Straße;Ort"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(open(&utf16), (Format::Csv, "Straße;Ort".to_owned()));
        assert_eq!(open(&utf16[2..]).1, "Straße;Ort");
        assert_eq!(open(b"\xef\xbb\xbf [1]"), (Format::Json, " [1]".to_owned()));
        let (format, text) = open(b"<?xml version='1.0' encoding='iso-8859-15'?><p>\xa4</p>");
        assert!(format == Format::Xml && text.ends_with("<p>€</p>"), "{text}");
        assert_eq!(open(b"name\nM\xfcller").1, "name\nM\u{fffd}ller");
        assert_eq!(open(b""), (Format::Csv, String::new()));
        assert_eq!(open(b"{\"a\": 1}\n\n{\"a\": 2}\n").0, Format::JsonLines);
        assert_eq!(open(b"{\"a\": [\n{\"b\": 2}\n]}\n").0, Format::Json);
        assert_eq!(open(b"{\"a\": 1}").0, Format::Json);
    }

    #[test]
    fn long_lines_are_passed_over() {
        let text = format!("ab\n{}\ncd", "x".repeat(100_000));
        let (mut feed, mut line, mut seen) = (text.as_bytes(), Vec::new(), Vec::new());
        while let Some(is_longer) = read_bounded_line(&mut feed, 10, &mut line).unwrap() {
            seen.push((is_longer, line.len()));
        }
        assert_eq!(
            (seen[0], seen[1].0, seen[2], seen.len()),
            ((false, 2), true, (false, 2), 3)
        );
    }
}
