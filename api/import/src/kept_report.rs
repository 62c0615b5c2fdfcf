//! A report that the workspace can download: kept as text, within a bound.

use platform::sheet::Sheet;

use crate::report::{HOME_COLUMNS, ReportLine, ReportLines, list_cells};

/// Bytes of a report that is kept; a file with more to say is read with `latchkey import --dry-run`.
const REPORT_MAX: usize = 4 * 1024 * 1024;

/// A report that is kept for the workspace.
pub(crate) struct KeptReport {
    sheet: Sheet<Vec<u8>>,
    bytes: usize,
}

impl KeptReport {
    pub(crate) fn begin() -> Result<Self, String> {
        let sheet = Sheet::begin(Vec::new(), &HOME_COLUMNS).map_err(|error| error.to_string())?;
        Ok(Self { sheet, bytes: 0 })
    }

    pub(crate) fn end(self) -> Result<String, String> {
        let bytes = self.sheet.end().map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }

    fn write(&mut self, line: &ReportLine) -> Result<(), String> {
        let row = self.sheet.row(list_cells(line));
        row.map_err(|error| error.to_string())
    }
}

impl ReportLines for KeptReport {
    fn tell(&mut self, line: &ReportLine) -> Result<(), String> {
        if self.bytes > REPORT_MAX {
            return Ok(());
        }
        self.bytes += line.home.len() + line.path.len() + line.value.len() + line.reason.len() + 40;
        if self.bytes > REPORT_MAX {
            return self.write(&ReportLine {
                line: line.line,
                outcome: "cut",
                reason: "the report is longer: `latchkey import` with the same file or address, map and --dry-run lists the rest"
                    .to_owned(),
                home: String::new(),
                path: String::new(),
                value: String::new(),
            });
        }
        self.write(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_report_is_cut_with_a_word() {
        let line = ReportLine {
            line: 2,
            home: "h-1".to_owned(),
            outcome: "rejected",
            path: "price".to_owned(),
            value: "1.250".to_owned(),
            reason: "x".repeat(1_000),
        };
        let mut report = KeptReport::begin().unwrap();
        for _ in 0..5_000 {
            report.tell(&line).unwrap();
        }
        let text = report.end().unwrap();
        assert!(text.len() < REPORT_MAX + 100_000, "{}", text.len());
        assert!(text.contains("\"h-1\",\"rejected\",\"price\"") && text.contains("--dry-run"));
    }
}
