//! Rows of CSV by the fields of the map.

use std::io::BufRead;

use tabular::rows::{Line, Lines, Misshapen, SEPARATORS, Shape, read_record, separator_line};

use super::{Cell, Cells, Columns, Row, Stopped, by_field, same_name, wrong};
use crate::RowError;
use crate::map::{Map, REQUIRED};

/// Hands every row to `take`, and gives the columns of the first line. Blank lines are no rows.
pub(super) fn read(
    feed: impl BufRead,
    map: &Map,
    mut take: impl FnMut(Row) -> Result<(), Stopped>,
) -> Result<Columns, String> {
    let mut lines = Lines::new(feed);
    let head = Head::read(&mut lines, map)?;
    let mut columns = Columns::before(map);
    head.names.iter().for_each(|name| columns.note(name, map, true));
    while let Some(first) = lines.read_line()? {
        let Some(row) = head.row(first, &mut lines, map)? else {
            continue;
        };
        if take(row).is_err() {
            break;
        }
    }
    Ok(columns)
}

/// What the first line says.
struct Head {
    separator: u8,
    /// The columns' names, as they are compared.
    names: Vec<String>,
}

impl Head {
    fn read(lines: &mut Lines<impl BufRead>, map: &Map) -> Result<Self, String> {
        let mut said = None;
        let first = loop {
            let Some(line) = lines.read_line()? else {
                return Err("the file has no first line with the names of columns".to_owned());
            };
            let text = std::str::from_utf8(&line.bytes).map_err(|_| {
                format!(
                    "line {} is not UTF-8: write encoding = \"windows-1252\", or what it is, into the map",
                    line.number
                )
            })?;
            let text = text.trim_matches(['\r', '\n']);
            if let Some(separator) = separator_line(text) {
                said = Some(separator);
            } else if !text.trim().is_empty() {
                break text.to_owned();
            }
        };
        let fields = |separator: char| {
            let names = names(&first, separator);
            let known = |field: &&&str| names.contains(&same_name(map.column(field)));
            super::FIELDS.iter().filter(known).count()
        };
        // Of equally many the first: `max_by_key` takes the last.
        let likeliest = || {
            SEPARATORS
                .into_iter()
                .rev()
                .max_by_key(|separator| fields(*separator))
        };
        let separator = map.separator.or(said).or_else(likeliest).unwrap_or(',');
        let head = Self {
            separator: u8::try_from(separator).map_err(|_| {
                format!("the separator `{separator}` cannot be used: one letter of ASCII separates cells")
            })?,
            names: names(&first, separator),
        };
        head.checked(map)
    }

    fn checked(self, map: &Map) -> Result<Self, String> {
        // A field that the map names a column for is wanted, as much as one that every listing needs.
        let wanted = |field: &&&str| REQUIRED.contains(field) || map.columns.contains_key(**field);
        let missing: Vec<String> = super::FIELDS
            .iter()
            .filter(wanted)
            .filter(|field| self.place(field, map).is_none())
            .map(|field| match map.column(field) {
                column if column == *field => format!("`{field}`"),
                column => format!("`{column}` (the map's `{field}`)"),
            })
            .collect();
        if !missing.is_empty() {
            let names = self.names.join(", ");
            return Err(format!(
                "the first line has no column {}; it has: {names}",
                missing.join(", no column ")
            ));
        }
        let twice = super::FIELDS
            .into_iter()
            .map(|field| map.column(field))
            .find(|column| {
                let wanted = same_name(column);
                self.names.iter().filter(|name| **name == wanted).count() > 1
            });
        match twice {
            Some(column) => Err(format!("the first line names the column `{column}` twice")),
            None => Ok(self),
        }
    }

    /// Which cell of a row holds a field.
    fn place(&self, field: &str, map: &Map) -> Option<usize> {
        let wanted = same_name(map.column(field));
        self.names.iter().position(|name| *name == wanted)
    }

    /// The row that begins with a line; `None` for a blank line.
    fn row(&self, first: Line, lines: &mut Lines<impl BufRead>, map: &Map) -> Result<Option<Row>, String> {
        let line = first.number;
        let shape = Shape {
            separator: self.separator,
            width: self.names.len(),
        };
        let Some(cut) = shape.cut_row(first, lines)? else {
            return Ok(None);
        };
        let cells = match cut {
            Ok(record) => self.cells(line, map, &record),
            Err(Misshapen::Width(record)) => {
                let (cells, names) = (record.len(), self.names.len());
                let reason = format!("the row has {cells} cells, the first line {names}");
                Err(wrong(line, "", reason))
            }
            Err(Misshapen::OpenQuote) => {
                let reason = "a quote opens a cell of this row and is not closed within 100 lines: a quote inside a quoted cell is written twice";
                Err(wrong(line, "", reason.to_owned()))
            }
        };
        Ok(Some(Row { line, cells }))
    }

    fn cells(&self, line: u64, map: &Map, record: &csv::ByteRecord) -> Result<Cells, Vec<RowError>> {
        if record.iter().all(<[u8]>::is_empty) {
            return Err(wrong(line, "", "all cells of the row are empty".to_owned()));
        }
        by_field(line, map, |field| {
            let bytes = record.get(self.place(field, map)?)?;
            let text = std::str::from_utf8(bytes).map_err(|_| "the cell is not UTF-8");
            Some(text.map(Cell::text))
        })
    }
}

fn names(line: &str, separator: char) -> Vec<String> {
    let separator = u8::try_from(separator).unwrap_or(b',');
    let record = read_record(line.as_bytes(), separator)
        .ok()
        .flatten()
        .unwrap_or_default();
    record
        .iter()
        .map(|name| same_name(&String::from_utf8_lossy(name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";

    /// Each row's line with its name, or with what is wrong.
    fn rows(feed: &[u8]) -> Result<Vec<(u64, String)>, String> {
        let mut rows = Vec::new();
        super::super::read(feed, crate::Format::Csv, &Map::default(), |row| {
            let told = match row.cells {
                Ok(cells) => cells["name"].text.clone(),
                Err(reasons) => format!("! {}", reasons[0].reason),
            };
            rows.push((row.line, told));
            Ok(())
        })?;
        Ok(rows)
    }

    fn line(name: &str) -> String {
        format!("1,{name},GB,Leeds,53.8,-1.5,50,GBP,night,private")
    }

    #[test]
    fn a_quote_that_is_not_closed_takes_no_other_row_with_it() {
        let feed = [
            HEAD,
            &line("\"Flat"),
            &line("\"a \"\"b\"\",\nc\""),
            &line("\"Flat \"x\" y\""),
            &line("d"),
            &line("\"e"),
        ];
        let told = rows(feed.join("\n").as_bytes()).unwrap();
        let lines: Vec<u64> = told.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 5, 6, 7]);
        assert_eq!(told[1].1, "a \"b\",\nc");
        assert_eq!(told[3].1, "d");
        for bad in [0, 2, 4] {
            assert!(told[bad].1.starts_with("! a quote opens"), "{told:?}");
        }
    }

    /// The first quote is told with its line, and the rows between the two are read.
    #[test]
    fn two_stray_quotes_take_no_rows_with_them() {
        for between in [&["b", "c"][..], &[]] {
            let lines = [HEAD.to_owned(), line("\"a")];
            let inner = between.iter().map(|name| line(name));
            let feed: Vec<String> = lines.into_iter().chain(inner).chain([line("d\"")]).collect();
            let told = rows(feed.join("\n").as_bytes()).unwrap();
            assert_eq!(told.len(), between.len() + 2, "{told:?}");
            assert!(told[0].1.starts_with("! a quote opens"), "{told:?}");
            let names: Vec<&str> = told[1..].iter().map(|(_, name)| name.as_str()).collect();
            assert_eq!(names, [between, &["d\""]].concat());
        }
    }

    #[test]
    fn separators_ends_of_lines_and_encodings_are_seen() {
        let plain = format!("{HEAD}\n{}\n\n{}\n", line("a"), line("Zu\u{308}rich"));
        let wanted = Ok(vec![(2, "a".to_owned()), (4, "Zürich".to_owned())]);
        let wide = |encode: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            let units = format!("{mark}{plain}").encode_utf16().collect::<Vec<_>>();
            units.into_iter().flat_map(encode).collect()
        };
        for feed in [
            plain.clone().into_bytes(),
            plain.replace('\n', "\r\n").into_bytes(),
            plain.replace('\n', "\r").into_bytes(),
            plain.replace(',', ";").into_bytes(),
            plain.replace(',', "\t").into_bytes(),
            plain.replace("id,name", "ID, Name ").into_bytes(),
            format!("\u{feff}{plain}").into_bytes(),
            wide(u16::to_le_bytes, "\u{feff}"),
            wide(u16::to_be_bytes, "\u{feff}"),
            wide(u16::to_le_bytes, ""),
        ] {
            assert_eq!(rows(&feed), wanted, "{}", String::from_utf8_lossy(&feed));
        }
        let told = rows(format!("sep=|\n{plain}").replace(',', "|").as_bytes()).unwrap();
        assert_eq!(told[0], (3, "a".to_owned()));
    }

    #[test]
    fn a_missing_column_is_named_once_and_stops_the_import() {
        let feed = format!("{}\n{}\n", HEAD.replace("price,", "rent,"), line("a"));
        let said = rows(feed.as_bytes()).unwrap_err();
        assert!(
            said.starts_with("the first line has no column `price`; it has: id, name,"),
            "{said}"
        );
        assert!(rows(b"").is_err());
    }
}
