//! Finds the list of homes in a document of JSON.

use std::collections::BTreeSet;
use std::fmt;
use std::io::BufRead;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::explain;
use super::passed::Pass;
use crate::source::{Counted, Progress};

/// How deep a list of objects is looked for.
const LIST_DEPTH: usize = 4;
/// Lists of objects that a file is told of.
const LISTS_MAX: usize = 100;

/// The lists of objects in a document, by their paths, that no other list is around.
pub(crate) fn find_lists(feed: Counted<impl BufRead>) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let progress = feed.progress();
    progress.begin_record();
    let mut reader = serde_json::Deserializer::from_reader(feed);
    let look = Look {
        progress: &progress,
        path: String::new(),
        depth: 0,
        found: &mut found,
    };
    look.deserialize(&mut reader).map_err(|error| explain(&error))?;
    Ok(found)
}

/// Looks for lists below an object; says whether the value is an object itself.
struct Look<'l> {
    progress: &'l Progress,
    path: String,
    depth: usize,
    found: &'l mut BTreeSet<String>,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<bool, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let mut inside = BTreeSet::new();
        let mut is_list = false;
        // Lists inside this one do not count: the outermost holds the homes.
        loop {
            self.progress.begin_record();
            let item = Look {
                progress: self.progress,
                path: String::new(),
                depth: LIST_DEPTH,
                found: &mut inside,
            };
            match items.next_element_seed(item)? {
                Some(is_object) => is_list |= is_object,
                None => break,
            }
        }
        if is_list && self.found.len() < LISTS_MAX {
            self.found.insert(self.path);
        }
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let Self {
            progress,
            path,
            depth,
            found,
        } = self;
        if depth >= LIST_DEPTH {
            let below = Pass {
                progress: Some(progress),
            };
            below.visit_map(entries)?;
            return Ok(true);
        }
        loop {
            progress.begin_record();
            let Some(name) = entries.next_key::<String>()? else {
                return Ok(true);
            };
            progress.begin_record();
            let path = if path.is_empty() {
                name
            } else {
                format!("{path}.{name}")
            };
            entries.next_value_seed(Look {
                progress,
                path,
                depth: depth + 1,
                found: &mut *found,
            })?;
        }
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E: serde::de::Error>(self, _flag: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E: serde::de::Error>(self, _number: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E: serde::de::Error>(self, _number: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E: serde::de::Error>(self, _number: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E: serde::de::Error>(self, _text: &str) -> Result<bool, E> {
        Ok(false)
    }
}
