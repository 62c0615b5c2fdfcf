//! Rows of CSV as records by the names of the header.

use std::io::BufRead;

use tabular::rows::{Line, Lines, Misshapen, SEPARATORS, Shape, read_record, separator_line};

use super::{Record, Take};
use crate::node::{NAMES_MAX, Node, is_same_name};

/// The header is one of the first lines: sheets have titles above it.
const HEADER_LINES: usize = 10;
/// Stands for letters that were lost.
const LOST: char = '\u{fffd}';

/// How the rows of a sheet are read.
pub(crate) struct Sheet<'m> {
    pub separator: Option<char>,
    /// Whether a name of a column is one that the reader looks for.
    pub is_wanted: &'m dyn Fn(&str) -> bool,
    /// Columns whose empty cells repeat the cell above, until the first of them is filled again.
    pub fill_down: &'m [String],
    /// Columns with the beginnings of cells in rows that are no homes: sums, headings.
    pub skip: Vec<(&'m str, &'m [String])>,
}

struct Header {
    separator: u8,
    names: Vec<String>,
}

/// Hands every row to `take`; gives the names of the columns. Blank rows are no records.
pub(super) fn read(
    feed: impl BufRead,
    sheet: &Sheet<'_>,
    take: &mut Take<'_>,
) -> Result<Vec<String>, String> {
    let mut lines = Lines::new(feed);
    let header = find_header(&mut lines, sheet)?;
    let shape = Shape {
        separator: header.separator,
        width: header.names.len(),
    };
    let mut filled = Filled::new(&header.names, sheet.fill_down)?;
    while let Some(first) = lines.read_line()? {
        let line = first.number;
        let Some(cut) = shape.cut_row(first, &mut lines)? else {
            continue;
        };
        let node = match cut {
            Ok(record) => match read_cells(&record, &header.names, sheet, &mut filled) {
                Some(node) => Ok(node),
                None => continue,
            },
            Err(Misshapen::Width(record)) if record.iter().all(<[u8]>::is_empty) => continue,
            Err(Misshapen::Width(record)) => Err(format!(
                "the row has {} cells and the header {}: a cell that holds the separator is written between quotes",
                record.len(),
                header.names.len()
            )),
            Err(Misshapen::OpenQuote) => Err(
                "a quote opens a cell of this row and is not closed within 100 lines: a quote inside a quoted cell is written twice"
                    .to_owned(),
            ),
        };
        if take(Record { line, node }).is_err() {
            break;
        }
    }
    Ok(header.names)
}

/// The cells of a row by their names, without the empty ones; `None` for a row that is no record.
fn read_cells(
    record: &csv::ByteRecord,
    names: &[String],
    sheet: &Sheet<'_>,
    filled: &mut Filled,
) -> Option<Node> {
    let mut cells: Vec<String> = record
        .iter()
        .map(|cell| String::from_utf8_lossy(cell).trim().to_owned())
        .collect();
    if cells.iter().all(String::is_empty) {
        return None;
    }
    let is_skipped = sheet.skip.iter().any(|(column, beginnings)| {
        let place = names.iter().position(|name| is_same_name(name, column));
        let cell = place.and_then(|place| cells.get(place));
        cell.is_some_and(|cell| beginnings.iter().any(|begins| cell.starts_with(begins.as_str())))
    });
    if is_skipped {
        return None;
    }
    filled.fill(&mut cells);
    let entries = names.iter().zip(cells);
    Some(Node::Map(
        entries
            .filter(|(name, cell)| !name.is_empty() && !cell.is_empty())
            .map(|(name, cell)| (name.clone(), Node::Text(cell)))
            .collect(),
    ))
}

/// The last cells of columns that are filled down.
struct Filled {
    places: Vec<usize>,
    last: Vec<String>,
}

impl Filled {
    fn new(names: &[String], fill_down: &[String]) -> Result<Self, String> {
        let place = |column: &String| {
            let found = names.iter().position(|name| is_same_name(name, column));
            found.ok_or_else(|| format!("the file has no column `{column}` (the map's `fill_down`)"))
        };
        let places = fill_down
            .iter()
            .map(place)
            .collect::<Result<Vec<usize>, String>>()?;
        let last = vec![String::new(); places.len()];
        Ok(Self { places, last })
    }

    /// A row that fills the first of the columns begins anew; another one repeats what it leaves empty.
    fn fill(&mut self, cells: &mut [String]) {
        let begins = self.places.first().and_then(|place| cells.get(*place));
        let begins = begins.is_some_and(|cell| !cell.is_empty());
        for (place, last) in self.places.iter().zip(&mut self.last) {
            let Some(cell) = cells.get_mut(*place) else {
                continue;
            };
            if begins || !cell.is_empty() {
                last.clone_from(cell);
            } else {
                cell.clone_from(last);
            }
        }
    }
}

/// The line that names most of the wanted columns, and its separator; of equal ones the first. Lines behind it are rows again.
fn find_header(lines: &mut Lines<impl BufRead>, sheet: &Sheet<'_>) -> Result<Header, String> {
    let (mut held, mut said) = (Vec::<Line>::new(), None);
    while held.len() < HEADER_LINES {
        let Some(line) = lines.read_line()? else {
            break;
        };
        let text = String::from_utf8_lossy(&line.bytes);
        let text = text.trim_matches(['\r', '\n']);
        match separator_line(text) {
            Some(separator) if held.is_empty() => said = Some(separator),
            _ if text.trim().is_empty() && held.is_empty() => {}
            _ => held.push(line),
        }
    }
    let separators = match sheet.separator.or(said) {
        Some(separator) => vec![separator],
        None => SEPARATORS.to_vec(),
    };
    let mut best: Option<((usize, usize), usize, Header)> = None;
    for separator in separators {
        let separator = u8::try_from(separator).map_err(|_| {
            format!("the separator `{separator}` cannot be used: one letter of ASCII separates cells")
        })?;
        for (place, line) in held.iter().enumerate() {
            let names = read_names(line, separator)?;
            let wanted = names.iter().filter(|name| (sheet.is_wanted)(name)).count();
            // Without a wanted name the first line is the header, cut by what cuts it most.
            let cut = if place == 0 { names.len() } else { 0 };
            let score = (wanted, cut);
            if best.as_ref().is_none_or(|(most, _, _)| score > *most) {
                best = Some((score, place, Header { separator, names }));
            }
        }
    }
    let Some((_, place, header)) = best else {
        return Err("the file has no first line with the names of columns".to_owned());
    };
    if let Some(name) = header.names.iter().find(|name| name.contains(LOST)) {
        return Err(format!(
            "the column `{name}` is not UTF-8: write encoding = \"windows-1252\", or what it is, into the map"
        ));
    }
    if header.names.len() > NAMES_MAX {
        return Err(format!("the header names more than {NAMES_MAX} columns"));
    }
    let is_twice = |name: &&String| {
        header
            .names
            .iter()
            .filter(|other| is_same_name(name, other))
            .count()
            > 1
    };
    let wanted = header.names.iter().filter(|name| (sheet.is_wanted)(name));
    if let Some(name) = wanted.filter(|name| !name.is_empty()).find(is_twice) {
        return Err(format!("the header names the column `{name}` twice"));
    }
    lines.put_back(held.split_off(place + 1));
    Ok(header)
}

fn read_names(line: &Line, separator: u8) -> Result<Vec<String>, String> {
    let record = read_record(&line.bytes, separator)?.unwrap_or_default();
    let name = |cell: &[u8]| String::from_utf8_lossy(cell).trim().to_owned();
    Ok(record.iter().take(NAMES_MAX + 1).map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Stopped;

    /// Each row as `line: name=cell …`, or with its error.
    fn read_all(text: &str, fill_down: &[&str], skip: &[&str]) -> Vec<String> {
        let fill_down: Vec<String> = fill_down.iter().map(|name| (*name).to_owned()).collect();
        let skip: Vec<String> = skip.iter().map(|name| (*name).to_owned()).collect();
        let sheet = Sheet {
            separator: None,
            is_wanted: &|name: &str| ["id", "city", "price"].contains(&name),
            fill_down: &fill_down,
            skip: vec![("city", &skip[..])],
        };
        let mut rows = Vec::new();
        let mut take = |record: Record| -> Result<(), Stopped> {
            let said = match record.node {
                Ok(Node::Map(entries)) => show_cells(&entries),
                Ok(other) => format!("{other:?}"),
                Err(reason) => reason,
            };
            rows.push(format!("{}: {said}", record.line));
            Ok(())
        };
        read(text.as_bytes(), &sheet, &mut take).unwrap();
        rows
    }

    fn show_cells(entries: &[(String, Node)]) -> String {
        let cell = |(name, value): &(String, Node)| {
            let text = value.as_scalar().map_or("", |scalar| scalar.text);
            format!("{name}={text}")
        };
        entries.iter().map(cell).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn header_is_found_below_a_title() {
        let text = "Homes;;\r\nid;city;price\r\n1;Leeds;5\r\n;;\r\n2;Bath;6\r\n";
        let rows = read_all(text, &[], &[]);
        assert_eq!(rows, ["3: id=1 city=Leeds price=5", "5: id=2 city=Bath price=6"]);
    }

    #[test]
    fn merged_cells_are_filled_down_and_sums_are_no_rows() {
        let text = "id,city,price\nA,Leeds,1\n,,2\n,Sum Leeds,3\nB,,4\n,,5\n";
        let rows = read_all(text, &["id", "city"], &["Sum"]);
        assert_eq!(
            rows,
            [
                "2: id=A city=Leeds price=1",
                "3: id=A city=Leeds price=2",
                "5: id=B price=4",
                "6: id=B price=5"
            ]
        );
    }

    #[test]
    fn wanted_column_is_named_once() {
        let sheet = Sheet {
            separator: None,
            is_wanted: &|name: &str| name == "id",
            fill_down: &[],
            skip: Vec::new(),
        };
        let mut take = |_: Record| -> Result<(), Stopped> { Ok(()) };
        let error = read("id,id,x,x\n1,2,3,4\n".as_bytes(), &sheet, &mut take).unwrap_err();
        assert_eq!(error, "the header names the column `id` twice");
    }

    #[test]
    fn short_row_is_rejected_alone() {
        let rows = read_all("id,city,price\n1,Leeds\n2,Bath,6\n", &[], &[]);
        assert!(rows[0].contains("2 cells"), "{rows:?}");
        assert_eq!(rows[1], "3: id=2 city=Bath price=6");
    }
}
