//! A small tree of an XML document without a document type; of attributes the currency alone is kept.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::Fault;

/// How deep elements of a statement are nested; camt has fewer.
const DEPTH_MAX: usize = 32;
/// Takes the place of an entity that only a document type could define.
const UNKNOWN: char = '\u{fffd}';

/// An element with its text and children.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub name: String,
    /// The attribute `Ccy`.
    pub currency: Option<String>,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    /// The children of a name.
    pub(crate) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first element along a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        match path {
            [] => Some(self),
            [name, rest @ ..] => self.all(name).find_map(|child| child.at(rest)),
        }
    }

    /// The text of the first element along a path.
    pub(crate) fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path).map(|found| found.text.trim())
    }

    /// Hands out this element and all below it.
    pub(crate) fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Self)) {
        see(self);
        for child in &self.children {
            child.walk(see);
        }
    }
}

/// Reads a document.
///
/// # Errors
/// For a document type, elements that are not closed or too deep, and what is no XML.
pub(crate) fn read_document(text: &str) -> Result<Element, Fault> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let fault = || Fault::Unreadable(count_lines(text, at));
        match reader.read_event().map_err(|_| fault())? {
            Event::DocType(_) => return Err(Fault::DocumentType),
            Event::Eof => break,
            Event::Start(start) => {
                if open.len() > DEPTH_MAX {
                    return Err(fault());
                }
                open.push(read_element(&start));
            }
            Event::Empty(start) => add_child(&mut open, read_element(&start)),
            Event::End(_) => {
                let closed = open.pop().filter(|_| !open.is_empty()).ok_or_else(fault)?;
                add_child(&mut open, closed);
            }
            Event::Text(words) => add_text(&mut open, &words.decode().map_err(|_| fault())?),
            Event::CData(words) => add_text(&mut open, &words.decode().map_err(|_| fault())?),
            Event::GeneralRef(reference) => add_text(&mut open, &resolve_entity(&reference).to_string()),
            _ => {}
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(root), true) => Ok(root),
        _ => Err(Fault::Unreadable(count_lines(text, text.len()))),
    }
}

fn read_element(start: &BytesStart<'_>) -> Element {
    let currency = start.try_get_attribute("Ccy").ok().flatten();
    Element {
        name: String::from_utf8_lossy(start.local_name().as_ref()).into_owned(),
        currency: currency.map(|given| String::from_utf8_lossy(&given.value).trim().to_owned()),
        ..Element::default()
    }
}

fn add_child(open: &mut [Element], child: Element) {
    if let Some(parent) = open.last_mut() {
        parent.children.push(child);
    }
}

fn add_text(open: &mut [Element], words: &str) {
    if let Some(inner) = open.last_mut() {
        inner.text.push_str(words);
    }
}

/// The letter of `&amp;` and `&#52;`.
fn resolve_entity(reference: &BytesRef<'_>) -> char {
    if let Ok(Some(letter)) = reference.resolve_char_ref() {
        return letter;
    }
    match &reference[..] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        _ => UNKNOWN,
    }
}

fn count_lines(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}
