//! Reads statements of banks and reports of providers: CSV, camt.052, .053 and .054 (ISO 20022), MT940 (SWIFT), each by its own
//! standard's rules; then compares them with payouts. Nothing is guessed: what is not understood is handed out with its reason. What a
//! file may do to a reader is refused: document types and their entities, numbers that do not fit, rows without end.

use std::borrow::Cow;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

pub use domain::typed_number::DecimalSign;
pub use tabular::day::DayOrder;

mod camt;
mod columns;
pub mod compare;
mod currency;
mod id_marks;
mod mt940;
mod reference;
mod table;
mod words;
mod xml;

pub use currency::Unit;

/// Rows of a file.
pub const ROWS_MAX: usize = 10_000;
/// Bytes of a file.
pub const BYTES_MAX: usize = 4 * 1024 * 1024;
/// Signs that are shown of an account's number.
const ACCOUNT_SHOWN: usize = 4;
/// Letters that are kept of a row's words.
const WORDS_MAX: usize = 2_000;
/// The largest amount in minor units: browsers read numbers up to it exactly.
const MINOR_MAX: i64 = 9_007_199_254_740_991;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    Csv,
    Camt,
    Mt940,
}

impl Form {
    /// As the answer names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Camt => "camt",
            Self::Mt940 => "mt940",
        }
    }
}

/// Whose account a file is of: a payout brings money to the bank's, and takes it from the provider's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountOf {
    Bank,
    Provider,
}

/// Whether the money of an entry is in the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Booked,
    /// Announced; it may still fail.
    Pending,
    /// Told for information alone.
    Informational,
}

/// One movement of an account; the amount in signed minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The line of CSV and MT940, the number of the entry in camt; from 1.
    pub line: usize,
    pub day: NaiveDate,
    pub amount_minor: i64,
    pub unit: Unit,
    pub status: Status,
    /// Everything that may name the other side.
    pub reference: String,
}

/// Why a row is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Account data, a heading or a total around the table: not a movement.
    Heading,
    Day,
    /// Also of a row with more cells than the row with the names: which of them is the amount cannot be told.
    NoAmount,
    TooFine,
    OtherSign,
    Currency,
    /// Neither debit nor credit, or both.
    Direction,
    OpenQuote,
    Status,
}

impl Reason {
    /// As the answer names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Day => "day",
            Self::NoAmount => "amount",
            Self::TooFine => "too_fine",
            Self::OtherSign => "other_sign",
            Self::Currency => "currency",
            Self::Direction => "direction",
            Self::OpenQuote => "open_quote",
            Self::Status => "status",
        }
    }
}

/// A row that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRead {
    pub line: usize,
    /// As it is written.
    pub text: String,
    pub reason: Reason,
}

/// For which days of which account a statement is complete: a payout can be missing there alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    pub currency: String,
    pub first: NaiveDate,
    pub last: NaiveDate,
}

/// Why a file does not say for which days and currency it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Uncovered {
    /// A notification (camt.054) lists some entries, never all.
    Notification,
    /// One page of several.
    Page,
    Period,
    Currency,
    /// A report (camt.052) of a day that was not over when it was written.
    UnderWay,
}

impl Uncovered {
    /// As the answer names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Notification => "notification",
            Self::Page => "page",
            Self::Period => "period",
            Self::Currency => "currency",
            Self::UnderWay => "under_way",
        }
    }
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub form: Form,
    /// The last four signs of the first account's number, where the file names one.
    pub account_end: Option<String>,
    /// Rows that are movements; a batch is one of them and several entries.
    pub rows: usize,
    pub entries: Vec<Entry>,
    pub not_read: Vec<NotRead>,
    pub covered: Vec<Covered>,
    /// Of what is not covered.
    pub uncovered: Option<Uncovered>,
    /// As a person said it; `None` where the entries decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_of: Option<AccountOf>,
}

/// What a person says of a file that does not say it itself.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// Names of the columns of CSV.
    pub columns: Columns,
    /// The account's currency, for rows that name none.
    pub currency: Option<domain::money::Currency>,
    pub decimal: Option<DecimalSign>,
    pub order: Option<DayOrder>,
    /// For CSV whose signs do not say it.
    pub account_of: Option<AccountOf>,
}

/// Names of a CSV file's columns; `None` for the usual names.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    pub date: Option<String>,
    pub amount: Option<String>,
    pub paid_in: Option<String>,
    pub paid_out: Option<String>,
    /// Says `D` or `C`, `Af` or `Bij`, beside an amount without a sign.
    pub sign: Option<String>,
    pub currency: Option<String>,
    pub reference: Option<String>,
}

/// Why a file is not read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("a file has at most {ROWS_MAX} rows")]
    TooManyRows,
    #[error("the file has no column `{0}`")]
    NoColumn(String),
    #[error("the columns `{0}` and `{1}` say different directions")]
    TwoDirections(String, String),
    #[error("no row and no column names a currency")]
    NoCurrency,
    #[error("line {0} cannot be read")]
    Unreadable(usize),
    #[error("the amount `{text}` of line {line} can be read in two ways")]
    DoubtfulAmount { line: usize, text: String },
    #[error("the day `{text}` of line {line} can be read in two ways")]
    DoubtfulDay { line: usize, text: String },
    #[error("the days of lines {} and {} are written in two orders: `{}` and `{}`", .0.0, .1.0, .0.1, .1.1)]
    TwoOrders((usize, String), (usize, String)),
    #[error(
        "line {0} takes out what a payout brings: the file is of the bank with a returned payout, or of the provider"
    )]
    DoubtfulAccount(usize),
    #[error("no row is understood; line {}: {}", .0.line, .0.reason.name())]
    NothingUnderstood(NotRead),
    #[error("a document type is not allowed in the file")]
    DocumentType,
    #[error("the file holds no movements")]
    Empty,
}

/// What Windows-1252 writes where Latin-1 has signs that control a printer, from 0x80 on; its five gaps stay.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The letters of a file: UTF-8, UTF-16 with its mark, or Latin-1 in the form of Windows, as banks and spreadsheets write them.
///
/// # Errors
/// [`Fault::Unreadable`] for what is no text, such as a workbook or a picture.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
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
            Cow::Owned(String::from_utf16(&units).map_err(|_| Fault::Unreadable(1))?)
        }
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => Cow::Owned(bytes.iter().map(|byte| windows_letter(*byte)).collect()),
    };
    if text.contains('\0') {
        return Err(Fault::Unreadable(1));
    }
    Ok(text)
}

fn windows_letter(byte: u8) -> char {
    let own = byte
        .checked_sub(0x80)
        .and_then(|at| WINDOWS.chars().nth(at.into()));
    own.unwrap_or_else(|| char::from(byte))
}

/// Reads a file of whichever form it is. `today` decides which years of two digits there can be.
///
/// # Errors
/// Why nothing of it is read. A row that is not understood is no fault while others are.
pub fn read_statement(text: &str, choices: &Choices, today: NaiveDate) -> Result<Statement, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let statement = if text.trim_start().starts_with('<') {
        camt::read(text.trim_start())?
    } else if mt940::is_mt940(text) {
        mt940::read(text)?
    } else {
        table::read(text, choices, today)?
    };
    if statement.entries.is_empty() {
        let odd = statement
            .not_read
            .iter()
            .find(|row| row.reason != Reason::Heading);
        if let Some(odd) = odd {
            return Err(Fault::NothingUnderstood(odd.clone()));
        }
        if statement.covered.is_empty() {
            return Err(Fault::Empty);
        }
    }
    Ok(statement)
}

/// The last four letters and digits of an account's number.
fn cut_account(number: &str) -> Option<String> {
    let signs: Vec<char> = number.chars().filter(char::is_ascii_alphanumeric).collect();
    let start = signs.len().checked_sub(ACCOUNT_SHOWN)?;
    Some(signs[start..].iter().collect())
}

/// At most so many letters of a row's words.
fn cut_words(words: &str) -> String {
    words.chars().take(WORDS_MAX).collect()
}

/// Puts an entry or its reason into a statement.
///
/// # Errors
/// When there are too many.
fn take(statement: &mut Statement, entries: Result<Vec<Entry>, NotRead>) -> Result<(), Fault> {
    match entries {
        Ok(entries) => {
            statement.rows += 1;
            statement.entries.extend(entries);
        }
        Err(row) => statement.not_read.push(row),
    }
    if statement.entries.len().max(statement.rows) + statement.not_read.len() > ROWS_MAX {
        return Err(Fault::TooManyRows);
    }
    Ok(())
}

/// An amount that browsers read exactly.
fn within_bounds(minor: i64) -> Option<i64> {
    (-MINOR_MAX..=MINOR_MAX).contains(&minor).then_some(minor)
}
