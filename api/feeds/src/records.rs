//! Records of a feed, one at a time, whatever its format. A broken record is handed on as such and the next one is read.

use crate::node::Node;
use crate::source::{Format, Opened};

mod json;
mod sheet;
mod xml;

pub(crate) use json::find_lists;
pub(crate) use sheet::Sheet;
pub(crate) use xml::find_elements;

/// A record, or what is wrong with it as a whole.
#[derive(Debug)]
pub(crate) struct Record {
    /// The line it begins on.
    pub line: u64,
    pub node: Result<Node, String>,
}

/// No more records are taken.
#[derive(Debug)]
pub struct Stopped;

/// Takes records.
pub(crate) type Take<'t> = dyn FnMut(Record) -> Result<(), Stopped> + 't;

/// Hands every record to `take`; gives the columns of a sheet.
///
/// # Errors
/// One sentence when the file as a whole cannot be read on.
pub(crate) fn read_records(
    opened: Opened<'_>,
    list: &[String],
    sheet: &Sheet<'_>,
    take: &mut Take<'_>,
) -> Result<Vec<String>, String> {
    match opened.format {
        Format::Csv => sheet::read(opened.text, sheet, take),
        Format::Json => json::read_document(opened.text, list, take).map(|()| Vec::new()),
        Format::JsonLines => json::read_lines(opened.text, list, take).map(|()| Vec::new()),
        Format::Xml => xml::read(opened.text, list, take).map(|()| Vec::new()),
    }
}

/// The names of a list's path: `branches[].properties[]` is `branches`, `properties`.
pub(crate) fn split_list(list: &str) -> Vec<String> {
    list.split('.')
        .map(|name| name.trim().trim_end_matches("[]").trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_path_is_read_with_or_without_brackets() {
        assert_eq!(split_list("branches[].properties[]"), ["branches", "properties"]);
        assert_eq!(split_list("itemListElement[].item"), ["itemListElement", "item"]);
        assert!(split_list("").is_empty());
    }
}
