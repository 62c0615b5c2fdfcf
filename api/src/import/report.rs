//! The list of rejected rows: a CSV that a spreadsheet opens without running anything.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::{Rejections, RowError};

/// Written as rows are rejected, so that a cut-off import leaves what it knew.
pub(super) struct Report {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl Report {
    pub(super) fn create(path: &Path) -> Result<Self, String> {
        let mut writer = csv::Writer::from_path(path)
            .map_err(|error| format!("the report `{}`: {error}", path.display()))?;
        writer
            .write_record(["line", "column", "reason"])
            .map_err(|error| error.to_string())?;
        Ok(Self {
            path: path.to_owned(),
            writer,
        })
    }

    pub(super) fn finish(&mut self) -> Result<(), String> {
        self.writer
            .flush()
            .map_err(|error| format!("the report `{}`: {error}", self.path.display()))
    }
}

impl Rejections for Report {
    fn reject(&mut self, error: &RowError) -> Result<(), String> {
        let line = error.line.to_string();
        self.writer
            .write_record([line.as_str(), &harmless(&error.column), &harmless(&error.reason)])
            .map_err(|error| format!("the report `{}`: {error}", self.path.display()))
    }
}

/// A text that begins like a formula is shown as text.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_is_made_text() {
        assert_eq!(harmless("=1+1"), "'=1+1");
        assert_eq!(harmless("price"), "price");
    }
}
