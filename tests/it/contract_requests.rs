//! Requests made from the served document: what it describes is not refused for its form, and what it does not describe is not taken.

use std::collections::BTreeSet;

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Map, Value, json};
use tests::{Server, document};

use crate::visitor::{Answer, Visitor};

/// Refusals of what cannot be read; any other is a rule that the shape of one request cannot state, of what is stored or of what other
/// fields say.
const OF_FORM: [&str; 3] = ["wrong_type", "unknown_field", "malformed"];
/// The id in a path that asks for one.
const SOME_ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// The served document.
struct Document {
    whole: Value,
}

impl Document {
    fn read() -> Self {
        let whole = serde_json::from_str(&document()).unwrap();
        Self { whole }
    }

    /// Every operation: its method, its path with ids in it, and what the document says of it.
    fn operations(&self) -> impl Iterator<Item = (Method, String, &Value)> {
        let paths = self.whole["paths"].as_object().unwrap();
        paths.iter().flat_map(|(path, item)| {
            let called = item.as_object().unwrap().iter();
            called.map(|(method, operation)| {
                let method = method.to_uppercase().parse::<Method>().unwrap();
                (method, with_ids(path), operation)
            })
        })
    }

    /// A shape, followed to where it is described; of several ways the first that is not null.
    fn shape<'d>(&'d self, shape: &'d Value) -> &'d Value {
        if let Some(named) = shape["$ref"].as_str() {
            let pointer = named.trim_start_matches('#');
            return self.shape(self.whole.pointer(pointer).unwrap());
        }
        let ways = shape["oneOf"].as_array().into_iter().flatten();
        let way = ways.into_iter().find(|way| way["type"] != "null");
        way.map_or(shape, |way| self.shape(way))
    }

    fn validator(&self, shape: &Value) -> Validator {
        let mut whole = shape.clone();
        whole["components"] = self.whole["components"].clone();
        let options = jsonschema::options().should_validate_formats(true);
        options.build(&whole).unwrap()
    }

    /// A value of this shape with all of its fields; where the document gives an example, with what stands in it.
    fn filled(&self, shape: &Value) -> Value {
        let shape = self.shape(shape);
        let mut value = self.made_up(shape);
        if let Some(example) = shape.get("example") {
            lay_over(&mut value, example);
        }
        value
    }

    fn made_up(&self, shape: &Value) -> Value {
        if let Some(words) = shape["enum"].as_array() {
            return words[0].clone();
        }
        match kind(shape) {
            "object" => {
                let fields = shape["properties"].as_object().into_iter().flatten();
                let fields = fields.map(|(name, field)| (name.clone(), self.filled(field)));
                Value::Object(fields.collect())
            }
            "array" => json!([self.filled(&shape["items"])]),
            "integer" | "number" => shape.get("minimum").cloned().unwrap_or(json!(1)),
            "boolean" => json!(true),
            _ if shape["format"] == "uuid" => json!(SOME_ID),
            _ => json!("x"),
        }
    }

    /// Every place of a body, by the names on the way to it, with the shape that holds it. A shape that several bodies hold is walked
    /// once.
    fn places(&self, shape: &Value, path: &[String], known: &mut BTreeSet<String>) -> Vec<Vec<String>> {
        if let Some(named) = shape["$ref"].as_str()
            && !known.insert(named.to_owned())
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        let shape = self.shape(shape);
        let fields = shape["properties"].as_object().into_iter().flatten();
        let items = shape.get("items").map(|items| ("0", items));
        let below = fields.map(|(name, field)| (name.as_str(), field)).chain(items);
        for (name, field) in below {
            let path = [path, &[name.to_owned()]].concat();
            found.extend(self.places(field, &path, known));
            found.push(path);
        }
        found
    }
}

fn kind(shape: &Value) -> &str {
    let kinds = match &shape["type"] {
        Value::Array(kinds) => kinds.as_slice(),
        one => std::slice::from_ref(one),
    };
    let named = kinds
        .iter()
        .filter_map(Value::as_str)
        .find(|kind| *kind != "null");
    named.unwrap_or("object")
}

fn with_ids(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{key}" => "personal_form",
        "{name}" => "answer_hours",
        "{number}" => "R-2026-0000001",
        "{position}" => "1",
        id if id.starts_with('{') => SOME_ID,
        word => word,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn lay_over(value: &mut Value, example: &Value) {
    match (value, example) {
        (Value::Object(fields), Value::Object(said)) => {
            for (name, part) in said {
                lay_over(fields.entry(name).or_insert(Value::Null), part);
            }
        }
        (value, example) => *value = example.clone(),
    }
}

/// Values that a place of a body is changed to; `None` takes it away.
fn changes() -> [Option<Value>; 8] {
    let long = "x".repeat(20_000);
    [
        None,
        Some(Value::Null),
        Some(json!("no-such-word")),
        Some(json!(7)),
        Some(json!(-1)),
        Some(json!(true)),
        Some(json!({ "no_such_field": 1 })),
        Some(json!(long)),
    ]
}

/// The body with one place changed; `None` where it has no such place.
fn changed(body: &Value, path: &[String], to: Option<&Value>) -> Option<Value> {
    let mut body = body.clone();
    let (last, before) = path.split_last()?;
    let pointer = before.iter().fold(String::new(), |all, name| all + "/" + name);
    match (body.pointer_mut(&pointer)?, to) {
        (Value::Object(fields), None) => drop(fields.remove(last)?),
        (Value::Object(fields), Some(to)) => drop(fields.insert(last.clone(), to.clone())),
        (Value::Array(all), Some(to)) => to.clone_into(all.get_mut(0)?),
        _ => return None,
    }
    Some(body)
}

/// Finds the fault in the answer to a request. Words that a handler itself reads are refused behind the thing that they are about:
/// where that is not there, the answer is 404.
fn complaint(answer: &Answer, is_described: bool) -> Option<String> {
    if !is_described {
        let taken = !answer.status.is_client_error();
        return taken.then(|| format!("is taken: {}", answer.status));
    }
    let is_of_form = refusals(answer).any(|(_, code)| OF_FORM.contains(&code));
    is_of_form.then(|| format!("is refused: {}", answer.body))
}

/// The fields of a refusal with their codes.
fn refusals(answer: &Answer) -> impl Iterator<Item = (&str, &str)> {
    let errors = answer.body["errors"].as_array().into_iter().flatten();
    let named = errors.map(|error| (error["field"].as_str(), error["code"].as_str()));
    let named = named.map(|(field, code)| (field.unwrap_or_default(), code.unwrap_or_default()));
    named.chain([("", answer.code())])
}

/// A parameter that a call was refused for the want of, where the document does not say that it is needed.
fn wanted_in_silence(answer: &Answer, parameters: &[&Value]) -> Option<String> {
    let is_optional = |field: &str| {
        parameters
            .iter()
            .any(|one| one["name"] == field && one["required"] != true)
    };
    let wanted = refusals(answer).find(|(field, code)| *code == "required" && is_optional(field));
    wanted.map(|(field, _)| format!("wants `{field}`"))
}

/// Each body that the document knows, whole and with each of its places changed: one that it describes is not refused for its form, and
/// no other is taken.
#[tokio::test]
async fn bodies_are_read_as_the_document_describes_them() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let document = Document::read();
    let (mut known, mut found, mut sent) = (BTreeSet::new(), Vec::new(), 0);
    for (method, path, operation) in document.operations() {
        let shape = &operation["requestBody"]["content"]["application/json"]["schema"];
        if shape.is_null() {
            continue;
        }
        let validator = document.validator(shape);
        let whole = document.filled(shape);
        let mut bodies = vec![("as it is".to_owned(), whole.clone())];
        for place in document.places(shape, &[], &mut known) {
            for to in changes() {
                let mut told = to.as_ref().map_or("nothing".to_owned(), ToString::to_string);
                told.truncate(40);
                let body = changed(&whole, &place, to.as_ref());
                bodies.extend(body.map(|body| (format!("{} {told}", place.join("/")), body)));
            }
        }
        for (what, body) in bodies {
            let is_described = validator.is_valid(&body);
            let answer = admin.call(method.clone(), &path, Some(body), &[]).await;
            sent += 1;
            let wrong = complaint(&answer, is_described);
            found.extend(wrong.map(|wrong| format!("{method} {path}, {what}: {wrong}")));
        }
        assert!(
            validator.is_valid(&whole),
            "{method} {path}: {whole} is no example"
        );
    }
    assert!(sent > 1_000, "{sent}");
    assert!(found.is_empty(), "{} of {sent}: {found:#?}", found.len());
}

/// Numbers, switches and words of the document are not refused for their form as parameters of a read, and no others are taken.
#[tokio::test]
async fn parameters_are_read_as_the_document_describes_them() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let document = Document::read();
    let mut found = Vec::new();
    for (method, path, operation) in document.operations() {
        let is_stream = ["stream", "live"].contains(&path.rsplit('/').next().unwrap());
        if method != Method::GET || is_stream {
            continue;
        }
        let all = operation["parameters"].as_array().into_iter().flatten();
        let queries: Vec<&Value> = all.filter(|parameter| parameter["in"] == "query").collect();
        for parameter in &queries {
            let shape = document.shape(&parameter["schema"]);
            for (value, is_described) in values(shape) {
                let name = parameter["name"].as_str().unwrap();
                let mut asked: Map<String, Value> = Map::new();
                for other in queries.iter().filter(|other| other["required"] == true) {
                    let day = document.shape(&other["schema"])["format"] == "date";
                    let some = if day { "2026-11-01" } else { "/" };
                    asked.insert(other["name"].as_str().unwrap().to_owned(), json!(some));
                }
                asked.insert(name.to_owned(), json!(value));
                let query: Vec<String> = asked
                    .iter()
                    .map(|(name, value)| format!("{name}={}", value.as_str().unwrap().replace('/', "%2F")))
                    .collect();
                let address = format!("{path}?{}", query.join("&"));
                let answer = admin.get(&address).await;
                let wrong = complaint(&answer, is_described);
                let wrong = wrong.or_else(|| wanted_in_silence(&answer, &queries));
                found.extend(wrong.map(|wrong| format!("{address} {wrong}")));
            }
        }
    }
    assert!(found.is_empty(), "{}: {found:#?}", found.len());
}

/// Values of a parameter, each with whether the document describes it.
fn values(shape: &Value) -> Vec<(String, bool)> {
    if let Some(words) = shape["enum"].as_array() {
        let words = words.iter().map(|word| (word.as_str().unwrap().to_owned(), true));
        return words.chain([("no-such-word".to_owned(), false)]).collect();
    }
    let said = |value: &str, is_described| (value.to_owned(), is_described);
    match kind(shape) {
        "integer" => {
            let least = shape["minimum"].as_i64().unwrap_or(0);
            let below = shape["minimum"]
                .is_number()
                .then(|| (format!("{}", least - 1), false));
            let most = shape["maximum"].as_i64();
            let above = most.map(|most| (format!("{}", most + 1), false));
            let within = [
                said(&least.max(1).to_string(), true),
                said("x", false),
                said("1.5", false),
            ];
            within.into_iter().chain(below).chain(above).collect()
        }
        "number" => vec![said("1.5", true), said("x", false)],
        "boolean" => vec![said("true", true), said("false", true), said("perhaps", false)],
        _ => Vec::new(),
    }
}
