//! Reads a bank's or provider's file: CSV with named columns, or camt.053 (ISO 20022). Nothing of it is kept. What a file may do to
//! a reader is refused: document types and their entities, numbers that do not fit, rows without end.

use std::borrow::Cow;

use domain::money::Currency;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Rows of a file.
pub const ROWS_MAX: usize = 10_000;
/// Bytes of a file.
pub const BYTES_MAX: usize = 4 * 1024 * 1024;
/// How deep elements of a statement are nested; camt.053 has fewer.
const DEPTH_MAX: usize = 32;

/// One movement of a file; the amount in signed minor units of its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// As it stands in the file, from 1.
    pub line: usize,
    pub date: String,
    pub amount_minor: i64,
    pub currency: Currency,
    /// Everything that may name the other side.
    pub reference: String,
}

/// Names of a CSV file's columns.
#[derive(Debug, Clone)]
pub struct Columns {
    pub date: String,
    pub amount: String,
    pub currency: String,
    pub reference: String,
}

/// Why a file cannot be read; the line is where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    #[error("a file has at most {ROWS_MAX} rows")]
    TooManyRows,
    #[error("the file has no column `{0}`")]
    NoColumn(String),
    #[error("line {0} cannot be read")]
    Unreadable(usize),
    #[error("line {0} has no amount that can be read")]
    Amount(usize),
    #[error("line {0} names an unknown currency")]
    Currency(usize),
    #[error("a document type is not allowed in the file")]
    DocumentType,
    #[error("the file holds no movements")]
    Empty,
}

/// The letters of a file: UTF-8, UTF-16 with its mark, or Latin-1, as banks and spreadsheets write them.
///
/// # Errors
/// [`FileFault::Unreadable`] for what is no text, such as a workbook or a picture.
pub fn letters(bytes: &[u8]) -> Result<Cow<'_, str>, FileFault> {
    let unit = match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    let text = match (unit, std::str::from_utf8(bytes)) {
        (Some(unit), _) => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|pair| unit([pair[0], pair[1]]))
                .collect();
            Cow::Owned(String::from_utf16(&units).map_err(|_| FileFault::Unreadable(1))?)
        }
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    };
    if text.contains('\0') {
        return Err(FileFault::Unreadable(1));
    }
    Ok(text)
}

/// Reads XML where the file begins with `<`, else CSV.
///
/// # Errors
/// The first fault, with its line.
pub fn read(text: &str, columns: &Columns) -> Result<Vec<FileRow>, FileFault> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(FileFault::Empty);
    }
    let rows = if text.trim_start().starts_with('<') {
        of_camt(text.trim_start())?
    } else {
        of_csv(text, columns)?
    };
    if rows.is_empty() {
        return Err(FileFault::Empty);
    }
    Ok(rows)
}

fn of_csv(text: &str, columns: &Columns) -> Result<Vec<FileRow>, FileFault> {
    let mut lines = text.lines();
    let first = lines.find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |mark: &u8| first.matches(char::from(*mark)).count();
    // Of two that are as frequent the last: a comma is the usual one.
    let delimiter = *b"|\t;,".iter().max_by_key(|mark| count(mark)).unwrap_or(&b',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|_| FileFault::Unreadable(1))?.clone();
    let place = |name: &String| {
        let found = headers
            .iter()
            .position(|header| header.trim().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| FileFault::NoColumn(name.clone()))
    };
    let (date, amount) = (place(&columns.date)?, place(&columns.amount)?);
    let (currency, reference) = (place(&columns.currency)?, place(&columns.reference)?);
    let mut rows = Vec::new();
    for record in reader.records() {
        if rows.len() >= ROWS_MAX {
            return Err(FileFault::TooManyRows);
        }
        let record = record.map_err(|error| FileFault::Unreadable(line_of(error.position())))?;
        let line = line_of(record.position());
        let cell = |place: usize| clean(record.get(place).unwrap_or_default());
        let currency = Currency::from_code(&cell(currency)).ok_or(FileFault::Currency(line))?;
        rows.push(FileRow {
            line,
            date: cell(date),
            amount_minor: minor(&cell(amount), currency).ok_or(FileFault::Amount(line))?,
            currency,
            reference: cell(reference),
        });
    }
    Ok(rows)
}

/// Where a record begins; cells may hold line breaks.
fn line_of(place: Option<&csv::Position>) -> usize {
    place.map_or(1, |place| usize::try_from(place.line()).unwrap_or(usize::MAX))
}

/// A cell without the mark that keeps a spreadsheet from running it.
fn clean(cell: &str) -> String {
    cell.trim().trim_start_matches('\'').chars().take(500).collect()
}

/// `1,036.27`, `1.036,27`, `1'036.27`, `-259.07`, `259.07-`, `(259.07)`, `12000`: the last point or comma with at most the currency's
/// decimals after it is the decimal point. What else stands between digits parts them into groups, or the amount is refused: `1036.270`
/// is no million.
fn minor(text: &str, currency: Currency) -> Option<i64> {
    let text = text.replace([' ', '\u{a0}', '\u{202f}', '\'', '’'], "");
    let negative = text
        .strip_prefix(['-', '\u{2212}'])
        .or_else(|| text.strip_suffix('-'))
        .or_else(|| text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')));
    let (sign, size) = match negative {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let decimals = usize::try_from(currency.decimals()).ok()?;
    let (whole, fraction) = match size.rfind(['.', ',']) {
        Some(at) if size.len() - at - 1 <= decimals => (&size[..at], &size[at + 1..]),
        _ => (size, ""),
    };
    let point = size[whole.len()..].chars().next();
    let whole = ungrouped(whole, point)?;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 13 || !is_number(&whole) || !is_number(fraction) {
        return None;
    }
    let minor: i64 = format!("{whole}{fraction:0<decimals$}").parse().ok()?;
    Some(sign * minor)
}

/// Digits without the one mark that parts them into groups: of three, or as in `1,00,000` of two before the last.
fn ungrouped(whole: &str, point: Option<char>) -> Option<String> {
    let Some(mark) = whole.chars().find(|sign| matches!(sign, '.' | ',')) else {
        return Some(whole.to_owned());
    };
    let groups: Vec<&str> = whole.split(mark).collect();
    let (last, before) = groups.split_last()?;
    let is_grouped = last.len() == 3
        && before.iter().all(|group| (1..=3).contains(&group.len()))
        && before.iter().skip(1).all(|group| group.len() >= 2)
        && point != Some(mark);
    is_grouped.then(|| groups.concat())
}

/// What is gathered of an entry.
#[derive(Default)]
struct Entry {
    amount: Option<(String, String)>,
    is_debit: bool,
    date: String,
    reference: Vec<String>,
}

fn of_camt(text: &str) -> Result<Vec<FileRow>, FileFault> {
    let mut reader = Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let (mut entry, mut currency, mut rows) = (None::<Entry>, String::new(), Vec::new());
    loop {
        let line = rows.len() + 1;
        let event = reader.read_event().map_err(|_| FileFault::Unreadable(line))?;
        match event {
            Event::DocType(_) => return Err(FileFault::DocumentType),
            Event::Eof => {
                return if path.is_empty() {
                    Ok(rows)
                } else {
                    Err(FileFault::Unreadable(line))
                };
            }
            Event::Start(start) => {
                let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
                if name == "Ntry" {
                    entry = Some(Entry::default());
                }
                if name == "Amt" {
                    let given = start.try_get_attribute("Ccy").ok().flatten();
                    currency = given
                        .map(|given| String::from_utf8_lossy(&given.value).into_owned())
                        .unwrap_or_default();
                }
                path.push(name);
                if path.len() > DEPTH_MAX {
                    return Err(FileFault::Unreadable(line));
                }
            }
            Event::Text(words) => {
                if let Some(entry) = &mut entry {
                    let words = words.decode().map_err(|_| FileFault::Unreadable(line))?;
                    gather(entry, &path, words.trim(), &currency);
                }
            }
            Event::End(end) => {
                if end.local_name().as_ref() == b"Ntry"
                    && let Some(done) = entry.take()
                {
                    if rows.len() >= ROWS_MAX {
                        return Err(FileFault::TooManyRows);
                    }
                    rows.push(row(done, line)?);
                }
                path.pop();
            }
            Event::CData(words) => {
                if let Some(entry) = &mut entry {
                    let words = words.decode().map_err(|_| FileFault::Unreadable(line))?;
                    gather(entry, &path, words.trim(), &currency);
                }
            }
            // An amount is written in digits; elsewhere entities are passed over, which a document may define itself.
            Event::GeneralRef(_) if path.last().is_some_and(|name| name == "Amt") => {
                return Err(FileFault::Amount(line));
            }
            _ => {}
        }
    }
}

fn gather(entry: &mut Entry, path: &[String], words: &str, currency: &str) {
    let place: Vec<&str> = path.iter().rev().take(2).map(String::as_str).collect();
    match place[..] {
        // A comment may part it.
        ["Amt", "Ntry"] => match &mut entry.amount {
            Some((amount, _)) => amount.push_str(words),
            None => entry.amount = Some((words.to_owned(), currency.to_owned())),
        },
        ["CdtDbtInd", "Ntry"] => entry.is_debit = words == "DBIT",
        ["Dt" | "DtTm", "BookgDt"] => words.clone_into(&mut entry.date),
        [
            "NtryRef" | "AcctSvcrRef" | "EndToEndId" | "Ustrd" | "AddtlNtryInf" | "Ref" | "TxId",
            _,
        ] => {
            entry.reference.push(words.chars().take(500).collect());
        }
        _ => {}
    }
}

fn row(entry: Entry, line: usize) -> Result<FileRow, FileFault> {
    let (amount, code) = entry.amount.ok_or(FileFault::Amount(line))?;
    let currency = Currency::from_code(&code).ok_or(FileFault::Currency(line))?;
    let size = minor(&amount, currency).ok_or(FileFault::Amount(line))?;
    Ok(FileRow {
        line,
        date: entry.date,
        amount_minor: if entry.is_debit { -size } else { size },
        currency,
        reference: entry.reference.join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Columns {
        Columns {
            date: "Date".to_owned(),
            amount: "Amount".to_owned(),
            currency: "Currency".to_owned(),
            reference: "Text".to_owned(),
        }
    }

    #[test]
    fn csv_reads_either_decimal_mark_and_escaped_cells() {
        let text = "Date;Amount;Currency;Text\n2026-11-26;1.036,27;gbp;'=po_1\n2026-11-26;-12;JPY;re_1\n";
        let rows = read(text, &columns()).unwrap();
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.amount_minor, row.reference.as_str()))
            .collect();
        assert_eq!(told, [(103_627, "=po_1"), (-12, "re_1")]);
    }

    #[test]
    fn amount_is_read_in_each_dialect_or_refused() {
        for (text, expected) in [
            ("1'036.27", Some(103_627)),
            ("1 036,27", Some(103_627)),
            ("259.07-", Some(-25_907)),
            ("(259.07)", Some(-25_907)),
            ("1.234.567", Some(123_456_700)),
            ("1,00,000.5", Some(10_000_050)),
            ("1036.270", None),
            ("12.3456", None),
            ("1,2,3.4", None),
            ("1.036.27", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(minor(text, Currency::Gbp), expected, "{text}");
        }
    }

    #[test]
    fn csv_is_read_with_tabs_in_other_letters_and_by_line() {
        let tabs = "Date\tAmount\tCurrency\tText\n2026-11-26\t12\tGBP\t\"Miete\nM\u{fc}ller\"\n2026-11-26\tx\tGBP\tb\n";
        assert_eq!(read(tabs, &columns()), Err(FileFault::Amount(4)));
        let good = tabs.replace("\tx\t", "\t5\t");
        let latin: Vec<u8> = good
            .chars()
            .map(|sign| u8::try_from(u32::from(sign)).unwrap())
            .collect();
        let wide: Vec<u8> = format!("\u{feff}{good}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let rows = read(&good, &columns()).unwrap();
        for file in [latin, wide] {
            let text = letters(&file).unwrap();
            assert_eq!(read(&text, &columns()).unwrap(), rows);
        }
        assert_eq!(letters(b"PK\x03\x04\0\0\xff"), Err(FileFault::Unreadable(1)));
    }

    #[test]
    fn huge_numbers_and_missing_columns_are_refused() {
        let huge = format!("Date,Amount,Currency,Text\n2026-11-26,{},GBP,x\n", "9".repeat(40));
        assert_eq!(read(&huge, &columns()), Err(FileFault::Amount(2)));
        assert_eq!(
            read("Date,Amount,Text\n", &columns()),
            Err(FileFault::NoColumn("Currency".to_owned()))
        );
        assert_eq!(
            read("Date,Amount,Currency,Text\n", &columns()),
            Err(FileFault::Empty)
        );
    }

    #[test]
    fn camt_entries_are_read_and_document_types_refused() {
        let entry = "<Ntry><Amt Ccy=\"GBP\">254.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-26</Dt></BookgDt>\
            <NtryDtls><TxDtls><RmtInf><Ustrd>po_1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>";
        let text = format!(
            "<?xml version=\"1.0\"?><Document><BkToCstmrStmt><Stmt>{entry}</Stmt></BkToCstmrStmt></Document>"
        );
        let rows = read(&text, &columns()).unwrap();
        assert_eq!(
            (
                rows[0].amount_minor,
                rows[0].reference.as_str(),
                rows[0].date.as_str()
            ),
            (25_499, "po_1", "2026-11-26")
        );
        let parted = text.replace("254.99", "25<!-- -->4.99");
        assert_eq!(read(&parted, &columns()).unwrap()[0].amount_minor, 25_499);
        let entity = text.replace("254.99", "25&#52;.99");
        assert_eq!(read(&entity, &columns()), Err(FileFault::Amount(1)));
        let bomb = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><Document/>";
        assert_eq!(read(bomb, &columns()), Err(FileFault::DocumentType));
        assert!(matches!(
            read("<Document><Stmt>", &columns()),
            Err(FileFault::Unreadable(_))
        ));
    }
}
