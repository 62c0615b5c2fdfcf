//! Every endpoint against input that nobody should send: never a 500, always the envelope (X4). The cases are made from
//! the document that the server itself serves, so a new endpoint is tried without a line here.

use std::collections::BTreeMap;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Map, Value, json};
use tests::Server;

use crate::contract;
use crate::visitor::Visitor;

/// Larger than any body the server takes.
const TOO_LARGE: usize = 300 * 1024;
const UNKNOWN_ID: &str = "01923456-789a-7bcd-8ef0-123456789abc";
/// What stands in a path where an id belongs.
const PATH_VALUES: [&str; 6] = [
    UNKNOWN_ID,
    "0",
    "-1",
    "no-such-thing",
    "%00",
    "%F0%9F%94%91%20or%201%3D1--",
];
/// What stands in a query where something sensible belongs.
const QUERY_VALUES: [&str; 8] = [
    "",
    "-1",
    "99999999999999999999",
    "1e308",
    "NaN",
    "%27%3B--",
    "%F0%9F%94%91",
    "%00%FF",
];

/// None of them is a log position.
const POSITIONS: [&str; 3] = ["x", "-1", "9223372036854775808"];

/// What stands where a whole number belongs: the ends of every size of number, and numbers past every limit.
const NUMBERS: [&str; 8] = [
    "0",
    "201",
    "1001",
    "2147483648",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
];

#[tokio::test]
async fn no_endpoint_breaks_on_a_visitors_bad_input() {
    let server = Server::start();
    let visitor = Visitor::new(&server);
    try_everything(&server, visitor.client()).await;
}

/// No endpoint breaks on bad input of somebody who may do everything.
#[tokio::test]
async fn endpoints_survive_bad_input_of_an_administrator() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    try_everything(&server, admin.client()).await;
}

async fn try_everything(server: &Server, client: &Client) {
    let document = client.get(server.url("/api/openapi.json")).send().await.unwrap();
    let document: Value = document.json().await.unwrap();
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut broken = Vec::new();
    // Logging out is tried last, or everything after it would only be refused.
    let (out, rest): (Vec<_>, Vec<_>) = operations(&document)
        .into_iter()
        .partition(Operation::ends_the_session);
    for operation in rest.iter().chain(&out) {
        for case in operation.cases(&document) {
            *tried.entry(operation.name()).or_default() += 1;
            if let Err(complaint) = case.send(client, server).await {
                broken.push(format!("{} {}: {complaint}", operation.name(), case.what));
            }
        }
    }
    let cases: usize = tried.values().sum();
    println!("{cases} cases over {} operations", tried.len());
    assert!(
        broken.is_empty(),
        "{} of {cases} cases:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

/// The specification's own words, the same in every language (i18n/glossary).
const NEVER_TRANSLATED: &str = "token not found";

/// What people open from a mail answers them with a page, also where it leads nowhere.
const PAGES: [&str; 2] = ["/unsubscribe/", "/documents/"];

struct Operation {
    method: Method,
    path: String,
    query: Vec<String>,
    /// Those of the query that are whole numbers.
    numbers: Vec<String>,
    body: Option<Value>,
}

struct Case {
    what: String,
    method: Method,
    address: String,
    content_type: &'static str,
    body: Option<Vec<u8>>,
    /// The log position that it claims to have read.
    position: &'static str,
    /// A status that alone is right, where the case leaves no choice.
    only: Option<StatusCode>,
}

fn operations(document: &Value) -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else {
                continue;
            };
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let named = |wanted: &dyn Fn(&Value) -> bool| -> Vec<String> {
                let of_query = parameters.iter().filter(|parameter| parameter["in"] == "query");
                of_query
                    .filter(|parameter| wanted(parameter))
                    .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
                    .collect()
            };
            let query = named(&|_| true);
            let numbers = named(&|parameter| parameter["schema"]["type"].to_string().contains("integer"));
            let body = operation["requestBody"]["content"]["application/json"]
                .get("schema")
                .cloned();
            found.push(Operation {
                method,
                path: path.clone(),
                query,
                numbers,
                body,
            });
        }
    }
    found
}

impl Operation {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn ends_the_session(&self) -> bool {
        self.path.ends_with("/logout") || self.path.ends_with("_otp")
    }

    fn cases(&self, document: &Value) -> Vec<Case> {
        let mut cases: Vec<Case> = PATH_VALUES
            .iter()
            .map(|value| self.case(format!("id {value}"), value, ""))
            .collect();
        for name in &self.query {
            for value in QUERY_VALUES {
                cases.push(self.case(format!("{name}={value}"), UNKNOWN_ID, &format!("{name}={value}")));
            }
            cases.push(self.case(format!("{name} twice"), UNKNOWN_ID, &format!("{name}=1&{name}=2")));
        }
        for name in &self.numbers {
            for value in NUMBERS {
                cases.push(self.case(format!("{name}={value}"), UNKNOWN_ID, &format!("{name}={value}")));
            }
        }
        for position in POSITIONS {
            let mut unreadable = self.case(format!("position {position}"), UNKNOWN_ID, "");
            unreadable.position = position;
            unreadable.only = Some(StatusCode::BAD_REQUEST);
            cases.push(unreadable);
        }
        if let Some(schema) = &self.body {
            cases.extend(self.body_cases(&example(schema, document, 0)));
        }
        cases
    }

    fn body_cases(&self, right: &Value) -> Vec<Case> {
        let mut cases = vec![
            self.with_body("not JSON", b"{\"a\":".to_vec(), None),
            self.with_body("empty", Vec::new(), None),
            self.with_body(
                "too large",
                vec![b' '; TOO_LARGE],
                Some(StatusCode::PAYLOAD_TOO_LARGE),
            ),
            self.with_body(
                "deep",
                format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes(),
                None,
            ),
        ];
        let mut form = self.with_body(
            "a form",
            b"a=1".to_vec(),
            Some(StatusCode::UNSUPPORTED_MEDIA_TYPE),
        );
        form.content_type = "application/x-www-form-urlencoded";
        cases.push(form);
        for other in [json!(null), json!([]), json!("text"), json!(1.5), json!({})] {
            cases.push(self.with_json(&format!("body {other}"), &other));
        }
        for (what, body) in bent(right) {
            cases.push(self.with_json(&what, &body));
        }
        cases
    }

    fn case(&self, what: String, id: &str, query: &str) -> Case {
        let mut address = String::new();
        for part in self.path.split('/').skip(1) {
            address.push('/');
            address.push_str(if part.starts_with('{') { id } else { part });
        }
        if !query.is_empty() {
            address.push('?');
            address.push_str(query);
        }
        let body = self.body.as_ref().map(|_| b"{}".to_vec());
        Case {
            what,
            method: self.method.clone(),
            address,
            content_type: "application/json",
            body,
            position: "0",
            only: None,
        }
    }

    fn with_body(&self, what: &str, body: Vec<u8>, only: Option<StatusCode>) -> Case {
        Case {
            body: Some(body),
            only,
            ..self.case(what.to_owned(), UNKNOWN_ID, "")
        }
    }

    fn with_json(&self, what: &str, body: &Value) -> Case {
        self.with_body(what, body.to_string().into_bytes(), None)
    }
}

impl Case {
    async fn send(&self, client: &Client, server: &Server) -> Result<(), String> {
        // Asked by somebody who reads Chinese: every sentence that a person can meet is theirs (X10).
        let mut request = client
            .request(self.method.clone(), server.url(&self.address))
            .header("accept-language", "zh-CN,zh;q=0.9")
            .header("x-latchkey-position", self.position);
        if let Some(body) = &self.body {
            request = request
                .header("content-type", self.content_type)
                .body(body.clone());
        }
        let answer = request
            .send()
            .await
            .map_err(|error| format!("no answer: {error}"))?;
        let status = answer.status();
        if status.is_server_error() {
            return Err(format!("answered {status}"));
        }
        if status.is_success() || status.is_redirection() {
            if self.only.is_some() {
                return Err(format!("answered {status}"));
            }
            if !contract::is_json(&answer) {
                return Ok(());
            }
            let body: Value = answer.json().await.map_err(|error| error.to_string())?;
            return contract::complaint(&self.method, &self.address, status, &body).map_or(Ok(()), Err);
        }
        // Who may not ask at all is told so before the input is looked at.
        let refused = [
            StatusCode::UNAUTHORIZED,
            StatusCode::FORBIDDEN,
            StatusCode::NOT_FOUND,
        ]
        .contains(&status);
        if self.only.is_some_and(|only| only != status && !refused) {
            return Err(format!("answered {status}"));
        }
        let is_page = PAGES.iter().any(|page| self.address.starts_with(page));
        if is_page && status == StatusCode::NOT_FOUND && !contract::is_json(&answer) {
            let page = answer.text().await.map_err(|error| error.to_string())?;
            return if is_chinese(&page) {
                Ok(())
            } else {
                Err(format!("{status} not in Chinese: {page}"))
            };
        }
        let text = answer.text().await.map_err(|error| error.to_string())?;
        let body: Value =
            serde_json::from_str(&text).map_err(|_| format!("{status} without the envelope: {text}"))?;
        let complete = body["message"]["user_friendly_message"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
            && body["message"]["code"].is_string()
            && body["errors"].is_array()
            && body["request_id"].as_str().is_some_and(|id| !id.is_empty());
        let foreign = sentences(&body)
            .into_iter()
            .find(|sentence| !is_chinese(sentence) && *sentence != NEVER_TRANSLATED);
        if let Some(sentence) = foreign {
            return Err(format!("{status} says `{sentence}` to a Chinese reader"));
        }
        if complete {
            contract::complaint(&self.method, &self.address, status, &body).map_or(Ok(()), Err)
        } else {
            Err(format!("{status} with a broken envelope: {body}"))
        }
    }
}

/// Everything that a refusal says to people.
fn sentences(body: &Value) -> Vec<&str> {
    let fields = body["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_fields = fields.iter().map(|error| &error["message"]);
    std::iter::once(&body["message"]["user_friendly_message"])
        .chain(of_fields)
        .filter_map(Value::as_str)
        .collect()
}

fn is_chinese(sentence: &str) -> bool {
    sentence.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c))
}

/// A value the schema allows.
fn example(schema: &Value, document: &Value, depth: usize) -> Value {
    if depth > 6 {
        return Value::Null;
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return example(&document["components"]["schemas"][name], document, depth + 1);
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema[choice]
            .as_array()
            .and_then(|all| all.iter().find(|one| one["type"] != "null"))
        {
            return example(first, document, depth + 1);
        }
    }
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kind = schema["type"].as_str().or_else(|| {
        schema["type"]
            .as_array()?
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
    });
    match kind {
        Some("object") | None => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            properties
                .iter()
                .map(|(name, part)| (name.clone(), example(part, document, depth + 1)))
                .collect::<Map<_, _>>()
                .into()
        }
        Some("array") => json!([example(&schema["items"], document, depth + 1)]),
        Some("integer") => json!(1),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some(_) => match schema["format"].as_str() {
            Some("uuid") => json!(UNKNOWN_ID),
            Some("date") => json!("2027-01-11"),
            Some("date-time") => json!("2027-01-11T00:00:00Z"),
            _ => json!("text"),
        },
    }
}

/// The right body with one thing bent at a time: every field wrong, missing, null, or joined by one nobody knows.
fn bent(right: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for pointer in pointers(right, "") {
        for wrong in [
            json!(null),
            json!([]),
            json!({}),
            json!(-1),
            json!(1e308),
            json!("\u{0}"),
            json!("x".repeat(20_000)),
        ] {
            let mut body = right.clone();
            if let Some(place) = body.pointer_mut(&pointer) {
                *place = wrong.clone();
            }
            let shown: String = wrong.to_string().chars().take(20).collect();
            found.push((format!("{pointer} = {shown}"), body));
        }
        let mut body = right.clone();
        if let Some((parent, name)) = pointer.rsplit_once('/')
            && let Some(object) = body.pointer_mut(parent).and_then(Value::as_object_mut)
        {
            object.remove(name);
            found.push((format!("without {pointer}"), body));
        }
    }
    let mut body = right.clone();
    if let Some(object) = body.as_object_mut() {
        object.insert("is_admin".to_owned(), json!(true));
        found.push(("one field more".to_owned(), body));
    }
    found
}

fn pointers(value: &Value, prefix: &str) -> Vec<String> {
    let Some(object) = value.as_object() else {
        return Vec::new();
    };
    object
        .iter()
        .flat_map(|(name, part)| {
            let here = format!("{prefix}/{name}");
            let below = pointers(part, &here);
            std::iter::once(here).chain(below)
        })
        .collect()
}
