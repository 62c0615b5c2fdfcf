//! Reads CSV of banks: the row with the columns' names is sought below account data, totals around the table are set aside, amounts are
//! read by the rule of the feed (decision 0033), days in the one order that reads the whole column.

use chrono::NaiveDate;
use domain::typed_number::NumberDoubt;
use tabular::amount::read_signed_amount;
use tabular::day::{Column, DayOrder, find_order, read_day};
use tabular::rows::{Line, Lines, Misshapen, SEPARATORS, Shape, read_record, separator_line};

use crate::columns::{Amounts, Places};
use crate::words::{is_total, is_total_alone, read_status};
use crate::{
    Choices, Columns, Covered, Entry, Fault, Form, NotRead, Reason, Statement, Status, Uncovered, Unit,
    cut_words, take, within_bounds,
};

mod direction;

use direction::Directions;

/// Lines of account data above the table.
const LINES_ABOVE: usize = 100;

/// A row as it is cut.
struct Row {
    line: usize,
    /// As it is written.
    text: String,
    cells: Result<Vec<String>, Reason>,
    /// It has more cells than the row with the names: a separator stands in a text, and the amount is not where its name is.
    is_wide: bool,
    /// Words of the lines below it that have neither day nor amount.
    more: String,
}

impl Row {
    /// Whether it is a balance or a total and no movement, though it may have a day and an amount.
    fn is_total(&self, places: &Places) -> bool {
        let Ok(cells) = &self.cells else { return false };
        let cells = cells.iter().enumerate();
        let words = cells.filter(|(place, cell)| {
            let is_other = places.is_taken(*place) || places.types.contains(place);
            !is_other && cell.chars().any(char::is_alphabetic)
        });
        let words: Vec<&str> = words.map(|(_, cell)| cell.as_str()).collect();
        is_total_alone(&format!("{} {}", words.join(" "), self.more))
    }
}

/// Reads a file.
///
/// # Errors
/// For a file without its columns, and for amounts and days that can be read in two ways.
pub(crate) fn read(text: &str, choices: &Choices, today: NaiveDate) -> Result<Statement, Fault> {
    let mut head = Head::find(text, &choices.columns)?;
    let rows = head.rows(text)?;
    let directions = Directions::find(&head.places, &head.names, &rows)?;
    head.places.sign = directions.sign;
    let places = &head.places;
    if places.currency.is_none() && places.unit.is_none() && choices.currency.is_none() {
        return Err(Fault::NoCurrency);
    }
    let order = choose_order(&rows, places, choices.order, today)?;
    let mut statement = Statement {
        form: Form::Csv,
        account_end: None,
        rows: 0,
        entries: Vec::new(),
        not_read: head.above,
        covered: Vec::new(),
        uncovered: None,
        account_of: choices.account_of,
    };
    let reader = RowReader {
        places,
        directions,
        date_name: &head.names[places.date],
        choices,
        order,
        today,
    };
    for row in rows {
        let entry = match &row.cells {
            Ok(cells) => reader.read(&row, cells)?,
            Err(reason) => Err(*reason),
        };
        let not_read = |reason| NotRead {
            line: row.line,
            text: cut_words(&row.text),
            reason,
        };
        take(&mut statement, entry.map(|entry| vec![entry]).map_err(not_read))?;
    }
    set_coverage(&mut statement, choices);
    Ok(statement)
}

fn has_digit(text: &str) -> bool {
    text.contains(|sign: char| sign.is_ascii_digit())
}

/// The account's currency, or those of the rows, from the first to the last day of what the file has booked.
fn set_coverage(statement: &mut Statement, choices: &Choices) {
    let booked = || {
        let entries = statement.entries.iter();
        entries.filter(|entry| entry.status == Status::Booked)
    };
    let days = || booked().map(|entry| entry.day);
    let (Some(first), Some(last)) = (days().min(), days().max()) else {
        statement.uncovered = Some(Uncovered::Period);
        return;
    };
    let mut currencies: Vec<&str> = match choices.currency {
        Some(account) => vec![account.code()],
        None => booked().map(|entry| entry.unit.code).collect(),
    };
    currencies.sort_unstable();
    currencies.dedup();
    let covered = currencies.into_iter().map(|currency| Covered {
        currency: currency.to_owned(),
        first,
        last,
    });
    statement.covered = covered.collect();
}

/// The row with the columns' names.
struct Head {
    line: u64,
    shape: Shape,
    places: Places,
    names: Vec<String>,
    /// Account data above it.
    above: Vec<NotRead>,
}

impl Head {
    fn find(text: &str, columns: &Columns) -> Result<Self, Fault> {
        let mut lines = Lines::new(text.as_bytes());
        let mut separators = SEPARATORS.to_vec();
        let mut above = Vec::new();
        // What the best row lacks: a row that has one more column than another one.
        let mut missing: Option<String> = None;
        for _ in 0..LINES_ABOVE {
            let Some(line) = next_line(&mut lines)? else { break };
            let written = line_text(&line);
            if let Some(separator) = separator_line(&written) {
                separators = vec![separator];
                continue;
            }
            for separator in &separators {
                let Some((shape, names)) = cut_names(&line, *separator) else {
                    continue;
                };
                match Places::find(&names, columns) {
                    Ok(places) => {
                        return Ok(Self {
                            line: line.number,
                            shape,
                            names,
                            places,
                            above,
                        });
                    }
                    Err(lacks) => {
                        let is_first = columns.date.as_deref().map_or("Date", str::trim) == lacks;
                        if missing.is_none() || !is_first {
                            missing = Some(lacks);
                        }
                    }
                }
            }
            if !written.trim().is_empty() {
                above.push(NotRead {
                    line: line_number(&line),
                    text: cut_words(&written),
                    reason: Reason::Heading,
                });
            }
        }
        Err(missing.map_or(Fault::Empty, Fault::NoColumn))
    }

    /// Whether a row goes on with the words of the one above it.
    fn continues(&self, cells: &[String]) -> bool {
        let has_day = cells.get(self.places.date).is_some_and(|cell| !cell.is_empty());
        !has_day && find_amounts(&self.places, cells).is_empty() && !is_total(cells)
    }

    /// The rows below the names.
    fn rows(&self, text: &str) -> Result<Vec<Row>, Fault> {
        let mut lines = Lines::new(text.as_bytes());
        let mut rows: Vec<Row> = Vec::new();
        while let Some(line) = next_line(&mut lines)? {
            if line.number <= self.line {
                continue;
            }
            let (number, text) = (line_number(&line), line_text(&line));
            let cut = self.shape.cut_row(line, &mut lines);
            let cells = match cut.map_err(|_| Fault::Unreadable(number))? {
                None => continue,
                Some(Ok(record) | Err(Misshapen::Width(record))) => Ok(record
                    .iter()
                    .map(|cell| clean_cell(&String::from_utf8_lossy(cell)))
                    .collect::<Vec<_>>()),
                Some(Err(Misshapen::OpenQuote)) => Err(Reason::OpenQuote),
            };
            if let Ok(cells) = &cells
                && cells.iter().all(String::is_empty)
            {
                continue;
            }
            let beyond = cells
                .as_ref()
                .ok()
                .and_then(|cells| cells.get(self.shape.width..));
            let is_wide = beyond.is_some_and(|beyond| beyond.iter().any(|cell| !cell.is_empty()));
            if rows.len() >= crate::ROWS_MAX + LINES_ABOVE {
                return Err(Fault::TooManyRows);
            }
            if let (Ok(cells), Some(last)) = (&cells, rows.last_mut())
                && self.continues(cells)
            {
                last.more.push(' ');
                last.more.push_str(&gather_words(&self.places, cells));
                continue;
            }
            rows.push(Row {
                line: number,
                text,
                cells,
                is_wide,
                more: String::new(),
            });
        }
        Ok(rows)
    }
}

fn next_line(lines: &mut Lines<&[u8]>) -> Result<Option<Line>, Fault> {
    lines.read_line().map_err(|_| Fault::Unreadable(1))
}

fn line_number(line: &Line) -> usize {
    usize::try_from(line.number).unwrap_or(usize::MAX)
}

fn line_text(line: &Line) -> String {
    String::from_utf8_lossy(&line.bytes).trim().to_owned()
}

fn cut_names(line: &Line, separator: char) -> Option<(Shape, Vec<String>)> {
    let separator = u8::try_from(separator).ok()?;
    let record = read_record(&line.bytes, separator).ok()??;
    let names: Vec<String> = record
        .iter()
        .map(|name| clean_cell(&String::from_utf8_lossy(name)))
        .collect();
    let width = names.len();
    Some((Shape { separator, width }, names))
}

/// A cell without the mark that keeps a spreadsheet from running it.
fn clean_cell(cell: &str) -> String {
    cut_words(cell.trim().trim_start_matches('\''))
}

/// The order of the days: as a person says, else the one that reads all of them.
fn choose_order(
    rows: &[Row],
    places: &Places,
    chosen: Option<DayOrder>,
    today: NaiveDate,
) -> Result<DayOrder, Fault> {
    if let Some(chosen) = chosen {
        return Ok(chosen);
    }
    let days = || {
        rows.iter().filter_map(|row| {
            let cell = row.cells.as_ref().ok()?.get(places.date)?;
            Some((row.line, cell.as_str()))
        })
    };
    match find_order(days().map(|(_, cell)| cell), today) {
        Column::Order(order) => return Ok(order),
        Column::Mixed => {
            if let Some(fault) = find_two_orders(days(), today) {
                return Err(fault);
            }
        }
        Column::TwoWays => {}
    }
    let is_doubtful = |text: &str| {
        let read = |order| read_day(text, order, today);
        let first = read(DayOrder::DayFirst);
        DayOrder::ALL.iter().any(|order| read(*order) != first)
    };
    let doubtful = days().find(|(_, text)| is_doubtful(text));
    let (line, text) = doubtful.unwrap_or((1, ""));
    Err(Fault::DoubtfulDay {
        line,
        text: text.to_owned(),
    })
}

/// The first day that is one in some orders alone, and the first that is one in others.
fn find_two_orders<'a>(mut days: impl Iterator<Item = (usize, &'a str)>, today: NaiveDate) -> Option<Fault> {
    let find_orders = |text: &str| DayOrder::ALL.map(|order| read_day(text, order, today).is_some());
    let is_part = |orders: [bool; 3]| orders.contains(&true) && orders.contains(&false);
    let (first, text) = days.find(|(_, text)| is_part(find_orders(text)))?;
    let orders = find_orders(text);
    let shares = |other: [bool; 3]| orders.iter().zip(other).any(|(one, other)| *one && other);
    let (second, other) = days.find(|(_, other)| {
        let other = find_orders(other);
        is_part(other) && !shares(other)
    })?;
    Some(Fault::TwoOrders(
        (first, text.to_owned()),
        (second, other.to_owned()),
    ))
}

struct RowReader<'a> {
    places: &'a Places,
    directions: Directions,
    /// A page of the table may repeat the names.
    date_name: &'a str,
    choices: &'a Choices,
    order: DayOrder,
    today: NaiveDate,
}

impl RowReader<'_> {
    /// One row; the inner error says why it is no entry, the outer one refuses the file.
    fn read(&self, row: &Row, cells: &[String]) -> Result<Result<Entry, Reason>, Fault> {
        let cell = |place: usize| cells.get(place).map_or("", String::as_str);
        let amounts = find_amounts(self.places, cells);
        let Some(day) = read_day(cell(self.places.date), self.order, self.today) else {
            let date = cell(self.places.date);
            // A payment to `TOTAL ENERGIES` on a day that does not exist is none.
            let is_total = is_total(cells) && !has_digit(date);
            let is_heading = amounts.is_empty() || is_total || date.eq_ignore_ascii_case(self.date_name);
            return Ok(Err(if is_heading { Reason::Heading } else { Reason::Day }));
        };
        if row.is_total(self.places) {
            return Ok(Err(Reason::Heading));
        }
        // Which of its cells is the amount cannot be told.
        if row.is_wide {
            return Ok(Err(Reason::NoAmount));
        }
        let [(text, goes_out)] = amounts[..] else {
            let reason = if amounts.is_empty() {
                Reason::NoAmount
            } else {
                Reason::Direction
            };
            return Ok(Err(reason));
        };
        let Some(unit) = self.unit(cells) else {
            return Ok(Err(Reason::Currency));
        };
        if self.places.currency_sign.is_some_and(|sign| !unit.has_sign(sign)) {
            return Ok(Err(Reason::OtherSign));
        }
        let minor = match read_signed_amount(text, unit, self.choices.decimal) {
            Ok(minor) => minor,
            Err(NumberDoubt::TwoWays) => {
                let text = text.chars().take(40).collect();
                return Err(Fault::DoubtfulAmount { line: row.line, text });
            }
            Err(unread) => return Ok(Err(explain_unread(unread))),
        };
        let goes_out = match goes_out {
            Some(goes_out) => Some(goes_out),
            None => match self.directions.read(cells, text) {
                Ok(goes_out) => goes_out,
                Err(reason) => return Ok(Err(reason)),
            },
        };
        let Some(status) = self.status(cells) else {
            return Ok(Err(Reason::Status));
        };
        let Some(minor) = within_bounds(minor) else {
            return Ok(Err(Reason::NoAmount));
        };
        Ok(Ok(Entry {
            line: row.line,
            day,
            amount_minor: if goes_out == Some(true) {
                -minor.abs()
            } else {
                minor
            },
            unit,
            status,
            reference: cut_words(&format!("{}{}", gather_words(self.places, cells), row.more)),
        }))
    }

    /// `None` for a word of a status that is not known.
    fn status(&self, cells: &[String]) -> Option<Status> {
        let read = |place: usize| read_status(cells.get(place).map_or("", String::as_str));
        match (self.places.status, self.places.info) {
            (Some(place), _) => read(place),
            (None, Some(place)) => read(place).or(Some(Status::Booked)),
            (None, None) => Some(Status::Booked),
        }
    }

    fn unit(&self, cells: &[String]) -> Option<Unit> {
        let written = self.places.currency.and_then(|place| cells.get(place));
        match written.map(String::as_str).filter(|code| !code.is_empty()) {
            Some(code) => Unit::from_code(code),
            None => self.places.unit.or(self.choices.currency.map(Unit::from)),
        }
    }
}

/// The cells with an amount, each with whether its column says that the money goes out. Of two columns the one without an amount is
/// empty or zero.
fn find_amounts<'c>(places: &Places, cells: &'c [String]) -> Vec<(&'c str, Option<bool>)> {
    let filled = |place: Option<usize>, goes_out| {
        let cell = cells.get(place?)?;
        let is_filled = !cell.is_empty() && cell.as_str() != "-";
        is_filled.then_some((cell.as_str(), goes_out))
    };
    match places.amounts {
        Amounts::One(amount) => filled(Some(amount), None).into_iter().collect(),
        Amounts::Two(paid_in, paid_out) => {
            let both = [filled(paid_in, Some(false)), filled(paid_out, Some(true))];
            let both: Vec<_> = both.into_iter().flatten().collect();
            let is_zero =
                |text: &str| text.contains('0') && !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
            let moved: Vec<_> = both.iter().copied().filter(|(text, _)| !is_zero(text)).collect();
            if moved.is_empty() {
                both.into_iter().take(1).collect()
            } else {
                moved
            }
        }
    }
}

/// The column of a name, else every other cell with letters.
fn gather_words(places: &Places, cells: &[String]) -> String {
    if let Some(place) = places.reference {
        return cells.get(place).cloned().unwrap_or_default();
    }
    let is_word = |place: usize, cell: &str| !places.is_taken(place) && cell.chars().any(char::is_alphabetic);
    let words = cells
        .iter()
        .enumerate()
        .filter(|(place, cell)| is_word(*place, cell));
    let words: Vec<&str> = words.map(|(_, cell)| cell.as_str()).collect();
    words.join(" ")
}

fn explain_unread(unread: NumberDoubt) -> Reason {
    match unread {
        NumberDoubt::TooFine => Reason::TooFine,
        NumberDoubt::OtherSign => Reason::OtherSign,
        NumberDoubt::NoNumber | NumberDoubt::TwoWays => Reason::NoAmount,
    }
}

#[cfg(test)]
mod tests;
