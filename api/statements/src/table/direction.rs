//! Which way the money of a row goes, where its amount does not say it: what went out must not be taken for an arrival.

use tabular::amount::{Mark, find_mark};

use super::{Row, has_digit};
use crate::columns::{Amounts, Places};
use crate::words::read_direction;
use crate::{Fault, Reason};

/// How the rows of one table say their directions.
#[derive(Debug, Default)]
pub(super) struct Directions {
    /// The column of their words.
    pub sign: Option<usize>,
    /// Columns of other things, in which a word for money that goes out leaves its row doubtful.
    others: Vec<usize>,
    /// Credits are marked, and debits are not always: a row that says nothing may be either.
    is_silence_doubtful: bool,
    /// In the sign's column `-` stands for nothing.
    is_dash_empty: bool,
}

impl Directions {
    /// Finds the column of the directions by its name, else by its words.
    ///
    /// # Errors
    /// For two columns that say different directions of one row.
    pub(super) fn find(places: &Places, names: &[String], rows: &[Row]) -> Result<Self, Fault> {
        let Amounts::One(amount) = places.amounts else {
            return Ok(Self {
                sign: places.sign,
                ..Self::default()
            });
        };
        let rows = list_movements(places, rows);
        let marks = || {
            let amounts = rows.iter().filter_map(|cells| cells.get(amount));
            amounts.filter_map(|cell| find_mark(cell))
        };
        let has_minus = marks().any(|mark| mark == Mark::Minus);
        let columns = (0..names.len()).map(|place| Column::read(place, places, &rows));
        let columns: Vec<Column> = columns.collect();
        let by_name = places.sign.map(|place| &columns[place]);
        let by_name = by_name.filter(|column| places.is_sign_given || column.says_any());
        let open: Vec<&Column> = columns
            .iter()
            .filter(|column| is_open(places, column.place))
            .collect();
        let chosen = match by_name {
            None if has_minus => None,
            None => choose_column(&open, names, &rows)?,
            by_name => by_name,
        };
        // A name without a word of its kind still takes its column: what it holds is not understood.
        let sign = chosen.map(|column| column.place).or(places.sign);
        // Beside amounts with signs a lone `D` may be anything.
        let is_other =
            |column: &&&Column| column.outs > 0 && (!has_minus || column.is_of_types || column.ins > 0);
        let others = open.iter().filter(is_other);
        Ok(Self {
            sign,
            others: if by_name.is_some() {
                Vec::new()
            } else {
                others.map(|column| column.place).collect()
            },
            is_silence_doubtful: !has_minus
                && (chosen.is_some_and(|column| column.ins > 0) || marks().any(|mark| mark == Mark::Plus)),
            is_dash_empty: chosen.is_some_and(|column| column.is_dash_empty),
        })
    }

    /// Whether the money of a row goes out; `None` where its amount says it.
    pub(super) fn read(&self, cells: &[String], amount: &str) -> Result<Option<bool>, Reason> {
        let word = |place: usize| cells.get(place).map_or("", String::as_str);
        let said = self.sign.map(word);
        let is_silent = |said: &str| said.is_empty() || (self.is_dash_empty && said == "-");
        let said = said.filter(|said| !is_silent(said));
        if let Some(said) = said {
            return read_direction(said).map(Some).ok_or(Reason::Direction);
        }
        let says_out = |place: &usize| word(*place) != "-" && read_direction(word(*place)) == Some(true);
        let is_doubtful = self.is_silence_doubtful || self.others.iter().any(says_out);
        if is_doubtful && find_mark(amount).is_none() {
            return Err(Reason::Direction);
        }
        Ok(None)
    }
}

/// The rows that may be movements: a balance has a sign of its own.
fn list_movements<'r>(places: &Places, rows: &'r [Row]) -> Vec<&'r Vec<String>> {
    let rows = rows.iter().filter(|row| !row.is_wide);
    let cells = rows.filter_map(|row| Some((row, row.cells.as_ref().ok()?)));
    let movements = cells.filter(|(row, cells)| {
        cells.get(places.date).is_some_and(|date| has_digit(date)) && !row.is_total(places)
    });
    movements.map(|(_, cells)| cells).collect()
}

/// Whether a column may say the direction without a name of the sign.
fn is_open(places: &Places, place: usize) -> bool {
    let is_named = Some(place) == places.sign;
    (is_named || !places.is_taken(place)) && !places.cards.contains(&place)
}

/// How often a column says each direction, and something else.
struct Column {
    place: usize,
    is_of_types: bool,
    ins: usize,
    outs: usize,
    others: usize,
    is_dash_empty: bool,
}

impl Column {
    fn read(place: usize, places: &Places, rows: &[&Vec<String>]) -> Self {
        let words = || {
            let cells = rows.iter().filter_map(|cells| cells.get(place));
            cells.map(String::as_str).filter(|cell| !cell.is_empty())
        };
        let is_dash_empty = Some(place) != places.sign && !words().any(|word| word == "+");
        let mut column = Self {
            place,
            is_of_types: places.types.contains(&place),
            ins: 0,
            outs: 0,
            others: 0,
            is_dash_empty,
        };
        let words = || words().filter(|word| !(is_dash_empty && *word == "-"));
        // Among other words a lone `d` is a mark of something else.
        let has_others = words().any(|word| read_direction(word).is_none());
        let is_code = |word: &str| {
            let is_named = places.types.contains(&place) || Some(place) == places.sign;
            has_others && !is_named && word.len() == 1
        };
        for word in words() {
            match read_direction(word).filter(|_| !is_code(word)) {
                Some(true) => column.outs += 1,
                Some(false) => column.ins += 1,
                None => column.others += 1,
            }
        }
        column
    }

    /// Whether a row says that its money goes out.
    fn read_row(&self, cells: &[String]) -> Option<bool> {
        let word = cells.get(self.place)?;
        read_direction(word).filter(|_| !(self.is_dash_empty && word == "-"))
    }

    const fn says_any(&self) -> bool {
        self.ins + self.outs > 0
    }

    /// Whether it is the sign's without a name of it: by both directions, by nothing but directions, or as a column of types.
    const fn is_sign(&self) -> bool {
        let is_whole = self.others == 0 || self.is_of_types;
        (self.ins > 0 && self.outs > 0) || (is_whole && self.says_any())
    }
}

/// The column that says the direction of the most rows.
fn choose_column<'c>(
    open: &[&'c Column],
    names: &[String],
    rows: &[&Vec<String>],
) -> Result<Option<&'c Column>, Fault> {
    let signs: Vec<&Column> = open.iter().copied().filter(|column| column.is_sign()).collect();
    let best = signs
        .iter()
        .min_by_key(|column| (column.others, !column.is_of_types));
    let Some(best) = best.copied() else {
        return Ok(None);
    };
    let differs = |other: &Column| {
        rows.iter().any(|cells| {
            let both = best.read_row(cells).zip(other.read_row(cells));
            both.is_some_and(|(one, another)| one != another)
        })
    };
    match signs.iter().find(|other| differs(other)) {
        Some(other) => Err(Fault::TwoDirections(
            names[best.place].clone(),
            names[other.place].clone(),
        )),
        None => Ok(Some(best)),
    }
}

#[cfg(test)]
mod tests;
