//! The names of a file, some of their values, and how its days are written. Found in a first pass over it, in memory that does not
//! grow with the file.

use std::collections::HashMap;

use chrono::NaiveDate;

use crate::fault::{VALUE_SHOWN, cut_letters};
use crate::node::{Node, OWN_TEXT, fold_name};
use crate::values::day::DayOrders;

/// Names that are kept of a file, which may have others in every record.
const NAMES_MAX: usize = 2_000;
/// Bytes of a name that is kept: no map names a longer one.
const NAME_MAX: usize = 500;
/// Values that are kept of a name.
const SAMPLES_MAX: usize = 12;

/// One name of a file.
#[derive(Debug, Clone)]
pub(crate) struct SeenName {
    /// `rooms.leases.price`.
    pub name: String,
    /// Different values, the first ones.
    pub samples: Vec<String>,
    pub orders: DayOrders,
    /// Whether a list stands on the way or at the end.
    pub is_listed: bool,
}

/// The names of a file in the order in which they occur.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub names: Vec<SeenName>,
    places: HashMap<String, usize>,
    pub records: u64,
}

impl Seen {
    /// Takes a column down, also one whose cells are all empty.
    pub(crate) fn note_column(&mut self, name: &str) {
        if !name.is_empty() {
            self.place(name, false);
        }
    }

    /// Takes the names and values of one record down.
    pub(crate) fn note_record(&mut self, node: &Node, today: NaiveDate) {
        self.records += 1;
        self.note("", node, false, today);
    }

    /// The name as a path's text or as the file writes it.
    pub(crate) fn find(&self, name: &str) -> Option<&SeenName> {
        let plain = name.replace("[]", "");
        let place = self.places.get(&fold_name(&plain))?;
        self.names.get(*place)
    }

    fn place(&mut self, name: &str, is_listed: bool) -> Option<usize> {
        if name.len() > NAME_MAX {
            return None;
        }
        let folded = fold_name(name);
        if let Some(place) = self.places.get(&folded) {
            return Some(*place);
        }
        if self.names.len() >= NAMES_MAX {
            return None;
        }
        self.names.push(SeenName {
            name: name.to_owned(),
            samples: Vec::new(),
            orders: DayOrders::default(),
            is_listed,
        });
        self.places.insert(folded, self.names.len() - 1);
        Some(self.names.len() - 1)
    }

    fn note(&mut self, name: &str, node: &Node, is_listed: bool, today: NaiveDate) {
        match node {
            Node::Map(entries) => {
                for (key, value) in entries {
                    let below = match (name, key.as_str()) {
                        (name, OWN_TEXT) => name.to_owned(),
                        ("", key) => key.to_owned(),
                        (name, key) => format!("{name}.{key}"),
                    };
                    self.note(&below, value, is_listed, today);
                }
            }
            Node::List(items) => {
                if items.is_empty() {
                    self.place(name, true);
                }
                for item in items {
                    self.note(name, item, true, today);
                }
            }
            plain => {
                if name.is_empty() {
                    return;
                }
                let Some(place) = self.place(name, is_listed) else {
                    return;
                };
                let (Some(scalar), Some(seen)) = (plain.as_scalar(), self.names.get_mut(place)) else {
                    return;
                };
                seen.is_listed |= is_listed;
                if !scalar.is_number {
                    seen.orders.note(scalar.text, today);
                }
                let sample = cut_letters(scalar.text, VALUE_SHOWN);
                if seen.samples.len() < SAMPLES_MAX && !seen.samples.contains(&sample) {
                    seen.samples.push(sample);
                }
            }
        }
    }
}
