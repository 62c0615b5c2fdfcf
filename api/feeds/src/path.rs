//! Dotted names of values in a record: `address.city`, `rooms[].leases[].price`, `media[type=1].url`, `point[0]`, `utilities.*`.

use crate::node::{Node, is_same_name};

/// A dotted name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// As the map writes it, without the `?` behind.
    pub text: String,
    steps: Vec<Step>,
    /// `?` behind the name: a file without it is taken all the same.
    pub is_optional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String, Option<Filter>),
    /// Every name of an object.
    Any,
}

/// Which items of a list are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Filter {
    /// Those whose named value is this one.
    Named { name: String, value: String },
    /// The one at this place, from 0.
    At(usize),
}

/// A value that a path leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'n> {
    pub node: &'n Node,
    /// The name that the last `*` took.
    pub key: Option<&'n str>,
}

impl Path {
    /// Reads a dotted name. A text that is none, such as `Nr.`, is the name of a column as a whole.
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let (text, is_optional) = match text.strip_suffix('?') {
            Some(text) => (text.trim_end(), true),
            None => (text, false),
        };
        let steps = split_steps(text).unwrap_or_else(|| vec![Step::Name(text.to_owned(), None)]);
        Self {
            text: text.to_owned(),
            steps,
            is_optional,
        }
    }

    /// The last name of the path; empty for `*`.
    pub(crate) fn last_name(&self) -> &str {
        match self.steps.last() {
            Some(Step::Name(name, _)) => name,
            _ => "",
        }
    }

    /// The rest of this path behind another one; `None` where it does not begin with it.
    pub(crate) fn strip_prefix(&self, prefix: &Self) -> Option<Self> {
        let rest = self.steps.strip_prefix(&prefix.steps[..])?;
        (!rest.is_empty()).then(|| Self {
            text: self.text.clone(),
            steps: rest.to_vec(),
            is_optional: self.is_optional,
        })
    }

    /// Whether a name of the file, such as `rooms.leases.price`, is one that this path leads to or through.
    pub(crate) fn leads_to(&self, seen: &str) -> bool {
        if is_same_name(&self.text, seen) {
            return true;
        }
        let names: Vec<&str> = seen.split('.').collect();
        names.len() >= self.steps.len()
            && self.steps.iter().zip(&names).all(|(step, name)| match step {
                Step::Any => true,
                Step::Name(wanted, _) => is_same_name(wanted, name),
            })
    }

    /// All values at this path, in their order. Lists on the way are walked, one at the end is handed out whole.
    pub(crate) fn find<'n>(&self, root: &'n Node) -> Vec<Found<'n>> {
        let mut found = Vec::new();
        match root.get(&self.text) {
            Some(node) => found.push(Found { node, key: None }),
            None => walk(root, &self.steps, None, &mut found),
        }
        found
    }
}

fn walk<'n>(node: &'n Node, steps: &[Step], key: Option<&'n str>, found: &mut Vec<Found<'n>>) {
    let Some((step, rest)) = steps.split_first() else {
        found.push(Found { node, key });
        return;
    };
    match (node, step) {
        (Node::List(items), _) => {
            for item in items {
                walk(item, steps, key, found);
            }
        }
        (Node::Map(entries), Step::Any) => {
            for (name, value) in entries {
                walk(value, rest, Some(name.as_str()), found);
            }
        }
        (Node::Map(_), Step::Name(name, filter)) => {
            let Some(child) = node.get(name) else {
                return;
            };
            match filter {
                None => walk(child, rest, key, found),
                Some(filter) => {
                    let items = child.items().iter().enumerate();
                    for (_, item) in items.filter(|(place, item)| filter.takes(*place, item)) {
                        walk(item, rest, key, found);
                    }
                }
            }
        }
        _ => {}
    }
}

impl Filter {
    fn takes(&self, place: usize, item: &Node) -> bool {
        match self {
            Self::At(wanted) => place == *wanted,
            Self::Named { name, value } => item
                .get(name)
                .and_then(Node::as_scalar)
                .is_some_and(|found| is_same_name(found.text, value)),
        }
    }
}

/// The steps of a dotted name; dots inside brackets part nothing.
fn split_steps(text: &str) -> Option<Vec<Step>> {
    let (mut parts, mut begins, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1)?,
            '.' if depth == 0 => {
                parts.push(&text[begins..at]);
                begins = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begins..]);
    parts.into_iter().map(read_step).collect()
}

fn read_step(part: &str) -> Option<Step> {
    let part = part.trim();
    if part == "*" {
        return Some(Step::Any);
    }
    let (name, filter) = match part.split_once('[') {
        None => (part, None),
        Some((name, inside)) => {
            let inside = inside.strip_suffix(']')?.trim();
            // Empty brackets only say that a list stands there.
            let filter = match inside {
                "" => None,
                inside => Some(read_filter(inside)?),
            };
            (name, filter)
        }
    };
    let name = name.trim();
    (!name.is_empty()).then(|| Step::Name(name.to_owned(), filter))
}

/// `type=1`, or a place such as `0`.
fn read_filter(inside: &str) -> Option<Filter> {
    let Some((name, value)) = inside.split_once('=') else {
        return inside.parse().ok().map(Filter::At);
    };
    Some(Filter::Named {
        name: name.trim().to_owned(),
        value: value.trim().trim_matches('"').to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Node {
        let value: serde_json::Value = serde_json::from_str(
            r#"{"address": {"city": "Leeds"}, "Nr.": "A",
                "rooms": [{"leases": [{"price": 1}, {"price": 2}]}, {"leases": {"price": 3}}],
                "media": [{"type": 1, "url": "a"}, {"type": 2, "url": "b"}, {"type": 1, "url": "c"}],
                "bills": {"gas": true, "water": false}, "point": [-1.5, 53.8]}"#,
        )
        .unwrap();
        to_node(&value)
    }

    fn to_node(value: &serde_json::Value) -> Node {
        match value {
            serde_json::Value::Null => Node::Null,
            serde_json::Value::Bool(flag) => Node::Flag(*flag),
            serde_json::Value::Number(number) => Node::Number(number.to_string()),
            serde_json::Value::String(text) => Node::Text(text.clone()),
            serde_json::Value::Array(items) => Node::List(items.iter().map(to_node).collect()),
            serde_json::Value::Object(entries) => Node::Map(
                entries
                    .iter()
                    .map(|(name, value)| (name.clone(), to_node(value)))
                    .collect(),
            ),
        }
    }

    fn find(path: &str) -> Vec<String> {
        let record = record();
        let found = Path::parse(path).find(&record);
        found
            .iter()
            .map(|found| {
                let text = found.node.as_scalar().map_or("", |scalar| scalar.text);
                found
                    .key
                    .map_or_else(|| text.to_owned(), |key| format!("{key}={text}"))
            })
            .collect()
    }

    #[test]
    fn paths_lead_to_their_values() {
        for (path, values) in [
            ("address.city", vec!["Leeds"]),
            ("Address.City?", vec!["Leeds"]),
            ("Nr.", vec!["A"]),
            ("rooms[].leases[].price", vec!["1", "2", "3"]),
            ("rooms.leases.price", vec!["1", "2", "3"]),
            ("media[type=1].url", vec!["a", "c"]),
            ("media[type = \"2\"].url", vec!["b"]),
            ("bills.*", vec!["gas=true", "water=false"]),
            ("point[1]", vec!["53.8"]),
            ("rooms[1].leases.price", vec!["3"]),
            ("point[2]", vec![]),
            ("bills.oil", vec![]),
            ("address.city.name", vec![]),
        ] {
            assert_eq!(find(path), values, "{path}");
        }
    }

    #[test]
    fn path_behind_a_list_is_read_within_it() {
        let leases = Path::parse("rooms[].leases[]");
        let price = Path::parse("rooms[].leases[].price.amount");
        assert_eq!(price.strip_prefix(&leases).unwrap().steps.len(), 2);
        assert_eq!(Path::parse("address.city").strip_prefix(&leases), None);
        assert_eq!(leases.strip_prefix(&leases), None);
    }

    #[test]
    fn path_leads_to_names_of_the_file_at_and_below_it() {
        let path = Path::parse("rooms[].leases[]");
        assert!(path.leads_to("rooms.leases") && path.leads_to("rooms.leases.price"));
        assert!(!path.leads_to("rooms") && !path.leads_to("room.leases"));
        assert!(Path::parse("costs.*.value").leads_to("costs.gas.value"));
        assert!(Path::parse("Nr.").leads_to("nr."));
    }
}
