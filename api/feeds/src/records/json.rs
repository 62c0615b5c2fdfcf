//! Objects of JSON as records: one array, an object with an array of objects in it, or an object on each line.

use std::collections::BTreeSet;
use std::fmt;
use std::io::BufRead;
use std::rc::Rc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Record, Take};
use crate::node::{DEPTH_MAX, Node, is_same_name};
use crate::source::{Counted, Progress, RECORD_MAX, describe_io, read_bounded_line};

/// How deep a list of objects is looked for.
const LIST_DEPTH: usize = 4;
const NO_OBJECT: &str = "the record is no object";

/// Hands every object of the document's list to `take`.
pub(super) fn read_document(
    feed: Counted<impl BufRead>,
    list: &[String],
    take: &mut Take<'_>,
) -> Result<(), String> {
    let mut shared = Shared {
        take,
        progress: Some(feed.progress()),
        line: 0,
        is_stopped: false,
    };
    let mut reader = serde_json::Deserializer::from_reader(feed);
    let walked = Walk {
        names: list,
        shared: &mut shared,
    }
    .deserialize(&mut reader);
    match walked {
        _ if shared.is_stopped => Ok(()),
        // Objects behind the list would be lost.
        Ok(()) => reader.end().map_err(|error| describe_io(&error)),
        Err(error) => Err(describe_io(&error)),
    }
}

/// Hands the objects of every line to `take`; a broken line is one broken record.
pub(super) fn read_lines(
    mut feed: Counted<impl BufRead>,
    list: &[String],
    take: &mut Take<'_>,
) -> Result<(), String> {
    let most = usize::try_from(RECORD_MAX).unwrap_or(usize::MAX);
    let mut shared = Shared {
        take,
        progress: None,
        line: 0,
        is_stopped: false,
    };
    let mut line = Vec::new();
    while let Some(is_longer) =
        read_bounded_line(&mut feed, most, &mut line).map_err(|error| describe_io(&error))?
    {
        shared.line += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if is_longer {
            shared.hand_on(Err("the line is longer than 8 MiB".to_owned()));
        } else {
            let mut reader = serde_json::Deserializer::from_slice(&line);
            let walked = Walk {
                names: list,
                shared: &mut shared,
            }
            .deserialize(&mut reader)
            .and_then(|()| reader.end());
            if let Err(error) = walked
                && !shared.is_stopped
            {
                shared.hand_on(Err(format!("the line is no whole JSON object: {error}")));
            }
        }
        if shared.is_stopped {
            break;
        }
    }
    Ok(())
}

/// State of a walk: the taker of records and the place in the file.
struct Shared<'t, 'r> {
    take: &'t mut Take<'r>,
    /// Of a document; lines count themselves.
    progress: Option<Rc<Progress>>,
    line: u64,
    is_stopped: bool,
}

impl Shared<'_, '_> {
    fn hand_on(&mut self, node: Result<Node, String>) {
        let line = self.line;
        self.is_stopped = (self.take)(Record { line, node }).is_err();
    }

    /// Reads one object and hands it on.
    fn take_object<'de, A: MapAccess<'de>>(&mut self, mut entries: A) -> Result<(), A::Error> {
        if let Some(progress) = &self.progress {
            self.line = progress.line();
            progress.begin_record();
        }
        let mut read = Ok(Vec::new());
        while let Some((name, raw)) = entries.next_entry::<String, Box<RawValue>>()? {
            if let Ok(named) = &mut read {
                match read_raw(&raw, 1) {
                    Ok(node) => named.push((name, node)),
                    Err(reason) => read = Err(reason),
                }
            }
        }
        if let Some(progress) = &self.progress {
            progress.end_record();
        }
        self.hand_on(read.map(Node::Map));
        self.end_if_stopped()
    }

    fn refuse<E: serde::de::Error>(&mut self) -> Result<(), E> {
        if let Some(progress) = &self.progress {
            self.line = progress.line();
        }
        self.hand_on(Err(NO_OBJECT.to_owned()));
        self.end_if_stopped()
    }

    fn end_if_stopped<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.is_stopped {
            Err(E::custom("stopped"))
        } else {
            Ok(())
        }
    }
}

/// Walks to a list without holding more than one of its objects.
struct Walk<'w, 's, 't, 'r> {
    /// Names on the way that are still before us.
    names: &'w [String],
    shared: &'s mut Shared<'t, 'r>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { names, shared } = self;
        loop {
            let next = Walk {
                names,
                shared: &mut *shared,
            };
            if items.next_element_seed(next)?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { names, shared } = self;
        let Some((wanted, names)) = names.split_first() else {
            return shared.take_object(entries);
        };
        while let Some(name) = entries.next_key::<String>()? {
            if wanted == "*" || is_same_name(&name, wanted) {
                entries.next_value_seed(Walk {
                    names,
                    shared: &mut *shared,
                })?;
            } else {
                entries.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        // A list that is null is empty; a record that is null is none.
        if self.names.is_empty() {
            self.shared.refuse()
        } else {
            Ok(())
        }
    }

    fn visit_bool<E: serde::de::Error>(self, _flag: bool) -> Result<(), E> {
        self.shared.refuse()
    }

    fn visit_i64<E: serde::de::Error>(self, _number: i64) -> Result<(), E> {
        self.shared.refuse()
    }

    fn visit_u64<E: serde::de::Error>(self, _number: u64) -> Result<(), E> {
        self.shared.refuse()
    }

    fn visit_f64<E: serde::de::Error>(self, _number: f64) -> Result<(), E> {
        self.shared.refuse()
    }

    fn visit_str<E: serde::de::Error>(self, _text: &str) -> Result<(), E> {
        self.shared.refuse()
    }
}

/// The names and raw values of an object, in their order.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = entries.next_entry::<String, &'de RawValue>()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        reader.deserialize_map(Collect)
    }
}

/// A value from its text: numbers stay as they are written.
fn read_raw(raw: &RawValue, depth: usize) -> Result<Node, String> {
    if depth > DEPTH_MAX {
        return Err(format!("the record is nested deeper than {DEPTH_MAX}"));
    }
    let text = raw.get();
    let unread = |error: serde_json::Error| format!("the record cannot be read: {error}");
    match text.as_bytes().first() {
        Some(b'{') => {
            let Pairs(pairs) = serde_json::from_str(text).map_err(unread)?;
            let entries = pairs
                .into_iter()
                .map(|(name, value)| Ok((name, read_raw(value, depth + 1)?)));
            Ok(Node::Map(entries.collect::<Result<_, String>>()?))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(unread)?;
            let items = items.into_iter().map(|item| read_raw(item, depth + 1));
            Ok(Node::List(items.collect::<Result<_, String>>()?))
        }
        Some(b'"') => Ok(Node::Text(serde_json::from_str(text).map_err(unread)?)),
        Some(b't') => Ok(Node::Flag(true)),
        Some(b'f') => Ok(Node::Flag(false)),
        Some(b'n') => Ok(Node::Null),
        _ => Ok(Node::Number(text.to_owned())),
    }
}

/// The lists of objects in a document, by their paths, that no other list is around.
pub(crate) fn find_lists(feed: Counted<impl BufRead>) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let mut reader = serde_json::Deserializer::from_reader(feed);
    let look = Look {
        path: String::new(),
        depth: 0,
        found: &mut found,
    };
    look.deserialize(&mut reader)
        .map_err(|error| describe_io(&error))?;
    Ok(found)
}

/// Looks for lists below an object; says whether the value is an object itself.
struct Look<'l> {
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
            let item = Look {
                path: String::new(),
                depth: LIST_DEPTH,
                found: &mut inside,
            };
            match items.next_element_seed(item)? {
                Some(is_object) => is_list |= is_object,
                None => break,
            }
        }
        if is_list {
            self.found.insert(self.path);
        }
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let Self { path, depth, found } = self;
        if depth >= LIST_DEPTH {
            while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(true);
        }
        while let Some(name) = entries.next_key::<String>()? {
            let path = if path.is_empty() {
                name
            } else {
                format!("{path}.{name}")
            };
            entries.next_value_seed(Look {
                path,
                depth: depth + 1,
                found: &mut *found,
            })?;
        }
        Ok(true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Sheet, Stopped, read_records, split_list};
    use crate::source::open_source;

    /// The line and the value of `id` of each record, or its fault.
    fn read(text: &str, list: &str) -> (Vec<String>, Result<(), String>) {
        let source = text.as_bytes().to_vec();
        let sheet = Sheet {
            separator: None,
            is_wanted: &|_: &str| true,
            fill_down: &[],
            skip: Vec::new(),
        };
        let mut records = Vec::new();
        let mut take = |record: Record| -> Result<(), Stopped> {
            let id = record.node.map(|node| {
                let id = node.get("id").and_then(Node::as_scalar);
                id.map(|scalar| scalar.text.to_owned()).unwrap_or_default()
            });
            records.push(format!("{} {}", record.line, id.unwrap_or_else(|reason| reason)));
            Ok(())
        };
        let opened = open_source(&source, None).unwrap();
        let end = read_records(opened, &split_list(list), &sheet, &mut take).map(drop);
        (records, end)
    }

    #[test]
    fn lists_are_found_in_arrays_and_objects() {
        let (records, end) = read("[{\"id\": \"a\"},\n {\"id\":\n 2}]", "");
        assert_eq!((records, end), (vec!["1 a".into(), "2 2".into()], Ok(())));
        let nested = "{\"tags\": [\"x\"],\n\"branches\": [{\"homes\": [{\"id\": 1}]},\n{\"homes\": [{\"id\": 2}, 7]}]}";
        let (records, _) = read(nested, "branches[].homes[]");
        assert_eq!(records, ["2 1", "3 2", "3 the record is no object"]);
        let (records, _) = read("{\"list\": [{\"item\": {\"id\": 1}}]}", "list[].item");
        assert_eq!(records, ["1 1"]);
    }

    #[test]
    fn long_ids_stay_whole() {
        let id = "100000000000000000000000000001";
        assert_eq!(read(&format!("[{{\"id\": {id}}}]"), "").0, [format!("1 {id}")]);
    }

    #[test]
    fn broken_line_is_one_record_and_a_document_keeps_its_first() {
        let (records, end) = read("{\"id\": 1}\n\n{\"id\": 2}\n{\"id\": ", "");
        assert_eq!((records.len(), end), (3, Ok(())));
        assert!(
            records[2].starts_with("4 the line is no whole JSON object"),
            "{records:?}"
        );
        let (records, end) = read("[{\"id\": 1}, {\"id\": ", "");
        assert_eq!(records, ["1 1"]);
        assert!(end.unwrap_err().contains("cannot be read on"));
    }

    #[test]
    fn huge_cell_and_deep_nesting_end_in_a_sentence() {
        let huge = format!("[{{\"id\": \"{}\"}}]", "x".repeat(9 * 1024 * 1024));
        assert!(read(&huge, "").1.unwrap_err().contains("larger than 8 MiB"));
        let deep = format!("[{{\"id\": {}1{}}}]", "[".repeat(60), "]".repeat(60));
        let (records, end) = read(&deep, "");
        assert!(records[0].contains("nested deeper"), "{records:?}");
        assert!(end.is_ok());
    }

    #[test]
    fn outermost_lists_of_objects_are_named() {
        let text = "{\"tags\": [\"x\"], \"a\": {\"homes\": [{\"rooms\": [{}]}]}, \"more\": [[1]]}";
        let source = text.as_bytes().to_vec();
        let found = find_lists(open_source(&source, None).unwrap().text).unwrap();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a.homes"]);
    }
}
