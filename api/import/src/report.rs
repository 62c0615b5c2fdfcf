//! Lists what became of the rows of a file, in CSV, as they are read: an import that is cut off leaves what it knew.

use std::fs::File;
use std::path::{Path, PathBuf};

use feeds::{Fault, VALUE_SHOWN, Verdict, cut_letters};
use platform::sheet::{Cell, Sheet};

/// Why a row of a file of places was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    pub line: u64,
    pub column: String,
    pub reason: String,
}

/// Where rejected rows of a file of places go.
pub trait Rejections {
    /// Takes one down.
    ///
    /// # Errors
    /// One sentence when it cannot be kept.
    fn reject(&mut self, error: &RowError) -> Result<(), String>;
}

impl Rejections for Vec<RowError> {
    fn reject(&mut self, error: &RowError) -> Result<(), String> {
        self.push(error.clone());
        Ok(())
    }
}

/// One line of the report of a feed: the outcome of a home, or something that is to be said of one of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLine {
    pub line: u64,
    /// The home's id in its feed; empty where the row says none.
    pub home: String,
    /// One of the words of docs/import.md.
    pub outcome: &'static str,
    /// The column, or the path in a nested record.
    pub path: String,
    pub value: String,
    /// The fault of the value, and the right way to say it.
    pub reason: String,
}

/// Where the lines of a feed's report go.
pub trait ReportLines {
    /// Takes one down.
    ///
    /// # Errors
    /// One sentence when it cannot be kept.
    fn tell(&mut self, line: &ReportLine) -> Result<(), String>;

    /// Looks whether the next home of the feed is to be taken in.
    ///
    /// # Errors
    /// One sentence that says why not.
    fn may_go_on(&self) -> Result<(), String> {
        Ok(())
    }
}

impl ReportLines for Vec<ReportLine> {
    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        self.push(line.clone());
        Ok(())
    }
}

/// Something to be said of a row that is taken all the same.
pub(crate) fn note(line: u64, path: &str, value: &str, reason: impl Into<String>) -> Fault {
    Fault {
        line,
        path: path.to_owned(),
        value: cut_letters(value, VALUE_SHOWN),
        reason: reason.into(),
        verdict: Verdict::Warned,
    }
}

/// Columns of the report of a file of places.
pub(super) const ROW_COLUMNS: [&str; 3] = ["line", "column", "reason"];
/// Columns of the report of a feed.
pub(super) const HOME_COLUMNS: [&str; 6] = ["line", "home", "outcome", "path", "value", "reason"];

/// A report as a file.
pub(super) struct Report {
    path: PathBuf,
    sheet: Sheet<File>,
}

impl Report {
    pub(super) fn create(path: &Path, columns: &[&str]) -> Result<Self, String> {
        let sheet = File::create(path).and_then(|file| Sheet::begin(file, columns));
        Ok(Self {
            path: path.to_owned(),
            sheet: sheet.map_err(|error| unwritten(path, &error))?,
        })
    }

    pub(super) fn finish(&mut self) -> Result<(), String> {
        self.sheet.flush().map_err(|error| unwritten(&self.path, &error))
    }

    fn row(&mut self, line: u64, texts: &[&str]) -> Result<(), String> {
        let texts = texts.iter().map(|text| Cell::Text((*text).to_owned()));
        self.sheet
            .row([Cell::Number(line.to_string())].into_iter().chain(texts))
            .map_err(|error| unwritten(&self.path, &error))
    }
}

impl Rejections for Report {
    fn reject(&mut self, error: &RowError) -> Result<(), String> {
        self.row(error.line, &[error.column.as_str(), error.reason.as_str()])
    }
}

impl ReportLines for Report {
    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        self.sheet
            .row(list_cells(line))
            .map_err(|error| unwritten(&self.path, &error))
    }
}

/// The cells of a line, as [`HOME_COLUMNS`] names them.
pub(super) fn list_cells(line: &ReportLine) -> impl Iterator<Item = Cell> {
    let texts = [
        line.home.as_str(),
        line.outcome,
        line.path.as_str(),
        line.value.as_str(),
        line.reason.as_str(),
    ];
    let texts = texts.map(|text| Cell::Text(text.to_owned()));
    [Cell::Number(line.line.to_string())].into_iter().chain(texts)
}

fn unwritten(path: &Path, error: &std::io::Error) -> String {
    format!("the report `{}`: {error}", path.display())
}
