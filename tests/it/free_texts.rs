//! Marks in every free text of the request bodies that the served document knows: what a story leaves out is filled in, and a text
//! that no story sends is named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use aho_corasick::AhoCorasick;
use reqwest::Method;
use serde_json::{Map, Value, json};
use tests::document;

use crate::forgetting::in_base64;
use crate::visitor::Visitor;

/// Stands in a body for a mark that is found nowhere else.
pub(crate) const MARK: &str = "MARK";
/// Stands in a body for what is not sent.
pub(crate) const LEFT_OUT: &str = "LEFT OUT";
/// Any key of an object.
const ANY_KEY: &str = "*";
/// Any place in a list.
const ANY_PLACE: &str = "[]";

/// One call of a story.
pub(crate) struct Call<'c> {
    pub(crate) method: Method,
    /// As the document writes it.
    pub(crate) route: &'c str,
    pub(crate) path: &'c str,
    /// A text that is not in it is filled in. One that has a value is bound to it: an id, an address, a word of a list.
    pub(crate) body: Value,
}

/// How often a call is sent: each time without the texts that the answer before named as bad.
const TRIES: usize = 4;

/// Plants marks, and knows which texts were sent.
pub(crate) struct Planter {
    /// By operation.
    texts: BTreeMap<String, BTreeSet<String>>,
    sent: Mutex<BTreeSet<(String, String)>>,
    /// With the text that each one was planted in.
    marks: Mutex<Vec<(String, String)>>,
}

impl Planter {
    /// Reads the texts of every operation from the document.
    pub(crate) fn new() -> Self {
        Self {
            texts: free_texts(&serde_json::from_str(&document()).unwrap()),
            sent: Mutex::default(),
            marks: Mutex::default(),
        }
    }

    /// A word of letters alone, as a name may be, that is planted in `place`.
    pub(crate) fn mark(&self, place: &str) -> String {
        let mut marks = self.marks.lock().unwrap();
        let number = marks.len();
        let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
        let mark = format!("quokka{}{}zwick", letter(number / 26), letter(number));
        marks.push((mark.clone(), place.to_owned()));
        mark
    }

    /// Sends a call with a mark in each of its texts. A text that the server refuses by its name is bound, and left out.
    pub(crate) async fn send(&self, by: &Visitor<'_>, call: Call<'_>) -> Value {
        let operation = format!("{} {}", call.method, call.route);
        let texts = self.texts.get(&operation);
        let texts = texts.unwrap_or_else(|| panic!("{operation} has no free text"));
        let mut bound: BTreeSet<&String> = BTreeSet::new();
        for _ in 0..TRIES {
            let mut body = self.filled(&operation, &call.body);
            for text in texts.difference(&bound.iter().copied().cloned().collect()) {
                let mark = || self.mark(&format!("{operation} {text}"));
                put_where_missing(&mut body, &parts(text), &mark);
            }
            leave_out(&mut body);
            let answer = by
                .call(call.method.clone(), call.path, Some(body.clone()), &[])
                .await;
            if answer.status.is_success() {
                let all = texts.iter().map(|text| (operation.clone(), text.clone()));
                self.sent.lock().unwrap().extend(all);
                return answer.body["data"].clone();
            }
            let before = bound.len();
            let refused = answer.body["errors"].as_array().into_iter().flatten();
            for field in refused.filter_map(|error| error["field"].as_str()) {
                bound.extend(texts.iter().filter(|text| is_named(text, field)));
            }
            let status = answer.status;
            assert!(
                bound.len() > before,
                "{operation} {body}: {status} {}",
                answer.body
            );
        }
        panic!("{operation} is refused again and again: {bound:?}");
    }

    /// The body with a mark for each [`MARK`] in it.
    fn filled(&self, operation: &str, body: &Value) -> Value {
        match body {
            Value::String(text) if text.contains(MARK) => json!(text.replace(MARK, &self.mark(operation))),
            Value::Array(all) => all.iter().map(|part| self.filled(operation, part)).collect(),
            Value::Object(fields) => {
                let filled = fields
                    .iter()
                    .map(|(name, part)| (name.clone(), self.filled(operation, part)));
                Value::Object(filled.collect())
            }
            other => other.clone(),
        }
    }

    /// Fails for each text that no call has sent, and for each exemption that is not needed. An exemption names the beginning of an
    /// operation with its text.
    pub(crate) fn assert_all_sent(&self, exempted: &[(&str, &str)]) {
        let sent = self.sent.lock().unwrap();
        let all = self
            .texts
            .iter()
            .flat_map(|(operation, texts)| texts.iter().map(move |text| (operation, text)));
        let unsent = all.filter(|(operation, text)| !sent.contains(&((*operation).clone(), (*text).clone())));
        let unsent: Vec<String> = unsent
            .map(|(operation, text)| format!("{operation} {text}"))
            .collect();
        let is_exempted = |place: &&String| exempted.iter().any(|(start, _)| place.starts_with(start));
        let unplaced: Vec<&String> = unsent.iter().filter(|place| !is_exempted(place)).collect();
        assert!(
            unplaced.is_empty(),
            "free texts that nobody plants a mark in: {unplaced:#?}"
        );
        let is_unneeded = |(start, _): &&(&str, &str)| !unsent.iter().any(|place| place.starts_with(start));
        let unneeded: Vec<_> = exempted.iter().filter(is_unneeded).collect();
        assert!(
            unneeded.is_empty(),
            "exemptions that nothing needs: {unneeded:#?}"
        );
    }

    /// Everything to look for, in each way that it may have been written down, with the text it was planted in.
    pub(crate) fn search(&self) -> Search {
        let mut ways = Vec::new();
        let mut places = Vec::new();
        for (mark, place) in self.marks.lock().unwrap().iter() {
            let mut all = vec![mark.clone().into_bytes(), mark.to_uppercase().into_bytes()];
            all.extend((0..3).map(|shift| in_base64(mark, shift)));
            places.extend(all.iter().map(|_| format!("{place} ({mark})")));
            ways.extend(all);
        }
        Search {
            automaton: AhoCorasick::new(ways).unwrap(),
            places,
        }
    }
}

/// Finds marks in bytes.
pub(crate) struct Search {
    automaton: AhoCorasick,
    places: Vec<String>,
}

impl Search {
    /// The texts whose marks stand in these bytes.
    pub(crate) fn found_in(&self, bytes: &[u8]) -> BTreeSet<String> {
        let found = self.automaton.find_iter(bytes);
        found.map(|mark| self.places[mark.pattern()].clone()).collect()
    }

    /// Every file with a mark in it, and whose mark it is.
    pub(crate) fn find_among(&self, files: &[PathBuf]) -> BTreeSet<String> {
        let name = |file: &Path| {
            file.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let found = files.iter().flat_map(|file| {
            let texts = self.found_in(&std::fs::read(file).unwrap());
            texts
                .into_iter()
                .map(|text| format!("{}: {text}", name(file)))
                .collect::<Vec<_>>()
        });
        found.collect()
    }
}

fn parts(text: &str) -> Vec<&str> {
    text.split('/').collect()
}

/// Whether the server means this text by the name of a bad field, which it writes from within its own part of the body.
fn is_named(text: &str, field: &str) -> bool {
    let field = field.replace('.', "/");
    text == field || text.ends_with(&format!("/{field}"))
}

/// Writes a mark at a path where nothing stands; below any key or place of what is there, or of a new one.
fn put_where_missing(body: &mut Value, path: &[&str], mark: &dyn Fn() -> String) {
    match path.split_first() {
        None if body.is_null() => *body = json!(mark()),
        None => {}
        Some(_) if body == LEFT_OUT => {}
        Some((first, rest)) => each_below(body, first, &mut |below| {
            put_where_missing(below, rest, mark);
        }),
    }
}

fn leave_out(body: &mut Value) {
    match body {
        Value::Object(fields) => {
            fields.retain(|_, field| field != LEFT_OUT);
            fields.values_mut().for_each(leave_out);
        }
        Value::Array(all) => all.iter_mut().for_each(leave_out),
        _ => {}
    }
}

fn each_below(body: &mut Value, part: &str, act: &mut dyn FnMut(&mut Value)) {
    if part == ANY_PLACE {
        if !body.is_array() {
            *body = json!([null]);
        }
        body.as_array_mut().unwrap().iter_mut().for_each(act);
        return;
    }
    if !body.is_object() {
        *body = json!({});
    }
    let fields = body.as_object_mut().unwrap();
    if part != ANY_KEY {
        act(fields.entry(part).or_insert(Value::Null));
        return;
    }
    if fields.is_empty() {
        fields.insert("any".to_owned(), Value::Null);
    }
    fields.values_mut().for_each(act);
}

/// The strings of each operation's body that no list, form or pattern bounds, by their path.
fn free_texts(document: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let shapes = document["components"]["schemas"].as_object().unwrap();
    let mut found = BTreeMap::new();
    for (route, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let mut texts = BTreeSet::new();
            let bodies = operation["requestBody"]["content"].as_object();
            for body in bodies.into_iter().flat_map(Map::values) {
                collect(shapes, &body["schema"], "", &mut Vec::new(), &mut texts);
            }
            if !texts.is_empty() {
                found.insert(format!("{} {route}", method.to_uppercase()), texts);
            }
        }
    }
    found
}

/// Collects the free texts of a shape. `inside` are the shapes that it is part of: one that holds itself ends there.
fn collect(
    shapes: &Map<String, Value>,
    shape: &Value,
    path: &str,
    inside: &mut Vec<String>,
    texts: &mut BTreeSet<String>,
) {
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}/{name}")
        }
    };
    if let Some(name) = shape["$ref"].as_str().and_then(|named| named.rsplit('/').next()) {
        if !inside.iter().any(|outer| outer == name) {
            inside.push(name.to_owned());
            collect(shapes, &shapes[name], path, inside, texts);
            inside.pop();
        }
        return;
    }
    for ways in ["oneOf", "anyOf", "allOf"] {
        for way in shape[ways].as_array().into_iter().flatten() {
            collect(shapes, way, path, inside, texts);
        }
    }
    for (name, field) in shape["properties"].as_object().into_iter().flatten() {
        collect(shapes, field, &below(name), inside, texts);
    }
    for (part, name) in [("additionalProperties", ANY_KEY), ("items", ANY_PLACE)] {
        match &shape[part] {
            Value::Object(_) => collect(shapes, &shape[part], &below(name), inside, texts),
            Value::Bool(true) => drop(texts.insert(below(name))),
            _ => {}
        }
    }
    if is_free(shape) {
        texts.insert(path.to_owned());
    }
}

/// A string of any words, or a value of any kind.
fn is_free(shape: &Value) -> bool {
    let says = |word: &str| shape.get(word).is_some();
    if ["enum", "const", "format", "pattern"].into_iter().any(says) {
        return false;
    }
    let is_text = |kind: &Value| kind == "string";
    match &shape["type"] {
        Value::Array(kinds) => kinds.iter().any(is_text),
        Value::Null => !["oneOf", "anyOf", "allOf", "properties", "$ref"]
            .into_iter()
            .any(says),
        kind => is_text(kind),
    }
}
