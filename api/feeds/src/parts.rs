//! Reads what has parts of its own: facilities, bills, guarantors, pictures, questions.

use crate::fields::Field;
use crate::home::{Bill, BillState, Bills, Facility, Guarantor, LeaseBills, Picture, Question, Texts};
use crate::node::Node;
use crate::reading::{Reading, collect_texts, name_value};
use crate::values::html::{clean_line, clean_text};
use crate::values::money::{MoneyContext, read_money};
use crate::values::words::{fold, read_all_bills, read_bill_item, read_bill_state, read_flag};

/// Items that one home may have of a kind; of pictures one more is read, so that it is known that there are more.
pub(crate) const ITEMS_MAX: usize = 200;
/// Names under which an item says what it is, the likeliest first.
const NAMES: [&str; 6] = ["name", "title", "label", "key", "@type", "type"];
/// Names under which it says whether it is there.
const VALUES: [&str; 6] = ["value", "tag", "included", "#text", "available", "@value"];
/// Names under which a picture says where it is.
const PLACES: [&str; 13] = [
    "url",
    "contenturl",
    "photo",
    "src",
    "@source",
    "@url",
    "@src",
    "href",
    "source",
    "picture_url",
    "media_url",
    "image",
    "#text",
];
const CAPTIONS: [&str; 5] = ["caption", "alt", "label", "title", "picture_title"];
const ORDERS: [&str; 3] = ["sort_order", "order", "position"];
const QUESTIONS: [&str; 3] = ["question", "q", "name"];
const ANSWERS: [&str; 4] = ["answer", "a", "text", "acceptedanswer"];

impl Reading<'_> {
    /// The facilities of a field: words, objects of yes and no, items with a name and a value.
    pub(crate) fn facilities(&mut self, field: Field) -> Vec<Facility> {
        let mut facilities = Vec::new();
        for value in self.values(field) {
            let name = name_value(&value).to_owned();
            // A column of yes and no is called what it is about.
            let scalar = value.node.as_scalar();
            let is_flag = scalar.is_some_and(|scalar| read_flag(scalar.text).is_some());
            let is_plain = !matches!(*value.node, Node::List(_) | Node::Map(_));
            let is_keyed = value.key.is_some() || (is_flag && is_plain);
            collect_facilities(&value.node, is_keyed.then_some(name.as_str()), &mut facilities);
        }
        facilities.retain(|facility: &Facility| !facility.words.is_empty());
        facilities.dedup();
        facilities.truncate(ITEMS_MAX);
        facilities
    }

    /// Bills beside the rent; `None` where nothing is said.
    pub(crate) fn bills(&mut self, context: MoneyContext<'_>) -> Option<Bills> {
        let mut bills = Bills::default();
        for value in self.values(Field::Bills) {
            let unit = value.column.unit.as_deref();
            let context = MoneyContext {
                is_minor: unit == Some("cents"),
                ..context
            };
            let is_keyed = value.key.is_some() || matches!(*value.node, Node::Flag(_));
            if is_keyed {
                add_bill(&mut bills, name_value(&value), &value.node, context);
            } else {
                self.collect_bills(&value.node, &mut bills, context);
            }
        }
        (bills != Bills::default()).then_some(bills)
    }

    fn collect_bills(&self, node: &Node, bills: &mut Bills, context: MoneyContext<'_>) {
        match node {
            Node::List(items) => {
                for item in items {
                    self.collect_bills(item, bills, context);
                }
            }
            Node::Map(entries) => match find_named(node, &NAMES) {
                Some(name) => add_bill(bills, &name, node, context),
                None => {
                    for (name, value) in entries {
                        add_bill(bills, name, value, context);
                    }
                }
            },
            plain => {
                let Some(scalar) = plain.as_scalar() else {
                    return;
                };
                let text = self.plan.map.translate(Field::Bills, scalar.text);
                if let Some(state) = read_all_bills(text) {
                    bills.all = Some(state);
                    return;
                }
                for item in text.split([',', ';', '|', '\n']) {
                    let (words, state) = read_bill_item(&clean_line(item));
                    if !words.is_empty() {
                        push_bill(bills, words, state, None);
                    }
                }
            }
        }
    }

    /// A month's bills of one lease: an amount, or that the rent has them in it.
    pub(crate) fn lease_bills(&mut self, context: MoneyContext<'_>) -> Option<LeaseBills> {
        let cell = self.cell(Field::LeaseBills)?;
        let is_word = cell.text.chars().any(char::is_alphabetic);
        if is_word && read_bill_state(&cell.text) == Some(BillState::Included) {
            return Some(LeaseBills::Included);
        }
        let context = MoneyContext {
            is_minor: cell.unit == Some("cents"),
            is_number: cell.is_number,
            ..context
        };
        match read_money(&cell.text, context) {
            Ok(read) => Some(LeaseBills::Monthly(crate::home::Amount {
                minor: read.minor,
                currency: read.currency.code,
            })),
            Err(_unread) => {
                self.warn(
                    &cell.path,
                    &cell.text,
                    "it is no amount of bills, and is not shown",
                );
                None
            }
        }
    }

    /// Rules about a guarantor.
    pub(crate) fn guarantor(&mut self) -> Option<Guarantor> {
        let value = self.values(Field::Guarantor).into_iter().next()?;
        if let Some(required) = value.node.get("required") {
            let kinds = value.node.get("kinds").map(Node::items).unwrap_or_default();
            let kinds = kinds.iter().filter_map(Node::as_scalar);
            return Some(Guarantor {
                required: required.as_scalar().and_then(|scalar| read_flag(scalar.text)),
                kinds: kinds.map(|scalar| clean_line(scalar.text)).collect(),
                words: None,
            });
        }
        let words = self.text(Field::Guarantor)?;
        let required = match fold(&words).as_str() {
            "not required" | "not needed" | "keiner" | "ninguno" | "aucun" | "nessuno" => Some(false),
            "required" | "needed" | "erforderlich" => Some(true),
            _ => read_flag(&words),
        };
        Some(Guarantor {
            required,
            kinds: Vec::new(),
            words: required.is_none().then_some(words),
        })
    }

    /// Pictures in their order. What is no address of one is named.
    pub(crate) fn pictures(&mut self, field: Field) -> Vec<Picture> {
        let mut found = Vec::new();
        for value in self.values(field) {
            let path = crate::reading::describe_path(field, &value);
            let mut pictures = Vec::new();
            collect_pictures(&value.node, &self.plan.map.language, 0, &mut pictures);
            found.extend(
                pictures
                    .into_iter()
                    .map(|(order, picture)| (order, path.clone(), picture)),
            );
        }
        // Where the feed numbers them, its numbers decide.
        found.sort_by_key(|(order, ..)| *order);
        let mut pictures: Vec<Picture> = Vec::new();
        for (_, path, picture) in found {
            if is_picture_place(&picture.place) {
                let is_new = pictures.iter().all(|known| known.place != picture.place);
                if is_new && pictures.len() <= ITEMS_MAX {
                    pictures.push(picture);
                }
            } else {
                let reason = "it is no address: https://… or a path beside the file";
                self.warn(&path, &picture.place, reason);
            }
        }
        pictures
    }

    /// Addresses of videos or tours.
    pub(crate) fn links(&mut self, field: Field) -> Vec<String> {
        let pictures = self.pictures(field).into_iter().take(ITEMS_MAX);
        pictures.map(|picture| picture.place).collect()
    }

    /// Questions with their answers.
    pub(crate) fn questions(&mut self) -> Vec<Question> {
        let mut questions = Vec::new();
        for value in self.values(Field::Faqs) {
            for item in value.node.items() {
                let texts = |names: &[&str], is_line| {
                    let node = names.iter().find_map(|name| item.get(name));
                    node.map(|node| read_texts(node, &self.plan.map.language, is_line))
                        .unwrap_or_default()
                };
                let (question, answer) = (texts(&QUESTIONS, true), texts(&ANSWERS, false));
                if !question.is_empty() && !answer.is_empty() && questions.len() < ITEMS_MAX {
                    questions.push(Question { question, answer });
                }
            }
        }
        questions
    }
}

fn read_texts(node: &Node, language: &str, is_line: bool) -> Texts {
    let mut said = Vec::new();
    collect_texts(node, language, &mut said);
    let clean = |text: &str| {
        if is_line {
            clean_line(text)
        } else {
            clean_text(text)
        }
    };
    said.into_iter()
        .map(|(language, scalar)| (language, clean(scalar.text)))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// The first text under one of these names.
fn find_named(node: &Node, names: &[&str]) -> Option<String> {
    let scalar = names
        .iter()
        .find_map(|name| node.get(name).and_then(Node::as_scalar))?;
    Some(scalar.text.to_owned())
}

fn collect_facilities(node: &Node, key: Option<&str>, found: &mut Vec<Facility>) {
    match (node, key) {
        (Node::List(items), _) => {
            for item in items {
                collect_facilities(item, key, found);
            }
        }
        (Node::Map(entries), None) => match (find_named(node, &NAMES), find_named(node, &VALUES)) {
            (Some(name), Some(value)) => found.push(describe_facility(&name, &value)),
            (Some(name), None) => push_words(found, &name),
            (None, _) => {
                // Of one facility in several languages the first names it.
                if let Some((_, first)) = entries.first().filter(|_| entries.iter().all(is_translation)) {
                    collect_facilities(first, None, found);
                    return;
                }
                for (name, value) in entries {
                    collect_facilities(value, Some(name.as_str()), found);
                }
            }
        },
        (plain, key) => {
            let Some(scalar) = plain.as_scalar() else {
                return;
            };
            match key {
                Some(name) => found.push(describe_facility(name, scalar.text)),
                None => split_words(scalar.text, found),
            }
        }
    }
}

/// Whether an entry is words under the tag of a language, and no yes or no under a short name.
fn is_translation(entry: &(String, Node)) -> bool {
    let (name, value) = entry;
    let is_tag = name.len() == 2 && crate::fields::is_language(name);
    is_tag && matches!(value, Node::Text(text) if read_flag(text).is_none())
}

/// `Wifi|Gym`, `["Wifi", "Gym"]`, `WLAN, Bett`.
fn split_words(text: &str, found: &mut Vec<Facility>) {
    if text.starts_with('[')
        && let Ok(words) = serde_json::from_str::<Vec<String>>(text)
    {
        for word in words {
            push_words(found, &word);
        }
        return;
    }
    let signs: &[char] = if text.contains('|') {
        &['|']
    } else if text.contains(';') {
        &[';', '\n']
    } else {
        &[',', '\n']
    };
    for word in text.split(signs) {
        push_words(found, word);
    }
}

fn push_words(found: &mut Vec<Facility>, words: &str) {
    found.push(Facility {
        words: clean_line(words),
        is_there: true,
    });
}

/// A facility with a value: yes and no say whether it is there, other words belong to it.
fn describe_facility(name: &str, value: &str) -> Facility {
    match read_flag(value) {
        Some(is_there) => Facility {
            words: clean_line(name),
            is_there,
        },
        None => Facility {
            words: clean_line(&format!("{name}: {value}")),
            is_there: true,
        },
    }
}

fn add_bill(bills: &mut Bills, name: &str, node: &Node, context: MoneyContext<'_>) {
    let state = node.get("included").unwrap_or(node);
    let Some(state) = state.as_scalar().and_then(|scalar| read_bill_state(scalar.text)) else {
        return;
    };
    let amount = node
        .get("included")
        .and_then(|_| node.get("value").or_else(|| node.get("amount")));
    let amount = amount.and_then(Node::as_scalar).and_then(|scalar| {
        let context = MoneyContext {
            is_number: scalar.is_number,
            ..context
        };
        Some(read_money(scalar.text, context).ok()?.minor)
    });
    let folded = fold(name);
    if folded == "all" || folded.starts_with("all bills") {
        bills.all = Some(state);
    } else {
        let amount = amount.filter(|_| state == BillState::Apart);
        push_bill(bills, clean_line(name), state, amount);
    }
}

fn push_bill(bills: &mut Bills, words: String, state: BillState, amount_minor: Option<u64>) {
    if bills.items.len() < ITEMS_MAX {
        bills.items.push(Bill {
            words,
            state,
            amount_minor,
        });
    }
}

/// The pictures of a value, each with its number among them, where the feed numbers them.
fn collect_pictures(node: &Node, language: &str, depth: usize, found: &mut Vec<(u32, Picture)>) {
    match node {
        Node::List(items) => {
            for item in items {
                collect_pictures(item, language, depth, found);
            }
        }
        Node::Map(entries) => match find_named(node, &PLACES) {
            Some(place) => {
                let order = find_named(node, &ORDERS).and_then(|order| order.parse().ok());
                let caption = CAPTIONS.iter().find_map(|name| node.get(name));
                let picture = Picture {
                    place,
                    caption: caption
                        .map(|node| read_texts(node, language, true))
                        .unwrap_or_default(),
                    kind: find_named(node, &["kind", "type"]).map(|kind| clean_line(&kind)),
                };
                found.push((order.unwrap_or_default(), picture));
            }
            // `<images><image><url>`: a list in an element of its own.
            None if depth < 2 => {
                for (_, value) in entries {
                    collect_pictures(value, language, depth + 1, found);
                }
            }
            None => {}
        },
        plain => {
            let Some(scalar) = plain.as_scalar() else {
                return;
            };
            let places = split_places(scalar.text).into_iter();
            found.extend(places.map(|place| (0, place_picture(place))));
        }
    }
}

/// Several addresses in one cell: a list of JSON, or parted by lines, spaces or signs.
fn split_places(text: &str) -> Vec<String> {
    let listed = serde_json::from_str::<Vec<String>>(text).unwrap_or_default();
    if !listed.is_empty() {
        return listed;
    }
    if text.matches("://").count() < 2 {
        return vec![text.to_owned()];
    }
    text.replace(",http", " http")
        .split(|sign: char| sign.is_whitespace() || sign == '|' || sign == ';')
        .map(|place| place.trim_matches(',').to_owned())
        .filter(|place| !place.is_empty())
        .collect()
}

fn place_picture(place: String) -> Picture {
    Picture {
        place,
        ..Picture::default()
    }
}

/// An address by `http` or `https`, or a path beside the file that does not lead above it.
fn is_picture_place(place: &str) -> bool {
    let lower = place.to_ascii_lowercase();
    if lower.starts_with("https://") || lower.starts_with("http://") {
        return !place.contains(char::is_whitespace);
    }
    let is_path = !place.contains(':') && !place.starts_with(['/', '\\']) && place.contains('.');
    is_path && !place.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_pictures_are_told_from_other_texts() {
        for place in ["https://a.example/1.jpg", "HTTP://a.example/1", "photos/1.jpg"] {
            assert!(is_picture_place(place), "{place}");
        }
        for place in [
            "javascript:alert(1)",
            "data:image/png;base64,AAAA",
            "file:///etc/passwd",
            "/etc/passwd.jpg",
            "../secret.jpg",
            "a\\..\\b.jpg",
            "https://a b",
            "no picture",
        ] {
            assert!(!is_picture_place(place), "{place}");
        }
    }

    #[test]
    fn facilities_are_read_from_words_lists_and_items() {
        let text = |text: &str| Node::Text(text.to_owned());
        let item = |name: &str, flag| {
            Node::Map(vec![
                ("name".to_owned(), text(name)),
                ("value".to_owned(), Node::Flag(flag)),
            ])
        };
        let tag = Node::Map(vec![
            ("@type".to_owned(), text("LAUNDRY")),
            ("tag".to_owned(), text("In_unit")),
        ]);
        let both = Node::Map(vec![
            ("en".to_owned(), text("Furnished")),
            ("es".to_owned(), text("Amueblado")),
        ]);
        for (node, words) in [
            (text("Wifi|Gym, large"), vec!["Wifi", "Gym, large"]),
            (text("[\"Wifi\", \"Kitchen\"]"), vec!["Wifi", "Kitchen"]),
            (text("WLAN, Bett"), vec!["WLAN", "Bett"]),
            (
                Node::List(vec![item("Gym", true), item("Parking", false)]),
                vec!["Gym", "no Parking"],
            ),
            (tag, vec!["LAUNDRY: In_unit"]),
            (both, vec!["Furnished"]),
            (Node::Map(vec![("wifi".to_owned(), text("yes"))]), vec!["wifi"]),
            (
                Node::Map(vec![("toilet".to_owned(), text("shared"))]),
                vec!["toilet: shared"],
            ),
        ] {
            let mut found = Vec::new();
            collect_facilities(&node, None, &mut found);
            let found: Vec<String> = found
                .iter()
                .map(|facility| {
                    let before = if facility.is_there { "" } else { "no " };
                    format!("{before}{}", facility.words)
                })
                .collect();
            assert_eq!(found, words);
        }
    }
}
