//! Elements of XML as records. No document type is read and no entity of one expanded; a name that only a document type could
//! define becomes U+FFFD, which every reader of a value refuses.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::{Record, Take};
use crate::node::{
    DEPTH_MAX, FILE_DEPTH_MAX, NAMES_MAX, Node, OWN_TEXT, VALUES_MAX, explain_names, explain_values,
    is_same_name,
};
use crate::source::{Counted, Progress};
use crate::values::html::{decode_entities, find_entity};

/// How deep a list of elements is looked for.
const LIST_DEPTH: usize = 4;
/// Paths of elements that are counted.
const PATHS_MAX: usize = 1_000;
const DOCUMENT_TYPE: &str = "the file has a document type (<!DOCTYPE …>), which is not read: send it without";
const LOST: char = '\u{fffd}';

/// Hands every element of the list to `take`.
pub(super) fn read(feed: Counted<impl BufRead>, list: &[String], take: &mut Take<'_>) -> Result<(), String> {
    let mut events = Events::new(feed);
    // The names of the open elements, the root first.
    let mut open: Vec<String> = Vec::new();
    loop {
        events.progress.begin_record();
        match events.next_event()? {
            Step::Open(element) => {
                events.check_depth(open.len())?;
                open.push(element.name.clone());
                if is_list(&open, list) {
                    let line = events.progress.line();
                    let node = read_element(&mut events, element)?;
                    open.pop();
                    if take(Record { line, node }).is_err() {
                        return Ok(());
                    }
                }
            }
            Step::Whole(element) => {
                open.push(element.name.clone());
                if is_list(&open, list) {
                    let line = events.progress.line();
                    let node = Ok(close_element(element));
                    if take(Record { line, node }).is_err() {
                        return Ok(());
                    }
                }
                open.pop();
            }
            Step::Close => {
                open.pop();
            }
            Step::Text(_) => {}
            Step::End if open.is_empty() => return Ok(()),
            Step::End => return Err(events.explain("it ends inside an element")),
        }
    }
}

/// Whether the open elements are the list's path, with or without the root before it.
fn is_list(open: &[String], list: &[String]) -> bool {
    let is_same = |open: &[String]| {
        open.len() == list.len() && open.iter().zip(list).all(|(one, other)| is_same_name(one, other))
    };
    is_same(open) || open.split_first().is_some_and(|(_, below)| is_same(below))
}

/// An element that is being read.
#[derive(Default)]
struct Element {
    name: String,
    /// Attributes as `@name`, then children.
    entries: Vec<(String, Node)>,
    text: String,
}

enum Step {
    Open(Element),
    /// An element without content.
    Whole(Element),
    Close,
    Text(String),
    End,
}

/// Events of a document that matter here.
struct Events<R> {
    reader: Reader<Counted<R>>,
    progress: Rc<Progress>,
    buffer: Vec<u8>,
}

impl<R: BufRead> Events<R> {
    fn new(feed: Counted<R>) -> Self {
        let progress = feed.progress();
        Self {
            reader: Reader::from_reader(feed),
            progress,
            buffer: Vec::new(),
        }
    }

    fn next_event(&mut self) -> Result<Step, String> {
        loop {
            self.buffer.clear();
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => {
                    let reason = error.to_string();
                    return Err(self.explain(&reason));
                }
            };
            let step = match event {
                Event::DocType(_) => return Err(DOCUMENT_TYPE.to_owned()),
                Event::Eof => Step::End,
                Event::Start(start) => Step::Open(open_element(&start)),
                Event::Empty(start) => Step::Whole(open_element(&start)),
                Event::End(_) => Step::Close,
                Event::Text(words) => Step::Text(lossy(&words)),
                Event::CData(words) => Step::Text(lossy(&words)),
                Event::GeneralRef(reference) => Step::Text(resolve(&reference)),
                _ => continue,
            };
            return Ok(step);
        }
    }

    /// Bounds how many elements are open around a record.
    fn check_depth(&self, depth: usize) -> Result<(), String> {
        if depth < FILE_DEPTH_MAX {
            return Ok(());
        }
        Err(format!(
            "the file cannot be read on: line {} is nested deeper than {FILE_DEPTH_MAX}",
            self.progress.line()
        ))
    }

    fn explain(&self, reason: &str) -> String {
        format!(
            "the file cannot be read on: line {} is no well-formed XML: {reason}",
            self.progress.line()
        )
    }
}

/// Counts the values of a record; the first bound that it goes over refuses it.
struct Bounds {
    values: usize,
    broken: Option<String>,
}

impl Bounds {
    const fn new() -> Self {
        Self {
            values: 0,
            broken: None,
        }
    }

    /// Counts an element with its attributes. `false` where the record has gone over a bound, and keeps no more.
    fn take(&mut self, element: &Element) -> bool {
        self.values += 1 + element.entries.len();
        if self.values > VALUES_MAX {
            self.refuse(explain_values());
        } else if element.entries.len() > NAMES_MAX {
            self.refuse(explain_names());
        }
        self.broken.is_none()
    }

    fn refuse(&mut self, reason: String) {
        self.broken.get_or_insert(reason);
    }
}

/// Reads an element to its end. One that is nested too deep, or has too many parts, is read on and refused as a whole.
fn read_element<R: BufRead>(
    events: &mut Events<R>,
    element: Element,
) -> Result<Result<Node, String>, String> {
    let mut bounds = Bounds::new();
    bounds.take(&element);
    let (mut open, mut passed) = (vec![element], 0_usize);
    loop {
        match events.next_event()? {
            Step::Open(_) if open.len() >= DEPTH_MAX || passed > 0 => {
                bounds.refuse(format!("the record is nested deeper than {DEPTH_MAX}"));
                passed += 1;
            }
            Step::Open(element) if !bounds.take(&element) => passed += 1,
            Step::Open(element) => open.push(element),
            Step::Whole(element) => {
                if passed == 0 && bounds.take(&element) {
                    let name = element.name.clone();
                    add_child(&mut open, name, close_element(element), &mut bounds);
                }
            }
            Step::Text(text) => {
                if let Some(inner) = open.last_mut() {
                    inner.text.push_str(&text);
                }
            }
            Step::Close if passed > 0 => passed -= 1,
            Step::Close => {
                let Some(closed) = open.pop() else {
                    return Err(events.explain("an element ends that did not begin"));
                };
                let name = closed.name.clone();
                let node = close_element(closed);
                if open.is_empty() {
                    return Ok(match bounds.broken {
                        Some(reason) => Err(reason),
                        None => Ok(node),
                    });
                }
                add_child(&mut open, name, node, &mut bounds);
            }
            Step::End => return Err(events.explain("it ends inside an element")),
        }
    }
}

fn open_element(start: &BytesStart<'_>) -> Element {
    let attributes = start.attributes().flatten().map(|attribute| {
        let name = format!("@{}", String::from_utf8_lossy(attribute.key.as_ref()));
        (name, Node::Text(decode_entities(&lossy(&attribute.value))))
    });
    Element {
        name: String::from_utf8_lossy(start.name().as_ref()).into_owned(),
        entries: attributes.collect(),
        text: String::new(),
    }
}

/// The value of an element: its text, or its attributes and children with the text beside them.
fn close_element(element: Element) -> Node {
    let Element {
        mut entries, text, ..
    } = element;
    let text = text.trim();
    match (entries.is_empty(), text.is_empty()) {
        (true, true) => Node::Null,
        (true, false) => Node::Text(text.to_owned()),
        (false, true) => Node::Map(entries),
        (false, false) => {
            entries.push((OWN_TEXT.to_owned(), Node::Text(text.to_owned())));
            Node::Map(entries)
        }
    }
}

/// Adds a child to the innermost open element; those of one name become a list.
fn add_child(open: &mut [Element], name: String, child: Node, bounds: &mut Bounds) {
    let Some(parent) = open.last_mut() else {
        return;
    };
    let is_full = parent.entries.len() >= NAMES_MAX;
    match parent.entries.iter_mut().find(|(known, _)| *known == name) {
        None if is_full => bounds.refuse(explain_names()),
        None => parent.entries.push((name, child)),
        Some((_, Node::List(items))) => items.push(child),
        Some((_, first)) => {
            let before = std::mem::replace(first, Node::Null);
            *first = Node::List(vec![before, child]);
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The letters of `&amp;`, `&#52;`, and of the names that HTML has.
fn resolve(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(letter)) = reference.resolve_char_ref() {
        return letter.to_string();
    }
    let name = String::from_utf8_lossy(reference);
    find_entity(&name).unwrap_or(LOST).to_string()
}

/// How often each path of elements with others inside occurs, below the root.
pub(crate) fn find_elements(feed: Counted<impl BufRead>) -> Result<BTreeMap<String, u64>, String> {
    let mut events = Events::new(feed);
    // Each open element with whether it has been seen to hold others.
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut found = BTreeMap::new();
    loop {
        events.progress.begin_record();
        match events.next_event()? {
            Step::Open(element) => {
                events.check_depth(open.len())?;
                if let Some((_, holds)) = open.last_mut() {
                    *holds = true;
                }
                open.push((element.name, false));
            }
            Step::Whole(_) => {
                if let Some((_, holds)) = open.last_mut() {
                    *holds = true;
                }
            }
            Step::Close => {
                let holds = open.last().is_some_and(|(_, holds)| *holds);
                if holds && (2..=LIST_DEPTH).contains(&open.len()) {
                    let names: Vec<&str> = open[1..].iter().map(|(name, _)| name.as_str()).collect();
                    let path = names.join(".");
                    if found.len() < PATHS_MAX || found.contains_key(&path) {
                        *found.entry(path).or_default() += 1;
                    }
                }
                open.pop();
            }
            Step::Text(_) => {}
            Step::End => return Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Path;
    use crate::records::{Sheet, Stopped, read_records, split_list};
    use crate::source::open_source;

    type Read = (u64, Result<Node, String>);

    fn read(text: &str, list: &str) -> (Vec<Read>, Result<(), String>) {
        let source = text.as_bytes().to_vec();
        let sheet = Sheet {
            separator: None,
            is_wanted: &|_: &str| true,
            fill_down: &[],
            skip: Vec::new(),
        };
        let mut records = Vec::new();
        let mut take = |record: Record| -> Result<(), Stopped> {
            records.push((record.line, record.node));
            Ok(())
        };
        let opened = open_source(&source, None).unwrap();
        let end = read_records(opened, &split_list(list), &sheet, &mut take).map(drop);
        (records, end)
    }

    fn text_at(node: &Result<Node, String>, path: &str) -> Vec<String> {
        let node = node.as_ref().unwrap();
        let texts = |found: &crate::path::Found<'_>| {
            let scalar = found.node.as_scalar();
            scalar.map(|scalar| scalar.text.to_owned())
        };
        Path::parse(path).find(node).iter().filter_map(texts).collect()
    }

    #[test]
    fn elements_attributes_and_cdata_are_values() {
        let text = "<homes><head><x/></head>\n<home id=\"a&amp;b\" kind='flat'>\n<name>Tom &amp; Jerry&#39;s &eacute;</name>\
            <photo src=\"1\"/><photo src=\"2\"/><text><![CDATA[<p>5 < 6</p>]]></text><empty/></home></homes>";
        let (records, end) = read(text, "home");
        assert_eq!((records.len(), end, records[0].0), (1, Ok(()), 2));
        let home = &records[0].1;
        assert_eq!(text_at(home, "@id"), ["a&b"]);
        assert_eq!(text_at(home, "name"), ["Tom & Jerry's é"]);
        assert_eq!(text_at(home, "photo[].@src"), ["1", "2"]);
        assert_eq!(text_at(home, "text"), ["<p>5 < 6</p>"]);
        assert!(text_at(home, "empty").is_empty());
        assert_eq!(read(text, "homes.home").0.len(), 1);
    }

    #[test]
    fn document_types_and_their_entities_are_not_read() {
        let bomb = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY b \"&lol;&lol;\">]><homes><home>&b;</home></homes>";
        assert!(read(bomb, "home").1.unwrap_err().contains("DOCTYPE"));
        let (records, _) = read("<homes><home><name>&secret;</name></home></homes>", "home");
        assert_eq!(text_at(&records[0].1, "name"), ["\u{fffd}"]);
    }

    #[test]
    fn broken_document_keeps_what_was_read() {
        let (records, end) = read("<homes><home><id>1</id></home><home><id>2</home></homes>", "home");
        assert_eq!(records.len(), 1);
        assert!(end.unwrap_err().contains("line 1 is no well-formed XML"));
        let (records, end) = read("<homes><home><id>1</id></home><home>", "home");
        assert!(records.len() == 1 && end.is_err());
        let deep = format!(
            "<homes><home>{}{}</home><home><id>2</id></home></homes>",
            "<a>".repeat(60),
            "</a>".repeat(60)
        );
        let (records, end) = read(&deep, "home");
        assert!(records[0].1.is_err() && records[1].1.is_ok() && end.is_ok());
        let huge = format!(
            "<homes><home><id>{}</id></home></homes>",
            "x".repeat(9 * 1024 * 1024)
        );
        assert!(read(&huge, "home").1.unwrap_err().contains("larger than 8 MiB"));
    }

    #[test]
    fn elements_are_counted_by_their_path() {
        let text = "<root><head><version>3</version></head><homes><home><id>1</id></home><home><id>2</id></home></homes></root>";
        let source = text.as_bytes().to_vec();
        let found = find_elements(open_source(&source, None).unwrap().text).unwrap();
        let found: Vec<(&str, u64)> = found
            .iter()
            .map(|(path, count)| (path.as_str(), *count))
            .collect();
        assert_eq!(found, [("head", 1), ("homes", 1), ("homes.home", 2)]);
    }
}
