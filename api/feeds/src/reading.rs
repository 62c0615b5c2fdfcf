//! Reads the values of fields in one record, by the plan; takes down what cannot be used.

use std::borrow::Cow;

use chrono::NaiveDate;
use unicode_normalization::UnicodeNormalization as _;

use crate::fault::{Fault, Verdict};
use crate::fields::Field;
use crate::home::Texts;
use crate::map::Column;
use crate::node::{Node, Scalar};
use crate::path::Path;
use crate::plan::{Plan, Scope};
use crate::values::day::{DayRead, read_in_orders};
use crate::values::html::{clean_line, clean_text};
use crate::values::words::{fold, read_flag};

/// Said once for a column of a file.
pub(crate) const SEVERAL_VALUES: &str =
    "it holds several values, and none of them is read: name one with a path, such as price.amount";
/// Names under which a text says its language.
const LANGUAGE_NAMES: [&str; 5] = ["@language", "@lang", "@xml:lang", "language", "lang"];

/// A value of a field.
#[derive(Debug, Clone)]
pub(crate) struct Value<'r> {
    pub node: Cow<'r, Node>,
    /// The name that a `*` took.
    pub key: Option<&'r str>,
    pub column: &'r Column,
    /// None for a constant.
    pub path: Option<&'r Path>,
}

/// The one text of a field.
#[derive(Debug, Clone)]
pub(crate) struct Cell<'r> {
    /// With its meaning by the map's values.
    pub text: String,
    pub is_number: bool,
    pub unit: Option<&'r str>,
    /// For faults; the field's name for a constant.
    pub path: String,
    /// The path of the column, where it is none.
    pub column: Option<&'r Path>,
    pub is_constant: bool,
}

/// A record, or the part of it that is a room or a lease.
pub(crate) struct Reading<'r> {
    pub plan: &'r Plan,
    pub home: &'r Node,
    pub room: Option<&'r Node>,
    pub lease: Option<&'r Node>,
    pub line: u64,
    /// How far a fault of this reading goes.
    pub verdict: Verdict,
    /// Before the path of a fault: `rooms[2]: `.
    pub place: String,
    pub faults: Vec<Fault>,
}

impl<'r> Reading<'r> {
    /// A reading of a whole record.
    pub(crate) fn of_home(plan: &'r Plan, home: &'r Node, line: u64) -> Self {
        Self {
            plan,
            home,
            room: None,
            lease: None,
            line,
            verdict: Verdict::HomeRejected,
            place: String::new(),
            faults: Vec::new(),
        }
    }

    /// All values of a field, those of each column in their order, without empty ones.
    pub(crate) fn values(&self, field: Field) -> Vec<Value<'r>> {
        let mut values = Vec::new();
        for bound in self.plan.bound(field) {
            let before = values.len();
            for (scope, path) in &bound.paths {
                let root = match scope {
                    Scope::Home => Some(self.home),
                    Scope::Room => self.room,
                    Scope::Lease => self.lease,
                };
                for found in root.map(|root| path.find(root)).unwrap_or_default() {
                    if found.node.is_empty() {
                        continue;
                    }
                    if let Some(node) = split_value(found.node, &bound.column) {
                        values.push(Value {
                            node,
                            key: found.key,
                            column: &bound.column,
                            path: Some(path),
                        });
                    }
                }
            }
            if let (true, Some(constant)) = (values.len() == before, &bound.column.constant) {
                values.push(Value {
                    node: Cow::Owned(Node::Text(constant.clone())),
                    key: None,
                    column: &bound.column,
                    path: None,
                });
            }
        }
        values
    }

    /// The first text of a field; `None` where nothing is said.
    pub(crate) fn cell(&mut self, field: Field) -> Option<Cell<'r>> {
        let plan = self.plan;
        for value in self.values(field) {
            let path = describe_path(field, &value);
            let Some(scalar) = value.node.as_scalar() else {
                self.warn(&path, "", SEVERAL_VALUES);
                continue;
            };
            let text = self.check_letters(&path, scalar)?;
            let meaning = plan.map.translate(field, &text);
            if meaning.is_empty() {
                continue;
            }
            return Some(Cell {
                is_number: scalar.is_number && meaning == text,
                text: meaning.to_owned(),
                unit: value.column.unit.as_deref(),
                path,
                column: value.path,
                is_constant: value.path.is_none(),
            });
        }
        None
    }

    /// All texts of the column that says a field first, where a list gives several; each with its meaning.
    pub(crate) fn cells(&mut self, field: Field) -> Vec<Cell<'r>> {
        let Some(first) = self.cell(field) else {
            return Vec::new();
        };
        let values = self.values(field);
        let same = values
            .iter()
            .filter(|value| value.path.map(|path| &path.text) == first.column.map(|path| &path.text));
        let texts: Vec<(String, bool)> = same
            .filter_map(|value| value.node.as_scalar())
            .map(|scalar| (scalar.text.to_owned(), scalar.is_number))
            .collect();
        if texts.len() < 2 {
            return vec![first];
        }
        let cell = |(text, is_number): (String, bool)| Cell {
            text,
            is_number,
            ..first.clone()
        };
        texts.into_iter().map(cell).collect()
    }

    /// The text in composed letters; `None` with a fault where letters were lost or are none.
    fn check_letters(&mut self, path: &str, scalar: Scalar<'_>) -> Option<String> {
        if scalar.text.contains('\u{fffd}') {
            self.wrong(path, scalar.text, "letters were lost here: the file is in another encoding than it seems; write encoding = \"windows-1252\", or what it is, into the map");
            return None;
        }
        if scalar.text.contains('\0') {
            self.wrong(path, scalar.text, "it holds U+0000, a sign that no text holds");
            return None;
        }
        Some(scalar.text.nfc().collect())
    }

    /// Takes a fault down with the verdict of what is being read.
    pub(crate) fn wrong(&mut self, path: &str, value: &str, reason: impl Into<String>) {
        self.note(path, value, reason, self.verdict);
    }

    /// Takes something down that a person should look at.
    pub(crate) fn warn(&mut self, path: &str, value: &str, reason: impl Into<String>) {
        self.note(path, value, reason, Verdict::Warned);
    }

    pub(crate) fn note(&mut self, path: &str, value: &str, reason: impl Into<String>, verdict: Verdict) {
        let path = format!("{}{path}", self.place);
        self.faults
            .push(Fault::new(self.line, path, value, reason, verdict));
    }

    /// The columns of a field as a fault names them.
    pub(crate) fn column_names(&self, field: Field) -> String {
        let paths = self.plan.bound(field).iter().flat_map(|bound| &bound.paths);
        let names: Vec<&str> = paths.map(|(_, path)| path.text.as_str()).collect();
        if names.is_empty() {
            field.facts().key.to_owned()
        } else {
            names.join(", ")
        }
    }

    /// The text of a field.
    pub(crate) fn text(&mut self, field: Field) -> Option<String> {
        let cell = self.cell(field)?;
        Some(clean_line(&cell.text)).filter(|text| !text.is_empty())
    }

    /// A whole number.
    pub(crate) fn count(&mut self, field: Field) -> Option<u32> {
        let cell = self.cell(field)?;
        let read = read_count(&cell.text);
        if read.is_none() {
            self.warn(&cell.path, &cell.text, "it is no whole number, and is not shown");
        }
        read
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self, field: Field) -> Option<bool> {
        let cell = self.cell(field)?;
        let read = read_flag(&cell.text);
        if read.is_none() {
            self.warn(
                &cell.path,
                &cell.text,
                "it is neither yes nor no, and is not shown: give it a meaning in the map's values",
            );
        }
        read
    }

    /// A day by the order of its column.
    pub(crate) fn day(&mut self, field: Field) -> Option<(Cell<'r>, DayRead)> {
        let cell = self.cell(field)?;
        let orders = cell
            .column
            .map(|path| self.plan.day_orders(path))
            .unwrap_or_default();
        let read = read_in_orders(&cell.text, orders, self.plan.today);
        match &read {
            DayRead::TwoWays(one, other) => {
                let reason = format!(
                    "it is {one} or {other}: write it as 2027-09-04, or day_order = \"day_first\" or \"month_first\" into the map"
                );
                self.wrong(&cell.path, &cell.text, reason);
            }
            DayRead::NoDay => {
                self.wrong(&cell.path, &cell.text, "it is no day: write it as 2027-09-04");
            }
            _ => {}
        }
        Some((cell, read))
    }

    /// A day that is nothing but a day.
    pub(crate) fn plain_day(&mut self, field: Field) -> Option<NaiveDate> {
        let (cell, read) = self.day(field)?;
        match read {
            DayRead::Day(day) => Some(day),
            DayRead::Now | DayRead::Words => {
                self.wrong(&cell.path, &cell.text, "it is no day: write it as 2027-09-04");
                None
            }
            DayRead::TwoWays(..) | DayRead::NoDay => None,
        }
    }

    /// The texts of a field by their languages; `is_line` for names.
    pub(crate) fn texts(&mut self, field: Field, is_line: bool) -> Texts {
        let mut texts = Texts::new();
        for value in self.values(field) {
            let path = describe_path(field, &value);
            let language = value.column.language.clone();
            let language = language.unwrap_or_else(|| self.plan.map.language.clone());
            let mut said = Vec::new();
            collect_texts(&value.node, &language, &mut said);
            for (language, scalar) in said {
                let Some(text) = self.check_letters(&path, scalar) else {
                    return texts;
                };
                let text = if is_line {
                    clean_line(&text)
                } else {
                    clean_text(&text)
                };
                if text.is_empty() {
                    continue;
                }
                match texts.get_mut(&language) {
                    None => {
                        texts.insert(language, text);
                    }
                    // Further columns of one description are further paragraphs of it.
                    Some(before) if !is_line && !before.contains(&text) => {
                        before.push_str("\n\n");
                        before.push_str(&text);
                    }
                    Some(_) => {}
                }
            }
        }
        shorten_tags(texts)
    }
}

/// Puts the texts of a country's form of a language (`en-GB`, `zh_CN`) under the language itself, by which readers are served. Of several
/// forms the first has it, and the others keep their own tags.
fn shorten_tags(texts: Texts) -> Texts {
    let is_form = |tag: &str| tag.contains(['-', '_']);
    let (forms, mut shortened): (Texts, Texts) = texts.into_iter().partition(|(tag, _)| is_form(tag));
    for (tag, text) in forms {
        let language = tag.split(['-', '_']).next().unwrap_or_default().to_owned();
        let is_taken = shortened.contains_key(&language);
        shortened.insert(if is_taken { tag } else { language }, text);
    }
    shortened
}

/// The texts in a value with their languages: one text, an object of languages, texts that say their language, or a list of these.
pub(crate) fn collect_texts<'n>(node: &'n Node, language: &str, said: &mut Vec<(String, Scalar<'n>)>) {
    match node {
        Node::List(items) => {
            for item in items {
                collect_texts(item, language, said);
            }
        }
        Node::Map(entries) => {
            let tag = LANGUAGE_NAMES
                .iter()
                .find_map(|name| node.get(name).and_then(Node::as_scalar));
            if let (Some(tag), Some(scalar)) = (tag, node.as_scalar()) {
                said.push((tag.text.to_lowercase(), scalar));
                return;
            }
            let before = said.len();
            for (name, value) in entries {
                if let (true, Some(scalar)) = (crate::fields::is_language(name), value.as_scalar()) {
                    said.push((name.clone(), scalar));
                }
            }
            if let (true, Some(scalar)) = (said.len() == before, node.as_scalar()) {
                said.push((language.to_owned(), scalar));
            }
        }
        plain => {
            if let Some(scalar) = plain.as_scalar() {
                said.push((language.to_owned(), scalar));
            }
        }
    }
}

/// A whole number, also as `12.0`.
pub(crate) fn read_count(text: &str) -> Option<u32> {
    let text = text.trim();
    let whole = text.strip_suffix(".0").unwrap_or(text);
    let count = domain::typed_number::read_count(whole).ok()?;
    u32::try_from(count).ok()
}

/// A cell cut at its signs: one part of it, or all as a list. Without a split the value as it is; `None` where there is no such part.
fn split_value<'r>(node: &'r Node, column: &Column) -> Option<Cow<'r, Node>> {
    let (Some(signs), Some(scalar)) = (&column.split, node.as_scalar()) else {
        return Some(Cow::Borrowed(node));
    };
    // Several signs part alike; a word or a sign with spaces parts as it is written.
    let parts: Vec<&str> = if signs.trim().chars().all(char::is_alphanumeric) || signs.starts_with(' ') {
        scalar.text.split(signs.as_str()).collect()
    } else {
        scalar.text.split(|letter: char| signs.contains(letter)).collect()
    };
    let parts: Vec<&str> = parts.into_iter().map(str::trim).collect();
    let Some(part) = column.part else {
        let items = parts.into_iter().filter(|part| !part.is_empty());
        let items = items.map(|part| Node::Text(part.to_owned())).collect();
        return Some(Cow::Owned(Node::List(items)));
    };
    let from_end = part < 0;
    let place = usize::try_from(part.unsigned_abs()).ok()?.checked_sub(1)?;
    let chosen = if from_end {
        parts.iter().rev().nth(place)
    } else {
        parts.get(place)
    };
    let chosen = chosen.filter(|part| !part.is_empty())?;
    Some(Cow::Owned(Node::Text((*chosen).to_owned())))
}

/// The path of a value in a fault: the column's, with the name that a `*` took.
pub(crate) fn describe_path(field: Field, value: &Value<'_>) -> String {
    match (value.path, value.key) {
        (None, _) => field.facts().key.to_owned(),
        (Some(path), None) => path.text.clone(),
        (Some(path), Some(key)) => path.text.replacen('*', key, 1),
    }
}

/// The name of a value among others: that of its `*`, or the last of its path.
pub(crate) fn name_value<'v>(value: &'v Value<'_>) -> &'v str {
    value
        .key
        .or_else(|| value.path.map(Path::last_name))
        .unwrap_or_default()
}

/// Whether the fold of two texts is one.
pub(crate) fn is_same_text(one: &str, other: &str) -> bool {
    one == other || fold(one) == fold(other)
}
