//! The list of rejected rows.

use std::fs::File;
use std::path::{Path, PathBuf};

use platform::sheet::{Cell, Sheet};

use super::{Rejections, RowError};

/// Written as rows are rejected, so that a cut-off import leaves what it knew.
pub(super) struct Report {
    path: PathBuf,
    sheet: Sheet<File>,
}

impl Report {
    pub(super) fn create(path: &Path) -> Result<Self, String> {
        let sheet = File::create(path).and_then(|file| Sheet::begin(file, &["line", "column", "reason"]));
        Ok(Self {
            path: path.to_owned(),
            sheet: sheet.map_err(|error| unwritten(path, &error))?,
        })
    }

    pub(super) fn finish(&mut self) -> Result<(), String> {
        self.sheet.flush().map_err(|error| unwritten(&self.path, &error))
    }
}

impl Rejections for Report {
    fn reject(&mut self, error: &RowError) -> Result<(), String> {
        let cells = [
            Cell::Number(error.line.to_string()),
            Cell::Text(error.column.clone()),
            Cell::Text(error.reason.clone()),
        ];
        self.sheet
            .row(cells)
            .map_err(|error| unwritten(&self.path, &error))
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> String {
    format!("the report `{}`: {error}", path.display())
}
