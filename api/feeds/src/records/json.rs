//! Objects of JSON as records: one array, an object with an array of objects in it, or an object on each line.

use std::fmt;
use std::io::BufRead;
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Record, Take};
use crate::node::{NAMES_MAX, Node, VALUES_MAX, explain_names, is_same_name};
use crate::source::{Counted, Progress, RECORD_MAX, describe_io, read_bounded_line};

mod lists;
mod passed;
mod raw;

pub(crate) use lists::find_lists;
use passed::Pass;
use raw::read_raw;

/// How deep the reader of JSON follows a file.
const NESTED_MAX: usize = 127;
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
    shared.begin_part();
    let mut reader = serde_json::Deserializer::from_reader(feed);
    let walked = Walk {
        names: list,
        shared: &mut shared,
    }
    .deserialize(&mut reader);
    match walked {
        _ if shared.is_stopped => Ok(()),
        // Objects behind the list would be lost.
        Ok(()) => reader.end().map_err(|error| explain(&error)),
        Err(error) => Err(explain(&error)),
    }
}

/// Says why a document cannot be read on.
fn explain(error: &serde_json::Error) -> String {
    let sentence = describe_io(error);
    if sentence.contains("recursion limit exceeded") {
        let line = error.line();
        return format!("the file cannot be read on: line {line} is nested deeper than {NESTED_MAX}");
    }
    sentence
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
        let (mut read, mut budget) = (Ok(Vec::new()), VALUES_MAX);
        while let Some((name, raw)) = entries.next_entry::<String, Box<RawValue>>()? {
            if let Ok(named) = &mut read {
                match read_raw(&raw, 1, &mut budget) {
                    Ok(_) if named.len() >= NAMES_MAX => read = Err(explain_names()),
                    Ok(node) => named.push((name, node)),
                    Err(reason) => read = Err(reason),
                }
            }
        }
        self.begin_part();
        self.hand_on(read.map(Node::Map));
        self.end_if_stopped()
    }

    /// Bounds what is read next: between records as within one nothing larger than a record is held.
    fn begin_part(&self) {
        if let Some(progress) = &self.progress {
            progress.begin_record();
        }
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
            shared.begin_part();
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
        loop {
            shared.begin_part();
            let Some(name) = entries.next_key::<String>()? else {
                return Ok(());
            };
            shared.begin_part();
            if wanted == "*" || is_same_name(&name, wanted) {
                entries.next_value_seed(Walk {
                    names,
                    shared: &mut *shared,
                })?;
            } else {
                let progress = shared.progress.as_deref();
                entries.next_value_seed(Pass { progress })?;
            }
        }
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

#[cfg(test)]
mod tests;
