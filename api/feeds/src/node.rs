//! A record of a feed as one tree, whatever its format: a row of CSV is a flat one, attributes of XML are names with `@` before them.

use unicode_normalization::UnicodeNormalization as _;

/// How deep a record may be nested.
pub(crate) const DEPTH_MAX: usize = 24;
/// Values that one record may hold, those of its lists and objects counted too. A home of a hundred rooms has some ten thousand.
pub(crate) const VALUES_MAX: usize = 100_000;
/// Names that one object of a record may have.
pub(crate) const NAMES_MAX: usize = 5_000;
/// How deep a file may be nested around its records.
pub(crate) const FILE_DEPTH_MAX: usize = 100;

/// The sentence about a record with too many values.
pub(crate) fn explain_values() -> String {
    format!("the record has more than {VALUES_MAX} values: no home has so many")
}

/// The sentence about an object with too many names.
pub(crate) fn explain_names() -> String {
    format!("an object of the record has more than {NAMES_MAX} names: write a list where things are many")
}

/// The name of an element's own text beside its attributes.
pub(crate) const OWN_TEXT: &str = "#text";

/// A value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Null,
    Flag(bool),
    /// A number of JSON as it is written, so that ids of thirty digits stay whole.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// A value that is one text, and whether it is a number of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar<'n> {
    pub text: &'n str,
    pub is_number: bool,
}

/// Names under which an object holds its own value: an element's text, JSON-LD, quantities, countries, amounts.
const VALUE_NAMES: [&str; 5] = [OWN_TEXT, "@value", "value", "amount", "name"];

impl Node {
    /// The value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .find(|(key, _)| is_same_name(key, name))
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a value, or of the value that an object stands for; `None` for null, an empty text and what holds several.
    pub(crate) fn as_scalar(&self) -> Option<Scalar<'_>> {
        let scalar = |text, is_number| Scalar { text, is_number };
        match self {
            Self::Null => None,
            Self::Flag(true) => Some(scalar("true", false)),
            Self::Flag(false) => Some(scalar("false", false)),
            Self::Number(text) => Some(scalar(text.as_str(), true)),
            Self::Text(text) => Some(text.trim())
                .filter(|text| !text.is_empty())
                .map(|text| scalar(text, false)),
            Self::List(items) => match &items[..] {
                [only] => only.as_scalar(),
                _ => None,
            },
            Self::Map(_) => VALUE_NAMES
                .iter()
                .find_map(|name| self.get(name).and_then(Self::as_plain)),
        }
    }

    /// The text of a value that holds no others.
    fn as_plain(&self) -> Option<Scalar<'_>> {
        match self {
            Self::List(_) | Self::Map(_) => None,
            plain => plain.as_scalar(),
        }
    }

    /// The items of a list; a value that is none is its own only item, and null has none.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::Null => &[],
            Self::List(items) => items,
            single => std::slice::from_ref(single),
        }
    }

    /// Whether it holds no value at all.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Flag(_) | Self::Number(_) => false,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(items) => items.iter().all(Self::is_empty),
            Self::Map(entries) => entries.iter().all(|(_, value)| value.is_empty()),
        }
    }
}

/// Whether two names of columns are one: without their case and the ways to write one accent.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    if one == other || one.eq_ignore_ascii_case(other) {
        return true;
    }
    let is_plain = one.is_ascii() || other.is_ascii();
    !is_plain && fold_name(one) == fold_name(other)
}

/// How names are compared.
pub(crate) fn fold_name(name: &str) -> String {
    name.trim().nfc().collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    #[test]
    fn objects_stand_for_their_value() {
        let map = |entries: &[(&str, Node)]| {
            let entries = entries
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()));
            Node::Map(entries.collect())
        };
        let read = |node: &Node| node.as_scalar().map(|scalar| scalar.text.to_owned());
        assert_eq!(
            read(&map(&[("@hide", text("false")), ("#text", text("1 Row"))])),
            Some("1 Row".into())
        );
        assert_eq!(
            read(&map(&[("@type", text("Country")), ("name", text("Ireland"))])),
            Some("Ireland".into())
        );
        assert_eq!(
            read(&map(&[("value", Node::Number("13".into()))])),
            Some("13".into())
        );
        assert_eq!(read(&map(&[("en", text("Yard"))])), None);
        assert_eq!(read(&text("  ")), None);
        assert_eq!(read(&Node::List(vec![text("a"), text("b")])), None);
    }

    #[test]
    fn names_are_compared_without_case_and_accents_form() {
        assert!(is_same_name("Straße", "straße"));
        assert!(is_same_name("Präis", "PRA\u{308}IS"));
        assert!(is_same_name("Price", "PRICE"));
        assert!(!is_same_name("price", "prise"));
    }
}
